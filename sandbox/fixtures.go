package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"unicode/utf8"

	"example.com/boxrules/preflight"
)

// fixtures are the recorded bodies. They are looked up by what they stand for: no request names a
// file.
type fixtures map[fixture][]byte

// A fixture is what a file stands for: the kind dieline, quotation, order or product, and the
// article or the identifier; no name stands for any.
type fixture struct{ kind, name string }

// maxFixture bounds a file, in bytes, so that one given by mistake is not read to its end.
const maxFixture = 1 << 20

// readFixtures reads all files. The error names each that is wrong.
func readFixtures(files fs.FS) (fixtures, error) {
	all := make(fixtures)
	if files == nil {
		return all, nil
	}
	var problems []error
	names := make(map[fixture]string)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		problem := func(err error) { problems = append(problems, fmt.Errorf("fixture %s: %w", name, err)) }
		switch {
		case err != nil:
			return fmt.Errorf("fixtures: %w", err)
		case name == ".":
			return nil
		case strings.HasPrefix(entry.Name(), ".") && entry.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(entry.Name(), "."):
			return nil
		case entry.IsDir():
			if err := checkFolder(name); err != nil {
				problem(err)
				return fs.SkipDir
			}
			return nil
		}
		key, err := fixtureOf(name)
		if twin, ok := names[key]; ok && err == nil {
			err = fmt.Errorf("stands for the same as %s", twin)
		}
		var body []byte
		if err == nil {
			names[key] = name
			body, err = readFixture(files, name)
		}
		if err != nil {
			problem(err)
			return nil
		}
		all[key] = body
		return nil
	})
	if err = errors.Join(append(problems, err)...); err != nil {
		return nil, err
	}
	return all, nil
}

const layout = "accepted: dieline.json, dieline/<article>.json, quotation.json, orders/<order_id>.json, orders/<order_id>/<product_id>.json"

// checkFolder accepts the folders that hold fixtures.
func checkFolder(name string) error {
	order, ok := strings.CutPrefix(name, "orders/")
	if name == "dieline" || name == "orders" {
		return nil
	}
	if !ok {
		return errors.New("not a folder of fixtures; " + layout)
	}
	_, err := preflight.ParseOrderID(order)
	return err
}

// fixtureOf is what the file stands for, by its name.
func fixtureOf(name string) (fixture, error) {
	base, ok := strings.CutSuffix(name, ".json")
	parts := strings.Split(base, "/")
	switch {
	case !ok:
	case base == "dieline" || base == "quotation":
		return fixture{base, ""}, nil
	case len(parts) == 2 && parts[0] == "dieline":
		article, err := url.PathUnescape(parts[1])
		if err != nil {
			return fixture{}, fmt.Errorf("%w; accepted: the article's code, with %% written %%25", err)
		}
		return fixture{"dieline", article}, nil
	case len(parts) == 2 && parts[0] == "orders":
		id, err := preflight.ParseOrderID(parts[1])
		return fixture{"order", id.String()}, err
	case len(parts) == 3 && parts[0] == "orders":
		id, err := preflight.ParseProductID(parts[2])
		if err == nil && id.Order.String() != parts[1] {
			err = fmt.Errorf("the product is of order %s; accepted: a file in the folder orders/%s", id.Order, id.Order)
		}
		return fixture{"product", id.String()}, err
	}
	return fixture{}, errors.New("not a fixture; " + layout)
}

// readFixture reads a file that is JSON.
func readFixture(files fs.FS, name string) ([]byte, error) {
	// A pipe or a device could be read for ever.
	info, err := fs.Stat(files, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file; accepted: a file of JSON")
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, maxFixture+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxFixture:
		return nil, fmt.Errorf("more than %d bytes; accepted: at most that", maxFixture)
	case !utf8.Valid(body):
		return nil, errors.New("not UTF-8; accepted: JSON, which is UTF-8")
	}
	if err := json.Unmarshal(body, new(json.RawMessage)); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	return body, nil
}
