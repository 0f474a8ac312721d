// Package fuzz holds what asks about many boxes and files at random: the fuzz targets,
// properties, and comparisons with the oracle, with expr's own machine and with brute force.
// Whatever a file, a text or a number holds, there is a verdict that is exactly right, or an
// error that says where, and never a panic.
//
//	go test -fuzz FuzzRules ./fuzz
//
// What a run finds and is worth keeping goes to testdata/fuzz, where every go test runs it again.
package fuzz
