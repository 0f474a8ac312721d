// Package learn finds the limits that a printing service does not publish from its answers.
//
// Most users need four calls: [New] for a learner, [Learner.Add] for each answer, [Learner.Facts] for
// what is known, and [Learner.Next] for the boxes to ask next. Users who have a complete limit file and
// want to know whether the service still uses it need [Proof] alone.
//
// The service answers each box with the first code that the box violates, or accepts it. Each answer
// says something about one limit, constraint or sheet at a time. So the limit files that agree with all
// answers, which are called the version space, are a product: an interval for each limit, selected or
// not or unknown for each constraint, and for each sheet a size that it has at least and sizes that it
// does not reach.
//
//	answer          what it tells
//	BOX_2100        min_width is greater than the width
//	BOX_2101        min_width is not, and max_width is smaller than the width
//	BOX_2102 …      the same of the depth, then of the height
//	BOX_31xx        the box is within all limits, and this is the first selected constraint whose
//	                condition holds for the box
//	BOX_4100        no constraint whose condition holds is selected, and the blank does not fit the sheet
//	accepted        the same, and the blank fits
//	another code    the box is within all limits, which are checked first ([ErrUnknownCode])
//
// It is not known whether the service computes exactly or in double precision. What is learned is true
// in either case: if the two disagree about a condition or a blank, the answer tells less
// ([ErrBorderline]), and another box is asked.
//
// A [Learner] also says which rows contradict each other, and writes limit files that refuse only what
// the service certainly refuses (lenient) or accept only what it certainly accepts (strict).
//
// It holds for rules whose boundary stage compares each dimension with its own limit, whose
// constraints mention no limit and no sheet, and whose size rule is the documented one.
package learn
