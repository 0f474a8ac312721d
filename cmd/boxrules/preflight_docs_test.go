package main

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestPreflightDocs runs the server as in docs/preflight.md: each curl gets the answer below it, and the
// command of the systemd unit exists.
func TestPreflightDocs(t *testing.T) {
	data := readFile(t, "../../docs/preflight.md")
	unit := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/boxrules (.*)$`).FindStringSubmatch(string(data))
	if unit == nil {
		t.Fatal("docs/preflight.md has no unit")
	}
	if got := ask(t, "", append(strings.Fields(unit[1]), "--help")...); got.status != 0 {
		t.Errorf("the unit's command: %s", got.err)
	}
	curls := regexp.MustCompile("(?s)```sh\n(curl .*?)```\n\n```json\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	if len(curls) != 2 {
		t.Fatalf("docs/preflight.md shows %d curls with their answers, want 2", len(curls))
	}
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no curl here, and in CI this test must run")
		}
		t.Skip("SKIPPED: there is no curl here")
	}
	token := regexp.MustCompile(`(?m)^ +(curl .*/v1/oauth2/token)$`).FindStringSubmatch(string(data))
	if token == nil {
		t.Fatal("docs/preflight.md shows no curl for a token")
	}
	sandbox := startServe(t, "--sandbox")
	ask := strings.Replace(strings.ReplaceAll(token[1], "http://127.0.0.1:8080", sandbox.url), "curl ", "curl --silent ", 1)
	if got, err := exec.Command("sh", "-c", ask).Output(); err != nil || !strings.Contains(string(got), `"access_token":"`) {
		t.Errorf("%s answers\n%s(%v), want a token", token[1], got, err)
	}
	s := startServe(t, "--preflight")
	for _, curl := range curls {
		command := strings.ReplaceAll(curl[1], "http://127.0.0.1:8080", s.url)
		got, err := exec.Command("sh", "-c", strings.Replace(command, "curl ", "curl --silent ", 1)).Output()
		if err != nil || string(got) != curl[2] {
			t.Errorf("%sanswers\n%s(%v), the document has\n%s", curl[1], got, err, curl[2])
		}
	}
}

// TestContainerDocs starts the command with the flags of the container in docs/install.md.
func TestContainerDocs(t *testing.T) {
	data := readFile(t, "../../docs/install.md")
	var containers []struct{ Args []string }
	block := regexp.MustCompile("(?s)```yml\n(.*?)```").FindSubmatch(data)
	if block == nil || yaml.Unmarshal(block[1], &containers) != nil || len(containers) != 1 {
		t.Fatalf("the containers are %+v", containers)
	}
	if got := ask(t, "", append(containers[0].Args, "--help")...); got.status != 0 {
		t.Errorf("the container's command: %s", got.err)
	}
}

// operatorsDocs is the part of docs/preflight.md that begins with the heading.
func operatorsDocs(t *testing.T, heading string) string {
	t.Helper()
	data := readFile(t, "../../docs/preflight.md")
	_, text, ok := strings.Cut(string(data), "\n### "+heading+"\n")
	if !ok {
		t.Fatalf("docs/preflight.md has no part %s", heading)
	}
	text, _, _ = strings.Cut(text, "\n##")
	return text
}

// firstColumn are the names in the first column of the table that begins with the head.
func firstColumn(text, head string) (names []string) {
	_, rows, _ := strings.Cut(text, "\n| "+head+" |")
	rows, _, _ = strings.Cut(rows, "\n\n")
	for _, row := range strings.Split(rows, "\n")[2:] {
		for _, name := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			names = append(names, name[1])
		}
	}
	return names
}

// TestMetricsDocs says that the document has the metrics and outcomes that there are, and no
// others, and that its alerts ask for such.
func TestMetricsDocs(t *testing.T) {
	docs := operatorsDocs(t, "Metrics")
	s := startServe(t, "--preflight", "--metrics", "127.0.0.1:0")
	s.get(t, dielinePath+"?"+badBox)
	s.waitFor(t, series{requestsOf(dielinePath, "refused", "BOX_2100"): 1})
	text, _ := s.scrape(t)
	have, shown := make(map[string]string), make(map[string]string)
	for _, line := range regexp.MustCompile(`(?m)^# TYPE (boxrules_\w+) (\w+)$`).FindAllStringSubmatch(text, -1) {
		have[line[1]] = line[2]
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `(boxrules_\\w+)` \\| (\\w+) \\|").FindAllStringSubmatch(docs, -1) {
		shown[row[1]] = row[2]
	}
	if !maps.Equal(have, shown) {
		t.Errorf("the metrics are %v, the document has %v", have, shown)
	}
	outcomes := make(map[string]bool)
	for _, label := range regexp.MustCompile(`outcome="([^"]+)"`).FindAllStringSubmatch(text, -1) {
		outcomes[label[1]] = true
	}
	got, want := slices.Sorted(slices.Values(firstColumn(docs, "`outcome`"))), slices.Sorted(maps.Keys(outcomes))
	if !slices.Equal(got, want) {
		t.Errorf("the document has the outcomes %q, want %q", got, want)
	}
	block := regexp.MustCompile("(?s)```yml\n(.*?)```").FindStringSubmatch(docs)
	var alerts struct {
		Groups []struct {
			Name  string
			Rules []struct{ Alert, Expr, For string }
		}
	}
	if block == nil || yaml.Unmarshal([]byte(block[1]), &alerts) != nil || len(alerts.Groups) != 1 || len(alerts.Groups[0].Rules) != 5 {
		t.Fatalf("the alerts are %+v", alerts)
	}
	for _, rule := range alerts.Groups[0].Rules {
		asked := regexp.MustCompile(`(boxrules_\w+)(?:\{(.*?)\})?`).FindAllStringSubmatch(rule.Expr, -1)
		for _, series := range asked {
			if have[series[1]] == "" || !strings.Contains(text, series[2]) {
				t.Errorf("%s asks for %s, which there is not", rule.Alert, series[0])
			}
		}
		if len(asked) == 0 {
			t.Errorf("%s asks for nothing", rule.Alert)
		}
	}
}

// TestLogDocs says the same of the fields of a request in the log.
func TestLogDocs(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-Request-Id", "theirs") }))
	defer service.Close()
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.URL, "--log", "json")
	fields := make(map[string]bool)
	for _, target := range []string{dieline, dielinePath + "?" + badBox} {
		s.get(t, target)
		line, err := s.stderr.ReadString('\n')
		noError(t, err)
		for name := range jsonLine(t, line) {
			fields[name] = true
		}
	}
	got, want := slices.Sorted(slices.Values(firstColumn(operatorsDocs(t, "The log"), "Field"))), slices.Sorted(maps.Keys(fields))
	if !slices.Equal(got, want) {
		t.Errorf("the document has the fields %q, want %q", got, want)
	}
}

// TestProbesDocs: the server answers the documented probes of Kubernetes.
func TestProbesDocs(t *testing.T) {
	s := startServe(t, "--preflight")
	probes := regexp.MustCompile(`httpGet: \{path: (/\w+), port: 8080\}`).FindAllStringSubmatch(string(readFile(t, "../../docs/install.md")), -1)
	for _, probe := range probes {
		if response, _ := s.get(t, probe[1]); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", probe[1], response.Status)
		}
	}
	if len(probes) != 2 {
		t.Errorf("%d probes, want 2", len(probes))
	}
}
