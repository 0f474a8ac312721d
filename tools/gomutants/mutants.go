package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// An outcome is what the tests say about a mutant.
type outcome uint8

const (
	notTried outcome = iota
	killed
	lived
	noTest
	timedOut
	noMutant
)

var outcomeNames = [...]string{"not tried", "killed", "lived", "no test", "timed out", "no mutant"}

// A mutant replaces the operator of a place.
type mutant struct {
	number   int // from 1
	place    *place
	operator string // "" drops the operator, which is a sign
	outcome  outcome
}

func (m *mutant) String() string {
	p := m.place
	change := fmt.Sprintf("%s to %s", p.operator, m.operator)
	if m.operator == "" {
		change = "without " + p.operator
	}
	return fmt.Sprintf("%-9s %s:%d:%d: %s in %q", outcomeNames[m.outcome], p.file.name, p.line, p.column, change, p.excerpt())
}

// A place is an expression or a statement with an operator that mutants replace.
type place struct {
	number       int
	file         *file
	start, end   int // the bytes of the expression or statement in the file
	operatorAt   int
	operator     string
	line, column int    // of the operator
	result       string // the type of the expression; "" for a statement
	alone        bool   // its mutants are compiled for themselves
	mutants      []*mutant
}

// excerpt is the source of a place, up to 60 characters of it.
func (p *place) excerpt() string {
	text := []rune(p.file.source[p.start:p.end])
	if len(text) > 60 {
		return string(text[:60]) + " …"
	}
	return string(text)
}

// replacements lists what each operator is replaced with. A sign is left out, which this list does not say. If both sides
// are strings, only == and != are replaced.
var replacements = map[token.Token][]string{
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"*"},
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LAND: {"||"}, token.LOR: {"&&"},
	token.AND: {"|"}, token.OR: {"&"}, token.XOR: {"&"}, token.AND_NOT: {"&"}, token.SHL: {">>"}, token.SHR: {"<<"},
	token.INC: {"--"}, token.DEC: {"++"},
	token.ADD_ASSIGN: {"-=", "="}, token.SUB_ASSIGN: {"+=", "="}, token.MUL_ASSIGN: {"/=", "="},
	token.QUO_ASSIGN: {"*=", "="}, token.REM_ASSIGN: {"*=", "="},
	token.AND_ASSIGN: {"|=", "="}, token.OR_ASSIGN: {"&=", "="}, token.XOR_ASSIGN: {"&=", "="},
	token.SHL_ASSIGN: {">>=", "="}, token.SHR_ASSIGN: {"<<=", "="}, token.AND_NOT_ASSIGN: {"&=", "="},
}

// find adds the places of a file to it. Places that contain others come before them.
func (p *pkg) find(f *file) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			isEquality := n.Op == token.EQL || n.Op == token.NEQ
			if p.info.Types[n].IsValue() && (isEquality || !isString(p.info.TypeOf(n.X))) {
				p.add(f, n, n.OpPos, n.Op.String(), replacements[n.Op], n)
			}
		case *ast.UnaryExpr:
			if n.Op == token.SUB {
				p.add(f, n, n.OpPos, "-", []string{""}, n)
			}
		case *ast.IncDecStmt:
			p.add(f, n, n.TokPos, n.Tok.String(), replacements[n.Tok], nil)
		case *ast.AssignStmt:
			if !isString(p.info.TypeOf(n.Lhs[0])) {
				p.add(f, n, n.TokPos, n.Tok.String(), replacements[n.Tok], nil)
			}
		}
		return true
	})
}

// add adds a place with a mutant for each replacement of its operator. If there are none, it adds nothing. expression is
// nil for a statement.
func (p *pkg) add(f *file, n ast.Node, at token.Pos, operator string, replacements []string, expression ast.Expr) {
	if len(replacements) == 0 {
		return
	}
	position := p.fset.Position(at)
	place := &place{
		number: len(p.places) + 1, file: f, operator: operator, line: position.Line, column: position.Column,
		start: p.fset.Position(n.Pos()).Offset, end: p.fset.Position(n.End()).Offset, operatorAt: position.Offset,
	}
	if expression != nil {
		place.result = p.typeName(f, expression)
		place.alone = p.info.Types[expression].Value != nil // a constant
	}
	for _, replacement := range replacements {
		place.mutants = append(place.mutants, &mutant{number: p.count + 1, place: place, operator: replacement})
		p.count++
	}
	p.places = append(p.places, place)
	f.places = append(f.places, place)
}

// typeName writes the type of an expression as its file would. If the file does not import the package of the type, the
// result does not compile, and isolate sets the place apart.
func (p *pkg) typeName(f *file, e ast.Expr) string {
	t := p.info.TypeOf(e)
	if b, ok := t.(*types.Basic); ok && b.Kind() == types.UntypedBool {
		return "bool"
	}
	return types.TypeString(t, func(other *types.Package) string {
		if other == p.types {
			return ""
		}
		for _, i := range f.syntax.Imports {
			if i.Path.Value == `"`+other.Path()+`"` && i.Name != nil {
				return i.Name.Name
			}
		}
		return other.Name()
	})
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
