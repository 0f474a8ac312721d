package preflight

import (
	"bytes"
	"encoding/json"
)

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
