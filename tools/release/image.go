package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io/fs"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	"github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user runs the command in the image: nobody that has anything on the machine.
const user = "65532:65532"

// containerdName is where containerd, and with it Docker, looks for the name of an image. Docker's short names are in full so.
const containerdName = "io.containerd.image.name"

// A layout is an image layout of OCI: blobs by their digests.
type layout struct{ files []file }

// image is one image for each Linux that was built for, as a tar file in the layout of OCI.
func (r *release) image(binaries []binary, notices []file) ([]file, error) {
	l := &layout{}
	images := v1.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: v1.MediaTypeImageIndex, Annotations: r.labels()}
	for _, b := range binaries {
		if b.system != "linux" {
			continue
		}
		manifest, err := r.addImage(l, b, notices)
		if err != nil {
			return nil, err
		}
		images.Manifests = append(images.Manifests, manifest)
	}
	if len(images.Manifests) == 0 {
		return nil, nil
	}
	index, err := l.addJSON(v1.MediaTypeImageIndex, images)
	if err != nil {
		return nil, err
	}
	name := "boxrules:" + r.version
	index.Annotations = map[string]string{v1.AnnotationRefName: name, containerdName: "docker.io/library/" + name}
	err = errors.Join(
		l.write(v1.ImageLayoutFile, v1.ImageLayout{Version: v1.ImageLayoutVersion}),
		l.write(v1.ImageIndexFile, v1.Index{Versioned: images.Versioned, MediaType: v1.MediaTypeImageIndex, Manifests: []v1.Descriptor{index}}))
	if err != nil {
		return nil, err
	}
	data, err := packTar(l.files, r.commit.time)
	return []file{{name: "boxrules_" + r.version + "_image.tar", data: data}}, err
}

// addImage adds the image for one architecture, of one layer.
func (r *release) addImage(l *layout, b binary, notices []file) (v1.Descriptor, error) {
	files := []file{
		{"boxrules", 0o755, b.data},
		{"etc/", fs.ModeDir | 0o755, nil}, {"etc/ssl/", fs.ModeDir | 0o755, nil}, {"etc/ssl/certs/", fs.ModeDir | 0o755, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, authorities()},
		{"licenses/", fs.ModeDir | 0o755, nil},
	}
	for _, f := range notices {
		files = append(files, file{"licenses/" + f.name, f.mode, f.data})
	}
	plain, err := packTar(files, r.commit.time)
	if err != nil {
		return v1.Descriptor{}, err
	}
	compressed, err := compress(plain)
	if err != nil {
		return v1.Descriptor{}, err
	}
	layer := l.add(v1.MediaTypeImageLayerGzip, compressed)
	platform := v1.Platform{OS: b.system, Architecture: b.architecture}
	config, err := l.addJSON(v1.MediaTypeImageConfig, v1.Image{
		Created:  &r.commit.time,
		Platform: platform,
		Config:   v1.ImageConfig{User: user, Entrypoint: []string{"/boxrules"}, WorkingDir: "/", Labels: r.labels()},
		RootFS:   v1.RootFS{Type: "layers", DiffIDs: []digest.Digest{digest.FromBytes(plain)}},
		History:  []v1.History{{Created: &r.commit.time, CreatedBy: "scripts/release " + r.version}},
	})
	if err != nil {
		return v1.Descriptor{}, err
	}
	manifest, err := l.addJSON(v1.MediaTypeImageManifest, v1.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: v1.MediaTypeImageManifest,
		Config: config, Layers: []v1.Descriptor{layer},
	})
	manifest.Platform = &platform
	return manifest, err
}

func (r *release) labels() map[string]string {
	return map[string]string{
		v1.AnnotationTitle:       "boxrules",
		v1.AnnotationDescription: "Says whether cardboard boxes can be made, and if not, why",
		v1.AnnotationVersion:     r.version,
		v1.AnnotationRevision:    r.commit.hash,
		v1.AnnotationCreated:     r.commit.time.Format(time.RFC3339),
		v1.AnnotationLicenses:    "MIT",
	}
}

// add adds a blob.
func (l *layout) add(kind string, data []byte) v1.Descriptor {
	d := digest.FromBytes(data)
	l.files = append(l.files, file{"blobs/sha256/" + d.Encoded(), 0o644, data})
	return v1.Descriptor{MediaType: kind, Digest: d, Size: int64(len(data))}
}

func (l *layout) addJSON(kind string, v any) (v1.Descriptor, error) {
	data, err := json.Marshal(v)
	return l.add(kind, data), err
}

// write writes a file that is no blob.
func (l *layout) write(name string, v any) error {
	data, err := json.Marshal(v)
	l.files = append(l.files, file{name, 0o644, data})
	return err
}

// authorities are the certificates that the upstream of serve is checked by, those of Mozilla. One that Mozilla trusts with
// a restriction is left out, as the file cannot hold it.
func authorities() []byte {
	certificates := new(bytes.Buffer)
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(certificates, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes all
		}
	}
	return certificates.Bytes()
}
