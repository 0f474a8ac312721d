//go:build linux

package main

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go/v1"
)

// readBlob reads a blob of the layout, and compares it with its descriptor.
func readBlob(t *testing.T, layout []file, d v1.Descriptor) []byte {
	t.Helper()
	blob := find(t, layout, "blobs/sha256/"+d.Digest.Encoded())
	if digest.FromBytes(blob.data) != d.Digest || int64(len(blob.data)) != d.Size {
		t.Fatalf("the blob %s has another digest or size than %v", blob.name, d)
	}
	return blob.data
}

func readJSON[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// images are the descriptors of the images in the layout, one for each platform.
func images(t *testing.T, layout []file) []v1.Descriptor {
	t.Helper()
	outer := readJSON[v1.Index](t, find(t, layout, "index.json").data)
	if len(outer.Manifests) != 1 || outer.Manifests[0].Annotations[v1.AnnotationRefName] != "boxrules:"+version {
		t.Fatalf("index.json has %+v, want one image index named boxrules:%s", outer.Manifests, version)
	}
	return readJSON[v1.Index](t, readBlob(t, layout, outer.Manifests[0])).Manifests
}

// testImage unpacks the layers of the image, and starts what they hold as the image says.
func testImage(t *testing.T, packed []byte) {
	layout := untar(t, packed)
	descriptor := images(t, layout)[0]
	manifest := readJSON[v1.Manifest](t, readBlob(t, layout, descriptor))
	image := readJSON[v1.Image](t, readBlob(t, layout, manifest.Config))
	if image.Architecture != runtime.GOARCH || image.OS != "linux" || descriptor.Platform.Architecture != image.Architecture {
		t.Errorf("the image is for %+v and %+v, want %s", image.Platform, descriptor.Platform, runtime.GOARCH)
	}
	if image.Config.User != "65532:65532" || image.Config.Labels[v1.AnnotationVersion] != version {
		t.Errorf("the image has the configuration %+v", image.Config)
	}

	if os.Geteuid() != 0 {
		t.Fatal("only root may start an image from its layers; accepted: run as root")
	}
	root := filepath.Join(t.TempDir(), "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	var names []string
	size := int64(0)
	for i, layer := range manifest.Layers {
		size += layer.Size
		plain := uncompress(t, readBlob(t, layout, layer))
		if got := digest.FromBytes(plain); got != image.RootFS.DiffIDs[i] {
			t.Errorf("layer %d has the digest %s, the image says %s", i, got, image.RootFS.DiffIDs[i])
		}
		for _, f := range untar(t, plain) {
			names = append(names, f.name)
			path := filepath.Join(root, f.name)
			err := errors.ErrUnsupported
			switch {
			case f.mode.IsDir():
				err = os.Mkdir(path, f.mode.Perm())
			case f.mode.IsRegular():
				err = os.WriteFile(path, f.data, f.mode.Perm())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"boxrules", "etc/", "etc/ssl/", "etc/ssl/certs/", "etc/ssl/certs/ca-certificates.crt",
		"licenses/", "licenses/LICENSE", "licenses/THIRD-PARTY-NOTICES"}
	if !slices.Equal(names, want) {
		t.Errorf("the image holds %v, want %v", names, want)
	}
	if size > 10_000_000 {
		t.Errorf("the layers have %d bytes, want 10,000,000 at most", size)
	}

	page := get(t, start(t, root, image, "--demo")+"/demo/")
	if !strings.HasPrefix(page, "200 OK\n<!doctype html>") {
		t.Errorf("the demo is %.200s", page)
	}

	// The service's certificate is checked by the file in the image.
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "the service")
	}))
	service.Config.ErrorLog = log.New(io.Discard, "", 0) // of the client that does not trust it
	service.StartTLS()
	defer service.Close()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw})
	shipped := filepath.Join(root, "etc/ssl/certs/ca-certificates.crt")
	for _, test := range []struct {
		authorities []byte
		answer      string
	}{{nil, "502"}, {authority, "the service"}} {
		if test.authorities != nil {
			if err := os.WriteFile(shipped, test.authorities, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		sidecar := start(t, root, image, "--preflight", "--illustrative", "--upstream", service.URL)
		answer := get(t, sidecar+"/v1/reseller/dieline?article=tuck-end&material=carton-300&width=143&depth=50&height=303")
		if !strings.Contains(answer, test.answer) {
			t.Errorf("the sidecar answers %s, want %s", answer, test.answer)
		}
	}
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`)

// start starts the image's command in its root and as its user, to serve until the test ends, and returns where.
func start(t *testing.T, root string, image v1.Image, args ...string) string {
	t.Helper()
	args = slices.Concat(image.Config.Entrypoint[1:], []string{"serve", "--address", "127.0.0.1:0"}, args)
	server := exec.Command(image.Config.Entrypoint[0], args...)
	server.Dir, server.Env = image.Config.WorkingDir, image.Config.Env
	server.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	stderr, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		if err := server.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	said := bufio.NewScanner(stderr)
	for said.Scan() {
		if at := address.FindString(said.Text()); at != "" {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return at
		}
	}
	t.Fatalf("the server did not start: %v", said.Err())
	return ""
}

func get(t *testing.T, url string) string {
	t.Helper()
	client := &http.Client{Timeout: time.Minute}
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.Status + "\n" + string(body)
}

// TestImages finds an image for each Linux, of what was built for it.
func TestImages(t *testing.T) {
	r := &release{version: version, commit: commit{"abc", time.Unix(1_000_000_000, 0).UTC()}}
	files, err := r.image([]binary{
		{system: "windows", architecture: "amd64"}, {system: "linux", architecture: "amd64", data: []byte("one")},
		{system: "linux", architecture: "arm64", data: []byte("two")},
	}, nil)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	layout := untar(t, files[0].data)
	var got []string
	for _, d := range images(t, layout) {
		manifest := readJSON[v1.Manifest](t, readBlob(t, layout, d))
		image := readJSON[v1.Image](t, readBlob(t, layout, manifest.Config))
		boxrules := find(t, untar(t, readBlob(t, layout, manifest.Layers[0])), "boxrules")
		got = append(got, d.Platform.Architecture+" "+image.Architecture+" "+string(boxrules.data))
	}
	if want := []string{"amd64 amd64 one", "arm64 arm64 two"}; !slices.Equal(got, want) {
		t.Errorf("the images are %v, want %v", got, want)
	}
	if files, err := r.image([]binary{{system: "windows"}}, nil); err != nil || len(files) != 0 {
		t.Errorf("without a Linux there are %d images, %v", len(files), err)
	}
}

func TestAuthorities(t *testing.T) {
	n := 0
	for rest := authorities(); ; n++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			t.Error(err)
		}
	}
	if n < 100 {
		t.Errorf("%d certificates, want 100 or more", n)
	}
}
