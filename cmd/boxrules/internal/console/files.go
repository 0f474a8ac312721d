package console

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// replaceFile writes a file whole or not at all. What is not a file, such as a device, is written
// to.
func replaceFile(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, data, mode)
	} else if err == nil {
		mode = info.Mode().Perm()
	}
	folder, base := filepath.Split(name)
	file, err := os.OpenFile(folder+"."+base+"."+rand.Text()[:8], os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: Cause(err)}
	}
	if _, err = file.Write(data); err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// OpenRegular opens a regular file, without waiting for anybody as os.OpenFile does for a pipe.
func OpenRegular(name string, flag int) (*os.File, error) {
	file, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file; accepted: one that can be read again, and no pipe, device or folder")
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// Hash returns the SHA-256 of a file, as sha256sum writes it.
func Hash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// Cause returns what is wrong with a file, without its name, which our messages have already.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
