package preflight

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"example.com/boxrules"
)

// A Transport sends the requests of a client to the service. A documented request that
// Checker.Check refuses never leaves the process: the client gets the documented answer, the
// status 400 and the error body. Everything else goes to Base as it is. It is safe for concurrent
// use where Base is; its fields must not be changed once it is in use.
type Transport struct {
	// Checker decides. It is required: without one RoundTrip panics.
	Checker *Checker
	// Base sends the requests; http.DefaultTransport where it is nil.
	Base http.RoundTripper
	// Observe lets every request pass, so that all answers are compared with the Checker's. The
	// body of an answer with the status 400 is read first, whether or not Observe is set; who reads
	// it afterwards gets the same bytes.
	Observe bool
	// OnDisagreement is told where the two differ about a documented request that was sent, in the
	// goroutine of the request and before its answer is returned; nil tells nobody. About a borderline
	// box (see [boxrules.Profile.Borderline]) either answer agrees with the Checker. Of what is
	// refused here the service is asked where Observe is set, and about the sample of Options. It
	// may be called by several goroutines at once.
	OnDisagreement func(Disagreement)
	// OnAnswer is told what the service said of every documented request that was sent, in the same
	// way; nil tells nobody. It is what limits can be learned from. So a success counts only where
	// it has a dieline, as [IsDieline] tells; of a quotation the document does not show what to
	// look for. A success is reported while its body is read: of a PDF after five bytes, of any
	// other body at its end, after a megabyte, or when it is closed.
	OnAnswer func(Answer)
	// Logger is told of disagreements, as a warning, and where an answer with the status 400 is not
	// a documented one; slog.Default() where it is nil.
	Logger *slog.Logger
}

// An Answer says what the service decided about a request. A response that decides nothing, such as
// an expired token or a failure, is none.
type Answer struct {
	Request *http.Request
	Boxes   []boxrules.Box // of the request; none where it cannot be read
	Theirs  *Refusal       // nil: accepted; has no Item and no Box
}

// A Disagreement tells of a request that the service decided otherwise than the [Checker]: the
// limits are out of date, or the service has checks that the document does not show.
type Disagreement struct {
	Answer
	Ours *Refusal // nil: accepted
}

// String returns the request's boxes, and what was decided about them, in one line. It panics without
// a request.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s %v: ours %s, theirs %s", d.Request.URL.Path, d.Boxes, d.Ours.short(), d.Theirs.short())
}

// RoundTrip does as http.RoundTripper says. It panics if t has no Checker.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := cmp.Or(t.Base, http.DefaultTransport)
	j := t.Checker.decide(r)
	if j != nil && !j.passes && !t.Observe {
		return j.refusal.response(r), nil
	}
	response, err := base.RoundTrip(r)
	if err == nil && j != nil {
		t.compare(r, j, response)
	}
	return response, err
}

// CloseIdleConnections closes those of Base. http.Client.CloseIdleConnections calls it.
func (t *Transport) CloseIdleConnections() {
	(&http.Client{Transport: t.Base}).CloseIdleConnections()
}

// Header names a header with the value "refused", which the refusals of this package have and the
// service's own have not.
const Header = "Boxrules-Preflight"

// response returns the service's answer to the refused request, without asking it.
func (r *Refusal) response(request *http.Request) *http.Response {
	if request.Body != nil {
		_ = request.Body.Close() // nothing was to be read
	}
	body := r.Body(request).JSON()
	response := &http.Response{
		Status: "400 Bad Request", StatusCode: http.StatusBadRequest,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			Header:           {"refused"},
			"Content-Type":   {"application/json"},
			"Content-Length": {strconv.Itoa(len(body))},
		},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       request,
	}
	if request.Method == http.MethodHead {
		response.Body = http.NoBody
	}
	return response
}

// compare tells of an answer, and of a disagreement. An answer that decides nothing, such as an
// expired token or a failure, is neither.
func (t *Transport) compare(r *http.Request, j *judgement, response *http.Response) {
	logger := cmp.Or(t.Logger, slog.Default())
	path := slog.String("path", r.URL.Path)
	var theirs *Refusal
	tells := t.OnAnswer != nil
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		if tells && j.path == dielinePath {
			response.Body = &successBody{ReadCloser: response.Body, header: response.Header,
				accepted: func() { t.OnAnswer(Answer{r, j.boxes, nil}) }}
		}
		tells = false
	case status == http.StatusBadRequest:
		if theirs = readRefusal(response); theirs == nil {
			logger.LogAttrs(r.Context(), slog.LevelWarn, "the service's refusal cannot be read", path)
			return
		}
	default:
		return
	}
	told := Answer{r, j.boxes, theirs}
	if tells {
		t.OnAnswer(told)
	}
	if agree(j.exactly, theirs) || agree(j.inFloat64, theirs) {
		return
	}
	logger.LogAttrs(r.Context(), slog.LevelWarn, "preflight and service disagree", path, slog.Any("boxes", j.boxes),
		slog.String("ours", j.refusal.short()), slog.String("theirs", theirs.short()))
	if t.OnDisagreement != nil {
		t.OnDisagreement(Disagreement{told, j.refusal})
	}
}

func agree(ours, theirs *Refusal) bool {
	if ours == nil || theirs == nil {
		return ours == nil && theirs == nil
	}
	// Of the codes of most parameters nothing is documented: the Checker has none for them.
	sameCode := theirs.Code == ours.Code || ours.Type == boxrules.TypeValidationError && ours.Code == ""
	// The path tells the item whose quantity is wrong.
	samePath := theirs.Path == ours.Path || ours.Type != boxrules.TypeQuantityError
	return theirs.Type == ours.Type && sameCode && samePath
}

// maxBody bounds how much of an answer is looked at; an error body has some hundred bytes and the
// query.
const maxBody = 1 << 20

// look reads the beginning of a body, at most maxBody bytes, and puts it back: who reads the answer
// gets the same bytes, and the same error after them, which a body of net/http keeps.
func look(response *http.Response) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), response.Body), response.Body}
	return text, err
}

// A successBody is the body of a success, which is watched for a dieline while it is read.
type successBody struct {
	io.ReadCloser
	header   http.Header
	accepted func() // is called once if there is a dieline
	text     []byte // the beginning of the body
	decided  bool
}

func (b *successBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.decided {
		return n, err
	}
	b.text = append(b.text, p[:min(n, maxBody-len(b.text))]...)
	switch {
	case err != nil && err != io.EOF:
		b.decided = true
	case err == io.EOF, len(b.text) == maxBody, bytes.HasPrefix(b.text, []byte(pdf)):
		b.decide()
	}
	return n, err
}

func (b *successBody) decide() {
	if !b.decided && (IsDieline(b.text) || IsDieline(uncompressed(b.header, b.text))) {
		b.accepted()
	}
	b.decided, b.text = true, nil
}

// Close ends the body. A caller that knows where its text ends need not have read its end.
func (b *successBody) Close() error {
	b.decide()
	return b.ReadCloser.Close()
}

const pdf = "%PDF-"

// IsDieline reports whether the body of a successful answer can be a dieline: a PDF, of which the
// beginning is enough, or JSON whose response has a buffer, which is a PDF in base64, a mime_type
// and an encoding. Any other body, such as {"error":"maintenance"} or JSON that is cut off, does
// not say that the service has accepted the box.
func IsDieline(body []byte) bool {
	if bytes.HasPrefix(body, []byte(pdf)) {
		return true
	}
	var answer struct {
		Response struct {
			Buffer   []byte `json:"buffer"`
			MimeType string `json:"mime_type"`
			Encoding string `json:"encoding"`
		} `json:"response"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return false
	}
	r := answer.Response
	return bytes.HasPrefix(r.Buffer, []byte(pdf)) && r.MimeType != "" && r.Encoding != ""
}

// readRefusal reads the error body of an answer. It returns nil where that is not the documented
// one.
func readRefusal(response *http.Response) *Refusal {
	text, err := look(response)
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

// uncompressed returns the text of a body, which is compressed where the caller has asked for that
// itself.
func uncompressed(h http.Header, text []byte) []byte {
	if h.Get("Content-Encoding") != "gzip" {
		return text
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil
	}
	text, _ = io.ReadAll(io.LimitReader(unpacked, maxBody)) // of a PDF the beginning is enough
	return text
}
