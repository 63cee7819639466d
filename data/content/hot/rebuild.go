package hot

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/wire/upstash"
)

// rebuildLock is the time limit of a rebuild, in seconds, after which another may begin.
const rebuildLock = 30

// rebuilding is a set that is being copied from the database to Redis.
type rebuilding struct {
	scope, key, lock string
	add              upstash.Cmd
	err              error
}

// Rebuild rebuilds one set from the database, unless it is complete.
func (h *Sets) Rebuild(ctx context.Context, scope string) error {
	_, err := h.RebuildAll(ctx, []string{scope})
	return err
}

// RebuildAll rebuilds sets from the database, except complete ones. It returns the scopes of the sets that failed, and the reasons. For
// any number of sets it costs three Redis requests and one request for each shard; one more for each shard if the site's own set is among
// them, and with several shards one or two to the directory. A response has up to Cap rows for each set, so callers limit the number of
// sets.
//
// It reads the slots after it has emptied the sets. If a community moves to another shard afterwards, the old shard has all posts from
// before, and later changes on the new shard are written into the set. So no set lacks a post because of an old slot map.
//
// What the votes consumer writes during a rebuild stays: a set is emptied before the database is read, and rows do not overwrite members
// that were added since. The second of two concurrent rebuilds of a set would delete what the first has written. So each takes a lock, and
// a set that another rebuild has locked counts as done.
func (h *Sets) RebuildAll(ctx context.Context, scopes []string) (failed []string, err error) {
	if h.Redis == nil { // the message is from when the site had Redis
		return nil, nil
	}
	sets, err := h.beginRebuilds(ctx, scopes)
	if err != nil {
		return scopes, err
	}
	if len(sets) == 0 {
		return nil, nil
	}
	h.readHottest(ctx, sets)
	var cmds []upstash.Cmd
	for _, s := range sets {
		if s.err == nil {
			cmds = append(cmds, append(s.add, math.Inf(1), Whole),
				upstash.Cmd{"ZREMRANGEBYRANK", s.key, 0, -(h.Cap + 2)}, upstash.Cmd{"EXPIRE", s.key, life})
		}
		cmds = append(cmds, upstash.Cmd{"DEL", s.lock})
	}
	replies, errRedis := h.Redis.Multi(ctx, cmds...)
	if errRedis == nil {
		errRedis = upstash.FirstError(replies)
	}
	if errRedis != nil {
		return scopes, errRedis
	}
	for _, s := range sets {
		if s.err != nil {
			failed, err = append(failed, s.scope), errors.Join(err, s.err)
		}
	}
	return failed, err
}

// beginRebuilds locks the sets that are not complete and empties them.
func (h *Sets) beginRebuilds(ctx context.Context, scopes []string) (sets []*rebuilding, err error) {
	cmds := make([]upstash.Cmd, 0, 2*len(scopes))
	for _, scope := range scopes {
		key := KeyOf(scope)
		cmds = append(cmds, upstash.Cmd{"ZSCORE", key, Whole}, upstash.Cmd{"SET", rebuildKey(key), "1", "NX", "EX", rebuildLock})
	}
	if len(cmds) == 0 {
		return nil, nil
	}
	replies, err := h.Redis.Pipeline(ctx, cmds...)
	if err == nil {
		err = upstash.FirstError(slices.DeleteFunc(slices.Clone(replies), upstash.Reply.WrongType)) // the set is missing, and so not complete
	}
	if err != nil {
		return nil, err
	}
	del := upstash.Cmd{"DEL"}
	for i, scope := range scopes {
		key := KeyOf(scope)
		s := &rebuilding{scope: scope, key: key, lock: rebuildKey(key), add: upstash.Cmd{"ZADD", key, "NX"}}
		isWhole, locked := !replies[2*i].Nil() && !replies[2*i].WrongType(), !replies[2*i+1].Nil()
		switch {
		case !locked: // another rebuild of it is under way
		case isWhole:
			del = append(del, s.lock)
		default:
			del = append(del, key)
			sets = append(sets, s)
		}
	}
	if len(del) > 1 {
		_, err = h.Redis.Do(ctx, del)
	}
	return sets, err
}

const (
	// Indexes posts_hot and posts_site_hot, in their order.
	hottestOfCommunity = `SELECT id, hot FROM posts WHERE community_id = (SELECT id FROM communities WHERE name_key = :community)
  AND status = 'published' ORDER BY hot DESC, id DESC LIMIT :cap`
	hottestOfSite = `SELECT p.id, p.hot FROM posts p WHERE p.status = 'published' AND ` +
		data.NotOnProfile + ` ORDER BY p.hot DESC, p.id DESC LIMIT :cap`
)

// readHottest reads the posts for the sets: one request to each shard for the sets of communities, and one to each shard for the site's.
// A shard that is down fails only the sets that need it.
func (h *Sets) readHottest(ctx context.Context, sets []*rebuilding) {
	var site []*rebuilding
	var names []string
	for _, s := range sets {
		if s.scope == SiteScope {
			site = append(site, s)
		} else {
			names = append(names, s.scope)
		}
	}
	for _, s := range site {
		s.err = h.readHottestOfSite(ctx, s, len(names) > 0)
	}
	if len(names) == 0 {
		return
	}
	var homes map[string]data.Where
	err := h.DB.RecentSlots(ctx)
	if err == nil {
		homes, err = h.DB.Homes(ctx, names)
	}
	on := map[data.Where][]*rebuilding{}
	for _, s := range sets {
		home, known := homes[strings.ToLower(s.scope)]
		switch {
		case s.scope == SiteScope:
		case known:
			on[home] = append(on[home], s)
		case err != nil:
			s.err = err
		default:
			s.err = data.ErrNoCommunity
		}
	}
	for home, list := range on {
		r := h.DB.Read()
		for _, s := range list {
			r.FindAt(home, hottestOfCommunity, data.Args{"community": strings.ToLower(s.scope), "cap": h.Cap}, s.scan)
		}
		if err := r.Run(ctx); err != nil {
			for _, s := range list {
				s.err = err
			}
		}
	}
}

func (s *rebuilding) scan(r *data.Row) { s.put(Member{r.ID(), r.Float()}) }

func (s *rebuilding) put(m Member) { s.add = append(s.add, m.Hot, m.ID.Text()) }

// readHottestOfSite reads the posts for the site's set, and the slots if other sets need them.
func (h *Sets) readHottestOfSite(ctx context.Context, s *rebuilding, slots bool) error {
	r := h.DB.Read()
	if slots {
		h.DB.FindSlots(r)
	}
	r.FindAll(hottestOfSite, data.Args{"cap": h.Cap}, func(row *data.Row) {
		if m := (Member{row.ID(), row.Float()}); row.InOwnShard(m.ID) {
			s.put(m)
		}
	})
	return r.Run(ctx)
}
