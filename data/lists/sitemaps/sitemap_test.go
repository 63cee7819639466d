package sitemaps_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data/lists/sitemaps"
	"plaza/test/storetest"
)

func TestSitemaps(t *testing.T) {
	s := storetest.Open(t)
	store := &sitemaps.Store{DB: s.DB}
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "gophers")
	s.CommunityOn(len(s.Shards)-1, ann, "birds")
	s.Post(ann, "gophers", "First")
	later, gone := s.Post(ann, "birds", "Later"), s.Post(ann, "gophers", "Gone")
	s.ExecAt(gone.ID, "UPDATE posts SET status = 'removed' WHERE id = ?1", int64(gone.ID))
	s.ExecAt(later.ID, "UPDATE posts SET created_at = created_at - 86400000 * 400 WHERE id = ?1", int64(later.ID))
	s.ExecAt(gone.ID, `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, status, hot, created_at)
WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 3000)
SELECT 4194304 * value, (SELECT id FROM communities WHERE name_key = 'gophers'), 'gophers', '', 's' || value, 'text', 't', 'published', 0,
  1789948800000 + value * 20000 FROM n`)

	r := s.DB.Read()
	days := store.FindDays(r)
	require.NoError(t, r.Run(storetest.Ctx))
	var counts []int64
	var listed []sitemaps.Post
	for _, day := range days() {
		counts = append(counts, day.Posts)
		for _, part := range day.Parts() {
			from, to := part.Span()
			r := s.DB.Read()
			posts := store.FindPosts(r, from, to)
			require.NoError(t, r.Run(storetest.Ctx))
			listed = append(listed, *posts...)
		}
	}
	require.Equal(t, []int64{1, 3000, 1}, counts, "a day for each that has posts, of all shards")
	require.Len(t, listed, 3002, "every post once, and none that was removed")
	require.Equal(t, later.Slug, listed[0].Slug)
	require.Equal(t, "s1", listed[1].Slug)
	require.Equal(t, "first", listed[3001].Slug)

	s.ExecAt(gone.ID, "UPDATE posts SET status = 'published' WHERE id = ?1", int64(gone.ID))
	s.ExecAt(gone.ID, "UPDATE posts SET status = 'deleted' WHERE slug = 's7'")
	require.Equal(t, int64(2), s.One("SELECT posts FROM post_days WHERE day > 20717"))
	require.Equal(t, int64(2999), s.One("SELECT posts FROM post_days WHERE posts > 100"))
}

// The parts of a day are adjacent, and their names can be parsed back.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := sitemaps.Day{Begin: time.Unix(rapid.Int64Range(0, 60_000).Draw(t, "day")*86400, 0).UTC(), Posts: rapid.Int64Range(1, 2_000_000).
			Draw(t, "posts")}
		at := day.Begin
		for _, part := range day.Parts() {
			from, to := part.Span()
			require.Equal(t, at, from)
			require.True(t, to.After(from))
			same, ok := sitemaps.ParsePart(part.String())
			require.True(t, ok)
			require.Equal(t, part, same)
			at = to
		}
		require.Equal(t, day.Begin.Add(24*time.Hour), at)
	})
	for _, bad := range []string{"", "main", "2026-11-2", "2026-13-01", "2026-11-22-1-of-1", "2026-11-22-0-of-2", "2026-11-22-3-of-2",
		"2026-11-22-1-of-961", "2026-11-22-01-of-2", "2026-11-22-1-of-2x", "2026-11-22 "} {
		_, ok := sitemaps.ParsePart(bad)
		require.False(t, ok, bad)
	}
}
