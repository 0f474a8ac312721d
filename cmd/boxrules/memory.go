package main

import (
	"math"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/lists"
	"example.com/boxrules/cmd/boxrules/internal/verdicts"
)

// maxHeap is the soft memory limit of a command in bytes. As the heap approaches it, the garbage collector runs
// more often, so that the whole process stays below the 300 MB that docs/insight.md promises.
const maxHeap = 256 << 20

// tuneMemory configures the garbage collector for a process that runs one command and ends. No other code may call
// SetGCPercent, because a second call would replace the setting. For a server it does nothing, so Go's defaults and the
// variables GOGC and GOMEMLIMIT apply. For any other command, a memory limit in GOMEMLIMIT takes precedence over
// maxHeap.
func tuneMemory(command *cobra.Command, args []string) {
	if command.Name() == "serve" {
		return
	}
	debug.SetGCPercent(garbagePercent(command, args))
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(maxHeap)
	}
}

// garbagePercent returns the argument for SetGCPercent: how much garbage may accumulate, as a percentage of the
// live memory.
func garbagePercent(command *cobra.Command, args []string) int {
	value := func(flag string) string {
		if f := command.Flags().Lookup(flag); f != nil {
			return f.Value.String()
		}
		return ""
	}
	for _, name := range args {
		if value("input") == lists.XLSX || value("input") == "" && lists.InputKind(name) == lists.XLSX {
			return 50 // low, because the shared texts of the workbook stay in memory
		}
	}
	switch command.Name() {
	case "lint", "codes", "learn", "audit":
		// These commands may hold engines with 10,000 profiles, and a search makes much garbage. The low
		// percentage makes them a tenth slower.
		return 75
	case "diff":
		// diff compiles a hundred articles at a time, so it has less live memory than the commands above, but
		// makes more garbage. The high percentage saves a fifth of its time.
		return 200
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
