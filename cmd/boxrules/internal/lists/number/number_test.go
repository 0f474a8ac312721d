package number_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/lists/number"
)

var texts = flag.Int("texts", 40_000, "how many random texts are read")

// draws returns how many random texts to read: more in CI.
func draws() int {
	if os.Getenv("CI") != "" {
		return max(*texts, 200_000)
	}
	return *texts
}

func parser(t testing.TB, point byte, unit, catalogue string) *number.Parser {
	t.Helper()
	p, err := number.New(point, unit, catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		point           byte
		unit, catalogue string
		cell            string
		want            float64
	}{
		{'.', "", "mm", "123.5", 123.5},
		{'.', "mm", "mm", "123.5", 123.5},
		{'.', "", "mm", "-0.1", -0.1},
		{'.', "", "mm", "-0", math.Copysign(0, -1)},
		{'.', "in", "mm", "-0." + strings.Repeat("0", 60), math.Copysign(0, -1)},
		{'.', "", "mm", " \t\u00a0 48.5 \u00a0\t", 48.5},
		{'.', "", "mm", "48.5\u00a0", 48.5},
		{'.', "", "mm", "999999.99999999999", 1_000_000},
		{'.', "", "mm", "1000000", 1_000_000},
		{'.', "", "mm", "-1000000.0", -1_000_000},
		{'.', "", "mm", "1000000.00000000000000000001", 1_000_000},
		{'.', "", "mm", strings.Repeat("0", 62) + ".5", 0.5},
		{',', "", "mm", "123,5", 123.5},
		{',', "", "mm", "-0,250", -0.25},
		{',', "", "mm", "0,12345678901234567890", 0.12345678901234567890},
		{'.', "cm", "mm", "0.1", 1},
		{'.', "m", "mm", "0.0305", 30.5},
		{'.', "in", "mm", "1", 25.4},
		{'.', "in", "mm", "0.1", 2.54},
		{'.', "in", "mm", "39370.0787401574803149606299212598425196850393700", 1_000_000},
		{',', "in", "mm", "3,5", 88.9},
		{'.', "mm", "in", "25.4", 1},
		{'.', "mm", "in", "1", 10.0 / 254},
		{'.', "mm", "m", "2000000", 2000},
		{'.', "in", "cm", "1", 2.54},
		{'.', "", "in", "12 3/8", 12.375},
		{'.', "in", "in", " 12 3/8 ", 12.375},
		{',', "", "in", "-0 1/64", -0.015625},
		{'.', "in", "mm", "12 3/8", 314.325},
	} {
		got, err := parser(t, test.point, test.unit, test.catalogue).Parse("width", []byte(test.cell))
		if err != nil || math.Float64bits(got) != math.Float64bits(test.want) {
			t.Errorf("%q in %s, to %s = %v, %v, want %v", test.cell, test.unit, test.catalogue, got, err, test.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const (
		plain = `; accepted: a plain decimal such as 48 or 48.5`
		both  = ` has both a point and a comma; leave out the thousands separator, as in 1234`
		comma = ` has a comma; write a point, as in 48.5, or use --decimal , for a list with decimal commas`
		point = ` has a point; write a comma, as in 48,5, or leave out --decimal if the list has decimal points`
		most  = `; accepted: a number from -1000000 to 1000000`
	)
	for _, test := range []struct {
		point byte
		unit  string
		cell  string
		want  string
	}{
		{'.', "", "", "missing; enter a width"},
		{'.', "", " \u00a0 ", "missing; enter a width"},
		{',', "in", "", "missing; enter a width"},
		{'.', "", "1,5", `"1,5"` + comma},
		{'.', "", "1.234,5", `"1.234,5"` + both + ".5"},
		{'.', "", "-1,234.5", `"-1,234.5"` + both + ".5"},
		{',', "", "1.234,5", `"1.234,5"` + both + ",5"},
		{',', "", "1.5", `"1.5"` + point},
		{',', "cm", ".5", `".5"` + point},
		{',', "", "1,2,3", `"1,2,3" is not a dimension; accepted: a plain decimal such as 48 or 48,5`},
		{'.', "", ".5", `".5" is not a dimension` + plain},
		{'.', "", "5.", `"5." is not a dimension` + plain},
		{'.', "", "-", `"-" is not a dimension` + plain},
		{'.', "", "+1", `"+1" is not a dimension` + plain},
		{'.', "", "1e3", `"1e3" is not a dimension` + plain},
		{'.', "", "NaN", `"NaN" is not a dimension` + plain},
		{'.', "", "12 mm", `"12 mm" is not a dimension` + plain},
		{'.', "", "１２", `"１２" is not a dimension` + plain},
		{'.', "", "1\xfc", `"1\xfc" is not a dimension` + plain},
		{'.', "", "\xc25\xc2", `"\xc25\xc2" is not a dimension` + plain},
		{'.', "", "\x1b[2J", `"\x1b[2J" is not a dimension` + plain},
		{'.', "", strings.Repeat("x", 100), `"` + strings.Repeat("x", 40) + `…" is not a dimension` + plain},
		{'.', "", strings.Repeat("0", 65), "the number is 65 characters long; at most 64 are accepted"},
		{',', "in", strings.Repeat("0", 63) + ",5", "the number is 65 characters long; at most 64 are accepted"},
		{'.', "", "1000001", "1000001 is not a dimension" + most},
		{'.', "", "1000000.0000000002", "1000000.0000000002 is not a dimension" + most},
		{',', "", "-1000000,5", "-1000000,5 is not a dimension" + most},
		{'.', "m", "1000.001", "1000.001 m is not a dimension" + most + " mm"},
		{',', "in", "40000,5", "40000,5 in is not a dimension" + most + " mm"},
	} {
		_, err := parser(t, test.point, test.unit, "mm").Parse("width", []byte(test.cell))
		var wrong *boxrules.InputError
		if !errors.As(err, &wrong) || wrong.Field != "width" || wrong.Message != test.want {
			t.Errorf("%q in %s: %v, want %s", test.cell, test.unit, err, test.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, test := range []struct{ unit, catalogue, want string }{
		{"mm", "pt", `the unit "mm" cannot be converted to the unit of the limits, "pt"; accepted: mm, cm, m, in`},
		{"px", "mm", `the unit "px" cannot be converted to the unit of the limits, "mm"; accepted: mm, cm, m, in`},
		{"MM", "mm", `the unit "MM" cannot be converted to the unit of the limits, "mm"; accepted: mm, cm, m, in`},
	} {
		if _, err := number.New('.', test.unit, test.catalogue); err == nil || err.Error() != test.want {
			t.Errorf("from %s to %s: %v, want %s", test.unit, test.catalogue, err, test.want)
		}
	}
}

// millimetres are the units, for the oracle.
var millimetres = map[string]string{"mm": "1", "cm": "10", "m": "1000", "in": "25.4"}

// oracle returns the value of the text: by ParseDimension in the catalogue's unit, by rational numbers
// in another.
func oracle(t *testing.T, point byte, unit, catalogue, text string) (float64, bool) {
	t.Helper()
	text = strings.TrimSpace(text)
	if point == ',' {
		if strings.Contains(text, ".") {
			return 0, false
		}
		text = strings.ReplaceAll(text, ",", ".")
	}
	if unit == catalogue {
		x, err := boxrules.ParseDimension("width", text)
		return x, err == nil
	}
	if _, err := boxrules.ParseDimension("width", text); err != nil && !strings.Contains(err.Error(), "a number from") || text == "" {
		return 0, false
	}
	x, _ := new(big.Rat).SetString(text)
	from, _ := new(big.Rat).SetString(millimetres[unit])
	to, _ := new(big.Rat).SetString(millimetres[catalogue])
	nearest, _ := x.Mul(x, from.Quo(from, to)).Float64()
	if strings.HasPrefix(text, "-") && nearest == 0 {
		nearest = math.Copysign(0, -1)
	}
	return nearest, math.Abs(nearest) <= 1_000_000
}

func compare(t *testing.T, p *number.Parser, point byte, unit, catalogue, text string) {
	t.Helper()
	want, ok := oracle(t, point, unit, catalogue, text)
	// A cell is followed by the rest of its list, or by nothing.
	for _, rest := range []string{"", ",9.5\n\"1\xff"} {
		holdCell(t, p, fmt.Sprintf("%c in %s, to %s", point, unit, catalogue), []byte(text + rest)[:len(text)], want, ok)
	}
}

func holdCell(t *testing.T, p *number.Parser, where string, cell []byte, want float64, ok bool) {
	t.Helper()
	got, err := p.Parse("width", cell)
	if (err == nil) != ok || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%q with %s = %v, %v, want %v, %v", cell, where, got, err, want, ok)
	}
}

// randomText is most often a plain decimal, of few digits or of many, and sometimes nearly one.
func randomText(r *rand.Rand, point byte) string {
	var b []byte
	if r.IntN(5) == 0 {
		b = append(b, '-')
	}
	digits := 1 + r.IntN(17)
	if r.IntN(8) == 0 {
		digits = 1 + r.IntN(64)
	}
	at := r.IntN(min(digits, 9)) + 1
	for i := range digits {
		if i == at && r.IntN(10) > 0 {
			b = append(b, point)
		}
		b = append(b, "0123456789990"[r.IntN(13)])
	}
	for r.IntN(20) == 0 {
		i := r.IntN(len(b) + 1)
		b = append(b[:i:i], append([]byte{"-.,0 e"[r.IntN(6)]}, b[i:]...)...)
	}
	return string(b)
}

func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type column struct {
		point           byte
		unit, catalogue string
		parser          *number.Parser
	}
	var columns []column
	for _, point := range []byte(".,") {
		for _, unit := range number.Units {
			for _, catalogue := range number.Units {
				columns = append(columns, column{point, unit, catalogue, parser(t, point, unit, catalogue)})
			}
		}
	}
	for i := range draws() {
		c := columns[i/2%len(columns)]
		if i%2 == 0 {
			c = columns[i/2%2*len(columns)/2] // mm to mm
		}
		compare(t, c.parser, c.point, c.unit, c.catalogue, randomText(r, c.point))
	}
}

func TestParseAllocates(t *testing.T) {
	p := parser(t, ',', "in", "mm")
	cell := []byte(" 129,5")
	if n := testing.AllocsPerRun(100, func() {
		if _, err := p.Parse("width", cell); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
