// Command boxrules says offline whether cardboard boxes can be made, and if not, which documented code
// the printing service reports and why.
package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() {
	// Without this a closed stdout ends the process by a signal, and not with an exit status of its own.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], &console{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		getenv:   os.Getenv,
		terminal: term.IsTerminal(int(os.Stdout.Fd())),
		watched:  term.IsTerminal(int(os.Stderr.Fd())),
		typed:    term.IsTerminal(int(os.Stdin.Fd())),
		now:      time.Now,
		sleep:    sleep,
	}))
}
