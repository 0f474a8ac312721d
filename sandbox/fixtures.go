package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
)

// layout names the files that are fixtures, as path.Match does.
var layout = []string{"dieline.json", "dieline/*.json", "quotation.json", "orders/*.json", "orders/*/*.json"}

// readFixtures returns the recorded bodies by the names of their files, without .json and escapes:
// dieline/a b of dieline/a%20b.json. It reads all files but those whose name, or whose folder's,
// begins with a dot.
func readFixtures(files fs.FS) (map[string][]byte, error) {
	fixtures := make(map[string][]byte)
	if files == nil {
		return fixtures, nil
	}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("fixtures: %w", err)
		case entry.IsDir() && name != "." && entry.Name()[0] == '.':
			return fs.SkipDir
		case entry.IsDir() || entry.Name()[0] == '.':
			return nil
		}
		key, body, err := readFixture(files, name)
		if err != nil {
			return fmt.Errorf("fixture %s: %w", name, err)
		}
		fixtures[key] = body
		return nil
	})
	return fixtures, err
}

func readFixture(files fs.FS, name string) (key string, body []byte, err error) {
	likeName := func(pattern string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	}
	if !slices.ContainsFunc(layout, likeName) {
		return "", nil, errors.New("not a fixture; accepted: " + strings.Join(layout, ", "))
	}
	key, err = url.PathUnescape(strings.TrimSuffix(name, ".json"))
	if err != nil {
		return "", nil, fmt.Errorf("%w; accepted: %% written %%25", err)
	}
	if body, err = fs.ReadFile(files, name); err == nil {
		err = json.Unmarshal(body, new(json.RawMessage))
	}
	return key, body, err
}
