package main

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what Prometheus is told of a server; docs/preflight.md says what counts.
type metrics struct {
	registry           *prometheus.Registry
	requests           *prometheus.CounterVec // by path, outcome and code
	disagreements      prometheus.Counter
	decision, upstream prometheus.Histogram
	inFlight, waiting  prometheus.Gauge
	loaded             loaded
}

// newMetrics has every series but those of codes from the start: a rate does not see the first of what was not there.
func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "boxrules_requests_total",
			Help: "Requests of the interface, by path, outcome, and code of the refused ones."}, []string{"path", "outcome", "code"}),
		disagreements: prometheus.NewCounter(prometheus.CounterOpts{Name: "boxrules_disagreements_total",
			Help: "Dielines and quotations that were passed on and that the service decided otherwise than the limits."}),
		decision: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "boxrules_decision_seconds",
			Help: "Time to decide a dieline or a quotation, with its explanation where it is refused.",
			// A request that passes takes microseconds, an explanation milliseconds.
			Buckets: []float64{1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.1, 0.5}}),
		upstream: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "boxrules_upstream_seconds",
			Help:    "Time from passing a request on until the answer begins, or until there is none.",
			Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "boxrules_requests_in_flight",
			Help: "Requests that have begun and are not answered, the waiting ones included."}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{Name: "boxrules_requests_waiting",
			Help: "Requests that wait for their turn, of which --at-once has so many."}),
	}
	m.loaded.Store(new(loading))
	for _, path := range documentedPaths {
		for _, outcome := range []string{malformed, passed, upstreamFailed, abandoned} {
			m.requests.WithLabelValues(path, outcome, "")
		}
	}
	m.registry.MustRegister(m.requests, m.disagreements, m.decision, m.upstream, m.inFlight, m.waiting, &m.loaded,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// count counts a request that has ended, where it is one of the interface.
func (m *metrics) count(e *entry) {
	if e.path == "" {
		return
	}
	code := ""
	if e.outcome == refused {
		code = string(e.code)
	}
	m.requests.WithLabelValues(e.path, e.outcome, code).Inc()
	if e.decision > 0 && (e.path == dielinePath || e.path == quotationPath) {
		m.decision.Observe(e.decision.Seconds())
	}
	if e.upstream > 0 {
		m.upstream.Observe(e.upstream.Seconds())
	}
}

// server answers GET /metrics, and nothing else.
func (m *metrics) server(p patience) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return &http.Server{Handler: mux, ReadTimeout: p.request, WriteTimeout: p.answer, IdleTimeout: p.idle}
}

// A loading is of a rule and a limit file.
type loading struct {
	hash   string // SHA-256 of the limit file, as sha256sum has it
	at     time.Time
	failed bool // so has the last one after it
}

// loaded is the last load that has not failed; as a prometheus.Collector it is seen whole.
type loaded struct{ atomic.Pointer[loading] }

// fail notes that files were to be loaded again and could not be.
func (l *loaded) fail() {
	last := *l.Load()
	last.failed = true
	l.Store(&last)
}

var (
	loadedInfo   = prometheus.NewDesc("boxrules_limits_info", "The limits that are in force: SHA-256 of their file.", []string{"hash"}, nil)
	loadedAt     = prometheus.NewDesc("boxrules_limits_loaded_timestamp_seconds", "When the limits that are in force were loaded.", nil, nil)
	reloadFailed = prometheus.NewDesc("boxrules_last_reload_failed",
		"1 where the last SIGHUP found files that are wrong, and those from before stay in force.", nil, nil)
)

// Describe and Collect are those of prometheus.Collector.
func (l *loaded) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(l, to) }

func (l *loaded) Collect(to chan<- prometheus.Metric) {
	last := l.Load()
	failed := 0.0
	if last.failed {
		failed = 1
	}
	to <- prometheus.MustNewConstMetric(loadedInfo, prometheus.GaugeValue, 1, last.hash)
	to <- prometheus.MustNewConstMetric(loadedAt, prometheus.GaugeValue, float64(last.at.Unix()))
	to <- prometheus.MustNewConstMetric(reloadFailed, prometheus.GaugeValue, failed)
}

// serveMetrics answers Prometheus on a port of its own, until the server that it gives is closed.
func (k *serve) serveMetrics() (*http.Server, error) {
	listener, err := listen(k.metrics)
	if err != nil {
		return nil, err
	}
	server := k.server.metrics.server(k.server.patience)
	server.ErrorLog = k.server.errorLog(context.Background())
	k.console.say("boxrules: metrics are at http://%s/metrics", listener.Addr())
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			_ = k.console.fail(err)
		}
	}()
	return server, nil
}
