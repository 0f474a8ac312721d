package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/locale"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// sources holds the values of the flags that name the rule file and the limit file. All commands share one sources
// value.
type sources struct {
	console *console.Console
	rules   sourceFile
	limits  sourceFile
	lang    choice // the language of texts for customers; empty if --lang is not given
}

func (s *sources) addFlags(command *cobra.Command) {
	s.rules.add(command.PersistentFlags(), "rules", "rule file (default: the documented rules)")
	s.limits.add(command.PersistentFlags(), "limits", "limit file (default: illustrative limits, not the service's)")
}

// addLang adds the flag --lang.
func (s *sources) addLang(command *cobra.Command) {
	s.lang = choice{accepted: locale.Languages}
	command.Flags().Var(&s.lang, "lang", "language of the advice (default en), and of your rules' messages (default: the first in the file)")
}

// engine compiles the rules and limits. If the limits are the illustrative ones, it prints a message saying so.
func (s *sources) engine() (*boxrules.Engine, error) {
	engine, err := s.quietEngine()
	if err == nil && engine.Catalogue().IsIllustrative() {
		s.console.Say("boxrules: the limits are illustrative, not the service's: give your own with --limits FILE")
	}
	return engine, err
}

// quietEngine is like engine, but prints nothing.
func (s *sources) quietEngine() (*boxrules.Engine, error) {
	rules, rulesErr := s.ruleSet()
	catalogue, limitsErr := loadSourceFile(&s.limits, limits.Illustrative, limits.Load)
	if err := errors.Join(rulesErr, limitsErr); err != nil {
		return nil, err
	}
	if !s.rules.isGiven && !s.limits.isGiven {
		return boxrules.Default(), nil
	}
	if s.lang.value != "" {
		rules = rules.InLanguage(s.lang.value)
	}
	engine, err := boxrules.New(rules, catalogue)
	if err != nil && !s.rules.isGiven && selectsUnknownCodes(catalogue, rules) {
		err = errors.Join(err, fmt.Errorf("the limits select codes of your own; give the rules that define them with %s FILE", s.rules.flag))
	}
	var problems source.Errors
	if !s.limits.isGiven && errors.As(err, &problems) && problems[0].File == catalogue.Name() {
		what := "select codes that these rules do not define; add extends: documented to the rules, or"
		if unit := catalogue.Unit(); !areUnitsConvertible(unit, rules.Unit()) {
			what = fmt.Sprintf("have the unit %s, but these rules have the unit %s, which cannot be converted;", unit, rules.Unit())
		}
		return nil, fmt.Errorf("--rules %s: the shipped limits %s give your own limits with --limits FILE",
			wording.Quote(s.rules.name), what)
	}
	return engine, err
}

func areUnitsConvertible(fromUnit, toUnit string) bool {
	_, ok := exact.UnitRatio(fromUnit, toUnit)
	return ok
}

// selectsUnknownCodes reports whether an article selects a code that the rules do not define.
func selectsUnknownCodes(catalogue *limits.Catalogue, rules *boxrules.RuleSet) bool {
	return slices.ContainsFunc(catalogue.Articles(), func(a limits.Article) bool {
		return slices.ContainsFunc(a.Constraints, func(code string) bool {
			return rules.Position(boxrules.Code(code)) == source.Position{}
		})
	})
}

func (s *sources) ruleSet() (*boxrules.RuleSet, error) {
	return loadSourceFile(&s.rules, boxrules.DefaultRules, boxrules.LoadRules)
}

// loadSourceFile reads the file that the flag names. If the flag is not given, it returns the file that is built into the
// program.
func loadSourceFile[T any](f *sourceFile, loadShipped func() *T, read func(name string, data []byte) (*T, error)) (*T, error) {
	if !f.isGiven {
		return loadShipped(), nil
	}
	data, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", f.flag, wording.Quote(f.name), console.FileCause(err))
	}
	value, err := read(f.name, data)
	if err != nil {
		err = errors.Join(err, f.wrongFlagError(data))
	}
	return value, err
}

// ruleKeys are keys at the top level that only rule files have. limitKeys are those that only limit files have.
var (
	ruleKeys  = []string{"boundary", "constraint", "size", "extends"}
	limitKeys = []string{"sheets", "materials", "articles"}
)

// hasKey reports whether a line begins with one of the keys and a colon. There may be blanks before the colon.
func hasKey(data []byte, keys []string) bool {
	for line := range bytes.Lines(data) {
		for _, key := range keys {
			if rest, ok := bytes.CutPrefix(line, []byte(key)); ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte(":")) {
				return true
			}
		}
	}
	return false
}

// wrongFlagError returns an error that names the right flag if a limit file was passed to a flag for rules, or a rule
// file to a flag for limits. Otherwise it returns nil. Without this error, the message would only say that the keys in
// the file are unknown.
func (s *sourceFile) wrongFlagError(data []byte) error {
	takesRules := strings.HasSuffix(s.flag, "rules")
	isRules, isLimits := hasKey(data, ruleKeys), hasKey(data, limitKeys)
	switch {
	case takesRules && isLimits && !isRules:
		return fmt.Errorf("%s %s looks like a limit file; pass it with %s",
			s.flag, wording.Quote(s.name), strings.Replace(s.flag, "rules", "limits", 1))
	case !takesRules && isRules && !isLimits:
		flag := strings.Replace(s.flag, "limits", "rules", 1)
		if flag == s.flag { // --blanks
			flag = "--rules"
		}
		return fmt.Errorf("%s %s looks like a rule file; pass it with %s", s.flag, wording.Quote(s.name), flag)
	}
	return nil
}

// A sourceFile is the value of a flag that names a file. If the name is empty, which usually means that a shell
// variable is unset, reading the file fails. The default file is used only if the flag is not given at all.
type sourceFile struct {
	flag          string // the flag, with its dashes
	name          string
	isGiven       bool
	mustBeRegular bool   // refuse pipes and devices
	hash          string // the SHA-256 hash of the contents when the file was last read
}

var _ pflag.Value = (*sourceFile)(nil)

func (s *sourceFile) String() string { return s.name }
func (s *sourceFile) Type() string   { return "FILE" }
func (s *sourceFile) Set(name string) error {
	if s.isGiven && s.name != name { // shell completion sets each flag twice
		return errors.New("given twice; name one file")
	}
	s.name, s.isGiven = name, true
	return nil
}

// add adds the flag, and makes the shell complete YAML file names for it.
func (s *sourceFile) add(flags *pflag.FlagSet, name, use string) {
	s.flag = "--" + name
	flags.Var(s, name, use)
	if err := cobra.MarkFlagFilename(flags, name, "yaml", "yml"); err != nil {
		panic(err)
	}
}

// read returns the contents of the file. It reads at most one byte more than the loaders accept, so that they can
// report a file that is too large.
func (s *sourceFile) read() ([]byte, error) {
	open := os.Open
	if s.mustBeRegular {
		open = func(name string) (*os.File, error) { return console.OpenRegular(name, os.O_RDONLY) }
	}
	file, err := open(s.name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limits.MaxBytes+1))
	s.hash = console.FileHash(data)
	return data, err
}

// checkOutput returns an error if writing the output would overwrite the rule file, the limit file, or one of the
// other files that the command uses, such as the record of learn.
func (s *sources) checkOutput(output string, others ...string) error {
	for _, name := range append([]string{s.limits.name, s.rules.name}, others...) {
		if sameFile(output, name) || output == name && strings.Trim(name, "-") != "" {
			return fmt.Errorf("--output %s is also an input; write to another file", wording.Quote(output))
		}
	}
	return nil
}

// sameFile reports whether both names refer to the same existing file.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && x.Mode().IsRegular() && os.SameFile(x, y)
}
