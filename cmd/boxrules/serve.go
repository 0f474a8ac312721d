package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// serve is the command that answers over HTTP.
type serve struct {
	console *console
	sources *sources
	demo    bool
	address string
}

func newServe(c *console, s *sources) *cobra.Command {
	k := &serve{console: c, sources: s}
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo of the quote form",
		Long: `serve answers over HTTP, on this machine alone unless --address says otherwise, until it is interrupted.
--demo is a page on which to try the rules and limits out: the quote form of docs/forms.md with a drawing.

Exit status: 0 after an interrupt, 2 where it could not serve.`,
		Example: `  boxrules serve --demo
  boxrules serve --demo --limits limits.yaml --address 127.0.0.1:9000`,
		Args: noFiles,
		RunE: k.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.BoolVar(&k.demo, "demo", false, "serve the demo page")
	flags.StringVar(&k.address, "address", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes any that is free")
	return command
}

// shutdownTime is how long requests that have begun may take after an interrupt.
const shutdownTime = 10 * time.Second

func (k *serve) run(command *cobra.Command, _ []string) error {
	if !k.demo {
		return usage(command, "nothing to serve; accepted: --demo")
	}
	engine, err := k.sources.engine()
	if err != nil {
		return k.console.fail(err)
	}
	pages, err := newDemo(engine)
	if err != nil {
		return k.console.fail(err)
	}
	listener, err := net.Listen("tcp", k.address)
	if err != nil {
		return usage(command, "--address %s: %w; accepted: HOST:PORT such as 127.0.0.1:8080", quoted(k.address), cause(err))
	}
	server := &http.Server{
		Handler: pages,
		// Slow clients hold no connection for long. Nothing here takes a body.
		ReadHeaderTimeout: 3 * time.Second,
		ReadTimeout:       3 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(slog.NewTextHandler(k.console.err, nil), slog.LevelWarn),
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	k.console.say("boxrules: the demo is at http://%s/", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return k.console.fail(err)
	case <-stop.Done():
	}
	cancel() // a second interrupt ends at once
	finish, release := context.WithTimeout(context.Background(), shutdownTime)
	defer release()
	if err := server.Shutdown(finish); err != nil {
		return k.console.fail(err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return k.console.fail(err)
	}
	return nil
}
