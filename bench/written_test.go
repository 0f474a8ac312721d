package bench

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"

	"example.com/boxrules"
)

//go:generate go test -run TestHand -update

var update = flag.Bool("update", false, "write hand_profiles_test.go, which -tags hand needs")

// TestHand: the Go by hand of the mailer is its rules and formulas as they are. That of all other
// articles is the same text for theirs, too long to be kept: go generate writes it.
func TestHand(t *testing.T) {
	own, others, err := writeHand()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("hand_test.go"); err != nil || !bytes.HasSuffix(got, own) {
		t.Errorf("hand_test.go does not end with (error %v)\n%s", err, own)
	}
	if *update {
		if err := os.WriteFile("hand_profiles_test.go", others, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// writeHand returns the Go by hand of the mailer, and that of all other articles as a file. Each
// has a loop of its own, so that no call is indirect.
func writeHand() (own, others []byte, err error) {
	var of, methods strings.Builder
	for _, p := range firstProfiles() {
		j, name := newJob(p), camel(p.Article())
		fmt.Fprintf(&of, "case %q:\nreturn m.%s, m.%[2]sCount\n", p.Article(), name)
		var b strings.Builder
		fmt.Fprintf(&b, "func (m *byHand) %s(box boxrules.Dims) boxrules.Code {\n", name)
		b.WriteString("w, d, h := box.Width, box.Depth, box.Height\nswitch {\n")
		size := false
		for _, r := range j.rules {
			if r.Stage == boxrules.Size && !size {
				size = true
				fmt.Fprintf(&b, "}\nblankWidth := %s\nblankHeight := %s\nswitch {\n", goText(j.blankWidth), goText(j.blankHeight))
			}
			fmt.Fprintf(&b, "case %s:\nreturn %q\n", goText(r.When), r.Code)
		}
		fmt.Fprintf(&b, "}\nreturn \"\"\n}\n\nfunc (m *byHand) %sCount(boxes []boxrules.Dims) (n int) {\n", name)
		fmt.Fprintf(&b, "for _, d := range boxes {\nif m.%s(d) != \"\" {\nn++\n}\n}\nreturn n\n}\n", name)
		if p.Article() != article {
			methods.WriteString("\n" + b.String())
		} else if own, err = format.Source([]byte(b.String())); err != nil {
			return nil, nil, err
		}
	}
	others, err = format.Source([]byte("//go:build hand\n\npackage bench\n\nimport \"example.com/boxrules\"\n\n" +
		"func (m *byHand) of(article string) (check func(boxrules.Dims) boxrules.Code, count func([]boxrules.Dims) int) {\n" +
		"switch article {\n" + of.String() + "}\nreturn nil, nil\n}\n" + methods.String()))
	return own, others, err
}

// goText is a condition or a formula of the catalogue in Go: min and max are Go's.
func goText(text string) string {
	return adapt(text, func(name string) string {
		switch name {
		case "width", "depth", "height":
			return name[:1]
		case "min", "max", "blank_width", "blank_height":
			return camel(name)
		}
		return "m." + camel(name)
	}, float)
}

// camel is a code or a variable as a name of Go.
func camel(code string) string {
	words := strings.FieldsFunc(code, func(r rune) bool { return r == '-' || r == '_' })
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}
