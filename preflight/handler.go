package preflight

import (
	"context"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/boxrules"
)

// Middleware returns a handler that answers documented requests that [Checker.Check] refuses, and passes all
// other requests unchanged to next. The answer is the documented error body. If the request's Accept header
// names application/problem+json, the answer is a problem details object of RFC 9457, which contains more
// information; see [Problem].
//
// If next forwards the request through a [Transport] of the same [Checker], the Transport does not judge
// the request again: it finds the decision in the request's context.
func (c *Checker) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch j := c.judgeRequest(r); {
		case j == nil: // not a documented request
			next.ServeHTTP(w, r)
		case j.passes(): // pass the decision on to a Transport of the same Checker
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), judgementKey{}, j)))
		default:
			j.certain.write(w, r)
		}
	})
}

// Handler returns a handler that says whether documented requests would succeed. If the service would refuse
// the request, the handler gives the same answer as [Checker.Middleware]. Otherwise the answer has the status
// 204. Requests that are not documented are answered with 404.
func (c *Checker) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch j := c.judgeRequest(r); {
		case j == nil:
			WriteError(w, r, boxrules.TypeNotFound, http.StatusNotFound, messages[boxrules.TypeNotFound])
		case j.certain == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			j.certain.write(w, r)
		}
	})
}

// WriteError answers a request with the documented error body (section 7.1), which names no element of the request.
// It panics if w or r is nil.
func WriteError(w http.ResponseWriter, r *http.Request, code boxrules.ErrorType, status int, message string) {
	writeResponse(w, "application/json", status, newRefusalBody(r, code, status, message).JSON())
}

func writeResponse(w http.ResponseWriter, contentType string, status int, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has gone
}

// wantsProblem reports whether the values of an Accept header ask for problem details. A quality of 0 means
// that they do not.
func wantsProblem(accept []string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(accept, ","), ","), func(entry string) bool {
		// The type is wanted if q is missing or not a number.
		mediaType, parameters, _ := mime.ParseMediaType(entry)
		quality, err := strconv.ParseFloat(parameters["q"], 64)
		return mediaType == "application/problem+json" && (err != nil || quality > 0) // q=0 means "not this"
	})
}
