package communities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/pace/deadline"
)

var (
	columnsToCopy = `SELECT c.id, c.name, c.name_key, iif(octet_length(c.sidebar_html) <= 65536, c.sidebar_html, ''), c.creator_id,
  c.created_at, c.revision, c.kind, ` + eachSetting("c.%[1]s", ", ")
	communitiesToCopy = columnsToCopy + ` FROM json_each(:ids) j CROSS JOIN communities c ON c.id = j.value`
	// The same by name. Unique index on name_key.
	communityToCopy = columnsToCopy + ` FROM communities c WHERE c.name_key = :name`

	// The shard's copy of a community. Of two changes, the one with the higher revision stays, whichever is written first. Only the directory
	// counts members.
	copyCommunity = `INSERT INTO communities (id, name, name_key, sidebar_html, creator_id, created_at, revision, kind,
  ` + eachSetting("%[1]s", ", ") + `)
VALUES (:id, :name, :key, :html, :creator, :created, :revision, :kind, ` + eachSetting(":%[1]s", ", ") + `)
ON CONFLICT (id) DO UPDATE SET ` + eachSetting("%[1]s = excluded.%[1]s", ", ") + `, sidebar_html = excluded.sidebar_html,
  revision = excluded.revision
WHERE coalesce(revision, 0) < excluded.revision`
)

// copyTime is how long a request waits for the shards. The retry job writes the copies that take longer.
const copyTime = 2 * time.Second

// copies are communities that are being copied.
type copies struct {
	*outbox.Copies
	rows map[data.ID]data.Args
}

func findCopies(w *data.Write, begun *outbox.Copies, sql string, args data.Args) *copies {
	c := &copies{begun, map[data.ID]data.Args{}}
	w.Find(sql, args, func(row *data.Row) {
		id := row.ID()
		args := data.Args{
			"id": id, "name": row.Text(), "key": row.Text(), "html": row.Text(), "creator": row.Value(), "created": row.Int(),
			"revision": row.Value(), "kind": row.Text(),
		}
		for _, column := range SettingColumns {
			args[column] = row.Text()
		}
		c.rows[id] = args
	})
	return c
}

// enqueueCopy enqueues outbox.JobCommunity for a community that a transaction may have created. Nil with one database.
func (s *Store) enqueueCopy(w *data.Write, id data.ID) *copies {
	if !s.DB.HasShards() {
		return nil
	}
	return findCopies(w, outbox.EnqueueCommunity(w, s.Source, id), communitiesToCopy, data.Args{"ids": []data.ID{id}})
}

// enqueueProfile is enqueueCopy for the actor's profile. Nil with one database.
func (s *Store) enqueueProfile(w *data.Write, a data.Actor, name string) *copies {
	if !s.DB.HasShards() {
		return nil
	}
	return findCopies(w, outbox.EnqueueProfile(w, s.Source, a, name), communityToCopy, data.Args{"name": name})
}

// enqueueSettings is enqueueCopy for a community, by its name in lower case, if the statement before has changed its settings. Nil with one
// database.
func (s *Store) enqueueSettings(w *data.Write, name string) *copies {
	if !s.DB.HasShards() {
		return nil
	}
	return findCopies(w, outbox.EnqueueSettings(w, s.Source, name), communityToCopy, data.Args{"name": name})
}

// copy writes the copies of communities into their shards.
func (s *Store) copy(ctx context.Context, c *copies) error {
	if c == nil || c.None() {
		return nil
	}
	var done []data.ID
	var failed error
	for home, ids := range s.DB.Group(c.Subjects()) {
		w := s.DB.WriteAt(home)
		for _, id := range ids {
			if row := c.rows[id]; row != nil && !s.DB.InDirectory(home) {
				w.Do(copyCommunity, row)
			}
		}
		if err := w.Run(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", home, err))
			continue
		}
		done = append(done, ids...)
	}
	if len(done) == 0 {
		return failed
	}
	w := s.DB.Write()
	c.Done(w, done...)
	return errors.Join(failed, w.Run(ctx))
}

// copyNow is copy for a request. It ignores errors, because the job is enqueued in the directory.
func (s *Store) copyNow(ctx context.Context, c *copies) {
	_ = s.copy(deadline.ForPart(ctx, copyTime), c)
}

// Copy does the job outbox.JobCommunity: it writes the shards' copies of communities. It may be stopped at any point and repeated.
// Unavailable, with the shards that could not be reached: the retry job updates them later.
func (s *Store) Copy(ctx context.Context, communities []data.ID) error {
	w := s.DB.Write()
	c := findCopies(w, outbox.ClaimCopies(w, s.Source, outbox.JobCommunity, communities), communitiesToCopy, data.Args{"ids": communities})
	if err := w.Run(ctx); err != nil {
		return err
	}
	return s.copy(ctx, c)
}
