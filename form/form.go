// Package form checks what customers type into a quote form: [Check] says at which field something is
// wrong, in their language. It also holds the files of the npm package for quote forms and of its demo
// page: for servers written in Go, and for codegen, which makes its modules from them. The package itself
// is JavaScript; see docs/forms.md.
package form

import "embed"

//go:generate go run ../tools/form

// Files holds index.js and the other modules of the package as it is published, with their
// TypeScript declarations, locales/, and demo/, which refers to the others by ../.
//
//go:embed *.js *.d.ts locales demo
var Files embed.FS
