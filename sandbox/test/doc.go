// Package test contains tests that compare the sandbox with independent code: the OAuth 2.0 client of
// golang.org/x/oauth2, and kin-openapi, which reads docs/openapi.yaml. It is a separate module because of
// these dependencies.
package test
