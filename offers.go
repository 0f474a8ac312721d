package boxrules

// An Offer is an article in which a box can be made, with the materials in which it can be made.
type Offer struct {
	Article   string   `json:"article"`
	Materials []string `json:"materials"` // at least one
}

// Offers returns the articles and materials in which a box of these dimensions can be made, in the order of
// the catalogue. It leaves out a material of an article if the box is borderline for that pair (see
// [Profile.Borderline]). If nothing remains, it returns an empty slice that is not nil. It returns the same
// errors as [Profile.Check].
func (e *Engine) Offers(d Dims) ([]Offer, error) {
	offers := []Offer{}
	for _, p := range e.Profiles() {
		v, err := p.Check(d)
		if err != nil {
			return nil, err
		}
		if !v.OK() || p.isBorderline(d) {
			continue
		}
		// Profiles of the same article follow each other.
		if last := len(offers) - 1; last >= 0 && offers[last].Article == p.Article() {
			offers[last].Materials = append(offers[last].Materials, p.Material())
		} else {
			offers = append(offers, Offer{p.Article(), []string{p.Material()}})
		}
	}
	return offers, nil
}
