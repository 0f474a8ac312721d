package lists

import (
	"strings"
	"testing"
)

// TestCodesSize: a file for --codes may have as many bytes as SECURITY.md says, and no more.
func TestCodesSize(t *testing.T) {
	const largest = 4 << 20
	if text, err := readCodesText(strings.NewReader(strings.Repeat("a", largest))); err != nil || len(text) != largest {
		t.Errorf("a file of %d bytes is read as %d bytes, %v", largest, len(text), err)
	}
	if _, err := readCodesText(strings.NewReader(strings.Repeat("a", largest+1))); err == nil || !strings.Contains(err.Error(), "larger than 4194304 bytes") {
		t.Errorf("a file of %d bytes: %v, want an error", largest+1, err)
	}
}
