package data

import (
	"maps"
	"sync"
	"time"

	"plaza/data/wire/hrana"
)

// MemberCacheTTL is how long an instance caches a member's own state on pages: votes, subscriptions. After a change by the member, the same
// device never sees an older state: InvalidateMember ensures that in this instance, and in others the marker that the device gets with the
// response (Read.For). The member's other devices may see the change up to MemberCacheTTL later. A result from a replica is cached for
// MemberCacheTTL minus the replica's lag.
const MemberCacheTTL = 5 * time.Second

// memberCache caches results of statements about single members. Only pages for reading use it. Writes, and checks of rights, read the
// database.
type memberCache struct {
	mu           sync.Mutex            // never held across I/O
	current      map[ID]*memberResults // of members with requests since rotated
	previous     map[ID]*memberResults // of members with requests in the MemberCacheTTL before, and none since
	rotated      time.Time             // when current last became previous, which happens every MemberCacheTTL
	largeResults int                   // how many results of more than memberCacheValues values were put since rotated
}

// memberResults are results about one member that were read while the member's device had this marker.
type memberResults struct {
	marker  string
	results map[memberKey]cacheEntry[hrana.Result]
}

// memberKey is a statement and its arguments besides the member.
type memberKey struct {
	where Where
	sql   string
	about string
}

// Limits of an instance's cache.
const (
	memberCacheMembers    = 1000 // members in memberCache.current
	memberCacheStatements = 32   // results about each of them
	memberCacheLarge      = 200  // large results, about all members
	memberCacheValues     = 250  // results with more values are large
)

// get returns a result that is not older than MemberCacheTTL and was read under the same marker.
func (o *memberCache) get(member ID, marker string, key memberKey, now time.Time) (hrana.Result, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := o.find(member, now)
	if found == nil || found.marker != marker {
		return hrana.Result{}, false
	}
	e, ok := found.results[key]
	return e.value, ok && !now.After(e.until)
}

// find returns the results about a member, nil for none. Every MemberCacheTTL it drops the results of members without new requests.
func (o *memberCache) find(member ID, now time.Time) *memberResults {
	if now.Sub(o.rotated) > MemberCacheTTL {
		o.current, o.previous, o.rotated, o.largeResults = map[ID]*memberResults{}, o.current, now, 0
	}
	found := o.current[member]
	if found == nil && o.previous[member] != nil {
		found = o.previous[member]
		delete(o.previous, member)
		maps.DeleteFunc(found.results, func(_ memberKey, e cacheEntry[hrana.Result]) bool { return now.After(e.until) })
		o.current[member] = found
	}
	return found
}

// begin returns the memberResults into which a page that reads now puts its results. If the member changes something meanwhile, another
// one replaces it, and this one is not read any more.
func (o *memberCache) begin(member ID, marker string, now time.Time) *memberResults {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := o.find(member, now)
	if found == nil || found.marker != marker {
		if len(o.current) >= memberCacheMembers {
			o.current = map[ID]*memberResults{}
		}
		found = &memberResults{marker, map[memberKey]cacheEntry[hrana.Result]{}}
		o.current[member] = found
	}
	return found
}

// put stores a result in what begin returned. It drops large results beyond memberCacheLarge.
func (o *memberCache) put(into *memberResults, key memberKey, res hrana.Result, until time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if res.Count*len(res.Columns) > memberCacheValues {
		if o.largeResults >= memberCacheLarge {
			return
		}
		o.largeResults++
	}
	if len(into.results) >= memberCacheStatements {
		clear(into.results)
	}
	into.results[key] = cacheEntry[hrana.Result]{value: hrana.Result{Table: res.Compact()}, until: until}
}

// InvalidateMember makes the member's next page read everything again.
func (db *DB) InvalidateMember(member ID) {
	db.memberCache.mu.Lock()
	defer db.memberCache.mu.Unlock()
	delete(db.memberCache.current, member)
	delete(db.memberCache.previous, member)
}

// Changes says when a member's device last changed something; the zero value if not lately.
type Changes struct {
	Marker string    // value of the cookie; "" for none
	Last   time.Time // when the device last changed anything
	Public time.Time // when it last changed something that others see in lists or threads
}

// For sets the member for whom the page is made, so that FindCached may use results that were cached under the same marker. What is cached
// for all members (Cache) is used unless it is older than changes.Public.
func (r *Read) For(member ID, changes Changes, now time.Time) {
	r.Member, r.Changes, r.Now = member, changes, now
}

// gatherCached adds a statement about the page's member, unless its result is cached. about are its other arguments.
func (r *Read) gatherCached(where Where, about, sql string, args Args, scan func(hrana.Result) error) {
	if r.Member == 0 {
		r.gather(where, hrana.Stmt{SQL: sql, Named: args.named()}, scan)
		return
	}
	key := memberKey{where, sql, about}
	if found, ok := r.db.memberCache.get(r.Member, r.Changes.Marker, key, r.Now); ok {
		r.cachedScans = append(r.cachedScans, func() error { return scan(found) })
		r.found = r.found || where.kind != inDirectory
		return
	}
	into := r.db.memberCache.begin(r.Member, r.Changes.Marker, r.Now)
	r.gather(where, hrana.Stmt{SQL: sql, Named: args.named()}, func(res hrana.Result) error {
		r.db.memberCache.put(into, key, res, r.Now.Add(MemberCacheTTL-r.lag))
		return scan(res)
	})
}

// Values of votes.status. Only votes of the first status are in the counters.
const (
	VoteCounted     = 0
	VoteQuarantined = 1 // a moderator has to decide about it
	VoteDropped     = 2 // permanently, by a moderator
)

// The values of votes.status as SQL.
const (
	VoteCountedSQL     = `0`
	VoteQuarantinedSQL = `1`
	VoteDroppedSQL     = `2`
)

// OwnVote reads the four columns of JoinViewerVote about a viewer and a target: the viewer's vote, its status, and the sums of the ups and
// downs of the viewer's deltas, which are not in the counters yet. These columns cost a look-up by the primary key of votes, and two
// by that of vote_deltas.
//
// It returns the vote and what to add to the target's counters for this viewer. With that the viewer sees their own vote counted exactly
// once: before it is applied, while it is quarantined and after it was dropped. So no counter reveals to the voter that a vote was
// quarantined: the inbox notifies them, an hour later.
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
