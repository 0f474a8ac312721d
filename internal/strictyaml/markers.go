package strictyaml

// maxIndicators bounds the list and key indicators that a line may begin with for yaml.v3 to see
// it. Each opens a block, and yaml.v3 takes a time that grows with open blocks times comments. What
// is deeper than maxDepth but within this limit is found in the tree.
const maxIndicators = 128

// cutMarkers looks for what stands outside the one document: directives before it and a second
// document behind it. At the start of a line a marker is a marker even inside quotes, so lines are
// enough to find them. It fails where yaml.v3 must not see the text.
func (d *Document) cutMarkers() bool {
	t := d.text
	started, ended := false, false
	for line := range t.lines {
		start, end := t.line(line + 1)
		switch {
		case ended:
		case d.tooDeep(start, end):
			return false
		case started && t.isMarker(start, end, '-'):
			d.end, ended = start, true
		case t.isMarker(start, end, '.'):
			d.end, ended = start, true
			start += len("...")
		}
		switch {
		case !t.hasContent(start, end):
		case ended:
			d.report("", t.position(t.skipBlanks(start, end)), "a second document is not accepted: one file holds one document")
			return true
		case t.runes[start] == '%' && !started:
			d.report("", t.position(start), "directives are not accepted: take the line out")
			t.runes[start] = '#' // a comment in its place lets the rest of the file be read
		default:
			started = true
		}
	}
	return true
}

// tooDeep reports a line that opens more blocks than yaml.v3 may see.
func (d *Document) tooDeep(start, end int) bool {
	t := d.text
	i := t.skipBlanks(start, end)
	for count := 0; t.isIndicator(i, end); count++ {
		if count == maxIndicators {
			d.report("", t.position(i), tooDeepMessage)
			return true
		}
		i = t.skipBlanks(i+1, end)
	}
	return false
}

// isIndicator reports whether an item, a key or a value starts at i, with the rest of it behind.
func (t *text) isIndicator(i, end int) bool {
	if i == end || t.runes[i] != '-' && t.runes[i] != '?' && t.runes[i] != ':' {
		return false
	}
	return i+1 == end || isWhite(t.runes[i+1])
}

// isMarker reports whether the line is the sign three times, such as ---, alone or with a blank
// behind it.
func (t *text) isMarker(start, end int, sign rune) bool {
	line := t.runes[start:end]
	return len(line) >= 3 && line[0] == sign && line[1] == sign && line[2] == sign &&
		(len(line) == 3 || isWhite(line[3]))
}

// hasContent reports whether more than blanks and a comment stand between start and end.
func (t *text) hasContent(start, end int) bool {
	start = t.skipBlanks(start, end)
	return start < end && t.runes[start] != '#'
}
