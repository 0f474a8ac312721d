// Package boxrules says whether a cardboard box can be made. If it cannot, the package says which documented
// code the box gets, why, and what to change. It works offline, and its verdicts are exact. Most programs
// need only [Engine.Check] and [Engine.Explain].
//
// # The pipeline
//
// A rule file contains the documented conditions (codes BOX_2100 to BOX_4100) as expressions. A limit file
// contains the numbers of each article and material:
//
//	rules/box_rules.yaml      -> LoadRules   -> RuleSet   ┐
//	limits/illustrative.yaml  -> limits.Load -> Catalogue ┴-> New -> Engine -> Profile -> Verdict
//
// [LoadRules] and [limits.Load] report everything that is wrong with a file, each error with file, line and
// column. They parse and type-check the conditions with github.com/expr-lang/expr. [New] compiles the rules
// for every article in every material: it translates each condition to an exact condition, which combines
// half-spaces a·width + b·depth + c·height > k, with integers a, b, c and k, using "and" and "or". From then
// on a check fails only if its input is wrong, and takes nanoseconds. [Profile.Exact] returns the exact
// conditions. Everything else is made from them: explanations and suggestions in this package, proofs about
// whole files in package lint, pictures in boxmap, and code in other languages in codegen.
//
// # Which call to use
//
// Each of these calls has a runnable example.
//
//   - To check a box: [Engine.Check]. For many boxes of one article in one material: [Profile.Check].
//     Neither allocates, and both are safe for concurrent use.
//   - To use your own limits: [limits.Load] and [New]. For limits from a database: [limits.New].
//   - To parse a dimension typed into a form, a query or a flag: [ParseDimension].
//   - To handle invalid input and rejected boxes as errors: [InputError] and [BoxError].
//   - To list every rule that a box violates: [Engine.CheckAll]. With the box's numbers filled in:
//     [Profile.Reasons].
//   - To say what to change: [Engine.Explain]. Parts of that: how far each dimension can change,
//     [Profile.Ranges]; how the box can be turned, [Profile.Turned]; and the nearest valid box,
//     [Profile.Nearest].
//   - To find the articles and materials in which a box can be made: [Engine.Offers].
//   - To use your own rules: [LoadRules].
//   - To find mistakes in files, or to see what an edit changes: package [example.com/boxrules/lint].
//   - To find limits from the service's answers: package [example.com/boxrules/learn].
//   - To draw a picture: [example.com/boxrules/boxmap.SVG].
//   - To get the same verdicts in a browser or in a database:
//     [example.com/boxrules/codegen.JavaScript] and [example.com/boxrules/codegen.SQL].
//   - To check requests before they are sent: [example.com/boxrules/preflight.Transport] in a client,
//     [example.com/boxrules/preflight.Checker.Handler] in a server.
//   - To test clients without the service: package [example.com/boxrules/sandbox].
//   - To generate boxes on every border in your own tests: [example.com/boxrules/boxtest.Border].
//
// # What a verdict means
//
// A condition is a statement about decimal numbers, and it is decided exactly. Dimensions are rounded once,
// to a grid of thousandths of the unit, so they are exact up to three decimals. A limit file may allow fewer
// decimals. Then a dimension with more decimals is an input error. After a box is on the grid, nothing is
// rounded: 498.25 in a condition is 1993/4, and 1 / 3 is a third. The checks run in three stages, boundary,
// constraint and size, each in the order of the rule file. The first violation is the verdict.
//
// # Errors
//
// Input that is not a box (a dimension that is NaN, an unknown article) is an *[InputError], never a verdict. An option
// that a function does not accept is an *[OptionError]. A verdict as an error, from [Verdict.Err], is a *[BoxError].
// The mistakes in a file are a [source.Errors], a slice of *[source.Error] with file, line and column. Limits built in
// Go code have no lines, so their errors name the field. The zero Verdict is not OK.
//
// # Where the limits come from
//
// The printing service publishes its conditions. It does not publish its minimums, maximums, sheets and
// blanks, nor which constraints apply to which article. You have to provide all of these. The catalogue
// in package limits is made up.
package boxrules
