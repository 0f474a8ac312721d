package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/boxrules/internal/lab"
	"example.com/boxrules/internal/lab/xlsxtest"
)

// TestHostile gives the command what breaks naive readers of files. Each time it ends soon and
// small, with status 2 and with lines that are fit to read; rows that are boxes are answered all
// the same. What is merely unusual is read as it is meant, and what is legal and slow ends in time.
//
// By default it runs within the test, and what takes long is left out. Under CI=true every run is a
// process of its own, whose processor time and memory are bounded.
func TestHostile(t *testing.T) {
	h := newHostile(t)
	h.write(t, "shop.yaml", smallShop)
	groups := map[string]func() []hostileCase{
		"files": hostileFiles, "conditions": hostileConditions, "limits": hostileLimits, "rows": hostileRows,
		"workbooks": hostileWorkbooks, "arguments": hostileArguments, "unusual": unusualRules, "slow": slowFiles, "whole": wholeFiles,
	}
	if thorough {
		groups["together"], groups["large"] = hostileTogether, hostileLarge
	}
	for name, cases := range groups {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases() {
				t.Run(c.name, func(t *testing.T) { h.hold(t, c) })
			}
		})
	}
	if !thorough {
		t.Log("skipped without CI=true: large files, and what each run takes")
		return
	}
	h.report(t)
}

// A hostileCase is a command line, beside the files that it names, and what comes of it.
type hostileCase struct {
	name  string
	files map[string]string
	args  []string

	status                int
	valid, invalid, noBox int    // boxes
	want                  string // how a complaint starts, or the place that one is about

	bound  took // of what may take more than most
	answer bool // whether any answer will do, of status 0 or 1
}

// refusedCase is a command line that gets no answer, but the complaint.
func refusedCase(name, want string, files map[string]string, args []string) hostileCase {
	return hostileCase{name: name, want: want, files: files, args: args, status: 2}
}

// hostileFiles are neither rule files nor limit files; each is refused as both.
func hostileFiles() (cases []hostileCase) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", ":1:1: the file is empty"},
		{"5 million parentheses", times(5e6, "("), ":1:1: the file is too large: at most "},
		{"5 million brackets", times(5e6, "["), ":1:1: the file is too large"},
		{"5 million exclamation marks", times(5e6, "!"), ":1:1: the file is too large"},
		{"a line of 10 MB", times(10e6, "x"), ":1:1: the file is too large"},
		{"10 MB of line feeds", times(10e6, "\n"), ":1:1: the file is too large"},
		{"600,000 keys", numbered(600_000, "k%d: 1\n"), ":1:1: the file is too large"},
		{"as many keys as are read", numbered(25_000, "k%d: 1\n"), `:1:1: unknown key "k0"`},
		{"8,000 equal keys", times(8000, "version: 1\n"), `:2:1: duplicate key "version"`},
		{"as many parentheses as are read", times(256<<10, "("), ":1:1: expected a mapping of version, "},
		{"as many brackets as are read", times(256<<10, "["), ":1:10001: nested too deeply"},
		{"as many braces as are read", times(256<<10, "{"), ":1:10001: nested too deeply"},
		{"as many exclamation marks as are read", times(256<<10, "!"), ":1:1: tags are not accepted"},
		{"as many dashes as are read", times(128<<10, "- "), ":1:1: nested too deeply"},
		{"as many aliases as are read", times(50_000, "- *x\n"), ":1:3: aliases are not accepted"},
		{"as many documents as are read", times(60_000, "---\n"), ":2:1: a second document is not accepted"},
		{"mappings in mappings", staircase(), ":33:33: nested too deeply"},
		{"an open quote", `version: "` + times(200_000, "x"), ":1:10: the quote is not closed"},
		{"a billion laughs", laughs(), ":2:10: aliases are not accepted"},
		{"directives", times(20_000, "%TAG ! !x\n"), ":1:1: directives are not accepted: remove the line"},
		{"escapes of a terminal", "version: 1 # \x1b[2J\u009b\n", ":1:14: control character U+001B"},
		{"not a number", "version: .nan\n", `:1:10: version ".nan" is not known; accepted: 1`},
		{"an exponent", "version: 1e999999999\n", `:1:10: version "1e999999999" is not known; accepted: 1`},
		{"200,000 digits", "version: " + times(200_000, "9") + "\n", ":1:10: version " + times(40, "9") + "… is not known"},
	} {
		for _, flag := range []string{"--rules", "--limits"} {
			files := map[string]string{"hostile.yaml": test.text}
			cases = append(cases, refusedCase(test.name+" as "+flag, test.want, files, cube(flag, "hostile.yaml")))
		}
	}
	// Limit files may be larger, but not have as many values as fit.
	for _, test := range []struct{ name, text string }{
		{"2 million items", "version: [" + times(2e6, "1,") + "]"}, {"4 million brackets", times(4e6, "[")}, {"250,000 keys", numbered(250_000, "k%d: 1\n")},
	} {
		cases = append(cases, refusedCase(test.name, ": the file has too many keys and values",
			map[string]string{"hostile.yaml": test.text}, cube("--limits", "hostile.yaml")))
	}
	return cases
}

// hostileConditions are at line 6, column 7 of a rule file.
func hostileConditions() (cases []hostileCase) {
	for _, test := range []struct{ name, text, want string }{
		{"260,000 parentheses", times(260_000, "("), ":6:7: BOX_3100: the expression has 260000 characters; at most 4096"},
		{"as many parentheses as are read", times(4096, "("), ":6:4103: BOX_3100: the expression is not complete"},
		{"as many exclamation marks as are read", times(4096, "!"), ":6:4103: BOX_3100: the expression is not complete"},
		{"as many minus signs as are read", times(4096, "-"), ":6:4103: BOX_3100: the expression is not complete"},
		{"as many brackets as are read", times(4096, "["), ":6:7: BOX_3100: lists are not part of the language"},
		{"4,000 digits", times(4000, "9") + " > width", `:6:7: BOX_3100: "9999`},
		{"finely divided", "depth > 1" + times(2000, "/7"), ": BOX_3100: the numbers are too large"},
		{"large", "depth > 1" + times(200, "*999999999"), ": BOX_3100: the numbers are too large"},
		{"many pieces", "0" + times(9, "+max(width,depth)") + " > 1", ": BOX_3100: too many combinations"},
		{"a long range", "depth in 1..1000000000", ":6:13: BOX_3100: in is not part of the language"},
		{"a slow pattern", `"aaaaaaaaaaaaaaaaaaaaaaaa" matches "(a+)+$"`, ":6:7: BOX_3100: strings are not part of the language"},
		{"a loop", "all(1..1000000000, # > width)", `:6:7: BOX_3100: unknown function "all"`},
	} {
		files := map[string]string{"hostile.yaml": ruleFile(test.text)}
		cases = append(cases, refusedCase(test.name, test.want, files, cube("--rules", "hostile.yaml")))
	}
	return cases
}

// hostileLimits are those of smallShop with a part replaced.
func hostileLimits() (cases []hostileCase) {
	for _, test := range []struct{ name, old, new, want string }{
		{"200,000 zeros", "min: 1,", "min: 0." + times(200_000, "0") + "1,", ":7:18: articles.cube: the number has 200003 characters"},
		{"a code of 1,000 characters", "cube:", times(1000, "x") + ":", `:6:3: articles: "xxxx`},
		{"a code of 2,000 characters", "cube:", times(2000, "x") + ":", ":6:3: "},
		{"20,000 equal codes", "[BOX_3100]", "[" + times(20_000, "BOX_3100,") + "]", `:10:28: articles.cube: "BOX_3100" is listed twice`},
		{"a formula of parentheses", "[BOX_3100]", "[]\n    blank: {height: 1, width: '" + times(4096, "(") + "'}",
			": the expression is not complete"},
	} {
		files := map[string]string{"hostile.yaml": strings.Replace(smallShop, test.old, test.new, 1)}
		cases = append(cases, refusedCase(test.name, test.want, files, cube("--limits", "hostile.yaml")))
	}
	return cases
}

// hostileTogether are files that are legal, but would make more than is worth holding in memory.
func hostileTogether() (cases []hostileCase) {
	for _, test := range []struct{ name, rules, limits, want string }{
		{"1,000 articles in 1,000 materials", ruleFile("depth > width"), crossed(1000), ": articles.a12: too many products (an article in a material): at most 12000 in total"},
		{"a rule of 1,024 comparisons", ruleFile(pieces(1) + "||" + pieces(2)), smallShop,
			": BOX_3100: article cube in material board has too many comparisons"},
		{"1,024 comparisons before another rule", strings.Replace(ruleFile("depth > width"), "constraint:",
			"boundary:\n  - {code: BIG_0001, message: m, when: '"+pieces(1)+"||"+pieces(2)+"'}\nconstraint:", 1), smallShop,
			": BIG_0001: article cube in material board has too many comparisons"},
		{"1,000 rules of sums of maximums in 4,000 profiles",
			numberedRules(1000, "max(depth,width-%[1]d)+max(depth,width-%[1]d-1)+max(depth,width-%[1]d-2)+max(depth,width-%[1]d-3) > %[1]d*width"),
			selecting(1000, 20, 200), ": C_0066: article a0 in material m0 has too many comparisons: at most 1000"},
		{"300 rules that each article and material changes",
			numberedRules(300, "(caliper*depth > %[1]d+100 || width > %[1]d+900) && height*glue_flap "+
				"> %[1]d+900+min_depth"),
			selecting(300, 20, 16), ": C_0000: there are too many different comparisons"},
	} {
		files := map[string]string{"rules.yaml": test.rules, "limits.yaml": test.limits}
		cases = append(cases, refusedCase(test.name, test.want, files, cube("--rules", "rules.yaml", "--limits", "limits.yaml")))
	}
	return cases
}

const (
	goodRow  = "cube,board,30,20,10\n" // smallShop accepts the box
	badRow   = "cube,board,20,30,10\n" // and not this one
	goodLine = `{"article":"cube","material":"board","width":30,"depth":20,"height":10}` + "\n"
)

// oddNumbers are no plain decimals, though some reader may take them for numbers.
var oddNumbers = []string{
	".nan", "NaN", "inf", "-Infinity", "1_0", "0x1p3", "1e1", "+1", ".5", "5.", "1,5", "1 0", "1\u200b", "\uff11", "\u22121", "1\x00",
	"\u202e1", "1000000.001", "99999999999999999999", "- 1", "--1", "1-", "=1+1", "$1", "1%", "½", "",
}

// hostileRows are files in which every row that is a box is answered, up to one that is too long.
func hostileRows() (cases []hostileCase) {
	many := lab.Draws(50_000, 500_000)
	for _, test := range []rowsTest{
		{"a line of 10 MB", ".csv", titles + goodRow + times(10e6, "x") + "\n" + goodRow, 1, 0, 0,
			"boxrules: rows.csv:3: this row is longer than 262144 bytes"},
		{"a field of 10 MB", ".csv", titles + goodRow + `"` + times(10e6, "x") + "\"\n" + goodRow, 1, 0, 0,
			"boxrules: rows.csv:3: this row is longer"},
		{"a field of many lines", ".csv", titles + goodRow + `"` + times(many, goodRow) + "\"\n", many, 0, 2,
			"rows.csv:3: a quote that is never closed"},
		{"a header of 10 MB", ".csv", times(1_250_000, "article,") + "\n" + goodRow, 0, 0, 0, "boxrules: rows.csv:1: this row is longer"},
		{"60,000 fields", ".csv", titles + "x" + times(60_000, ",") + "\n" + goodRow, 1, 0, 1, "rows.csv:2: the row has 60001 fields"},
		{"zeros", ".csv", titles + "cube\x00,board,1,1,1\n\x00\n" + goodRow, 1, 0, 2, `rows.csv:2: article: unknown article "cube\x00"`},
		{"numbers", ".csv", titles + `cube,board,1,"` + strings.Join(oddNumbers, "\",1\ncube,board,1,\"") + "\",1\n" +
			goodRow, 1, 0, len(oddNumbers), `rows.csv:2: depth: ".nan" is not a dimension`},
		{"60,000 digits", ".csv", titles + "cube,board,1,0." + times(60_000, "0") + "1,1\n" + goodRow, 1, 0, 1,
			"rows.csv:2: depth: the number is 60003 "},
		{"many bad rows", ".csv", titles + times(many/5, "x\n"), 0, 0, many / 5, "rows.csv:2: the row has 1 field"},

		{"a line of 10 MB", ".ndjson", goodLine + times(10e6, "[") + "\n" + goodLine, 1, 0, 0, "boxrules: rows.ndjson:2: this row is longer"},
		{"arrays in arrays", ".ndjson", times(60_000, "[") + "\n" + times(30_000, "[") + times(30_000, "]") + "\n" +
			goodLine, 1, 0, 2, "rows.ndjson:1: not JSON"},
		{"objects in objects", ".ndjson", times(12_000, `{"a":`) + "\n" + goodLine, 1, 0, 1, "rows.ndjson:1: not JSON"},
		{"5,000 equal keys", ".ndjson", "{" + times(5000, `"width":1,`) + `"width":1}` + "\n" + goodLine, 1, 0, 1,
			"rows.ndjson:1: article: missing"},
		{"keys that are equal when read", ".ndjson", strings.Replace(goodLine, `"h`, `"w\u0069dth":2,"h`, 1) + goodLine, 1,
			0, 1, "rows.ndjson:1: width: given twice"},
		{"a second byte order mark", ".ndjson", goodLine + "\ufeff" + goodLine, 1, 0, 1, "rows.ndjson:2: not JSON"},
		{"half a character", ".ndjson", strings.Replace(goodLine, "cube", `\ud800`, 1) + goodLine, 1, 0, 1,
			"rows.ndjson:1: article: unknown article"},
		{"60,000 digits", ".ndjson", strings.Replace(goodLine, "30", times(60_000, "9"), 1) + goodLine, 1, 0, 1,
			"rows.ndjson:1: width: the number is 60000 "},

		// Unusual, but it is plain what the rows mean.
		{"blank lines", ".csv", times(many, "\n") + titles + times(many, "\r\n") + goodRow + badRow, 1, 1, 0, ""},
		{"20,000 columns", ".csv", times(20_000, ",") + titles + times(20_000, ",") + goodRow + times(20_000, ",") + badRow, 1, 1, 0, ""},
		{"exponents and escapes", ".ndjson", `{"\u0061rticle":"\u0063ube","material":"board","width":3e1,"depth":2000e-2,` +
			`"height":0.00000001E9,"a":{"width":[]}}`, 1, 0, 0, ""},
	} {
		cases = append(cases, test.hostile())
	}
	return cases
}

const (
	sheetHead = `<row><c t="str"><v>article</v></c><c t="str"><v>material</v></c><c t="str"><v>width</v></c>` +
		`<c t="str"><v>depth</v></c><c t="str"><v>height</v></c></row>`
	sheetRow = `<row><c t="str"><v>cube</v></c><c t="str"><v>board</v></c><c><v>30</v></c><c><v>20</v></c><c><v>10</v></c></row>`
)

// hostileWorkbooks are small files that took a library minutes, or much memory.
func hostileWorkbooks() (cases []hostileCase) {
	wide := func(more string) string { return sheetHead[:len(sheetHead)-len("</row>")] + more + "</row>" }
	for name, test := range map[string]struct {
		parts xlsxtest.Parts
		rowsTest
	}{
		"a row": {xlsxtest.Rows(sheetHead + sheetRow), rowsTest{valid: 1}},
		"20,000 rows with a cell in column XFD": {xlsxtest.Rows(sheetHead + numbered(20_000, `<row><c r="XFD1"><v>%d</v></c></row>`)),
			rowsTest{want: "boxrules: rows.xlsx:2: row 2 has a value in column 16384, but only 1000 columns are read"}},
		"a header in column XFD": {xlsxtest.Rows(wide(`<c r="XFD1"><v>1</v></c>`) + times(20_000, sheetRow)),
			rowsTest{want: "boxrules: rows.xlsx: row 1 has a value in column 16384"}},
		"40,000 sheets": {xlsxtest.Parts{xlsxtest.Book: "<workbook>" + numbered(40_000, `<sheet name="S%d"/>`) + "</workbook>"},
			rowsTest{want: "boxrules: rows.xlsx: the workbook has more than 1000 sheets"}},
		"100,000 styles": {xlsxtest.Parts{xlsxtest.Styles: "<styleSheet><cellXfs>" + times(100_000, "<xf/>") + "</cellXfs></styleSheet>"},
			rowsTest{want: "boxrules: rows.xlsx: the workbook has more than 65536 cell styles"}},
		"texts that unpack to much": {xlsxtest.Parts{xlsxtest.Texts: "<sst>" + times(300_000, "<si><t>x</t></si>") + "</sst>"},
			rowsTest{want: "boxrules: rows.xlsx: the workbook ("}},
		"a gap of a million rows": {xlsxtest.Rows(sheetHead + `<row r="1048576">` + sheetRow[len("<row>"):]), rowsTest{valid: 1}},
	} {
		cases = append(cases, test.workbook(name, test.parts, took{}))
	}
	return cases
}

// hostileLarge are files of a million rows, or as large as they may be.
func hostileLarge() (cases []hostileCase) {
	// A row in the middle is no box.
	for _, test := range []rowsTest{
		{"a million", ".csv", titles + times(500_000, goodRow) + "cube,board,1e1,1,1\n" + times(499_999, goodRow),
			999_999, 0, 1, `rows.csv:500002: width: "1e1" is not a dimension`},
		{"a million", ".ndjson", times(500_000, goodLine) + "{}\n" + times(499_999, goodLine), 999_999, 0, 1,
			"rows.ndjson:500001: article: missing"},
	} {
		cases = append(cases, test.hostile())
	}
	noise := make([]byte, 3<<20) // which makes what is unpacked small beside the file
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	for name, test := range map[string]struct {
		part, text string
		rowsTest
	}{
		"many texts": {xlsxtest.Texts, "<sst>" + times(6_000_000, "<si><t>x</t></si>") + "</sst>",
			rowsTest{want: "boxrules: rows.xlsx: the workbook contains more than 96 MiB of text"}},
		"a million rows": {xlsxtest.Sheet, xlsxtest.Worksheet(sheetHead + times(1_000_000, sheetRow)), rowsTest{valid: 1_000_000}},
		"empty cells":    {xlsxtest.Sheet, xlsxtest.Worksheet(sheetHead + "<row>" + times(60_000_000, "<c/>")), tooManyElements},
		"attributes":     {xlsxtest.Sheet, xlsxtest.Worksheet(sheetHead + times(25_000, "<x"+times(2000, ` a=""`)+"/>")), tooManyElements},
		"dates": {xlsxtest.Sheet, xlsxtest.Worksheet(sheetHead + times(11_000, "<row>"+times(1000, `<c s="1"><v>1.3</v></c>`)+"</row>")),
			rowsTest{noBox: 11_000, want: "rows.xlsx:2: the row has 1000 fields"}},
	} {
		parts := xlsxtest.Parts{"noise": string(noise), test.part: test.text}
		// SECURITY.md states these bounds for a workbook. The slowest, dates, takes 20 to 27 s of processor time, which
		// depends on the machine.
		cases = append(cases, test.workbook(name, parts, took{time.Minute, 300 << 20}))
	}
	return cases
}

// tooManyElements is for a workbook that takes long only because it has many elements.
var tooManyElements = rowsTest{want: "boxrules: rows.xlsx:2: the workbook has more than 40 million XML elements and attributes"}

// hostileArguments are command lines that name no box, or what is no file of them.
func hostileArguments() (cases []hostileCase) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"100,000 digits", cube("--width", times(100_000, "9")), "width: the number is 100000 characters"},
		{"escapes of a terminal", cube("--article", "\x1b[2J\u202e"), `article: unknown article "\x1b[2J\u202e"`},
		{"a directory", []string{"check", "--input", "csv", os.TempDir()}, "boxrules: "},
		{"a directory of rules", cube("--rules", os.TempDir()), "boxrules: --rules "},
		{"no end of rules", cube("--rules", "/dev/zero"), "/dev/zero:1:1: the file is too large"},
		{"no end of rows", []string{"check", "--input", "csv", "/dev/zero"}, "boxrules: /dev/zero:1: this row is longer than 262144 bytes"},
	} {
		if _, err := os.Stat("/dev/zero"); err == nil || !strings.Contains(strings.Join(test.args, " "), "/dev/zero") {
			c := refusedCase(test.name, test.want, nil, test.args)
			if !strings.HasPrefix(test.want, "boxrules: ") && test.want[0] != '/' {
				c.noBox = 1 // reported as an answer
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// unusualRules are rule files that say, in their own way, that the depth must not exceed the width.
func unusualRules() (cases []hostileCase) {
	for name, text := range map[string]string{
		"a byte order mark":  "\ufeff" + ruleFile("depth > width"),
		"CRLF":               strings.ReplaceAll(ruleFile("depth > width"), "\n", "\r\n"),
		"200 KB of comments": times(100_000, "#\n") + ruleFile("depth > width"),
		"2,000 parentheses":  ruleFile(times(2000, "(") + "depth > width" + times(2000, ")")),
		"1,000 negations":    ruleFile(times(1000, "not ") + "(depth > width)"),
		"4,000 signs":        ruleFile(times(4000, "-") + "depth > width"),
		"250 repetitions":    ruleFile(times(250, "depth > width||") + "depth > width"),
		"256 pieces":         ruleFile("0" + times(8, "+max(depth,depth-1)") + " > 8*width"),
		"1,000 empty lines":  ruleFile("depth\n" + times(1000, "      \n") + "      > width"),
	} {
		cases = append(cases, hostileCase{name: name, files: map[string]string{"unusual.yaml": text},
			args: cube("--rules", "unusual.yaml", "--depth", "31"), status: 1, invalid: 1})
	}
	return cases
}

// A rowsTest is a file of rows: how many of them are valid, invalid and not a box, and the start
// of a complaint.
type rowsTest struct {
	name, kind, text      string
	valid, invalid, noBox int
	want                  string
}

// hostile is the case of the rows.
func (r rowsTest) hostile() hostileCase {
	c := hostileCase{name: r.name + " as " + r.kind, files: map[string]string{"rows" + r.kind: r.text}, want: r.want,
		args:  []string{"check", "--limits", "shop.yaml", "--format", "json", "rows" + r.kind},
		valid: r.valid, invalid: r.invalid, noBox: r.noBox, status: min(1, r.invalid)}
	if r.want != "" {
		c.status = 2
	}
	return c
}

func (r rowsTest) workbook(name string, parts xlsxtest.Parts, bound took) hostileCase {
	r.name, r.kind, r.text = name, ".xlsx", string(xlsxtest.File(parts))
	c := r.hostile()
	c.bound = bound
	return c
}

// cube are the arguments that check a valid box, and some that come after them.
func cube(more ...string) []string {
	if !slices.Contains(more, "--limits") {
		more = append(more, "--limits", "shop.yaml")
	}
	return append(append([]string{"check", "--format", "json"}, box("cube", "board", "30", "20", "10")...), more...)
}

func ruleFile(condition string) string {
	return "version: 1\nconstraint:\n  - code: BOX_3100\n    message: m\n    when: |-\n      " + condition + "\n"
}

// pieces is a condition of 512 half-spaces: one for every combination of eight maximums, in both
// directions.
func pieces(k int) string {
	var sum []string
	for i := range 8 {
		sum = append(sum, fmt.Sprintf("max(%d*width,%d*depth)", 1<<i, 2*k+1))
	}
	return strings.Join(sum, "+") + "==1"
}

// numberedRules returns n constraints of the same form.
func numberedRules(n int, condition string) string {
	return "version: 1\nconstraint:\n" + numbered(n, "  - {code: C_%04[1]d, message: m, when: '"+condition+"'}\n")
}

// selecting returns a limit file with this number of articles, each offered in this number of
// materials. They select all rules of numberedRules.
func selecting(rules, articles, materials int) string {
	return "version: 1\nunit: mm\nsheets: {s: {width: 9, height: 9}}\nmaterials:\n" +
		numbered(materials, "  m%[1]d: {caliper: 0.%[1]d1, glue_flap: %[1]d, sheet: s}\n") +
		"articles:\n" + numbered(articles, "  a%[1]d: {width: {min: 1, max: 9}, "+
		"depth: {min: 0.%[1]d1, max: 9}, height: {min: 1, max: 9}, constraints: ["+
		numbered(rules, "C_%04d, ")+"]}\n")
}

// crossed returns a limit file of n articles, each offered in n materials.
func crossed(n int) string {
	return "version: 1\nunit: mm\nsheets: {s: {width: 9, height: 9}}\nmaterials:\n" +
		numbered(n, "  m%d: {caliper: 1, glue_flap: 0, sheet: s}\n") +
		"articles:\n" + numbered(n, "  a%d: {width: {min: 1, max: 9}, depth: {min: 1, max: 9}, height: {min: 1, max: 9}, constraints: []}\n")
}

func times(n int, text string) string { return strings.Repeat(text, n) }

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// staircase nests mappings, each a column further in.
func staircase() string {
	var b strings.Builder
	for i := range 600 {
		b.WriteString(times(i, " ") + "a:\n")
	}
	return b.String()
}

// laughs would be a list of a billion items, were its aliases followed.
func laughs() string {
	text := "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for i := range 9 {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, times(10, fmt.Sprintf("*a%d,", i)))
	}
	return text
}
