package boxrules_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync/atomic"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// Load your limits once, make an engine, and let it explain a box.
func Example() {
	data, err := os.ReadFile("limits/illustrative.yaml") // your own file here
	if err != nil {
		log.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", data)
	if err != nil {
		log.Fatal(err) // every mistake of the file, each with its line
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}
	explanation, err := engine.Explain(box, 1)
	if err != nil {
		log.Fatal(err) // not a box
	}
	if !explanation.OK {
		fmt.Printf("%s: %s\n", explanation.Code, explanation.Advice())
	}
	// Output:
	// BOX_3100: turn it to 141 x 48 x 184, or set depth to 48 or less, or width to between 141 and 371.5
}

func ExampleEngine_Check() {
	engine := boxrules.Default() // the documented rules, illustrative limits
	verdict, err := engine.Check(boxrules.Box{
		Article: "tuck-end", Material: "carton-300",
		Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184},
	})
	if err != nil {
		log.Fatal(err) // not a box: an unknown article, a width that is not a number
	}
	if verdict.OK() {
		fmt.Println("can be made")
	} else {
		fmt.Println("rejected:", verdict.Code())
	}
	// Output: rejected: BOX_3100
}

func ExampleNew() {
	data, err := os.ReadFile("limits/illustrative.yaml") // your own file here
	if err != nil {
		log.Fatal(err)
	}
	catalogue, err := limits.Load("limits/illustrative.yaml", data)
	if err != nil {
		log.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(engine.Catalogue().Articles()), "articles in", engine.Catalogue().Unit())
	// Output: 20 articles in mm
}

// A server takes new limits without stopping: every request uses the current engine. If the new limits
// have errors, they are reported, and the old engine stays in use.
func ExampleNew_reload() {
	var current atomic.Pointer[boxrules.Engine]
	current.Store(boxrules.Default())
	reload := func(data []byte) error {
		catalogue, err := limits.Load("limits.yaml", data)
		if err != nil {
			return err
		}
		engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
		if err != nil {
			return err
		}
		current.Store(engine)
		return nil
	}
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 410, Depth: 40, Height: 60}}
	ask := func() {
		verdict, err := current.Load().Check(box)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("valid:", verdict.OK())
	}
	ask()
	fmt.Println(reload([]byte("version: 1")))
	ask()
	limit := []byte("width:  {min: 20, max: 400}")
	fmt.Println(reload(bytes.Replace(limits.IllustrativeYAML(), limit, []byte("width: {min: 20, max: 420}"), 1)))
	ask()
	// Output:
	// valid: false
	// limits.yaml:1:1: missing keys: unit, sheets, materials, articles
	// valid: false
	// <nil>
	// valid: true
}

func ExampleLoadRules() {
	rules := `
version: 1
constraint:
  - code: SHOP_0001
    when: height > 3 * wdith
    message: too tall for our gluer
  - code: SHOP_0002
    when: width * depth > 90000
    message: too large a base
`
	_, err := boxrules.LoadRules("shop.yaml", []byte(rules))
	var errs source.Errors
	if errors.As(err, &errs) {
		for _, e := range errs {
			fmt.Printf("line %d, column %d: %.40s\n", e.Line, e.Column, e.Message)
		}
	}
	// Output:
	// line 5, column 24: unknown name "wdith"; accepted: blank_he
	// line 8, column 17: the product of "width" and "depth" is no
}

func ExampleProfile_Check() {
	profile, err := boxrules.Default().Profile("slotted-case", "b-flute")
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range []boxrules.Dims{{Width: 228, Depth: 138, Height: 85}, {Width: 398, Depth: 307, Height: 99}} {
		verdict, err := profile.Check(d)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(d, verdict)
	}
	// Output:
	// {228 138 85} ok
	// {398 307 99} BOX_3113
}

func ExampleEngine_CheckAll() {
	violations, err := boxrules.Default().CheckAll(boxrules.Box{
		Article: "slotted-case", Material: "b-flute",
		Dims: boxrules.Dims{Width: 450, Depth: 330, Height: 40},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range violations {
		fmt.Println(v.Stage, v.Code)
	}
	// Output:
	// boundary BOX_2104
	// constraint BOX_3113
	// size BOX_4100
}

func ExampleProfile_Reasons() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	reasons, err := profile.Reasons(boxrules.Dims{Width: 48, Depth: 141, Height: 184})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range reasons {
		fmt.Printf("%s: %s, by %v\n", r.Code, r.Values, r.By)
	}
	// Output: BOX_3100: depth 141 > width 48, by 93
}

// What to change, in one sentence and in numbers.
func ExampleEngine_Explain() {
	explanation, err := boxrules.Default().Explain(boxrules.Box{
		Article: "tuck-end", Material: "carton-300",
		Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184},
	}, 1) // changed dimensions are whole millimetres
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(explanation.Code, explanation.Violations[0].Values)
	fmt.Println(explanation.Advice())
	fmt.Println("nearest:", explanation.Nearest.Dims)
	// Output:
	// BOX_3100 depth 141 > width 48
	// turn it to 141 x 48 x 184, or set depth to 48 or less, or width to between 141 and 371.5
	// nearest: {48 48 184}
}

// How far a slider for the depth may go. Both ends are valid, and the codes say what is wrong beyond
// them.
func ExampleProfile_Ranges() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	ranges, err := profile.Ranges(boxrules.Dims{Width: 143, Depth: 50, Height: 303})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range ranges.Depth {
		fmt.Println("depth from", r.Min, "to", r.Max, r.MinCode, r.MaxCode)
	}
	// Output: depth from 15 to 143 BOX_2102 BOX_3100
}

func ExampleProfile_Turned() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	turned, err := profile.Turned(boxrules.Dims{Width: 48, Depth: 141, Height: 184})
	if err != nil {
		log.Fatal(err)
	}
	for _, turn := range turned {
		fmt.Println(turn)
	}
	// Output:
	// 141 x 48 x 184
	// 184 x 141 x 48 (another side opens)
	// 184 x 48 x 141 (another side opens)
}

func ExampleProfile_Nearest() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	nearest, ok, err := profile.Nearest(boxrules.Dims{Width: 10, Depth: 60, Height: 20}, 0.5)
	if err != nil {
		log.Fatal(err)
	}
	if ok {
		fmt.Println(nearest.Dims, "changes", nearest.Changed)
	}
	// Output: {60 60 30} changes [width height]
}

// In which other articles and materials the same box can be made.
func ExampleEngine_Offers() {
	offers, err := boxrules.Default().Offers(boxrules.Dims{Width: 48, Depth: 141, Height: 184})
	if err != nil {
		log.Fatal(err)
	}
	for _, offer := range offers {
		fmt.Println(offer.Article, offer.Materials)
	}
	// Output:
	// sleeve [carton-300 carton-400]
	// shelf-carton [carton-300 carton-400]
}

func ExampleInputError() {
	_, err := boxrules.Default().Check(boxrules.Box{Article: "tuck-end", Material: "steel"})
	var input *boxrules.InputError
	if errors.As(err, &input) {
		fmt.Println("field:", input.Field)
		fmt.Println(input.Message)
	}
	// Output:
	// field: material
	// unknown material "steel"; accepted for tuck-end: carton-300, carton-400
}

func ExampleBoxError() {
	check := func(box boxrules.Box) error {
		verdict, err := boxrules.Default().Check(box)
		if err != nil {
			return err
		}
		return verdict.Err()
	}
	err := check(boxrules.Box{
		Article: "tuck-end", Material: "carton-300",
		Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184},
	})
	var rejected *boxrules.BoxError
	if errors.As(err, &rejected) && rejected.Code == boxrules.BOX_3100 {
		fmt.Println(rejected.Stage, rejected.Code)
	}
	// Output: constraint BOX_3100
}

// The mistakes in a rule or limit file are a source.Errors, each with its position. errors.As can also
// find the first of them.
func ExampleLoadRules_errors() {
	_, err := boxrules.LoadRules("shop.yaml", []byte("version: 2\nconstraint: []\nsizes: []\n"))
	var all source.Errors
	if errors.As(err, &all) {
		fmt.Println(len(all), "errors")
	}
	var first *source.Error
	if errors.As(err, &first) {
		fmt.Println("the first is in", first.File, "on line", first.Line)
		fmt.Println(first.Message)
	}
	// Output:
	// 2 errors
	// the first is in shop.yaml on line 1
	// version 2 is not known; accepted: 1
}

func ExampleParseDimensionIn() {
	width, err := boxrules.ParseDimensionIn("width", "12 3/8", "in")
	fmt.Println(width, err)
	_, err = boxrules.ParseDimensionIn("width", "12 3/8", "mm")
	fmt.Println(err)
	// Output:
	// 12.375 <nil>
	// width: "12 3/8" is not a dimension; accepted: a plain decimal such as 48 or 48.5
}

func ExampleParseDimension() {
	width, err := boxrules.ParseDimension("width", "48.5")
	fmt.Println(width, err)
	_, err = boxrules.ParseDimension("width", "48,5")
	fmt.Println(err)
	// Output:
	// 48.5 <nil>
	// width: "48,5" is not a dimension; accepted: a plain decimal such as 48 or 48.5
}

// A loop over the dimensions of a box and their ranges, without a case for each.
func ExampleRanges_ByAxis() {
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}
	ranges, err := boxrules.Default().Ranges(box)
	if err != nil {
		log.Fatal(err)
	}
	dims := box.ByAxis()
	for axis, name := range exact.AxisNames() {
		for _, r := range ranges.ByAxis()[axis] {
			fmt.Printf("%s %v can be %v to %v\n", name, dims[axis], r.Min, r.Max)
		}
	}
	// Output:
	// width 48 can be 141 to 371.5
	// depth 141 can be 15 to 48
}

// A box that a service which computes in floating point may refuse.
func ExampleProfile_Borderline() {
	profile, err := boxrules.Default().Profile("tuck-end-slim", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	box := boxrules.Dims{Width: 60.3, Depth: 20.1, Height: 143}
	verdict, err := profile.Check(box)
	if err != nil {
		log.Fatal(err)
	}
	other, borderline, err := profile.Borderline(box)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict, borderline, other)
	// Output: ok true BOX_3119
}

// One sentence for each invalid box of a list, in less time than Explain takes.
func ExampleProfile_Advice() {
	profile, err := boxrules.Default().Profile("tray", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	for _, box := range []boxrules.Dims{{Width: 90, Depth: 120, Height: 40}, {Width: 120, Depth: 90, Height: 40}} {
		advice, err := profile.Advice(box, 1)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q\n", advice)
	}
	// Output:
	// "turn it to 120 x 90 x 40, or set depth to 90 or less, or width to 120 or more"
	// ""
}

// The sentence for a customer reading German. A width is a Länge there, and a depth a Breite.
func ExampleProfile_AdviceIn() {
	profile, err := boxrules.Default().Profile("tray", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	advice, err := profile.AdviceIn(boxrules.Dims{Width: 90.5, Depth: 120, Height: 40}, 1, boxrules.AdviceOptions{Language: "de-AT"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(advice)
	// Output: drehen Sie die Schachtel auf 120 x 90,5 x 40 oder wählen Sie eine Breite von höchstens 90,5 oder eine Länge von mindestens 120
}

// The same sentence for an explanation.
func ExampleExplanation_AdviceIn() {
	profile, err := boxrules.Default().Profile("tray", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	explanation, err := profile.Explain(boxrules.Dims{Width: 120, Depth: 90, Height: 400}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(explanation.AdviceIn("fr"))
	// Output: tournez la boîte pour obtenir 400 x 120 x 90 (un autre côté s’ouvre) ou choisissez une hauteur de 90 au plus
}

// At which field of a form to show a violated rule, and what to enter there instead.
func ExampleProfile_Bounds() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	bounds, err := profile.Bounds(boxrules.Dims{Width: 48.5, Depth: 141, Height: 184})
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range bounds {
		fmt.Println(b.Code, b.Field, *b.Max)
	}
	// Output: BOX_3100 depth 48.5
}

// A wrong option is a mistake of the program, not of the box.
func ExampleOptionError() {
	profile, err := boxrules.Default().Profile("tray", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	_, _, err = profile.Nearest(boxrules.Dims{Width: 90, Depth: 120, Height: 40}, 0)
	var option *boxrules.OptionError
	if errors.As(err, &option) {
		fmt.Println(option.Option, "is wrong:", option.Message)
	}
	// Output: step is wrong: 0 is not valid; accepted: a multiple of 0.001 from 0.001 to 1000
}

// List a shop's own rules, each with its place in the rule file and the place of its part about the width.
func ExampleRuleSet() {
	rules, err := boxrules.LoadRules("shop.yaml", []byte(`
version: 1
extends: documented
constraint:
  - code: SHOP_0001
    when: height > 300 && width < 40
    message: too tall to stand
`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rules.Name(), "extends the documented rules:", rules.Extends())
	for _, rule := range rules.Rules() {
		if _, documented := rule.Code.Info(); documented {
			continue
		}
		fmt.Printf("%v: %s %s\n", rules.Position(rule.Code), rule.Code, rule.When)
		width := strings.Index(rule.When, "width")
		fmt.Printf("%v: %s\n", rules.PositionAt(rule.Code, width), rule.When[width:])
	}
	// Output:
	// shop.yaml extends the documented rules: true
	// shop.yaml:6:11: SHOP_0001 height > 300 && width < 40
	// shop.yaml:6:27: width < 40
}

// A shop keeps one drawing for boxes that are the same on the grid. Points of the grid are integers, so they
// can be compared and used as keys.
func ExampleDims_Grid() {
	drawings := make(map[exact.Point]string)
	for _, d := range []boxrules.Dims{
		{Width: 120, Depth: 60, Height: 180},
		{Width: 120.0001, Depth: 60, Height: 180},
		{Width: 120.001, Depth: 60, Height: 180},
	} {
		at, ok := d.Grid()
		if !ok {
			log.Fatal("not a box: ", d)
		}
		if drawings[at] == "" {
			drawings[at] = fmt.Sprintf("drawing %d", len(drawings)+1)
		}
		fmt.Println(drawings[at], "of", boxrules.DimsAt(at))
	}
	// Output:
	// drawing 1 of {120 60 180}
	// drawing 1 of {120 60 180}
	// drawing 2 of {120.001 60 180}
}

// A form reports a wrong dimension before the visitor has chosen an article, and so before there is a profile.
func ExampleDims_Validate() {
	decimals := 1 // engine.Catalogue().Decimals()
	err := boxrules.Dims{Width: 48.5, Depth: 141.25, Height: 184}.Validate(exact.StepOf(decimals))
	var input *boxrules.InputError
	if errors.As(err, &input) {
		fmt.Println(input.Field)
		fmt.Println(input.Message)
	}
	// Output:
	// depth
	// 141.25 has too many decimals; accepted: a multiple of 0.1
}

// A program checks its --step flag once, before it reads a long list.
func ExampleValidateStep() {
	grid := exact.StepOf(boxrules.Default().Catalogue().Decimals())
	for _, step := range []float64{0.5, 0.0005} {
		fmt.Println(boxrules.ValidateStep(step, grid))
	}
	// Output:
	// <nil>
	// step: 0.0005 is not valid; accepted: a multiple of 0.001 from 0.001 to 1000
}

// A valid box that the service may refuse all the same deserves a warning.
func ExampleExplanation_EdgeNote() {
	explanation, err := boxrules.Default().Explain(boxrules.Box{
		Article: "tuck-end-slim", Material: "carton-300",
		Dims: boxrules.Dims{Width: 60.3, Depth: 20.1, Height: 143},
	}, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("valid:", explanation.OK)
	if note := explanation.EdgeNote(); note != "" {
		fmt.Println("warning:", note)
	}
	// Output:
	// valid: true
	// warning: on the edge of BOX_3119: a service that computes in floating point may refuse the box
}

// The reason for each row of a long list, in one buffer that all rows share.
func ExampleProfile_AppendReason() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	var buffer []byte
	for row, d := range []boxrules.Dims{{Width: 48, Depth: 141, Height: 184}, {Width: 120, Depth: 60, Height: 500}} {
		if buffer, err = profile.AppendReason(buffer[:0], d); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("row %d: %s\n", row+1, buffer)
	}
	// Output:
	// row 1: depth 141 > width 48
	// row 2: height 500 > max_height 450
}

// Count how often each rule is violated in a list. All boxes share one slice of violations.
func ExampleProfile_AppendAll() {
	profile, err := boxrules.Default().Profile("slotted-case", "b-flute")
	if err != nil {
		log.Fatal(err)
	}
	var violations []boxrules.Violation
	counts := make(map[boxrules.Code]int)
	for _, d := range []boxrules.Dims{{Width: 450, Depth: 330, Height: 40}, {Width: 398, Depth: 307, Height: 99}} {
		if violations, err = profile.AppendAll(violations[:0], d); err != nil {
			log.Fatal(err)
		}
		for _, v := range violations {
			counts[v.Code]++
		}
	}
	fmt.Println(counts)
	// Output: map[BOX_2104:1 BOX_3113:2 BOX_4100:2]
}

// A client reads the "nearest" of a server's answer. It may have the reason why there is no box instead.
func ExampleSuggestion() {
	for _, answer := range []string{
		`{"width": 48, "depth": 48, "height": 184, "changed": ["depth"]}`,
		`{"unproved": true}`,
	} {
		var nearest boxrules.Suggestion
		if err := json.Unmarshal([]byte(answer), &nearest); err != nil {
			log.Fatal(err)
		}
		switch {
		case nearest.Found():
			fmt.Println("set the", strings.Join(nearest.Changed, " and the "), "to get", nearest.Dims)
		case nearest.Unproved:
			fmt.Println("no box was found in time")
		}
	}
	// Output:
	// set the depth to get {48 48 184}
	// no box was found in time
}

// What a support page says about a code that the service has answered.
func ExampleCode_Info() {
	for _, code := range []boxrules.Code{boxrules.BOX_3100, boxrules.QTT_1114, "SHOP_0001"} {
		info, ok := code.Info()
		if !ok {
			fmt.Println(code, "is not documented")
			continue
		}
		fmt.Println(code, info.Type, info.Status, info.Meaning)
	}
	// Output:
	// BOX_3100 BOX_ERROR 400 the depth is greater than the width
	// QTT_1114 QUANTITY_ERROR 400 the number of sheets does not reach the minimum required quantity
	// SHOP_0001 is not documented
}

// Document the errors of an API: all its codes and error types.
func ExampleCodes() {
	stages := make(map[boxrules.Stage]int)
	for _, info := range boxrules.Codes() {
		stages[info.Stage]++
	}
	fmt.Println(stages[boxrules.Boundary], "codes for limits,", stages[boxrules.Constraint], "for constraints,",
		stages[boxrules.Size], "for the sheet,", stages[0], "for other errors")
	for _, info := range boxrules.ErrorTypes() {
		fmt.Println(info.Type, info.Statuses)
	}
	// Output:
	// 6 codes for limits, 23 for constraints, 1 for the sheet, 2 for other errors
	// VALIDATION_ERROR [400]
	// BOX_ERROR [400]
	// QUANTITY_ERROR [400]
	// ORDER_ERROR [400 404]
	// PRODUCT_ERROR [400 404]
	// INTERNAL_SERVER_ERROR [500]
	// NOT_FOUND [404]
}

// Count the articles in a material to which each rule applies.
func ExampleEngine_Profiles() {
	engine := boxrules.Default()
	counts := make(map[boxrules.Code]int)
	for _, profile := range engine.Profiles() {
		for _, rule := range profile.Rules() {
			counts[rule.Code]++
		}
	}
	for _, rule := range engine.Rules().Rules() {
		if rule.Code >= boxrules.BOX_3119 {
			fmt.Println(rule.Code, "applies to", counts[rule.Code], "of", len(engine.Profiles()), "profiles")
		}
	}
	// Output:
	// BOX_3119 applies to 4 of 39 profiles
	// BOX_3120 applies to 1 of 39 profiles
	// BOX_3121 applies to 1 of 39 profiles
	// BOX_3122 applies to 1 of 39 profiles
	// BOX_4100 applies to 39 of 39 profiles
}

// A form shows the limits of an article beside its fields, and the size of the blank for a box.
func ExampleProfile_Exact() {
	profile, err := boxrules.Default().Profile("tuck-end", "carton-300")
	if err != nil {
		log.Fatal(err)
	}
	form := profile.Exact()
	low, high := boxrules.DimsAt(form.Low), boxrules.DimsAt(form.High)
	fmt.Println("width from", low.Width, "to", high.Width, form.Unit)
	if box, ok := (boxrules.Dims{Width: 120, Depth: 60, Height: 180}).Grid(); ok && form.Blank != nil {
		fmt.Println("blank", form.Blank.Width.At(box).RatString(), "x", form.Blank.Height.At(box).RatString(),
			"on a sheet of", form.SheetWidth.RatString(), "x", form.SheetHeight.RatString())
	}
	// Output:
	// width from 20 to 400 mm
	// blank 375 x 350 on a sheet of 1040 x 720
}

// A generator reads the conditions of many articles. Engine.Exact returns them without the
// tables of a Profile, which would take several times the memory.
func ExampleEngine_Exact() {
	engine := boxrules.Default()
	for _, article := range engine.Catalogue().Articles()[:3] {
		form, rules, err := engine.Exact(article.Code, article.Materials[0])
		if err != nil {
			log.Fatal(err)
		}
		for i, rule := range rules {
			if rule.Stage == boxrules.Constraint {
				fmt.Println(article.Code, rule.Code, form.Conditions[i])
			}
		}
	}
	// Output:
	// tuck-end BOX_3100 -1·w+1·d+0·h > 0
	// tuck-end-slim BOX_3119 -1·w+3·d+0·h > 0
	// snap-lock BOX_3101 -2·w+1·d+0·h > 0
}

// Show the message of a rule in the reader's language, and list the languages that a rule has.
func ExampleRule_MessageIn() {
	rules, err := boxrules.LoadRules("shop.yaml", []byte(`
version: 1
size:
  - code: SHOP_0001
    when: height > 3 * width
    message: {en: too tall for our gluer, de: zu hoch für unsere Klebemaschine}
`))
	if err != nil {
		log.Fatal(err)
	}
	rule := rules.Rules()[0]
	for _, language := range []string{"de-AT", "fr"} {
		fmt.Printf("%s: %s\n", language, rule.MessageIn(language))
	}
	for _, translation := range rule.Translations() {
		fmt.Println(translation.Language)
	}
	// Output:
	// de-AT: zu hoch für unsere Klebemaschine
	// fr: too tall for our gluer
	// en
	// de
}

// Every verdict, reason and explanation with the messages in German.
func ExampleRuleSet_InLanguage() {
	rules, err := boxrules.LoadRules("shop.yaml", []byte(`
version: 1
extends: documented
constraint:
  - code: SHOP_0001
    when: height > 3 * width
    message: {en: too tall for our gluer, de: zu hoch für unsere Klebemaschine}
`))
	if err != nil {
		log.Fatal(err)
	}
	catalogue, err := limits.Load("limits.yaml", []byte(`
version: 1
unit: mm
sheets: {s: {width: 1000, height: 700}}
materials: {board: {caliper: 1, glue_flap: 1, sheet: s}}
articles:
  cube: {width: {min: 20, max: 200}, depth: {min: 20, max: 200}, height: {min: 20, max: 200}, constraints: [SHOP_0001]}
`))
	if err != nil {
		log.Fatal(err)
	}
	german, err := boxrules.New(rules.InLanguage("de"), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := german.Check(boxrules.Box{Article: "cube", Material: "board", Dims: boxrules.Dims{Width: 30, Depth: 30, Height: 100}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Err())
	// Output: SHOP_0001 (constraint): zu hoch für unsere Klebemaschine
}

// A shop with limits in inches shows documented conditions, whose lengths are in millimetres, and suggests boxes
// in eighths of an inch.
func ExampleRule_Condition() {
	catalogue, err := limits.New("shop", limits.File{
		Unit:      "in",
		Sheets:    []limits.Sheet{{Code: "b1", Width: "40", Height: "28"}},
		Materials: []limits.Material{{Code: "board", Caliper: "0.02", GlueFlap: "0.6", Sheet: limits.Sheet{Code: "b1"}}},
		Articles: []limits.Article{{
			Code: "tray", Width: limits.Range{Min: "2", Max: "20"}, Depth: limits.Range{Min: "2", Max: "20"},
			Height: limits.Range{Min: "0.5", Max: "4"}, Constraints: []string{"BOX_3100", "BOX_3102"},
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	profile, err := engine.Profile("tray", "board")
	if err != nil {
		log.Fatal(err)
	}
	for _, rule := range profile.Rules() {
		if rule.Stage == boxrules.Constraint {
			fmt.Println(rule.Code, rule.Condition(catalogue.Unit()))
		}
	}
	advice, err := profile.Advice(boxrules.Dims{Width: 5.3, Depth: 6, Height: 4.2}, catalogue.DefaultStep())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(advice)
	// Output:
	// BOX_3100 depth > width
	// BOX_3102 height > depth && depth >= 60 (in mm)
	// set width to 6 and height to 4
}

// A customer has a box in inches, and the limits are in millimetres.
func ExampleAdviceOptions() {
	profile, err := boxrules.Default().Profile("tray", "carton-400")
	if err != nil {
		log.Fatal(err)
	}
	toMillimetres, _ := exact.UnitRatio("in", profile.Unit())
	box := boxrules.Dims{Width: toMillimetres.Convert(4), Depth: toMillimetres.Convert(5), Height: toMillimetres.Convert(1.5)}
	for _, unit := range []string{"mm", "in"} {
		advice, err := profile.AdviceIn(box, 1, boxrules.AdviceOptions{Unit: unit})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", unit, advice)
	}
	// Output:
	// mm: turn it to 127 x 101.6 x 38.1, or set depth to 101.6 or less, or width to 127 or more
	// in: turn it to 5 x 4 x 1.5, or set depth to 4 or less, or width to 5 or more
}
