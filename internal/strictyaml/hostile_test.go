package strictyaml

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/boxrules/internal/lab"
)

// maxBytes is the size of a rule file.
const maxBytes = 256 << 10

// maxAllocated bounds what reading one file may allocate in total, freed or not.
const maxAllocated = 150 << 20

// TestHostile reads files of the largest accepted size that would take some YAML reader much time, memory
// or stack. It bounds the memory, which does not depend on the machine, and logs the time. Without CI it
// reads every fourth file.
func TestHostile(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, maxBytes/len(s)) }
	var distinct, indented strings.Builder
	for i := 0; distinct.Len() < maxBytes-10; i++ {
		fmt.Fprintf(&distinct, "k%d: 1\n", i)
	}
	for i := 0; indented.Len() < maxBytes-1000; i++ {
		indented.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for i, test := range []struct {
		name, data string
		first      string // error
		errors     int
	}{
		{"brackets", fill("["), "1:10001: " + tooDeep, 1},
		{"mappings in lists", fill("[{a: "), "1:25001: " + tooDeep, 1},
		{"items in items", fill("- "), "1:1: " + tooDeep, 1},
		{"items in a text", "a: |\n " + fill("- ")[:maxBytes-10], "2:1: " + tooDeep, 1},
		{"items and comments", strings.Repeat("- ", 128) + "x\n" + strings.Repeat("#\n #\n", 50000), "1:65: " + tooDeep, 1},
		{"keys in keys", fill("? "), "1:1: " + tooDeep, 1},
		{"indentation", indented.String(), "33:33: " + tooDeep, 1},
		{"indentation and comments", indented.String()[:maxBytes/2] + "\n" + strings.Repeat("#\n #\n", 26000), "33:33: " + tooDeep, 1},
		{"comments", fill("# c\n")[:60000*4], "1:1: " + empty, 1},
		{"comments on items", fill("- #\n"), "1:2: " + noValue, 101},
		{"duplicate keys", fill("a: 1\n"), `2:1: duplicate key "a": it is already on line 1`, 101},
		{"distinct keys", distinct.String(), "", 0},
		{"long line", "é: [" + fill("!a b,")[5:] + "]", "1:5: " + tag, 101},
		{"plain text of many lines", "a: " + fill("b\n ")[10:], "", 0},
		{"block text of many lines", "a: |\n" + fill(" b\n\n")[10:], "", 0},
		{"escapes", `a: "` + fill(`\x41`)[:maxBytes-8] + `"`, "", 0},
		{"open quote", `a: "` + fill("b")[4:], "1:4: the quote is not closed", 1},
		{"long key", fill("b")[2:] + ": ",
			"1:1: the line does not continue anything above it: check its indentation", 1},
		{"list of itself", "&a [*a]", "1:1: " + anchor, 2},
		{"unknown aliases", fill("- *x\n"), "1:3: " + alias, 1},
		{"anchors", fill("- &a b\n"), "1:3: " + anchor, 101},
		{"properties and comments", "a: &b\n" + fill("#\n")[20:] + " c", "1:4: " + anchor, 1},
		{"tags", fill("- !a b\n"), "1:3: " + tag, 101},
		{"directives", fill("%YAML 1.1\n"), `1:1: directives are not accepted: remove the line`, 101},
		{"control characters", fill("\x01"), "1:1: control character U+0001 is not accepted: remove it", 101},
		{"carriage returns", fill("a\r"),
			"1:2: a carriage return (U+000D) without a line feed is not accepted: end the line with a line feed", 101},
	} {
		if i%lab.Draws(4, 1) > 0 {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			d := Parse("f.yaml", []byte(test.data), maxBytes)
			errs := d.Errors()
			parsed := time.Since(start)
			walk(d.Root())
			t.Logf("parsed in %v, walked in %v", parsed, time.Since(start)-parsed)
			runtime.ReadMemStats(&after)

			first := ""
			if len(errs) > 0 {
				first = lines(errs)[0]
			}
			if first != test.first || len(errs) != test.errors {
				t.Errorf("%d errors, the first %q; want %d, %q", len(errs), first, test.errors, test.first)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > maxAllocated {
				t.Errorf("%d MiB allocated, want at most %d", allocated>>20, maxAllocated>>20)
			} else {
				t.Logf("%d MiB allocated", allocated>>20)
			}
		})
	}
}

// walk calls every method of every node of a tree.
func walk(n Node) {
	readAll(n)
	n.Position()
	n.PositionAt(1)
	for _, item := range n.Items() {
		walk(item)
	}
	for _, entry := range n.Entries() {
		walk(entry.KeyNode)
		walk(entry.Value)
	}
}
