package polytope

// A faceSet is an immutable set of indexes of faces, with one bit for each index.
type faceSet []uint64

// with returns a copy of f with the index n added.
func (f faceSet) with(n int) faceSet {
	set := make(faceSet, max(len(f), n/64+1))
	copy(set, f)
	set[n/64] |= 1 << (n % 64)
	return set
}

func (f faceSet) has(n int) bool { return n/64 < len(f) && f[n/64]>>(n%64)&1 == 1 }

func (f faceSet) intersect(c faceSet) faceSet {
	set := make(faceSet, min(len(f), len(c)))
	for i := range set {
		set[i] = f[i] & c[i]
	}
	return set
}

// containsAll reports whether every index of c is in f.
func (f faceSet) containsAll(c faceSet) bool {
	for i, word := range c {
		if i >= len(f) && word != 0 || i < len(f) && word&^f[i] != 0 {
			return false
		}
	}
	return true
}
