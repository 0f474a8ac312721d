package preflight

import (
	"fmt"
	"regexp"

	"example.com/boxrules/internal/wording"
)

// An OrderID identifies an order (section 2.3): year, number and number, in digits.
type OrderID struct {
	Year, Number, Part string
}

var (
	orderID   = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,20})-([0-9]{1,20})$`)
	productID = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,20})-([0-9]{1,20})\.([0-9]{2})$`)
)

// ParseOrderID reads an identifier such as 2026-123-1.
func ParseOrderID(text string) (OrderID, error) {
	parts := orderID.FindStringSubmatch(text)
	if parts == nil {
		return OrderID{}, fmt.Errorf("%s is not an order; accepted: <year>-<number>-<number> such as 2026-123-1", wording.Quote(text))
	}
	return OrderID{parts[1], parts[2], parts[3]}, nil
}

// String is the identifier as it was read.
func (o OrderID) String() string { return o.Year + "-" + o.Number + "-" + o.Part }

// A ProductID identifies a product of an order (section 2.3).
type ProductID struct {
	Order    OrderID
	Sequence string // two digits
}

// ParseProductID reads an identifier such as 2026-123-1.01.
func ParseProductID(text string) (ProductID, error) {
	parts := productID.FindStringSubmatch(text)
	if parts == nil {
		return ProductID{}, fmt.Errorf("%s is not a product; accepted: <order>.<two digits> such as 2026-123-1.01", wording.Quote(text))
	}
	return ProductID{OrderID{parts[1], parts[2], parts[3]}, parts[4]}, nil
}

// String is the identifier as it was read.
func (p ProductID) String() string { return p.Order.String() + "." + p.Sequence }
