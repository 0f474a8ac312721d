// Package fuzz contains the tests that generate many random boxes and files: fuzz targets, property tests, and
// comparisons with an independent implementation (internal/lab/oracle), with expr's own virtual machine and with brute
// force. For every file, text and number, the code under test must return a verdict that is exactly right, or an error
// that says where the mistake is. It must never panic.
//
//	go test -fuzz FuzzRules ./fuzz
//
// If a run finds an input that is worth keeping, add it to testdata/fuzz. Every go test runs it again.
package fuzz
