package form_test

import (
	"fmt"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/form"
)

// What to say at the fields of a German form.
func ExampleCheck() {
	typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: "48,5", Depth: "141", Height: "184"}
	_, issues := form.Check(boxrules.Default(), typed, form.Language("de"))
	for _, issue := range issues {
		fmt.Printf("%s: %s (at most %v)\n", issue.Field, issue.Message, *issue.Max)
	}
	// Output:
	// depth: Die Breite darf höchstens 48,5 mm betragen. (at most 48.5)
}

// TestMessages: sentences of one's own come first, and what is missing is English.
func TestMessages(t *testing.T) {
	typed := form.Typed{Article: "tuck-end", Material: "carton-300", Width: "48", Depth: "141", Height: "184"}
	for want, messages := range map[string]form.Messages{
		"Depth must be at most 48 mm.":             nil,
		"The short side must be at most 48 mm.":    {"depth": "the short side"},
		"Not 141 millimetres, but 48.":             {"BOX_3100": "Not {value} {unit}, but {max}{min}.", "mm": "millimetres"},
		"Die Tiefe darf höchstens 48 mm betragen.": func() form.Messages { m := form.Language("de"); m["depth"] = "Tiefe"; return m }(),
	} {
		_, issues := form.Check(boxrules.Default(), typed, messages)
		if len(issues) != 1 || issues[0].Message != want {
			t.Errorf("got %+v, want %q", issues, want)
		}
	}
	typed.Depth = "48"
	if box, issues := form.Check(boxrules.Default(), typed, nil); len(issues) > 0 || box.Depth != 48 || box.Article != "tuck-end" {
		t.Errorf("a valid box: %+v, %+v", box, issues)
	}
}
