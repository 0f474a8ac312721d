package main

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

func TestCodesExamplesAreTrue(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(ask(t, "", "codes", "--format", "json").out), "\n") {
		var code struct{ Code, Stage string }
		if err := json.Unmarshal([]byte(line), &code); err != nil || code.Stage == "" {
			continue
		}
		var about struct{ Example *example }
		if err := json.Unmarshal([]byte(ask(t, "", "codes", code.Code, "--format", "json").out), &about); err != nil || about.Example == nil {
			t.Errorf("codes %s: %v, no example", code.Code, err)
			continue
		}
		e := about.Example
		got := ask(t, "", append([]string{"check", "--format", "json"},
			box(e.Article, e.Material, console.Number(e.Width), console.Number(e.Depth), console.Number(e.Height))...)...)
		if !strings.Contains(got.out, `"code":"`+code.Code+`"`) {
			t.Errorf("the example %+v of %s gives %s", *e, code.Code, got.out)
		}
	}
}
