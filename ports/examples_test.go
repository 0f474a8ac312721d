package ports

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/boxrules"
)

// folderOf returns a folder with the files, and with the tables of the default rules and limits.
func folderOf(t *testing.T, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	writeTables(t, folder, boxrules.Default())
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// hold compares the answers of the script with the right ones.
func hold[T any](t *testing.T, script []string, questions []T, wants []string) {
	t.Helper()
	run(t, script, questions, func(line []byte) {
		if string(line) != wants[0] {
			t.Errorf("got %s, want %s", line, wants[0])
		}
		wants = wants[1:]
	})
}

// TestWooCommerce runs the filter of examples/woocommerce.
func TestWooCommerce(t *testing.T) {
	need(t, "php")
	type product struct {
		Meta map[string]string `json:"meta"`
		Post map[string]string `json:"post"`
		// Separator is what the shop writes before decimals.
		Separator string `json:"separator"`
	}
	box := map[string]string{"_boxrules_article": "tuck-end", "_boxrules_material": "carton-300"}
	of := func(width, depth, height string) product {
		return product{box, map[string]string{"box_width": width, "box_depth": depth, "box_height": height}, ","}
	}
	products := []product{of("48", "48", "184"), of(" 48,5 ", "48", "184"), of("48", "141", "184"), of("48", "wide", "184"), {box, nil, ","},
		{map[string]string{}, nil, ","}, {box, of("48.5", "48", "184").Post, "."}, {box, of("48,5", "48", "1.234").Post, "·"},
		{map[string]string{"_boxrules_article": "alter-code", "_boxrules_material": "carton-300"}, of("48", "48", "184").Post, ","},
		{map[string]string{"_boxrules_article": "mailer", "_boxrules_material": "carton-300"}, of("48", "48", "184").Post, ","}}
	wants := []string{
		`{"passed":true,"notices":[],"fields":{},"order":["Länge: 48 mm","Breite: 48 mm","Höhe: 184 mm"]}`,
		`{"passed":true,"notices":[],"fields":{},"order":["Länge: 48,5 mm","Breite: 48 mm","Höhe: 184 mm"]}`,
		`{"passed":false,"notices":["error at box_depth: Die Breite darf höchstens 48 mm betragen."],"fields":{"depth":"Die Breite darf höchstens 48 mm betragen."}}`,
		`{"passed":false,"notices":["error at box_depth: Die Breite muss eine Zahl ohne Tausendertrennzeichen sein, etwa 1250 oder 48,5."],` +
			`"fields":{"depth":"Die Breite muss eine Zahl ohne Tausendertrennzeichen sein, etwa 1250 oder 48,5."}}`,
		`{"passed":false,"notices":["error at box_width: Geben Sie eine Länge ein.","error at box_depth: Geben Sie eine Breite ein.",` +
			`"error at box_height: Geben Sie eine Höhe ein."],` +
			`"fields":{"width":"Geben Sie eine Länge ein.","depth":"Geben Sie eine Breite ein.","height":"Geben Sie eine Höhe ein."}}`,
		`{"passed":true,"notices":[],"fields":{},"order":[]}`,
		`{"passed":true,"notices":[],"fields":{},"order":["Länge: 48.5 mm","Breite: 48 mm","Höhe: 184 mm"]}`,
		`{"passed":false,"notices":["error at box_height: 1.234 ist nicht eindeutig: Schreiben Sie 1234 oder 1,234."],` +
			`"fields":{"height":"1.234 ist nicht eindeutig: Schreiben Sie 1234 oder 1,234."}}`,
		`{"passed":false,"notices":["error at box_article: Wählen Sie einen Artikel."],"fields":{}}`,
		`{"passed":false,"notices":["error at box_material: Wählen Sie ein Material, in dem es diesen Artikel gibt."],"fields":{}}`,
	}
	script := []string{"php", "-d", "zend.assertions=1", "testdata/woocommerce.php", folderOf(t, "../examples/woocommerce/boxrules-check.php", "php/Boxrules.php")}
	hold(t, script, products, wants)
}

// TestDjango runs the form of examples/django, in German.
func TestDjango(t *testing.T) {
	const python = "../codegen/testdata/engines/venv/bin/python"
	need(t, python)
	type typed map[string]string
	of := func(article, width, depth, height string) typed {
		return typed{"article": article, "material": "carton-300", "width": width, "depth": depth, "height": height}
	}
	posts := []typed{of("tuck-end", "48", "48", "184"), of("tuck-end", "48,5", "48", "184"), of("tuck-end", "48", "141", "184"),
		of("tuck-end", "48", "wide", ""), of("mailer", "100", "100", "50")}
	wants := []string{`{}`, `{}`, `{"depth": ["BOX_3100: Die Breite darf höchstens 48 mm betragen."]}`,
		`{"depth": ["number: Die Breite muss eine Zahl ohne Tausendertrennzeichen sein, etwa 1250 oder 48,5."], "height": ["required: Geben Sie eine Höhe ein."]}`,
		`{"material": ["choice: Wählen Sie ein Material, in dem es diesen Artikel gibt."]}`}
	script := []string{python, "testdata/django_form.py", folderOf(t, "../examples/django/forms.py", "python/boxrules.py")}
	hold(t, script, posts, wants)
}
