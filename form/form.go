// Package form checks what customers type into a quote form: [Check] says which field is wrong and why, in the
// customer's language. It also holds the files of the npm package for quote forms and of its demo page.
// Servers written in Go can serve these files, and codegen makes its modules from them. The npm package is
// written in JavaScript; see docs/forms.md.
package form

import "embed"

//go:generate go run ../tools/form

// Files holds index.js and the other modules of the npm package as it is published, with their TypeScript
// declarations, locales/, and demo/, which refers to the other files with ../.
//
//go:embed *.js *.d.ts locales demo
var Files embed.FS
