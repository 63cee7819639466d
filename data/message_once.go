package data

import (
	"sync"
	"time"
)

// folds remembers which messages of Write.FoldVotes and Write.FoldComments this instance has sent in the last DB.FoldEvery. A message that
// was sent then does for a transaction that has committed meanwhile:
//
//   - The transaction has committed before due is asked about its message. due was asked less than FoldEvery after the message was
//     remembered.
//   - A message is remembered before it is sent, and the queue delivers it later than FoldEvery after that.
//
// So the fold begins after the commit and finds the rows. Only the time between two moments of one instance counts. The clock of the
// platform stands still between the answers of databases and other servers. That makes a message remembered too early rather than too
// late, and the time of a commit is read after the database has answered. A message that is lost is found by the sweep, with all that
// relied on it.
type folds struct {
	mu   sync.Mutex // never held across I/O
	sent map[string]time.Time
	most int // how many sent may have before those are dropped that are too old
}

// due returns which of the messages are to be sent, and remembers them.
func (f *folds) due(bodies []string, now time.Time, every time.Duration) (due []string) {
	if every == 0 || len(bodies) == 0 {
		return bodies
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.sent) >= f.most {
		kept := map[string]time.Time{}
		for body, at := range f.sent {
			if relies(at, now, every) {
				kept[body] = at
			}
		}
		f.sent, f.most = kept, max(2*len(kept), 100)
	}
	for _, body := range bodies {
		if at, sent := f.sent[body]; !sent || !relies(at, now, every) {
			f.sent[body] = now
			due = append(due, body)
		}
	}
	return due
}

// relies reports whether a message that was remembered at a time does for what has committed by now. It does not when the clock was set
// back.
func relies(at, now time.Time, every time.Duration) bool {
	passed := now.Sub(at)
	return passed >= 0 && passed < every
}
