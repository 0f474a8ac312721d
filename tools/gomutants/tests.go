package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A suite is the tests of a package.
type suite struct {
	name   string
	args   []string
	folder string // in which they run
	binary string
	tests  []*test  // the quickest first
	broken []string // the tests that fail without a mutant
}

// A test is one test function.
type test struct {
	name    string
	takes   time.Duration // without a mutant
	reaches map[int]bool  // the numbers of places
}

// A builder compiles tests with the mutants of a package.
type builder struct {
	folder string
	pkg    *pkg
}

// build compiles the tests of a suite with all mutants that an environment variable selects.
func (b builder) build(s *suite) error {
	folder, err := output("go", "list", "-f={{.Dir}}", s.name)
	if err != nil {
		return err
	}
	s.folder = strings.TrimSpace(string(folder))
	sources, _ := b.pkg.rewrite()
	s.binary, err = b.compile(s.name, "all", sources)
	return err
}

// compile compiles the tests of a package with other sources of some files, and returns the path of the binary. If it has
// no tests, there is no file with this path.
func (b builder) compile(name, label string, sources map[string]string) (string, error) {
	replace := map[string]string{}
	folder := filepath.Join(b.folder, strings.NewReplacer("/", "_", ".", "_").Replace(name)+"-"+label)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	for path, source := range sources {
		replace[path] = filepath.Join(folder, filepath.Base(path))
		if err := os.WriteFile(replace[path], []byte(source), 0o600); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlayFile, binary := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "tests.exe") // Windows needs the .exe
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return "", err
	}
	_, err = output("go", "test", "-c", "-vet=off", "-overlay", overlayFile, "-o", binary, name)
	return binary, err
}

// survey runs each test without a mutant, to learn which places it reaches and how long it takes.
func (s *suite) survey(folder string) error {
	if _, err := os.Stat(s.binary); os.IsNotExist(err) {
		return nil // a package without tests
	}
	c := exec.Command(s.binary, "-test.list=.")
	c.Dir = s.folder
	list, err := c.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	trace := filepath.Join(folder, "trace")
	for _, name := range strings.Fields(string(list)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		os.Remove(trace)
		start := time.Now()
		passed, _, err := s.run(s.binary, []string{name}, time.Hour, "GOMUTANTS_TRACE="+trace)
		if err != nil {
			return err
		}
		if !passed {
			s.broken = append(s.broken, name)
			continue
		}
		t := &test{name: name, takes: time.Since(start), reaches: map[int]bool{}}
		places, err := os.ReadFile(trace)
		if err != nil && !os.IsNotExist(err) { // the file does not exist if the test reaches no place
			return err
		}
		for _, place := range strings.Fields(string(places)) {
			number, err := strconv.Atoi(place)
			if err != nil {
				return err
			}
			t.reaches[number] = true
		}
		s.tests = append(s.tests, t)
	}
	slices.SortFunc(s.tests, func(a, b *test) int { return cmp.Compare(a.takes, b.takes) })
	return nil
}

// run runs the named tests and returns whether they pass, and whether they took longer than they may. The error says that
// they could not run.
func (s *suite) run(binary string, names []string, limit time.Duration, environment ...string) (passed, late bool, err error) {
	var patterns []string
	for _, name := range names {
		patterns = append(patterns, regexp.QuoteMeta(name))
	}
	// A test that is killed does not remove its temporary files.
	temporary, err := os.MkdirTemp(filepath.Dir(binary), "tmp")
	if err != nil {
		return false, false, err
	}
	defer os.RemoveAll(temporary)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, binary, append([]string{
		"-test.run=^(" + strings.Join(patterns, "|") + ")$", "-test.failfast", "-test.timeout=0"}, s.args...)...)
	c.Dir = s.folder
	c.Env = append(append(os.Environ(), "TMPDIR="+temporary), environment...)
	killWithChildren(c)
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, true, nil
	case err == nil:
		return true, false, nil
	case errors.As(err, &exit):
		return false, false, nil
	}
	return false, false, err
}

// try runs the tests that reach a mutant until one fails.
func (b builder) try(suites []*suite, m *mutant) (outcome, error) {
	result := noTest
	for i, s := range suites {
		binary := s.binary
		if m.place.alone {
			var err error
			binary, err = b.compile(s.name, fmt.Sprint(m.number, "-", i), map[string]string{m.place.file.path: m.source()})
			if err != nil {
				return notTried, err
			}
			defer os.RemoveAll(filepath.Dir(binary))
		}
		for _, group := range s.groups(m.place) {
			var names []string
			var takes time.Duration
			for _, t := range group {
				names = append(names, t.name)
				takes += t.takes
			}
			passed, late, err := s.run(binary, names, 10*takes+20*time.Second, "GOMUTANTS_NUMBER="+strconv.Itoa(m.number))
			if err != nil {
				return notTried, err
			}
			if late {
				return timedOut, nil
			}
			if !passed {
				return killed, nil
			}
			result = lived
		}
	}
	return result, nil
}

// groups returns the tests that reach a place: first those that take a second together, then the others. The trace does
// not tell which tests reach a place whose mutants are compiled for themselves, so these are all tests.
func (s *suite) groups(p *place) (groups [][]*test) {
	var quick, slow []*test
	var sum time.Duration
	for _, t := range s.tests {
		if !p.alone && !t.reaches[p.number] {
			continue
		}
		if sum += t.takes; sum < time.Second {
			quick = append(quick, t)
		} else {
			slow = append(slow, t)
		}
	}
	for _, group := range [][]*test{quick, slow} {
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// tryAll tries mutants, several at a time. It checks the types of those that are compiled for themselves, so an error of the
// compiler is an error, and not an outcome.
func tryAll(b builder, suites []*suite, mutants []*mutant, workers int, verbose bool) error {
	work := make(chan *mutant)
	errs := make(chan error, workers)
	for range workers {
		go func() {
			var failed error
			for m := range work {
				if failed != nil {
					continue
				}
				if m.outcome, failed = b.try(suites, m); verbose && failed == nil {
					log.Print(m)
				}
			}
			errs <- failed
		}()
	}
	for _, m := range mutants {
		if m.place.alone {
			ignore := func(token.Position) {}
			if err := b.pkg.check(map[string]string{m.place.file.path: m.source()}, ignore); err != nil {
				m.outcome = noMutant
				continue
			}
		}
		work <- m
	}
	close(work)
	var all []error
	for range workers {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}
