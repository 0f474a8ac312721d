package preflight

// Explaining is how many boxes are explained at once.
func (c *Checker) Explaining() int { return cap(c.explaining) }

// TakeTurns takes all turns of explaining, and gives a function that gives them back.
func (c *Checker) TakeTurns() (release func()) {
	for range cap(c.explaining) {
		c.explaining <- struct{}{}
	}
	return func() {
		for range cap(c.explaining) {
			<-c.explaining
		}
	}
}
