package sheet

// SetMaxTexts sets the bound on shared texts, and is what sets it back.
func SetMaxTexts(n int) (restore func()) {
	before := maxTexts
	maxTexts = n
	return func() { maxTexts = before }
}
