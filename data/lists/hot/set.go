package hot

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/wire/upstash"
)

// Sets are a sorted set for each community and one for the site, with hot as score and ID.Text as member. Any of them
// may be lost at any time, and is then made again from the database (RebuildAll).
//
// A set is whole only if it has the member "whole", which scores +inf and which only RebuildAll writes. An update of
// a set that was lost makes a set without that member. So readers don't take it for a listing of one post.
type Sets struct {
	Redis *upstash.Client
	DB    *data.DB
	// Cap is how many posts a set keeps. A post whose score falls may come to stand below one that was trimmed
	// before. So only the upper half of a full set is used; pages further down are read from the database.
	Cap int

	missed missed
}

// life is how long a set is kept, in seconds, before it is made again. If an update of a set was lost for good, its
// error lasts no longer.
const life = 3600

// SiteScope is the scope of the site's listing. Every other scope is the name of a community: a page asks before it
// knows the id.
const SiteScope = ""

// Whole is the member that marks a set as whole. Its score is +inf.
const Whole = "whole"

// rebuildKey is the key of the lock that a rebuild of a set takes.
func rebuildKey(key string) string { return "rebuild:" + key }

// slack is how many members more than a page are read. Some may have exactly the cursor's hot score and have been on
// the page before.
const slack = 16

// KeyOf is the key of a scope's set.
func KeyOf(scope string) string {
	if scope == SiteScope {
		return "hot:site"
	}
	return "hot:c:" + strings.ToLower(scope)
}

// Member is one post of a hot listing.
type Member struct {
	ID  data.ID
	Hot float64
}

// Page is what a set says of one page of its listing.
type Page struct {
	Members []Member
	OK      bool // Members are the page
	Lost    bool // the set is not there, or not whole: it has to be rebuilt
}

// Page returns up to limit members after a cursor, in one Redis request. The page is neither OK nor Lost if the set
// was trimmed near it, or has more members with the cursor's score than are read. Then the database has to be asked,
// and a rebuild would change nothing.
func (h *Sets) Page(ctx context.Context, scope string, after data.Cursor, limit int) (page Page, err error) {
	key := KeyOf(scope)
	from := upstash.Cmd{"ZREVRANGE", key, 1, limit + slack, "WITHSCORES"}
	before := upstash.Cmd{"ZCOUNT", key, "+inf", "+inf"} // only the mark
	if !after.IsZero() {
		before = upstash.Cmd{"ZCOUNT", key, after.Value, "+inf"}
		from = upstash.Cmd{"ZREVRANGEBYSCORE", key, after.Value, "-inf", "WITHSCORES", "LIMIT", 0, limit + slack}
	}
	replies, err := h.Redis.Pipeline(ctx, upstash.Cmd{"ZSCORE", key, Whole}, upstash.Cmd{"ZCARD", key}, from, before)
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		return page, err
	}
	if replies[0].Nil() {
		return Page{Lost: true}, nil
	}
	card, err := replies[1].Int()
	if err != nil {
		return page, err
	}
	flat, err := replies[2].List()
	if err != nil {
		return page, err
	}
	for i := 0; i+1 < len(flat) && len(page.Members) < limit; i += 2 {
		member, _, errM := flat[i].Text()
		hot, errH := flat[i+1].Float()
		id, errI := data.ParseID(member)
		if errM != nil || errH != nil || errI != nil {
			continue // not ours
		}
		if !after.IsZero() && (hot > after.Value || hot == after.Value && id >= after.ID) {
			continue
		}
		page.Members = append(page.Members, Member{id, hot})
	}
	rank, err := replies[3].Int()
	if err != nil {
		return page, err
	}
	trimmed := int(card)-1 >= h.Cap*3/4 && int(rank)-1+limit > h.Cap/2 // near where the set was trimmed
	page.OK = !trimmed && (len(page.Members) == limit || len(flat)/2 < limit+slack)
	return page, nil
}

// Change is what a fold made of a post.
type Change struct {
	ID        data.ID
	Community string
	Hot       float64
	Listed    bool // in listings; otherwise it is removed from the sets
}

// scopes are the sets that a post belongs to: none for what members post to their profiles.
func scopes(community string) []string {
	if data.IsProfile(community) {
		return nil
	}
	return []string{community, SiteScope}
}

// Apply writes changes into the sets in one Redis request. Only the votes consumer calls it, after the commit. So of
// two changes the later one stays. When it fails, the sets are noted for Distrust.
func (h *Sets) Apply(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	byKey := map[string]upstash.Cmd{}
	var keys, touched []string
	var cmds []upstash.Cmd
	last := map[data.ID]int{}
	for i, c := range changes {
		last[c.ID] = i
	}
	for i, c := range changes {
		if last[c.ID] != i {
			continue // all removals are sent before all additions
		}
		for _, scope := range scopes(c.Community) {
			key := KeyOf(scope)
			touched = append(touched, key)
			if !c.Listed {
				cmds = append(cmds, upstash.Cmd{"ZREM", key, c.ID.Text()})
				continue
			}
			if byKey[key] == nil {
				byKey[key] = upstash.Cmd{"ZADD", key}
				keys = append(keys, key)
			}
			byKey[key] = append(byKey[key], c.Hot, c.ID.Text())
		}
	}
	for _, key := range keys {
		// The member "whole" has the highest rank and is never trimmed. A lost set that nobody opens is never made anew, so what
		// was just written into it expires by itself (NX: the life of a whole set stays as it is).
		cmds = append(cmds, byKey[key], upstash.Cmd{"ZREMRANGEBYRANK", key, 0, -(h.Cap + 2)}, upstash.Cmd{"EXPIRE", key, life, "NX"})
	}
	if len(cmds) == 0 {
		return h.Distrust(ctx)
	}
	replies, err := h.Redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		h.missed.note(touched)
		return err
	}
	return h.Distrust(ctx)
}
