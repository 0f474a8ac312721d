// Conformance writes the conformance cases. Every verdict comes from package oracle, or is written here by
// hand; the engine only has to agree, and where it does not nothing is written.
//
// The half-spaces of the engine's profiles tell where boxes are worth asking about, and no more. All is
// deterministic: the same sources give the same files, byte for byte, on every machine.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"example.com/boxrules/conformance"
)

func main() {
	folder := flag.String("o", "cases", "folder to write the files to")
	root := flag.String("root", "..", "root of the repository")
	flag.Parse()
	if err := write(*folder, *root); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func write(folder, root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := encode(f)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, f.Name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate makes all files, or says where the engine differs from what is right.
func generate(root string) ([]conformance.File, error) {
	var files []conformance.File
	for _, part := range []func(root string) ([]conformance.File, error){
		illustrative, constraints, decimals, pairs, grid, language, inputs, texts,
	} {
		made, err := part(root)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	return files, nil
}

// encode is the file as JSON with one case a line, so that a change of one case is a change of one line.
func encode(f conformance.File) ([]byte, error) {
	var lines [][]byte
	key := "cases"
	for _, c := range f.Cases {
		line, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	for _, t := range f.Texts {
		key = "texts"
		line, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	f.Cases, f.Texts = nil, nil
	head, err := marshal(f)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(head, []byte("\n}")))
	fmt.Fprintf(&b, ",\n %q: [\n  ", key)
	b.Write(bytes.Join(lines, []byte(",\n  ")))
	b.WriteString("\n ]\n}\n")
	return b.Bytes(), nil
}

// marshal is the object with one key a line, and > and & as they are.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
