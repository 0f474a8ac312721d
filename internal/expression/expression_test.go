package expression_test

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/expression"
)

const (
	formulaNames = "caliper, depth, glue_flap, height, max_depth, max_height, max_width, min_depth, min_height, min_width, " +
		"sheet_height, sheet_width, width"
	conditionNames = "blank_height, blank_width, " + formulaNames
	// accepted is the list in messages about unknown names in conditions.
	accepted = "; accepted: " + conditionNames + ", and names declared under values"
)

// mentioned returns the variables of the language that are in the text, in order.
func mentioned(text string) (names []string) {
	for _, name := range strings.Split(conditionNames, ", ") {
		if regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
			names = append(names, name)
		}
	}
	return names
}

// lines returns one line for each problem, its offset and its message, without the list of what is accepted.
func lines(problems []expression.Problem) string {
	texts := make([]string, len(problems))
	lists := strings.NewReplacer(accepted, "", "; accepted: min, max", "")
	for i, p := range problems {
		texts[i] = fmt.Sprintf("%d: %s", p.Offset, lists.Replace(p.Message))
	}
	return strings.Join(texts, "\n")
}

func TestAccepted(t *testing.T) {
	for _, text := range []string{
		"width > max(10,2.5) + min(2.5,10) + min(10, 20) + max(10 ,20)",
		"depth > width",
		"depth>width",
		"\n width\t>= \r\n depth\n",
		"width == depth",
		"width != depth",
		"10 <= width <= 20",
		"width > depth > height >= 1",
		"width < depth > height",
		"width > 1 && depth > 1 || !(height > 1)",
		"width > 1 and depth > 1 or not (height > 1)",
		"width > 1 and not(depth > 1) && not not (height > 1)",
		"!!( ( width > 1 ) )",
		"-width < - -depth + +height",
		"width <= (depth * 3) / 4",
		"depth > (1 / 3) * width",
		"2 * (width + depth) * 3 > 1 - 2 - 3",
		"width / 2 / 3 < 1 / 2 / 3",
		"min(width, depth) > max(1, 2, 3, 4)",
		"min ( width,\n depth ) > 1",
		"min(max(min(1, 2), 3), width) > 1",
		"min((width), (1)) * 2 > 1",
		"width < min_width",
		"max_height / 2 > 1",
		"caliper * glue_flap > sheet_width / caliper",
		"width * caliper * min_depth > 1",
		"blank_width > sheet_height",
		"blank_height * caliper > width",
		"1 < 2",
		"width / 0 > 1", // what a divisor comes to is for the lowering to see
		"1 > " + strings.Repeat("min(", 580) + "0.5" + strings.Repeat(",2)", 580),
	} {
		e, problems := expression.Condition(text)
		if e == nil || len(problems) > 0 {
			t.Errorf("Condition(%q) = %v, want no problem", text, problems)
			continue
		}
		if want := mentioned(text); !slices.Equal(slices.Sorted(slices.Values(e.Names())), want) || e.Root() == nil {
			t.Errorf("Condition(%q): root %v, mentions %v, want %v", text, e.Root(), e.Names(), want)
		}
	}
}

// Each row is a condition with all of its problems.
func TestRefused(t *testing.T) {
	const (
		conditional = "conditionals are not part of the language: use &&, || and !"
		digits      = "is not a plain decimal: write digits and at most one decimal point"
		comment     = "comments are not accepted in an expression: use a YAML comment"
		incomplete  = "the expression is not complete"
		divisor     = "changes with the box; divide by a constant"
		product     = "is not linear: both change with the box"
		parentheses = "; put parentheses around the comparison"
		compare     = "0: a condition is expected, not a number: compare it, as in depth > width"
		article     = "0: a condition cannot depend on the article: list the rule's code under constraints in the articles that it applies to"
		material    = "0: a condition cannot depend on the material: compare its caliper, glue_flap, sheet_width or sheet_height"
		text        = "strings are not part of the language"
		list        = "lists are not part of the language"
		braces      = "maps and predicates are not part of the language"
		bracket     = "this is not part of the language, which has + - * /, min, max, comparisons, &&, || and !"
	)
	for _, test := range []struct{ text, want string }{
		{"", "0: " + incomplete},
		{" \n ", "3: " + incomplete},
		{"width >", "7: " + incomplete},
		{"width > 1 && ", "13: " + incomplete},
		{"(width > 1", "10: " + incomplete},
		{"min(width, 1", "12: " + incomplete},
		{"not", "3: " + incomplete},
		{"> 1", `0: unexpected ">"`},
		{"width > 1)", `9: unexpected ")"`},
		{"width > 1 depth", `10: an operator is missing before "depth": write 1 * depth for a product`},
		{"width > 1 1", `10: an operator is missing before "1"`},
		{"width > 20 1/2", `11: an operator is missing before "1": write 20.5 for 20 1/2`},
		{"width 1/2 > 3", `6: an operator is missing before "1"`},
		{"width > 1, 2", `9: unexpected ","`},
		{"width > 400,5", `11: unexpected ","; write a decimal point, as in 0.5`},
		{"width > 400,depth", `11: unexpected ","`},
		{"width > 400,", `11: unexpected ","`},
		{"width > depth,5", `13: unexpected ","`},
		{",5 > 1", `0: unexpected ","`},
		{"width > 1)2", `9: unexpected ")"`},
		{"width > 3 AND depth > 3", `10: unknown name "AND" (did you mean "and"?)`},
		{"Not (width > 3)", `0: unknown function "Not" (did you mean "not"?)`},
		{"(1)(2) > 1", `3: an operator is missing before "("`},
		{"min(1, 2)(3) > 1", `9: an operator is missing before "("`},
		{"width <> 1", "6: unexpected <>; write != for not equal to"},
		{"width <&& 1", `6: unexpected "<&"`}, // as expr reads it
		{"width(1) > 1", "0: " + bracket},
		{"min > 1", `0: unexpected "min"`},
		{"width > max 2", `12: unexpected "2"`}, // max is not an operand
		{"width > 1 min(2, 3)", `10: unexpected "min"`},
		{"width > max", `8: unexpected "max"`},

		{"width", compare},
		{"1", compare},
		{"min(1, 2)", compare},
		{" -width", " " + strings.Replace(compare, "0", "1", 1)},
		{"width > 1 && depth", `10: && joins conditions, but "depth" is a number`},
		{"width or depth > 1", `6: or joins conditions, but "width" is a number`},
		{"(width > 1) + 1 > 2", `12: + takes numbers, but "width > 1" is a condition`},
		{"2 > -(width > 1)", `4: - takes a number, but "width > 1" is a condition`},
		{"min(1, (width > 1)) > 2", `8: min takes numbers, but "width > 1" is a condition`},
		{"min(width) > 1", "0: min takes two or more numbers"},
		{"width > max()", "8: max takes two or more numbers"},

		{"!depth > width", `0: ! negates a condition, but here it is applied to the number "depth"` + parentheses},
		{"width > 1 && not (depth) > 1", `13: not negates a condition, but here it is applied to the number "depth"` + parentheses},
		{"!(depth + 1) * 2 > width", `0: ! negates a condition, but here it is applied to the number "(depth + 1) * 2"` + parentheses},
		{"width == depth == height", `15: == takes numbers, but "width == depth" is a condition`},
		{"width < depth == height", `14: == takes numbers, but "width < depth" is a condition`},
		{"width != depth < height", `15: < takes numbers, but "width != depth" is a condition`},
		{"(width < depth) < height", `16: < takes numbers, but "width < depth" is a condition`},

		{"width * depth > 1", `6: the product of "width" and "depth" ` + product},
		{"(width + 1)\n* -(depth) > 1", `12: the product of "width + 1" and "-(depth)" ` + product},
		{"min(width, 1) * max(2 ,\n (depth) , ((1))) > 1", `14: the product of "min(width, 1)" and "max(2 , (depth) , ((1)))" ` + product},
		{"((width) + (1)) * (2 * min(depth, (3))) > 1", `16: the product of "(width) + (1)" and "2 * min(depth, (3))" ` + product},
		{"width * caliper * blank_width > 1", `16: the product of "width * caliper" and "blank_width" ` + product},
		{"1" + strings.Repeat(" + 1", 20) + " > width * (depth" + strings.Repeat("+ 1", 20) + ")",
			`90: the product of "width" and "depth` + strings.Repeat("+ 1", 11) + `+ …" ` + product},
		{"1 / width > 1", `2: the divisor "width" ` + divisor},
		{"1 / (1 + min(width, (2))) > 1", `2: the divisor "1 + min(width, (2))" ` + divisor},
		{"width / depth / 2 > height / blank_width", `6: the divisor "depth" ` + divisor + "\n" + `27: the divisor "blank_width" ` + divisor},
		{"10 < width * depth < 20", `11: the product of "width" and "depth" ` + product},
		{"!(2 > -(width * depth))", `14: the product of "width" and "depth" ` + product},
		{"min(width * depth, 1 / height) > " +
			"1", `10: the product of "width" and "depth" ` + product + "\n" + `21: the divisor "height" ` + divisor},

		{"width > 1e3 + 1_000 - 1.2.3", `8: "1e3" ` + digits + "\n" + `14: "1_000" ` + digits + "\n" + `22: "1.2.3" ` + digits},
		{"width > 5. + 010", `8: "5." is not a plain decimal: digits must follow the point` + "\n" +
			`13: "010" is not a plain decimal: remove the leading zeros`},
		{"width > 1234567890.123456", `8: "1234567890.123456" is not a plain decimal: write at most 15 digits`},
		{"$env > 1 || x > $env2", "0: $env is not part of the language\n" + `12: unknown name "x"` + "\n16: $env is not part of the language"},
		{`article == "tray" && x > 1`, article + "\n" + `21: unknown name "x"`},
		{"material!='é x' || x > 1", material + "\n" + `19: unknown name "x"`}, // é is one character, but two bytes
		{"article = tray_2", article},
		{"true == x", "0: true is not a condition on a box\n" + `8: unknown name "x"`},
		{"width?.x", "5: " + conditional + "\n6: unexpected .; write numbers such as 0.5 or 2.5\n" + `7: unknown name "x"`},
		{"max(0,5*width, 12) > 1,5", `4: "0,5" may be a decimal with a comma: write 0.5, or, if the comma separates two numbers, put a space after it`},
		{"min(10,20, 30) > 1", `4: "10,20" may be a decimal with a comma: write 10.20, or, if the comma separates two numbers, put a space after it`},
		{"max(0.5*width; 12) > 1", "13: numbers in min and max are separated by commas, not by ;"},
		{"width – 1 > 1 — depth − 2", "6: unexpected –; write - for minus\n14: unexpected —; write - for minus\n" +
			"22: unexpected −; write - for minus"},
		{"width² > depth³ ÷ 2", "5: powers are not accepted: an expression must be linear\n14: powers are not accepted: an expression must be linear\n16: unexpected ÷; write / for a quotient"},
		{"width > 1;", "9: ; is not part of the language: write only one expression"},
		{"width > 1 ||| depth > 1", "12: the operator | is not supported; write || for or"},
		{"width === 1", "8: unexpected =; write == to compare"},
		{"2x =< 3 * heigth", `0: "2x" is not a plain decimal: write digits, and a product as 2*width` + "\n" +
			"3: unexpected =<; write <= for less than or equal to\n" + `10: unknown name "heigth" (did you mean "height"?)`},
		{"1.5depth ≤ 2 × é ≥ x · 1 ≠ 2", `0: "1.5depth" is not a plain decimal: write digits, and a product as 1.5*depth` + "\n" +
			"9: unexpected ≤; write <= for less than or equal to\n13: unexpected ×; write * for a product\n" + `15: unknown name "é"` + "\n" +
			"17: unexpected ≥; write >= for greater than or equal to\n" + `19: unknown name "x"` + "\n" +
			"21: unexpected ·; write * for a product\n25: unexpected ≠; write != for not equal to"},
		{"::min(1, 2) > 1", "0: :: is not part of the language"},
		{"{width: 1}", "0: " + braces + "\n6: " + conditional + "\n9: " + braces},
		{"width.x > 1", "5: unexpected .; write numbers such as 0.5 or 2.5\n" + `6: unknown name "x"`},
		{"width > 1 || false", "13: false is not a condition on a box"},
		{`"x > 1" == 'y' || ` + "`z`", "0: " + text + "\n11: " + text + "\n18: " + text},
		{`width > "depth`, "8: " + text},
		{"width matches width contains width startsWith width endsWith width",
			"6: " + text + "\n20: " + text + "\n35: " + text + "\n52: " + text},
		{"width > 1 // é x\n&& y > 1", "10: " + comment + "\n" + `20: unknown name "y"`},
		{"width /* é x */ > y", "6: " + comment + "\n" + `18: unknown name "y"`},
		{"/* x", "0: " + comment},
		{"wide > 1", `0: unknown name "wide"`},
		{"Width > 1 AND width > 1", `0: unknown name "Width" (did you mean "width"?)` + "\n" + `10: unknown name "AND" (did you mean "and"?)`},
		{"Zoll > 1 and zz > A", `0: unknown name "Zoll"` + "\n" + `13: unknown name "zz"` + "\n" + `18: unknown name "A"`},
		{"abs(width) > 1", `0: unknown function "abs"`},
		{strings.Repeat("a", 41) + " > 1", `0: unknown name "` + strings.Repeat("a", 40) + `…"`},
		{"width > é", `8: unknown name "é"`},
		{"é || ü > x", `0: unknown name "é"` + "\n" + `5: unknown name "ü"` + "\n" + `9: unknown name "x"`},
		{"länge > ho\u0308he and min(größe2, 2ø) > 1", `0: unknown name "länge"` + "\n" + `8: unknown name "ho` + "\u0308" + `he"` + "\n" +
			`22: unknown name "größe2"` + "\n" + `30: "2ø" is not a plain decimal: write digits, and a product as 2*width`},
		{"\x00\u200b\u2028\xff", `0: unexpected character '\x00'` + "\n" +
			`1: unexpected character '\u200b'` + "\n" + `2: white space U+2028 is not accepted here: write a plain space` + "\n3: unexpected character '\uFFFD'"},
		{"width\u00a0> １", `5: white space U+00A0 is not accepted here: write a plain space` + "\n8: unexpected character '１'"},
	} {
		e, problems := expression.Condition(test.text)
		if got := lines(problems); got != strings.TrimSpace(test.want) || e != nil {
			t.Errorf("Condition(%q) = %v, problems\n%s\nwant\n%s", test.text, e != nil, got, test.want)
		}
	}
}

func TestFormula(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"2*width + 2*depth + glue_flap", ""},
		{"height + 2*depth + 2*min(max(0.5*depth, 12), 25)", ""},
		{"1", ""},
		{"width > 1", "0: a number is expected, not a condition"},
		{" !(width > 1)", "1: a number is expected, not a condition"},
		{"1 < blank_width", `4: unknown name "blank_width"; accepted: ` + formulaNames},
		{"blank_height", `0: unknown name "blank_height"; accepted: ` + formulaNames},
	} {
		e, problems := expression.Formula(test.text)
		if got := lines(problems); got != test.want || (e != nil) != (test.want == "") {
			t.Errorf("Formula(%q) = %v, problems %q, want %q", test.text, e != nil, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	names := strings.Split(conditionNames, ", ")
	for _, name := range names {
		e, problems := expression.Condition(name + " > 1")
		if e == nil || !slices.Equal(e.Names(), []string{name}) {
			t.Errorf("Condition(%s > 1): problems %v, want no problem", name, problems)
		}
		if e, problems := expression.Formula(name); (e != nil) != strings.Contains(formulaNames, name) {
			t.Errorf("Formula(%s) = %v, problems %v", name, e != nil, problems)
		}
	}
	_, problems := expression.Condition("box > 1")
	if want := `unknown name "box"` + accepted; len(problems) != 1 || problems[0].Message != want {
		t.Errorf("Condition(box > 1): problems %v, want %s", problems, want)
	}
	if e, _ := expression.Condition("height > width && depth > width"); !slices.Equal(e.Names(), []string{"height", "width", "depth"}) {
		t.Errorf("mentioned, in order: %v", e.Names())
	}
}

// TestMentions: an expression knows the variables and the user-defined values that it mentions, each once, in the order of
// the text, and the place of the first mention.
func TestMentions(t *testing.T) {
	for _, test := range []struct {
		text                 string
		names, values, plain []string
	}{
		{"1 < 2", nil, nil, nil},
		{"height > width && depth > width", []string{"height", "width", "depth"}, nil, nil},
		{"max_width > width", []string{"max_width", "width"}, nil, nil},
		{"\n 1 < blank_width < (width) and not(width == max(1, caliper))", []string{"blank_width", "width", "caliper"}, nil, nil},
		{"depth > ratio * (lid + 30) - count * lid", []string{"depth", "ratio", "lid", "count"},
			[]string{"ratio", "lid", "count"}, []string{"ratio", "count"}},
		{"crease > 0 && depth > crease", []string{"crease", "depth"}, []string{"crease"}, nil},
	} {
		e, problems := expression.ConditionWith(degrees, test.text)
		if e == nil {
			t.Errorf("%q: problems %v", test.text, problems)
			continue
		}
		if !slices.Equal(e.Names(), test.names) || !slices.Equal(e.Values(), test.values) || !slices.Equal(e.PlainNumbers(), test.plain) {
			t.Errorf("%q mentions %v, the values %v and the plain numbers %v", test.text, e.Names(), e.Values(), e.PlainNumbers())
		}
		for _, name := range append(strings.Split(conditionNames, ", "), "crease", "lid", "ratio", "count") {
			want := 0 // unless it is mentioned
			if place := regexp.MustCompile(`\b` + name + `\b`).FindStringIndex(test.text); place != nil {
				want = place[0]
			}
			if got := e.Offset(name); got != want {
				t.Errorf("%q mentions %s first at %d, want %d", test.text, name, got, want)
			}
		}
	}
}

// TestIsCondition: comparisons are conditions, and so is what !, && and || make of them. All else is a number.
func TestIsCondition(t *testing.T) {
	for _, text := range []string{"1", "width", "min(1, width)", "-width", "2 * width", "width / 2", "width + 1", "width - 1"} {
		e, problems := expression.Formula(text)
		if e == nil {
			t.Fatalf("Formula(%q): problems %v", text, problems)
		}
		if e.Root().Kind.IsCondition() {
			t.Errorf("%s is a condition", text)
		}
	}
	for _, text := range []string{"width < 1", "width == 1", "!(width < 1)", "1 < width < 2", "width < 1 || width > 2"} {
		if !mustCondition(t, text).Root().Kind.IsCondition() {
			t.Errorf("%s is not a condition", text)
		}
	}
}

// TestNumber reads a literal, alone and after another one, exactly as it is written.
func TestNumber(t *testing.T) {
	for text, want := range map[string]*big.Rat{
		"0": new(big.Rat), "30": big.NewRat(30, 1), "498.25": big.NewRat(1993, 4), "0.1": big.NewRat(1, 10), "2.50": big.NewRat(5, 2),
		"0.0":             new(big.Rat),
		"999999999999999": big.NewRat(999999999999999, 1), "0.00000000000001": big.NewRat(1, 100000000000000),
		"9.00719925474099": big.NewRat(900719925474099, 100000000000000),
	} {
		for _, formula := range []string{text, " \n" + text, "7.5 + " + text, "-" + text, "(" + text + ")"} {
			e, problems := expression.Formula(formula)
			if e == nil {
				t.Errorf("Formula(%q): problems %v", formula, problems)
				continue
			}
			n := e.Root()
			if n.Kind == expression.Sum || n.Kind == expression.Sign {
				n = n.Operands[len(n.Operands)-1]
			}
			value, problem := e.Value(exact.Variables{})
			got, ok := value.Value.Constant()
			if n.Kind != expression.Number || n.Text != text || problem != nil || !ok {
				t.Errorf("Formula(%q): %+v, %v, want the number %s", formula, n, problem, text)
				continue
			}
			switch n := e.Root(); n.Kind {
			case expression.Sum:
				got = got.Sub(got, big.NewRat(15, 2))
			case expression.Sign:
				got = new(big.Rat).Neg(got)
			}
			if got.Cmp(want) != 0 {
				t.Errorf("Formula(%q): number %v, want %v", formula, got, want)
			}
		}
	}
}

func TestLength(t *testing.T) {
	const most = expression.MaxLength
	tooLong := func(length int) string {
		return fmt.Sprintf("0: the expression has %d characters; at most %d are accepted", length, most)
	}
	for _, test := range []struct{ left, middle, right string }{
		{"", "width > 1", " "}, {"(", "width > 1", ")"}, {"!", "(width > 1)", ""}, {"not ", "(width > 1)", ""}, {"1 < ", "width", ""},
		{"-", "width > 1", ""}, {"", "width > 1", "+1"}, {"", "width > 1", " && depth > 1"},
	} {
		repeat := (most - len(test.middle)) / len(test.left+test.right)
		text := strings.Repeat(test.left, repeat) + test.middle + strings.Repeat(test.right, repeat)
		text += strings.Repeat(" ", most-len(text))
		if e, problems := expression.Condition(text); e == nil {
			t.Errorf("%d characters of %q: problems %.200v, want none", most, test, problems)
		}
		if _, problems := expression.Condition(text + "\n"); lines(problems) != tooLong(most+1) {
			t.Errorf("%d characters of %q: problems %.200v, want %s", most+1, test, problems, tooLong(most+1))
		}
	}
	// A character is one, however many bytes it has.
	if _, problems := expression.Condition("width > é" + strings.Repeat(" ", most-9)); lines(problems) != `8: unknown name "é"` {
		t.Errorf("%d characters with an é: problems %.200v", most, problems)
	}
	for _, sign := range []string{"(", "[", "{", "!", "-", "not ", "min(", "1 + ", "1 < (", "x", "9", `"`, "é", "\n"} {
		text := strings.Repeat(sign, 1_000_000)
		if _, problems := expression.Condition(text); lines(problems) != tooLong(utf8.RuneCountInString(text)) {
			t.Errorf("a million %q: problems %.200v, want that of the length", sign, problems)
		}
	}
}

// TestNestedChains: in expr's tree both comparisons of a chain share their middle operand. Reading it
// twice at each level would take a time that doubles with every level. More than a few levels are
// refused.
func TestNestedChains(t *testing.T) {
	for _, levels := range []int{1, 2, 3, 4, 5, 8, 12, 16, 500} {
		text := strings.Repeat("0<(", levels) + "1 * width * width" + strings.Repeat(")<1", levels)
		want := fmt.Sprintf(`%d: the product of "1 * width" and "width" is not linear: both change with the box`, 3*levels+10)
		if levels > 4 {
			want = "13: comparisons are nested too deeply: < takes numbers, but it is inside an operand of another comparison"
		}
		if _, problems := expression.Condition(text); lines(problems) != want {
			t.Errorf("a product in %d nested chains: problems\n%s\nwant\n%s", levels, lines(problems), want)
		}
	}
	// Comparisons joined by && are not nested, whatever their number of parentheses.
	for _, text := range []string{
		strings.Repeat("1<width && (", 300) + "1<width<2" + strings.Repeat(")", 300),
		strings.Repeat("1<width or (", 300) + "1<width<2" + strings.Repeat(")", 300),
		strings.Repeat("(", 300) + "1<width<2" + strings.Repeat(" and 1<(width))", 150) + strings.Repeat(")", 150),
		strings.Repeat("1<width<(((2))) and !(", 100) + "1<width<2" + strings.Repeat(")", 100),
		"1 < " + strings.Repeat("min(((1)), (2)) + ", 100) + "width < 2",
		strings.Repeat("1<(width) && ", 100) + "(1<width<2)",
	} {
		if _, problems := expression.Condition(text); len(problems) > 0 {
			t.Errorf("Condition(%.100q): problems\n%s", text, lines(problems))
		}
	}
	for text, want := range map[string]string{
		"1<(2<(3<(4<(5<6":          "13: comparisons are nested too deeply: < takes numbers, but it is inside an operand of another comparison",
		"1<(2<(3>=(4<=(5>=6":       "15: comparisons are nested too deeply: >= takes numbers, but it is inside an operand of another comparison",
		"1<(2<(3<(4<5 && (6<7))))": `7: < takes numbers, but "4<5 && (6<7)" is a condition`,
		"))1<(2<(3<(4<5))))":       `0: unexpected ")"`,
		"1<(2<(3<((4)) < (4<5))))": `23: unexpected ")"`,
	} {
		if _, problems := expression.Condition(text); lines(problems) != want {
			t.Errorf("Condition(%q): problems\n%s\nwant\n%s", text, lines(problems), want)
		}
	}
}

// annotated returns the text of a side, with =LENGTH after each variable, the length of its name.
func annotated(s exact.Side) string {
	text := ""
	from := 0
	for _, name := range s.Names {
		text += s.Text[from:name.End] + fmt.Sprintf("=%d", len(name.Name))
		from = name.End
	}
	return text + s.Text[from:]
}

// values are the values of all variables, all of them different.
func values() map[string]exact.Variable {
	all := make(map[string]exact.Variable)
	for i, name := range strings.Split(conditionNames, ", ") {
		all[name] = exact.Variable{Value: exact.Constant(big.NewRat(int64(i+1), 1))}
	}
	for axis, name := range exact.AxisNames() {
		all[name] = exact.Variable{Value: exact.Dimension(axis), Axes: []int{axis}}
	}
	return all
}

// Each row is a condition with the text of its first comparison and of its two sides.
func TestComparison(t *testing.T) {
	for _, test := range []struct{ text, whole, left, operator, right string }{
		{"depth > width", "depth > width", "depth=5", ">", "width=5"},
		{"\n  depth\n >\t\twidth \n", "depth\n >\t\twidth", "depth=5", ">", "width=5"},
		{"width <= (depth * 3) / 4", "width <= (depth * 3) / 4", "width=5", "<=", "(depth=5 * 3) / 4"},
		{"(depth * 3) / 4 >= (width)", "(depth * 3) / 4 >= (width)", "(depth=5 * 3) / 4", ">=", "width=5"},
		{"(depth + 1) > 2 * (width - 1)", "(depth + 1) > 2 * (width - 1)", "depth=5 + 1", ">", "2 * (width=5 - 1)"},
		{"((depth) + (1)) * 2 > 1", "((depth) + (1)) * 2 > 1", "((depth=5) + (1)) * 2", ">", "1"},
		{"-(depth) > 1", "-(depth) > 1", "-(depth=5)", ">", "1"},
		{"min(width, (min_width) ,) > 1", "min(width, (min_width) ,) > 1", "min(width=5, (min_width=9) ,)", ">", "1"},
		{"max( max_width ,min(1, 2)) == 1", "max( max_width ,min(1, 2)) == 1", "max( max_width=9 ,min(1, 2))", "==", "1"},
		{"(1 < width) and !(depth>1)", "1 < width", "1", "<", "width=5"},
		{"!(depth>1) and (1 < width)", "depth>1", "depth=5", "<=", "1"},
		{"not (not (depth != 1) || 1 < width)", "depth != 1", "depth=5", "!=", "1"},
		{"10 < width < 20", "10 < width", "10", "<", "width=5"},
	} {
		e, problems := expression.Condition(test.text)
		if e == nil {
			t.Fatalf("Condition(%q): problems %v", test.text, problems)
		}
		budget := 100
		tree, problem := e.Condition(exact.NewVariables(nil, values()), &budget)
		if problem != nil {
			t.Fatalf("Tree of %q: %v", test.text, problem)
		}
		for tree.Comparison == nil {
			tree = tree.Parts[0]
		}
		c := tree.Comparison
		whole := test.text[c.From:c.To]
		if left, right := annotated(c.Left), annotated(c.Right); whole != test.whole || left != test.left ||
			c.Operator != test.operator ||
			right != test.right {
			t.Errorf(
				"%q: %q is %q %s %q, want %q, %q %s %q",
				test.text,
				whole,
				left,
				c.Operator,
				right,
				test.whole,
				test.left,
				test.operator,
				test.right,
			)
		}
	}
}
