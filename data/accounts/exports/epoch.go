package exports

import (
	"context"

	"plaza/data"
)

// epochNow is the epoch of the last move of a community to another shard. It is -1 for the moment after the directory has named the new
// shard, in which the shards change which of them shows the community: a Read may find it on both or on neither. Before that moment only
// the old shard shows it, and an export that goes on past it finds another epoch. Primary keys, and index slots_moved from its end.
const epochNow = `SELECT iif(EXISTS (SELECT 1 FROM slot_moves WHERE id = 1 AND step = 'switch'
    AND target IS (SELECT shard FROM slots WHERE slots.slot = slot_moves.slot)), -1,
  coalesce((SELECT max(moved) FROM slots WHERE moved > 0), 0))`

var (
	errMoves = &data.Error{Code: data.Unavailable, Message: "A community is moving to another database. That usually takes seconds. " +
		"Please try again in a moment."}
	errMoved = &data.Error{Code: data.Conflict,
		Message: "A community has moved to another database since this export began. Please begin again at /settings/export."}
)

// FindEpoch finds the epoch with which an export begins.
func (s *Store) FindEpoch(r *data.Read) *int64 {
	epoch := new(int64)
	r.Find(data.Directory, epochNow, nil, func(row *data.Row) { *epoch = row.Int() })
	return epoch
}

// Begin puts an epoch into the cursor of an export that begins. Unavailable for the moment in which a community switches its shard.
func (c *Cursor) Begin(epoch int64) error {
	if epoch < 0 {
		return errMoves
	}
	c.Epoch = epoch
	return nil
}

// check is Unavailable while a community switches its shard, and Conflict if one has done so since the export began.
func (c Cursor) check(epoch int64) error {
	switch {
	case epoch < 0:
		return errMoves
	case epoch != c.Epoch:
		return errMoved
	}
	return nil
}

// Run runs a Read of a shard that is a part of an export, and asks afterwards whether a community has moved since the export began: what
// was read may lack it then, or have it twice. The Read must not ask replicas, which may be behind. Unavailable while a community switches
// its shard; Conflict if one has done so.
func (s *Store) Run(ctx context.Context, r *data.Read, c Cursor) error {
	if err := r.Run(ctx); err != nil {
		return err
	}
	r = s.DB.Read()
	epoch := s.FindEpoch(r)
	if err := r.Run(ctx); err != nil {
		return err
	}
	return c.check(*epoch)
}
