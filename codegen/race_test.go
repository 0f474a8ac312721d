//go:build race

package codegen_test

const underRace = true
