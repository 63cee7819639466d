package exports

import (
	"context"

	"plaza/data"
)

// lastMove is the number of the last move of a community to another shard. It is -1 during a move, when two shards have the community.
// Primary key.
const lastMove = `SELECT coalesce((SELECT iif(ended_at IS NULL, -1, id) FROM slot_moves WHERE id = (SELECT max(id) FROM slot_moves)), 0)`

var (
	errMoves = &data.Error{Code: data.Unavailable, Message: "A community is moving to another database. That usually takes some minutes. " +
		"Please try again then."}
	errMoved = &data.Error{Code: data.Conflict,
		Message: "A community has moved to another database since this export began. Please begin again at /settings/export."}
)

// FindMove reads along with a page the number of the last move, for Cursor.Begin.
func (s *Store) FindMove(r *data.Read) *int64 {
	move := new(int64)
	r.Find(lastMove, nil, func(row *data.Row) { *move = row.Int() })
	return move
}

// Begin stores the number of the last move in the cursor when an export begins. Unavailable while a community moves.
func (c *Cursor) Begin(move int64) error {
	if move < 0 {
		return errMoves
	}
	c.Move = move
	return nil
}

// Run runs a Read of a shard for an export, and then checks whether a community has moved since the export began: the result may lack it
// then, or have it twice. The Read must not use replicas, which may be behind. Unavailable while a community moves; Conflict if one has
// moved.
func (s *Store) Run(ctx context.Context, r *data.Read, c Cursor) error {
	if err := r.Run(ctx); err != nil {
		return err
	}
	r = s.DB.Read()
	move := s.FindMove(r)
	switch err := r.Run(ctx); {
	case err != nil:
		return err
	case *move < 0:
		return errMoves
	case *move != c.Move:
		return errMoved
	}
	return nil
}
