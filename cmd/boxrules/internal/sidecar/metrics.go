package sidecar

import (
	"net/http"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"example.com/boxrules"
	"example.com/boxrules/internal/endpoint"
)

// metrics holds the metrics for Prometheus. docs/preflight.md lists them.
type metrics struct {
	registry           *prometheus.Registry
	requests           *prometheus.CounterVec // by path, outcome and code
	disagreements      prometheus.Counter
	dropped            prometheus.Counter // the number of answers that were not recorded
	decision, upstream prometheus.Histogram
	inFlight, waiting  prometheus.Gauge
	loadedAt           prometheus.Gauge
	limitsInfo         *prometheus.GaugeVec // by hash
	rulesInfo          *prometheus.GaugeVec // by hash
	reloadFailed       atomic.Bool
}

// newMetrics creates the metrics. Every series exists from the start with the value 0, except for the series that have
// a code as a label. If a series first appeared with the value 1, the rate() function of Prometheus would miss the
// first count.
func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "boxrules_requests_total",
			Help: "Requests to the interface by path and outcome, and by code if they were refused."},
			[]string{"path", "outcome", "code"}),
		disagreements: prometheus.NewCounter(prometheus.CounterOpts{Name: "boxrules_disagreements_total",
			Help: "Forwarded dieline and quotation requests about which the service and the limits disagreed."}),
		dropped: prometheus.NewCounter(prometheus.CounterOpts{Name: "boxrules_record_dropped_total",
			Help: "Answers of the service that could not be written to the --record file."}),
		decision: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "boxrules_decision_seconds",
			Help: "Time to decide a dieline or quotation request, and to explain a refusal.",
			// A request that passes takes microseconds, an explanation milliseconds.
			Buckets: []float64{1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4,
				1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.1, 0.5}}),
		upstream: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "boxrules_upstream_seconds",
			Help:    "Time from forwarding a request until its answer begins or fails.",
			Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "boxrules_requests_in_flight",
			Help: "Requests that are not yet fully answered, including those that are waiting."}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{Name: "boxrules_requests_waiting",
			Help: "Requests that are waiting because --max-concurrent others are in progress."}),
		loadedAt: prometheus.NewGauge(prometheus.GaugeOpts{Name: "boxrules_limits_loaded_timestamp_seconds",
			Help: "When the limits now in use were loaded."}),
		limitsInfo: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "boxrules_limits_info",
			Help: "The limits now in use: SHA-256 of their file."}, []string{"hash"}),
		rulesInfo: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "boxrules_rules_info",
			Help: "The rules now in use: SHA-256 of their file, or documented."}, []string{"hash"}),
	}
	failed := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "boxrules_last_reload_failed",
		Help: "1 if the files could not be loaded after the last SIGHUP, so that the previous ones are still in use."},
		func() float64 { return map[bool]float64{true: 1}[m.reloadFailed.Load()] })
	for _, path := range append(endpoint.All, otherPath) {
		for _, outcome := range []string{malformed, passed, borderline, unjudged, upstreamFailed, abandoned} {
			m.requests.WithLabelValues(path, outcome, "")
		}
	}
	m.registry.MustRegister(m.requests, m.disagreements, m.dropped, m.decision, m.upstream, m.inFlight, m.waiting,
		m.loadedAt, m.limitsInfo, m.rulesInfo, failed,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// count counts an API request that has ended.
func (m *metrics) count(e *exchange, outcome string, code boxrules.Code) {
	if e.endpoint == "" {
		return
	}
	if e.upstreamTime > 0 {
		m.upstream.Observe(e.upstreamTime.Seconds())
	}
	if outcome != refused {
		code = "" // only the codes of refusals become labels
	}
	// Increment this counter last, so that every request that it counts is already in the histogram.
	m.requests.WithLabelValues(e.endpoint, outcome, string(code)).Inc()
}

// setLoaded sets the metrics about the files in use: the time when they were loaded, and their hashes.
func (m *metrics) setLoaded(h Hashes) {
	m.loadedAt.SetToCurrentTime()
	// Without Reset, the series for the previous hash would stay, and both files would seem to be in use.
	m.limitsInfo.Reset()
	m.limitsInfo.WithLabelValues(h.Limits).Set(1)
	m.rulesInfo.Reset()
	m.rulesInfo.WithLabelValues(h.Rules).Set(1)
	m.reloadFailed.Store(false)
}

// httpServer returns an HTTP server for GET /metrics.
func (m *metrics) httpServer(l ServerLimits) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return &http.Server{Handler: mux, ReadTimeout: l.Body, WriteTimeout: l.Answer, IdleTimeout: l.Idle,
		MaxHeaderBytes: l.MaxHeader, ConnState: trackConnectionState}
}
