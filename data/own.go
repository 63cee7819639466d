package data

import (
	"maps"
	"sync"
	"time"

	"plaza/data/hrana"
)

// OwnLife is how long an instance keeps what pages show of a member's own: votes,
// subscriptions, unread messages. A change that the member makes ends it at once, in
// every instance: in this one by ForgetOwn, in the others by the marker that the
// member's device gets with the answer (Read.For). On the member's other devices it
// shows this much later.
const OwnLife = 5 * time.Second

// own keeps results of statements about single members. Only pages for reading use it:
// what writes, or decides what somebody may do, asks the database.
type own struct {
	mu      sync.Mutex // never held across I/O
	members map[ID]*ownResults
	before  map[ID]*ownResults // of those who were here in the OwnLife before, but not since turned
	turned  time.Time
	large   int // results kept since then that are pages of their own
}

// ownResults are one member's, as of one marker.
type ownResults struct {
	marker  string
	results map[ownKey]warmEntry[hrana.Result]
}

// ownKey is a statement and what it asks about, besides the member.
type ownKey struct {
	where Where
	sql   string
	about string
}

// What an instance keeps is bounded: so many members, so many results of each.
const (
	ownMembers    = 1000
	ownStatements = 32
	ownLarge      = 200 // results of more than ownValues values
	ownValues     = 250
)

func (o *own) get(member ID, marker string, key ownKey, now time.Time) (hrana.Result, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	kept := o.find(member, now)
	if kept == nil || kept.marker != marker {
		return hrana.Result{}, false
	}
	e, ok := kept.results[key]
	return e.value, ok && !now.After(e.until)
}

// find is a member's results. Those of members who left are forgotten by whoever comes.
func (o *own) find(member ID, now time.Time) *ownResults {
	if now.Sub(o.turned) > OwnLife {
		o.members, o.before, o.turned, o.large = map[ID]*ownResults{}, o.members, now, 0
	}
	kept := o.members[member]
	if kept == nil && o.before[member] != nil {
		kept = o.before[member]
		delete(o.before, member)
		maps.DeleteFunc(kept.results, func(_ ownKey, e warmEntry[hrana.Result]) bool { return now.After(e.until) })
		o.members[member] = kept
	}
	return kept
}

// begin returns where a page that reads now may put what it reads. A member's change
// in the meantime makes that place one that nobody looks at.
func (o *own) begin(member ID, marker string, now time.Time) *ownResults {
	o.mu.Lock()
	defer o.mu.Unlock()
	kept := o.find(member, now)
	if kept == nil || kept.marker != marker {
		if len(o.members) >= ownMembers {
			o.members = map[ID]*ownResults{}
		}
		kept = &ownResults{marker, map[ownKey]warmEntry[hrana.Result]{}}
		o.members[member] = kept
	}
	return kept
}

func (o *own) put(place *ownResults, key ownKey, res hrana.Result, until time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(res.Rows)*len(res.Columns) > ownValues {
		if o.large >= ownLarge {
			return
		}
		o.large++
	}
	if len(place.results) >= ownStatements {
		clear(place.results)
	}
	place.results[key] = warmEntry[hrana.Result]{res, until}
}

// ForgetOwn makes the member's next page read everything anew.
func (db *DB) ForgetOwn(member ID) {
	db.own.mu.Lock()
	defer db.own.mu.Unlock()
	delete(db.own.members, member)
	delete(db.own.before, member)
}

// For makes the Read one for a page of this member, of which own results may be kept
// for OwnLife. marker is what the member's device was given with the last change the
// member made on it, and changed when that was; "" and zero when it is longer ago. What
// is kept for all members is not shown to this one from before that, either.
func (r *Read) For(member ID, marker string, changed, now time.Time) {
	r.Member, r.Marker, r.Changed, r.Now = member, marker, changed, now
}

// gatherOwn gathers a statement about the member for whom the page is made; about is what else it asks about.
func (r *Read) gatherOwn(where Where, about string, stmt hrana.Stmt, scan func(hrana.Result) error) {
	if r.Member == 0 {
		r.gather(where, stmt, scan)
		return
	}
	key := ownKey{where, stmt.SQL, about}
	if kept, ok := r.db.own.get(r.Member, r.Marker, key, r.Now); ok {
		r.kept = append(r.kept, func() error { return scan(kept) })
		return
	}
	place := r.db.own.begin(r.Member, r.Marker, r.Now)
	r.gather(where, stmt, func(res hrana.Result) error {
		r.db.own.put(place, key, res, r.Now.Add(OwnLife))
		return scan(res)
	})
}
