package preflight

import (
	"context"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictjson"
)

// Middleware answers documented requests that [Checker.Check] refuses, and hands all others to next
// as they came. The answer is the documented error body, or problem details of RFC 9457 with
// everything that there is to say, where the request names application/problem+json in Accept, with
// any quality but 0. What next is given has the judgement in its context, for a [Transport] of the
// same [Checker].
func (c *Checker) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch j := c.decide(r); {
		case j == nil:
			next.ServeHTTP(w, r)
		case j.passes:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), judged{}, j)))
		default:
			j.refusal.write(w, r)
		}
	})
}

// Handler answers documented requests: as [Checker.Middleware] does where the service would refuse
// them, and with the status 204 and nothing else where it would not. Everything else is not found.
func (c *Checker) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch j := c.decide(r); {
		case j == nil:
			WriteError(w, r, boxrules.TypeNotFound, http.StatusNotFound, messages[boxrules.TypeNotFound])
		case j.refusal == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			j.refusal.write(w, r)
		}
	})
}

// WriteError answers with the documented error body, without an element (section 7.1). It
// panics if w or r is nil.
func WriteError(w http.ResponseWriter, r *http.Request, code boxrules.ErrorType, status int, message string) {
	send(w, "application/json", status, NewBody(r, code, status, message).JSON())
}

// write answers with the refusal.
func (r *Refusal) write(w http.ResponseWriter, request *http.Request) {
	w.Header().Add("Vary", "Accept")
	w.Header().Set(Header, "refused")
	if wantsProblem(request.Header.Values("Accept")) {
		send(w, "application/problem+json", http.StatusBadRequest, strictjson.Marshal(r.Problem(request)))
		return
	}
	send(w, "application/json", http.StatusBadRequest, r.Body(request).JSON())
}

func send(w http.ResponseWriter, kind string, status int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // who has gone needs no answer
}

// wantsProblem reports whether the client names problem details among what it accepts.
func wantsProblem(accept []string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(accept, ","), ","), func(entry string) bool {
		kind, parameters, _ := mime.ParseMediaType(entry)
		quality, err := strconv.ParseFloat(parameters["q"], 64)
		return kind == "application/problem+json" && (err != nil || quality > 0) // q=0 means: not this
	})
}
