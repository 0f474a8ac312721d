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

// Save writes a complete answer to the file. The name - means stdout.
func (c *Console) Save(name string, answer []byte) error {
	return c.Into(name, func() (bool, error) {
		err := c.Write(answer)
		return err == nil, err
	})
}

// Into redirects Out to a temporary file while write runs. If write reports that its output is complete, Into
// renames the temporary file to name. Otherwise the named file stays as it was. The name - means stdout.
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

// A fileReplacement is a temporary file next to the file that it will replace once it is complete.
type fileReplacement struct {
	*os.File
	name string // the name of the file that it replaces; empty if the file itself is open
}

// replaceFile creates a replacement, with a name such as out.csv.K7D2QX4A.part. But if the file is not a regular
// file, such as a device, or if it is already open as stdout or stderr, as after >> log.txt, replaceFile opens the
// file itself.
func replaceFile(name string) (r fileReplacement, err error) {
	opened := fileDescriptor(name)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // replace the target of a link, and not the link
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

// fileDescriptor returns the file descriptor of a name such as /dev/fd/3, or -1 for any other name. The shell has opened
// its file, perhaps to append to a log, so the file must not be replaced.
func fileDescriptor(name string) int {
	number, ok := strings.CutPrefix(name, "/dev/fd/")
	if n, err := strconv.ParseUint(number, 10, 31); ok && err == nil {
		return int(n)
	}
	return -1
}

// end closes the replacement. If it is complete, it takes the place of the file; otherwise it is removed.
func (r fileReplacement) end(complete bool) error {
	switch {
	case r.File == os.Stdout, r.File == os.Stderr:
		return nil // they stay open
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

// OpenRegular opens a regular file. Unlike os.OpenFile, it does not wait for a writer if the file is a pipe.
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

// FileHash returns the SHA-256 of a file, as sha256sum writes it.
func FileHash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// FileCause returns the cause of an error about a file without the name of the file, which our messages already
// contain.
func FileCause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
