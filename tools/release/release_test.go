//go:build linux

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var all = flag.Bool("all", false, "build for every platform, in a cache of its own for each folder")

const version = "1.2.3-rc.1"

// TestRelease releases the same commit from a clone and from what git archive writes, in folders and environments that
// differ in all that a build may hang on. What is not committed, but tracked, is released too.
func TestRelease(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	revision := strings.TrimSpace(command(t, root, "git", "-c", "user.name=test", "-c", "user.email=test@example.com", "stash", "create"))
	if revision == "" {
		revision = strings.TrimSpace(command(t, root, "git", "rev-parse", "HEAD"))
	}
	targets := "linux/" + runtime.GOARCH + ",windows/amd64"
	var cold []string
	if *all {
		targets = strings.Join(platforms, ",")
		cold = []string{"GOCACHE=" + t.TempDir()}
	}

	checkout := filepath.Join(t.TempDir(), "checkout")
	command(t, root, "git", "clone", "--quiet", "--no-checkout", ".", checkout)
	command(t, checkout, "git", "fetch", "--quiet", "origin", revision)
	command(t, checkout, "git", "checkout", "--quiet", "--detach", "FETCH_HEAD")
	releaseIn(t, checkout, "022", targets)

	unpacked := filepath.Join(t.TempDir(), "ein Ordner, été")
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		t.Fatal(err)
	}
	command(t, root, "sh", "-c", `git archive "$0" | tar -x -C "$1"`, revision, unpacked)
	releaseIn(t, unpacked, "077", targets, append(cold, "TZ=Asia/Kathmandu", "LC_ALL=tr_TR.UTF-8", "SOURCE_DATE_EPOCH=1",
		"GOFLAGS=-tags=odd -ldflags=-X=main.release=0.0.0", "GOOS=plan9", "GOARCH=386", "GOAMD64=v3", "CGO_ENABLED=1",
		"GIT_DIR=/nowhere", "npm_config_json=false")...)

	files := dist(t, checkout)
	others := dist(t, unpacked)
	for name, data := range files {
		if !bytes.Equal(data, others[name]) {
			t.Errorf("%s differs: %x, %x", name, sha256.Sum256(data), sha256.Sum256(others[name]))
		}
	}
	if len(files) != len(others) || len(files) != strings.Count(targets, ",")+5 {
		t.Errorf("%d and %d files, want those of %s, image, list, package and sums", len(files), len(others), targets)
	}

	t.Run("sums", func(t *testing.T) {
		checked := command(t, filepath.Join(checkout, "dist"), "sha256sum", "--check", "SHA256SUMS")
		if n := strings.Count(checked, ": OK\n"); n != len(files)-1 {
			t.Errorf("SHA256SUMS has %d of %d files", n, len(files)-1)
		}
	})
	t.Run("archive", func(t *testing.T) { testArchives(t, files) })
	t.Run("image", func(t *testing.T) { testImage(t, files["boxrules_"+version+"_image.tar"]) })
	t.Run("list", func(t *testing.T) { testList(t, files["boxrules_"+version+".cdx.json"]) })
	t.Run("documented", func(t *testing.T) { testDocumented(t, root, checkout) })
	t.Run("form", func(t *testing.T) { testForm(t, filepath.Join(checkout, "dist", "boxrules-form-"+version+".tgz")) })
}

// command is what a command in the folder writes to stdout.
func command(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = folder
	out, err := output(c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func releaseIn(t *testing.T, folder, umask, targets string, env ...string) {
	t.Helper()
	c := exec.Command("sh", "-c", `umask "$0" && exec "$@"`, umask, filepath.Join(folder, "scripts/release"), "--platforms", targets, version)
	c.Env = append(os.Environ(), env...)
	c.Dir = t.TempDir()
	if _, err := output(c); err != nil {
		t.Fatal(err)
	}
}

func dist(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	entries, err := os.ReadDir(filepath.Join(folder, "dist"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if files[entry.Name()], err = os.ReadFile(filepath.Join(folder, "dist", entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// uncompress is what was compressed; what was not it leaves as it is.
func uncompress(t *testing.T, data []byte) []byte {
	t.Helper()
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	plain, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// untar is what is in a tar file, compressed or not.
func untar(t *testing.T, data []byte) []file {
	t.Helper()
	var files []file
	for r := tar.NewReader(bytes.NewReader(uncompress(t, data))); ; {
		header, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{header.Name, header.FileInfo().Mode(), data})
	}
}

// find is the file of that name.
func find(t *testing.T, files []file, name string) file {
	t.Helper()
	i := slices.IndexFunc(files, func(f file) bool { return f.name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return files[i]
}

func testArchives(t *testing.T, dist map[string][]byte) {
	name := "boxrules_" + version + "_linux_" + runtime.GOARCH
	files := untar(t, dist[name+".tar.gz"])
	boxrules := find(t, files, name+"/boxrules")
	path := filepath.Join(t.TempDir(), "boxrules")
	if err := os.WriteFile(path, boxrules.data, boxrules.mode); err != nil {
		t.Fatal(err)
	}
	if said := command(t, ".", path, "--version"); !strings.HasPrefix(said, "boxrules "+version+" (") {
		t.Errorf("--version says %q", said)
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	notices := string(find(t, files, name+"/THIRD-PARTY-NOTICES").data)
	for _, module := range modules([]binary{{info: info}}) {
		if !strings.Contains(notices, "==== "+module.Path+" "+module.Version+", LICENSE") {
			t.Errorf("THIRD-PARTY-NOTICES does not have %s", module.Path)
		}
	}
	for file, want := range map[string]string{
		"LICENSE": "MIT License", "README.md": "# boxrules", "completions/boxrules.bash": "complete -o default",
		"completions/_boxrules": "#compdef boxrules", "completions/boxrules.fish": "complete -c boxrules",
		"completions/boxrules.ps1": "Register-ArgumentCompleter", "man/man1/boxrules-check.1": `"boxrules ` + version + `"`,
		"THIRD-PARTY-NOTICES": "==== Go, LICENSE",
	} {
		if f := find(t, files, name+"/"+file); !strings.Contains(string(f.data), want) || f.mode != 0o644 {
			t.Errorf("%s has the mode %v and lacks %q:\n%.200s", file, f.mode, want, f.data)
		}
	}
	testLinks(t, name, files)
	name = "boxrules_" + version + "_windows_amd64"
	zipped, err := zip.NewReader(bytes.NewReader(dist[name+".zip"]), int64(len(dist[name+".zip"])))
	if err != nil {
		t.Fatal(err)
	}
	if len(zipped.File) != len(files) || zipped.File[0].Name != name+"/boxrules.exe" {
		t.Errorf("the zip has %d files, the first %s; want %d, boxrules.exe", len(zipped.File), zipped.File[0].Name, len(files))
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// testLinks follows every link of the documents in the archive to a file there, but for those of the conformance cases, which
// are of use with the sources alone.
func testLinks(t *testing.T, name string, files []file) {
	links := 0
	for _, f := range files {
		if !strings.HasSuffix(f.name, ".md") || f.name == name+"/conformance/README.md" {
			continue
		}
		for _, match := range link.FindAllStringSubmatch(string(f.data), -1) {
			links++
			target := path.Join(path.Dir(f.name), match[1])
			if !slices.ContainsFunc(files, func(f file) bool { return f.name == target }) {
				t.Errorf("%s links to %s, which is not in the archive", f.name, match[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links, want more than 100", links)
	}
	for file, mode := range map[string]fs.FileMode{
		"examples/boxes.csv": 0o644, "limits/illustrative.yaml": 0o644, "examples/spark/run": 0o755,
	} {
		if f := find(t, files, name+"/"+file); f.mode != mode {
			t.Errorf("%s has the mode %v, want %v", file, f.mode, mode)
		}
	}
}

func testList(t *testing.T, data []byte) {
	var list struct {
		SpecVersion string
		Components  []struct{ Name, Version, Purl string }
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list.Components {
		if c.Version == "" || c.Purl != "pkg:golang/"+c.Name+"@"+c.Version {
			t.Errorf("component %+v", c)
		}
		names = append(names, c.Name)
	}
	// On Windows alone there is mousetrap; the last is in the image.
	for _, want := range []string{"std", "github.com/expr-lang/expr", "github.com/inconshreveable/mousetrap",
		"golang.org/x/crypto/x509roots/fallback"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among %v", want, names)
		}
	}
	for _, other := range []string{"pgregory.net/rapid", "example.com/boxrules", "github.com/CycloneDX/cyclonedx-go"} {
		if slices.Contains(names, other) {
			t.Errorf("%s is in no binary", other)
		}
	}
}

// testForm installs the package and asks it.
func testForm(t *testing.T, packed string) {
	folder := t.TempDir()
	command(t, folder, "npm", "install", "--offline", "--no-audit", "--no-fund", packed)
	installed, err := os.ReadFile(filepath.Join(folder, "node_modules/boxrules-form/package.json"))
	if err != nil || !strings.Contains(string(installed), `"version": "`+version+`"`) {
		t.Errorf("the package's version is not %s: %v\n%s", version, err, installed)
	}
	readme, err := os.ReadFile(filepath.Join(folder, "node_modules/boxrules-form/README.md"))
	if links := link.FindAllString(string(readme), -1); err != nil || len(links) > 0 {
		t.Errorf("the package's README links to %q, %v; want no file, as documents are not in the package", links, err)
	}
	script := `import { profile } from "boxrules-form";
		console.log(JSON.stringify(profile("tuck-end", "carton-300").validate({ width: "48", depth: "141", height: "184" })))`
	if said := command(t, folder, "node", "--input-type=module", "--eval", script); !strings.Contains(said, "BOX_3100") {
		t.Errorf("the package says %s", said)
	}
}

// testDocumented runs, one after the other, the shell blocks of docs/install.md that need no container.
func testDocumented(t *testing.T, root, checkout string) {
	data, err := os.ReadFile(filepath.Join(root, "docs/install.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("1.2.3", version, "linux_amd64", "linux_"+runtime.GOARCH).Replace(string(data))
	script := "set -e\nexport HOME=" + t.TempDir() + "\n"
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		script += block[1]
	}
	script += "./boxrules audit --limits limits/illustrative.yaml examples/all-answers.csv 2>&1\n" // of docs/limits.md
	script += "~/.local/bin/boxrules --version; ls ~/.local/share/man/man1 node_modules\n"
	script += "bash -n ~/.local/share/bash-completion/completions/boxrules"
	said := command(t, checkout, "bash", "-c", script)
	for _, want := range []string{
		": OK\n", "39 answers: 39 as expected, 0 not\n", "\nboxrules " + version + " (", "\nboxrules-check.1\n", "\nboxrules-form\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the documented commands do not say %q:\n%s", want, said)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, `"" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"1.2.3", "1.2.4"}, `"1.2.3 1.2.4" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"v1.2.3"}, `"v1.2.3" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"1.2"}, `"1.2" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"1.02.3"}, `"1.02.3" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"1.2.3-rc.0"}, `"1.2.3-rc.0" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"1.2.3\n"}, `"1.2.3\n" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"1.2.3'"}, `"1.2.3'" is not a version; accepted: one such as 1.2.3 or 1.2.3-rc.1`},
		{[]string{"--platforms", "linux/386", "1.2.3"},
			`--platforms: "linux/386" is not built; accepted: linux/amd64, linux/arm64, darwin/amd64, darwin/arm64, windows/amd64, windows/arm64`},
	} {
		if err := run(test.args); err == nil || err.Error() != test.want {
			t.Errorf("run(%q) = %v, want %s", test.args, err, test.want)
		}
	}
}

// TestFindCommit asks in a checkout, with a change, inside another checkout, and in what git did not write.
func TestFindCommit(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write(archived, "$Format:%H %ct$\n")
	unknown := "which commit this is cannot be told; accepted: a checkout by git, or what git archive wrote"
	if _, err := findCommit(true); err == nil || err.Error() != unknown {
		t.Errorf("of no checkout: %v, want %s", err, unknown)
	}
	command(t, folder, "git", "init", "--quiet")
	command(t, folder, "git", "add", ".")
	t.Setenv("GIT_COMMITTER_DATE", "1000000000 +0545")
	command(t, folder, "git", "-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message", "test")
	hash := strings.TrimSpace(command(t, folder, "git", "rev-parse", "HEAD"))
	want := commit{hash, time.Unix(1_000_000_000, 0).UTC()}
	if got, err := findCommit(false); err != nil || got != want {
		t.Errorf("of a checkout: %v, %v, want %v", got, err, want)
	}
	write("new.go", "")
	refusal := `not all is committed: "?? new.go"; accepted: a clean tree, or --dirty`
	if _, err := findCommit(false); err == nil || err.Error() != refusal {
		t.Errorf("of a changed checkout: %v, want %s", err, refusal)
	}
	want.hash += "+dirty"
	if got, err := findCommit(true); err != nil || got != want {
		t.Errorf("of a changed checkout: %v, %v, want %v", got, err, want)
	}
	write("inside/"+archived, "abc 1000000000\n")
	t.Chdir("inside")
	want.hash = "abc"
	if got, err := findCommit(false); err != nil || got != want {
		t.Errorf("of an archive inside of a checkout: %v, %v, want %v", got, err, want)
	}
}

func TestNoNotice(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "LICENSES"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := appendNotices(new(bytes.Buffer), "a module", folder); err == nil || err.Error() != "a module has no licence in "+folder {
		t.Errorf("appendNotices = %v", err)
	}
}

// TestDockerfile finds in the Dockerfile the flags and the user of a release.
func TestDockerfile(t *testing.T) {
	data, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{strings.Join(flags, " ") + ` "` + linked + `$VERSION"`, "CGO_ENABLED=0", "GOWORK=off", "USER " + user} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the Dockerfile lacks %s", want)
		}
	}
}
