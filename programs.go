package boxrules

import "example.com/boxrules/exact"

// The first call of prepare makes firstViolated and fastPath, the programs that Check runs, and allowed, the regions
// that the searches use. Later calls do nothing. An Engine calls prepare before it returns the profile or checks a box with it. After New has
// returned, a Profile changes only here and where its other sync.Once fields are used.
func (p *Profile) prepare() { p.once.Do(p.setPrograms) }

func (p *Profile) prepareRules() {
	for i := range p.rules {
		p.rules[i].prepare()
	}
}

func (p *Profile) setPrograms() {
	p.prepareRules() // newPrograms may belong to another profile, and then prepares only the rules of that profile
	p.firstViolated, p.fastPath = p.newPrograms()
	p.allowed = p.allowedRegions()
	if p.fastPath.StartsWithLimits { // then the first six rules are the six limits
		for i := range p.limitViolations {
			p.limitViolations[i] = &p.rules[i].violation
		}
	}
}

// violatingRegions returns, for each rule, the region of the boxes that violate it.
func (p *Profile) violatingRegions() (regions []exact.Region) {
	for _, r := range p.rules {
		regions = append(regions, r.violating)
	}
	return regions
}

// allowedRegions returns, for each rule, the region of the boxes that do not violate it.
func (p *Profile) allowedRegions() (regions []exact.Region) {
	for _, r := range p.rules {
		regions = append(regions, r.allowed)
	}
	return regions
}
