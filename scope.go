package boxrules

import (
	"math/big"

	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
)

// A scope holds the variables that conditions and formulas may mention. The scope of a profile is nested in
// the scope of its article. Each variable has a text that identifies its value: variables with equal texts
// are equal. The text of a constant is the number. The text of a side of the blank is the formula, followed
// by the texts of the variables in the formula.
type scope struct {
	variables map[string]exact.Variable
	texts     map[string]string
	outer     *scope // the enclosing scope, whose variables may also be mentioned; nil if there is none
}

func newScope(outer *scope) scope {
	return scope{make(map[string]exact.Variable), make(map[string]string), outer}
}

// all returns the variables of the scope and of its outer scope.
func (s scope) all() exact.Variables {
	if s.outer == nil {
		return exact.NewVariables(nil, s.variables)
	}
	return exact.NewVariables(s.outer.variables, s.variables)
}

// text returns the text that identifies the value of a variable.
func (s scope) text(name string) string {
	text, ok := s.texts[name]
	if !ok && s.outer != nil {
		return s.outer.texts[name]
	}
	return text
}

// setConstant defines a variable whose value is a number, and returns the number as a fraction.
func (s scope) setConstant(c *compiler, name string, d limits.Decimal) *big.Rat {
	v := c.constant(d)
	s.variables[name], s.texts[name] = exact.Variable{Value: v}, string(d)
	number, _ := v.Constant()
	return number
}

// setValues defines a variable for each user-defined value.
func (s scope) setValues(c *compiler, values limits.Values) {
	for name, d := range values {
		s.setConstant(c, name, d)
	}
}

// cacheKey returns a key that identifies an expression together with the values of the variables that it
// mentions. Because of this key, width > max_width is compiled once for all articles whose maximum width is
// 400, and the formulas of a blank once for all materials with the same glue flap.
func (s scope) cacheKey(expression string, mentioned []string) string {
	key := []byte(expression)
	for _, name := range mentioned {
		key = append(append(key, ';'), s.text(name)...)
	}
	return string(key)
}
