package exact

import (
	"iter"
)

// Variables maps the names of variables to their values for an article in a material. The zero Variables is
// empty.
type Variables struct{ shared, own map[string]Variable }

// NewVariables returns the variables of both maps, which the caller must not change afterwards. sharedVariables holds
// the variables that are the same in every material of an article, so that the forms of all these materials can use
// one map. That saves memory in a large catalogue. If a name is in both maps, the variable in ownVariables is used.
func NewVariables(sharedVariables, ownVariables map[string]Variable) Variables {
	return Variables{sharedVariables, ownVariables}
}

// Get returns the variable with the given name. If there is none, ok is false.
func (v Variables) Get(name string) (variable Variable, ok bool) {
	if variable, ok = v.own[name]; !ok {
		variable, ok = v.shared[name]
	}
	return variable, ok
}

// All returns an iterator over the names and the variables, in no particular order.
func (v Variables) All() iter.Seq2[string, Variable] {
	return func(yield func(string, Variable) bool) {
		for name, variable := range v.own {
			if !yield(name, variable) {
				return
			}
		}
		for name, variable := range v.shared {
			if _, hidden := v.own[name]; !hidden && !yield(name, variable) {
				return
			}
		}
	}
}

// A Variable holds the value of a variable that conditions may mention.
type Variable struct {
	Value Value // in units
	Axes  []int // the axes that Value depends on, in the order in which its formula mentions them
	// Rounding bounds how far the variable, computed in float64, may be from Value, in units. It is 0 if the
	// computation always gives the float64 nearest to Value, as it does for a dimension, a number or twice a
	// dimension. It is infinite if there is no bound.
	Rounding float64
}
