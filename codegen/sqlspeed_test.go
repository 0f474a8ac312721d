package codegen_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	sqlRounds   = flag.Int("sql.rounds", 0, "how often TestSQLVerdicts measures the processor time of the view (default 0: not at all)")
	sqlBaseline = flag.String("sql.baseline", "", "folder of files DIALECT.sql with another version of the view, to be measured in turns with this one")
)

// logSpeed measures how many rows of the table boxes the view checks in a second of processor time, and logs the median of
// the rounds. If there is a baseline for the dialect, each round measures first the baseline and then the current view.
//
// The query counts the rows with each verdict, so that every row is checked and hardly anything is printed. The time that
// the same session takes for "SELECT 1" is subtracted: some databases start a new process for each session.
func logSpeed(t *testing.T, dialect, current string, rows int, run session) {
	t.Helper()
	const query = "SELECT verdict, COUNT(*) FROM box_verdicts GROUP BY verdict ORDER BY verdict;\n"
	versions := []string{current}
	if baseline, err := os.ReadFile(filepath.Join(*sqlBaseline, dialect+".sql")); *sqlBaseline != "" && err == nil {
		versions = []string{string(baseline), current}
	}
	seconds := make([][]float64, len(versions))
	for range *sqlRounds {
		var counts []string
		for i, version := range versions {
			do(t, run, version)
			idle := processorTime(t, func() { do(t, run, "SELECT 1;\n") })
			busy := processorTime(t, func() { counts = append(counts, do(t, run, query)) })
			seconds[i] = append(seconds[i], (busy - idle).Seconds())
		}
		if len(slices.Compact(counts)) > 1 {
			t.Errorf("the baseline and the current view count different verdicts")
		}
	}
	for i, all := range seconds {
		slices.Sort(all)
		name := "now"
		if i < len(versions)-1 {
			name = "baseline"
		}
		t.Logf("%s: %.0f rows per second of processor time, median of %d (%.0f to %.0f)",
			name, float64(rows)/all[len(all)/2], len(all), float64(rows)/all[len(all)-1], float64(rows)/all[0])
	}
}

// processorTime returns the processor time that a function takes in child processes that end in it, and in the servers of
// databases.
func processorTime(t *testing.T, f func()) time.Duration {
	t.Helper()
	before := childTime(t) + serverTime(t)
	f()
	return childTime(t) + serverTime(t) - before
}

func childTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// serverTime returns the processor time of all servers of databases on the machine, including those of their processes that
// have ended. It reads the files of Linux under /proc, which count in hundredths of a second.
func serverTime(t *testing.T) (total time.Duration) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		t.Fatal("there is no /proc to read processor times from")
	}
	for _, name := range files {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // the process has ended
		}
		// The line is: 123 (name) state parent …, with user and system time in fields 14 and 15, and those of ended children
		// in 16 and 17.
		head, tail, _ := strings.Cut(string(stat), ") ")
		_, program, _ := strings.Cut(head, "(")
		if fields := strings.Fields(tail); slices.Contains([]string{"postgres", "mariadbd", "java"}, program) {
			for _, field := range fields[11:15] {
				ticks, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				total += time.Duration(ticks) * 10 * time.Millisecond
			}
		}
	}
	return total
}
