package hot

import (
	"context"
	"strings"

	"plaza/data"
	"plaza/data/upstash"
)

// HotSets are the hot listings in Redis: a sorted set a community and one for the
// site, hot as score and ID.Text as member. They are copies: any of them may be lost
// at any time and is then made anew from the database.
//
// A set is whole only while it holds the member "whole", which scores +inf and which
// Rebuild alone writes (hotset_rebuild.go). So an update that reaches a lost set makes a set that readers
// don't trust, instead of a listing of one post.
type Sets struct {
	Redis *upstash.Client
	DB    *data.DB
	// Cap is how many posts a set keeps. A post that falls may come to lie below one that
	// was trimmed before, so pages of a full set reach its middle only; what lies deeper
	// is read from the database.
	Cap int

	missed missed
}

// hotLife is how long a set lives, in seconds, before it is made anew: what an update
// lost for good left wrong in it stays no longer.
const hotLife = 3600

// SiteScope is the scope of the site-wide listing; other scopes are the names of
// communities, by which a page asks before it knows the id.
const SiteScope = ""

const whole = "whole"

// rebuildKey is the lock of whoever makes a set anew.
func rebuildKey(key string) string { return "rebuild:" + key }

// hotSlack is how many members more than a page are read, for those that share the
// cursor's exact hot score and were on the page before.
const hotSlack = 16

func hotKey(scope string) string {
	if scope == SiteScope {
		return "hot:site"
	}
	return "hot:c:" + strings.ToLower(scope)
}

// HotMember is one post of a hot listing.
type Member struct {
	ID  data.ID
	Hot float64
}

// HotPage is what a hot set says of one page of its listing.
type Page struct {
	Members []Member
	OK      bool // it could say: Members are the page
	Lost    bool // it is not there, or not whole: it wants a rebuild
}

// Page is up to limit members after a cursor, in one Redis request. Where the set ends at
// its cap, or has more members of the cursor's score than a page reads along, it can't say
// and a rebuild would change nothing.
func (h *Sets) Page(ctx context.Context, scope string, after data.Cursor, limit int) (page Page, err error) {
	key := hotKey(scope)
	from := upstash.Cmd{"ZREVRANGE", key, 1, limit + hotSlack, "WITHSCORES"}
	before := upstash.Cmd{"ZCOUNT", key, "+inf", "+inf"} // only the mark
	if !after.IsZero() {
		before = upstash.Cmd{"ZCOUNT", key, after.Value, "+inf"}
		from = upstash.Cmd{"ZREVRANGEBYSCORE", key, after.Value, "-inf", "WITHSCORES", "LIMIT", 0, limit + hotSlack}
	}
	replies, err := h.Redis.Pipeline(ctx, upstash.Cmd{"ZSCORE", key, whole}, upstash.Cmd{"ZCARD", key}, from, before)
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
	page.OK = !trimmed && (len(page.Members) == limit || len(flat)/2 < limit+hotSlack)
	return page, nil
}

// HotChange is what a fold made of a post.
type Change struct {
	ID        data.ID
	Community string
	Hot       float64
	Listed    bool
}

// Apply writes changes into the sets in one Redis request. It runs after the commit
// and in the votes consumer alone, so that of two changes the later one stays. When it
// fails, the sets are left to Distrust.
func (h *Sets) Apply(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	byKey := map[string]upstash.Cmd{}
	var keys, touched []string
	var cmds []upstash.Cmd
	for _, c := range changes {
		for _, scope := range [...]string{c.Community, SiteScope} {
			key := hotKey(scope)
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
		// The member "whole" has the highest rank and is never trimmed. A set that was lost, and that nobody opens, is
		// never made anew: what was just written into it goes by itself. The life of a whole set stays as it is.
		cmds = append(cmds, byKey[key], upstash.Cmd{"ZREMRANGEBYRANK", key, 0, -(h.Cap + 2)}, upstash.Cmd{"EXPIRE", key, hotLife, "NX"})
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
