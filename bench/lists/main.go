// Command lists compares the speed of boxrules check with that of DuckDB on lists of boxes. DuckDB reads the same CSV
// file, queries the view that boxrules generate sql writes, and writes its answers as CSV. The two programs run
// alternately, each on two threads. For both programs, the command prints the median time and the peak memory. It also
// prints how many times as much time and CPU time DuckDB takes as boxrules. It fails if their answers differ. It needs
// node and npm.
//
//	go run ./bench/lists [-rows N] [-rounds N]
package main

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

//go:embed duckdb.mjs
var duckdb []byte

// duckdbVersion is the npm package of DuckDB, pinned to a version.
const duckdbVersion = "@duckdb/node-api@1.5.6-r.1"

func main() {
	rows := flag.Int("rows", 3_000_000, "rows of each list")
	rounds := flag.Int("rounds", 5, "how many times each program is timed")
	flag.Parse()
	folder := must(os.MkdirTemp("", "lists"))
	defer os.RemoveAll(folder)
	b := bench{folder, filepath.Join(folder, "boxrules"), filepath.Join(folder, "view.sql")}
	b.install()
	fmt.Printf("%d rows, medians of %d rounds, 2 threads each, %s, %s\n\n", *rows, *rounds, duckdbVersion, runtime.Version())
	fmt.Println("| List | MB | | boxrules, s | DuckDB, s | DuckDB / boxrules, time | DuckDB / boxrules, CPU time | boxrules, MB | DuckDB, MB |\n|---|--:|---|--:|--:|--:|--:|--:|--:|")
	for i, l := range lists {
		path := filepath.Join(folder, fmt.Sprintf("list%d.csv", i))
		l.write(path, *rows)
		size := must(os.Stat(path)).Size()
		for _, counts := range []bool{false, true} {
			question := "CSV to CSV"
			if counts {
				question = "counts" // for counts, DuckDB reads only half of the ten columns; boxrules reads whole rows
			}
			ours, theirs := b.compare(l, path, counts, *rounds)
			fmt.Printf("| %s | %d | %s | %.2f | %.2f | %.1f | %.1f | %.0f | %.0f |\n", l.name, size>>20, question,
				ours.seconds, theirs.seconds, theirs.seconds/ours.seconds, theirs.cpu/ours.cpu, ours.megabytes, theirs.megabytes)
		}
	}
}

// check panics if err is not nil. It does not call log.Fatal, because deferred functions must still run.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// A bench holds the paths of the programs and files that the comparison uses.
type bench struct{ folder, program, view string }

// A measurement holds the time and the memory that one run took.
type measurement struct{ seconds, cpu, megabytes float64 }

// install builds boxrules, installs DuckDB and generates the view.
func (b *bench) install() {
	check(b.command("go", "build", "-o", b.program, "example.com/boxrules/cmd/boxrules").Run())
	check(b.command("npm", "install", "--silent", "--prefix", b.folder, duckdbVersion).Run())
	check(os.WriteFile(filepath.Join(b.folder, "duckdb.mjs"), duckdb, 0o666))
	check(b.command(b.program, "generate", "sql", "--dialect", "duckdb", "-o", b.view).Run())
}

func (b *bench) command(name string, arguments ...string) *exec.Cmd {
	c := exec.Command(name, arguments...)
	c.Env, c.Stderr = append(os.Environ(), "GOMAXPROCS=2"), os.Stderr
	return c
}

// compare runs boxrules and DuckDB alternately and returns the median timing of each. In each round, DuckDB runs twice:
// once with the order of the rows preserved, and once without. For DuckDB, compare returns the better of the two
// medians.
func (b *bench) compare(l list, path string, onlyCounts bool, rounds int) (ours, theirs measurement) {
	var command, ordered, unordered []measurement
	for range rounds {
		t, answer := b.runBoxrules(path, onlyCounts)
		command = append(command, t)
		for order, timings := range map[string]*[]measurement{"true": &ordered, "false": &unordered} {
			t, duckdbAnswer := b.runDuckDB(l, path, onlyCounts, order)
			*timings = append(*timings, t)
			if answer != duckdbAnswer {
				panic(fmt.Sprintf("%s: the answers differ:\nboxrules %s\nDuckDB   %s", l.name, answer, duckdbAnswer))
			}
		}
	}
	return median(command), slices.MinFunc([]measurement{median(ordered), median(unordered)}, bySeconds)
}

// median returns the timing of the run with the median time.
func median(all []measurement) measurement {
	slices.SortFunc(all, bySeconds)
	return all[len(all)/2]
}

func bySeconds(a, b measurement) int { return cmp.Compare(a.seconds, b.seconds) }

// runBoxrules runs boxrules check once. It returns the answer, and the timing of the whole process.
func (b *bench) runBoxrules(path string, onlyCounts bool) (measurement, string) {
	var table strings.Builder
	if onlyCounts {
		t := b.runTimed(&table, "--format", "none", "--summary", path)
		return t, tableCounts(table.String())
	}
	out := filepath.Join(b.folder, "ours.csv")
	file := must(os.Create(out))
	defer file.Close()
	t := b.runTimed(file, "--format", "csv", path)
	return t, fingerprint(out)
}

// runTimed runs boxrules check once with the given flags, writes its output to out, and returns the timing.
func (b *bench) runTimed(out io.Writer, flags ...string) measurement {
	c := b.command(b.program, append([]string{"check"}, flags...)...)
	c.Stdout, c.Stderr = out, nil // discard the summary on stderr
	start := time.Now()
	err := c.Run()
	t := measurement{time.Since(start).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), megabytes(c.ProcessState)}
	if code := c.ProcessState.ExitCode(); code != 1 && code != 2 {
		check(err)
	}
	return t
}

// tableCounts reads the table that --summary prints, and returns the number of boxes for each answer, formatted by
// countsText.
func tableCounts(table string) string {
	counts := make(map[string]int)
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		if n, err := strconv.Atoi(fields[len(fields)-1]); err == nil { // otherwise this is the head of the table
			counts[fields[len(fields)-2]] += n
		}
	}
	return countsText(counts)
}

func megabytes(p *os.ProcessState) float64 {
	return float64(p.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

// runDuckDB runs one query. order is "true" if DuckDB must preserve the order of the rows, and "false" otherwise.
// runDuckDB returns the answer, and the timing of the query alone, without the startup of node and DuckDB.
func (b *bench) runDuckDB(l list, path string, onlyCounts bool, order string) (measurement, string) {
	out := filepath.Join(b.folder, "theirs.csv")
	if onlyCounts {
		out = "counts"
	}
	text := must(b.command("node", filepath.Join(b.folder, "duckdb.mjs"), b.view, path, l.types, order, out).Output())
	var result struct {
		Seconds, CPU, Kilobytes float64
		Counts                  map[string]int
	}
	check(json.Unmarshal(text, &result))
	t := measurement{result.Seconds, result.CPU, result.Kilobytes / 1024}
	if onlyCounts {
		return t, countsText(result.Counts)
	}
	return t, fingerprint(out)
}

var seed = maphash.MakeSeed()

// fingerprint returns a string that is the same for two lists if they have the same rows. The order of the rows and the
// way in which numbers and quotes are written do not matter.
func fingerprint(path string) string {
	file := must(os.Open(path))
	defer file.Close()
	r := csv.NewReader(file)
	r.ReuseRecord = true
	rows, sum := 0, uint64(0)
	counts := make(map[string]int)
	for {
		record, err := r.Read()
		if err == io.EOF {
			return fmt.Sprintf("%d rows, %016x, %s", rows, sum, countsText(counts))
		}
		check(err)
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

// countsText formats the number of boxes for each answer as one line, sorted by answer.
func countsText(counts map[string]int) string {
	var all []string
	for verdict, n := range counts {
		all = append(all, fmt.Sprintf("%s %d", verdict, n))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// A list describes a file of boxes to check.
type list struct {
	name     string
	types    string // the names and types of the columns, as DuckDB reads them
	writeRow func(w *bufio.Writer, row int, random *rand.Rand, box boxrules.Box)
}

var lists = []list{
	{
		"5 columns",
		"{article: 'VARCHAR', material: 'VARCHAR', width: 'DOUBLE', depth: 'DOUBLE', height: 'DOUBLE'}",
		func(w *bufio.Writer, _ int, _ *rand.Rand, b boxrules.Box) {
			fmt.Fprintf(w, "%s,%s,%v,%v,%v\n", b.Article, b.Material, b.Width, b.Depth, b.Height)
		},
	},
	{
		"10 columns, with quotes, line breaks and UTF-8",
		"{sku: 'VARCHAR', customer: 'VARCHAR', title: 'VARCHAR', article: 'VARCHAR', material: 'VARCHAR', " +
			"width: 'DOUBLE', depth: 'DOUBLE', height: 'DOUBLE', quantity: 'VARCHAR', note: 'VARCHAR'}",
		func(w *bufio.Writer, row int, random *rand.Rand, b boxrules.Box) {
			fmt.Fprintf(w, "S-%07d,%s,%s,%s,%s,%v,%v,%v,%d,%s\n", row, pick(random, customers), pick(random, titles),
				b.Article, b.Material, b.Width, b.Depth, b.Height, 25*(1+random.IntN(400)), pick(random, notes))
		},
	},
}

var (
	customers = []string{"Müller & Söhne", "Łódź Packaging", "\"Smith, Jones\"", "株式会社箱", "Café d’Or", "Box Ltd"}
	titles    = []string{"\"Carton 12\"\" wide\"", "Tall one", "\"Gift box, red\"", "Schachtel groß", "plain"}
	notes     = []string{"", "", "\"first line\nsecond line\"", "\"call \"\"Ann\"\", then ship\"", "as before", "ohne Deckel – eilig"}
)

func pick(random *rand.Rand, choices []string) string { return choices[random.IntN(len(choices))] }

func (l list) columns() []string {
	var names []string
	for field := range strings.SplitSeq(strings.Trim(l.types, "{}"), ", ") {
		name, _, _ := strings.Cut(field, ":")
		names = append(names, name)
	}
	return names
}

// write writes a list with the given number of rows. The boxes have random articles and materials. Their dimensions
// range from half the minimum to 1.25 times the maximum, and most of them are whole or half millimetres. One box in
// a hundred has an unknown article.
func (l list) write(path string, rows int) {
	file := must(os.Create(path))
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(w, strings.Join(l.columns(), ","))
	random, profiles := rand.New(rand.NewPCG(9, 9)), boxrules.Default().Profiles()
	for row := range rows {
		p := profiles[random.IntN(len(profiles))]
		form, step := p.Exact(), []float64{1, 2, 1000}[random.IntN(3)]
		dimension := func(axis int) float64 {
			low, high := exact.Float64At(form.Low[axis])/2, exact.Float64At(form.High[axis])*1.25
			return math.Round((low+random.Float64()*(high-low))*step) / step
		}
		b := boxrules.Box{Article: p.Article(), Material: p.Material()}
		b.Width, b.Depth, b.Height = dimension(exact.Width), dimension(exact.Depth), dimension(exact.Height)
		if random.IntN(100) == 0 {
			b.Article = "no-such-box"
		}
		l.writeRow(w, row, random, b)
	}
	check(w.Flush())
}
