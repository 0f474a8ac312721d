package learn

import "example.com/boxrules"

// Proof is the teaching set of an engine's limits.
func Proof(e *boxrules.Engine, o Options) ([]Answer, error) { panic("not yet") }
