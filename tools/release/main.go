// Command release fills dist/ with what a release consists of: the command in an archive for each platform, an image, the npm
// package, a list of all that is in them, and SHA256SUMS. One commit and one version of Go make the same bytes in every
// folder, on every machine. scripts/release runs it.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A release is a version, made of a commit of the repository in the current folder.
type release struct {
	version string
	commit  commit
	env     []string // of the commands that are run
}

// A file is one of the release, or in an archive.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

var versions = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-rc\.[1-9][0-9]*)?$`)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("scripts/release", flag.ExitOnError)
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: scripts/release [--dirty] [--platforms OS/ARCHITECTURE,...] VERSION")
		flags.PrintDefaults()
	}
	dirty := flags.Bool("dirty", false, "take changes that are not committed")
	names := flags.String("platforms", strings.Join(platforms, ","), "to build for")
	_ = flags.Parse(args) // which ends the process where it fails
	r := release{version: flags.Arg(0)}
	if flags.NArg() != 1 || !versions.MatchString(r.version) {
		return fmt.Errorf("%q is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1", strings.Join(flags.Args(), " "))
	}
	targets := strings.Split(*names, ",")
	for _, target := range targets {
		if !slices.Contains(platforms, target) {
			return fmt.Errorf("--platforms: %q is not built; accepted: %s", target, strings.Join(platforms, ", "))
		}
	}
	var err error
	if r.commit, err = findCommit(*dirty); err != nil {
		return err
	}
	if r.env, err = environment(r.commit); err != nil {
		return err
	}
	files, err := r.files(targets)
	if err != nil {
		return err
	}
	return fill("dist", files)
}

// files are those of the release, but for their sums.
func (r *release) files(targets []string) ([]file, error) {
	form, err := r.form() // first, as it takes the least time to fail
	if err != nil {
		return nil, err
	}
	binaries, err := r.build(targets)
	if err != nil {
		return nil, err
	}
	notices, err := r.notices(modules(binaries))
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(os.Stderr, "packing")
	manual, err := r.manual()
	if err != nil {
		return nil, err
	}
	archives, err := r.archives(binaries, slices.Concat(notices, manual))
	if err != nil {
		return nil, err
	}
	image, err := r.image(binaries, notices)
	if err != nil {
		return nil, err
	}
	list, err := r.list(binaries)
	return slices.Concat(archives, image, list, form), err
}

// fill empties the folder and writes the files into it. SHA256SUMS comes last: where it is, all of them are.
func fill(folder string, files []file) error {
	if err := errors.Join(os.RemoveAll(folder), os.Mkdir(folder, 0o755)); err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	sums := new(bytes.Buffer)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.name), f.data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(sums, "%x  %s\n", sha256.Sum256(f.data), f.name)
	}
	if err := os.WriteFile(filepath.Join(folder, "SHA256SUMS"), sums.Bytes(), 0o644); err != nil {
		return err
	}
	_, err := sums.WriteTo(os.Stdout)
	return err
}
