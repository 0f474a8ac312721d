package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/codegen"
	"example.com/boxrules/form"
)

// demo serves the files of the npm package for quote forms, with the modules of the engine's own rules and
// limits in place of the published ones.
type demo struct {
	files map[string]page // by path
}

type page struct {
	text []byte
	tag  string // an entity tag, in quotes
}

// policy lets the page run its own files and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

func newDemo(e *boxrules.Engine) (*demo, error) {
	d := &demo{make(map[string]page)}
	err := fs.WalkDir(form.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := form.Files.ReadFile(name)
		if err == nil {
			d.add(name, text)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for name, write := range map[string]func(*boxrules.Engine, codegen.Options) (codegen.Files, error){
		"index.js": codegen.JavaScript, "details.js": codegen.Details,
	} {
		files, err := write(e, codegen.Options{})
		if err != nil {
			return nil, err
		}
		d.add(name, files.Module)
	}
	return d, nil
}

func (d *demo) add(name string, text []byte) {
	sum := sha256.Sum256(text)
	d.files["/"+name] = page{text, `"` + hex.EncodeToString(sum[:8]) + `"`}
}

func (d *demo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "the demo is for reading; accepted: GET, HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := r.URL.Path
	switch {
	case name == "/" || name == "/demo":
		http.Redirect(w, r, "/demo/", http.StatusFound)
		return
	case strings.HasSuffix(name, "/"):
		name += "index.html"
	}
	file, ok := d.files[name]
	if !ok {
		http.Error(w, "there is no such page; the demo is at /demo/", http.StatusNotFound)
		return
	}
	header.Set("Content-Type", contentType(name))
	header.Set("ETag", file.tag)
	header.Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(file.text))
}

// contentType does not ask the machine where it can be helped: some say text/plain of scripts, which browsers
// then refuse to run.
func contentType(name string) string {
	switch extension := path.Ext(name); extension {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	default:
		return mime.TypeByExtension(extension)
	}
}
