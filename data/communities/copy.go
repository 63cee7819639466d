package communities

import (
	"context"
	"errors"
	"time"

	"plaza/data"
	"plaza/data/hrana"
)

// copyAge is for how long the job looks at communities that were founded or whose
// founding did not reach their shard.
const copyAge = 10 * time.Minute

// Index communities_new, from its end.
const foundedLately = `SELECT c.id, c.name, c.name_key, c.title, c.description, c.sidebar, iif(octet_length(c.sidebar_html) <= 65536, c.sidebar_html, ''), c.colour, c.rules, c.creator_id, c.created_at, c.revision
FROM communities c WHERE c.created_at > coalesce(?1, ` + data.OldDatabaseNow + `) - ?2 ORDER BY c.created_at DESC LIMIT 100`

// CopyFounded gives each shard its copies of the communities founded lately, in case
// founding them was cut short between the two databases. With one database there is
// nothing to do.
func (s *Store) CopyFounded(ctx context.Context) error {
	if s.DB.OldSingle() {
		return nil
	}
	copies := map[*hrana.Client][]hrana.Stmt{}
	r := s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(foundedLately, s.Source.OldDatabase(), copyAge.Milliseconds()), func(res hrana.Result) error {
		for _, row := range res.Rows {
			id, _ := row[0].(int64)
			if shard := s.DB.OldShard(data.ID(id)); shard != nil && shard != s.DB.OldDirectory() {
				copies[shard] = append(copies[shard], data.OldStmt(copyCommunity, row...))
			}
		}
		return nil
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	var failed error
	for shard, stmts := range copies {
		_, err := data.Tx(ctx, shard, stmts...)
		failed = errors.Join(failed, err)
	}
	return failed
}
