package boxtest

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
)

// A node is a part of a condition or formula, parsed by the parser below. The engine parses conditions with
// expr, and shares no code with this parser. The parser assumes that the text is valid, because the engine
// has already accepted it (see NewReference). For
//
//	depth > 2 * width || not (height >= 10)
//
// the tree is
//
//	||
//	├── >
//	│   ├── depth
//	│   └── *
//	│       ├── 2
//	│       └── width
//	└── not
//	    └── >=
//	        ├── height
//	        └── 10
//
// The parser has a method for each level of precedence. Each method reads its operands with the method of
// the next higher level, so that * binds more tightly than >, and > more tightly than ||.
type node struct {
	token    string // a number, a name or an operator
	operands []*node
}

var tokens = regexp.MustCompile(`[0-9]+(\.[0-9]+)?|[a-z_][a-z0-9_]*|[<>=!]=|&&|\|\||[-+*/<>!(),]`)

// A parser holds the tokens of a text that have not been read yet.
type parser struct{ tokens []string }

func parseExpression(text string) *node {
	p := &parser{tokens.FindAllString(text, -1)}
	n := p.parseOr()
	if len(p.tokens) > 0 {
		panic(fmt.Sprintf("boxtest: %q does not end before %q", text, p.tokens[0]))
	}
	return n
}

// accept consumes the next token if it is one of wanted, and returns it.
func (p *parser) accept(wanted ...string) (token string, ok bool) {
	if len(p.tokens) == 0 || !slices.Contains(wanted, p.tokens[0]) {
		return "", false
	}
	return p.next(), true
}

func (p *parser) next() string {
	if len(p.tokens) == 0 {
		panic("boxtest: a condition or formula ends too early")
	}
	token := p.tokens[0]
	p.tokens = p.tokens[1:]
	return token
}

// parseLeftToRight reads operands joined by operators of the same precedence: a - b - c is (a - b) - c.
func (p *parser) parseLeftToRight(parseNext func() *node, operators ...string) *node {
	n := parseNext()
	for {
		// What has been read so far becomes the left operand of the next operator.
		token, ok := p.accept(operators...)
		if !ok {
			return n
		}
		n = &node{token, []*node{n, parseNext()}}
	}
}

// parseOr and the methods below it each read one level of precedence, from the lowest to the highest.
func (p *parser) parseOr() *node      { return p.parseLeftToRight(p.parseAnd, "||", "or") }
func (p *parser) parseAnd() *node     { return p.parseLeftToRight(p.parseRelation, "&&", "and") }
func (p *parser) parseSum() *node     { return p.parseLeftToRight(p.parseProduct, "+", "-") }
func (p *parser) parseProduct() *node { return p.parseLeftToRight(p.parseOperand, "*", "/") }

// parseRelation reads a comparison or a chain of comparisons: a < b < c means a < b && b < c. Inside
// parentheses it may also find only a number.
func (p *parser) parseRelation() *node {
	left := p.parseSum()
	var joined *node
	for {
		token, ok := p.accept("<", "<=", ">", ">=", "==", "!=")
		if !ok {
			break
		}
		right := p.parseSum()
		// The right operand of this comparison is the left operand of the next: in a < b < c, b belongs
		// to both.
		n := &node{token, []*node{left, right}}
		if left = right; joined != nil {
			n = &node{"&&", []*node{joined, n}}
		}
		joined = n
	}
	if joined == nil {
		return left
	}
	return joined
}

func (p *parser) parseOperand() *node {
	if token, ok := p.accept("-", "+", "!", "not"); ok {
		return &node{token, []*node{p.parseOperand()}}
	}
	// A number or a name has no operands.
	n := &node{token: p.next()}
	switch n.token {
	case "(":
		// Parentheses may contain any condition or number. p.next consumes the closing parenthesis.
		n = p.parseOr()
		p.next()
	case "min", "max":
		for separator := p.next(); separator != ")"; separator = p.next() { // "(" or a comma
			n.operands = append(n.operands, p.parseSum())
		}
	}
	return n
}

// mentions reports whether any of the names occurs in n.
func (n *node) mentions(names ...string) bool {
	return slices.Contains(names, n.token) || slices.ContainsFunc(n.operands, func(o *node) bool { return o.mentions(names...) })
}

// An arithmetic computes with numbers of type N.
type arithmetic[N any] interface {
	literal(text string) N
	operation(operator string, x, y N) N
	less(x, y N) bool
	equal(x, y N) bool
	// convert converts a length to another unit. from and to are the lengths of the units in millimetres.
	convert(x N, from, to *big.Rat) N
}

// evalCondition reports whether the condition n holds for the given values of its variables.
func evalCondition[N any](a arithmetic[N], n *node, values map[string]N) bool {
	switch n.token {
	case "&&", "and":
		return evalCondition(a, n.operands[0], values) && evalCondition(a, n.operands[1], values)
	case "||", "or":
		return evalCondition(a, n.operands[0], values) || evalCondition(a, n.operands[1], values)
	case "!", "not":
		return !evalCondition(a, n.operands[0], values)
	}
	// Anything else is a comparison of two numbers.
	x, y := evalNumber(a, n.operands[0], values), evalNumber(a, n.operands[1], values)
	switch n.token {
	case "<":
		return a.less(x, y)
	case "<=":
		return a.less(x, y) || a.equal(x, y)
	case ">":
		return a.less(y, x)
	case ">=":
		return a.less(y, x) || a.equal(x, y)
	case "==":
		return a.equal(x, y)
	case "!=":
		return !a.equal(x, y)
	}
	panic("boxtest: " + n.token + " is not a condition")
}

// evalNumber returns the value of the formula n for the given values of its variables.
func evalNumber[N any](a arithmetic[N], n *node, values map[string]N) N {
	var operands []N
	for _, o := range n.operands {
		operands = append(operands, evalNumber(a, o, values))
	}
	switch {
	case n.token == "min":
		return slices.MinFunc(operands, func(x, y N) int { return compare(a, x, y) })
	case n.token == "max":
		return slices.MaxFunc(operands, func(x, y N) int { return compare(a, x, y) })
	case len(operands) == 1:
		return a.operation(n.token, a.literal("0"), operands[0]) // -x is 0 - x, and +x is 0 + x
	case len(operands) == 2:
		return a.operation(n.token, operands[0], operands[1])
	case n.token[0] >= '0' && n.token[0] <= '9':
		return a.literal(n.token)
	}
	value, ok := values[n.token]
	if !ok {
		panic("boxtest: " + n.token + " is not a number")
	}
	return value
}

func compare[N any](a arithmetic[N], x, y N) int {
	switch {
	case a.less(x, y):
		return -1
	case a.less(y, x):
		return 1
	}
	return 0
}

// fractionArithmetic computes exactly.
type fractionArithmetic struct{}

func (fractionArithmetic) literal(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("boxtest: " + text + " is not a number")
	}
	return x
}

func (fractionArithmetic) operation(operator string, x, y *big.Rat) *big.Rat {
	operations := map[string]func(z, x, y *big.Rat) *big.Rat{
		"+": (*big.Rat).Add, "-": (*big.Rat).Sub, "*": (*big.Rat).Mul, "/": (*big.Rat).Quo,
	}
	return operations[operator](new(big.Rat), x, y)
}

func (fractionArithmetic) less(x, y *big.Rat) bool  { return x.Cmp(y) < 0 }
func (fractionArithmetic) equal(x, y *big.Rat) bool { return x.Cmp(y) == 0 }

func (fractionArithmetic) convert(x, from, to *big.Rat) *big.Rat {
	millimetres := new(big.Rat).Mul(x, from)
	return millimetres.Quo(millimetres, to)
}

// float64Arithmetic computes in double precision. Each operation rounds its result to the nearest float64
// on every machine: the explicit conversion keeps the compiler from fusing two operations into one that
// rounds only once.
type float64Arithmetic struct{}

func (float64Arithmetic) literal(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("boxtest: " + err.Error())
	}
	return x
}

func (float64Arithmetic) operation(operator string, x, y float64) float64 {
	switch operator {
	case "+":
		return float64(x + y)
	case "-":
		return float64(x - y)
	case "*":
		return float64(x * y)
	}
	return float64(x / y)
}

func (float64Arithmetic) less(x, y float64) bool  { return x < y }
func (float64Arithmetic) equal(x, y float64) bool { return x == y }

// convert rounds only once if the number has at most three decimals: it converts the decimal exactly, and
// returns the nearest float64. Any other number is multiplied and divided in float64, which rounds twice.
func (float64Arithmetic) convert(x float64, from, to *big.Rat) float64 {
	decimal, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'f', -1, 64))
	if !ok { // NaN or an infinity
		return x
	}
	ratio := new(big.Rat).Quo(from, to)
	if new(big.Rat).Mul(decimal, big.NewRat(1000, 1)).IsInt() {
		nearest, _ := decimal.Mul(decimal, ratio).Float64()
		return nearest
	}
	num, den := float64(ratio.Num().Int64()), float64(ratio.Denom().Int64())
	return float64(float64(float64(x*1000)*num) / float64(1000*den))
}
