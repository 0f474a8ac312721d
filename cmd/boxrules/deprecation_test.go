package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/console"
)

// TestDeprecation deprecates a flag and a command. A message on stderr has to name the new one, and stdout must not change.
func TestDeprecation(t *testing.T) {
	var out, stderr bytes.Buffer
	c := &console.Console{In: strings.NewReader(""), Out: &out, Err: &stderr}
	root := newRoot(c, &out)
	codes, _, err := root.Find([]string{"codes"})
	noError(t, err)
	codes.Flags().String("old", "", "")
	noError(t, codes.Flags().MarkDeprecated("old", "use --new"))
	root.AddCommand(&cobra.Command{Use: "old", Deprecated: "use codes", Run: func(*cobra.Command, []string) {}})
	warnOnStderr(root, c.Err)
	for _, test := range []struct{ args, out, err string }{
		{"codes BOX_3100 --format json --old x", `{"code":"BOX_3100"`, "Flag --old has been deprecated, use --new\n"},
		{"old", "", "Command \"old\" is deprecated, use codes\n"},
	} {
		out.Reset()
		stderr.Reset()
		root.SetArgs(strings.Fields(test.args))
		noError(t, root.Execute())
		if !strings.HasPrefix(out.String(), test.out) || test.out == "" && out.Len() > 0 || !strings.HasPrefix(stderr.String(), test.err) {
			t.Errorf("%s: stdout %q, stderr %q; want them to begin with %q and %q", test.args, out.String(), stderr.String(), test.out, test.err)
		}
	}
}
