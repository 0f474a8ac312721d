// Command boxrules says offline whether cardboard boxes can be made, and if not, which documented
// code the printing service reports and why.
package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

func main() {
	// Otherwise a closed stdout would end the process by a signal, without an exit status of ours.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], &console.Console{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Getenv:  os.Getenv,
		Watched: term.IsTerminal(int(os.Stderr.Fd())),
		Typed:   term.IsTerminal(int(os.Stdin.Fd())),
		Now:     time.Now,
		Sleep:   console.Sleep,
	}))
}
