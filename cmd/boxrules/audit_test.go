package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// auditOf runs audit of limits on answers from stdin.
func auditOf(t testing.TB, limits, text string, more ...string) answer {
	t.Helper()
	return ask(t, text, append([]string{"audit", "--limits", limits, "--input", "csv", "-"}, more...)...)
}

// What a service says whose limits are others than those of oneHidden: wider in depth, narrower in width, with another
// constraint, and a smaller sheet.
const otherAnswers = datedHeader +
	"tuck-end,carton-300,143,50,303,ok,2026-03-01T00:00:00Z\n" +
	"tuck-end,carton-300,200,252,140,ok,2026-03-02T00:00:00Z\n" +
	"tuck-end,carton-300,300,299,303,BOX_2103,2026-03-03T00:00:00Z\n" +
	"tuck-end,carton-300,400,252,40,BOX_2101,2026-03-04T00:00:00Z\n" +
	"tuck-end,carton-300,48,141,184,ok,2026-03-05T00:00:00Z\n" +
	"tuck-end,carton-300,143,50,60,BOX_3120,2026-03-06T00:00:00Z\n" +
	"tuck-end,carton-300,250,240,130,BOX_4100,2026-03-07T00:00:00Z\n"

func TestAudit(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	want := answer{strings.ReplaceAll(`row 2: tuck-end in carton-300 200 x 252 x 140: expected BOX_2103, answered valid
row 4: tuck-end in carton-300 400 x 252 x 40: expected BOX_2103, answered BOX_2101
row 5: tuck-end in carton-300 48 x 141 x 184: expected BOX_3100, answered valid
row 6: tuck-end in carton-300 143 x 50 x 60: expected valid, answered BOX_3120
row 7: tuck-end in carton-300 250 x 240 x 130: expected valid, answered BOX_4100
tuck-end max_width is 400 in LIMITS:7:27; the answers say 300 to 399, rows 3 and 4
tuck-end max_depth is 250 in LIMITS:8:27; the answers say 252 to 298, rows 2 and 3
tuck-end BOX_3100 is selected in LIMITS:10:19; the answers say that it is not, row 5
tuck-end BOX_3120 is not selected in LIMITS:6:3; the answers say that it is, row 6
carton-300 sheet is 1040 x 720 in LIMITS:3:10; the answers say at least 919 x 694, not 995 x 660, rows 2 and 7
`, "LIMITS", limits), "7 answers: 2 as expected, 5 not\n", 1}
	if got := auditOf(t, limits, otherAnswers); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestAuditOffGrid: an answer to what has more decimals than the file takes, three at most, proves
// nothing.
func TestAuditOffGrid(t *testing.T) {
	limits := write(t, "limits.yaml", strings.Replace(oneHidden, "unit: mm", "unit: mm\ndecimals: 1", 1))
	const ok = "tuck-end,carton-300,143,50,303,ok\n"
	want := answer{"", "boxrules: nothing is learned from dimensions with too many decimals: 2 rows, the first is row 2\n" +
		"1 answer: 1 as expected, 0 not\n", 0}
	text := answerHeader + ok + "tuck-end,carton-300,143.25,50,303,ok\ntuck-end,carton-300,143.25,50,303,BOX_2101\n"
	if got := auditOf(t, limits, text); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	limits = write(t, "limits.yaml", oneHidden)
	text = answerHeader + ok + "tuck-end,carton-300,400.0004,50,303,BOX_2101\ntuck-end,carton-300,400.0004,50,303,BOX_9999\n"
	for _, more := range [][]string{nil, {"--format", "json"}} {
		if got := auditOf(t, limits, text, more...); got != want {
			t.Errorf("%q: %+v, want %+v", more, got, want)
		}
	}
}

// TestAuditUnknownCode: a refusal by a code that the rules do not have is a difference, whatever
// the limits say of the box.
func TestAuditUnknownCode(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	for row, want := range map[string]string{
		"tuck-end,carton-300,143,50,303,BOX_9999": "row 1: tuck-end in carton-300 143 x 50 x 303: expected valid, answered BOX_9999\n",
		"tuck-end,carton-300,19,50,303,BOX_9999":  "row 1: tuck-end in carton-300 19 x 50 x 303: expected BOX_2100, answered BOX_9999\n",
		"tuck-end,carton-300,143,50,303,OWN_0001": "row 1: tuck-end in carton-300 143 x 50 x 303: expected valid, answered OWN_0001\n",
	} {
		code := row[len(row)-8:]
		said := "boxrules: nothing is learned from " + code + ": 1 row, the first is row 1\n1 answer: 0 as expected, 1 not\n"
		if got := auditOf(t, limits, answerHeader+row+"\n"); got != (answer{want, said, 1}) {
			t.Errorf("%s: %+v, want %q and %q", row, got, want, said)
		}
	}
}

// TestAuditJSON: the same in JSON, a line each.
func TestAuditJSON(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	got := auditOf(t, limits, otherAnswers, "--format", "json")
	var rows []int
	refuted := make(map[string]string)
	for line := range strings.Lines(got.out) {
		var r struct {
			Row                             int
			What, State, Expected, Answered string
			Value                           any
			Position                        struct{ Line, Column int }
			Least, Greatest                 float64
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Row > 0 {
			rows = append(rows, r.Row)
		} else {
			refuted[r.What] = fmt.Sprint(r.State, r.Value, r.Position, r.Least, r.Greatest)
		}
	}
	if got.status != 1 || fmt.Sprint(rows) != "[2 4 5 6 7]" || len(refuted) != 5 || refuted["max_depth"] != "open250 {8 27} 252 298" {
		t.Errorf("%+v, rows %v, %q", got, rows, refuted)
	}
}

// TestAuditAgrees: answers that are as expected, and no answers at all, are no finding; nor is what is no answer.
func TestAuditAgrees(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	for text, want := range map[string]string{
		answerHeader: "0 answers: 0 as expected, 0 not\n",
		answerHeader + "tuck-end,carton-300,143,50,303,ok\ntuck-end,carton-300,19,50,303,BOX_2100\n": "2 answers: 2 as expected, 0 not\n",
		answerHeader + "tuck-end,carton-300,143,50,303,QTT_1114\nmailer,x,19,50,303,DLN_1101\ntuck-end,carton-300,143,50,303,ok\n": "boxrules: " +
			"nothing is learned from QTT_1114: 1 row, the first is row 1\nboxrules: nothing is learned from DLN_1101: 1 row, the first is row 2\n" +
			"1 answer: 1 as expected, 0 not\n",
	} {
		if got := auditOf(t, limits, text); got != (answer{"", want, 0}) {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	if got := auditOf(t, limits, answerHeader+"tuck-end,carton-300,x,50,303,ok\n"); got.status != 2 || got.out != "" ||
		!strings.HasPrefix(got.err, "boxrules: stdin:2: row 1: width: ") {
		t.Errorf("%+v", got)
	}
}

// TestAuditManyRows: of many rows that differ a few are shown, all of them in JSON.
func TestAuditManyRows(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	text := answerHeader + strings.Repeat("tuck-end,carton-300,19,50,303,ok\n", 1000)
	got := auditOf(t, limits, text)
	if got.status != 1 || strings.Count(got.out, "\n") != 23 || !strings.Contains(got.out, "\nand 980 rows more\n") {
		t.Errorf("%+v", got)
	}
	if got := auditOf(t, limits, text, "--format", "json"); strings.Count(got.out, "\n") != 1002 {
		t.Errorf("%d lines of JSON", strings.Count(got.out, "\n"))
	}
}

// TestAuditContradiction: answers that contradict each other are told, and end with 1.
func TestAuditContradiction(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	got := auditOf(t, limits, datedHeader+"tuck-end,carton-300,143,50,303,ok,2026-03-01T00:00:00Z\n"+
		"tuck-end,carton-300,143,50,303,BOX_2101,2026-03-02T00:00:00Z\n")
	want := "row 2: tuck-end in carton-300 143 x 50 x 303: expected valid, answered BOX_2101\n" +
		"tuck-end max_width: rows 1 and 2 cannot all be true, since 2026-03-02T00:00:00Z\n"
	if got != (answer{want, "2 answers: 1 as expected, 1 not\n", 1}) {
		t.Errorf("%+v, want %q", got, want)
	}
}

// TestAuditFineLimits: limits with decimals are compared on as fine a grid.
func TestAuditFineLimits(t *testing.T) {
	limits := write(t, "limits.yaml", strings.NewReplacer("max: 400", "max: 400.25", "height: 720", "height: 719.5").Replace(oneHidden))
	text := answerHeader + "tuck-end,carton-300,400.25,20,40,ok\ntuck-end,carton-300,400.26,20,40,BOX_2101\n"
	if got := auditOf(t, limits, text); got.status != 0 || got.out != "" {
		t.Errorf("%+v", got)
	}
	text = answerHeader + "tuck-end,carton-300,400.3,20,40,ok\ntuck-end,carton-300,400.4,20,40,BOX_2101\n"
	if got := auditOf(t, limits, text); got.status != 1 ||
		!strings.HasSuffix(got.out, "rows 1 and 2 cannot all be true: no multiple of 0.25 explains both: is the step finer?\n") {
		t.Errorf("%+v", got)
	}
	if got := auditOf(t, limits, text, "--step", "0.1"); got.status != 1 ||
		!strings.Contains(got.out, ":7:27; the answers say 400.3 to 400.35, rows 1 and 2\n") {
		t.Errorf("%+v", got)
	}
	fine := write(t, "fine.yaml", strings.Replace(oneHidden, "max: 400", "max: 1400.001", 1))
	want := "boxrules: " + fine + ": limits that are multiples of 0.001 cannot be audited above 1000\n"
	if got := auditOf(t, fine, text); got != (answer{"", want, 2}) {
		t.Errorf("%+v", got)
	}
}

// TestAuditNext: the boxes that are written have the codes to expect, and with these answers everything is learned.
func TestAuditNext(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	proof := ask(t, "", "audit", "--limits", limits, "--next")
	if proof.status != 0 || proof.err != "" || !strings.HasPrefix(proof.out, answerHeader) || strings.Count(proof.out, "\n") > 20 {
		t.Errorf("%+v", proof)
	}
	if got := auditOf(t, limits, proof.out); got.status != 0 {
		t.Errorf("%+v", got)
	}
	if got := learnFrom(t, "csv", proof.out); got.status != 0 || strings.Contains(got.out, "open ") {
		t.Errorf("%+v", got)
	}
	one := ask(t, "", "audit", "--limits", "../../limits/illustrative.yaml", "--next", "--article", "mailer", "--material", "b-flute")
	for line := range strings.Lines(strings.TrimPrefix(one.out, answerHeader)) {
		if !strings.HasPrefix(line, "mailer,b-flute,") {
			t.Error(line)
		}
	}
	if one.status != 0 || strings.Count(one.out, "\n") < 8 {
		t.Errorf("%+v", one)
	}
}

func TestAuditUsage(t *testing.T) {
	limits := write(t, "limits.yaml", oneHidden)
	for args, want := range map[string]string{
		"a.csv":                      "--limits is missing; accepted: --limits FILE, the limits to audit",
		"--limits F":                 "no answers are given; accepted: files, or - for stdin, or --next",
		"--limits F --next a.csv":    "--next is given with files or --format; accepted: boxes as CSV alone",
		"--limits F --step 0 a.csv":  "--step 0; accepted: a number greater than 0",
		"--limits F --step 1x a.csv": `--step: "1x" is not a dimension; accepted: a plain decimal such as 48 or 48.5`,
	} {
		got := ask(t, "", strings.Fields(strings.ReplaceAll("audit "+args, " F", " "+limits))...)
		if want := (answer{"", "boxrules: " + want + "; run 'boxrules audit --help'\n", 2}); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
	if got := ask(t, "", "audit", "--limits", write(t, "frame.yaml", oneFrame), "a.csv"); got.status != 2 ||
		!strings.Contains(got.err, "missing") {
		t.Errorf("a frame: %+v", got)
	}
}
