package main

import (
	"bytes"
	"fmt"
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

// manual is the README, what shells offer for completion, and the manual pages. The command writes the latter two itself.
func (r *release) manual() ([]file, error) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return nil, err
	}
	files := []file{{"README.md", 0o644, readme}}
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
