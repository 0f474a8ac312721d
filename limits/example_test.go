package limits_test

import (
	"errors"
	"fmt"
	"log"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/limits"
	"example.com/boxrules/source"
)

// Load reports everything that is wrong with a file, with the place of each error.
func ExampleLoad() {
	_, err := limits.Load("limits.yaml", []byte(`
version: 1
unit: mm
sheets: {b1: {width: 1000, height: 700}}
materials: {board: {caliper: 0.4, glue_flap: 15, sheet: b2}}
articles:
  tray: {width: {min: 400, max: 60}, depth: {min: 20, max: 450}, height: {min: 10, max: 100}, constraints: []}
`))
	var all source.Errors
	if errors.As(err, &all) {
		for _, e := range all {
			fmt.Println(e)
		}
	}
	// Output:
	// limits.yaml:5:57: materials.board: unknown sheet "b2"; accepted: b1
	// limits.yaml:7:23: articles.tray: the minimum 400 is greater than the maximum 60
}

// Limits that are kept in a database become plain structs, row by row. They are checked like a file.
func ExampleNew() {
	// SELECT code, min_width, max_width, min_depth, max_depth, min_height, max_height FROM articles
	articles := [][]string{
		{"tuck-end", "20", "400", "15.5", "250", "30", "450"},
		{"tray", "40", "500", "40", "500", "10", "1oo"},
	}
	// SELECT article, code FROM constraints
	constraints := [][2]string{{"tuck-end", "BOX_3100"}}

	file := limits.File{
		Unit:      "mm",
		Sheets:    []limits.Sheet{{Code: "ra106", Width: "1040", Height: "720"}},
		Materials: []limits.Material{{Code: "carton-300", Caliper: "0.4", GlueFlap: "15", Sheet: limits.Sheet{Code: "ra106"}}},
	}
	between := func(row []string) limits.Range {
		return limits.Range{Min: limits.Decimal(row[0]), Max: limits.Decimal(row[1])}
	}
	for _, row := range articles {
		a := limits.Article{Code: row[0], Width: between(row[1:]), Depth: between(row[3:]), Height: between(row[5:])}
		a.Constraints = []string{} // an empty list if there are no rows
		for _, c := range constraints {
			if c[0] == a.Code {
				a.Constraints = append(a.Constraints, c[1])
			}
		}
		file.Articles = append(file.Articles, a)
	}
	_, err := limits.New("the shop's database", file)
	fmt.Println(err)

	file.Articles[1].Height.Max = "100" // corrected
	catalogue, err := limits.New("the shop's database", file)
	if err != nil {
		log.Fatal(err)
	}
	engine, err := boxrules.New(boxrules.DefaultRules(), catalogue)
	if err != nil {
		log.Fatal(err)
	}
	box := boxrules.Box{Article: "tuck-end", Material: "carton-300", Dims: boxrules.Dims{Width: 48, Depth: 141, Height: 184}}
	verdict, err := engine.Check(box)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Code())
	// Output:
	// articles.tray.height.max: expected a number such as 48.5, not "1oo"
	// BOX_3100
}

// Append writes a catalogue as a limit file, with comments.
func ExampleCatalogue_Append() {
	span := limits.Range{Min: "20", Max: "400.5"}
	catalogue, err := limits.New("shop", limits.File{
		Unit:      "mm",
		Sheets:    []limits.Sheet{{Code: "b1", Width: "1000", Height: "700"}},
		Materials: []limits.Material{{Code: "board", Caliper: "0.4", GlueFlap: "15", Sheet: limits.Sheet{Code: "b1"}}},
		Articles:  []limits.Article{{Code: "tray", Width: span, Depth: span, Height: span, Constraints: []string{}}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", catalogue.Append(nil, func(path ...string) string {
		if path[0] == "sheets" && len(path) == 2 {
			return "margins taken off"
		}
		return ""
	}))
	// Output:
	// version: 1
	// unit: mm
	//
	// sheets:
	//   b1: {width: 1000, height: 700}  # margins taken off
	//
	// materials:
	//   board: {caliper: 0.4, glue_flap: 15, sheet: b1}
	//
	// articles:
	//   tray:
	//     materials: [board]
	//     width: {min: 20, max: 400.5}
	//     depth: {min: 20, max: 400.5}
	//     height: {min: 20, max: 400.5}
	//     constraints: []
}

// The shipped catalogue is for trying things out. Every entry of a file has a place in it.
func ExampleCatalogue() {
	catalogue := limits.Illustrative()
	article := catalogue.Articles()[0]
	fmt.Println(article.Code, article.Width.Min, "to", article.Width.Max, catalogue.Unit(), article.Constraints)
	fmt.Println(catalogue.Position("articles", article.Code, "width", "min"))
	sheet := catalogue.Materials()[0].Sheet
	fmt.Println(sheet.Code, sheet.Width, "x", sheet.Height, "with", catalogue.Decimals(), "decimals")
	// Output:
	// tuck-end 20 to 400 mm [BOX_3100]
	// limits/illustrative.yaml:31:19
	// ra106 1040 x 720 with 3 decimals
}

// A Decimal is exact, and is written as in the file.
func ExampleDecimal() {
	d := limits.Decimal("15.10")
	fmt.Println(d, d.Rat(), d.Float64())
	fmt.Println(limits.DecimalAt(20500))
	// Output:
	// 15.10 151/10 15.1
	// 20.5
}

// A frame has what the answers of a service do not show. Package learn finds out the rest.
func ExampleLoadFrame() {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`
version: 1
unit: mm
materials: {board: {caliper: 0.4, glue_flap: 15}}
articles:
  tray: {blank: {width: width + 2 * height, height: depth + 2 * height}}
`))
	if err != nil {
		log.Fatal(err)
	}
	blank := frame.Articles()[0].Blank
	fmt.Println(frame.IsFrame(), blank.Width, blank.Width.Names())
	box := map[string]float64{"width": 120, "height": 30}
	fmt.Println(blank.Width.Float64(func(name string) float64 { return box[name] }))
	// Output:
	// true width + 2 * height [width height]
	// 180
}

// A program that must not run with made-up limits refuses to start with the shipped file, under any name.
func ExampleCatalogue_IsIllustrative() {
	catalogue, err := limits.Load("shop.yaml", limits.IllustrativeYAML())
	if err != nil {
		log.Fatal(err)
	}
	if catalogue.IsIllustrative() {
		fmt.Printf("%s has illustrative limits; pass the limits of your supplier\n", catalogue.Name())
	}
	// Output: shop.yaml has illustrative limits; pass the limits of your supplier
}

// A shop knows the boards and blanks of its service from a frame, and asks a colleague for everything else.
func ExampleCatalogue_Completed() {
	frame, err := limits.LoadFrame("frame.yaml", []byte(`
version: 1
unit: mm
materials: {board: {caliper: 0.4, glue_flap: 15}}
articles:
  tray: {blank: {width: width + 2 * height, height: depth + 2 * height}}
`))
	if err != nil {
		log.Fatal(err)
	}
	articles, materials := frame.Articles(), frame.Materials()
	materials[0].Sheet = limits.Sheet{Code: "b1", Width: "1000", Height: "700"}
	articles[0].Width = limits.Range{Min: "40", Max: "500"}
	articles[0].Depth = articles[0].Width
	articles[0].Height = limits.Range{Min: "10", Max: "100"}

	engine, err := boxrules.New(boxrules.DefaultRules(), frame.Completed(articles, materials))
	if err != nil {
		log.Fatal(err)
	}
	for _, height := range []float64{100, 101} {
		verdict, err := engine.Check(boxrules.Box{
			Article: "tray", Material: "board", Dims: boxrules.Dims{Width: 120, Depth: 90, Height: height},
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("height", height, verdict)
	}
	// Output:
	// height 100 ok
	// height 101 BOX_2105
}

// The blank of an article for any box, as an exact value: which dimensions it depends on, and how large it is.
func ExampleFormula_Value() {
	variables := map[string]exact.Variable{"glue_flap": {Value: exact.Constant(limits.Decimal("15").Rat())}}
	for axis, name := range exact.AxisNames() {
		variables[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
	}
	formula := limits.Illustrative().Articles()[0].Blank.Width
	width, err := formula.Value(exact.NewVariables(nil, variables))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(formula)
	for _, axis := range width.Axes {
		fmt.Println("depends on the", exact.AxisNames()[axis])
	}
	fmt.Println(width.Value.At(exact.Point{120_000, 60_000, 180_000}).RatString())
	// Output:
	// 2*width + 2*depth + glue_flap
	// depends on the width
	// depends on the depth
	// 375
}

// Some articles of a catalogue, for an engine that needs less memory.
func ExampleCatalogue_Only() {
	some := limits.Illustrative().Only("tray", "sleeve")
	for _, a := range some.Articles() {
		fmt.Println(a.Code)
	}
	// Output:
	// sleeve
	// tray
}
