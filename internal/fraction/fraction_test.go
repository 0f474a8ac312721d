package fraction_test

import (
	"testing"

	"example.com/boxrules/internal/fraction"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"12 3/8": "12.375", "0 1/2": "0.5", "-1 1/2": "-1.5", "1 63/64": "1.984375", "007 2/4": "7.5", "12 0/8": "12",
		"12": "", "3/8": "", "12 8/8": "", "12 9/8": "", "12 1/3": "", "12 1/128": "", "12  3/8": "", "12-3/8": "", "12.5 3/8": "",
		"12 3 / 8": "", "12 3/8\"": "", "12 -3/8": "", "--1 1/2": "", " 12 3/8": "", "": "", "12345678 1/2": "",
	} {
		value, ok := fraction.Parse(text)
		got := ""
		if ok {
			f, _ := value.Float64()
			got = value.FloatString(6)
			for len(got) > 0 && (got[len(got)-1] == '0' || got[len(got)-1] == '.') && f != 0 {
				last := got[len(got)-1]
				got = got[:len(got)-1]
				if last == '.' {
					break
				}
			}
		}
		if got != want {
			t.Errorf("Parse(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"12 3/8": "12.375", "-1 1/2": "-1.5", "1 63/64": "1.984375", "12 0/8": "12", "10 0/8": "10", "12": "", "3/8": "",
	} {
		if got := fraction.Decimal(text); got != want {
			t.Errorf("Decimal(%q) = %q, want %q", text, got, want)
		}
	}
}
