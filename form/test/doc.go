// Package test holds the tests of the npm package that are written in Go: the modules run in an
// interpreter, in a browser, and are held to their sizes. They are a module of their own for what
// they need.
package test
