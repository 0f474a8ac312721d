package console

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Save writes a complete answer to the named file, or to stdout if the name is -.
func (c *Console) Save(name string, answer []byte) error {
	return c.Into(name, func() (bool, error) {
		err := c.Write(answer)
		return err == nil, err
	})
}

// Into calls write with Out redirected to a temporary file. If write returns complete as true, Into renames the
// temporary file to name. Otherwise the named file stays unchanged. If name is -, Out is not redirected.
func (c *Console) Into(name string, write func() (complete bool, err error)) error {
	if name == "-" {
		_, err := write()
		return err
	}
	file, err := replaceFile(name)
	if err != nil {
		return c.Fail(err)
	}
	out := c.Out
	c.Out = file
	complete, err := write()
	c.Out = out
	if !complete && file.name != "" {
		c.Say("boxrules: %s was not written", name)
	}
	if endErr := file.end(complete); endErr != nil {
		return c.Fail(endErr)
	}
	return err
}

// A fileReplacement is a temporary file that, when complete, replaces another file in the same directory.
type fileReplacement struct {
	*os.File
	name string // the file to replace; empty if File is that file itself
}

// replaceFile creates a replacement, with a name such as out.csv.K7D2QX4A.part. Some files cannot be replaced: a device
// or another file that is not regular, and a file that is already open as stdout or stderr, for example because of
// 2>>out.log. In that case, replaceFile opens the file itself.
func replaceFile(name string) (r fileReplacement, err error) {
	opened := fileDescriptor(name)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // replace the target of a symbolic link, not the link
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		for _, stream := range []*os.File{os.Stdout, os.Stderr} {
			if open, err := stream.Stat(); err == nil && os.SameFile(open, info) {
				return fileReplacement{File: stream}, nil
			}
		}
		if opened >= 0 {
			return fileReplacement{File: os.NewFile(uintptr(opened), name)}, nil
		}
		if mode = info.Mode(); !mode.IsRegular() {
			r.File, err = os.OpenFile(name, os.O_WRONLY, 0)
			return r, err
		}
	}
	part := name + "." + rand.Text()[:8] + ".part"
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		err = &fs.PathError{Op: "open", Path: name, Err: FileCause(err)}
	}
	return fileReplacement{file, name}, err
}

// fileDescriptor returns the file descriptor in a name such as /dev/fd/3, or -1 for any other name. The shell has
// already opened that file, perhaps to append to a log, so we must write to it and not replace it.
func fileDescriptor(name string) int {
	number, ok := strings.CutPrefix(name, "/dev/fd/")
	if n, err := strconv.ParseUint(number, 10, 31); ok && err == nil {
		return int(n)
	}
	return -1
}

// end closes the temporary file. If complete is true, end then renames it to the name of the file to replace.
// Otherwise it removes the temporary file.
func (r fileReplacement) end(complete bool) error {
	switch {
	case r.File == os.Stdout, r.File == os.Stderr:
		return nil // stdout and stderr stay open
	case r.name == "":
		return r.Close()
	}
	err := errors.Join(r.Sync(), r.Close())
	if err == nil && complete {
		err = os.Rename(r.Name(), r.name)
	}
	if err != nil || !complete {
		err = errors.Join(err, os.Remove(r.Name()))
	}
	return err
}

// OpenRegular opens a regular file. It returns an error for any other file. Unlike os.OpenFile, it does not block
// if the file is a pipe that nobody writes to.
func OpenRegular(name string, flag int) (*os.File, error) {
	file, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file; name a file that can be read again, not a pipe, device or folder")
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// FileHash returns the SHA-256 hash of data in hexadecimal, as sha256sum prints it.
func FileHash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// FileCause strips the name of the file from an error about a file, because our messages already contain it.
func FileCause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
