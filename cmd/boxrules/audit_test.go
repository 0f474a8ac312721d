package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"example.com/boxrules/sandbox"
)

// TestAuditService: audit asks about each box that proves a limit file once, and reports answers that
// differ from the file. Without an answer to each, the file is not proved.
func TestAuditService(t *testing.T) {
	hidden := write(t, "hidden.yaml", oneHidden)
	looser := write(t, "looser.yaml", strings.Replace(oneHidden, "max: 250", "max: 260", 1))
	proof := ask(t, "", "audit", "--limits", hidden, "--next")
	boxes := strings.Count(proof.out, "\n") - 1
	f, clock := newFakeService(t, engineOf(t, hidden), sandbox.Options{}), newClock()
	record := filepath.Join(t.TempDir(), "record.ndjson")
	questions := fmt.Sprintf("boxrules: %d questions about 1 product, one every 1s, to %s\n", boxes, f.URL)
	counted := fmt.Sprintf("%d answers: %[1]d as expected, 0 not\n", boxes)

	got := f.run(t, clock, "", "audit", "--limits", hidden, "--record", record, "--yes")
	want := answer{"", questions + fmt.Sprintf("boxrules: %d questions were asked\n", boxes) + counted, 0}
	if got != want || f.dielines() != boxes {
		t.Fatalf("audit --service = %+v after %d questions, want %+v", got, f.dielines(), want)
	}
	got = f.run(t, clock, "", "audit", "--limits", hidden, "--record", record)
	if want = (answer{"", counted, 0}); got != want || f.dielines() != boxes {
		t.Errorf("with all of it recorded: %+v, want %+v", got, want)
	}
	got = f.run(t, clock, "y\n", "audit", "--limits", looser)
	if got.status != 1 || !strings.Contains(got.out, "expected BOX_3100, answered BOX_2103\n") ||
		!strings.Contains(got.out, "tuck-end max_depth is 260 in "+looser) ||
		!strings.Contains(got.err, "without --record the answers are not saved\n") {
		t.Errorf("of a looser file: %+v", got)
	}
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		return strings.Contains(r.URL.RawQuery, "depth=230&height=30&") && refuse(w, http.StatusConflict)
	}
	got = f.run(t, clock, "", "audit", "--limits", hidden, "--yes")
	if got.status != 2 || !strings.Contains(got.err, "boxrules: there is no answer for 1 of the boxes that prove the limits\n") {
		t.Errorf("where boxes get no answer: %+v", got)
	}
	got = f.run(t, clock, "", "audit", "--limits", hidden, "--next")
	if got.status != 2 || !strings.Contains(got.err, "both --service and --next are given; use only one of them") {
		t.Errorf("with --next: %+v", got)
	}
}
