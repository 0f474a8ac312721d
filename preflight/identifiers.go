package preflight

import (
	"fmt"
	"strings"

	"example.com/boxrules/internal/source"
)

// An OrderID identifies an order (section 2.3): year, number and number, in digits.
type OrderID struct {
	Year, Number, Part string
}

// ParseOrderID reads an identifier such as 2026-123-1.
func ParseOrderID(text string) (OrderID, error) {
	parts := strings.Split(text, "-")
	if len(parts) != 3 || len(parts[0]) != 4 || !digits(parts...) {
		return OrderID{}, fmt.Errorf("%s is not an order; accepted: <year>-<number>-<number> such as 2026-123-1", source.Quote(text))
	}
	return OrderID{parts[0], parts[1], parts[2]}, nil
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
	order, sequence, _ := strings.Cut(text, ".")
	id, err := ParseOrderID(order)
	if err != nil || len(sequence) != 2 || !digits(sequence) {
		return ProductID{}, fmt.Errorf("%s is not a product; accepted: <order>.<two digits> such as 2026-123-1.01", source.Quote(text))
	}
	return ProductID{id, sequence}, nil
}

// String is the identifier as it was read.
func (p ProductID) String() string { return p.Order.String() + "." + p.Sequence }

// digits reports whether each text is one to twenty digits.
func digits(texts ...string) bool {
	for _, text := range texts {
		if text == "" || len(text) > 20 || strings.Trim(text, "0123456789") != "" {
			return false
		}
	}
	return true
}
