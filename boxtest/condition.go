package boxtest

import (
	"fmt"
	"regexp"
	"slices"
)

// A conditionNode is a part of a condition or formula, parsed by the parser below. The engine parses conditions with
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
type conditionNode struct {
	token    string // a number, a name or an operator
	operands []*conditionNode
}

var conditionToken = regexp.MustCompile(`[0-9]+(\.[0-9]+)?|[a-z_][a-z0-9_]*|[<>=!]=|&&|\|\||[-+*/<>!(),]`)

// A conditionParser holds the tokens that have not been read yet.
type conditionParser struct{ tokens []string }

func parseCondition(text string) *conditionNode {
	p := &conditionParser{conditionToken.FindAllString(text, -1)}
	n := p.parseOr()
	if len(p.tokens) > 0 {
		panic(fmt.Sprintf("boxtest: %q does not end before %q", text, p.tokens[0]))
	}
	return n
}

// accept consumes the next token if it is one of wanted, and returns it.
func (p *conditionParser) accept(wanted ...string) (token string, ok bool) {
	if len(p.tokens) == 0 || !slices.Contains(wanted, p.tokens[0]) {
		return "", false
	}
	return p.next(), true
}

func (p *conditionParser) next() string {
	if len(p.tokens) == 0 {
		panic("boxtest: a condition or formula ends too early")
	}
	token := p.tokens[0]
	p.tokens = p.tokens[1:]
	return token
}

// parseLeftToRight reads operands joined by operators of the same precedence, and groups them from the
// left: a - b - c becomes (a - b) - c.
func (p *conditionParser) parseLeftToRight(parseNext func() *conditionNode, operators ...string) *conditionNode {
	n := parseNext()
	for {
		// What has been read so far becomes the left operand of the next operator.
		token, ok := p.accept(operators...)
		if !ok {
			return n
		}
		n = &conditionNode{token, []*conditionNode{n, parseNext()}}
	}
}

// parseOr, parseAnd, parseRelation, parseSum and parseProduct each parse one level of precedence, from the lowest to
// the highest.
func (p *conditionParser) parseOr() *conditionNode { return p.parseLeftToRight(p.parseAnd, "||", "or") }
func (p *conditionParser) parseAnd() *conditionNode {
	return p.parseLeftToRight(p.parseRelation, "&&", "and")
}
func (p *conditionParser) parseSum() *conditionNode {
	return p.parseLeftToRight(p.parseProduct, "+", "-")
}
func (p *conditionParser) parseProduct() *conditionNode {
	return p.parseLeftToRight(p.parseOperand, "*", "/")
}

// parseRelation reads a comparison or a chain of comparisons: a < b < c means a < b && b < c. If the text contains no
// comparison, it returns only the number. This happens in a blank formula, and within the parentheses of (width +
// depth) / 2.
func (p *conditionParser) parseRelation() *conditionNode {
	left := p.parseSum()
	var joined *conditionNode
	for {
		token, ok := p.accept("<", "<=", ">", ">=", "==", "!=")
		if !ok {
			break
		}
		right := p.parseSum()
		// The right operand of this comparison is the left operand of the next: in a < b < c, b belongs
		// to both.
		n := &conditionNode{token, []*conditionNode{left, right}}
		if left = right; joined != nil {
			n = &conditionNode{"&&", []*conditionNode{joined, n}}
		}
		joined = n
	}
	if joined == nil {
		return left
	}
	return joined
}

func (p *conditionParser) parseOperand() *conditionNode {
	if token, ok := p.accept("-", "+", "!", "not"); ok {
		return &conditionNode{token, []*conditionNode{p.parseOperand()}}
	}
	// A number or a name has no operands.
	n := &conditionNode{token: p.next()}
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
func (n *conditionNode) mentions(names ...string) bool {
	return slices.Contains(names, n.token) || slices.ContainsFunc(n.operands, func(o *conditionNode) bool { return o.mentions(names...) })
}

// evalCondition reports whether the condition n holds for the given values of its variables.
func evalCondition[N any](a arithmetic[N], n *conditionNode, values map[string]N) bool {
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
func evalNumber[N any](a arithmetic[N], n *conditionNode, values map[string]N) N {
	var operands []N
	for _, o := range n.operands {
		operands = append(operands, evalNumber(a, o, values))
	}
	switch {
	case n.token == "min":
		return slices.MinFunc(operands, func(x, y N) int { return compareNumbers(a, x, y) })
	case n.token == "max":
		return slices.MaxFunc(operands, func(x, y N) int { return compareNumbers(a, x, y) })
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
