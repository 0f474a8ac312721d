package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules/limits"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value    string
	accepted []string
}

var _ pflag.Value = (*choice)(nil)

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.accepted, "|") }
func (c *choice) Set(value string) error {
	if !slices.Contains(c.accepted, value) {
		return fmt.Errorf("accepted: %s", strings.Join(c.accepted, ", "))
	}
	c.value = value
	return nil
}

// newFormat is the choice of --format.
func newFormat() choice { return choice{value: formatText, accepted: []string{formatText, formatJSON}} }

// answer is v as a line of JSON, or the text, as --format says.
func (c *choice) answer(v any, text string) []byte {
	if c.value == formatJSON {
		return appendJSON(nil, v)
	}
	return []byte(text)
}

// addChoice adds the flag and its completion.
func addChoice(command *cobra.Command, c *choice, name, use string) {
	command.Flags().Var(c, name, use)
	complete(command, name, func(*cobra.Command, []string, string) []cobra.Completion { return c.accepted })
}

// complete sets what a shell offers for the flag; the words that begin as typed are picked here.
func complete(command *cobra.Command, flag string, words func(*cobra.Command, []string, string) []cobra.Completion) {
	err := command.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, args []string, prefix string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return matching(words(c, args, prefix), prefix), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err)
	}
}

func matching(words []cobra.Completion, prefix string) []cobra.Completion {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, prefix) })
}

// frame is the catalogue as far as completion needs it: what may be a frame.
func (s *sources) frame() (*limits.Catalogue, error) {
	return load(&s.limits, limits.Illustrative, limits.LoadFrame)
}

// articles completes --article. A limit file that does not load completes nothing: the command itself
// will say what is wrong with it.
func (s *sources) articles(*cobra.Command, []string, string) []cobra.Completion {
	catalogue, err := s.frame()
	if err != nil {
		return nil
	}
	var words []cobra.Completion
	for _, article := range catalogue.Articles() {
		words = append(words, cobra.CompletionWithDesc(article.Code, printable(article.Title)))
	}
	return words
}

// materials completes --material: with those of --article where that has been typed.
func (s *sources) materials(command *cobra.Command, _ []string, _ string) []cobra.Completion {
	catalogue, err := s.frame()
	if err != nil {
		return nil
	}
	chosen := command.Flag("article").Value.String()
	if several, ok := command.Flag("article").Value.(pflag.SliceValue); ok && len(several.GetSlice()) > 0 {
		chosen = several.GetSlice()[len(several.GetSlice())-1]
	}
	for _, article := range catalogue.Articles() {
		if article.Code == chosen {
			return article.Materials
		}
	}
	var words []cobra.Completion
	for _, material := range catalogue.Materials() {
		words = append(words, material.Code)
	}
	return words
}
