package communities

import (
	"context"
	"time"

	"plaza/data"
)

// copyAge is for how long after a community was founded CopyFounded looks at it.
const copyAge = 10 * time.Minute

const (
	// Index communities_new, from its end.
	foundedLately = `SELECT c.id, c.name, c.name_key, c.title, c.description, c.sidebar, iif(octet_length(c.sidebar_html) <= 65536, c.sidebar_html, ''),
  c.colour, c.rules, c.creator_id, c.created_at, c.revision
FROM communities c WHERE c.created_at > ` + data.DatabaseNow + ` - :age ORDER BY c.created_at DESC LIMIT 100`

	// The shard's copy of a community. Of two changes the later one stays, whichever is written first.
	copyCommunity = `INSERT INTO communities (id, name, name_key, title, description, sidebar, sidebar_html, colour, rules, creator_id, created_at, revision)
VALUES (:id, :name, :key, :title, :description, :sidebar, :html, :colour, :rules, :creator, :created, :revision)
ON CONFLICT (id) DO UPDATE SET title = excluded.title, description = excluded.description, sidebar = excluded.sidebar,
  sidebar_html = excluded.sidebar_html, colour = excluded.colour, rules = excluded.rules, revision = excluded.revision
WHERE coalesce(revision, 0) < excluded.revision`
)

// CopyFounded writes to each shard its copies of communities that were founded of late, in case founding one was
// interrupted between the two databases. With one database it does nothing.
func (s *Store) CopyFounded(ctx context.Context) error {
	if len(s.DB.Databases()) == 1 {
		return nil
	}
	copies := map[data.Where][]data.Args{}
	r := s.DB.Read()
	r.Find(data.Directory, foundedLately, data.Args{"now": s.Source.DatabaseNow(), "age": copyAge}, func(row *data.Row) {
		id := row.ID()
		copies[data.HomeOfID(id)] = append(copies[data.HomeOfID(id)], data.Args{
			"id": id, "name": row.Text(), "key": row.Text(), "title": row.Text(), "description": row.Text(), "sidebar": row.Text(), "html": row.Text(),
			"colour": row.Text(), "rules": row.Text(), "creator": row.Value(), "created": row.Int(), "revision": row.Value(),
		})
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	return data.OnEach(s.DB.Shards(), func(home data.Where) error {
		if len(copies[home]) == 0 || s.DB.Same(home, data.Directory) {
			return nil
		}
		w := s.DB.Write(home)
		for _, community := range copies[home] {
			w.Do(copyCommunity, community)
		}
		return w.Run(ctx)
	})
}
