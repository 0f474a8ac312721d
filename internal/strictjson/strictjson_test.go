package strictjson_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules/internal/strictjson"
)

func TestMembers(t *testing.T) {
	for object, want := range map[string]string{
		`{}`:                             "",
		` { } `:                          "",
		`{"a":1,"a":{"}":[2]},"A":null}`: `a=1 a={"}":[2]} A=null `,
		`{"\u0061" : "x" , "a":[]}`:      `a="x" a=[] `,
	} {
		var got strings.Builder
		for key, value := range strictjson.Members([]byte(object)) {
			fmt.Fprintf(&got, "%s=%s ", key, value)
		}
		if got.String() != want {
			t.Errorf("Members(%s) = %s, want %s", object, got.String(), want)
		}
	}
	for key := range strictjson.Members([]byte(`{"a":1,"b":2}`)) {
		if key != "a" {
			t.Errorf("Members goes on to %s", key)
		}
		break
	}
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		" 1 ":                   "<nil>",
		`[{"a":[1]},{"a":1}]`:   "<nil>",
		"":                      "unexpected end of JSON input",
		"[1]]":                  "invalid character ']' after top-level value",
		`[[[[]]]]`:              "it is nested too deep; accepted: at most 3",
		`[{"a":{"b":{}}}]`:      "it is nested too deep; accepted: at most 3",
		`[{"a":1,"\u0061":1}]`:  `the key "a" is given twice; give it once`,
		`{"a":[{"b":1,"b":1}]}`: `the key "b" is given twice; give it once`,
	} {
		if got := fmt.Sprint(strictjson.Check([]byte(text), 3)); got != want {
			t.Errorf("Check(%s) = %s, want %s", text, got, want)
		}
	}
}

func TestKind(t *testing.T) {
	for value, want := range map[string]string{
		`"x"`: "a string", "{}": "an object", "[]": "an array", "true": "a boolean", "false": "a boolean", "null": "null",
		"-1": "a number", "0": "a number",
	} {
		if got := strictjson.Kind([]byte(value)); got != want {
			t.Errorf("Kind(%s) = %s, want %s", value, got, want)
		}
	}
}

func TestMarshal(t *testing.T) {
	if got, want := string(strictjson.Marshal(map[string]string{"a": "<&>"})), `{"a":"<&>"}`+"\n"; got != want {
		t.Errorf("Marshal = %q, want %q", got, want)
	}
}
