package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

// serve is the command that answers over HTTP.
type serve struct {
	console     *console
	sources     *sources
	demo        bool
	preflight   bool
	sandbox     bool
	upstream    string
	gap         string
	passUnknown bool
	fixtures    string
	faults      bool
	address     string
	atOnce      int
	log         choice
}

func newServe(c *console, s *sources) *cobra.Command {
	k := &serve{console: c, sources: s, log: choice{value: "text", accepted: []string{"text", "json", "off"}}}
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo, the pre-flight check or the sandbox over HTTP",
		Long: `serve answers over HTTP until it is interrupted, to this machine alone unless --address says otherwise.

--demo is a page on which to try the rules and limits out. --preflight answers dieline and quotation requests:
with the documented error where the service would refuse them, else with 204, or with what the service at
--upstream answers. --sandbox is the whole documented interface, offline, for tests of clients; its client
is sandbox-client with the secret sandbox-secret unless BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET name another.

/healthz and /readyz answer too. SIGHUP reads the rule and limit files again; where they are wrong it says why
and goes on with those it has. On SIGINT and SIGTERM the requests that have begun may end.

Exit status: 0 after an interrupt, 2 where it could not serve.`,
		Example: `  boxrules serve --demo
  boxrules serve --preflight --limits limits.yaml --upstream https://api.example.com
  boxrules serve --sandbox --fixtures recorded/`,
		Args: noFiles,
		RunE: k.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.BoolVar(&k.demo, "demo", false, "serve the demo page")
	flags.BoolVar(&k.preflight, "preflight", false, "answer as the service does where it would refuse")
	flags.StringVar(&k.upstream, "upstream", "", "`URL` of the service that --preflight passes on to")
	flags.BoolVar(&k.passUnknown, "pass-unknown", false, "let --preflight accept articles and materials that the limits do not have")
	flags.StringVar(&k.gap, "gap", "0", "least distance between blanks on a sheet, a `NUMBER`")
	flags.BoolVar(&k.sandbox, "sandbox", false, "serve the whole interface, offline")
	flags.StringVar(&k.fixtures, "fixtures", "", "`FOLDER` of recorded answers for --sandbox")
	flags.BoolVar(&k.faults, "faults", false, "let requests to --sandbox ask for faults, by the header "+sandbox.FaultHeader)
	flags.StringVar(&k.address, "address", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes any that is free")
	flags.IntVar(&k.atOnce, "at-once", 256, "`NUMBER` of requests that are answered at once; more of them wait")
	addChoice(command, &k.log, "log", "how requests are logged on stderr")
	return command
}

// shutdownTime is how long requests that have begun may take after an interrupt.
const shutdownTime = 15 * time.Second

func (k *serve) run(command *cobra.Command, _ []string) error {
	if err := k.usage(command); err != nil {
		return err
	}
	handler, err := k.handler()
	if err != nil {
		return k.console.fail(err)
	}
	listener, err := net.Listen("tcp", k.address)
	if err != nil {
		return usage(command, "--address %s: %w; accepted: HOST:PORT such as 127.0.0.1:8080", quoted(k.address), err)
	}
	lines := newLogBuffer(k.console.err)
	defer lines.Close()
	s := newServer(k.logger(lines), k.atOnce)
	s.replace(handler)
	server := s.http()

	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)

	for _, line := range k.served("http://" + listener.Addr().String()) {
		k.console.say("boxrules: %s", line)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	for {
		select {
		case err := <-ended:
			return k.console.fail(err)
		case <-reload:
			k.reload(s)
		case <-stop.Done():
			cancel() // a second interrupt ends at once
			finish, release := context.WithTimeout(context.Background(), shutdownTime)
			defer release()
			if err := s.shutdown(finish, server); err != nil {
				return k.console.fail(fmt.Errorf("some requests did not end: %w", err))
			}
			if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
				return k.console.fail(err)
			}
			return nil
		}
	}
}

// usage says what is wrong with the flags together.
func (k *serve) usage(command *cobra.Command) error {
	switch {
	case !k.demo && !k.preflight && !k.sandbox:
		return usage(command, "nothing to serve; accepted: --demo, --preflight or --sandbox")
	case k.preflight && k.sandbox:
		return usage(command, "both --preflight and --sandbox are given, which answer the same requests; accepted: one of them")
	case k.upstream != "" && !k.preflight:
		return usage(command, "--upstream is given without --preflight")
	case k.passUnknown && !k.preflight:
		return usage(command, "--pass-unknown is given without --preflight")
	case command.Flags().Changed("fixtures") && !k.sandbox:
		return usage(command, "--fixtures is given without --sandbox")
	case k.faults && !k.sandbox:
		return usage(command, "--faults is given without --sandbox")
	case k.atOnce < 1:
		return usage(command, "--at-once %d is no number of requests; accepted: 1 or more", k.atOnce)
	}
	if _, err := boxrules.ParseDimension("gap", k.gap); err != nil {
		return usage(command, "--%w", err)
	}
	if _, err := k.service(); err != nil {
		return usage(command, "--upstream %s: %w; accepted: an address such as https://api.example.com", quoted(k.upstream), err)
	}
	return nil
}

// service is the address of the service, nil where there is none.
func (k *serve) service() (*url.URL, error) {
	if k.upstream == "" {
		return nil, nil
	}
	address, err := url.Parse(k.upstream)
	switch {
	case err != nil:
		return nil, errors.New("no URL")
	case address.Scheme != "http" && address.Scheme != "https" || address.Host == "":
		return nil, errors.New("neither http nor https")
	case address.RawQuery != "" || address.Fragment != "":
		return nil, errors.New("it has a query or a fragment")
	}
	return address, nil
}

// served says what is where.
func (k *serve) served(base string) []string {
	var lines []string
	if k.demo {
		lines = append(lines, "the demo is at "+base+"/demo/")
	}
	if k.preflight {
		lines = append(lines, "the pre-flight check is at "+base+"/v1/reseller/")
	}
	if k.sandbox {
		lines = append(lines, "the sandbox is at "+base+"/v1/")
	}
	return lines
}

// reload makes the handler anew from the files; where that fails, the old one stays.
func (k *serve) reload(s *server) {
	handler, err := k.handler()
	if err != nil {
		_ = k.console.fail(err)
		k.console.say("boxrules: the files were not loaded again; what was loaded before stays in force")
		return
	}
	s.replace(handler)
	k.console.say("boxrules: the files were loaded again")
}

// handler is all that is to be served, of the files as they are now.
func (k *serve) handler() (http.Handler, error) {
	engine, err := k.sources.engine()
	if err != nil {
		return nil, err
	}
	gap, err := boxrules.ParseDimension("gap", k.gap)
	if err != nil {
		return nil, err
	}
	options := preflight.Options{Gap: gap, PassUnknown: k.passUnknown}
	mux := http.NewServeMux()
	if k.demo {
		pages, err := newDemo(engine)
		if err != nil {
			return nil, err
		}
		mux.Handle("/", pages)
	}
	var api http.Handler
	switch {
	case k.preflight:
		api, err = k.newPreflight(engine, options)
	case k.sandbox:
		api, err = k.newSandbox(engine, options)
	default:
		return mux, nil
	}
	if err != nil {
		return nil, err
	}
	if !k.demo {
		return api, nil
	}
	mux.Handle("/v1/", api)
	return mux, nil
}

func (k *serve) newPreflight(e *boxrules.Engine, options preflight.Options) (http.Handler, error) {
	checker, err := preflight.New(e, options)
	if err != nil {
		return nil, err
	}
	service, err := k.service()
	if err != nil || service == nil {
		return checker.Handler(), err
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(service)
			r.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			k.console.say("boxrules: the service at %s does not answer: %v", service.Host, err)
			preflight.WriteError(w, r, boxrules.InternalServerError, http.StatusBadGateway, "the service does not answer")
		},
	}
	return checker.Middleware(proxy), nil
}

func (k *serve) newSandbox(e *boxrules.Engine, options preflight.Options) (http.Handler, error) {
	o := sandbox.Options{Preflight: options, Faults: k.faults}
	if id := k.console.getenv("BOXRULES_CLIENT_ID"); id != "" {
		o.SandboxCredentials = sandbox.Credentials{ID: id, Secret: k.console.getenv("BOXRULES_CLIENT_SECRET")}
	}
	if k.fixtures != "" {
		o.Fixtures = os.DirFS(k.fixtures)
	}
	return sandbox.New(e, o)
}

func (k *serve) logger(to io.Writer) *slog.Logger {
	switch k.log.value {
	case "json":
		return slog.New(slog.NewJSONHandler(to, nil))
	case "off":
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(to, nil))
}
