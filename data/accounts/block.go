package accounts

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
)

// BlocksMax is how many members a member can block.
const BlocksMax = 1000

const (
	blockedByName = `SELECT id, EXISTS (SELECT 1 FROM blocks WHERE blocker_id = :actor AND blocked_id = id),
  (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker_id = :actor LIMIT :most))
FROM users WHERE id = ` + data.MemberNamed
	block = `INSERT INTO blocks (blocker_id, blocked_id, created_at) SELECT :actor, :blocked, :at WHERE ` + data.LiveSession + `
ON CONFLICT DO NOTHING`
	// The actor's inbox entries about what a member wrote. Index inbox_listed, all rows of the actor, about 1,000 at most. Triggers update
	// the counts.
	forgetEntries = `DELETE FROM inbox WHERE id IN (SELECT i.id FROM inbox i WHERE i.user_id = :actor AND +i.author_id = :blocked) AND ` +
		data.LiveSession
	unblock = `DELETE FROM blocks WHERE blocker_id = :actor AND blocked_id = :blocked AND ` + data.LiveSession
)

// Block blocks a member for the actor, or unblocks them if on is false. Blocking also deletes the actor's inbox entries about the member's
// texts, and the follows between the two. It may be repeated. Block writes the directory, which pages read, and then the copies on the
// shards, which refuse replies. If a shard is down, the retry job writes its copy (CopyBlocks). NotFound, Unauthenticated, Unavailable, and
// Invalid for blocking oneself or more than BlocksMax.
func (s *Store) Block(ctx context.Context, a data.Actor, name string, on bool) error {
	var id data.ID
	var already bool
	var n int64
	r := s.DB.Read()
	r.Find(blockedByName, data.Args{"actor": a.UserID, "name": strings.ToLower(name), "most": BlocksMax}, func(row *data.Row) {
		id, already, n = row.ID(), row.Bool(), row.Int()
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	switch {
	case id == 0:
		return &data.Error{Code: data.NotFound, Field: "user", Message: "There is no member of that name."}
	case id == a.UserID:
		return data.Mistake("user", "You can't block yourself.")
	case on && !already && n >= BlocksMax:
		return data.Mistake("user", "You can block at most 1,000 members. Please unblock somebody first.")
	}
	sql, args := unblock, a.Args(data.Args{"blocked": id})
	if on {
		sql, args["at"] = block, s.Source.Now()
	}
	live := false
	w := s.DB.Write()
	w.Do(sql, args)
	if on {
		w.Do(forgetEntries, a.Args(data.Args{"blocked": id}))
		endTies(w, a, id)
	}
	copies := s.enqueueBlocks(w, a)
	w.Find(data.CheckSession, a.Args(nil), func(row *data.Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	s.copyBlocksNow(ctx, copies)
	return nil
}

// scanIDs parses comma-separated ids, and sorts them. The triggers blocks_begun and blocks_ended write users.blocked like this, in any
// order.
func scanIDs(row *data.Row) (ids []data.ID) {
	text := row.Text()
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseInt(part, 10, 64)
		row.Fail(err)
		ids = append(ids, data.ID(n))
	}
	slices.Sort(ids)
	return ids
}

// Blocked is a member whom another member blocks.
type Blocked struct {
	ID     data.ID
	Name   string
	Avatar Avatar
}

// Primary keys, in the order of the blocked members' ids.
const blockedMembers = `SELECT u.id, u.username, u.avatar FROM blocks b CROSS JOIN users u ON u.id = b.blocked_id
WHERE b.blocker_id = :actor AND b.blocked_id < :before ORDER BY b.blocked_id DESC LIMIT :limit`

// FindBlocked reads, along with a page, up to limit members whom the actor blocks, the newest accounts first, after the given member (0:
// from the first).
func (s *Store) FindBlocked(r *data.Read, a data.Actor, after data.ID, limit int) *[]Blocked {
	if after == 0 {
		after = 1 << 62
	}
	list := &[]Blocked{}
	r.Find(blockedMembers, data.Args{"actor": a.UserID, "before": after, "limit": limit}, func(row *data.Row) {
		*list = append(*list, Blocked{row.ID(), row.Text(), ParseAvatar(row.Text())})
	})
	return list
}
