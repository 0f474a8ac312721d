// Command portability prints the SHA-256 of the verdicts on a million boxes, drawn from a fixed sequence over
// every article and material of the illustrative catalogue. The hash is the same on every machine, and
// scripts/portability compares those of several.
//
// Verdicts are integer arithmetic, which has one result. Floating point is left in one place, where a
// dimension is put on the grid: floor(x*1000 + 0.5). IEEE 754 has one result for the product and one for the
// sum, unless a compiler fuses the two into one rounding, as Go does on arm64, ppc64le, riscv64, s390x and
// amd64 of version 3. The engine forbids it by a conversion of the product. Without that a number within a
// few roundings of half a thousandth would be another grid point there, and no other number would.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// boxes is how many are asked about. Of some of them the ranges are told too, and the nearest valid box.
const (
	boxes        = 1_000_000
	everyRanges  = 10
	everyNearest = 1000
)

func main() { fmt.Println(digest(boxrules.Default())) }

// digest is the hash of the verdicts on all the boxes.
func digest(engine *boxrules.Engine) string {
	hash := sha256.New()
	t := &transcript{Writer: bufio.NewWriter(hash)}
	g := &generator{}
	var subjects []subject
	for _, p := range engine.Profiles() {
		subjects = append(subjects, newSubject(p))
	}
	for i := range boxes {
		s := &subjects[g.below(int64(len(subjects)))]
		t.box(i, s.profile, g.dims(s))
	}
	// Neither the buffer nor the hash can fail.
	_ = t.Flush()
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// A transcript is what is hashed: each box, and all there is to say of it.
type transcript struct {
	*bufio.Writer
	violations []boxrules.Violation // reused
}

func (t *transcript) box(i int, p *boxrules.Profile, d boxrules.Dims) {
	t.numbers(d.Width, d.Depth, d.Height)
	verdict, err := p.Check(d)
	var input *boxrules.InputError
	if errors.As(err, &input) {
		t.text(input.Field)
		return
	}
	t.text(verdict.String())
	// What follows has the error of Check, which is none.
	t.violations, _ = p.AppendAll(t.violations[:0], d)
	for _, v := range t.violations {
		t.text(string(v.Code))
	}
	if i%everyRanges == 0 {
		ranges, _ := p.Ranges(d)
		for _, r := range slices.Concat(ranges.Width, ranges.Depth, ranges.Height) {
			t.numbers(r.Min, r.Max)
			t.text(string(r.MinCode), string(r.MaxCode))
		}
	}
	if i%everyNearest == 0 {
		s, ok, _ := p.Nearest(d, 0.5)
		t.numbers(s.Width, s.Depth, s.Height)
		t.text(s.Changed...)
		t.text(fmt.Sprint(ok, !s.Unproved))
	}
}

func (t *transcript) text(words ...string) {
	for _, word := range words {
		_, _ = t.WriteString(word)
		_ = t.WriteByte('\n')
	}
}

// numbers writes bits, but of what is not a number: there machines differ in the bits that mean nothing.
func (t *transcript) numbers(values ...float64) {
	for _, x := range values {
		if math.IsNaN(x) {
			t.text("NaN")
			continue
		}
		_, _ = t.Write(binary.BigEndian.AppendUint64(t.AvailableBuffer(), math.Float64bits(x)))
	}
}

// A subject is a profile with the values on the grid that its rules compare with.
type subject struct {
	profile   *boxrules.Profile
	low, high exact.Point // limits of width, depth and height
	sums      []int64     // of two sides, where the blank is as wide as the sheet, or a rule says so
}

func newSubject(p *boxrules.Profile) subject {
	form := p.Exact()
	s := subject{profile: p, low: form.Low, high: form.High, sums: []int64{498_250}}
	flap, _ := form.Variables["glue_flap"].Value.Constant()
	for _, side := range []*big.Rat{form.SheetWidth, form.SheetHeight} {
		s.sums = append(s.sums, (thousandths(side)-thousandths(flap))/2)
	}
	return s
}

func thousandths(length *big.Rat) int64 {
	return new(big.Rat).Mul(length, big.NewRat(exact.Scale, 1)).Num().Int64()
}
