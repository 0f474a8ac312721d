// Package fuzz holds the fuzz targets: whatever a file, a text or a number holds, there is a verdict that is
// exactly right, or an error that says where, and never a panic.
//
//	go test -fuzz FuzzRules ./fuzz
//
// What a run finds and is worth keeping goes to testdata/fuzz, where every go test runs it again.
package fuzz
