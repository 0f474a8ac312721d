package preflight

import (
	"cmp"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

// Middleware answers requests that [Checker.Check] refuses, and hands all others to next: as they are, but for an upgrade of the
// connection, which is left out, and for decimals of a dimension beyond those that were judged. The answer is the
// documented error body, or problem details of RFC 9457 with everything that there is to say, where the request
// names application/problem+json in Accept, at no lower weight than application/json. A [Transport] of the same [Checker] that sends what
// next is given knows which requests are let through as a sample.
func (c *Checker) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		send, refusal := c.decide(r)
		if send == nil {
			refusal.write(w, r)
			return
		}
		next.ServeHTTP(w, send)
	})
}

// Handler answers dieline and quotation requests: as [Checker.Middleware] does where the service would refuse them, and
// with the status 204 and nothing else where it would not. Everything else is not found.
func (c *Checker) Handler() http.Handler {
	all := *c
	all.options.Sample = 0 // there is nobody to ask
	return all.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if resourceOf(r.URL.EscapedPath()) != "" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		WriteError(w, r, boxrules.NotFound, http.StatusNotFound, messages[boxrules.NotFound])
	}))
}

// WriteError answers with the documented error body, without an element (section 7.1).
func WriteError(w http.ResponseWriter, r *http.Request, code boxrules.ErrorType, status int, message string) {
	send(w, "application/json", status, NewBody(r, code, status, message).JSON())
}

// write answers with the refusal.
func (r *Refusal) write(w http.ResponseWriter, request *http.Request) {
	w.Header().Add("Vary", "Accept")
	maps.Copy(w.Header(), r.header())
	if wantsProblem(request.Header.Values("Accept")) {
		send(w, "application/problem+json", r.status(), strictjson.Marshal(r.Problem(request)))
		return
	}
	send(w, "application/json", r.status(), r.Body(request).JSON())
}

// header is what tells a refusal from an answer of the service, and which methods the path has.
func (r *Refusal) header() http.Header {
	h := http.Header{Header: {"refused"}}
	if r.allow != "" {
		h.Set("Allow", r.allow)
	}
	return h
}

func send(w http.ResponseWriter, kind string, status int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who has gone needs no answer
}

// wantsProblem reports whether the client would rather have problem details than the documented body: it names
// them, with a weight that is not zero and not below the one it gives to application/json by name.
func wantsProblem(accept []string) bool {
	problem, documented := 0.0, 0.0
	for _, entry := range strings.Split(strings.Join(accept, ","), ",") {
		kind, parameters, err := mime.ParseMediaType(entry)
		weight, badWeight := strconv.ParseFloat(cmp.Or(parameters["q"], "1"), 64)
		if err != nil || badWeight != nil || !(weight >= 0 && weight <= 1) {
			weight = 0
		}
		switch kind {
		case "application/problem+json":
			problem = weight
		case "application/json":
			documented = weight
		}
	}
	return problem > 0 && problem >= documented
}
