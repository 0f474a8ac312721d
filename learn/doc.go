// Package learn works out the limits that a printing service does not publish from its answers about boxes.
//
// Most users need four calls: [New] for a learner, [Learner.Add] for each answer, [Learner.Facts] for
// what is known, and [Learner.Next] for the boxes to ask about next. Users who have a complete limit file and
// want to know whether the service still uses it need only [Proof].
//
// The service answers each box with the code of the first rule that the box violates, or accepts it. What
// an answer tells can be divided into statements about a single limit, constraint or sheet. So what is
// known can be kept separately for each of them: the least and the greatest value of a limit, whether a
// constraint is selected, and, for a sheet, a size that it certainly holds and sizes that it does not
// hold. The set of limit files that agree with all of that is called the version space.
//
//	answer          what it tells
//	BOX_2100        min_width is greater than the width
//	BOX_2101        min_width is at most the width, and max_width is smaller than the width
//	BOX_2102 …      the same for the depth, and then for the height
//	BOX_31xx        the box is within all limits, and this is the first selected constraint whose
//	                condition holds for the box
//	BOX_4100        no constraint whose condition holds is selected, and the blank does not fit the sheet
//	accepted        no constraint whose condition holds is selected, and the blank fits
//	a rule of the   the same as for a constraint, except that the rule applies to every article, so that its
//	shop's own      condition shows which boxes it refuses
//	another code    the box is within all limits, which are checked first ([ErrUnknownCode])
//
// It is not known whether the service computes exactly or in double precision. What a Learner learns is true
// in either case. If the two disagree about a condition or a blank, less is learned from the answer
// ([ErrBorderline]), and [Learner.Next] proposes another box.
//
// A [Learner] also says which rows contradict each other, and writes limit files that refuse only what
// the service certainly refuses (lenient) or accept only what it certainly accepts (strict).
//
// The rules have to compare each dimension with both of its limits, as the documented ones do. A shop may have
// more rules in each stage. A rule that mentions limits is used once the answers show these limits. If a rule
// mentions the sheet, little is learned from answers about it: see [Learner.Warnings].
package learn
