package bench

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-playground/validator/v10"

	"example.com/boxrules"
)

// structValidator has the limits and BOX_3100 as tags of fields. Tags cannot compute: the other
// two rules are a validation of the whole struct, which is Go written by hand. The first code of
// a box is sought among all of its errors, because those come by field and not in check order.
type structValidator struct {
	validate *validator.Validate
	box      validatorBox
	codes    map[string]boxrules.Code // by field and tag
	order    map[boxrules.Code]int
}

type validatorBox struct{ Width, Depth, Height float64 }

func newValidator(tb testing.TB, j job) *structValidator {
	tb.Helper()
	v := &structValidator{
		validate: validator.New(validator.WithRequiredStructEnabled()),
		codes: map[string]boxrules.Code{
			"Width.gte": "BOX_2100", "Width.lte": "BOX_2101",
			"Depth.gte": "BOX_2102", "Depth.lte": "BOX_2103",
			"Height.gte": "BOX_2104", "Height.lte": "BOX_2105",
			"Depth.ltefield": "BOX_3100", "Height.BOX_3116": "BOX_3116", "Height.BOX_4100": "BOX_4100",
		},
		order: make(map[boxrules.Code]int),
	}
	for i, rule := range j.rules {
		v.order[rule.Code] = i
	}
	limits := func(dimension string) string {
		return fmt.Sprintf("gte=%v,lte=%v", j.limits["min_"+dimension], j.limits["max_"+dimension])
	}
	v.validate.RegisterStructValidationMapRules(map[string]string{
		"Width": limits("width"), "Depth": limits("depth") + ",ltefield=Width", "Height": limits("height"),
	}, validatorBox{})
	rest := newByHand(j)
	v.validate.RegisterStructValidation(func(level validator.StructLevel) {
		box := level.Current().Addr().Interface().(*validatorBox)
		switch {
		case box.Height > (box.Depth*4)/5:
			level.ReportError(box.Height, "Height", "Height", "BOX_3116", "")
		case rest.tooLarge(boxrules.Dims(*box)):
			level.ReportError(box.Height, "Height", "Height", "BOX_4100", "")
		}
	}, validatorBox{})
	return v
}

func (v *structValidator) check(d boxrules.Dims) boxrules.Code {
	v.box = validatorBox(d)
	err := v.validate.Struct(&v.box)
	if err == nil {
		return ""
	}
	var failures validator.ValidationErrors
	if !errors.As(err, &failures) {
		panic(err)
	}
	var first boxrules.Code
	for _, failure := range failures {
		code := v.codes[failure.Field()+"."+failure.Tag()]
		if first == "" || v.order[code] < v.order[first] {
			first = code
		}
	}
	return first
}

// tooLarge is BOX_4100: the blank of the mailer fits the sheet neither way round.
func (m *byHand) tooLarge(d boxrules.Dims) bool {
	blankWidth := max(d.Width+4*d.Height+43.0/3*m.caliper, d.Width+d.Depth+16.0/3*m.caliper)
	blankHeight := 2*d.Depth + 3*d.Height + 22.0/3*m.caliper
	return (blankWidth > m.sheetWidth || blankHeight > m.sheetHeight) && (blankWidth > m.sheetHeight || blankHeight > m.sheetWidth)
}
