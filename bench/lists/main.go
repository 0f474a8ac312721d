// Command lists times boxrules check on lists of boxes next to DuckDB, which reads the same CSV,
// asks the view of boxrules generate sql and writes CSV, both on two threads and in turns. It
// prints medians, ratios, of the CPU time too, and peak memory, and fails where the two do not
// give the same answers. It needs node and npm.
//
//	go run ./bench/lists [-rows N] [-rounds N]
package main

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

//go:embed duckdb.mjs
var duckdb []byte

// duckdbVersion pins the npm package.
const duckdbVersion = "@duckdb/node-api@1.5.6-r.1"

func main() {
	rows := flag.Int("rows", 3_000_000, "rows of each list")
	rounds := flag.Int("rounds", 5, "how often each is timed")
	flag.Parse()
	if err := run(*rows, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "lists:", err)
		os.Exit(1)
	}
}

// A bench says where the programs and the lists are.
type bench struct{ folder, program, view string }

// A timing holds what one run took.
type timing struct{ seconds, cpu, megabytes float64 }

func run(rows, rounds int) error {
	folder, err := os.MkdirTemp("", "lists")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b := bench{folder, filepath.Join(folder, "boxrules"), filepath.Join(folder, "view.sql")}
	if err := b.install(); err != nil {
		return err
	}
	fmt.Printf("%d rows, medians of %d rounds, 2 threads each, %s, %s\n\n", rows, rounds, duckdbVersion, runtime.Version())
	fmt.Println("| List | MB | | boxrules, s | DuckDB, s | times | CPU times | boxrules, MB | DuckDB, MB |\n|---|--:|---|--:|--:|--:|--:|--:|--:|")
	for i, l := range lists {
		path := filepath.Join(folder, fmt.Sprintf("list%d.csv", i))
		if err := l.to(path, rows); err != nil {
			return err
		}
		size, err := os.Stat(path)
		if err != nil {
			return err
		}
		for _, counts := range []bool{false, true} {
			question := "CSV to CSV"
			if counts {
				question = "counts" // for which DuckDB reads half of ten columns, and boxrules all of every row
			}
			ours, theirs, err := b.compare(l, path, counts, rounds)
			if err != nil {
				return err
			}
			fmt.Printf("| %s | %d | %s | %.2f | %.2f | %.1f | %.1f | %.0f | %.0f |\n", l.name, size.Size()>>20, question,
				ours.seconds, theirs.seconds, theirs.seconds/ours.seconds, theirs.cpu/ours.cpu, ours.megabytes, theirs.megabytes)
		}
	}
	return nil
}

// install gets DuckDB, the program and the view.
func (b *bench) install() error {
	if err := b.command("go", "build", "-o", b.program, "example.com/boxrules/cmd/boxrules").Run(); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	npm := b.command("npm", "install", "--silent", "--prefix", b.folder, duckdbVersion)
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm install %s: %w", duckdbVersion, err)
	}
	if err := os.WriteFile(filepath.Join(b.folder, "duckdb.mjs"), duckdb, 0o666); err != nil {
		return err
	}
	return b.command(b.program, "generate", "sql", "--dialect", "duckdb", "-o", b.view).Run()
}

func (b *bench) command(name string, arguments ...string) *exec.Cmd {
	c := exec.Command(name, arguments...)
	c.Env, c.Stderr = append(os.Environ(), "GOMAXPROCS=2"), os.Stderr
	return c
}

// compare times both in turns. DuckDB is asked with the order of the rows kept and without, and
// its better median counts.
func (b *bench) compare(l list, path string, counts bool, rounds int) (ours, theirs timing, err error) {
	var mine, ordered, loose []timing
	for range rounds {
		t, told, err := b.boxrules(path, counts)
		if err != nil {
			return ours, theirs, err
		}
		mine = append(mine, t)
		for order, timings := range map[string]*[]timing{"true": &ordered, "false": &loose} {
			t, also, err := b.duckdb(l, path, counts, order)
			if err != nil {
				return ours, theirs, err
			}
			*timings = append(*timings, t)
			if told != also {
				return ours, theirs, fmt.Errorf("%s: the answers differ:\nboxrules %s\nDuckDB   %s", l.name, told, also)
			}
		}
	}
	return median(mine), slices.MinFunc([]timing{median(ordered), median(loose)}, bySeconds), nil
}

// median returns the run that took neither long nor short.
func median(all []timing) timing {
	slices.SortFunc(all, bySeconds)
	return all[len(all)/2]
}

func bySeconds(a, b timing) int { return cmp.Compare(a.seconds, b.seconds) }

// boxrules runs the command once, and returns what that took from its start to its end and what
// it answered.
func (b *bench) boxrules(path string, counts bool) (timing, string, error) {
	out := filepath.Join(b.folder, "ours.csv")
	file, err := os.Create(out)
	if err != nil {
		return timing{}, "", err
	}
	defer file.Close()
	var table strings.Builder
	if counts {
		t, err := b.check(path, "none", &table, "--summary")
		return t, tableCounts(table.String()), err
	}
	t, err := b.check(path, "csv", file)
	if err != nil {
		return t, "", err
	}
	told, err := fingerprint(out)
	return t, told, err
}

// check runs the command once, and returns what that took.
func (b *bench) check(path, format string, out io.Writer, flags ...string) (timing, error) {
	c := b.command(b.program, append([]string{"check", "--format", format, path}, flags...)...)
	var said strings.Builder
	c.Stdout, c.Stderr = out, &said
	start := time.Now()
	err := c.Run()
	t := timing{time.Since(start).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), megabytes(c.ProcessState)}
	if code := c.ProcessState.ExitCode(); err != nil && code != 1 && code != 2 {
		return t, fmt.Errorf("boxrules check: %w: %s", err, said.String())
	}
	return t, nil
}

// tableCounts returns the counts by answer of the table that --summary ends with.
func tableCounts(table string) string {
	counts := make(map[string]int)
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		if n, err := strconv.Atoi(fields[len(fields)-1]); err == nil { // not the head of the table
			counts[fields[len(fields)-2]] += n
		}
	}
	return listed(counts)
}

func megabytes(p *os.ProcessState) float64 {
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// duckdb runs one query, and returns what that took, without the start of node and of DuckDB, and
// what it answered.
func (b *bench) duckdb(l list, path string, counts bool, order string) (timing, string, error) {
	out := filepath.Join(b.folder, "theirs.csv")
	if counts {
		out = "counts"
	}
	c := b.command("node", filepath.Join(b.folder, "duckdb.mjs"), b.view, path, l.types, order, out)
	text, err := c.Output()
	if err != nil {
		return timing{}, "", fmt.Errorf("DuckDB: %w", err)
	}
	var result struct {
		Seconds, CPU, Kilobytes float64
		Counts                  map[string]int
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return timing{}, "", err
	}
	t := timing{result.Seconds, result.CPU, result.Kilobytes / 1024}
	if counts {
		return t, listed(result.Counts), nil
	}
	told, err := fingerprint(out)
	return t, told, err
}

var seed = maphash.MakeSeed()

// fingerprint returns the same text for lists with the same rows in whatever order, however their
// numbers and quotes are written.
func fingerprint(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.ReuseRecord = true
	rows, sum := 0, uint64(0)
	counts := make(map[string]int)
	for {
		record, err := r.Read()
		if err == io.EOF {
			return fmt.Sprintf("%d rows, %016x, %s", rows, sum, listed(counts)), nil
		}
		if err != nil {
			return "", err
		}
		if rows++; rows == 1 {
			continue // the header
		}
		var h maphash.Hash
		h.SetSeed(seed)
		for _, field := range record {
			if x, err := strconv.ParseFloat(field, 64); err == nil {
				field = strconv.FormatFloat(x, 'g', -1, 64)
			}
			h.WriteString(field)
			h.WriteByte(0)
		}
		sum += h.Sum64()
		counts[record[len(record)-1]]++
	}
}

// listed returns the counts in the order of the verdicts.
func listed(counts map[string]int) string {
	var all []string
	for verdict, n := range counts {
		all = append(all, fmt.Sprintf("%s %d", verdict, n))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
