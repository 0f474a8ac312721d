//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// killWithChildren makes a command that takes too long end together with the commands that it has started.
func killWithChildren(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
