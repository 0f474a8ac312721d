package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules"
	"example.com/boxrules/internal/strictyaml"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// sources are the rule and limit files that the commands share as flags.
type sources struct {
	console *console
	rules   sourceFile
	limits  sourceFile
}

func (s *sources) addFlags(command *cobra.Command) {
	s.rules.add(command.PersistentFlags(), "rules", "rule file (default: the documented rules)")
	s.limits.add(command.PersistentFlags(), "limits", "limit file (default: an illustrative catalogue, not the service's)")
}

// engine compiles the rules and limits, and says where the limits are not anybody's.
func (s *sources) engine() (*boxrules.Engine, error) {
	engine, err := s.quietEngine()
	if err == nil && engine.Catalogue().IsIllustrative() {
		s.console.say("boxrules: the limits are illustrative, not the service's: give your own with --limits FILE")
	}
	return engine, err
}

// quietEngine is engine without a word.
func (s *sources) quietEngine() (*boxrules.Engine, error) {
	rules, rulesErr := s.ruleSet()
	catalogue, limitsErr := s.catalogue()
	if err := errors.Join(rulesErr, limitsErr); err != nil {
		return nil, err
	}
	if !s.rules.given && !s.limits.given {
		return boxrules.Default(), nil
	}
	engine, err := boxrules.New(rules, catalogue)
	var problems source.Errors
	if !s.limits.given && errors.As(err, &problems) && problems[0].File == catalogue.Name() {
		what := "select codes that these rules do not have; say extends: documented in them, or"
		if unit := catalogue.Unit(); unit != rules.Unit() {
			what = fmt.Sprintf("have the unit %s, and these rules the unit %s;", unit, rules.Unit())
		}
		return nil, fmt.Errorf("--rules %s: the shipped limits %s give your own limits with --limits FILE", wording.Quote(s.rules.name), what)
	}
	return engine, err
}

func (s *sources) ruleSet() (*boxrules.RuleSet, error) {
	return load(&s.rules, boxrules.DefaultRules, boxrules.LoadRules)
}

func (s *sources) catalogue() (*limits.Catalogue, error) {
	return load(&s.limits, limits.Illustrative, limits.Load)
}

// load is what the file holds, or what is shipped where none is given.
func load[T any](f *sourceFile, shipped func() *T, read func(name string, data []byte) (*T, error)) (*T, error) {
	if !f.given {
		return shipped(), nil
	}
	data, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", f.flag, wording.Quote(f.name), cause(err))
	}
	return read(f.name, data)
}

// A sourceFile is a flag that names a file. One that is given empty, as by an unset shell variable, is
// a file that does not exist, and not the default.
type sourceFile struct {
	flag  string // that names it
	name  string
	given bool
	hash  string // of what was read last
}

var _ pflag.Value = (*sourceFile)(nil)

func (f *sourceFile) String() string { return f.name }
func (f *sourceFile) Type() string   { return "FILE" }
func (f *sourceFile) Set(name string) error {
	if f.given && f.name != name { // completion sets each flag twice
		return errors.New("given twice; accepted: one file")
	}
	f.name, f.given = name, true
	return nil
}

// add adds the flag that names a YAML file.
func (f *sourceFile) add(flags *pflag.FlagSet, name, use string) {
	f.flag = name
	flags.Var(f, name, use)
	if err := cobra.MarkFlagFilename(flags, name, "yaml", "yml"); err != nil {
		panic(err)
	}
}

// read gives the loaders one byte more than they accept, which is enough for them to refuse the file.
func (f *sourceFile) read() ([]byte, error) {
	file, err := os.Open(f.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, strictyaml.MaxBytes+1))
	f.hash = hashOf(data)
	return data, err
}

// hashOf is the SHA-256 of a file, as sha256sum writes it.
func hashOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// cause is what is wrong with a file, without its name, which our messages have already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
