package gen

import (
	"fmt"
	"strings"
)

// Shop returns the limit file of a large shop with the given numbers of articles and materials. Each article comes
// in all materials, and has six documented constraints and its own blank. The file is not random. A box that is
// within the limits and fits the sheet can be made if height <= depth <= width. change is added to the maximums, so
// that two slightly different shops can be compared.
func Shop(articles, materials, change int) string {
	var b strings.Builder
	b.WriteString("version: 1\nunit: mm\nsheets:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  sheet-%d: {width: %d, height: %d}\n", i, 1040+30*i, 720+20*i)
	}
	b.WriteString("materials:\n")
	for i := range materials {
		fmt.Fprintf(&b, "  board-%d: {caliper: %d.%d, glue_flap: %d, sheet: sheet-%[1]d}\n", i, i/3, 4+i%3, 15+2*i)
	}
	b.WriteString("articles:\n")
	for i := range articles {
		fmt.Fprintf(&b, "  article-%d:\n    title: Carton number %[1]d\n", i)
		for axis, name := range []string{"width", "depth", "height"} {
			fmt.Fprintf(&b, "    %s: {min: %d, max: %d}\n", name, 20+i%37-5*axis, 300+i%101+i/101-20*axis+change)
		}
		codes := make([]string, 6)
		for j := range codes {
			codes[j] = shopConstraints[(i+j*(1+i%3))%len(shopConstraints)]
		}
		fmt.Fprintf(&b, "    constraints: [%s]\n", strings.Join(codes, ", "))
		fmt.Fprintf(&b, "    blank:\n      width: 2*width + 2*depth + glue_flap + %d.%02d*caliper\n", i/100, i%100)
		fmt.Fprintf(&b, "      height: height + 2*depth + 2*min(max(0.5*depth, %d.%d), %d) + 2*caliper\n", 10+i/10%10, i%10, 25+i/100)
	}
	return b.String()
}

// shopConstraints are documented constraints that accept all boxes with height <= depth <= width. The list has eleven
// constraints. Eleven is a prime number, so Shop reaches all of them even if it takes every second or every third
// constraint and wraps around at the end of the list.
var shopConstraints = []string{
	"BOX_3100", "BOX_3101", "BOX_3102", "BOX_3103", "BOX_3104", "BOX_3105", "BOX_3106", "BOX_3107", "BOX_3108", "BOX_3110", "BOX_3117",
}
