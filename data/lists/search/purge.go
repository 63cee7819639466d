package search

import (
	"context"
	"strings"

	"plaza/data"
)

// FTS5 keeps the words of deleted texts in its pages, where no search finds them, until it merges these pages with others. So an erasure
// rewrites all pages of an index, a few at a time: the command merge with a negative number begins that for the whole index, and with a
// positive one continues (https://sqlite.org/fts5.html, "The 'merge' Command").
const (
	askPurge   = `INSERT INTO search_purges (about, begun) VALUES (:about, 0) ON CONFLICT (about) DO UPDATE SET begun = 0`
	purgesDue  = `SELECT p.about, p.begun FROM search_purges p WHERE p.about >= ''`
	mergePages = `INSERT INTO {table} ({table}, rank) VALUES ('merge', :pages)`
	// The number of rows that this connection has written, pages of indexes included.
	writtenYet = `SELECT total_changes()`
	beganPurge = `UPDATE search_purges SET begun = 1 WHERE about = :about`
	// Another erasure restarts it.
	endPurge = `DELETE FROM search_purges WHERE about = :about AND begun = 1 AND :written < 2`
)

const (
	// purgePages is how many pages of an index one transaction writes, of about 4 KB each.
	purgePages = 250
	// purgeSteps is how many such transactions a run makes for each index.
	purgeSteps = 20
)

// RequestPurge adds the statement that requests a rewrite of the index of a shard's posts or comments.
func RequestPurge(w *data.Write, comments bool) {
	w.Do(askPurge, data.Args{"about": indexOf(comments).table})
}

func indexOf(comments bool) *index {
	if comments {
		return &ofComments
	}
	return &ofPosts
}

// Purge continues the rewrites of indexes, on all shards, and ends those that are done. Each run makes at most purgeSteps transactions for
// each index. Unavailable, with the shards that could not be reached.
func (s *Store) Purge(ctx context.Context) error {
	return s.DB.OnAll(func(shard data.Where) error {
		due := map[string]bool{}
		r := s.DB.Read()
		r.FindAt(shard, purgesDue, nil, func(row *data.Row) {
			table := strings.Clone(row.Text())
			due[table] = row.Bool()
		})
		if err := r.Run(ctx); err != nil {
			return err
		}
		for table, begun := range due {
			for range purgeSteps {
				more, err := s.purge(ctx, shard, indexOf(table == ofComments.table), begun)
				if err != nil {
					return err
				}
				if begun = true; !more {
					break
				}
			}
		}
		return nil
	})
}

func (s *Store) purge(ctx context.Context, shard data.Where, ix *index, begun bool) (more bool, err error) {
	pages, before, after := purgePages, int64(0), int64(0)
	if !begun {
		pages = -purgePages
	}
	w := s.DB.WriteAt(shard)
	if !begun {
		w.Do(beganPurge, data.Args{"about": ix.table})
	}
	w.Find(writtenYet, nil, func(row *data.Row) { before = row.Int() })
	w.Do(ix.fill(mergePages), data.Args{"pages": pages})
	w.Find(writtenYet, nil, func(row *data.Row) { after = row.Int() })
	if err := w.Run(ctx); err != nil {
		return false, err
	}
	if begun && after-before < 2 {
		w := s.DB.WriteAt(shard)
		w.Do(endPurge, data.Args{"about": ix.table, "written": after - before})
		return false, w.Run(ctx)
	}
	return true, nil
}
