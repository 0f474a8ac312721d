package strictjson_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

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

// TestMembersOfAnyObject compares Members with a json.Decoder on objects with white space anywhere.
func TestMembersOfAnyObject(t *testing.T) {
	space := rapid.StringOfN(rapid.RuneFrom([]rune(" \t\r\n")), 0, 3, -1)
	token := rapid.StringOfN(rapid.RuneFrom([]rune(`ab{}[]:," \/é`)), 0, 6, -1)
	text := rapid.OneOf(
		rapid.Map(token, func(s string) string { return strings.TrimSpace(string(strictjson.Marshal(s))) }),
		rapid.SampledFrom([]string{`""`, `"\u0022"`, `"\\"`, `"\ud800"`, `"\u00e9\/"`}),
	)
	value := rapid.OneOf(text, rapid.SampledFrom([]string{"0", "-1.5e3", "true", "null", "{}", "[ ]", `{"}":["]",{}] }`, "[1 , [2]]"}))
	rapid.Check(t, func(t *rapid.T) {
		object := "{" + space.Draw(t, "space")
		for i := range rapid.IntRange(0, 4).Draw(t, "members") {
			if i > 0 {
				object += "," + space.Draw(t, "space")
			}
			object += text.Draw(t, "key") + space.Draw(t, "space") + ":" + space.Draw(t, "space")
			object += value.Draw(t, "value") + space.Draw(t, "space")
		}
		object += "}"
		decoder := json.NewDecoder(strings.NewReader(object))
		_, _ = decoder.Token()
		for key, member := range strictjson.Members([]byte(object)) {
			wantKey, err := decoder.Token()
			var want json.RawMessage
			if err != nil || decoder.Decode(&want) != nil {
				t.Fatalf("%s has no more members, but Members yields %q", object, key)
			}
			if key != wantKey || string(member) != string(want) {
				t.Fatalf("Members(%s) yields %q and %s, want %q and %s", object, key, member, wantKey, want)
			}
		}
		if decoder.More() {
			t.Fatalf("Members(%s) stops before the last member", object)
		}
	})
}

func TestText(t *testing.T) {
	for value, want := range map[string]string{
		`""`: "", `"a"`: "a", `"é/"`: "é/", `"\u00e9\/"`: "é/", `"\\"`: `\`, `"\""`: `"`, `"\ud800"`: "\ufffd",
	} {
		if got, ok := strictjson.Text([]byte(value)); got != want || !ok {
			t.Errorf("Text(%s) = %q, %v, want %q", value, got, ok, want)
		}
	}
	for _, value := range []string{"1", "{}", "[]", "null", "true"} {
		if got, ok := strictjson.Text([]byte(value)); got != "" || ok {
			t.Errorf("Text(%s) = %q, %v", value, got, ok)
		}
	}
	// An append to the text must not write over the value.
	value := []byte(`"a"`)
	text, _ := strictjson.TextBytes(value)
	_ = append(text, 'b')
	if string(value) != `"a"` {
		t.Errorf("an append to the text changes the value to %s", value)
	}
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		" 1 ":                   "<nil>",
		`[{"a":[1]},{"a":1}]`:   "<nil>",
		"":                      "unexpected end of JSON input",
		"[1]]":                  "invalid character ']' after top-level value",
		`[[[[]]]]`:              "it is nested too deeply; accepted: at most 3 levels",
		`[{"a":{"b":{}}}]`:      "it is nested too deeply; accepted: at most 3 levels",
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
