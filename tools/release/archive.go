package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"time"
)

// archives are the binaries, each with the other files.
func (r *release) archives(binaries []binary, others []file) ([]file, error) {
	var archives []file
	for _, b := range binaries {
		name := strings.Join([]string{"boxrules", r.version, b.system, b.architecture}, "_")
		command, extension, pack := "boxrules", ".tar.gz", packTarGz
		if b.system == "windows" {
			command, extension, pack = "boxrules.exe", ".zip", packZip
		}
		files := []file{{name + "/" + command, 0o755, b.data}}
		for _, f := range others {
			files = append(files, file{name + "/" + f.name, f.mode, f.data})
		}
		data, err := pack(files, r.commit.time)
		if err != nil {
			return nil, err
		}
		archives = append(archives, file{name: name + extension, data: data})
	}
	return archives, nil
}

// packTarGz packs the files in their order.
func packTarGz(files []file, modified time.Time) ([]byte, error) {
	data, err := packTar(files, modified)
	if err != nil {
		return nil, err
	}
	return compress(data)
}

// packTar packs the files in their order. They belong to root.
func packTar(files []file, modified time.Time) ([]byte, error) {
	packed := new(bytes.Buffer)
	w := tar.NewWriter(packed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode.Perm()), Size: int64(len(f.data)), ModTime: modified, Typeflag: tar.TypeReg}
		if f.mode.IsDir() {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}

func compress(data []byte) ([]byte, error) {
	compressed := new(bytes.Buffer)
	w, err := gzip.NewWriterLevel(compressed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return compressed.Bytes(), err
}

func packZip(files []file, modified time.Time) ([]byte, error) {
	packed := new(bytes.Buffer)
	w := zip.NewWriter(packed)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified}
		header.SetMode(f.mode)
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return packed.Bytes(), err
}
