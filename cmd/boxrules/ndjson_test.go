package main

import (
	"fmt"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/lists"
)

func TestNDJSON(t *testing.T) {
	shop := write(t, "shop.yaml", smallShop)
	const (
		box   = `"article":"cube","material":"board","width":30,"depth":20,"height":10`
		valid = `{"row":1,"line":1,` + box + `,"ok":true}`
	)
	bad := func(read, problem, field string) string {
		line := fmt.Sprintf(`{"row":1,"line":1,%s"ok":false,"error":"stdin:1: %s"`, read, problem)
		if field != "" {
			line += fmt.Sprintf(`,"field":"%s","errors":[{"field":"%[1]s","error":"%s"}]`, field, strings.TrimPrefix(problem, field+": "))
		}
		return line + "}"
	}
	const (
		rest   = `"material":"board","width":30,"depth":20,"height":10`
		others = `"article":"cube","material":"board","depth":20,"height":10`
	)
	for _, test := range []struct{ name, text, want string }{
		{"plain", "{" + box + "}", valid},
		{"byte order mark", "\ufeff{" + box + "}", valid},
		{"CRLF", "{" + box + "}\r\n\r\n", valid},
		{"blanks", " \t{ \"article\" : \"cube\" ,\t\"material\":\"board\" , \"width\" :30 , \"depth\":\t20 ,\"height\":10 } \r\n", valid},
		{"empty lines", "\n  \n\t\r\n{" + box + "}\n\n", strings.Replace(valid, `"line":1`, `"line":4`, 1)},
		{"numbers", `{"article":"cube","material":"board","width":3e1,"depth":2.0E+1,"height":1000e-2}`, valid},
		{"escapes", `{"\u0061rticle":"c\u0075be","material":"board","wid\u0074h":30,"depth":20,"height":10}`, valid},
		{"unknown keys", `{"a":{"width":[1,{"}":"]"}]},"b":"}\\\"","c":[],"c":{},"Width":null,"":true,"d":-1e5,` + box + `,"e":false}`, valid},
		{"an underflow is zero", `{` + others + `,"width":1e-999}`,
			`{"row":1,"line":1,"article":"cube","material":"board","width":0,"depth":20,"height":10,"ok":false,"code":"BOX_2100"}`},

		{"no article", "{" + rest + "}", bad(rest+",", "article: missing; accepted: cube", "article")},
		{"no material", `{"article":"cube","width":30,"depth":20,"height":10}`,
			bad(`"article":"cube","width":30,"depth":20,"height":10,`, "material: missing; accepted for cube: board", "material")},
		{"no width", "{" + others + "}", bad(others+",", "width: missing; accepted: a number from -1000000 to 1000000", "width")},
		{"a width with a capital", `{"Width":30,` + others + "}",
			bad(others+",", `width: missing, but there is \"Width\"; accepted: the key width, written so`, "width")},
		{"nothing", "{}", `{"row":1,"line":1,"ok":false,"error":"stdin:1: article: missing; accepted: cube; ` +
			`material: missing; accepted: board; width: missing; accepted: a number from -1000000 to 1000000; ` +
			`depth: missing; accepted: a number from -1000000 to 1000000; ` +
			`height: missing; accepted: a number from -1000000 to 1000000","field":"article","errors":[` +
			`{"field":"article","error":"missing; accepted: cube"},{"field":"material","error":"missing; accepted: board"},` +
			`{"field":"width","error":"missing; accepted: a number from -1000000 to 1000000"},` +
			`{"field":"depth","error":"missing; accepted: a number from -1000000 to 1000000"},` +
			`{"field":"height","error":"missing; accepted: a number from -1000000 to 1000000"}]}`},
		{"given twice", `{"width":30,` + box + `}`, bad(box+",", "width: given twice; accepted: once", "width")},
		{"given twice in disguise", `{"wid\u0074h":30,` + box + `}`, bad(box+",", "width: given twice; accepted: once", "width")},
		{"article is a number", `{"article":1,` + rest + `}`, bad(rest+",", "article: a number; accepted: a JSON string", "article")},
		{"article is a bomb", `{"article":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `,` + rest + `}`,
			bad(rest+",", "article: an array; accepted: a JSON string", "article")},
		{"width is a string", `{"width":"30",` + others + `}`, bad(others+",", "width: a string; accepted: a JSON number", "width")},
		{"width is null", `{"width":null,` + others + `}`, bad(others+",", "width: null; accepted: a JSON number", "width")},
		{"width is a boolean", `{"width":true,` + others + `}`, bad(others+",", "width: a boolean; accepted: a JSON number", "width")},
		{"width is an object", `{"width":{"width":30},` + others + `}`, bad(others+",", "width: an object; accepted: a JSON number", "width")},
		{"out of a float64's range", `{"width":-1e999,` + others + `}`,
			bad(others+",", "width: -1e999 is out of range; accepted: a number such as 48 or 48.5", "width")},
		{"as long as can be", `{` + others + `,"width":30.` + strings.Repeat("0", 61) + `}`,
			valid},
		{"longer", `{` + others + `,"width":30.` + strings.Repeat("0", 62) + `}`,
			bad(others+",", "width: a number of 65 characters; accepted: at most 64", "width")},
		{"longer, and out of range", `{` + others + `,"width":48` + strings.Repeat("0", 70) + `}`,
			bad(others+",", "width: a number of 72 characters; accepted: at most 64", "width")},
		{"longer, and no row before it", "\n{" + others + `,"width":1e-` + strings.Repeat("0", 500) + `1}`,
			strings.NewReplacer("stdin:1", "stdin:2", `"line":1`, `"line":2`).Replace(
				bad(others+",", "width: a number of 504 characters; accepted: at most 64", "width"))},
		{"out of a dimension's range", `{"width":1e300,` + others + `}`,
			bad(`"article":"cube","material":"board","width":1e+300,"depth":20,"height":10,`,
				"width: 1e+300 is not a dimension; accepted: a number from -1000000 to 1000000", "width")},
		{"every field is told, in the order of the fields", `{"height":null,"depth":1e9,"width":-1e7,"material":"board","article":"cube"}`,
			`{"row":1,"line":1,"article":"cube","material":"board","width":-10000000,"depth":1000000000,"ok":false,"error":"stdin:1: ` +
				`width: -1e+07 is not a dimension; accepted: a number from -1000000 to 1000000; ` +
				`depth: 1e+09 is not a dimension; accepted: a number from -1000000 to 1000000; ` +
				`height: null; accepted: a JSON number","field":"width","errors":[` +
				`{"field":"width","error":"-1e+07 is not a dimension; accepted: a number from -1000000 to 1000000"},` +
				`{"field":"depth","error":"1e+09 is not a dimension; accepted: a number from -1000000 to 1000000"},` +
				`{"field":"height","error":"null; accepted: a JSON number"}]}`},

		{"no JSON", `{"article":cube}`, bad("",
			"not JSON: invalid character 'c' looking for beginning of value; accepted: one object a line", "")},
		{"half an object", `{"article":"cube"`, bad("", "not JSON: unexpected end of JSON input; accepted: one object a line", "")},
		{"data after the object", "{" + box + "} {}",
			bad("", "not JSON: invalid character '{' after top-level value; accepted: one object a line", "")},
		{"deeper than is read", `{"a":` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `,` + box + `}`,
			bad("", "not JSON: invalid character '[' exceeded max depth; accepted: one object a line", "")},
		{"an array", "[]", bad("", "an array; accepted: one JSON object a line", "")},
		{"a number", "1", bad("", "a number; accepted: one JSON object a line", "")},
		{"not UTF-8", "{\"a\":\"\x9b\"," + box + "}", bad("", "the line is not UTF-8; accepted: UTF-8", "")},
		{"control characters", `{"article":"\u001b[31m\u0000\u007f` + "\u009b\U000e0041" + `<>",` + rest + "}",
			bad(`"article":"\u001b[31m\u0000\u007f\u009b\udb40\udc41<>",`+rest+",",
				`article: unknown article \"\\x1b[31m\\x00\\x7f\\u009b\\U000e0041<>\"; accepted: cube`, "article")},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ask(t, test.text, "check", "--limits", shop, "--format", "json", "--input", "ndjson", "-")
			line, found := strings.CutSuffix(got.out, "\n")
			// Empty lines are counted, so that only the first place is 1.
			if !found || line != test.want {
				t.Errorf("check %.300s =\n%.300s, want\n%.300s", test.text, got.out, test.want)
			}
			if status := strings.Contains(line, `"error"`); status != (got.status == 2) {
				t.Errorf("check %.300s: status %d for %.300s", test.text, got.status, line)
			}
		})
	}
}

func TestNDJSONFiles(t *testing.T) {
	const row = `{"article":"sleeve","material":"carton-300","width":100,"depth":50,"height":60`
	fill := strings.Repeat(" ", lists.MaxRow-len(row)-1) + "}"
	const tooLong = "this row is longer than 262144 bytes; accepted: one box a row, every quote closed\n"
	for _, test := range []struct {
		name, text, out, err string
	}{
		{"empty", "", "", "boxrules: stdin: no boxes; accepted: at least one\n"},
		{"blank", "\n \n", "", "boxrules: stdin: no boxes; accepted: at least one\n"},
		{"UTF-16", "\xff\xfe" + toUTF16(row+"}\n"),
			"     1  sleeve           carton-300      100       50       60  valid\n", "1 box: 1 valid, 0 invalid\n"},
		{"a wrong row between empty ones", "\n\n" + row + "\n\n" + row + "}\n", "" +
			"     1  stdin:3: not JSON: unexpected end of JSON input; accepted: one object a line\n" +
			"     2  sleeve           carton-300      100       50       60  valid\n", "2 boxes: 1 valid, 0 invalid, 1 not a box\n"},
		{"the longest", row + fill + "\n" + row + fill, "" +
			"     1  sleeve           carton-300      100       50       60  valid\n" +
			"     2  sleeve           carton-300      100       50       60  valid\n", "2 boxes: 2 valid, 0 invalid\n"},
		{"longer", row + "}\n" + row + "    " + fill + "\n" + row + "}\n",
			"     1  sleeve           carton-300      100       50       60  valid\n",
			"boxrules: stdin:2: " + tooLong + "1 box: 1 valid, 0 invalid\n"},
		{"longer at the end", row + "    " + fill, "", "boxrules: stdin:1: " + tooLong},
	} {
		got := ask(t, test.text, "check", "--input", "ndjson", "-")
		if got.out != test.out || got.err != notice+test.err || (got.status == 0) != (test.name == "the longest" || test.name == "UTF-16") {
			t.Errorf("%s: check =\n%s%sstatus %d, want\n%s%s", test.name, got.out, got.err, got.status, test.out, test.err)
		}
	}
}

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
