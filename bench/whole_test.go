package bench

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strings"
)

// A condition of Go by hand in float64 becomes one in whole numbers of thousandths: both sides of a comparison are
// multiplied by the least number that leaves no fraction. h > (d*4.0)/5.0 becomes 5*h > 4*d.

// parsed returns the tree of a condition or a formula in Go.
func parsed(text string) ast.Expr {
	tree, err := parser.ParseExpr(text)
	if err != nil {
		panic(err)
	}
	return tree
}

// wholeCondition returns a condition in whole numbers, where blankWidth and blankHeight are multiplied by blank.
func wholeCondition(text string, blank *big.Rat) string {
	var write func(tree ast.Expr) string
	write = func(tree ast.Expr) string {
		switch tree := tree.(type) {
		case *ast.ParenExpr:
			return "(" + write(tree.X) + ")"
		case *ast.BinaryExpr:
			if tree.Op == token.LAND || tree.Op == token.LOR {
				return write(tree.X) + " " + tree.Op.String() + " " + write(tree.Y)
			}
			by := big.NewRat(1, 1)
			factors(tree.X, by, blank, func(factor *big.Rat) { by = multiple(by, factor) })
			factors(tree.Y, big.NewRat(1, 1), blank, func(factor *big.Rat) { by = multiple(by, factor) })
			return whole(tree.X, by, blank) + " " + tree.Op.String() + " " + whole(tree.Y, by, blank)
		}
		panic(fmt.Sprintf("%s: %T is no condition", text, tree))
	}
	return write(parsed(text))
}

// multiplier returns the least number that leaves no fraction in the formulas.
func multiplier(formulas ...string) *big.Rat {
	by := big.NewRat(1, 1)
	for _, formula := range formulas {
		factors(parsed(formula), big.NewRat(1, 1), nil, func(factor *big.Rat) { by = multiple(by, factor) })
	}
	return by
}

// multiple returns the least multiple of a whole number that leaves no fraction of x.
func multiple(of, x *big.Rat) *big.Rat {
	rest := new(big.Rat).Mul(of, x)
	return new(big.Rat).Mul(of, new(big.Rat).SetInt(rest.Denom()))
}

// factors calls yield with the factor of each variable and the thousandths of each length, in a tree that is
// multiplied by the number by.
func factors(tree ast.Expr, by, blank *big.Rat, yield func(*big.Rat)) {
	_ = walk(tree, by, blank, func(factor *big.Rat, _ string) string {
		yield(factor)
		return ""
	})
}

// whole returns a tree multiplied by the number by, in Go.
func whole(tree ast.Expr, by, blank *big.Rat) string {
	return walk(tree, by, blank, func(factor *big.Rat, name string) string {
		if !factor.IsInt() {
			panic(fmt.Sprintf("%v times %s is not a whole number", factor, name))
		}
		switch text := factor.Num().String(); {
		case name == "":
			return text
		case text == "1":
			return name
		default:
			return text + "*" + name
		}
	})
}

// walk writes a tree that is multiplied by the number by. leaf writes a factor and the variable after it, or a length
// in thousandths, without a variable.
func walk(tree ast.Expr, by, blank *big.Rat, leaf func(factor *big.Rat, name string) string) string {
	if length, ok := constant(tree); ok {
		return leaf(new(big.Rat).Mul(by, length.Mul(length, big.NewRat(1000, 1))), "")
	}
	switch tree := tree.(type) {
	case *ast.ParenExpr:
		if sum, ok := tree.X.(*ast.BinaryExpr); ok && (sum.Op == token.ADD || sum.Op == token.SUB) {
			return "(" + walk(tree.X, by, blank, leaf) + ")"
		}
		return walk(tree.X, by, blank, leaf)
	case *ast.Ident:
		if strings.HasPrefix(tree.Name, "blank") {
			by = new(big.Rat).Quo(by, blank)
		}
		return leaf(by, tree.Name)
	case *ast.SelectorExpr: // m.caliper
		return leaf(by, "m."+tree.Sel.Name)
	case *ast.CallExpr: // min or max
		if by.Sign() < 0 {
			panic("a negative factor swaps min and max")
		}
		var parts []string
		for _, argument := range tree.Args {
			parts = append(parts, walk(argument, by, blank, leaf))
		}
		return tree.Fun.(*ast.Ident).Name + "(" + strings.Join(parts, ", ") + ")"
	case *ast.BinaryExpr:
		x, isNumber := constant(tree.X)
		y, _ := constant(tree.Y)
		switch {
		case tree.Op == token.MUL && isNumber:
			return walk(tree.Y, x.Mul(x, by), blank, leaf)
		case tree.Op == token.MUL:
			return walk(tree.X, y.Mul(y, by), blank, leaf)
		case tree.Op == token.QUO:
			return walk(tree.X, y.Quo(by, y), blank, leaf)
		default:
			return walk(tree.X, by, blank, leaf) + " " + tree.Op.String() + " " + walk(tree.Y, by, blank, leaf)
		}
	}
	panic(fmt.Sprintf("%T is no formula", tree))
}

// constant returns the value of a tree without variables. For every other tree ok is false.
func constant(tree ast.Expr) (value *big.Rat, ok bool) {
	switch tree := tree.(type) {
	case *ast.BasicLit:
		return new(big.Rat).SetString(tree.Value)
	case *ast.ParenExpr:
		return constant(tree.X)
	case *ast.BinaryExpr:
		x, xOK := constant(tree.X)
		y, yOK := constant(tree.Y)
		if !xOK || !yOK {
			return nil, false
		}
		switch tree.Op {
		case token.ADD:
			return x.Add(x, y), true
		case token.SUB:
			return x.Sub(x, y), true
		case token.MUL:
			return x.Mul(x, y), true
		default:
			return x.Quo(x, y), true
		}
	}
	return nil, false
}
