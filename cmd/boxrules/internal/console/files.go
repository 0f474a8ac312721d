package console

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// A replacement is written beside a file, and takes its place when it is whole.
type replacement struct {
	*os.File
	name string // of the file, or "" where that is written to as it is
	stop func() // ends that a signal removes what is written
}

// replaceFile starts to write a file anew. What is not a file, such as a device, is written to, and
// so is what stdout and stderr have open, as >> log.txt does.
func replaceFile(name string) (r replacement, err error) {
	mode := fs.FileMode(0o644)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return r, &fs.PathError{Op: "open", Path: name, Err: FileCause(err)}
	case isOpen(os.Stdout, info):
		return replacement{File: os.Stdout}, nil
	case isOpen(os.Stderr, info):
		return replacement{File: os.Stderr}, nil
	case !info.Mode().IsRegular():
		file, err := os.OpenFile(name, os.O_WRONLY, 0)
		return replacement{File: file}, err
	default:
		mode = info.Mode().Perm()
	}
	name = linkedName(name)
	folder, _ := filepath.Split(name)
	file, err := os.OpenFile(folder+".boxrules."+rand.Text()[:8], os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return r, &fs.PathError{Op: "open", Path: name, Err: FileCause(err)}
	}
	return replacement{file, name, removeAtSignal(file.Name())}, nil
}

// isOpen reports whether a file is the open one.
func isOpen(open *os.File, file fs.FileInfo) bool {
	info, err := open.Stat()
	return err == nil && os.SameFile(info, file)
}

// linkedName returns the name that links lead to, even where no file has it yet.
func linkedName(name string) string {
	for {
		link, err := os.Readlink(name)
		if err != nil {
			return name
		}
		if !filepath.IsAbs(link) {
			folder, _ := filepath.Split(name)
			link = folder + link
		}
		name = link
	}
}

// removeAtSignal removes a file when a signal comes, which then ends the process as it would have,
// until stop is called. What nohup and the shell's & have ignored stays ignored.
func removeAtSignal(name string) (stop func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		s, ok := <-signals
		if !ok {
			return
		}
		_ = os.Remove(name)
		signal.Reset(s)
		self, err := os.FindProcess(os.Getpid())
		if err != nil || self.Signal(s) != nil {
			os.Exit(int(Unanswered)) // on Windows, where no process sends signals
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

// end closes what was written, and puts it in the place of the file where it is whole.
func (r replacement) end(whole bool) (err error) {
	if r.name == "" {
		return nil // stdout and stderr stay open
	}
	defer r.stop()
	defer os.Remove(r.Name())
	if whole {
		err = r.Sync()
	}
	if err = errors.Join(err, r.Close()); err != nil || !whole {
		return err
	}
	err = os.Rename(r.Name(), r.name)
	if errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EXDEV) {
		return copyFile(r.name, r.Name()) // it is mounted by itself, as containers have files
	}
	return err
}

// copyFile writes to a file what another one has.
func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
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
