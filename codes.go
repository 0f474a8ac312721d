package boxrules

import "slices"

// Code is a code that the printing service reports, such as "BOX_3100". It is the only part of an answer that a program
// should rely on. Rule files may add codes. A code consists of at most 32 capital letters, followed by an underscore
// and four digits.
type Code string

// The documented codes. Each constant has the name that the interface document uses for the code.
const (
	// Boundary stage: a dimension is below its minimum or above its maximum.
	BOX_2100 Code = "BOX_2100"
	BOX_2101 Code = "BOX_2101"
	BOX_2102 Code = "BOX_2102"
	BOX_2103 Code = "BOX_2103"
	BOX_2104 Code = "BOX_2104"
	BOX_2105 Code = "BOX_2105"

	// Constraint stage: the dimensions do not fit together to make a proper box.
	BOX_3100 Code = "BOX_3100"
	BOX_3101 Code = "BOX_3101"
	BOX_3102 Code = "BOX_3102"
	BOX_3103 Code = "BOX_3103"
	BOX_3104 Code = "BOX_3104"
	BOX_3105 Code = "BOX_3105"
	BOX_3106 Code = "BOX_3106"
	BOX_3107 Code = "BOX_3107"
	BOX_3108 Code = "BOX_3108"
	BOX_3109 Code = "BOX_3109"
	BOX_3110 Code = "BOX_3110"
	BOX_3111 Code = "BOX_3111"
	BOX_3112 Code = "BOX_3112"
	BOX_3113 Code = "BOX_3113"
	BOX_3114 Code = "BOX_3114"
	BOX_3115 Code = "BOX_3115"
	BOX_3116 Code = "BOX_3116"
	BOX_3117 Code = "BOX_3117"
	BOX_3118 Code = "BOX_3118"
	BOX_3119 Code = "BOX_3119"
	BOX_3120 Code = "BOX_3120"
	BOX_3121 Code = "BOX_3121"
	BOX_3122 Code = "BOX_3122"

	// Size stage: the blank does not fit on the sheet.
	BOX_4100 Code = "BOX_4100"

	// These codes are about the request or the quantity, and not about the box.
	DLN_1101 Code = "DLN_1101"
	QTT_1114 Code = "QTT_1114"
)

// ErrorType is the class of an error. The service reports it as response.code in the body of an answer (section
// 7.2 of the interface document). For a box that cannot be made it is [TypeBoxError].
type ErrorType string

// The documented error types.
const (
	TypeValidationError     ErrorType = "VALIDATION_ERROR"
	TypeBoxError            ErrorType = "BOX_ERROR"
	TypeQuantityError       ErrorType = "QUANTITY_ERROR"
	TypeOrderError          ErrorType = "ORDER_ERROR"
	TypeProductError        ErrorType = "PRODUCT_ERROR"
	TypeInternalServerError ErrorType = "INTERNAL_SERVER_ERROR"
	TypeNotFound            ErrorType = "NOT_FOUND"
)

// TypeInfo is what the interface document says about an error type.
type TypeInfo struct {
	Type     ErrorType `json:"type"`
	Statuses []int     `json:"statuses"` // its HTTP statuses, in the document's order
	Meaning  string    `json:"meaning"`
}

// CodeInfo is what the interface document says about an element code.
type CodeInfo struct {
	Code    Code      `json:"code"`
	Type    ErrorType `json:"type,omitempty"`
	Status  int       `json:"status,omitempty"` // HTTP status of an answer with the code
	Stage   Stage     `json:"stage,omitempty"`  // 0 if the code is not about a box
	Path    string    `json:"path"`             // path of the errors element; empty if the code is about a box
	Meaning string    `json:"meaning"`          // in one sentence
}

// ErrorTypes returns the documented error types, in the document's order (section 7.2).
func ErrorTypes() []TypeInfo {
	return []TypeInfo{
		{TypeValidationError, []int{400}, "some parameters are wrong or missing"},
		{TypeBoxError, []int{400}, "the box cannot be created: boundary, constraint or size"},
		{TypeQuantityError, []int{400}, "the number of sheets is below the minimum; only for a quotation or a new order"},
		{TypeOrderError, []int{400, 404}, "the order does not exist (404) or is not properly made (400)"},
		{TypeProductError, []int{400, 404}, "the product does not exist (404) or is not properly made (400)"},
		{TypeInternalServerError, []int{500}, "the service failed"},
		{TypeNotFound, []int{404}, "the resource does not exist"},
	}
}

// Codes returns the documented element codes (sections 7.2 and 7.4 to 7.6): first the codes about the
// request, then the codes about the box in check order, and then the codes about the quantity.
func Codes() []CodeInfo { return slices.Clone(documentedCodes) }

// Info returns what the interface document says about c. ok is false if the document does not mention c, for
// example if c comes from a rule file.
func (c Code) Info() (info CodeInfo, ok bool) {
	i := slices.IndexFunc(documentedCodes, func(info CodeInfo) bool { return info.Code == c })
	if i < 0 {
		return CodeInfo{}, false
	}
	return documentedCodes[i], true
}

// isLimitCode reports whether c is a documented code of the boundary stage. Such a code says that a dimension is beyond
// its limit.
func (c Code) isLimitCode() bool {
	info, _ := c.Info()
	return info.Stage == Boundary
}

var documentedCodes = []CodeInfo{
	{DLN_1101, TypeValidationError, 400, 0, "material", "the material is required and must be a valid material code"},
	boxCodeInfo(BOX_2100, Boundary, "the width is smaller than the minimum allowed"),
	boxCodeInfo(BOX_2101, Boundary, "the width is greater than the maximum allowed"),
	boxCodeInfo(BOX_2102, Boundary, "the depth is smaller than the minimum allowed"),
	boxCodeInfo(BOX_2103, Boundary, "the depth is greater than the maximum allowed"),
	boxCodeInfo(BOX_2104, Boundary, "the height is smaller than the minimum allowed"),
	boxCodeInfo(BOX_2105, Boundary, "the height is greater than the maximum allowed"),
	boxCodeInfo(BOX_3100, Constraint, "the depth is greater than the width"),
	boxCodeInfo(BOX_3101, Constraint, "the depth is greater than twice the width"),
	boxCodeInfo(BOX_3102, Constraint, "the height is greater than the depth, and the depth is 60 or more"),
	boxCodeInfo(BOX_3103, Constraint, "the width is three quarters of the depth or less"),
	boxCodeInfo(BOX_3104, Constraint, "the height is greater than the width"),
	boxCodeInfo(BOX_3105, Constraint, "the height is greater than the depth"),
	boxCodeInfo(BOX_3106, Constraint, "the height and the depth are both greater than the width"),
	boxCodeInfo(BOX_3107, Constraint, "the depth is the greatest dimension and the width the smallest"),
	boxCodeInfo(BOX_3108, Constraint, "the height is the greatest dimension and the width the smallest"),
	boxCodeInfo(BOX_3109, Constraint, "the width is greater than the depth"),
	boxCodeInfo(BOX_3110, Constraint, "the height is greater than the width, and the width is not smaller than the depth"),
	boxCodeInfo(BOX_3111, Constraint, "the depth is greater than the height"),
	boxCodeInfo(BOX_3112, Constraint, "the depth is greater than two fifths of the height"),
	boxCodeInfo(BOX_3113, Constraint, "the width is greater than the depth, and 498.25 lies between width + height and width + depth"),
	boxCodeInfo(BOX_3114, Constraint, "the width is greater than the depth, width + depth and width + height are both greater than 498.25, and depth + height is smaller"),
	boxCodeInfo(BOX_3115, Constraint, "the height is smaller than twice the depth"),
	boxCodeInfo(BOX_3116, Constraint, "the height is greater than four fifths of the depth"),
	boxCodeInfo(BOX_3117, Constraint, "the width is smaller than the height"),
	boxCodeInfo(BOX_3118, Constraint, "the width is greater than twice the depth"),
	boxCodeInfo(BOX_3119, Constraint, "the depth is greater than a third of the width"),
	boxCodeInfo(BOX_3120, Constraint, "the height is smaller than half the width"),
	boxCodeInfo(BOX_3121, Constraint, "the depth is greater than the width, and the height is greater than the depth or more than 30 greater than the width"),
	boxCodeInfo(BOX_3122, Constraint, "the depth is not greater than the width, and either the width is 35 or more and the height is greater than the width, or the depth is 5 or more and the height is more than 30 greater than the depth but not greater than the width"),
	boxCodeInfo(BOX_4100, Size, "the flat blank does not fit the largest printing sheet, either way round"),
	{QTT_1114, TypeQuantityError, 400, 0, "products[<index>]", "the number of sheets does not reach the minimum required quantity"},
}

func boxCodeInfo(code Code, stage Stage, meaning string) CodeInfo {
	return CodeInfo{code, TypeBoxError, 400, stage, "", meaning}
}
