package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// A list holds a file of boxes to check.
type list struct {
	name  string
	types string // the columns for DuckDB
	write func(w *bufio.Writer, row int, random *rand.Rand, box boxrules.Box)
}

var lists = []list{
	{
		"5 columns",
		"{article: 'VARCHAR', material: 'VARCHAR', width: 'DOUBLE', depth: 'DOUBLE', height: 'DOUBLE'}",
		func(w *bufio.Writer, _ int, _ *rand.Rand, b boxrules.Box) {
			fmt.Fprintf(w, "%s,%s,%v,%v,%v\n", b.Article, b.Material, b.Width, b.Depth, b.Height)
		},
	},
	{
		"10 columns, with quotes, line breaks and UTF-8",
		"{sku: 'VARCHAR', customer: 'VARCHAR', title: 'VARCHAR', article: 'VARCHAR', material: 'VARCHAR', " +
			"width: 'DOUBLE', depth: 'DOUBLE', height: 'DOUBLE', quantity: 'VARCHAR', note: 'VARCHAR'}",
		func(w *bufio.Writer, row int, random *rand.Rand, b boxrules.Box) {
			fmt.Fprintf(w, "S-%07d,%s,%s,%s,%s,%v,%v,%v,%d,%s\n", row, pick(random, customers), pick(random, titles),
				b.Article, b.Material, b.Width, b.Depth, b.Height, 25*(1+random.IntN(400)), pick(random, notes))
		},
	},
}

var (
	customers = []string{"Müller & Söhne", "Łódź Packaging", "\"Smith, Jones\"", "株式会社箱", "Café d’Or", "Box Ltd"}
	titles    = []string{"\"Carton 12\"\" wide\"", "Tall one", "\"Gift box, red\"", "Schachtel groß", "plain"}
	notes     = []string{"", "", "\"first line\nsecond line\"", "\"call \"\"Ann\"\", then ship\"", "as before", "ohne Deckel – eilig"}
)

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

// columns returns the names in the types.
func (l list) columns() []string {
	var names []string
	for field := range strings.SplitSeq(strings.Trim(l.types, "{}"), ", ") {
		name, _, _ := strings.Cut(field, ":")
		names = append(names, name)
	}
	return names
}

// to writes so many rows: boxes from half the minimums to a quarter above the maximums of all
// articles and materials, most in whole or half millimetres, and one in a hundred of an article
// that there is not.
func (l list) to(path string, rows int) {
	file := must(os.Create(path))
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(w, strings.Join(l.columns(), ","))
	random, profiles := rand.New(rand.NewPCG(9, 9)), boxrules.Default().Profiles()
	for row := range rows {
		p := profiles[random.IntN(len(profiles))]
		form, step := p.Exact(), []float64{1, 2, 1000}[random.IntN(3)]
		dimension := func(axis int) float64 {
			low, high := exact.Units(form.Low[axis])/2, exact.Units(form.High[axis])*1.25
			return math.Round((low+random.Float64()*(high-low))*step) / step
		}
		b := boxrules.Box{Article: p.Article(), Material: p.Material()}
		b.Width, b.Depth, b.Height = dimension(exact.Width), dimension(exact.Depth), dimension(exact.Height)
		if random.IntN(100) == 0 {
			b.Article = "no-such-box"
		}
		l.write(w, row, random, b)
	}
	check(w.Flush())
}
