package data

import (
	"maps"
	"sync"
	"time"

	"plaza/data/wire/hrana"
)

// OwnLife is how long an instance remembers what pages show of a member's own: votes, subscriptions.
// After a change that the member makes, nothing older is shown to them on the same device. ForgetOwn sees to that in
// this instance, and in others the marker that the device gets with the answer (Read.For). On the member's other
// devices the change shows up to OwnLife later. What a replica found is remembered shorter, by what it may be behind.
const OwnLife = 5 * time.Second

// own remembers results of statements about single members. Only pages for reading use it. What writes, or decides
// what somebody may do, asks the database.
type own struct {
	mu           sync.Mutex         // never held across I/O
	current      map[ID]*ownResults // of members who came since rotated
	previous     map[ID]*ownResults // of members who came in the OwnLife before, and have not come again
	rotated      time.Time          // when current last became previous; this happens every OwnLife
	largeResults int                // how many results of more than ownValues values were put since rotated
}

// ownResults are the results about one member that were read while the member's device had this marker.
type ownResults struct {
	marker  string
	results map[ownKey]warmEntry[hrana.Result]
}

// ownKey is a statement and what it asks about besides the member.
type ownKey struct {
	where Where
	sql   string
	about string
}

// Bounds of what an instance remembers.
const (
	ownMembers    = 1000 // members in own.current
	ownStatements = 32   // results about each of them
	ownLarge      = 200  // large results, about all members
	ownValues     = 250  // values that a result has at most which is not large
)

// get returns a result that is not older than OwnLife and was read under the same marker.
func (o *own) get(member ID, marker string, key ownKey, now time.Time) (hrana.Result, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := o.find(member, now)
	if found == nil || found.marker != marker {
		return hrana.Result{}, false
	}
	e, ok := found.results[key]
	return e.value, ok && !now.After(e.until)
}

// find returns the results about a member, nil for none. Every OwnLife it drops those of members who have not come
// again.
func (o *own) find(member ID, now time.Time) *ownResults {
	if now.Sub(o.rotated) > OwnLife {
		o.current, o.previous, o.rotated, o.largeResults = map[ID]*ownResults{}, o.current, now, 0
	}
	found := o.current[member]
	if found == nil && o.previous[member] != nil {
		found = o.previous[member]
		delete(o.previous, member)
		maps.DeleteFunc(found.results, func(_ ownKey, e warmEntry[hrana.Result]) bool { return now.After(e.until) })
		o.current[member] = found
	}
	return found
}

// begin returns where a page that reads now puts its results. If the member changes something meanwhile, another
// place takes over, and nobody looks at this one any more.
func (o *own) begin(member ID, marker string, now time.Time) *ownResults {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := o.find(member, now)
	if found == nil || found.marker != marker {
		if len(o.current) >= ownMembers {
			o.current = map[ID]*ownResults{}
		}
		found = &ownResults{marker, map[ownKey]warmEntry[hrana.Result]{}}
		o.current[member] = found
	}
	return found
}

// put remembers a result at a place that begin returned. It drops large results beyond ownLarge.
func (o *own) put(place *ownResults, key ownKey, res hrana.Result, until time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if res.Count*len(res.Columns) > ownValues {
		if o.largeResults >= ownLarge {
			return
		}
		o.largeResults++
	}
	if len(place.results) >= ownStatements {
		clear(place.results)
	}
	place.results[key] = warmEntry[hrana.Result]{value: hrana.Result{Table: res.Compact()}, until: until}
}

// ForgetOwn has the member's next page read everything again.
func (db *DB) ForgetOwn(member ID) {
	db.own.mu.Lock()
	defer db.own.mu.Unlock()
	delete(db.own.current, member)
	delete(db.own.previous, member)
}

// For says for which member the page is made, so that FindOwn may use results that an instance remembers. marker is
// what the member's device got with the last change that was made on it, and changed is when that was; "" and zero
// when it is longer ago. What an instance remembers for all members (Warm) is not used either when it is older than
// changed.
func (r *Read) For(member ID, marker string, changed, now time.Time) {
	r.Member, r.Marker, r.Changed, r.Now = member, marker, changed, now
}

// gatherOwn gathers a statement about the member for whom the page is made, unless its result is remembered. about is
// what else it asks about.
func (r *Read) gatherOwn(where Where, about string, stmt hrana.Stmt, scan func(hrana.Result) error) {
	if r.Member == 0 {
		r.gather(where, stmt, scan)
		return
	}
	key := ownKey{where, stmt.SQL, about}
	if found, ok := r.db.own.get(r.Member, r.Marker, key, r.Now); ok {
		r.kept = append(r.kept, func() error { return scan(found) })
		r.found = r.found || where.kind != inDirectory
		return
	}
	place := r.db.own.begin(r.Member, r.Marker, r.Now)
	r.gather(where, stmt, func(res hrana.Result) error {
		r.db.own.put(place, key, res, r.Now.Add(OwnLife-r.lag))
		return scan(res)
	})
}

// What votes.status says of a vote. Only votes of the first status are in the counters.
const (
	VoteCounted     = 0
	VoteQuarantined = 1 // a moderator has to decide about it
	VoteDropped     = 2 // for good, by a moderator
)

// The same in statements.
const (
	VoteCountedSQL     = `0`
	VoteQuarantinedSQL = `1`
	VoteDroppedSQL     = `2`
)

// OwnVote reads four columns about a viewer and a target: the viewer's vote, its status, and the sums of the ups and
// downs of the viewer's deltas, which are not in the counters yet. These columns cost a look-up by the primary key of
// votes, and two by that of vote_deltas.
//
// It returns the vote and what to add to the target's counters for this viewer. With that the viewer sees the own
// vote counted exactly once: before it is folded, and also while it is quarantined and after it was dropped. So
// no counter tells anybody that their vote was quarantined: the inbox does, an hour later.
func OwnVote(r *Row) (value int, ups, downs int64) {
	value = int(r.Int())
	status := r.Int()
	ups, downs = r.Int(), r.Int()
	switch {
	case status == VoteCounted:
	case value > 0:
		ups++
	case value < 0:
		downs++
	}
	return value, ups, downs
}
