package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/stacktest"
)

// OpenMoving opens a site of three shards on which a slot with n posts by ann is moving from the second shard to the last: both have the
// posts. The last shard also has fifty older posts by ann, of another slot.
func OpenMoving(t *testing.T, n int) *Stores {
	t.Helper()
	d := DatabasesOf(t, stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t))
	s := On(t, d.Open(), d, stacktest.OpenRedisIfAny(t))
	ann := s.Member("ann").UserID
	const own, moving = 2, 400
	created := func(shard, slot, from, n int) {
		const posts = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, hot, active, created_at)
SELECT (n << 22) + (?1 << 12) + 2, ?1, 'c' || ?1, ?4, 'ann', 'p' || n, 'text', 'p' || n, n, n, n FROM (SELECT value AS n
  FROM generate_series(?2 + 1, ?2 + ?3))`
		_, err := d.Shards[shard].Tx(Ctx, StmtOf(posts, slot, from, n, int64(ann)))
		require.NoError(t, err)
	}
	created(own, own, 0, 50)
	created(1, moving, 50, n)
	created(2, moving, 50, n)
	for _, shard := range d.Shards[1:] {
		_, err := shard.Tx(Ctx, StmtOf("INSERT INTO frozen_slots (slot, run) VALUES (?1, 1)", moving))
		require.NoError(t, err)
	}
	_, err := d.Directory.Tx(Ctx, StmtOf("INSERT INTO slots (slot, shard, epoch) VALUES (?1, 1, 1)", moving))
	require.NoError(t, err)
	return s
}
