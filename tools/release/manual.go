package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// completions are the files under which shells look for what boxrules completion writes.
var completions = []struct{ shell, name string }{
	{"bash", "boxrules.bash"}, {"zsh", "_boxrules"}, {"fish", "boxrules.fish"}, {"powershell", "boxrules.ps1"},
}

// documents are those that go with the command, with the files that they show and link to.
var documents = []string{
	"*.md", "docs/*.md", "docs/*.png", "docs/*.svg", "docs/*.yaml", "examples/*.*", "examples/*/*", "limits/*.yaml", "rules/*.yaml",
	"bench/lists/main.go", "conformance/README.md", "form/README.md", "form/dom.js", "form/dom.d.ts", "form/locales/en.js",
}

// manual is the documents, what shells offer for completion, and the manual pages. The command writes the latter two itself.
func (r *release) manual() ([]file, error) {
	files, err := read(documents)
	if err != nil {
		return nil, err
	}
	err = r.built(func(path string) error {
		for _, c := range completions {
			script, err := output(r.command(path, "completion", c.shell))
			if err != nil {
				return err
			}
			files = append(files, file{"completions/" + c.name, 0o644, []byte(script)})
		}
		folder := filepath.Dir(path)
		if _, err := output(r.command(path, "man", folder)); err != nil {
			return err
		}
		pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
		if err != nil {
			return err
		}
		for _, page := range pages { // in the order of their names
			data, err := os.ReadFile(page)
			if err != nil {
				return err
			}
			files = append(files, file{"man/man1/" + filepath.Base(page), 0o644, data})
		}
		return nil
	})
	return files, err
}

// read reads the files of the patterns, each of which has some.
func read(patterns []string) ([]file, error) {
	var files []file
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern) // in their order
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("there is no %s: %v", pattern, err)
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				return nil, err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			mode := fs.FileMode(0o644) // whatever the umask
			if info.Mode()&0o100 != 0 {
				mode = 0o755
			}
			files = append(files, file{filepath.ToSlash(name), mode, data})
		}
	}
	return files, nil
}

var legal = regexp.MustCompile(`^(LICEN[CS]E|COPYING|NOTICE)`)

// notices are our licence, and those of the modules and of Go, which have to go with every copy.
func (r *release) notices(modules []*debug.Module) ([]file, error) {
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	goroot, err := output(r.command("go", "env", "GOROOT"))
	if err != nil {
		return nil, err
	}
	others := new(bytes.Buffer)
	if err := appendNotices(others, "Go", strings.TrimSpace(goroot)); err != nil {
		return nil, err
	}
	for _, module := range modules {
		folder, err := output(r.command("go", "list", "-C", "cmd/boxrules", "-m", "-f", "{{.Dir}}", module.Path))
		if err != nil {
			return nil, err
		}
		if err := appendNotices(others, module.Path+" "+module.Version, strings.TrimSpace(folder)); err != nil {
			return nil, err
		}
	}
	return []file{{"LICENSE", 0o644, licence}, {"THIRD-PARTY-NOTICES", 0o644, others.Bytes()}}, nil
}

func appendNotices(to *bytes.Buffer, name, folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !legal.MatchString(e.Name()) || e.IsDir() })
	if len(entries) == 0 {
		return fmt.Errorf("%s has no licence in %s", name, folder)
	}
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(to, "==== %s, %s\n\n%s\n", name, entry.Name(), data)
	}
	return nil
}
