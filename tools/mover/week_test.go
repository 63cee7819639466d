package mover_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/sitetest"
	"plaza/test/stacktest"
	"plaza/tools/mover"
)

// TestWeekOfPosts moves a community between shards whose weeks of posts begin at different times: posts are new there that are not new here.
// At each step the community has as many new posts as its shard counts as new, and the job that ends weeks finds them all.
func TestWeekOfPosts(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 3)
	community := idOf(s, "Beta")
	before := func(d time.Duration) int64 { return time.Now().Add(-d).UnixMilli() }
	const day = 24 * time.Hour
	// Ages of posts, and when the week of each shard begins: the job of one has not run for three days.
	for i, age := range []time.Duration{8 * day, 9 * day, 11 * day} {
		_, err := s.Shards[1].Exec(`UPDATE posts SET created_at = ?1 WHERE id = (SELECT id FROM posts WHERE community_id = ?2
  AND status = 'published' ORDER BY id LIMIT 1 OFFSET ?3)`, before(age), int64(community), i)
		require.NoError(t, err)
	}
	for shard, age := range []time.Duration{7 * day, 10 * day, 7*day + time.Hour} {
		_, err := s.Shards[shard].Exec(`INSERT INTO weeks (what, since) VALUES ('posts', ?1)
  ON CONFLICT DO UPDATE SET since = excluded.since`, before(age))
		require.NoError(t, err)
		_, err = s.Shards[shard].Exec(`UPDATE community_stats SET week_posts = (SELECT count(*) FROM posts p
  WHERE p.community_id = community_stats.community_id AND p.status = 'published'
    AND p.created_at > (SELECT since FROM weeks WHERE what = 'posts'))`)
		require.NoError(t, err)
	}
	counted := func(shard int) (kept, new int) {
		t.Helper()
		require.NoError(t, s.Shards[shard].QueryRow(`SELECT week_posts, (SELECT count(*) FROM posts p WHERE p.community_id = s.community_id
  AND p.status = 'published' AND p.created_at > (SELECT since FROM weeks WHERE what = 'posts')) FROM community_stats s
  WHERE s.community_id = ?1`, int64(community)).Scan(&kept, &new))
		return kept, new
	}
	right := func(shard int, when string) int {
		t.Helper()
		kept, new := counted(shard)
		require.Equal(t, new, kept, when)
		return kept
	}
	here := right(1, "before")
	for i, to := range []int{2, 1, 0} {
		from := []int{1, 2, 1}[i]
		require.ErrorIs(t, stopAfter(s, mover.StepCopy).Run(t.Context(), community.Slot(), to), errStopped)
		right(from, "copied")
		require.ErrorIs(t, stopAfter(s, mover.StepSwitch).Run(t.Context(), community.Slot(), to), errStopped)
		there := right(to, "switched")
		if i == 0 {
			require.Less(t, there, here, "the weeks differ")
			require.NoError(t, s.Communities.AgeWeeks(t.Context())) // both shards have the posts; the week of one of them moves by three days
			require.Equal(t, there, right(to, "a week has ended"))
		}
		require.NoError(t, stopAfter(s, "").Run(t.Context(), community.Slot(), to))
		right(to, "moved")
		require.NoError(t, s.Communities.AgeWeeks(t.Context()))
		right(to, "the next minute")
	}
}
