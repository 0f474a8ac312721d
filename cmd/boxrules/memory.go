package main

import (
	"math"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
)

// maxHeap is the memory that a command may use before the garbage collector works harder. Together with
// the program itself it stays below the 300 MB of docs/insight.md.
const maxHeap = 256 << 20

// tuneMemory sets how much garbage the process may hold, for the one command that it runs. Nothing
// else may set that, as each call replaces the one before. A server keeps the settings of Go and its
// environment. A limit in GOMEMLIMIT always stays in force.
func tuneMemory(command *cobra.Command, args []string) {
	if command.Name() == "serve" {
		return
	}
	debug.SetGCPercent(garbage(command, args))
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(maxHeap)
	}
}

// garbage returns how much garbage the command may hold, as a percentage of what it needs.
func garbage(command *cobra.Command, args []string) int {
	value := func(flag string) string {
		if f := command.Flags().Lookup(flag); f != nil {
			return f.Value.String()
		}
		return ""
	}
	for _, name := range args {
		if value("input") == lists.XLSX || value("input") == "" && lists.KindOf(name) == lists.XLSX {
			return 50 // the texts of a workbook are held
		}
	}
	switch command.Name() {
	case "lint", "diff", "codes", "learn", "audit":
		return 75 // two engines of 5,000 pairs, and what a search leaves; it costs a tenth of the time
	case "check":
		// Little is held, and a list is read faster for it. Text and JSON hold more.
		if f := value("format"); f == verdicts.FormatCSV || f == verdicts.FormatNone {
			return 500
		}
		return 200
	}
	return 100
}
