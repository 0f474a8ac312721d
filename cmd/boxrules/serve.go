package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/sidecar"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/sandbox"
)

// serveCommand runs an HTTP server for the demo, the pre-flight check or the sandbox.
type serveCommand struct {
	*sources
	options  sidecar.Options
	upstream string
	address  string
	metrics  string // the address on which metrics are served
	log      choice

	serviceUnit choice

	hangups chan os.Signal // receives hangups; set by tests, and otherwise by notifySignals
}

func newServe(s *sources) *cobra.Command {
	c := &serveCommand{sources: s}
	c.options.Limits = sidecar.DefaultServerLimits()
	return c.command()
}

func (c *serveCommand) command() *cobra.Command {
	c.options.Checks.ValidationCodes = make(map[string]boxrules.Code)
	c.serviceUnit = newServiceUnitFlag()
	c.log = choice{value: "text", accepted: []string{"text", "json", "off"}}
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the demo, the pre-flight check or the sandbox over HTTP",
		Long: `serve answers HTTP requests until it is interrupted. It listens on this machine only, unless --address says otherwise.

--demo serves a web page for trying out the rules and limits. --preflight answers dieline and quotation requests with
the documented error if the service would refuse them. It forwards all other requests to --upstream. If that flag is not
given, it answers dieline and quotation requests that are not refused with 204, and all other requests with 404.

--sandbox, used instead of --preflight, imitates the whole documented interface offline, so that you can test clients.
It accepts the client ID sandbox-client with the secret sandbox-secret, unless BOXRULES_CLIENT_ID and
BOXRULES_CLIENT_SECRET are set.

--record saves the answers of --upstream for learn and audit. --dry-run refuses no request, but logs each request for
which the service's decision differs. --sample forwards a share of the requests that would be refused, so that you
notice if the service has loosened its limits. --metrics serves Prometheus metrics at /metrics, on a separate port.

/healthz and /readyz are always served. On SIGHUP, the server reads the rule and limit files again and reopens the
--record file. If a file has an error, the server reports it and keeps using the old files. On SIGINT or SIGTERM, the
server keeps serving for the time of --drain, finishes the requests that have begun, and then exits.

Exit status: 0 after an interrupt, 2 if the server failed.`,
		Example: `  boxrules serve --demo
  boxrules serve --preflight --limits limits.yaml --upstream https://api.example.com
  boxrules serve --sandbox --fixtures recorded/`,
		Args: flagsOnly("use --demo, --preflight or --sandbox"),
		RunE: c.run,
	}
	limits, flags := &c.options.Limits, command.Flags()
	flags.SortFlags = false
	flags.BoolVar(&c.options.Demo, "demo", false, "serve the demo page")
	flags.BoolVar(&c.options.Preflight, "preflight", false, "refuse requests that the service would refuse, and forward the others to --upstream")
	flags.StringVar(&c.upstream, "upstream", "", "`URL` of the service to which --preflight forwards requests")
	flags.Bool("illustrative", false,
		"use the illustrative limits with --upstream, although they refuse boxes that the service accepts")
	flags.DurationVar(&limits.Service, "upstream-time", limits.Service,
		"maximum `TIME` that a request to the service may take, including its body and the answer")
	flags.Func("trusted-proxy", "`NETWORK` of trusted proxies whose X-Forwarded headers are forwarded to the service", c.trustProxies)
	flags.StringVar(&c.options.Record, "record", "",
		"append the service's answers to this `FILE` (.ndjson), for learn and audit")
	flags.BoolVar(&c.options.DryRun, "dry-run", false, "refuse nothing, but log requests for which the service's decision differs")
	addDecimal(flags, &c.options.Checks.Sample, "sample", 0,
		"share of refused requests to forward anyway, a `NUMBER` such as 0.01, to notice if the service loosens its limits")
	flags.BoolVar(&c.options.Checks.PassUnknown, "pass-unknown", false,
		"let --preflight accept articles and materials that are not in the limits")
	flags.Func("validation-codes",
		"the service's codes for invalid fields, as `FIELD=CODE,...`, such as width=DLN_1102", c.addCodes)
	command.Flags().Var(&c.serviceUnit, "service-unit", "unit of the dimensions in requests")
	addDecimal(flags, &c.options.Checks.Gap, "gap", 0, "minimum distance between blanks on a sheet, a `NUMBER` in the unit of the limits")
	flags.BoolVar(&c.options.Sandbox, "sandbox", false, "imitate the whole interface of the service, offline")
	flags.StringVar(&c.options.Fixtures, "fixtures", "", "`FOLDER` of recorded answers for --sandbox")
	flags.BoolVar(&c.options.Faults, "faults", false,
		"let requests to --sandbox simulate faults with the header "+sandbox.FaultHeader)
	flags.StringVar(&c.address, "address", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 means any free port")
	flags.StringVar(&c.metrics, "metrics", "", "`HOST:PORT` to serve metrics on, such as 127.0.0.1:8081")
	flags.IntVar(&limits.MaxConcurrent, "max-concurrent", limits.MaxConcurrent,
		"maximum `NUMBER` of requests that are forwarded at the same time; others wait")
	flags.IntVar(&limits.MaxConnections, "max-connections", limits.MaxConnections,
		"maximum `NUMBER` of open connections; beyond that, a new connection replaces an idle one")
	flags.DurationVar(&c.options.Drain, "drain", 0,
		"`TIME` to keep serving after an interrupt while /readyz answers 503, such as 5s")
	command.Flags().Var(&c.log, "log", "how to log requests on stderr; off does not log requests, only warnings")
	return command
}

// addCodes parses the value of --validation-codes, which lists one or more fields, each with the code that the
// service reports if the field is invalid.
func (c *serveCommand) addCodes(text string) error {
	for entry := range strings.SplitSeq(text, ",") {
		field, code, ok := strings.Cut(entry, "=")
		if !ok {
			return errors.New("accepted: FIELD=CODE,..., such as width=DLN_1102")
		}
		c.options.Checks.ValidationCodes[field] = boxrules.Code(code)
	}
	return nil
}

// trustProxies parses the value of --trusted-proxy: the networks or addresses of trusted proxies, separated by commas.
func (c *serveCommand) trustProxies(text string) error {
	for network := range strings.SplitSeq(text, ",") {
		proxy, err := netip.ParsePrefix(network)
		if address, addressErr := netip.ParseAddr(network); addressErr == nil {
			proxy, err = address.Prefix(address.BitLen())
		}
		if err != nil || proxy != proxy.Masked() {
			return errors.New("accepted: networks such as 10.0.0.0/8 or fd00::/8, or addresses")
		}
		c.options.Trusted = append(c.options.Trusted, proxy)
	}
	return nil
}

// documentedPrefix matches the end of a URL path that already contains the beginning of a documented path, such as
// /v1/reseller.
var documentedPrefix = regexp.MustCompile(`/v1(/reseller(/dieline|/quotation)?)?/*$`)

func (c *serveCommand) run(command *cobra.Command, _ []string) (err error) {
	logger := sidecar.NewLogger(c.console.Err, c.log.value)
	if c.log.value == "json" {
		c.console.Log = logger
	}
	if err := c.checkFlags(command); err != nil {
		return err
	}
	o := c.options
	if flagGiven(command, "service-unit") {
		o.Checks.ServiceUnit = c.serviceUnit.value
	}
	if command.Flags().Changed("upstream") {
		if o.Upstream, err = parseAddressFlag("upstream", c.upstream); err != nil {
			return err
		}
		if prefix := documentedPrefix.FindString(o.Upstream.EscapedPath()); prefix != "" {
			return fmt.Errorf("--upstream ends in %s, but the path of each request already begins with it: "+
				"the service would be asked for %[1]s/v1/reseller/dieline; leave that part out", strings.TrimRight(prefix, "/"))
		}
	}
	if id := c.console.Getenv("BOXRULES_CLIENT_ID"); id != "" {
		o.Credentials = sandbox.Credentials{ID: id, Secret: c.console.Getenv("BOXRULES_CLIENT_SECRET")}
	}
	o.Log, o.Load, o.Console = logger, c.load, c.console
	// net/http's client writes its warnings to the standard logger of package log.
	log.SetFlags(0)
	log.SetOutput(sidecar.Warnings(logger).Writer())

	stop, hangups := c.notifySignals(command)
	s, err := sidecar.New(o)
	if err != nil {
		return c.console.Fail(err)
	}
	listener, err := listen(c.address)
	if err != nil {
		return fmt.Errorf("--address %s: %w; use HOST:PORT with a free port, such as 127.0.0.1:8080",
			wording.Quote(c.address), err)
	}
	defer listener.Close()
	if o.Upstream != nil && serviceLeadsBack(o.Upstream, listener.Addr()) {
		return fmt.Errorf("--upstream %s leads back to --address %s; give the address of the printing service",
			wording.Quote(o.Upstream.Host), wording.Quote(c.address))
	}
	var prometheus net.Listener
	if command.Flags().Changed("metrics") {
		if prometheus, err = listen(c.metrics); err != nil {
			return fmt.Errorf("--metrics %s: %w; use HOST:PORT with a free port, such as 127.0.0.1:8081",
				wording.Quote(c.metrics), err)
		}
		defer prometheus.Close()
		c.console.Say("boxrules: metrics are at http://%s/metrics", prometheus.Addr())
	}
	for _, part := range []struct {
		served     bool
		name, path string
	}{{o.Demo, "demo", "/demo/"}, {o.Preflight, "pre-flight check", "/v1/reseller/"}, {o.Sandbox, "sandbox", "/v1/"}} {
		if part.served {
			c.console.Say("boxrules: the %s is at http://%s%s", part.name, listener.Addr(), part.path)
		}
	}
	if err := s.Serve(stop, listener, prometheus, hangups); err != nil {
		return c.console.Fail(err)
	}
	return nil
}

// load compiles the current contents of the files. It returns an error if a file is a pipe, because reading a pipe
// could block.
func (c *serveCommand) load() (*boxrules.Engine, sidecar.Hashes, error) {
	files := *c.sources
	files.rules.mustBeRegular, files.limits.mustBeRegular = true, true
	engine, err := files.engine()
	hashes := sidecar.Hashes{Rules: "documented", Limits: console.FileHash(limits.IllustrativeYAML())}
	if files.rules.isGiven {
		hashes.Rules = files.rules.hash
	}
	if files.limits.isGiven {
		hashes.Limits = files.limits.hash
	}
	return engine, hashes, err
}

// serviceLeadsBack reports whether the URL of the service clearly leads back to the address on which this server
// listens. It does not resolve host names.
func serviceLeadsBack(service *url.URL, listening net.Addr) bool {
	own, err := netip.ParseAddrPort(listening.String())
	port := cmp.Or(service.Port(), map[string]string{"http": "80", "https": "443"}[service.Scheme])
	if err != nil || port != fmt.Sprint(own.Port()) {
		return false
	}
	address, err := netip.ParseAddr(service.Hostname())
	if service.Hostname() == "localhost" {
		address, err = netip.IPv6Unspecified(), nil
	}
	if err != nil {
		return false
	}
	ours := own.Addr().Unmap()
	switch address = address.Unmap(); {
	case address == ours:
		return true
	case address.IsUnspecified(): // a connection to the unspecified address goes to the loopback interface
		return ours.IsLoopback() || ours.IsUnspecified()
	case ours.IsUnspecified():
		all, _ := net.InterfaceAddrs()
		return address.IsLoopback() || slices.ContainsFunc(all, func(a net.Addr) bool {
			network, err := netip.ParsePrefix(a.String())
			return err == nil && network.Addr().Unmap() == address
		})
	}
	return false
}

// notifySignals returns a context that is cancelled by an interrupt, and a channel that receives hangup signals. A
// second interrupt kills the process.
func (c *serveCommand) notifySignals(command *cobra.Command) (stop context.Context, hangups <-chan os.Signal) {
	if c.hangups == nil {
		c.hangups = make(chan os.Signal, 1)
		signal.Notify(c.hangups, syscall.SIGHUP)
	}
	interrupted, release := signal.NotifyContext(command.Context(), os.Interrupt, syscall.SIGTERM)
	stop, end := context.WithCancel(context.Background())
	context.AfterFunc(interrupted, func() {
		// The next interrupt must kill the process as soon as stop is cancelled, so call release first.
		release()
		end()
	})
	return stop, c.hangups
}

// listen is like net.Listen, but returns an error for an empty address, which usually comes from an unset shell
// variable. For an empty address, net.Listen would listen on a random port on all interfaces.
func listen(address string) (net.Listener, error) {
	if address == "" {
		return nil, errors.New("no address")
	}
	return net.Listen("tcp", address)
}

// checkFlags returns an error if a flag has an invalid value, or if the flags cannot be combined.
func (c *serveCommand) checkFlags(command *cobra.Command) error {
	if err := checkFlagRelations(command); err != nil {
		return err
	}
	switch {
	case !c.options.Demo && !c.options.Preflight && !c.options.Sandbox:
		return errors.New("nothing to serve; give --demo, --preflight or --sandbox")
	case c.upstream != "" && !c.limits.isGiven && !flagGiven(command, "illustrative"):
		return fmt.Errorf("--upstream is given without --limits, but the illustrative limits would refuse boxes that the service accepts; " +
			"give --limits FILE, or --illustrative to try it out")
	case flagGiven(command, "record") && c.options.Record == "":
		return errors.New("--record is empty; name a file")
	case flagGiven(command, "fixtures") && c.options.Fixtures == "":
		return errors.New("--fixtures is empty; name a folder")
	case c.options.Limits.Service <= 0:
		return fmt.Errorf("--upstream-time %v is too short; accepted: more than 0, such as 30s",
			c.options.Limits.Service)
	case c.options.Drain < 0:
		return fmt.Errorf("--drain %v is negative; accepted: 0 or more, such as 5s", c.options.Drain)
	case c.options.Limits.MaxConcurrent < 1:
		return fmt.Errorf("--max-concurrent %d is not a number of requests; accepted: 1 or more",
			c.options.Limits.MaxConcurrent)
	case c.options.Limits.MaxConnections < 1:
		return fmt.Errorf("--max-connections %d is not a number of connections; accepted: 1 or more",
			c.options.Limits.MaxConnections)
	case c.options.Sandbox && c.console.Getenv("BOXRULES_CLIENT_ID") == "" &&
		c.console.Getenv("BOXRULES_CLIENT_SECRET") != "":
		return errors.New("BOXRULES_CLIENT_SECRET is set without BOXRULES_CLIENT_ID; set both or neither")
	}
	return checkRecordFlag(c.options.Record)
}
