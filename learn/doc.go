// Package learn finds the limits that a printing service does not publish from its answers.
//
// The service answers each box with the first code that the box violates, or accepts it. Each
// answer is a fact about minimums, maximums, selected constraints and sheets, one unknown at a
// time, so that all limit files that agree with the answers (the version space) are a product: an
// interval for each limit, three values for each constraint, and for each sheet a corner that it
// reaches and corners that it does not.
//
//	answer          what it tells
//	BOX_2100        min_width is greater than the width
//	BOX_2101        min_width is not, and max_width is smaller than the width
//	BOX_2102 …      the same of the depth, then of the height
//	BOX_31xx        the box is within all limits, and of the constraints that hold here this is
//	                the first that is selected
//	BOX_4100        none that holds here is selected, and the blank does not fit the sheet
//	accepted        the same, and the blank fits
//	another code    the box is within all limits, which are checked first ([ErrUnknownCode])
//
// Whether the service computes exactly or in double precision is not known. What is learned is true of
// either: of a condition or a blank that they decide differently for a box, its answer tells less
// ([ErrBorderline]), and another box is asked.
//
// A [Learner] keeps what is known, says what contradicts itself with the fewest rows, writes limit
// files that refuse only what the service certainly refuses (lenient) or accept only what it
// certainly accepts (strict), and plans the boxes to ask next. [Proof] returns the few boxes that
// prove a complete file.
//
// It holds for rules whose boundary stage compares each dimension with its own limit, whose
// constraints mention no limit and no sheet, and whose size rule is the documented one.
package learn
