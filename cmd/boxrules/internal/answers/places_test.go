package answers

import "testing"

// TestPlaces says where rows are that are on consecutive lines and that are not, and that the list of places is bounded.
func TestPlaces(t *testing.T) {
	var c Collector
	add := func(row int, file string, line int) { c.addPlace(place{row, file, line}) }
	add(1, "a.csv", 2)
	add(2, "a.csv", 3)
	add(3, "a.csv", 5)
	add(4, "b.csv", 2)
	if n := len(c.places); n != 3 {
		t.Errorf("there are %d places, want 3", n)
	}
	row := 4
	for range maxPlaces { // each row takes two lines
		row++
		add(row, "b.csv", 2*row)
	}
	for row, want := range map[int]string{1: "a.csv:2", 2: "a.csv:3", 3: "a.csv:5", 4: "b.csv:2", 5: "b.csv:10", row: "place not kept", row + 1: "the service"} {
		if got := c.Locate(row); got != want {
			t.Errorf("row %d is at %s, want %s", row, got, want)
		}
	}
	if len(c.places) != maxPlaces {
		t.Errorf("there are %d places, want %d", len(c.places), maxPlaces)
	}
}
