package health

import (
	"time"

	"plaza/data"
)

// Move is a move of a community to another shard that is in progress. No member can write in the community meanwhile.
type Move struct {
	Community string
	To        int // the number of the shard
	Begun     time.Time
}

// Primary key.
const moveUnderWay = `SELECT community_name, target, begun_at FROM slot_moves
WHERE id = (SELECT max(id) FROM slot_moves) AND ended_at IS NULL`

// findMove reads the move in progress, if there is one, from the directory.
func (h *Database) findMove(find func(sql string, args data.Args, scan func(*data.Row))) {
	find(moveUnderWay, nil, func(row *data.Row) { h.Move = &Move{Community: row.Text(), To: int(row.Int()), Begun: row.Time()} })
}
