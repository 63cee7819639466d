package importer

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
)

func TestImportOverShards(t *testing.T) {
	ctx := context.Background()
	for name, apart := range map[string]bool{"beside the directory": true, "of which the directory is the first": false} {
		t.Run(name, func(t *testing.T) {
			shards := []*hrana.Client{mustOpen(t), mustOpen(t), mustOpen(t)}
			directory := shards[0]
			if apart {
				directory = mustOpen(t)
			}
			db := data.NewDB(directory, shards...)
			// One is there already, as founding it left it: its copy has not reached the shard.
			there := data.NewID(importNow, 2, data.KindOther, 7)
			exec(t, directory, `INSERT INTO communities (id, name, name_key, title, colour, creator_id, created_at)
  VALUES (?, 'Place00', 'place00', 'Ours', '#000', 1, 5)`, int64(there))
			const places = 20
			o := Options{Format: RedditCSV, Now: importNow, Shift: true, Batch: 70}
			for i := range places {
				o.Sources = append(o.Sources, many(fmt.Sprintf("place%02d", i), 10+i))
			}
			total := 0
			for i := range places {
				total += 10 + i
			}
			r, err := Import(ctx, db, o)
			require.NoError(t, err)
			require.Equal(t, Result{Posts: total, Communities: places - 1}, r)
			require.Equal(t, places, one[int](t, directory, `SELECT count(*) FROM communities`))
			slots := data.NewSlotMap(len(shards))
			require.NoError(t, find(ctx, db, db.Databases()[0], data.SlotRows, nil, func(row *data.Row) {
				slots.Put(int(row.Int()), int(row.Int()))
			}))
			require.Equal(t, places, len(slots.On(0))+len(slots.On(1))+len(slots.On(2))-2, "each has its own, and one is where it was")
			posts, copies := 0, 0
			for n, shard := range shards {
				here := one[int](t, shard, `SELECT count(DISTINCT community_id) FROM posts`)
				require.GreaterOrEqual(t, here, 2, "shard %d has its part", n)
				copies += here
				posts += one[int](t, shard, `SELECT count(*) FROM posts`)
				require.Zero(t, one[int](t, shard, `SELECT count(*) FROM posts WHERE (id >> 12) & 1023 NOT IN (SELECT value FROM json_each(?))
  OR (community_id >> 12) & 1023 <> (id >> 12) & 1023`, strings.ReplaceAll(fmt.Sprint(slots.On(n)), " ", ",")),
					"ids name a slot of their shard")
				require.Zero(t, one[int](t, shard, `SELECT count(*) FROM posts p WHERE NOT EXISTS (SELECT 1 FROM communities c
  WHERE c.id = p.community_id AND c.name = p.community_name)`))
				require.Equal(t, here, one[int](t, shard, `SELECT count(*) FROM community_stats WHERE posts > 0`))
				require.Zero(t, one[int](t, shard, `SELECT count(*) FROM communities c WHERE creator_id IS NULL AND EXISTS (SELECT 1 FROM posts p
  WHERE p.community_id = c.id)
AND created_at <> (SELECT min(created_at) FROM posts p WHERE p.community_id = c.id)`), "as old as their oldest post")
			}
			require.Equal(t, []int{places, total}, []int{copies, posts})
			if apart {
				require.Zero(t, one[int](t, directory, `SELECT count(*) FROM posts`))
			}
			require.Equal(t, "Ours", one[string](t, shards[2], `SELECT title FROM communities WHERE id = ?`, int64(there)))
			require.Equal(t, 10, one[int](t, shards[2], `SELECT count(*) FROM posts WHERE community_id = ?`, int64(there)))

			created := one[int64](t, shards[1], `SELECT sum(created_at) FROM posts`)
			o.Now = importNow.Add(30 * time.Hour)
			r, err = Import(ctx, db, o)
			require.NoError(t, err)
			require.Equal(t, Result{Existing: total}, r, "once, however often it is run")
			require.Equal(t, created, one[int64](t, shards[1], `SELECT sum(created_at) FROM posts`))

			_, err = Import(ctx, data.NewDB(directory, shards[:2]...), o)
			require.ErrorContains(t, err, "is on a shard of which no address was given")
		})
	}
}

// Many files are identified by their first posts.
func TestShiftOfManyFiles(t *testing.T) {
	const files, rows = 500, 100
	o := Options{Format: RedditCSV}
	for i := range files {
		o.Sources = append(o.Sources, Source{Name: fmt.Sprintf("file%03d.csv", i), Open: func() (io.ReadCloser, error) {
			return many(fmt.Sprintf("file%03dx", i), rows).Open()
		}})
	}
	o.Batch, o.Now = defaultBatch, importNow
	db := mustOpen(t)
	s, err := planShift(context.Background(), data.NewDB(db), o)
	require.NoError(t, err)
	require.Equal(t, importNow.Add(-shiftFresh), s.anchor)

	// Any post that an earlier import left tells where the newest went.
	exec(t, db, `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at, source)
VALUES (2, 1, 'x', '', 'x', 'link', 'x', 0, ?, ?)`, s.at(time.Unix(1300000000+54*3600, 0)).UnixMilli(), redditPost("file321x54"))
	o.Now = importNow.Add(time.Hour)
	again, err := planShift(context.Background(), data.NewDB(db), o)
	require.NoError(t, err)
	require.Equal(t, s, again)
}
