package test

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"testing"
)

var inNode = flag.Bool("form.node", false, "run generated modules in node, which is faster than the interpreter that needs none")

// A javaScript runs generated modules, one after the other. One goroutine at a time may use it.
type javaScript struct {
	to   *json.Encoder // node's, nil for the interpreter
	from *bufio.Reader
}

// newJavaScript starts node where the flag says so.
func newJavaScript(t testing.TB) *javaScript {
	t.Helper()
	if !*inNode {
		return &javaScript{}
	}
	// Each line has a request, and code where it is for another module than the one before.
	command := exec.Command("node", "-e", `
let answer;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { code, request } = JSON.parse(line);
  if (code) answer = new Function(code + "; return answer;")();
  const before = process.cpuUsage();
  const result = answer(request);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(JSON.stringify({ result, cpu: (user + system) / 1e6 }) + "\n");
});`)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
	})
	return &javaScript{json.NewEncoder(in), bufio.NewReader(out)}
}

// answers loads a module as a script and code that defines the function answer, for one request
// that is JSON. What it returns puts requests to it, sets reply to the answer, and gives the
// seconds of CPU time that node took.
func (j *javaScript) answers(t testing.TB, module []byte, code string) func(request, reply any) (cpu float64) {
	t.Helper()
	if j.to == nil {
		m := runScript(t, module, code+"\nconst reply = (text) => JSON.stringify(answer(JSON.parse(text)));")
		var function func(string) string
		m.function(t, "reply", &function)
		return func(request, reply any) float64 {
			asked, err := json.Marshal(request)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(function(string(asked))), reply); err != nil {
				t.Fatal(err)
			}
			return 0
		}
	}
	line := struct {
		Code    string `json:"code,omitempty"`
		Request any    `json:"request"`
	}{Code: string(module) + code}
	return func(request, reply any) float64 {
		line.Request = request
		if err := j.to.Encode(line); err != nil {
			t.Fatal(err)
		}
		line.Code = ""
		text, err := j.from.ReadBytes('\n')
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		answer := struct {
			Result any     `json:"result"`
			CPU    float64 `json:"cpu"`
		}{Result: reply}
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		return answer.CPU
	}
}
