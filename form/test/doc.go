// Package test holds the tests of the npm package that are written in Go. They run the modules in an
// interpreter and in a browser, and check their sizes. They are a separate module because of their
// dependencies.
package test
