package bans

import (
	"context"
	"strconv"

	"plaza/data"
)

// purgeStep is how many ended bans a run deletes on each shard.
const purgeStep = 1000

// Index bans_ended.
var purgeEnded = `DELETE FROM bans WHERE id IN (SELECT ban.id FROM bans ban WHERE ban.until < ` + strconv.FormatInt(never, 10) +
	` AND ban.until < ` + data.DatabaseNow + andNotFrozen + ` LIMIT :step)`

const andNotFrozen = ` AND (ban.community_id >> 12) & 1023` + data.NotFrozen

// Purge deletes bans that have ended. They stay in the log. Unavailable, with the shards that could not be reached.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.WriteAll(ctx, func(w *data.Write) {
		w.Do(purgeEnded, data.Args{"now": s.Source.DatabaseNow(), "step": purgeStep})
	})
}
