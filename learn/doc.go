// Package learn works out the limits of a printing service from its answers about boxes, because the service does
// not publish its limits.
//
// Most users need four calls: [New] to make a learner, [Learner.Add] to add each answer, [Learner.Facts] to see
// what is known, and [Learner.Next] to get the boxes to ask about next. Users who have a complete limit file, and
// only want to know whether the service still uses these limits, need only [Proof].
//
// For each box, the service answers with the code of the first rule that the box violates, or accepts the box. An
// answer can be split into statements that are each about a single limit, constraint or sheet. Therefore a learner
// stores what it knows about each limit, constraint and sheet separately: the smallest and the greatest value that a
// limit can have, whether a constraint is selected, and for a sheet, a size that it certainly holds and sizes that it
// does not hold. The set of all limit files that agree with this knowledge is called the version space.
//
//	answer          what follows from it
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
// We do not know whether the service computes exactly or in double precision. What a Learner learns is true in
// either case. A box is borderline if the two arithmetics disagree about a condition or about its blank. Less can
// be learned from the answer about such a box ([ErrBorderline]), so [Learner.Next] avoids proposing it.
//
// A [Learner] also reports which rows contradict each other. It can write two kinds of limit files: a lenient file
// refuses only what the service certainly refuses, and a strict file accepts only what the service certainly
// accepts.
//
// The rules must compare each dimension with its minimum and its maximum, as the documented rules do. A shop may
// have further rules in each stage. A rule that mentions limits can be used as soon as the answers show the values
// of these limits. If a rule mentions the sheet, little can be learned from its code: see [Learner.Warnings].
package learn
