package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"example.com/boxrules/form"
	"example.com/boxrules/internal/lab"
)

// policy is what the strictest pages allow: their own files, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'"

// pages serves the package with more pages of the test's own, under the policy. In a page that is
// asked for with ?scriptless there is no JavaScript.
func pages(t *testing.T, more map[string]string) string {
	t.Helper()
	files := http.FileServerFS(form.Files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		if r.URL.Query().Has("scriptless") {
			w.Header().Add("Content-Security-Policy", "sandbox allow-same-origin")
		}
		if r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if text, ok := more[r.URL.Path]; ok {
			if strings.HasSuffix(r.URL.Path, ".js") {
				w.Header().Set("Content-Type", "text/javascript")
			}
			_, _ = w.Write([]byte(text))
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A look is how a visitor has asked a browser to show pages.
type look struct{ dark, still bool }

// inBrowsers runs a test in Chromium and in Firefox, where CI does.
func inBrowsers(t *testing.T, test func(*testing.T, *tab)) {
	lab.OnlyCI(t, "in Chromium and Firefox")
	t.Run("chromium", func(t *testing.T) { test(t, open(t, chromium, look{})) })
	t.Run("firefox", func(t *testing.T) { test(t, open(t, firefox, look{})) })
}

// A browser is a real browser, which is driven by WebDriver BiDi. To start one takes seconds, so
// the tests share it.
type browser struct {
	socket *websocket.Conn

	guard      sync.Mutex
	sent       int
	waiting    map[int]chan answer
	complaints []string
}

type answer struct {
	result json.RawMessage
	err    error
}

// A kind is a browser with a look.
type kind struct {
	program program
	look    look
}

var (
	browsers = map[kind]*browser{} // that were started
	endings  []func()              // what is to be done after all tests
)

// TestMain ends what the tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, end := range slices.Backward(endings) {
		end()
	}
	os.Exit(code)
}

// A tab is a tab of a browser for one test, with cookies and a history of its own.
type tab struct {
	*browser
	t       *testing.T
	context string // what the protocol calls the tab
	ctx     context.Context
}

// open opens a tab. What its console and the policy complain of fails the test.
func open(t *testing.T, p program, l look) *tab {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // so that a page that hangs ends the test
	t.Cleanup(cancel)
	b := &tab{browser: browsers[kind{p, l}], t: t, ctx: ctx}
	if b.browser == nil {
		b.launch(p, l)
		browsers[kind{p, l}] = b.browser
	}
	var user struct{ UserContext string }
	if err := json.Unmarshal(b.must("browser.createUserContext", object{}), &user); err != nil {
		t.Fatal(err)
	}
	var made struct{ Context string }
	asked := object{"type": "tab", "userContext": user.UserContext}
	if err := json.Unmarshal(b.must("browsingContext.create", asked), &made); err != nil {
		t.Fatal(err)
	}
	b.context = made.Context
	b.must("browsingContext.activate", object{"context": b.context})
	t.Cleanup(func() {
		_, _ = b.call("browser.removeUserContext", object{"userContext": user.UserContext}) // with its tab
		b.guard.Lock()
		defer b.guard.Unlock()
		for _, complaint := range b.complaints {
			t.Errorf("the browser complains: %s", complaint)
		}
		b.complaints = nil
	})
	return b
}

// launch starts the browser of a tab.
func (b *tab) launch(p program, l look) {
	b.t.Helper()
	url, session := starts[p](b.t, l)
	socket, _, err := websocket.Dial(b.ctx, url, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	socket.SetReadLimit(-1)
	b.browser = &browser{socket: socket, waiting: map[int]chan answer{}}
	go b.browser.listen()
	shared := b.browser
	endings = append(endings, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_, _ = shared.call(ctx, "browser.close", object{})
	})
	if !session {
		b.must("session.new", object{"capabilities": object{}})
	}
	b.must("session.subscribe", object{"events": []string{"log.entryAdded", "script.message"}})
	b.must("script.addPreloadScript", object{
		"functionDeclaration": `(complain) => {
  addEventListener("securitypolicyviolation", (e) => complain(e.violatedDirective + " forbids " + e.blockedURI));
}`,
		"arguments": []object{{"type": "channel", "value": object{"channel": "policy"}}},
	})
}

type object map[string]any

// A program is a browser's.
type program string

const (
	chromium program = "chromium"
	firefox  program = "firefox"
)

// starts start the programs, and give the address of the protocol, and whether it has a session
// already.
var starts = map[program]func(*testing.T, look) (socket string, session bool){chromium: startChromium, firefox: startFirefox}

// startChromium starts Chromium by its driver.
func startChromium(t *testing.T, l look) (socket string, session bool) {
	t.Helper()
	driver, program := installed(t, "chromium-driver", "chromedriver"), installed(t, "chromium", "chromium")
	port := said(t, exec.Command(driver, "--port=0"), `successfully on port (\d+)`)
	arguments := []string{"--headless", "--no-sandbox", "--lang=en-GB"}
	if l.dark {
		arguments = append(arguments, "--blink-settings=preferredColorScheme=0")
	}
	if l.still {
		arguments = append(arguments, "--force-prefers-reduced-motion")
	}
	wanted, err := json.Marshal(object{"capabilities": object{"alwaysMatch": object{
		"webSocketUrl":       true,
		"goog:chromeOptions": object{"binary": program, "args": arguments},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post("http://127.0.0.1:"+port+"/session", "application/json", bytes.NewReader(wanted))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var reply struct {
		Value struct {
			Message      string
			Capabilities struct{ WebSocketURL string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil || reply.Value.Capabilities.WebSocketURL == "" {
		t.Fatalf("Chromium does not start: %v %s", err, reply.Value.Message)
	}
	return reply.Value.Capabilities.WebSocketURL, true
}

// startFirefox starts Firefox with a profile of its own.
func startFirefox(t *testing.T, l look) (socket string, session bool) {
	t.Helper()
	program := installed(t, "firefox-esr", "firefox-esr", "firefox")
	profile, err := os.MkdirTemp("", "boxrules-")
	if err != nil {
		t.Fatal(err)
	}
	endings = append(endings, func() { _ = os.RemoveAll(profile) })
	preferences := `user_pref("intl.accept_languages", "en-GB");` + "\n"
	if l.dark {
		preferences += `user_pref("layout.css.prefers-color-scheme.content-override", 0);` + "\n"
	}
	if l.still {
		preferences += `user_pref("ui.prefersReducedMotion", 1);` + "\n"
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
	return said(t, command, `BiDi listening on (ws://\S+)`) + "/session", false
}

// installed is the path of the first of the programs that is here.
func installed(t *testing.T, from string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("there is no %s here, and in CI this test must run", names[0])
	}
	t.Skipf("SKIPPED: there is no %s here; install %s to run this test", names[0], from)
	return ""
}

// said starts a program, which ends after all tests, and is what the group in the pattern matches
// of what it says.
func said(t *testing.T, command *exec.Cmd, pattern string) string {
	t.Helper()
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endings = append(endings, func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(out)
	wanted, all := regexp.MustCompile(pattern), ""
	for lines.Scan() {
		if found := wanted.FindStringSubmatch(lines.Text()); found != nil {
			go func() { // the program blocks when nobody reads its output
				for lines.Scan() {
				}
			}()
			return found[1]
		}
		all += lines.Text() + "\n"
	}
	t.Fatalf("%s does not start:\n%s", command.Path, all)
	return ""
}

// listen hands answers to who waits for them, and collects complaints.
func (b *browser) listen() {
	for {
		var m struct {
			ID             int
			Method         string
			Result, Params json.RawMessage
			Error, Message string
		}
		err := wsjson.Read(context.Background(), b.socket, &m)
		b.guard.Lock()
		if err != nil {
			for _, waits := range b.waiting {
				waits <- answer{err: err}
			}
			b.waiting = nil
			b.guard.Unlock()
			return
		}
		if waits := b.waiting[m.ID]; waits != nil {
			delete(b.waiting, m.ID)
			if m.Error != "" {
				err = errors.New(m.Error + ": " + m.Message)
			}
			waits <- answer{m.Result, err}
		}
		b.heed(m.Method, m.Params)
		b.guard.Unlock()
	}
}

// ofDriver is what Chromium's driver stumbles over now and then in a script of its own, which it
// runs in every page for the messages that heed gets. No page of ours has such a name.
const ofDriver = "TypeError: w[id] is not a function"

// heed collects what an event complains of.
func (b *browser) heed(method string, params json.RawMessage) {
	var event struct {
		Level, Text string
		Data        struct{ Value string }
	}
	_ = json.Unmarshal(params, &event)
	switch {
	case method == "script.message":
		b.complaints = append(b.complaints, event.Data.Value)
	case method == "log.entryAdded" && event.Text != ofDriver && (event.Level == "error" || event.Level == "warn"):
		b.complaints = append(b.complaints, event.Text)
	}
}

// call is the answer to a command of the protocol.
func (b *tab) call(method string, params object) (json.RawMessage, error) {
	return b.browser.call(b.ctx, method, params)
}

func (b *browser) call(ctx context.Context, method string, params object) (json.RawMessage, error) {
	b.guard.Lock()
	if b.waiting == nil {
		b.guard.Unlock()
		return nil, errors.New("the browser has ended")
	}
	b.sent++
	id, waits := b.sent, make(chan answer, 1)
	b.waiting[id] = waits
	b.guard.Unlock()
	if err := wsjson.Write(ctx, b.socket, object{"id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	select {
	case a := <-waits:
		return a.result, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// must is call where nothing else than an answer will do.
func (b *tab) must(method string, params object) json.RawMessage {
	b.t.Helper()
	result, err := b.call(method, params)
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// visit opens an address, and waits until it is loaded. A page that just then writes its own
// address keeps Firefox from leaving it, and is asked again.
func (b *tab) visit(url string) {
	b.t.Helper()
	for range 5 {
		b.must("browsingContext.navigate", object{"context": b.context, "url": url, "wait": "complete"})
		if eval[string](b, `performance.getEntriesByType("navigation")[0].name`) == url {
			return
		}
	}
	b.t.Fatalf("the browser does not go to %s", url)
}

// ready waits until a selector finds an element.
func (b *tab) ready(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)", selector))
}

// back goes back in the history.
func (b *tab) back() {
	b.t.Helper()
	b.must("browsingContext.traverseHistory", object{"context": b.context, "delta": -1})
}

// size sets the size of the page's window in pixels.
func (b *tab) size(width, height int) {
	b.t.Helper()
	b.must("browsingContext.setViewport", object{"context": b.context, "viewport": object{"width": width, "height": height}})
}

// Keys that are no letters, as WebDriver names them.
const (
	tabKey     = "\ue004"
	enter      = "\ue007"
	backspace  = "\ue003"
	end        = "\ue010"
	home       = "\ue011"
	arrowLeft  = "\ue012"
	arrowRight = "\ue014"
)

// press presses keys, one after the other.
func (b *tab) press(keys string) {
	b.t.Helper()
	var actions []object
	for _, key := range keys {
		actions = append(actions, object{"type": "keyDown", "value": string(key)}, object{"type": "keyUp", "value": string(key)})
	}
	b.act(object{"type": "key", "id": "keyboard", "actions": actions})
}

// click clicks into the middle of the first element that a selector finds.
func (b *tab) click(selector string) {
	b.t.Helper()
	at := eval[struct{ X, Y float64 }](b, fmt.Sprintf(`(() => {
  const element = document.querySelector(%q);
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { X: (left + right) / 2, Y: (top + bottom) / 2 };
})()`, selector))
	b.act(object{"type": "pointer", "id": "mouse", "actions": []object{
		{"type": "pointerMove", "x": int(at.X), "y": int(at.Y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
	}})
}

func (b *tab) act(source object) {
	b.t.Helper()
	b.must("input.performActions", object{"context": b.context, "actions": []object{source}})
}

// focus gives an element the focus.
func (b *tab) focus(selector string) {
	b.t.Helper()
	eval[any](b, fmt.Sprintf(`document.querySelector(%q).focus()`, selector))
}

// enter replaces what a field of the form holds, key by key.
func (b *tab) enter(name, text string) {
	b.t.Helper()
	b.focus("[name=" + name + "]")
	eval[any](b, `document.activeElement.select()`)
	b.press(backspace + text)
}

// box replaces the dimensions in the form.
func (b *tab) box(width, depth, height string) {
	b.t.Helper()
	b.enter("width", width)
	b.enter("depth", depth)
	b.enter("height", height)
}

// eval is the value of an expression in the page, which may be a promise.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	var value T
	if err := b.evaluate(expression, &value); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

func (b *tab) evaluate(expression string, value any) error {
	result, err := b.call("script.evaluate", object{
		"expression":   "(async () => JSON.stringify((await (" + expression + ")) ?? null))()",
		"target":       object{"context": b.context},
		"awaitPromise": true,
	})
	if err != nil {
		return err
	}
	var reply struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	if err := json.Unmarshal(result, &reply); err != nil {
		return err
	}
	if reply.ExceptionDetails.Text != "" {
		return errors.New(reply.ExceptionDetails.Text)
	}
	return json.Unmarshal([]byte(reply.Result.Value), value)
}

// until waits for the expression to be true in the page, which may be on its way to another one.
func (b *tab) until(expression string) {
	b.t.Helper()
	var is bool
	var err error
	for b.ctx.Err() == nil {
		if err = b.evaluate("Boolean("+expression+")", &is); err == nil && is {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.t.Fatalf("it never is so: %s %v", expression, err)
}
