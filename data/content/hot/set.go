package hot

import (
	"context"
	"errors"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/wire/upstash"
)

// Sets are a sorted set for each community and one for the site, with hot as score and ID.Text as member. Any of them may be lost at any
// time, and is then rebuilt from the database (RebuildAll).
//
// A set is complete only if it has the member "whole", whose score is +inf and which only RebuildAll writes. An update of a lost set
// makes a set without that member. So readers don't take it for a listing of one post.
type Sets struct {
	Redis *upstash.Client // nil for a site without Redis: the database lists all pages
	DB    *data.DB
	// Cap is how many posts a set has at most. A post whose score falls may rank below one that was trimmed before. So only the upper half
	// of a full set is used.
	Cap int

	missed  missed
	floors  floors
	known   data.Cache[knownPage, []Member]
	checked data.Cache[knownPage, struct{}] // the pages for which Due has returned true
}

// DefaultCap is how many posts of a hot listing a site has in Redis. Only the first page, of 26 posts, is compared.
const DefaultCap = 250

// life is how long a set lives, in seconds, before it is rebuilt. If an update of a set was lost, the set confirms no wrong page for
// longer than that.
const life = 3600

// SiteScope is the scope of the site's listing. Every other scope is the name of a community, because a page reads the set before it
// knows the id.
const SiteScope = ""

// Whole is the member that marks a set as complete. Its score is +inf.
const Whole = "whole"

// rebuildKey returns the key of the lock for the rebuild of a set.
func rebuildKey(key string) string { return "rebuild:" + key }

// KeyOf returns the key of a scope's set.
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

// Page is one page of a listing in a set.
type Page struct {
	Members []Member
	OK      bool // Members are the page
	Lost    bool // the set is missing or incomplete: it has to be rebuilt
}

// Page returns up to limit members of the first page, by one command. The page is neither OK nor Lost if it would include the lower half
// of a set that may be full. Then a rebuild would change nothing.
func (h *Sets) Page(ctx context.Context, scope string, limit int) (page Page, err error) {
	if h.Redis == nil {
		return page, nil
	}
	reply, err := h.Redis.Do(ctx, upstash.Cmd{"ZREVRANGE", KeyOf(scope), 0, limit, "WITHSCORES"})
	if err != nil {
		return page, err
	}
	flat, err := reply.List()
	if err != nil {
		return page, err
	}
	if len(flat) == 0 {
		return Page{Lost: true}, nil
	}
	if first, _, err := flat[0].Text(); err != nil || first != Whole { // its score is +inf, so it is the first if it exists
		return Page{Lost: true}, err
	}
	for i := 2; i+1 < len(flat); i += 2 {
		member, _, errM := flat[i].Text()
		hot, errH := flat[i+1].Float()
		id, errI := data.ParseID(member)
		if errM != nil || errH != nil || errI != nil {
			continue // a member of another program
		}
		page.Members = append(page.Members, Member{id, hot})
	}
	page.OK = limit <= h.Cap/2 || len(page.Members) < h.Cap/2
	return page, nil
}

// Change is the state of a post after a delta run.
type Change struct {
	ID        data.ID
	Community string
	Hot       float64
	Listed    bool // in listings; otherwise it is removed from the sets
}

// scopes returns the sets that a post belongs to: none for posts on profiles.
func scopes(community string) []string {
	if data.IsProfile(community) {
		return nil
	}
	return []string{community, SiteScope}
}

// Apply writes changes into the sets. A set costs one command if all the posts are in it already, or below its floor. Only the votes
// consumer calls it, after the commit, so the later of two changes stays. If it fails, it records the sets for Invalidate.
func (h *Sets) Apply(ctx context.Context, now time.Time, changes []Change) error {
	if h.Redis == nil {
		return nil
	}
	var cmds []upstash.Cmd
	type kind struct{ name, key, flag string }
	index := map[kind]int{} // in cmds
	last := map[data.ID]int{}
	for i, c := range changes {
		last[c.ID] = i
		if !c.Listed { // posts below the floor may move up
			for _, scope := range scopes(c.Community) {
				h.floors.forget(KeyOf(scope))
			}
		}
	}
	for i, c := range changes {
		if last[c.ID] != i {
			continue // commands on one set may run in any order
		}
		for _, scope := range scopes(c.Community) {
			k, args := kind{name: "ZADD", key: KeyOf(scope)}, []any{c.Hot, c.ID.Text()}
			switch {
			case !c.Listed:
				k.name, args = "ZREM", args[1:]
			case h.floors.isBelow(k.key, c.Hot, now):
				k.flag = onlyChange
			}
			n, ok := index[k]
			if !ok {
				n, index[k] = len(cmds), len(cmds)
				cmds = append(cmds, upstash.Cmd{k.name, k.key})
				if k.flag != "" {
					cmds[n] = append(cmds[n], k.flag)
				}
			}
			cmds[n] = append(cmds[n], args...)
		}
	}
	full, err := h.write(ctx, now, cmds)
	if err != nil {
		for _, cmd := range cmds {
			h.missed.add([]string{cmd[1].(string)})
		}
		return err
	}
	return errors.Join(h.readFloors(ctx, full, now), h.Invalidate(ctx))
}

// onlyChange is the flag of a ZADD that adds no members.
const onlyChange = "XX"

// write runs the commands of Apply. It then trims the sets with new members. The other sets have not grown. The member "whole" has the
// highest rank and is never trimmed. A lost set that no page reads is never rebuilt, so the new key expires by itself (NX keeps the
// expiry of a complete set). full are the trimmed sets whose floor has to be read.
func (h *Sets) write(ctx context.Context, now time.Time, cmds []upstash.Cmd) (full []string, err error) {
	replies, err := h.Redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		return nil, err
	}
	var trims []upstash.Cmd
	for i, cmd := range cmds {
		if cmd[0] != "ZADD" || cmd[2] == onlyChange {
			continue
		}
		if added, err := replies[i].Int(); err != nil || added > 0 {
			trims = append(trims, upstash.Cmd{"ZREMRANGEBYRANK", cmd[1], 0, -(h.Cap + 2)}, upstash.Cmd{"EXPIRE", cmd[1], life, "NX"})
		}
	}
	replies, err = h.Redis.Pipeline(ctx, trims...)
	if err == nil {
		err = upstash.FirstError(replies)
	}
	if err != nil {
		return nil, err
	}
	for i, cmd := range trims {
		if cmd[0] != "ZREMRANGEBYRANK" {
			continue
		}
		if trimmed, err := replies[i].Int(); err == nil && trimmed > 0 && h.floors.countTrimmed(cmd[1].(string), int(trimmed), now) {
			full = append(full, cmd[1].(string))
		}
	}
	return full, nil
}
