// Command idle is a server whose answers take no work. scripts/load compares with it to find the cost of
// net/http alone.
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
