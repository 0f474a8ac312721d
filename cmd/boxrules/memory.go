package main

import (
	"math"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
)

// maxHeap is the soft memory limit of a command in bytes. When the heap comes near it, the garbage collector
// works harder, so that the whole process stays below the 300 MB that docs/insight.md states.
const maxHeap = 256 << 20

// tuneMemory sets how much garbage the process may hold while it runs its one command. It is the only function
// that does so, because each call of SetGCPercent replaces the previous setting. A server keeps Go's defaults
// and the settings of its environment. A limit in GOMEMLIMIT always applies.
func tuneMemory(command *cobra.Command, args []string) {
	if command.Name() == "serve" {
		return
	}
	debug.SetGCPercent(garbagePercent(command, args))
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(maxHeap)
	}
}

// garbagePercent returns how much garbage the command may hold, as a percentage of its live memory.
func garbagePercent(command *cobra.Command, args []string) int {
	value := func(flag string) string {
		if f := command.Flags().Lookup(flag); f != nil {
			return f.Value.String()
		}
		return ""
	}
	for _, name := range args {
		if value("input") == lists.XLSX || value("input") == "" && lists.InputKind(name) == lists.XLSX {
			return 50 // a low percentage, because the shared texts of the workbook stay in memory
		}
	}
	switch command.Name() {
	case "lint", "diff", "codes", "learn", "audit":
		// There may be two engines of 5,000 pairs and the garbage of a search. The low percentage makes the
		// command a tenth slower.
		return 75
	case "check":
		// A check has little live memory, so a high percentage costs little and makes it faster. Text and JSON
		// have more live memory.
		if f := value("format"); f == verdicts.FormatCSV || f == verdicts.FormatNone {
			return 500
		}
		return 200
	}
	return 100
}
