// Package boxrules says whether a cardboard box can be made, and if not, which documented code is
// reported, why, and what to change. It works offline, and its verdicts are exact.
//
// # The pipeline
//
// A rule file holds the documented conditions (codes BOX_2100 to BOX_4100) as expressions, a
// limit file what applies to each article and material:
//
//	rules/box_rules.yaml      -> LoadRules   -> RuleSet   ┐
//	limits/illustrative.yaml  -> limits.Load -> Catalogue ┴-> New -> Engine -> Profile -> Verdict
//
// [LoadRules] and [limits.Load] report everything that is wrong with a file, each with file, line
// and column. [New] compiles the rules for every article in every material: each condition,
// parsed and type-checked by github.com/expr-lang/expr, is translated once to an exact condition, an
// and/or combination of half-spaces a·width + b·depth + c·height > k with integer numbers. From
// then on a check cannot fail but for its input, and costs nanoseconds. [Profile.Exact] is that
// tree, from which everything else is made: explanations and suggestions here, proofs about whole
// files in package lint, pictures in boxmap, other languages in codegen.
//
// # In the order of need
//
// Each of these has an example.
//
//   - Whether a box can be made: [Engine.Check]. [Profile.Check] is for many boxes of one
//     article; neither allocates, and both are safe for concurrent use.
//   - By your own limits: [limits.Load] and [New]; of a database, [limits.New].
//   - Of a form, a query or a flag: [ParseDimension].
//   - A question that is no box, and a box as an error: [InputError] and [BoxError].
//   - Everything that is wrong with a box: [Engine.CheckAll], and with its numbers
//     [Profile.Reasons].
//   - What to change: [Engine.Explain]. Its parts alone: how far each dimension may go,
//     [Profile.Ranges]; the other ways round, [Profile.Turned]; and the nearest valid box,
//     [Profile.Nearest].
//   - What else the box can be made as: [Engine.Offers].
//   - By rules of your own: [LoadRules].
//   - What is odd about files, and what an edit changes: package [example.com/boxrules/lint].
//   - Limits from the service's answers: package [example.com/boxrules/learn].
//   - A picture: [example.com/boxrules/boxmap.SVG].
//   - The same verdicts in a browser, and in a database:
//     [example.com/boxrules/codegen.JavaScript] and [example.com/boxrules/codegen.SQL].
//   - Before requests are sent: [example.com/boxrules/preflight.Transport] in a client,
//     [example.com/boxrules/preflight.Checker.Handler] in a server.
//   - A service to test clients with: package [example.com/boxrules/sandbox].
//   - To draw boxes on every border in tests of your code: [example.com/boxrules/boxtest.Border].
//
// # What a verdict means
//
// A condition is a statement about decimal numbers, and the verdict is its exact truth.
// Dimensions are put on a grid of thousandths of the unit, once: they are exact up to three
// decimals, and more are rounded. A limit file may take fewer decimals, and then more are an
// input error. 498.25 in a condition is 1993/4 and 1 / 3 is a third; once a box is on the grid no
// floating-point rounding decides it. The checks run in three stages, boundary, constraint and
// size, each in the order of the rule file, and the first violation is the verdict.
//
// # Errors
//
// A box that is not a question (a dimension that is NaN, an unknown article) is an *[InputError],
// never a verdict. A verdict as an error, from [Verdict.Err], is a *[BoxError]. What is wrong
// with a file is a [source.Errors], a slice of *[source.Error] with file, line and column.
// errors.As wants a pointer to such a pointer, or to a source.Errors. Limits made in Go have no
// line: their errors name the field. The zero Verdict is not OK.
//
// # Whose limits
//
// The printing service publishes its conditions but neither its minimums, maximums, sheets and
// blanks nor which constraints apply to which article. These are the user's data. The catalogue
// in package limits is illustrative.
package boxrules
