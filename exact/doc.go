// Package exact represents the rules of one article in whole numbers. Read this page before you port boxrules
// to another language or write a generator.
//
// # The grid
//
// A dimension is a whole number of thousandths of the unit: 48.25 mm is 48250. [Grid] rounds a float64 once,
// to floor(x*1000 + 0.5), and from then on all arithmetic is on integers, so no further rounding can change a
// verdict. Boxes with the widths 48.0004 and 48 are the same box, and a width of 48.001 is a different one.
//
// If a limit file accepts fewer than three decimals, every dimension has to be a multiple of
// [Form.Step]: with one decimal the step is 100, and 48.25 gets no verdict. [OnStep] checks that.
//
// # The form
//
// [example.com/boxrules.Profile.Exact] returns the [Form] of one article in one material. For each rule, in
// check order, it holds a [Condition] that says which boxes violate the rule. A Condition combines
// half-spaces a·w + b·d + c·h > k, in which all numbers are integers, using "and" and "or": "depth > width"
// is -1·w + 1·d + 0·h > 0. To check a box, put it on the grid and go through the conditions. The verdict is
// the rule of the first condition that holds; if none holds, the box is valid. The example of this package
// shows the code. If you only check boxes, you can stop reading here.
//
// As long as every dimension is within [MaxDimension], no sum in a condition exceeds 2^53 in magnitude.
// So languages whose numbers are float64s, such as JavaScript and SQL, compute the same verdicts.
//
// # Conditions and regions
//
// A [Condition] keeps the form in which the condition was written, which a generator needs. Its inner nodes
// are && and ||. Each [Comparison] has its text, the axes that it mentions, and its two sides. A negation is
// pushed down to the comparisons: !(depth > width) becomes depth <= width. One comparison may need several
// half-spaces, because min, max and == are translated to "and" and "or": "max(width, depth) > 5" is "width >
// 5 or depth > 5".
//
// A [Region] is the set of boxes for which a condition holds, without the text and simplified. A program that
// proves something, or that needs only the half-spaces, starts from [Condition.Region].
//
// Floating point, in which most services compute, may decide a box differently if it is on or near the plane
// of a comparison. An [Edge] says how near to the plane that is possible; see [Condition.OnEdge].
//
// # What is not here
//
// The conditions have no codes or stages. These are in [example.com/boxrules.Profile.Rules], in the same
// order. A port must also refuse input that gets no verdict: a dimension that is NaN, greater in magnitude
// than [MaxDimension] or not a multiple of the step, and an unknown article or material. A dimension that is
// given as text must be a plain decimal of at most 64 characters.
//
// All values are immutable and safe for concurrent use.
package exact
