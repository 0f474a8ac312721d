package main

import "strings"

// nearest are the few words that it takes the least typing to make of the one given, whatever its case.
func nearest(word string, words []string) []string {
	const most = 3
	if len(word) > 64 {
		word = word[:64] // no word is as long, and the time goes with the length
	}
	word = strings.ToUpper(word)
	best, least := []string(nil), -1
	for _, candidate := range words {
		switch d := distance(word, candidate); {
		case least < 0 || d < least:
			best, least = []string{candidate}, d
		case d == least && len(best) < most:
			best = append(best, candidate)
		}
	}
	return best
}

// distance is the number of bytes to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := corner
			if a[i] != b[j] {
				replace++
			}
			corner = row[j+1]
			row[j+1] = min(replace, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
