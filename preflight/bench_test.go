package preflight_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/boxrules/preflight"
)

// BenchmarkPassed measures a box that passes Middleware and the Transport behind it.
func BenchmarkPassed(b *testing.B) {
	checker := newChecker(b, preflight.Options{})
	transport := &preflight.Transport{Checker: checker, Base: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	})}
	handler := checker.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := transport.RoundTrip(r); err != nil {
			b.Error(err)
		}
	}))
	for name, target := range map[string]string{
		"dieline":   dielinePath + "?" + goodQuery,
		"quotation": quotationPath + "?" + quotationQuery(b, good, good, good),
	} {
		b.Run(name, func(b *testing.B) {
			r := request(b, "GET", target)
			r.Header.Set("Authorization", "Bearer x")
			r.Header.Set("Accept", "application/json")
			r.Header.Set("User-Agent", "test")
			w := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				handler.ServeHTTP(w, r)
			}
		})
	}
}
