// Package test holds the tests of the sandbox against what was not written here: the OAuth 2.0
// client of golang.org/x/oauth2, and docs/openapi.yaml as kin-openapi reads it. They need a module
// of their own.
package test
