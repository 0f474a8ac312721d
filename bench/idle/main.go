// Command idle is an HTTP server that answers every request with a fixed response. scripts/load measures it as a
// baseline, to find out how much of the time is spent in net/http itself.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Fprintf(os.Stderr, "idle is at http://%s/\n", listener.Addr())
		err = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
		}))
	}
	fmt.Fprintln(os.Stderr, "idle:", err)
	os.Exit(1)
}
