package sidecar

import (
	"bytes"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/form"
)

// contentSecurityPolicy lets the demo page load files and data only from this server.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// newDemo returns a handler that serves the files of the npm package for quote forms. In place of the package's
// index.js, it serves a module that is generated from the engine.
func newDemo(e *boxrules.Engine) (http.Handler, error) {
	pages := http.NewServeMux()
	folder := http.FileServerFS(form.Files)
	pages.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		// Do not let the file server list the files in other folders. fs.Stat also refuses a path that contains ..
		// such as /demo/%2e%2e/.
		name := strings.Trim(r.URL.Path, "/")
		if info, err := fs.Stat(form.Files, name); err != nil || info.IsDir() && name != "demo" {
			http.NotFound(w, r)
			return
		}
		folder.ServeHTTP(w, r)
	})
	pages.Handle("GET /{$}", http.RedirectHandler("/demo/", http.StatusFound))
	files, err := codegen.JavaScript(e, codegen.Options{})
	if err != nil {
		return nil, err
	}
	// This pattern is more specific than GET /, so it takes precedence over the index.js in form.Files, which has
	// the illustrative limits.
	pages.HandleFunc("GET /index.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "index.js", time.Time{}, bytes.NewReader(files.Module))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("Cache-Control", "no-cache")
		pages.ServeHTTP(w, r)
	}), nil
}
