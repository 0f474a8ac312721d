package sandbox

import (
	"testing"
	"time"
)

// TestExpiredTokensGo looks at what no client can see: tokens that have expired take no memory.
func TestExpiredTokensGo(t *testing.T) {
	now := time.Unix(0, 0)
	tokens := tokens{now: func() time.Time { return now }, lifetime: time.Minute, expiry: make(map[digest]time.Time)}
	for range 100 {
		tokens.issue()
	}
	revoked := tokens.issue()
	tokens.revoke(revoked)
	now = now.Add(30 * time.Second)
	tokens.issue()
	if len(tokens.expiry) != 101 || len(tokens.issued) != 102 {
		t.Errorf("%d tokens, %d issued, want 101 and 102", len(tokens.expiry), len(tokens.issued))
	}
	now = now.Add(30 * time.Second)
	tokens.issue()
	if len(tokens.expiry) != 2 || len(tokens.issued) != 2 {
		t.Errorf("after a minute %d tokens, %d issued, want 2 of each", len(tokens.expiry), len(tokens.issued))
	}
}
