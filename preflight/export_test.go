package preflight

// The tests are in another package.
var (
	CountSheets = sheetsForQuantities
	NewBody     = newRefusalBody
)

// Explaining returns how many boxes can be explained at once.
func (c *Checker) Explaining() int { return cap(c.explanationSlots) }

// TakeTurns takes all tokens of the semaphore for explanations. The function that it returns gives them back.
func (c *Checker) TakeTurns() (release func()) {
	for range cap(c.explanationSlots) {
		c.explanationSlots <- struct{}{}
	}
	return func() {
		for range cap(c.explanationSlots) {
			<-c.explanationSlots
		}
	}
}
