package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// serveDocuments describe the flags of serve: the pre-flight check and its bounds, the demo, and the
// sandbox. A flag such as --limits is in other documents too, which say nothing about a server.
var serveDocuments = []string{"docs/preflight.md", "docs/forms.md", "docs/interface.md", "docs/install.md", "SECURITY.md"}

// TestFlagsAreDocumented says that every flag of every command is mentioned in a document, and every flag
// of serve in one about servers.
func TestFlagsAreDocumented(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	noError(t, err)
	var documents, aboutServers []byte
	for _, name := range serveDocuments {
		aboutServers = append(aboutServers, readFile(t, "../../"+name)...)
	}
	for _, name := range append(files, "../../README.md", "../../SECURITY.md") {
		documents = append(documents, readFile(t, name)...)
	}
	flags := 0
	var check func(*cobra.Command)
	check = func(c *cobra.Command) {
		documents := documents
		if c.Name() == "serve" {
			documents = aboutServers
		}
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			flags++
			names := "--" + f.Name
			if f.Shorthand != "" {
				names += "|-" + f.Shorthand
			}
			mention := regexp.MustCompile(`(?:^|[^-\w])(?:` + names + `)(?:[^-\w]|$)`)
			if f.Name != "help" && !f.Hidden && !mention.Match(documents) {
				t.Errorf("--%s of %q is in no document", f.Name, c.CommandPath())
			}
		})
		for _, child := range c.Commands() {
			if child.Name() != "completion" { // it is cobra's
				check(child)
			}
		}
	}
	check(newRoot(&console.Console{}, nil))
	if flags < 50 {
		t.Errorf("only %d flags are found", flags)
	}
}
