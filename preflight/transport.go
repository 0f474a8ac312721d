package preflight

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"example.com/boxrules"
)

// A Transport is the transport of a client of the service. A request that Checker.Check refuses never leaves the
// process: the client gets the documented answer, the status 400 or 404 and the error body. Everything else passes
// through as Middleware hands it on, in a clone where anything changes. It is safe for concurrent use where Base is; its
// fields must not be changed once it is in use.
type Transport struct {
	// Checker decides; it is required.
	Checker *Checker
	// Base sends the requests; http.DefaultTransport where it is nil.
	Base http.RoundTripper
	// Observe lets every request pass as it is, and compares the service's answer with the Checker's. Of an answer with the
	// status 400 the body is read first.
	Observe bool
	// OnDisagreement is told where the two differ, of requests that are observed or let through as a sample, in the goroutine
	// of the request and before its answer is returned; nil tells nobody. It may be called by several goroutines at once.
	OnDisagreement func(Disagreement)
	// OnAnswer is told what the service said of every dieline and quotation that was sent, in the same way; nil tells nobody. It is
	// what limits can be learned from.
	OnAnswer func(Answer)
	// Logger is told of disagreements, as a warning, and where an answer with the status 400 is not a documented one;
	// slog.Default() where it is nil.
	Logger *slog.Logger
}

// An Answer is what the service decided about a request. Answers that decide nothing, such as an expired token or a failure, are
// none.
type Answer struct {
	Request *http.Request
	Boxes   []boxrules.Box // of the request; none where it cannot be read
	Theirs  *Refusal       // nil: accepted; has no Item and no Box
}

// A Disagreement is a request that the service decided otherwise than the [Checker]: the limits are out of date, or
// the service has checks that the document does not show.
type Disagreement struct {
	Request *http.Request
	Ours    *Refusal // nil: accepted
	Theirs  *Refusal // nil: accepted; has no Item and no Box
}

// String is the request's boxes, and what was decided about them, in one line.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s %v: ours %s, theirs %s", sentAddress(d.Request.URL).Path, d.Boxes(), d.Ours.short(), d.Theirs.short())
}

// Boxes are the boxes of the request, as far as it can be read.
func (d Disagreement) Boxes() []boxrules.Box { return boxesOf(d.Request) }

func boxesOf(r *http.Request) []boxrules.Box {
	address := sentAddress(r.URL)
	if strings.HasSuffix(address.Path, dielinePath) {
		if dieline, err := ParseDieline(address.RawQuery); err == nil {
			return []boxrules.Box{dieline.Box}
		}
		return nil
	}
	quotation, _ := ParseQuotation(address.RawQuery) // no items where it cannot be read
	var boxes []boxrules.Box
	for _, item := range quotation.Items {
		boxes = append(boxes, item.Box)
	}
	return boxes
}

// RoundTrip is that of http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := cmp.Or(t.Base, http.DefaultTransport)
	if t.Checker == nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, errors.New("preflight.Transport: a Checker is required")
	}
	send, refusal := t.Checker.decide(r)
	switch {
	case t.Observe:
		send = r
	case send == nil:
		return answer(r, refusal)
	}
	response, err := base.RoundTrip(send)
	asked := refusal != nil || resourceOf(sentAddress(r.URL).EscapedPath()) != ""
	if err == nil && asked && (t.Observe || refusal != nil || t.OnAnswer != nil) {
		t.compare(r, refusal, response)
	}
	return response, err
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls; it is Base's.
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: t.Base}).CloseIdleConnections()
}

// Header is set, to "refused", on the refusals of this package, and tells them from the service's own.
const Header = "Boxrules-Preflight"

// answer is the service's answer to a refused request, without asking it.
func answer(r *http.Request, refusal *Refusal) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close() // nothing was to be read
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body, status, header := refusal.Body(r).JSON(), refusal.status(), refusal.header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	response := &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       r,
	}
	if r.Method == http.MethodHead {
		response.Body = http.NoBody
	}
	return response, nil
}

// compare tells of an answer, and of a disagreement. What is no verdict, such as an expired token or a failure, is none.
func (t *Transport) compare(r *http.Request, ours *Refusal, response *http.Response) {
	logger := cmp.Or(t.Logger, slog.Default())
	var theirs *Refusal
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
	case status == http.StatusBadRequest:
		if theirs = readRefusal(response); theirs == nil {
			logger.LogAttrs(r.Context(), slog.LevelWarn, "the service's refusal cannot be read", slog.String("path", sentAddress(r.URL).Path))
			return
		}
	default:
		return
	}
	if t.OnAnswer != nil {
		t.OnAnswer(Answer{r, boxesOf(r), theirs})
	}
	if agree(ours, theirs) || !t.Observe && ours == nil {
		return
	}
	d := Disagreement{r, ours, theirs}
	logger.LogAttrs(r.Context(), slog.LevelWarn, "preflight and service disagree",
		slog.String("path", sentAddress(r.URL).Path), slog.Any("boxes", d.Boxes()), slog.String("ours", ours.short()), slog.String("theirs", theirs.short()))
	if t.OnDisagreement != nil {
		t.OnDisagreement(d)
	}
}

func agree(ours, theirs *Refusal) bool {
	if ours == nil || theirs == nil {
		return ours == nil && theirs == nil
	}
	// Of the codes of most parameters nothing is documented: the Checker has none for them.
	sameCode := theirs.Code == ours.Code || ours.Type == boxrules.ValidationError && ours.Code == ""
	// The path tells the item whose quantity is wrong.
	samePath := theirs.Path == ours.Path || ours.Type != boxrules.QuantityError
	return theirs.Type == ours.Type && sameCode && samePath
}

// maxBody is how much of an answer is looked at; an error body has some hundred bytes and the query.
const maxBody = 1 << 20

// readRefusal reads the error body of an answer and puts it back. It is nil where that is not the documented one.
func readRefusal(response *http.Response) *Refusal {
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	// Who reads the answer gets the same bytes, and the same error after them.
	rest := io.Reader(response.Body)
	if err != nil {
		rest = failing{err}
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), rest), response.Body}
	var body struct { // the request in it is none of our concern
		Response Response `json:"response"`
	}
	if err != nil || json.Unmarshal(uncompressed(response.Header, text), &body) != nil || body.Response.Code == "" {
		return nil
	}
	theirs := &Refusal{Type: body.Response.Code, Message: body.Response.Message, Item: -1}
	if len(body.Response.Errors) > 0 {
		e := body.Response.Errors[0]
		theirs.Code, theirs.Path, theirs.Message = e.Code, e.Path, e.Message
	}
	return theirs
}

// uncompressed is the text of a body, which is compressed where the caller has asked for that itself.
func uncompressed(h http.Header, text []byte) []byte {
	if h.Get("Content-Encoding") != "gzip" {
		return text
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	text, err = io.ReadAll(io.LimitReader(unpacked, maxBody))
	if err != nil {
		return nil
	}
	return text
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
