package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"example.com/boxrules/internal/wording"
)

// fixtures hold the recorded bodies by what they stand for: no request names a file.
type fixtures map[fixture][]byte

// A fixture says what a file stands for: the kind dieline, quotation, order or product, and the
// article or the identifier. So dieline/sleeve.json is {dieline sleeve}, and dieline.json, which
// stands for any article, is {dieline ""}.
type fixture struct{ kind, name string }

// readFixtures reads all files but those whose name, or whose folder's, begins with a dot.
func readFixtures(files fs.FS) (fixtures, error) {
	all := make(fixtures)
	if files == nil {
		return all, nil
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
		key, err := fixtureOf(name)
		if err == nil {
			all[key], err = fs.ReadFile(files, name)
		}
		if err == nil {
			err = json.Unmarshal(all[key], new(json.RawMessage))
		}
		if err != nil {
			return fmt.Errorf("fixture %s: %w", name, err)
		}
		return nil
	})
	return all, err
}

const layout = "accepted: dieline.json, dieline/<article>.json, quotation.json, orders/<order_id>.json, orders/<order_id>/<product_id>.json"

// fixtureOf returns what the file of the name stands for.
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
		return fixture{"order", parts[1]}, checkOrder(parts[1])
	case len(parts) == 3 && parts[0] == "orders":
		return fixture{"product", parts[2]}, checkProduct(parts[2], parts[1])
	}
	return fixture{}, errors.New("not a fixture; " + layout)
}

var (
	orderID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9]{4}-[0-9]{1,20}-[0-9]{1,20}$`)
	})
	productID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([0-9]{4}-[0-9]{1,20}-[0-9]{1,20})\.[0-9]{2}$`)
	})
)

// checkOrder says what is wrong with the identifier of an order (section 2.3).
func checkOrder(id string) error {
	if !orderID().MatchString(id) {
		return fmt.Errorf("%s is not an order; accepted: <year>-<number>-<number> such as 2026-123-1", wording.Quote(id))
	}
	return nil
}

// checkProduct says what is wrong with the identifier of a product of the order (section 2.3).
func checkProduct(id, order string) error {
	switch parts := productID().FindStringSubmatch(id); {
	case parts == nil:
		return fmt.Errorf("%s is not a product; accepted: <order>.<two digits> such as 2026-123-1.01", wording.Quote(id))
	case parts[1] != order:
		return fmt.Errorf("%s is of another order than %s", id, wording.Quote(order))
	}
	return nil
}
