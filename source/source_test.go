package source_test

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"example.com/boxrules/source"
)

func at(file string, line, column int) source.Position {
	return source.Position{File: file, Line: line, Column: column}
}

func TestError(t *testing.T) {
	for _, test := range []struct {
		err  source.Error
		want string
	}{
		{source.Error{Position: at("a.yaml", 3, 14), Rule: "BOX_3100", Message: "wrong"}, "a.yaml:3:14: BOX_3100: wrong"},
		{source.Error{Position: at("a.yaml", 3, 14), Message: "wrong"}, "a.yaml:3:14: wrong"},
		{source.Error{Rule: "articles.a.width", Message: "wrong"}, "articles.a.width: wrong"},
		{source.Error{Message: "wrong"}, "wrong"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("Error() = %q, want %q", got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	one := &source.Error{Position: at("a.yaml", 1, 2), Message: "one"}
	two := &source.Error{Position: at("a.yaml", 3, 4), Message: "two"}
	errs := source.Errors{one, two}
	if want := "a.yaml:1:2: one\na.yaml:3:4: two"; errs.Error() != want {
		t.Errorf("Error() = %q, want %q", errs.Error(), want)
	}
	var first *source.Error
	if !errors.As(errs, &first) || first != one {
		t.Errorf("errors.As gives %v, want %v", first, one)
	}
	if !errors.Is(errs, one) || !errors.Is(errs, two) || errors.Is(errs, fs.ErrNotExist) {
		t.Error("errors.Is does not find the errors of the list, and no other")
	}
}

// TestSorted brings every order of the errors into that of the text. Lines and columns are numbers,
// not texts.
func TestSorted(t *testing.T) {
	want := []source.Position{at("a", 2, 5), at("a", 2, 10), at("a", 10, 1), at("a", 10, 2), at("b", 1, 1), at("b", 2, 1)}
	var permute func(done, left []source.Position)
	permute = func(done, left []source.Position) {
		if len(left) > 0 {
			for i, p := range left {
				permute(append(slices.Clone(done), p), slices.Concat(left[:i], left[i+1:]))
			}
			return
		}
		var errs source.Errors
		for _, p := range done {
			errs = append(errs, &source.Error{Position: p})
		}
		if err := errs.Err(); err == nil {
			t.Fatal("Err() = nil")
		}
		for i, err := range errs {
			if err.Position != want[i] {
				t.Fatalf("%v sorted: %v comes at %d", done, err.Position, i)
			}
		}
	}
	permute(nil, want)
	var none source.Errors
	if err := none.Err(); err != nil {
		t.Errorf("without errors Err() = %#v, want nil", err)
	}
	// Errors at one place stay in the order in which they were found.
	same := source.Errors{{Position: at("a", 1, 1), Message: "x"}, {Position: at("a", 1, 1), Message: "a"},
		{Position: at("a", 1, 0), Message: "m"}}
	if err := same.Err(); err.Error() != "a:1:0: m\na:1:1: x\na:1:1: a" {
		t.Errorf("Err() = %q", err)
	}
}
