package test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"example.com/boxrules/form"
)

// policy is what the strictest pages allow: their own files, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'"

// pages serves the package with more pages of the test's own, under the policy.
func pages(t *testing.T, more map[string]string) string {
	t.Helper()
	files := http.FileServerFS(form.Files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
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

// browser is a tab of a real browser. What its console and the policy complain of fails the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no Chromium here, and in CI this test must run")
		}
		t.Skip("SKIPPED: there is no Chromium here to run the pages in; install chromium to run this test")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("lang", "en-GB"))
	allocated, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute) // so that a page that hangs ends the test
	t.Cleanup(cancel)
	var guard sync.Mutex
	var complaints []string
	err := chromedp.Listen(ctx, func(event any) {
		guard.Lock()
		defer guard.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			complaint := e.ExceptionDetails.Text
			if e.ExceptionDetails.Exception != nil {
				complaint += " " + e.ExceptionDetails.Exception.Description
			}
			complaints = append(complaints, complaint)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				complaints = append(complaints, string(e.Entry.Source)+": "+e.Entry.Text)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		guard.Lock()
		defer guard.Unlock()
		for _, complaint := range complaints {
			t.Errorf("the browser complains: %s", complaint)
		}
	})
	if _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, runtime.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// eval is the value of an expression in the page, which may be a promise.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// until waits for the expression to be true in the page.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	poll := chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingTimeout(20*time.Second),
		chromedp.WithPollingInterval(20*time.Millisecond))
	if err := chromedp.Do(ctx, poll); err != nil {
		t.Fatalf("waiting for %s: %v", expression, err)
	}
}
