// Package form checks what customers type into a quote form. [Check] reports which fields are wrong and why, in the
// customer's language. The package also embeds the files of the npm package for quote forms, which is written in
// JavaScript, and the files of the npm package's demo page. Servers written in Go can serve these files, and
// package codegen uses them to generate modules. See docs/forms.md.
package form

import "embed"

//go:generate go run ../tools/form

// Files holds the files of the npm package: index.js and the other modules with their TypeScript declarations, the folder
// locales, and the folder demo, which is not published on npm. The files in demo refer to the modules by relative
// paths that begin with ../.
//
//go:embed *.js *.d.ts locales demo
var Files embed.FS
