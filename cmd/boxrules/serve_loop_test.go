package main

import (
	"net"
	"testing"
)

// TestServeOwnAddress says which addresses of a service are refused at the start.
func TestServeOwnAddress(t *testing.T) {
	for _, test := range []struct {
		upstream, listening string
		want                bool
	}{
		{"http://127.0.0.1:8080", "127.0.0.1:8080", true},
		{"http://localhost:8080/base", "127.0.0.1:8080", true},
		{"http://0.0.0.0:8080", "127.0.0.1:8080", true},
		{"http://127.0.0.1:8080", "[::]:8080", true},
		{"http://[::1]:8080", "[::]:8080", true},
		{"http://[::ffff:127.0.0.1]:8080", "127.0.0.1:8080", true},
		{"http://127.0.0.1", "127.0.0.1:80", true},
		{"https://127.0.0.1", "127.0.0.1:443", true},
		{"http://127.0.0.1:8081", "127.0.0.1:8080", false},
		{"http://127.0.0.2:8080", "127.0.0.1:8080", false},
		{"http://192.0.2.1:8080", "[::]:8080", false},
		{"http://api.example.com:8080", "[::]:8080", false},
	} {
		service, err := parseAddressFlag("upstream", test.upstream)
		noError(t, err)
		listening, err := net.ResolveTCPAddr("tcp", test.listening)
		noError(t, err)
		if got := serviceLeadsBack(service, listening); got != test.want {
			t.Errorf("%s leads back to %s: %v, want %v", test.upstream, test.listening, got, test.want)
		}
	}
}
