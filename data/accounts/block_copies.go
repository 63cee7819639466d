package accounts

import (
	"context"
	"encoding/json"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/events/outbox"
	"plaza/data/pace/deadline"
)

const (
	// Primary key of blocks, the range of each member.
	blocksHere = `SELECT b.blocker_id, b.blocked_id, b.created_at FROM json_each(:members) j CROSS JOIN blocks b ON b.blocker_id = j.value`
	// Primary key, the range of the member. :list has pairs of a blocked member and the time.
	unblockElsewhere = `DELETE FROM blocks WHERE blocker_id = :member AND blocked_id NOT IN (SELECT value ->> 0 FROM json_each(:list))`
	blockElsewhere   = `INSERT INTO blocks (blocker_id, blocked_id, created_at) SELECT :member, j.value ->> 0, j.value ->> 1
  FROM json_each(:list) j WHERE true ON CONFLICT DO NOTHING`
)

// blockCopies are the blocks of some members in the directory, to be copied to the other databases.
type blockCopies struct {
	copies  *outbox.Copies // nil with one database
	blocked map[data.ID][][2]int64
}

func findBlockCopies(w *data.Write, copies *outbox.Copies, members ...data.ID) *blockCopies {
	b := &blockCopies{copies: copies, blocked: map[data.ID][][2]int64{}}
	w.Find(blocksHere, data.Args{"members": members}, func(row *data.Row) {
		member := row.ID()
		b.blocked[member] = append(b.blocked[member], [2]int64{row.Int(), row.Int()})
	})
	return b
}

// enqueueBlocks enqueues outbox.JobBlocks for the actor.
func (s *Store) enqueueBlocks(w *data.Write, a data.Actor) *blockCopies {
	if !s.DB.HasShards() {
		return nil
	}
	return findBlockCopies(w, outbox.EnqueueBlocks(w, s.Source, a), a.UserID)
}

// copyBlocks writes the blocks into the other databases, and then marks their jobs as done.
func (s *Store) copyBlocks(ctx context.Context, b *blockCopies) error {
	if b == nil || b.copies.None() {
		return nil
	}
	members := b.copies.Subjects()
	lists := map[data.ID]string{}
	for _, member := range members {
		text, _ := json.Marshal(append([][2]int64{}, b.blocked[member]...)) // encoding numbers can't fail
		lists[member] = string(text)
	}
	err := s.DB.WriteElsewhere(ctx, func(w *data.Write) {
		for _, member := range members {
			args := data.Args{"member": member, "list": lists[member]}
			w.Do(unblockElsewhere, args)
			w.Do(blockElsewhere, args)
		}
	})
	if err != nil {
		return err
	}
	w := s.DB.Write()
	b.copies.Done(w, members...)
	return w.Run(ctx)
}

// copyBlocksNow is copyBlocks for a request. The job is enqueued in the directory, so errors are ignored.
func (s *Store) copyBlocksNow(ctx context.Context, b *blockCopies) {
	_ = s.copyBlocks(deadline.ForPart(ctx, sessions.CopyTime), b)
}

// blocksAtOnce is how many members one call of CopyBlocks copies at most.
const blocksAtOnce = 20

// CopyBlocks does the job outbox.JobBlocks: it writes the blocks of some members into the other databases. It may be stopped at any
// point and repeated. rest are the members for another delivery. Unavailable names the databases that could not be reached; the retry job
// tries again later.
func (s *Store) CopyBlocks(ctx context.Context, members []data.ID) (rest []data.ID, err error) {
	if len(members) > blocksAtOnce {
		members, rest = members[:blocksAtOnce], members[blocksAtOnce:]
	}
	w := s.DB.Write()
	b := findBlockCopies(w, outbox.ClaimCopies(w, s.Source, outbox.JobBlocks, members), members...)
	if err := w.Run(ctx); err != nil {
		return rest, err
	}
	return rest, s.copyBlocks(ctx, b)
}
