package health

import (
	"time"

	"plaza/data"
)

// silent is for how long a process says nothing that does not work on a move any more. One that works says so every five seconds
// (tools/mover).
const silent = 30 * time.Second

// Move is the move of a community to another shard that waits: no process works on it.
type Move struct {
	Community string
	To        int  // the number of the shard
	Closed    bool // nobody can write in the community until the move goes on
}

// Primary keys. After copying, and until the directory names the new shard, the old one refuses what members write.
const waitingMove = `SELECT community_name, target, step IN ('close', 'switch')
  AND target IS NOT (SELECT shard FROM slots WHERE slots.slot = slot_moves.slot) FROM slot_moves
WHERE id = 1 AND seen_at < ` + data.DatabaseNow + ` - :silent`

// findMove reads the move that waits, if there is one, from the directory.
func (h *Database) findMove(source data.Source, find func(sql string, args data.Args, scan func(*data.Row))) {
	find(waitingMove, data.Args{"now": source.DatabaseNow(), "silent": silent}, func(row *data.Row) {
		h.Move = &Move{Community: row.Text(), To: int(row.Int()), Closed: row.Bool()}
	})
}
