package header_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/cmd/boxrules/internal/lists/header"
)

var dimensions = []string{"width", "depth", "height"}

func options() header.Options {
	return header.Options{
		Required: []string{"article", "material", "width", "depth", "height"}, Dimensions: dimensions,
		Flags: []string{"article", "material"}, LimitsUnit: "mm",
	}
}

// with returns the options with what the words say: --unit=cm, --rename=…, --article.
func with(t testing.TB, words ...string) header.Options {
	t.Helper()
	o := options()
	for _, word := range words {
		flag, value, _ := strings.Cut(word, "=")
		switch flag {
		case "unit":
			o.Unit = value
		case "rename":
			names, err := header.ParseColumns(value)
			if err != nil {
				t.Fatal(err)
			}
			o.Names = names
		case "optional":
			o.Optional = append(o.Optional, value)
		default:
			o.Given = append(o.Given, flag)
		}
	}
	return o
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		header, flags string
		columns       []int
		units         string // of width, depth and height
		note          string
	}{
		{"article,material,width,depth,height", "", []int{0, 1, 2, 3, 4}, ",,", ""},
		{"height,x,depth,width,material,article", "", []int{5, 4, 3, 2, 0}, ",,", ""},
		{"\ufeff article ,\u00a0material,width\t,depth,height\n", "", []int{0, 1, 2, 3, 4}, ",,", ""},
		{"article,material,width,depth,height", "unit=in", []int{0, 1, 2, 3, 4}, "in,in,in", ""},
		{"Article,MATERIAL,width,depth,height", "", []int{0, 1, 2, 3, 4}, ",,", `taking "Article" as article, "MATERIAL" as material`},
		{"article,material,Width (mm),depth(CM),HEIGHT\n[ in ]", "", []int{0, 1, 2, 3, 4}, "mm,cm,in",
			`taking "Width (mm)" as width in mm, "depth(CM)" as depth in cm, "HEIGHT [ in ]" as height in inches (in)`},
		{"article,material,width (cm),depth,height", "unit=cm", []int{0, 1, 2, 3, 4}, "cm,cm,cm", `taking "width (cm)" as width in cm`},
		{"article,material,Width in,depth MM,Height (in)", "", []int{0, 1, 2, 3, 4}, "in,mm,in",
			`taking "Width in" as width in inches (in), "depth MM" as depth in mm, "Height (in)" as height in inches (in)`},
		{"A,M,L,W,H", "rename=width=L,depth=W,height=H,article=A,material=M", []int{0, 1, 2, 3, 4}, ",,", ""},
		{"Modell,Material,Breite (cm),T,h", "rename=width=Breite,depth=T,height=H,article=Modell", []int{0, 1, 2, 3, 4}, "cm,,",
			`taking "Material" as material, "Breite (cm)" as width in cm, "T" as depth in mm, "h" as height in mm`},
		{"b,B,depth,height", "article material rename=width=B", []int{-1, -1, 1, 2, 3}, ",,", ""},
		{"B,B (cm),depth,height", "article material rename=width=b", []int{-1, -1, 0, 2, 3}, ",,", `taking "B" as width`},
		{"Width,width (mm),depth,height", "article material rename=width=width(mm)", nil, "", ""},
		{"Width,width (mm),depth,height", "article material rename=width=width_(mm)", []int{-1, -1, 1, 2, 3}, "mm,,",
			`taking "width (mm)" as width in mm, "depth" as depth in mm, "height" as height in mm`},
		{"depth,width,height", "article material rename=width=depth,depth=width", []int{-1, -1, 0, 1, 2}, ",,", ""},
		{"Breite_(innen),depth,height", "article material unit=mm rename=width=Breite_(innen)", []int{-1, -1, 0, 1, 2}, "mm,mm,mm", ""},
		{"width,depth,height,article_(old),article,material", "", []int{4, 5, 0, 1, 2}, ",,", ""},
		{"width,depth,height,Code", "article material optional=date optional=code", []int{-1, -1, 0, 1, 2, -1, 3}, ",,", `taking "Code" as code`},
	} {
		titles := strings.Split(strings.ReplaceAll(test.header, "_", " "), ",")
		o := with(t, strings.Fields(test.flags)...)
		for field, name := range o.Names {
			o.Names[field] = strings.ReplaceAll(name, "_", " ")
		}
		found, err := header.Find(titles, o)
		if test.columns == nil {
			if err == nil {
				t.Errorf("%s %s: found %v, want an error", test.header, test.flags, found)
			}
			continue
		}
		want := map[string]int{}
		for i, column := range test.columns {
			if column >= 0 {
				want[slices.Concat(o.Required, o.Optional)[i]] = column
			}
		}
		if err != nil || !maps.Equal(found.Columns, want) {
			t.Errorf("%s %s: columns %v, %v, want %v", test.header, test.flags, found.Columns, err, want)
		}
		units := found.Units["width"] + "," + found.Units["depth"] + "," + found.Units["height"]
		if units != test.units || found.Note != test.note {
			t.Errorf("%s %s: units %s, note %s, want %s, %s", test.header, test.flags, units, found.Note, test.units, test.note)
		}
	}
}

func TestFindErrors(t *testing.T) {
	for _, test := range []struct{ header, flags, want string }{
		{"L,W,H", "", `the header "L, W, H" (3 columns) lacks article, material, width, depth, height; ` +
			`name these columns in the first row, or use ` +
			`--rename article=NAME,material=NAME,width=NAME,depth=NAME,height=NAME, or --article, or --material; ` +
			`if this is a title above the header, use --skip 1`},
		{"article,material,width,depth,Höhe", "", `the header "article, material, width, depth, Höhe" (5 columns) lacks height; ` +
			`name these columns in the first row, or use --rename height=NAME`},
		{"Length (in),Width (in),Height (in)", "article material", `the header "Length (in), Width (in), Height (in)" (3 columns) lacks depth; ` +
			`name these columns in the first row, or use --rename depth=NAME; a column called length usually holds what boxrules calls width, ` +
			`and the width next to it what boxrules calls depth`},
		{"x,width,depth,Width (mm),height", "article material", `column 2 "width" and column 4 "Width (mm)" could both be width; ` +
			`choose one of them, as in --rename width=NAME`},
		{"B,b,depth,height", "article material rename=width=β", `there is no column "β" for width; accepted: "B", "b", ` +
			`"depth", "height"`},
		{"width,depth,height", "article material rename=length=width", `--rename: there is no field "length"; accepted: ` +
			`article, material, width, depth, height`},
		{"B,depth,height", "article material rename=width=B,depth=B", `column 1 "B" is used for both width and depth; ` +
			`name a column for each, as in --rename width=NAME`},
		{"Width (px),depth,height", "article material", `column 1 "Width (px)" has parentheses without a unit; accepted: mm, cm, m, in; ` +
			`if they contain a remark, use --rename "width=Width (px)" and --unit`},
		{"Width (cm),depth,height", "article material unit=mm", `column 1 "Width (cm)" is in cm, but --unit says mm; ` +
			`give the same unit, or leave out --unit`},
		{"Article,width,depth,height", "article material", `article is given twice, with --article and in column 1 "Article"; ` +
			`use only one of them`},
		{"A,width,depth,height", "article material rename=article=A", `article is given twice, with --article and with --rename; ` +
			`use only one of them`},
		{"article (mm),width,depth,height", "material", `the header "article (mm), width, depth, height" (4 columns) lacks article; ` +
			`name these columns in the first row, or use --rename article=NAME, or --article`},
	} {
		_, err := header.Find(strings.Split(test.header, ","), with(t, strings.Fields(test.flags)...))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s %s: %v, want %s", test.header, test.flags, err, test.want)
		}
	}
}

func TestParseColumns(t *testing.T) {
	for _, test := range []struct {
		text string
		want map[string]string
	}{
		{"width=Breite", map[string]string{"width": "Breite"}},
		{" width = Breite , depth=T ", map[string]string{"width": "Breite", "depth": "T"}},
		{`"width=B, innen",depth=T`, map[string]string{"width": "B, innen", "depth": "T"}},
		{`width=W = 1`, map[string]string{"width": "W = 1"}},
		{`width=W (")`, map[string]string{"width": `W (")`}},
		{"width=Breite\n(mm)", map[string]string{"width": "Breite (mm)"}},
	} {
		if got, err := header.ParseColumns(test.text); err != nil || !maps.Equal(got, test.want) {
			t.Errorf("%s = %v, %v, want %v", test.text, got, err, test.want)
		}
	}
	const accepted = `; accepted: FIELD=NAME,…, such as width=Breite,depth=T; if NAME contains a comma, write "FIELD=NAME" in quotes`
	for _, test := range []struct{ text, want string }{
		{"", "--rename is empty" + accepted},
		{" ", "--rename is empty" + accepted},
		{"width", `--rename: "width"` + accepted},
		{"width=", `--rename: "width="` + accepted},
		{"=Breite", `--rename: "=Breite"` + accepted},
		{"width=B, innen", `--rename: " innen"` + accepted},
		{"width=B,", `--rename: ""` + accepted},
		{"width=A,width=B", `--rename gives width twice, "A" and "B"; give each field one name`},
	} {
		if _, err := header.ParseColumns(test.text); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

func TestDelimiter(t *testing.T) {
	for _, test := range []struct {
		header, flags string
		want          byte
		note          string
	}{
		{"article,material,width,depth,height", "", ',', ""},
		{"article", "", ',', ""},
		{"", "", ',', ""},
		{"x;y", "", ';', "the columns are separated by semicolons"},
		{"x\ty\r\n", "", '\t', "the columns are separated by tabs"},
		{"x|y", "", '|', "the columns are separated by bars"},
		{`"x;1","y;2"`, "", ',', ""},
		{`"x;1"|"y,2"`, "", '|', "the columns are separated by bars"},
		{`Width (");x`, "", ';', "the columns are separated by semicolons"},
		{"width;depth;height;Name, Farbe", "article material", ';', "the columns are separated by semicolons"},
		{"width,depth,height,a;b|c\td", "article material", ',', ""},
		{"a,b;c;d", "", ';', "the columns are separated by semicolons"},
	} {
		got, note, err := header.Delimiter([]byte(test.header), with(t, strings.Fields(test.flags)...))
		if err != nil || got != test.want || note != test.note {
			t.Errorf("%q: %q, %q, %v, want %q, %q", test.header, got, note, err, test.want, test.note)
		}
	}
	const want = `the header "width,a;width" has both commas and semicolons; use --delimiter with the character that separates the columns`
	_, _, err := header.Delimiter([]byte("width,a;width"), header.Options{Required: []string{"width"}})
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestSepLine(t *testing.T) {
	for line, want := range map[string]byte{
		"sep=;": ';', "SEP=,\r\n": ',', "sep=\t\n": '\t', "\ufeffsep=|": '|', "sep=": 0, "sep=;;": 0, "sep=a": 0, `sep="`: 0, "sep=.": 0,
		"sep=-": 0, "sep=\n": 0, "sep:;": 0, "": 0, "sep=ä": 0,
	} {
		if got, ok := header.SepLine([]byte(line)); got != want || ok != (want != 0) {
			t.Errorf("SepLine(%q) = %q, %v, want %q", line, got, ok, want)
		}
	}
}
