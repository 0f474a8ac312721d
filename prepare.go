package boxrules

import (
	"example.com/boxrules/exact"
)

// prepare makes firstViolated and fastPath, the programs that Check runs, when it is called for the first
// time. An Engine calls it before it returns the profile or checks a box with it. After New has returned, a
// Profile changes only here and where its other sync.Once fields are used.
func (p *Profile) prepare() { p.once.Do(p.setPrograms) }

func (p *Profile) prepareRules() {
	for i := range p.rules {
		p.rules[i].prepare()
	}
}

func (p *Profile) setPrograms() {
	p.prepareRules() // newPrograms may be another profile's, and prepares only the rules of that one
	p.firstViolated, p.fastPath = p.newPrograms()
	p.allowed = p.allowedRegions()
	if p.fastPath.StartsWithLimits { // then the first six rules are the six limits
		for i := range p.limitViolations {
			p.limitViolations[i] = &p.rules[i].violation
		}
	}
}

// violatingRegions returns for each rule the region of the boxes that violate it.
func (p *Profile) violatingRegions() (regions []exact.Region) {
	for _, r := range p.rules {
		regions = append(regions, r.violating)
	}
	return regions
}

// allowedRegions returns for each rule the region of the boxes that do not violate it.
func (p *Profile) allowedRegions() (regions []exact.Region) {
	for _, r := range p.rules {
		regions = append(regions, r.allowed)
	}
	return regions
}
