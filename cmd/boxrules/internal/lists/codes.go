package lists

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/boxrules/cmd/boxrules/internal/console"
	"example.com/boxrules/cmd/boxrules/internal/lists/charset"
	"example.com/boxrules/internal/wording"
	"example.com/boxrules/limits"
)

// Codes maps the codes that a shop uses for its articles and materials to the codes in the limits. A nil *Codes
// maps every code to itself.
type Codes struct {
	file  string
	codes [FirstDimension]map[string]string
}

// maxCodes is the maximum size in bytes of the file that --codes names. It is enough for 100,000 rows of 40 bytes.
const maxCodes = 4 << 20

// LoadCodes reads the file that --codes names. Each row has two cells: the shop's code and the code in the limits.
// The second code shows whether the row is about an article or a material. If the limits have an article and a
// material with that code, the row is about both. In
//
//	code,boxrules code
//	FS-100,tuck-end
//	K 300,carton-300
//
// the first row is a header, because its second cell is not a code in the limits and ends with the word code. Errors
// begin with file:line:column.
func LoadCodes(name string, catalogue *limits.Catalogue) (*Codes, error) {
	if name == "-" {
		return nil, errors.New("--codes cannot be read from stdin; give the name of a file")
	}
	in := Input{Name: name, Kind: InputKind(name)}
	file, err := in.openFile(nil)
	if err != nil {
		return nil, fmt.Errorf("--codes %s: %w", wording.Quote(name), console.FileCause(err))
	}
	defer file.Close()
	text, err := readCodesText(file)
	if err != nil {
		return nil, fmt.Errorf("--codes %s: %w", wording.Quote(name), console.FileCause(err))
	}
	var known [FirstDimension][]string
	for _, a := range catalogue.Articles() {
		known[Article] = append(known[Article], a.Code)
	}
	for _, m := range catalogue.Materials() {
		known[Material] = append(known[Material], m.Code)
	}
	c := &Codes{file: name}
	return c, c.parse(text, known)
}

// readCodesText reads the file, which may have at most maxCodes bytes, and converts it to UTF-8.
func readCodesText(file io.Reader) ([]byte, error) {
	text, err := charset.Open(io.LimitReader(file, maxCodes+1), "")
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(text.Reader)
	if err == nil && len(data) > maxCodes {
		err = fmt.Errorf("the file is larger than %d bytes; keep only the codes that occur in your lists", maxCodes)
	}
	return []byte(text.Decode(data)), err
}

// parse reads the rows of the file. knownNames lists the codes in the limits for each field.
func (c *Codes) parse(text []byte, knownNames [FirstDimension][]string) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.Comma = -1, codesDelimiter(text)
	rows := 0
	var lines [FirstDimension]map[string]int // the line on which each of the shop's codes is
	for field := range lines {
		c.codes[field], lines[field] = make(map[string]string), make(map[string]int)
	}
	for row := 0; ; row++ {
		cells, err := r.Read()
		var malformed *csv.ParseError
		switch {
		case err == io.EOF && rows == 0:
			return fmt.Errorf("%s: no codes; give at least one row with two columns, your code and the code in the limits", c.file)
		case err == io.EOF:
			return nil
		case errors.As(err, &malformed):
			return fmt.Errorf("%s:%d:%d: %w", c.file, malformed.Line, malformed.Column, malformed.Err)
		case err != nil:
			return fmt.Errorf("%s: %w", c.file, console.FileCause(err))
		}
		line, _ := r.FieldPos(0)
		if len(cells) != 2 {
			return fmt.Errorf("%s:%d: %s; give two columns, your code and the code in the limits", c.file, line,
				console.CountText(len(cells), "column", "columns"))
		}
		shopCode, limitsCode := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1])
		isKnown := false
		for field, codes := range knownNames {
			if !slices.Contains(codes, limitsCode) {
				continue
			}
			isKnown = true
			if first, repeated := lines[field][shopCode]; repeated {
				return fmt.Errorf("%s:%d:1: the %s %s is already on line %d; give each code once",
					c.file, line, FieldNames[field], wording.Quote(shopCode), first)
			}
			c.codes[field][shopCode], lines[field][shopCode] = limitsCode, line
		}
		switch {
		case isKnown && shopCode == "":
			return fmt.Errorf("%s:%d:1: your code is empty; give one, or remove the row", c.file, line)
		case isKnown:
			rows++
		case shopCode == "" && limitsCode == "", row == 0 && rows == 0 && isCodesHeader(limitsCode):
		default:
			line, column := r.FieldPos(1)
			advice := "give your code first and the code in the limits second"
			if row == 0 {
				advice += ", and remove the row if it is a title"
			}
			return fmt.Errorf("%s:%d:%d: the limits have no article or material %s%s; %s",
				c.file, line, column, wording.Quote(limitsCode), wording.DidYouMean(limitsCode, slices.Concat(knownNames[:]...)), advice)
		}
	}
}

// isCodesHeader reports whether title may be the title of the second column: its last word is code, codes, article
// or material.
func isCodesHeader(title string) bool {
	words := strings.Fields(strings.ToLower(title))
	return len(words) > 0 && slices.Contains([]string{"code", "codes", "article", "material"}, words[len(words)-1])
}

// codesDelimiter guesses the delimiter of a file of codes from its first line: the first of semicolon, tab and bar
// that the line contains, or a comma if it contains none of them.
func codesDelimiter(text []byte) rune {
	first, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	for _, delimiter := range ";\t|" {
		if bytes.ContainsRune(first, delimiter) {
			return delimiter
		}
	}
	return ','
}

// Code returns the code in the limits for one of the shop's codes. field is Article or Material. A code that is not
// in the file is returned unchanged, so that a list may contain both the shop's codes and codes in the limits.
func (c *Codes) Code(field int, code string) string {
	if c == nil {
		return code
	}
	if limitsCode, ok := c.codes[field][code]; ok {
		return limitsCode
	}
	return code
}

// Hint returns a suffix for a message about an unknown code. It suggests adding the code to the file.
func (c *Codes) Hint() string {
	if c == nil {
		return ""
	}
	return "; or add it to " + c.file
}
