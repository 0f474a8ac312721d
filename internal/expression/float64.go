package expression

import "sync"

var machinePool = sync.Pool{New: func() any { return NewMachine() }}

// machineFor returns a Machine from the pool, with the variables that e mentions set to their values.
func (e *Expression) machineFor(value func(name string) float64) *Machine {
	m := machinePool.Get().(*Machine)
	for _, name := range e.names {
		m.Set(name, value(name))
	}
	return m
}

// HoldsInFloat64 reports whether the condition holds in double precision for the values of its variables.
// See Machine for how it is computed. Unlike Holds, it may be called by several goroutines.
func (e *Expression) HoldsInFloat64(value func(name string) float64) bool {
	m := e.machineFor(value)
	defer machinePool.Put(m)
	return e.Holds(m)
}

// ValueInFloat64 returns the value of the formula in double precision for the values of its variables.
// Unlike Float64, it may be called by several goroutines.
func (e *Expression) ValueInFloat64(value func(name string) float64) float64 {
	m := e.machineFor(value)
	defer machinePool.Put(m)
	return e.Float64(m)
}
