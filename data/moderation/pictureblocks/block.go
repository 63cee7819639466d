package pictureblocks

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/events/modlog"
	"plaza/data/rights/roles"
)

// Store stores blocks.
type Store struct {
	data.Base
	Accounts    *accounts.Store
	Communities *communities.Store
}

// Request is a request to block pictures.
type Request struct {
	Community string   // "" is the whole site, for administrators
	Target    data.ID  // the post or comment that shows the pictures; 0 for none
	Sums      []string // at most pictures.MaxOfPost
	Rule      string   // title of the rule that they violate
}

// Result is the result of blocking.
type Result struct {
	Pictures int   // that are blocked now
	Queued   int64 // posts and comments with the same or similar pictures that were added to queues
}

// usesOf reads the pictures of a post or comment, and the name of its community. Primary keys, index picture_uses_subject.
const usesOf = `SELECT p.community_name, u.sum FROM posts p CROSS JOIN picture_uses u ON u.subject_id = :target
  AND u.kind IN ('post', 'comment') WHERE p.id = coalesce((SELECT c.post_id FROM comments c WHERE c.id = :target), :target) LIMIT 10`

// The conditions that the actor may block in the community :community, or on the site.
const (
	mayThere  = roles.ByModerator + ` AND ` + data.LiveSession
	mayOnSite = data.ByAdmin + ` AND ` + data.LiveSession
)

var (
	// :list has for each picture the id of the block, the sum, and the id of the entry in the log. Primary keys, unique indexes on name_key
	// and picture_blocks_sum.
	addThere  = add("k.id", "communities k", "k.name_key = :community AND "+mayThere)
	addOnSite = add("0", "(SELECT 1) k", mayOnSite)
	logAdded  = modlog.Insert(modlog.Values{ID: "j.value ->> 2", Community: "b.community_id", Action: "'" + string(modlog.BlockPicture) + "'",
		Target: "b.id", Rule: "b.rule"}, `FROM json_each(:list) j CROSS JOIN picture_blocks b ON b.id = j.value ->> 0 WHERE true`)
	// The blocks of :sums in the community or on the site, both new and old ones.
	blocksOf = `SELECT b.id FROM json_each(:sums) j CROSS JOIN picture_blocks b ON b.sum = j.value AND b.community_id = `
	ofThere  = blocksOf + `(SELECT k.id FROM communities k WHERE k.name_key = :community)`
	ofSite   = blocksOf + `0`
)

const insertBlocks = `INSERT INTO picture_blocks (id, community_id, sum, hash, target_id, rule, actor_id)
SELECT `

func add(community, from, where string) string {
	return insertBlocks + `j.value ->> 0, ` + community + `, j.value ->> 1, (SELECT p.hash FROM pictures p WHERE p.sum = j.value ->> 1),
  :target, :rule, :actor FROM ` + from + ` CROSS JOIN json_each(:list) j WHERE ` + where + ` ON CONFLICT DO NOTHING`
}

var errNone = data.Mistake("block", "There is no picture here that could be blocked.")

// check checks in a transaction of the directory whether the actor may block in a community; "" is the site.
func check(w *data.Write, a data.Actor, community string) *data.Permission {
	if community == "" {
		return data.CheckAdmin(w, a)
	}
	return roles.ModeratorIn(a, community).Check(w)
}

// RequestFor returns which pictures of a post or comment would be blocked, on the whole site or in its community. Call it before removing
// the post or comment. Invalid (it has no pictures), Unauthenticated, Forbidden, Unavailable.
func (s *Store) RequestFor(ctx context.Context, a data.Actor, target data.ID, onSite bool) (*Request, error) {
	n := &Request{Target: target}
	r := s.DB.Read()
	r.FindAt(target, usesOf, data.Args{"target": target}, func(row *data.Row) {
		n.Community = row.Text()
		n.Sums = append(n.Sums, row.Text())
	})
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	if onSite {
		n.Community = ""
	}
	w := s.DB.Write()
	may := check(w, a, n.Community)
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if err := may.Err(); err != nil {
		return nil, err
	}
	if len(n.Sums) == 0 {
		return nil, errNone
	}
	return n, nil
}

// Block blocks pictures. It adds posts and comments with the same or similar pictures to the queue, and removes the pictures from
// avatars, icons and banners. A second call with the same pictures adds no block, but searches again. Invalid (there are none),
// Unauthenticated, Forbidden (not a moderator of the community, or for the site not an administrator), Unavailable.
func (s *Store) Block(ctx context.Context, a data.Actor, n Request) (*Result, error) {
	if len(n.Sums) == 0 || len(n.Sums) > pictures.MaxOfPost ||
		slices.ContainsFunc(n.Sums, func(sum string) bool { return !pictures.IsSum(sum) }) {
		w := s.DB.Write() // the error about a missing right comes before other errors
		may := check(w, a, n.Community)
		return nil, cmp.Or(w.Run(ctx), may.Err(), error(errNone))
	}
	var list [][3]any
	var entries []data.ID
	for _, sum := range n.Sums {
		entry := s.Source.NewID(0, data.KindOther)
		entries = append(entries, entry)
		list = append(list, [3]any{int64(s.Source.NewID(0, data.KindOther)), sum, int64(entry)})
	}
	insert, find := addThere, ofThere
	args := data.Args{"list": listOf(list), "target": n.Target, "rule": n.Rule, "community": strings.ToLower(n.Community), "allowed": false}
	findArgs := data.Args{"sums": n.Sums, "community": args["community"]}
	if n.Community == "" {
		insert, find = addOnSite, ofSite
		delete(args, "community")
		delete(args, "allowed")
		delete(findArgs, "community")
	}
	w := s.DB.Write()
	may := check(w, a, n.Community)
	w.Do(insert, a.Args(args))
	w.Do(logAdded, data.Args{"list": listOf(list), "name": a.Name, "actor": a.UserID})
	modlog.Follow(w, modlog.BlockPicture, entries...)
	var blocks []data.ID
	w.Find(find, findArgs, func(row *data.Row) { blocks = append(blocks, row.ID()) })
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if err := may.Err(); err != nil {
		return nil, err
	}
	queued, err := s.queueExistingUses(ctx, n.Community, blocks)
	return &Result{Pictures: len(blocks), Queued: queued}, err
}

// listOf encodes a list as JSON, for json_each in SQL.
func listOf(list any) string {
	text, _ := json.Marshal(list) // encoding texts and numbers can't fail
	return string(text)
}

var (
	// The entries of the log are written first, because removeLogged deletes only blocks with an entry. :list has the ids of the entry and
	// of the block. Primary keys.
	logRemovedThere = logRemoved("k.id", "communities k CROSS JOIN ", "k.name_key = :community AND "+mayThere)
	logRemovedSite  = logRemoved("0", "", mayOnSite)
	// Primary keys.
	removeLogged = `DELETE FROM picture_blocks WHERE id IN (SELECT l.target_id FROM json_each(:list) j CROSS JOIN moderation_log l
  ON l.id = j.value ->> 0)`
)

func logRemoved(community, from, where string) string {
	return modlog.Insert(modlog.Values{ID: "j.value ->> 0", Community: "b.community_id", Action: "'" + string(modlog.UnblockPicture) + "'",
		Target: "b.id", Rule: "b.rule"}, `FROM `+from+`json_each(:list) j CROSS JOIN picture_blocks b ON b.id = j.value ->> 1
WHERE b.community_id = `+community+` AND `+where)
}

// Unblock removes blocks of a community; "" is the site. It restores the avatars, icons and banners that the blocks have removed. It
// ignores ids of blocks that do not exist any more. Unauthenticated, Forbidden, Unavailable.
func (s *Store) Unblock(ctx context.Context, a data.Actor, community string, blocks ...data.ID) error {
	var list [][2]int64
	var entries []data.ID
	for _, b := range blocks {
		entry := s.Source.NewID(0, data.KindOther)
		entries, list = append(entries, entry), append(list, [2]int64{int64(entry), int64(b)})
	}
	taken, err := s.findPortraits(ctx, takenFrom, data.Args{"blocks": blocks})
	if err != nil {
		return err
	}
	w := s.DB.Write()
	may := check(w, a, community)
	if community == "" {
		w.Do(logRemovedSite, a.Args(data.Args{"list": listOf(list), "name": a.Name}))
	} else {
		w.Do(logRemovedThere, a.Args(data.Args{"list": listOf(list), "name": a.Name, "community": strings.ToLower(community), "allowed": false}))
	}
	w.Do(removeLogged, data.Args{"list": listOf(list)})
	shown := s.giveBack(w, taken) // except pictures that are still blocked, such as when the actor may not unblock
	modlog.Follow(w, modlog.UnblockPicture, entries...)
	err = w.Run(ctx)
	shown.Copy(ctx)
	return cmp.Or(err, may.Err())
}

// Index picture_blocks_target.
const blockedWith = `SELECT b.id, coalesce(k.name, '') FROM json_each(:targets) j CROSS JOIN picture_blocks b
  ON b.target_id = j.value AND b.target_id <> 0 LEFT JOIN communities k ON k.id = b.community_id WHERE b.actor_id = :actor`

// UnblockWith removes the blocks that the actor made together with the removal of some posts. Unauthenticated, Forbidden, Unavailable.
func (s *Store) UnblockWith(ctx context.Context, a data.Actor, targets []data.ID) error {
	byCommunity := map[string][]data.ID{}
	r := s.DB.Read()
	r.Find(blockedWith, data.Args{"targets": targets, "actor": a.UserID}, func(row *data.Row) {
		id, community := row.ID(), row.Text()
		byCommunity[community] = append(byCommunity[community], id)
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	for community, blocks := range byCommunity {
		if err := s.Unblock(ctx, a, community, blocks...); err != nil {
			return err
		}
	}
	return nil
}
