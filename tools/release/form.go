package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var packageVersion = regexp.MustCompile(`(?m)^  "version": ".*?"`)

// form is the npm package: the files that npm would pack, with the version of the release.
func (r *release) form() ([]file, error) {
	command := r.command("npm", "pack", "--dry-run", "--json", "--ignore-scripts")
	command.Dir = "form"
	answer, err := output(command)
	if err != nil {
		return nil, err
	}
	var packed []struct {
		Name  string
		Files []struct{ Path string }
	}
	if err := json.Unmarshal([]byte(answer), &packed); err != nil || len(packed) != 1 {
		return nil, fmt.Errorf("npm pack --json wrote %q: %v", answer, err)
	}
	var files []file
	for _, f := range packed[0].Files {
		data, err := os.ReadFile(filepath.Join("form", f.Path))
		if err != nil {
			return nil, err
		}
		if f.Path == "package.json" {
			if n := len(packageVersion.FindAll(data, -1)); n != 1 {
				return nil, fmt.Errorf("form/package.json has %d versions; accepted: one", n)
			}
			data = packageVersion.ReplaceAll(data, fmt.Appendf(nil, `  "version": %q`, r.version))
		}
		files = append(files, file{"package/" + f.Path, 0o644, data})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	data, err := packTarGz(files, r.commit.time)
	return []file{{name: packed[0].Name + "-" + r.version + ".tgz", data: data}}, err
}
