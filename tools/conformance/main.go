// Conformance writes the conformance cases. Every verdict comes from package oracle, or is written
// here by hand; that the engine agrees is for the test of the cases to say.
//
// The half-spaces of the engine's profiles tell where boxes are worth asking about, and no more.
// All is deterministic: the same sources give the same files, byte for byte, on every machine.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"example.com/boxrules"
	"example.com/boxrules/conformance"
	"example.com/boxrules/internal/strictjson"
)

func main() {
	folder := flag.String("o", "cases", "folder to write the files to")
	root := flag.String("root", "..", "root of the repository")
	flag.Parse()
	for _, f := range generate(*root) {
		if err := os.WriteFile(filepath.Join(*folder, f.Name), encode(f), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate makes all files.
func generate(root string) []conformance.File {
	documented, reversed := pairs(root)
	files := []conformance.File{texts()}
	for _, s := range []*suite{
		illustrative(root, boxrules.Boundary, 1), illustrative(root, boxrules.Constraint, 3), illustrative(root, boxrules.Size, 1),
		constraints(root), documented, reversed, grid(root), user(root), inputs(root), fewer(root),
	} {
		files = append(files, s.File)
	}
	return files
}

// encode returns the file as JSON with one case a line, so that a change of one case is a change of
// one line.
func encode(f conformance.File) []byte {
	var lines [][]byte
	add := func(value any) { lines = append(lines, bytes.TrimSpace(strictjson.Marshal(value))) }
	key := "cases"
	for _, c := range f.Cases {
		add(c)
	}
	for _, t := range f.Texts {
		key = "texts"
		add(t)
	}
	f.Cases, f.Texts = nil, nil
	var b bytes.Buffer
	_ = json.Indent(&b, strictjson.Marshal(f), "", " ") // it is JSON
	b.Truncate(b.Len() - len("\n}\n"))
	fmt.Fprintf(&b, ",\n %q: [\n  %s\n ]\n}\n", key, bytes.Join(lines, []byte(",\n  ")))
	return b.Bytes()
}
