// Package sheet reads a sheet of an .xlsx workbook as CSV, row by row.
//
// It stands on archive/zip and encoding/xml alone. What it holds in memory is the texts that cells share and one row; what a
// workbook may claim is bounded by what Excel writes.
package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"example.com/boxrules/internal/wording"
)

// What Excel can write, and what is read of the small parts of a workbook.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
	maxSheet   = 4 << 30  // bytes of XML
	maxToken   = 1 << 20  // bytes of a piece of XML, such as a text
	maxPart    = 16 << 20 // bytes of any other part
)

// maxTexts is how many bytes of the texts that cells share are held. Tests lower it.
var maxTexts = 256 << 20

var (
	errNoWorkbook = errors.New("not an .xlsx workbook; accepted: one that Excel or LibreOffice saves as .xlsx")
	errOld        = errors.New("an .xls workbook, or one with a password; accepted: .xlsx without a password")
)

// A workbook is a zip file with the parts that matter.
type workbook struct {
	parts  *zip.Reader
	sheets []sheetInfo

	date1904     bool
	texts, style string // names of parts; empty where there is none
}

type sheetInfo struct {
	name   string
	part   string
	hidden bool
}

func openWorkbook(r io.ReaderAt, size int64) (*workbook, error) {
	start := make([]byte, 8)
	if n, _ := r.ReadAt(start, 0); string(start[:n]) == "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" {
		return nil, errOld
	}
	parts, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are not used as paths
		return nil, errNoWorkbook
	}
	w := &workbook{parts: parts}
	root, err := w.relations("")
	if err != nil {
		return nil, err
	}
	name := root.byType("/officeDocument")
	if name == "" {
		return nil, errNoWorkbook
	}
	return w, w.read(name)
}

// read reads the workbook's own part.
func (w *workbook) read(name string) error {
	var read struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string     `xml:"name,attr"`
			State string     `xml:"state,attr"`
			Attrs []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.unmarshal(name, &read); err != nil {
		return err
	}
	relations, err := w.relations(name)
	if err != nil {
		return err
	}
	w.date1904 = read.Properties.Date1904 == "1" || read.Properties.Date1904 == "true"
	w.texts, w.style = relations.byType("/sharedStrings"), relations.byType("/styles")
	for _, s := range read.Sheets {
		id := slices.IndexFunc(s.Attrs, func(a xml.Attr) bool { return a.Name.Local == "id" && a.Name.Space != "" })
		if id < 0 {
			return fmt.Errorf("the workbook does not say where its sheet %s is; accepted: a workbook saved anew", wording.Quote(s.Name))
		}
		for _, r := range relations {
			if r.ID == s.Attrs[id].Value && strings.HasSuffix(r.Type, "/worksheet") { // and not a chart
				w.sheets = append(w.sheets, sheetInfo{s.Name, r.Target, s.State == "hidden" || s.State == "veryHidden"})
			}
		}
	}
	return nil
}

// relations say where the parts are that a part refers to.
type relations []struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

func (w *workbook) relations(part string) (relations, error) {
	var read struct {
		Relations relations `xml:"Relationship"`
	}
	directory, file := path.Split(part)
	if err := w.unmarshal(directory+"_rels/"+file+".rels", &read); err != nil {
		return nil, err
	}
	for i, r := range read.Relations {
		if !strings.HasPrefix(r.Target, "/") {
			r.Target = "/" + directory + r.Target
		}
		read.Relations[i].Target = strings.TrimPrefix(path.Clean(r.Target), "/")
	}
	return read.Relations, nil
}

// byType is the first part of a type, which standards spell differently but for its end.
func (r relations) byType(end string) string {
	for _, relation := range r {
		if strings.HasSuffix(relation.Type, end) {
			return relation.Target
		}
	}
	return ""
}

// open opens a part. Of its bytes no more than most are read.
func (w *workbook) open(name string, most int64) (io.ReadCloser, error) {
	for _, f := range w.parts.File {
		if !strings.EqualFold(f.Name, name) {
			continue
		}
		if f.Flags&1 != 0 {
			return nil, errOld
		}
		r, err := f.Open()
		if err != nil {
			return nil, damaged(name, err)
		}
		return part{&bounded{source: r, name: name, left: most}, r}, nil
	}
	return nil, fmt.Errorf("%w: there is no part %s", errNoWorkbook, wording.Quote(name))
}

type part struct {
	io.Reader
	io.Closer
}

func damaged(part string, err error) error {
	return fmt.Errorf("the workbook is damaged, its part %s: %w; accepted: a workbook saved anew", wording.Quote(part), err)
}

// unmarshal reads a part that is small.
func (w *workbook) unmarshal(name string, to any) error {
	r, err := w.open(name, maxPart)
	if err != nil {
		return err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := xml.NewDecoder(bytes.NewReader(data)).Decode(to); err != nil {
		return damaged(name, err)
	}
	return nil
}

// bounded ends a part that is too long with an error, and so a zip bomb.
type bounded struct {
	source io.Reader
	name   string
	left   int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the workbook's part %s is too long; accepted: a workbook of the size that Excel saves", wording.Quote(b.name))
	}
	n, err := b.source.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		err = damaged(b.name, err)
	}
	return n, err
}

// choose is the sheet of the name, letter by letter or else in any case, or the first visible one where that is empty.
func (w *workbook) choose(name string) (chosen sheetInfo, note string, err error) {
	var quoted []string
	var visible []sheetInfo
	for _, s := range w.sheets {
		quoted = append(quoted, wording.Quote(s.name))
		if !s.hidden {
			visible = append(visible, s)
		}
	}
	switch {
	case name == "" && len(visible) == 0:
		return chosen, "", errors.New("no sheet of the workbook is visible; accepted: --sheet NAME, of " + wording.Some(quoted))
	case name == "" && len(visible) > 1:
		note = fmt.Sprintf("reading the sheet %s, the first of %d; --sheet NAME reads another", wording.Quote(visible[0].name), len(visible))
		fallthrough
	case name == "":
		return visible[0], note, nil
	}
	i := slices.IndexFunc(w.sheets, func(s sheetInfo) bool { return s.name == name })
	if i < 0 {
		i = slices.IndexFunc(w.sheets, func(s sheetInfo) bool { return strings.EqualFold(s.name, name) })
	}
	if i < 0 {
		return chosen, "", fmt.Errorf("there is no sheet %s; accepted: %s", wording.Quote(name), wording.Some(quoted))
	}
	return w.sheets[i], "", nil
}
