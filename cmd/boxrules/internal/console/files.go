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

// Save writes a whole answer to the file, which is stdout under the name -.
func (c *Console) Save(name string, answer []byte) error {
	return c.Into(name, func() (bool, error) {
		err := c.Write(answer)
		return err == nil, err
	})
}

// Into has what write writes to Out go to the file, which is stdout under the name -. The file
// stays as it was where write says that not all was written.
func (c *Console) Into(name string, write func() (whole bool, err error)) error {
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
	whole, err := write()
	c.Out = out
	if !whole && file.name != "" {
		c.Say("boxrules: %s is not written", name)
	}
	if wrong := file.end(whole); wrong != nil {
		return c.Fail(wrong)
	}
	return err
}

// A replacement is written beside a file, and takes its place when it is whole.
type replacement struct {
	*os.File
	name string // of the file that it replaces, or "" where that is written to as it is
}

// replaceFile starts to write a file anew, as a part such as out.csv.K7D2QX4A.part beside it. What
// is not a file, such as a device, is written to, and so is what stdout and stderr have open, as
// >> log.txt does.
func replaceFile(name string) (r replacement, err error) {
	opened := descriptor(name)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // so that a link stays
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		for _, own := range []*os.File{os.Stdout, os.Stderr} {
			if open, err := own.Stat(); err == nil && os.SameFile(open, info) {
				return replacement{File: own}, nil
			}
		}
		if opened >= 0 {
			return replacement{File: os.NewFile(uintptr(opened), name)}, nil
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
	return replacement{file, name}, err
}

// descriptor returns the descriptor that a name such as /dev/fd/3 means, or -1 for any other name. The
// shell has opened it, perhaps at the end of a log, so nothing takes the place of its file.
func descriptor(name string) int {
	number, ok := strings.CutPrefix(name, "/dev/fd/")
	if n, err := strconv.ParseUint(number, 10, 31); ok && err == nil {
		return int(n)
	}
	return -1
}

// end closes what was written, and puts it in the place of the file where it is whole.
func (r replacement) end(whole bool) error {
	switch {
	case r.File == os.Stdout, r.File == os.Stderr:
		return nil // they stay open
	case r.name == "":
		return r.Close()
	}
	err := errors.Join(r.Sync(), r.Close())
	if err == nil && whole {
		err = os.Rename(r.Name(), r.name)
	}
	if err != nil || !whole {
		err = errors.Join(err, os.Remove(r.Name()))
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

// FileHash returns the SHA-256 of a file, as sha256sum writes it.
func FileHash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// FileCause returns what is wrong with a file, without its name, which our messages have already.
func FileCause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
