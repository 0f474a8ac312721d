package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/internal/wording"
)

// healthCommand checks whether a server is ready.
type healthCommand struct{ *sources }

func newHealth(s *sources) *cobra.Command {
	c := &healthCommand{sources: s}
	return &cobra.Command{
		Use:   "health URL",
		Short: "Check whether a server is ready, for the health check of a container",
		Long: `health sends a request to the URL, such as the /readyz of boxrules serve, and waits at most five seconds for the
answer. It is meant for container images without a shell or curl.

Exit status: 0 if the answer has the status 200, 1 if it has another status or there is no answer, 2 if the URL is
wrong.`,
		Example: "  boxrules health http://127.0.0.1:8080/readyz",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%s given; give one, such as http://127.0.0.1:8080/readyz",
					console.CountText(len(args), "URL is", "URLs are"))
			}
			return nil
		},
		RunE: c.run,
	}
}

func (c *healthCommand) run(command *cobra.Command, args []string) error {
	if address, err := url.Parse(args[0]); err != nil || address.Host == "" ||
		address.Scheme != "http" && address.Scheme != "https" {
		return fmt.Errorf("%s is not an http or https URL; give one such as http://127.0.0.1:8080/readyz", wording.Quote(args[0]))
	}
	client := http.Client{
		Timeout:       5 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Get(args[0])
	if err != nil {
		c.console.Say("boxrules: %v", err)
		return console.SomeInvalid
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		c.console.Say("boxrules: %s answers %s: %s", args[0], answer.Status, console.PrintableLine(string(said)))
		return console.SomeInvalid
	}
	return nil
}
