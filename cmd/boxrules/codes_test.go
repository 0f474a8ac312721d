package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules"
)

func TestCodesList(t *testing.T) {
	text := ask(t, "", "codes")
	if text.status != 0 || text.err != "" {
		t.Errorf("codes: status %d, stderr %q", text.status, text.err)
	}
	golden(t, "codes.text", text.out)

	lines := ask(t, "", "codes", "--format", "json")
	if lines.status != 0 || lines.err != "" {
		t.Errorf("codes: status %d, stderr %q", lines.status, lines.err)
	}
	golden(t, "codes.json", lines.out)
	var listed []string
	for line := range strings.Lines(lines.out) {
		var entry struct{ Code, Type string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if entry.Code == "" {
			entry.Code = entry.Type
		}
		listed = append(listed, entry.Code)
	}
	var want []string
	for _, info := range boxrules.Codes() {
		want = append(want, string(info.Code))
	}
	for _, info := range boxrules.ErrorTypes() {
		want = append(want, string(info.Type))
	}
	if !slices.Equal(listed, want) {
		t.Errorf("codes --format json lists %q, want %q", listed, want)
	}
}

func TestCode(t *testing.T) {
	own := "--limits " + write(t, "shop.yaml", smallShop) + " --rules " + write(t, "rules.yaml", smallRules)
	idle := "--limits " + write(t, "shop.yaml", strings.ReplaceAll(smallShop, "[BOX_3100]", "[]"))
	for _, test := range []struct{ args, out, err string }{
		{"BOX_3113", "" +
			"code       BOX_3113\n" +
			"type       BOX_ERROR\n" +
			"status     400\n" +
			"stage      constraint\n" +
			"path       (empty)\n" +
			"meaning    the width is greater than the depth, and 498.25 lies between width + height and width + depth\n" +
			"condition  width > depth && width + depth > 498.25 && width + height < 498.25\n" +
			"message    the provided values do not allow creating a proper box\n" +
			"articles   slotted-case\n" +
			"example    slotted-case in b-flute, 300 x 200 x 100\n", notice},
		{"BOX_3115 --format json",
			`{"code":"BOX_3115","type":"BOX_ERROR","status":400,"stage":"constraint","path":"",` +
				`"meaning":"the height is smaller than twice the depth","condition":"height < 2 * depth",` +
				`"message":"the provided values do not allow creating a proper box","articles":["gable"],` +
				`"example":{"article":"gable","material":"carton-300","width":100,"depth":100,"height":100}}` + "\n",
			notice},
		{"QTT_1114", "" +
			"code       QTT_1114\n" +
			"type       QUANTITY_ERROR\n" +
			"status     400\n" +
			"path       products[<index>]\n" +
			"meaning    the number of sheets does not reach the minimum required quantity\n" +
			"condition  (no rule reports the code)\n", ""},
		{"QTT_1114 --format json",
			`{"code":"QTT_1114","type":"QUANTITY_ERROR","status":400,"path":"products[<index>]",` +
				`"meaning":"the number of sheets does not reach the minimum required quantity"}` + "\n", ""},
		{"ORDER_ERROR", "" +
			"type     ORDER_ERROR\n" +
			"status   400, 404\n" +
			"meaning  the order does not exist (404) or is not properly made (400)\n" +
			"codes    (none documented)\n", ""},
		{"ORDER_ERROR --format json",
			`{"type":"ORDER_ERROR","statuses":[400,404],` +
				`"meaning":"the order does not exist (404) or is not properly made (400)","codes":[]}` + "\n", ""},
		{"VALIDATION_ERROR", "" +
			"type     VALIDATION_ERROR\n" +
			"status   400\n" +
			"meaning  some parameters are wrong or missing\n" +
			"codes    DLN_1101\n", ""},
		{"OWN_0001 " + own, "" +
			"code       OWN_0001\n" +
			"type       (none documented: the code is of the rule file)\n" +
			"stage      boundary\n" +
			"path       (empty)\n" +
			`meaning    too high` + "\n" +
			"condition  height > 25\n" +
			`message    too high` + "\n" +
			"articles   cube\n" +
			"example    cube in board, 100 x 100 x 100\n", ""},
		{"OWN_0001 --format json " + own,
			`{"code":"OWN_0001","stage":"boundary","path":"","meaning":"too high","condition":"height\n  > 25\n",` +
				`"message":"too high","articles":["cube"],"example":{"article":"cube","material":"board","width":100,` +
				`"depth":100,"height":100}}` + "\n", ""},
		{"BOX_3100 --format json " + idle,
			`{"code":"BOX_3100","type":"BOX_ERROR","status":400,"stage":"constraint","path":"",` +
				`"meaning":"the depth is greater than the width","condition":"depth > width",` +
				`"message":"the provided values do not allow creating a proper box","articles":[]}` + "\n", ""},
	} {
		got := ask(t, "", append([]string{"codes"}, strings.Fields(test.args)...)...)
		if want := (answer{test.out, test.err, 0}); got != want {
			t.Errorf("codes %s =\n%+v, want\n%+v", test.args, got, want)
		}
	}
	list := ask(t, "", append([]string{"codes"}, strings.Fields(own)...)...)
	if want := "\n" + `OWN_0001  (of the rule file)       too high` + "\n\n"; !strings.Contains(list.out, want) {
		t.Errorf("codes with a rule file =\n%s, want a line %q after the documented ones", list.out, want)
	}
}

func TestCodeErrors(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	for _, test := range []struct{ args, want string }{
		{"BOX_310", `boxrules: there is no code "BOX_310"; the nearest: BOX_3100, BOX_3101, BOX_3102; run 'boxrules codes' ` +
			`for all that are accepted`},
		{"box_4100", `boxrules: there is no code "box_4100"; the nearest: BOX_4100; run 'boxrules codes' for all that are accepted`},
		{"QUANTITY_EROR", `boxrules: there is no code "QUANTITY_EROR"; the nearest: QUANTITY_ERROR; run 'boxrules codes' for ` +
			`all that are accepted`},
		{"\x1b[31m" + strings.Repeat("x", 1_000_000), `boxrules: there is no code "\x1b[31m` + strings.Repeat("x", 35) + `…"; the nearest: `},
		{"BOX_3100 --rules none.yaml", `boxrules: --rules "none.yaml": no such file or directory`},
		{"BOX_3100 --limits none.yaml", `boxrules: --limits "none.yaml": no such file or directory`},
		{"BOX_3100 --limits " + shop + " --rules " + shop, shop + ":3:1: "},
	} {
		got := ask(t, "", append([]string{"codes"}, strings.Fields(test.args)...)...)
		if got.out != "" || !strings.HasPrefix(got.err, test.want) || got.status != 2 {
			t.Errorf("codes %.100s = %+v, want %s", test.args, got, test.want)
		}
	}
}
