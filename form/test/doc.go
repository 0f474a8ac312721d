// Package test contains the tests of the npm package that are written in Go. They run its JavaScript modules in an
// interpreter and in a browser, and check the sizes of the modules. The tests are a separate Go module because of
// their dependencies.
package test
