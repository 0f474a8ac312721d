package sample

import "testing"

func TestTwo(t *testing.T) {
	if Two != 2 {
		t.Error(Two)
	}
}

func TestLongest(t *testing.T) {
	if got := Longest([]length{3, 4, 2}); got != 4 {
		t.Error(got)
	}
}

func TestSum(t *testing.T) {
	if got := Sum(2, 3); got != 6 {
		t.Error(got)
	}
}

func TestBetween(t *testing.T) {
	if !Between(2, 1, 3) || Between(0, 1, 3) || Between(4, 1, 3) {
		t.Error("1 to 3")
	}
}

func TestTwice(t *testing.T) {
	if got := Twice("a"); got != "aa" {
		t.Error(got)
	}
}

func TestShift(t *testing.T) {
	if got := Shift(2); got != 3 {
		t.Error(got)
	}
}
