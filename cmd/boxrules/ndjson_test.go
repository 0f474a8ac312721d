package main

import (
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/lists"
)

func FuzzNDJSON(f *testing.F) {
	const box = `"article":"sleeve","material":"carton-300","width":100,"depth":50,"height":60`
	for _, seed := range []string{
		"{" + box + "}\n\n {" + box + ",\"width\":1} \r\n",
		`{"\u0061rticle":"\ud800","material":null,"width":1e999,"depth":-0,"height":"1"}` + "\n[]\n{}\nnull\n",
		`{"a":[{"b":"]}\\"}],` + box + `}` + "\n{" + box + "} x\n\"\x9b\"",
		"\ufeff" + `{"article":"\u001b","material":"` + "\u202e" + `"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := checkFuzzed(t, lists.NDJSON, text)
		wide := len(text) > 1 && (text[0] == 0) != (text[1] == 0) || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff")
		if lines == nil || len(text) > lists.MaxRow || wide { // in UTF-16 other bytes are line ends
			return
		}
		rows := 0
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if strings.Trim(line, " \t\r\n") != "" {
				rows++
			}
		}
		if len(lines) != rows {
			t.Fatalf("%d lines for %d rows of %q", len(lines), rows, text)
		}
	})
}
