// Package preflight answers requests of the documented interface before they are sent, in the
// service's own words: it reads the query of a dieline or quotation request, checks its boxes, and
// refuses with the documented error body what the rules refuse. All that it accepts, and every
// request that is not documented, goes on as it came: it saves a round trip, and is no firewall.
//
// There are three ways in. [Transport] wraps the transport of a client in Go, so that a request
// that cannot succeed never leaves the process. [Checker.Middleware] and [Checker.Handler] stand in
// front of services in any language. A [Checker] is what all of them ask, and who else wants to
// know.
//
// Section numbers in this package are those of docs/interface.md. What that document leaves open is
// decided in docs/interface.md#open-questions.
package preflight
