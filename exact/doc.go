// Package exact describes the rules of one article in whole numbers. Read it before you port
// boxrules to another language or write a generator.
//
// # The grid
//
// A dimension is a whole number of thousandths of the unit: 48.25 mm is 48250. [Grid] rounds a
// float64 once, to floor(x*1000 + 0.5), and from then on all arithmetic is on integers, so no further
// rounding can change a verdict. 48.0004 and 48 are the same box, and 48.001 is another one.
//
// If a limit file accepts fewer than three decimals, every dimension has to be a multiple of
// [Form.Step]: with one decimal the step is 100, and 48.25 gets no verdict. [OnStep] checks that.
//
// # The form
//
// [example.com/boxrules.Profile.Exact] returns the [Form] of one article in one material. For each rule,
// in check order, it holds a [Condition] that says which boxes violate the rule. A Condition joins
// half-spaces a·w + b·d + c·h > k, in which all numbers are integers, by and/or: "depth > width" is -1·w
// + 1·d + 0·h > 0. To check a box, put it on the grid and walk the conditions: the first that holds gives
// the verdict, and if none holds the box is valid. The package example does so in full. If you only check
// boxes, you can stop reading here.
//
// As long as every dimension is within [MaxDimension], no sum in a condition exceeds 2^53 in magnitude.
// So languages whose numbers are float64s, such as JavaScript and SQL, compute the same verdicts.
//
// # Conditions and regions
//
// A [Condition] has the shape of the condition as written, which a generator needs: its inner nodes are
// the && and ||, and each [Comparison] has its text, the axes that it mentions and its two sides. A
// negation is pushed down to the comparisons: !(depth > width) becomes depth <= width. One comparison
// may need several half-spaces, because min, max and == become and/or: "max(width, depth) > 5" is
// "width > 5 or depth > 5".
//
// A [Region] is the same set of boxes without the text, simplified. A program that proves something, or
// needs only the half-spaces, starts from [Condition.Region].
//
// Floating point, in which most services compute, may decide a box differently if it is on or near the
// plane of a comparison. An [Edge] says how near the box must be; see [Condition.OnEdge].
//
// # What is not here
//
// The conditions carry no codes or stages: those are in [example.com/boxrules.Profile.Rules], in
// the same order. A port also has to refuse what gets no verdict at all: a dimension that is NaN,
// greater in magnitude than [MaxDimension] or not a multiple of the step, and an unknown article or
// material. A dimension given as text must be a plain decimal of at most 64 characters.
//
// All values are immutable and safe for concurrent use.
package exact
