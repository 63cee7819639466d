package sitemaps_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/sitemaps"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// manyPosts inserts posts ?1 to ?2: 10 days with 20,000 posts each, and before them 600 a day.
const manyPosts = `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
SELECT value << 22, (SELECT id FROM communities), 'many', '', 'p' || value, 'text', 'A title', 0,
  1790000000000 - iif(value <= 200000, value * 4320, 200000 * 4320 + (value - 200000) * 144000) FROM generate_series(?1, ?2)`

// TestRowsRead measures the rows of the list of sitemaps and of one sitemap, with many posts.
func TestRowsRead(t *testing.T) {
	many := stacktest.Large()
	if many == 0 {
		t.Skip("PLAZA_SLOW=1 runs it, for a minute")
	}
	s := storetest.Open(t)
	s.CommunityOn(0, s.Member("ann"), "many")
	began := time.Now()
	for from := 1; from < many; from += 20_000 {
		s.ExecAt(data.ID(s.CommunityID("many")), manyPosts, from, from+19_999)
	}
	t.Logf("%d posts made in %s", many, time.Since(began).Round(time.Second))
	store := &sitemaps.Store{DB: s.DB}
	read := func(what string, add func(r *data.Read)) int64 {
		metered, meter := s.Metered()
		r := s.DB.Read()
		add(r)
		began := time.Now()
		require.NoError(t, r.Run(metered))
		t.Logf("%s: %d rows, %.1f ms", what, meter.RowsRead(), time.Since(began).Seconds()*1000)
		return meter.RowsRead()
	}
	var days func() []sitemaps.Day
	rows := read("the list", func(r *data.Read) { days = store.FindDays(r) })
	require.LessOrEqual(t, rows, int64(len(days())+1), "a row for each day")
	listed, most := 0, int64(0)
	for i, day := range days() {
		for _, part := range day.Parts() {
			if part.Number > 1 && i%5 > 0 {
				break
			}
			from, to := part.Span()
			metered, meter := s.Metered()
			r := s.DB.Read()
			found := store.FindPosts(r, from, to)
			require.NoError(t, r.Run(metered))
			require.LessOrEqual(t, meter.RowsRead(), int64(len(*found)+2), "only its own posts, and where they begin and end")
			listed, most = listed+1, max(most, meter.RowsRead())
		}
	}
	t.Logf("%d days; %d sitemaps read, %d rows at most", len(days()), listed, most)
	last := days()[len(days())-2].Parts()
	from, to := last[len(last)/2].Span()
	read("a sitemap of a day with "+last[0].String(), func(r *data.Read) { store.FindPosts(r, from, to) })
}
