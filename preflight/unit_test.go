package preflight_test

import (
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"example.com/boxrules"
	"example.com/boxrules/limits"
	"example.com/boxrules/preflight"
)

// TestServiceUnit: requests are in millimetres unless the options say otherwise, whatever the limits are in.
func TestServiceUnit(t *testing.T) {
	for _, test := range []struct {
		header, serviceUnit, width, depth, height, want string
	}{
		{"unit: in", "", "300", "200", "200", ""},
		{"unit: in", "", "304.8", "203.2", "203.2", ""},
		{"unit: in", "mm", "304.8", "203.2", "177.8", "BOX_3113"},
		{"unit: in", "", "2540", "203.2", "190.5", ""},
		{"unit: in", "", "2540.1", "203.2", "190.5", "BOX_2101"},
		{"unit: in", "in", "12", "8", "8", ""},
		{"unit: in", "in", "12", "8", "7", "BOX_3113"},
		{"unit: in", "in", "300", "200", "175", "BOX_2101"},
		{"unit: in\ndecimals: 0", "", "304.7", "203.2", "190.5", ""},
		// 11.8114 x 15.748 inches. Rounded to thousandths the width is three quarters of the depth, and refused. A service in
		// double precision does not round, and accepts the box.
		{"unit: in", "", "300.0096", "399.9992", "400", ""},
		{"unit: in", "", "299.9992", "399.9992", "400", "BOX_3103"},
		{"unit: m", "", "99999", "203.2", "190.5", ""},
		{"unit: cm", "m", "0.3048", "0.2032", "0.1778", "BOX_3113"},
		{"unit: mm", "", "100.5", "100", "100", "BOX_2101"},
	} {
		catalogue, err := limits.Load("limits.yaml", []byte("version: 1\n"+test.header+"\nsheets: {s: {width: 90, height: 90}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles: {a: {width: {min: 0.001, max: 100}, "+
			"depth: {min: 0.001, max: 100}, height: {min: 0.001, max: 100}, constraints: [BOX_3103, BOX_3113]}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		checker, err := preflight.New(engine, preflight.Options{ServiceUnit: test.serviceUnit})
		if err != nil {
			t.Fatal(err)
		}
		query := url.Values{"article": {"a"}, "material": {"m"}, "width": {test.width}, "depth": {test.depth}, "height": {test.height}}
		got := checker.Check(httptest.NewRequest("GET", dielinePath+"?"+query.Encode(), nil))
		code := ""
		if got != nil {
			code = string(got.Code)
		}
		if code != test.want {
			t.Errorf("%q, requests in %q, %s x %s x %s: %v, want %q", test.header, test.serviceUnit, test.width, test.depth, test.height, got, test.want)
		}
		// The client of a converted request has other numbers than the message.
		inInches := strings.HasPrefix(test.header, "unit: in") && test.serviceUnit != "in"
		if got != nil && strings.HasPrefix(got.Message, "in inches (in): ") != inInches {
			t.Errorf("%q, requests in %q: the message is %q", test.header, test.serviceUnit, got.Message)
		}
	}
	var wrong *boxrules.OptionError
	if _, err := preflight.New(boxrules.Default(), preflight.Options{ServiceUnit: "inch"}); !errors.As(err, &wrong) || wrong.Option != "service-unit" {
		t.Errorf("New with the unit inch: %v", err)
	}
}

// TestAdviceUnit: a refused request hears the reason in the unit of the limits, and what to change in its own. Problem
// details name the unit of their numbers.
func TestAdviceUnit(t *testing.T) {
	for _, test := range []struct{ header, width, want, unit string }{
		{"unit: in", "304.8", "in inches (in): depth 16 > width 12; in mm: turn it to 406.4 x 304.8 x 25.4, or set depth to 304.8 or less, or width to 406.4 or more", "in"},
		{"unit: cm", "304.8", "in cm: depth 40.64 > width 30.48; in mm: turn it to 406.4 x 304.8 x 25.4, or set depth to between 25.4 and 304.8, or width to 406.4 or more", "cm"},
		{"unit: mm", "304.8", "depth 406.4 > width 304.8; turn it to 406.4 x 304.8 x 25.4, or set depth to between 25.4 and 304.8, or width to 406.4 or more", ""},
		{"unit: in\ndecimals: 0", "304.8", "in inches (in): depth 16 > width 12; turn it to 16 x 12 x 1, or set depth to 12 or less, or width to 16 or more", "in"},
	} {
		catalogue, err := limits.Load("limits.yaml", []byte("version: 1\n"+test.header+"\nsheets: {s: {width: 90, height: 90}}\n"+
			"materials: {m: {caliper: 1, glue_flap: 1, sheet: s}}\narticles: {a: {width: {min: 1, max: 1000}, "+
			"depth: {min: 1, max: 1000}, height: {min: 1, max: 1000}, constraints: [BOX_3100, BOX_3104, BOX_3105]}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		checker, err := preflight.New(engine, preflight.Options{})
		if err != nil {
			t.Fatal(err)
		}
		query := url.Values{"article": {"a"}, "material": {"m"}, "width": {test.width}, "depth": {"406.4"}, "height": {"25.4"}}
		request := httptest.NewRequest("GET", dielinePath+"?"+query.Encode(), nil)
		refusal := checker.Check(request)
		if refusal == nil || refusal.Message != test.want || refusal.Problem(request).Unit != test.unit {
			t.Errorf("%q: %+v, want %q", test.header, refusal, test.want)
		}
	}
}
