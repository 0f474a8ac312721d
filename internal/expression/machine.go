package expression

import (
	"sync"

	"example.com/boxrules/exact"
	"github.com/expr-lang/expr/vm"
)

// A Machine evaluates expressions in double precision, in the same way as a program that contains a copy of
// the expression: a literal becomes the nearest float64, and each + - * / rounds its result to a float64. So
// 1 / 3 * width is not always equal to width / 3. min and max do not round. The chain a < b < c means a < b
// && b < c; b is computed twice, with the same result.
//
// Evaluating cannot fail. Dividing by zero gives an infinity or NaN, as in Go.
//
// Only one goroutine may use a Machine at a time. Several Machines may evaluate the same Expression at the
// same time.
type Machine struct {
	vm     vm.VM
	values map[string]any // a float64 for every variable of the language
}

// NewMachine returns a Machine whose variables are all 0.
func NewMachine() *Machine {
	m := &Machine{values: make(map[string]any, len(variables))}
	for name := range variables {
		m.Set(name, 0)
	}
	return m
}

// Set sets the value of a variable.
func (m *Machine) Set(name string, value float64) { m.values[name] = value }

// Holds reports whether the condition holds in double precision for the variables of m. It panics
// if e is a formula.
func (e *Expression) Holds(m *Machine) bool { return m.run(e).(bool) }

// Float64 returns the value of the formula in double precision for the variables of m. It panics
// if e is a condition.
func (e *Expression) Float64(m *Machine) float64 { return m.run(e).(float64) }

func (m *Machine) run(e *Expression) any {
	value, err := m.vm.Run(e.program, m.values)
	if err != nil {
		panic("expression: " + err.Error()) // no operation on float64s fails
	}
	return value
}

var machinePool = sync.Pool{New: func() any { return NewMachine() }}

// machineFor takes a Machine from the pool, and sets the variables that e mentions. It converts each length by
// ratio.
func (e *Expression) machineFor(ratio exact.Ratio, value func(name string) float64) *Machine {
	m := machinePool.Get().(*Machine)
	for _, name := range e.names {
		x := value(name)
		if !e.isPlain(name) {
			x = ratio.Convert(x)
		}
		m.Set(name, x)
	}
	return m
}
