package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
	"example.com/boxrules/sandbox"
)

// serve is the command that answers over HTTP.
type serve struct {
	*sources
	demo         bool
	preflight    bool
	sandbox      bool
	upstream     string
	upstreamTime time.Duration
	proxies      []string
	gap          string
	record       string
	observe      bool
	sample       string
	fixtures     sourceFile
	faults       bool
	address      string
	metrics      string // address
	concurrent   int
	grace        time.Duration
	log          choice

	options   preflight.Options
	server    *server
	transport *http.Transport  // to upstream
	service   *url.URL         // upstream, nil where there is none
	trusted   []netip.Prefix   // proxies
	recorder  *answerRecorder  // nil where answers are not recorded
	offline   *sandbox.Sandbox // kept over reloads, with its tokens
}

func newServe(s *sources) *cobra.Command {
	k := &serve{sources: s, log: choice{value: "text", accepted: []string{"text", "json", "off"}}}
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo, the pre-flight check or the sandbox over HTTP",
		Long: `serve answers over HTTP until it is interrupted, to this machine alone unless --address says otherwise.

--demo is a page on which to try the rules and limits out. --preflight answers dieline and quotation requests:
with the documented error where the service would refuse them, else with 204, or with what the service at
--upstream answers. --sandbox, instead of it, is the whole documented interface, offline, for tests of clients;
its client is sandbox-client with the secret sandbox-secret unless BOXRULES_CLIENT_ID and BOXRULES_CLIENT_SECRET
name another.

With --record the answers of --upstream are kept for learn and audit; --observe only looks on, and --sample lets a share
of refusals through, so that loosened limits are seen.

With --metrics Prometheus is answered at /metrics, on a port of its own.

/healthz and /readyz answer too. SIGHUP reads the rule and limit files again, and opens the record again; where the
files are wrong it says why and goes on with those it has. On SIGINT and SIGTERM the requests that have begun may end.

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
	flags.Bool("illustrative", false, "pass on to --upstream by the illustrative limits, which refuse boxes that the service takes")
	flags.DurationVar(&k.upstreamTime, "upstream-time", 30*time.Second, "`TIME` that a request to the service may take, its body and its answer")
	flags.StringArrayVar(&k.proxies, "trusted-proxy", nil, "`NETWORK` of proxies whose X-Forwarded headers go on to the service")
	flags.StringVar(&k.record, "record", "", "`FILE` (.ndjson) to add what the service answers to, for learn and audit")
	flags.BoolVar(&k.observe, "observe", false, "refuse nothing, and log where the service decides otherwise")
	flags.StringVar(&k.sample, "sample", "0", "share of refusals to let through, a `NUMBER` such as 0.01, to see where limits were loosened")
	flags.BoolVar(&k.options.PassUnknown, "pass-unknown", false, "let --preflight accept articles and materials that the limits do not have")
	k.options.ValidationCodes = make(fieldCodes)
	flags.Var(fieldCodes(k.options.ValidationCodes), "validation-codes", "the service's codes for wrong fields, as `FIELD=CODE,...`, such as width=DLN_1102")
	flags.StringVar(&k.gap, "gap", "0", "least distance between blanks on a sheet, a `NUMBER`")
	flags.BoolVar(&k.sandbox, "sandbox", false, "serve the whole interface, offline")
	flags.Var(&k.fixtures, "fixtures", "`FOLDER` of recorded answers for --sandbox")
	flags.BoolVar(&k.faults, "faults", false, "let requests to --sandbox ask for faults, by the header "+sandbox.FaultHeader)
	flags.StringVar(&k.address, "address", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes any that is free")
	flags.StringVar(&k.metrics, "metrics", "", "`HOST:PORT` to answer Prometheus on, such as 127.0.0.1:8081")
	flags.IntVar(&k.concurrent, "at-once", 256, "`NUMBER` of requests that are answered at once; more of them wait")
	flags.DurationVar(&k.grace, "grace", 0, "`TIME` to go on after an interrupt with /readyz saying no, such as 5s")
	addChoice(command, &k.log, "log", "how requests are logged on stderr")
	return command
}

// fieldCodes are codes by field, as a flag, which may be given for each field once.
type fieldCodes map[string]boxrules.Code

func (c fieldCodes) Set(text string) error {
	for entry := range strings.SplitSeq(text, ",") {
		field, code, ok := strings.Cut(entry, "=")
		if !ok {
			return fmt.Errorf("%s is not a field with its code; accepted: FIELD=CODE,..., such as width=DLN_1102", wording.Quote(entry))
		}
		if _, twice := c[field]; twice {
			return fmt.Errorf("%s is given twice; accepted: one code for a field", wording.Quote(field))
		}
		c[field] = boxrules.Code(code)
	}
	return nil
}

func (c fieldCodes) String() string { return "" }
func (c fieldCodes) Type() string   { return "FIELD=CODE,..." }

// shutdownTime is how long requests that have begun may take after an interrupt, besides what upstream may.
const shutdownTime = 5 * time.Second

func (k *serve) run(command *cobra.Command, _ []string) error {
	logger := k.logger(k.console.err)
	if k.log.value == "json" {
		k.console.log = logger
	}
	if err := k.usage(command); err != nil {
		return err
	}
	var err error
	if k.options.Gap, err = boxrules.ParseDimension("gap", k.gap); err != nil {
		return usage(command, "--%w", err)
	}
	if command.Flags().Changed("upstream") {
		if k.service, err = addressOf(k.upstream); err != nil {
			return usage(command, "--upstream %s: %w; accepted: an address such as https://api.example.com", shownAddress(k.upstream), err)
		}
	}
	if k.options.Sample, err = boxrules.ParseDimension("sample", k.sample); err != nil || k.options.Sample < 0 || k.options.Sample > 1 {
		return usage(command, "--sample %s is not a share; accepted: a number from 0 to 1, such as 0.01", wording.Quote(k.sample))
	}
	if k.trusted, err = proxiesOf(k.proxies); err != nil {
		return usage(command, "--trusted-proxy %w", err)
	}
	k.transport = newTransport(k.concurrent)
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)

	k.server = newServer(logger, usualPatience(k.concurrent))
	// What net/http's client has to say goes to the log of the process.
	log.SetFlags(0)
	log.SetOutput(k.server.errorLog(context.Background()).Writer())
	if k.record != "" {
		k.recorder = &answerRecorder{name: k.record, log: k.server.log, now: k.console.now}
		if err := k.recorder.open(); err != nil {
			return k.console.fail(fmt.Errorf("--record %s: %w", wording.Quote(k.record), cause(err)))
		}
		defer k.recorder.close()
	}
	handler, files, err := k.handler()
	if err != nil {
		return k.console.fail(err)
	}
	listener, err := listen(k.address)
	if err != nil {
		return usage(command, "--address %s: %w; accepted: HOST:PORT such as 127.0.0.1:8080, a port that is free", wording.Quote(k.address), err)
	}
	defer listener.Close()
	k.server.replace(handler, files)
	if command.Flags().Changed("metrics") {
		prometheus, err := k.serveMetrics()
		if err != nil {
			return usage(command, "--metrics %s: %w; accepted: HOST:PORT such as 127.0.0.1:8081, a port that is free", wording.Quote(k.metrics), err)
		}
		defer prometheus.Close()
	}
	server := k.server.http()
	go func() {
		// Apart from the rest: a file on a network may take its time, and an interrupt must not wait for it.
		for range reload {
			k.reload()
			if k.recorder != nil {
				k.recorder.reopen()
			}
		}
	}()

	for _, part := range []struct {
		served     bool
		name, path string
	}{{k.demo, "demo", "/demo/"}, {k.preflight, "pre-flight check", "/v1/reseller/"}, {k.sandbox, "sandbox", "/v1/"}} {
		if part.served {
			k.console.say("boxrules: the %s is at http://%s%s", part.name, listener.Addr(), part.path)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(documented{listener}) }()
	select {
	case err := <-ended:
		return k.console.fail(err)
	case <-stop.Done():
	}
	cancel() // a second interrupt ends at once
	finish, release := context.WithTimeout(context.Background(), shutdownTime+k.upstreamTime+k.grace)
	defer release()
	if err := k.server.shutdown(finish, server, k.grace); err != nil {
		return k.console.fail(fmt.Errorf("some requests did not end: %w", err))
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return k.console.fail(err)
	}
	return nil
}

// listen is net.Listen, but an address that is empty, as of an unset variable of a shell, is not any port of every network.
func listen(address string) (net.Listener, error) {
	if address == "" {
		return nil, errors.New("no address")
	}
	return net.Listen("tcp", address)
}

// usage says what is wrong with the flags together.
func (k *serve) usage(command *cobra.Command) error {
	given := func(flag string) bool {
		f := command.Flag(flag)
		return f.Changed && f.Value.String() != "false"
	}
	for _, flag := range []struct{ name, without string }{
		{"upstream", "preflight"}, {"upstream-time", "upstream"}, {"trusted-proxy", "upstream"}, {"illustrative", "upstream"},
		{"record", "upstream"}, {"observe", "upstream"}, {"sample", "upstream"},
		{"pass-unknown", "preflight"}, {"fixtures", "sandbox"}, {"faults", "sandbox"},
	} {
		if given(flag.name) && !given(flag.without) {
			return usage(command, "--%s is given without --%s", flag.name, flag.without)
		}
	}
	switch {
	case !k.demo && !k.preflight && !k.sandbox:
		return usage(command, "nothing to serve; accepted: --demo, --preflight or --sandbox")
	case k.preflight && k.sandbox:
		return usage(command, "both --preflight and --sandbox are given, which answer the same requests; accepted: one of them")
	case given("validation-codes") && !k.preflight && !k.sandbox:
		return usage(command, "--validation-codes is given without --preflight or --sandbox")
	case given("upstream") && !k.limits.given && !given("illustrative"):
		return usage(command, "--upstream is given without --limits, and the illustrative limits would refuse the service's boxes; "+
			"accepted: --limits FILE, or --illustrative to try it out")
	case given("record") && k.record == "":
		return usage(command, "--record names no file")
	case given("observe") && given("sample"):
		return usage(command, "--sample is given with --observe, which lets everything through")
	case k.grace < 0:
		return usage(command, "--grace %v is not a time to go on; accepted: 0 or more, such as 5s", k.grace)
	case k.upstreamTime <= 0:
		return usage(command, "--upstream-time %v is not a time to wait; accepted: more than 0, such as 30s", k.upstreamTime)
	case k.concurrent < 1:
		return usage(command, "--at-once %d is not a number of requests; accepted: 1 or more", k.concurrent)
	case k.sandbox && k.console.getenv("BOXRULES_CLIENT_ID") == "" && k.console.getenv("BOXRULES_CLIENT_SECRET") != "":
		return usage(command, "BOXRULES_CLIENT_SECRET is set without BOXRULES_CLIENT_ID")
	}
	return nil
}

// reload makes the handler anew from the files; where that fails, the old one stays.
func (k *serve) reload() {
	handler, files, err := k.handler()
	if err != nil {
		k.server.metrics.loaded.fail()
		_ = k.console.fail(err)
		k.console.tell(slog.LevelError, "boxrules: the files were not loaded again; what was loaded before stays in force")
		return
	}
	k.server.replace(handler, files)
	k.console.say("boxrules: the files were loaded again")
}

// handler is all that is to be served, of the files as they are now.
func (k *serve) handler() (http.Handler, loading, error) {
	engine, err := k.engine()
	if err != nil {
		return nil, loading{}, err
	}
	files := loading{hash: k.limits.hash, at: time.Now()}
	if !k.limits.given {
		files.hash = hashOf(limits.IllustrativeYAML())
	}
	h, err := k.content(engine)
	return h, files, err
}

// content is all that is to be served, of the engine.
func (k *serve) content(engine *boxrules.Engine) (http.Handler, error) {
	var pages, api http.Handler
	if k.demo {
		demo, err := newDemo(engine)
		if err != nil {
			return nil, err
		}
		pages = k.server.limit(demo)
	}
	var err error
	switch {
	case k.preflight:
		api, err = k.newPreflight(engine)
	case k.sandbox:
		api, err = k.newSandbox(engine)
	default:
		return pages, nil
	}
	api = ofInterface(api)
	if pages == nil || err != nil {
		return api, err
	}
	return under("/v1/", api, pages), nil
}

func (k *serve) newSandbox(e *boxrules.Engine) (http.Handler, error) {
	o := sandbox.Options{Preflight: k.options, Faults: k.faults}
	if id := k.console.getenv("BOXRULES_CLIENT_ID"); id != "" {
		o.SandboxCredentials = sandbox.Credentials{ID: id, Secret: k.console.getenv("BOXRULES_CLIENT_SECRET")}
	}
	if k.fixtures.given {
		root, err := os.OpenRoot(k.fixtures.name) // which no link leads out of
		if err != nil {
			return nil, fmt.Errorf("--fixtures %s is not a folder", wording.Quote(k.fixtures.name))
		}
		defer root.Close()
		o.Fixtures = root.FS()
	}
	var err error
	if k.offline == nil {
		k.offline, err = sandbox.New(e, o)
	} else {
		err = k.offline.Reload(e, o)
	}
	return k.server.limit(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entryOf(r.Context()).outcome = passed // to the sandbox, which is the service
		k.offline.ServeHTTP(w, r)
	})), err
}

func (k *serve) logger(to io.Writer) *slog.Logger {
	switch k.log.value {
	case "json":
		return slog.New(identified{slog.NewJSONHandler(to, nil)})
	case "off":
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(identified{slog.NewTextHandler(to, nil)})
}
