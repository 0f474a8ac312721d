package boxrules

import (
	"fmt"

	"example.com/boxrules/exact"
	"example.com/boxrules/internal/wording"
)

// InputError says that the input is not a box that can be checked: for example, a dimension is not a number,
// or the article is unknown. It is not a verdict, and is returned before any rule runs. To find it, write
//
//	var input *boxrules.InputError
//	if errors.As(err, &input) { … input.Field … }
type InputError struct {
	// Field is "article", "material", "width", "depth" or "height". Packages whose input has further fields
	// document the names of these.
	Field string `json:"field"`
	// Message says in a few words what is wrong and what would be accepted.
	Message string `json:"message"`
}

// Error returns the field and the message in one line.
func (e *InputError) Error() string { return e.Field + ": " + e.Message }

// OptionError says that a function does not accept the value of an option, such as the step of
// [Profile.Nearest]. That is a mistake in the calling program, and has nothing to do with the box. Use
// errors.As to find an OptionError, as with an [InputError].
type OptionError struct {
	Option  string // its name in lower case, as the function documents it: "step"
	Message string // what is wrong and what would be accepted
}

// Error returns the option and the message in one line.
func (e *OptionError) Error() string { return e.Option + ": " + e.Message }

// BoxError is a verdict as an error: the box cannot be made. [Verdict.Err] returns it as a *BoxError.
type BoxError struct {
	Violation
}

// Error returns the code, the stage and the rule's message. Programs should use only the code.
func (e *BoxError) Error() string {
	if e.Code == "" {
		return "no verdict: the box was not checked"
	}
	return fmt.Sprintf("%s (%s): %s", e.Code, e.Stage, e.Message)
}

func dimensionError(field, problem string) *InputError {
	return &InputError{field, fmt.Sprintf("%s; accepted: a number from -%d to %d", problem, exact.MaxDimension, exact.MaxDimension)}
}

// unknownError returns the error for an article and a material that have no profile. It says which of the two
// is wrong, and what would be accepted instead.
func (e *Engine) unknownError(article, material string) *InputError {
	switch materials := e.materialsOf[article]; {
	case article == "":
		return &InputError{"article", "missing; accepted: " + wording.List(e.articles)}
	case materials == nil:
		return &InputError{"article", fmt.Sprintf("unknown article %s; accepted: %s", wording.Quote(article), wording.Accepted(article, e.articles))}
	case material == "":
		return &InputError{"material", fmt.Sprintf("missing; accepted for %s: %s", article, wording.List(materials))}
	case e.materials[material]:
		return &InputError{"material", fmt.Sprintf("%s is not offered in %s; accepted: %s", article, material, wording.List(materials))}
	default:
		return &InputError{"material", fmt.Sprintf("unknown material %s; accepted for %s: %s", wording.Quote(material), article, wording.Accepted(material, materials))}
	}
}
