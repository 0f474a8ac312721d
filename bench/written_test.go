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

// TestHand: the Go by hand of the mailer is its rules and formulas as they are, and the exact one the same in whole
// numbers. That of all other articles is the same text for theirs, too long to be kept: go generate writes it.
func TestHand(t *testing.T) {
	own, ownExact, others, err := writeHand()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]byte{"hand_test.go": own, "exact_test.go": ownExact} {
		if got, err := os.ReadFile(file); err != nil || !bytes.HasSuffix(got, want) {
			t.Errorf("%s does not end with (error %v)\n%s", file, err, want)
		}
	}
	if *update {
		if err := os.WriteFile("hand_profiles_test.go", others, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// writeHand returns the Go by hand of the mailer, the exact one, and both of all other articles as a file. Each
// has a loop of its own, so that no call is indirect.
func writeHand() (own, ownExact, others []byte, err error) {
	var methods strings.Builder
	for _, p := range firstProfiles() {
		inFloats, inWholeNumbers := writeArticle("byHand", p), writeArticle("byHandExact", p)
		if p.Article() != article {
			methods.WriteString("\n" + inFloats + "\n" + inWholeNumbers)
			continue
		}
		if own, err = format.Source([]byte(inFloats)); err != nil {
			return nil, nil, nil, err
		}
		if ownExact, err = format.Source([]byte(inWholeNumbers)); err != nil {
			return nil, nil, nil, err
		}
	}
	others, err = format.Source([]byte("//go:build hand\n\npackage bench\n\nimport \"example.com/boxrules\"\n" +
		writeOf("byHand") + writeOf("byHandExact") + methods.String()))
	return own, ownExact, others, err
}

// writeOf returns the method that finds the methods of an article.
func writeOf(receiver string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc (m *%s) of(article string) (check func(boxrules.Dims) boxrules.Code, count func([]boxrules.Dims) int) {\n", receiver)
	b.WriteString("switch article {\n")
	for _, p := range firstProfiles() {
		fmt.Fprintf(&b, "case %q:\nreturn m.%s, m.%[2]sCount\n", p.Article(), camel(p.Article()))
	}
	b.WriteString("}\nreturn nil, nil\n}\n")
	return b.String()
}

// writeArticle returns the methods that check a box, and that count invalid boxes.
func writeArticle(receiver string, p *boxrules.Profile) string {
	j, name := newJob(p), camel(p.Article())
	condition, blankWidth, blankHeight := goText, goText(j.blankWidth), goText(j.blankHeight)
	point := "w, d, h := box.Width, box.Depth, box.Height\n"
	if receiver == "byHandExact" {
		// Both sides are multiplied by the same number, so that the rules can compare either with either.
		blank := multiplier(goText(j.blankWidth), goText(j.blankHeight))
		condition = func(text string) string { return wholeCondition(goText(text), blank) }
		blankWidth, blankHeight = whole(parsed(blankWidth), blank, nil), whole(parsed(blankHeight), blank, nil)
		point = "w, d, h := onGrid(box.Width), onGrid(box.Depth), onGrid(box.Height)\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func (m *%s) %s(box boxrules.Dims) boxrules.Code {\n%sswitch {\n", receiver, name, point)
	size := false
	for _, r := range j.rules {
		if r.Stage == boxrules.Size && !size {
			size = true
			fmt.Fprintf(&b, "}\nblankWidth := %s\nblankHeight := %s\nswitch {\n", blankWidth, blankHeight)
		}
		fmt.Fprintf(&b, "case %s:\nreturn %q\n", condition(r.When), r.Code)
	}
	fmt.Fprintf(&b, "}\nreturn \"\"\n}\n\nfunc (m *%s) %sCount(boxes []boxrules.Dims) (n int) {\n", receiver, name)
	fmt.Fprintf(&b, "for _, d := range boxes {\nif m.%s(d) != \"\" {\nn++\n}\n}\nreturn n\n}\n", name)
	return b.String()
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
