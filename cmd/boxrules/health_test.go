package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

func TestHealth(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/readyz", http.StatusFound)
		case "/x":
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{server.URL + "/readyz"}, 0, ""},
		{[]string{server.URL + "/x"}, 1, "boxrules: " + server.URL + "/x answers 503 Service Unavailable: shutting down\n"},
		{[]string{server.URL + "/moved"}, 1, "boxrules: " + server.URL + "/moved answers 302 Found: "},
		{[]string{gone.URL}, 1, "boxrules: Get "},
		{[]string{"127.0.0.1:8080/readyz"}, 2, `boxrules: "127.0.0.1:8080/readyz" is not an http or https URL; give one such as http`},
		{nil, 2, "boxrules: 0 URLs are given; give one, such as http://127.0.0.1:8080/readyz; run '"},
	} {
		got := ask(t, "", append([]string{"health"}, test.args...)...)
		if got.status != test.status || !strings.HasPrefix(got.err, test.want) || got.out != "" || (test.want == "") != (got.err == "") {
			t.Errorf("health %q: status %d, says %q, want %d, %q", test.args, got.status, got.err, test.status, test.want)
		}
	}
}

// TestSidecarExamples starts what examples/sidecar/compose.yaml starts, in front of a sandbox, and
// runs the two clients.
func TestSidecarExamples(t *testing.T) {
	const folder = "../../examples/sidecar/"
	text, err := os.ReadFile(folder + "compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services struct {
			Boxrules struct {
				Command     []string
				Healthcheck struct{ Test []string }
			}
		}
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	sandbox := startServe(t, "--sandbox", "--log", "off")
	arguments := strings.NewReplacer("/limits.yaml", "../../limits/illustrative.yaml", "https://api.example.com", sandbox.url)
	var args []string
	for _, arg := range compose.Services.Boxrules.Command[1:] {
		args = append(args, arguments.Replace(arg))
	}
	sidecar := startServe(t, args[:len(args)-2]...) // without the address
	check := compose.Services.Boxrules.Healthcheck.Test
	if got := ask(t, "", check[2], sidecar.url+"/readyz"); check[1] != "/boxrules" || got.status != 0 {
		t.Errorf("%q: status %d, %s", check, got.status, got.err)
	}
	for _, client := range [][]string{{"php", "quote.php"}, {"python3", "quote.py"}} {
		if _, err := exec.LookPath(client[0]); err != nil {
			if os.Getenv("CI") != "" {
				t.Error(err)
			}
			t.Logf("SKIPPED: %v", err)
			continue
		}
		out, _ := exec.Command(client[0], folder+client[1], sidecar.url).CombinedOutput()
		if want := "BOX_3100: depth 141 > width 48; turn it to 141 x 48 x 184"; !strings.HasPrefix(string(out), want) {
			t.Errorf("%s says %s, want %s…", client[1], out, want)
		}
	}
}
