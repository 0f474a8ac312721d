package main

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// platforms are those that are built for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// flags and what is linked in, the version behind it, leave nothing in a binary of the folder, nor of what git knows.
var flags = []string{"-C", "cmd/boxrules", "-trimpath", "-buildvcs=false", "-ldflags"}

const linked = "-s -w -buildid= -X main.release="

// A binary is the command for a platform.
type binary struct {
	system, architecture string
	data                 []byte
	info                 *debug.BuildInfo
}

// kept are the settings of Go that say where modules come from. Every other one could change what is built.
var kept = []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE", "GOCACHE", "GOMODCACHE", "GOTOOLCHAIN"}

// environment is this process's, less what could change a build.
func environment(c commit) ([]string, error) {
	env := without(os.Environ(), "GO", "CGO_", "GIT_", "npm_config_", "NPM_CONFIG_")
	values, err := output(exec.Command("go", append([]string{"env"}, kept...)...))
	if err != nil {
		return nil, err
	}
	for i, value := range strings.SplitN(values, "\n", len(kept)) {
		env = append(env, kept[i]+"="+strings.TrimSuffix(value, "\n"))
	}
	return append(env, "GOENV=off", "GOWORK=off", "GOFLAGS=-mod=readonly", "CGO_ENABLED=0",
		"SOURCE_DATE_EPOCH="+strconv.FormatInt(c.time.Unix(), 10)), nil
}

// without is env without the variables that begin so.
func without(env []string, prefixes ...string) []string {
	return slices.DeleteFunc(env, func(variable string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
	})
}

// build builds the command for each target.
func (r *release) build(targets []string) ([]binary, error) {
	var binaries []binary
	for _, target := range targets {
		fmt.Fprintln(os.Stderr, "building for", target)
		b := binary{}
		b.system, b.architecture, _ = strings.Cut(target, "/")
		err := r.built(func(path string) (err error) {
			if b.info, err = buildinfo.ReadFile(path); err == nil {
				b.data, err = os.ReadFile(path)
			}
			return err
		}, "GOOS="+b.system, "GOARCH="+b.architecture)
		if err != nil {
			return nil, err
		}
		binaries = append(binaries, b)
	}
	return binaries, nil
}

// built builds the command and calls use with its path.
func (r *release) built(use func(path string) error, settings ...string) error {
	folder, err := os.MkdirTemp("", "boxrules")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "boxrules.exe") // a name that can be run everywhere
	command := r.command("go", slices.Concat([]string{"build"}, flags, []string{linked + r.version, "-o", path, "."})...)
	command.Env = append(command.Env, settings...)
	if _, err := output(command); err != nil {
		return err
	}
	return use(path)
}

// modules are those of others that are in the binaries.
func modules(binaries []binary) []*debug.Module {
	var all []*debug.Module
	for _, b := range binaries {
		for _, module := range b.info.Deps {
			// What is replaced is in this repository.
			if module.Replace == nil && !slices.ContainsFunc(all, func(m *debug.Module) bool { return m.Path == module.Path }) {
				all = append(all, module)
			}
		}
	}
	slices.SortFunc(all, func(a, b *debug.Module) int { return strings.Compare(a.Path, b.Path) })
	return all
}

func (r *release) command(name string, args ...string) *exec.Cmd {
	command := exec.Command(name, args...)
	command.Env = slices.Clone(r.env)
	return command
}

// output is what the command writes to stdout; where it fails, the error has what it wrote to stderr.
func output(command *exec.Cmd) (string, error) {
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(failed.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(command.Args, " "), err)
	}
	return string(out), nil
}
