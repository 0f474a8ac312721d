package sheet

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// An area is a rectangle of merged cells, both ends in it.
type area struct {
	name                     string
	top, left, bottom, right int
}

var mergeCell = regexp.MustCompile(`<mergeCell\s[^<>]{0,64}?ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"`)

// maxMerged is how many areas are looked at.
const maxMerged = 10_000

// Merged is the area of merged cells, such as B2:B4, that leaves the cell without a value of its own; empty where none is found.
// Row and column count from 1, the row as records do. It explains why a cell is empty, and decides nothing. Areas stand at the end
// of a sheet, so that the first call reads all of it once more. It is safe for use beside Read.
func (s *Sheet) Merged(row, column int) string {
	s.merges.Do(s.readMerged)
	for _, a := range s.merged {
		if a.top <= row && row <= a.bottom && a.left <= column && column <= a.right && (row > a.top || column > a.left) {
			return a.name
		}
	}
	return ""
}

// readMerged looks for the areas without reading the rows before them as XML.
func (s *Sheet) readMerged() {
	r, err := s.workbook.open(s.info.part, maxSheet)
	if err != nil {
		return
	}
	defer r.Close()
	const longest = 256 // bytes of a tag
	buffer := make([]byte, 64<<10)
	kept := 0
	for err == nil && len(s.merged) < maxMerged {
		var n int
		n, err = r.Read(buffer[kept:])
		text := buffer[:kept+n]
		end := max(0, len(text)-longest) // a tag that is cut off starts there or later
		if bytes.Contains(text, []byte("<mergeCell ")) {
			for _, at := range mergeCell.FindAllSubmatchIndex(text, -1) {
				s.merged = append(s.merged, newArea(text, at))
				end = max(end, at[1])
			}
		}
		kept = copy(buffer, text[end:])
	}
}

func newArea(text []byte, at []int) area {
	part := func(i int) string { return string(text[at[2*i]:at[2*i+1]]) }
	top, _ := strconv.Atoi(part(2)) // both are digits
	bottom, _ := strconv.Atoi(part(4))
	return area{strings.Join([]string{part(1), part(2), ":", part(3), part(4)}, ""), top, column(part(1)), bottom, column(part(3))}
}
