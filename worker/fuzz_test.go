package worker_test

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
)

func TestFuzzedCounts(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "Popular", "text", "x")
	small := ann.mustPost("/submit", "community", "gophers", "title", "Small", "text", "x")
	s.deliver()
	_, err := s.sql.Tx(t.Context(), hrana.Stmt{SQL: "UPDATE posts SET base_ups = 5000, base_downs = 700, ups = 5001, downs = 700, score = 4301 WHERE slug = 'popular'"})
	require.NoError(t, err)
	score := func(b *browser, path string) int64 {
		t.Helper()
		m := regexp.MustCompile(`title="(-?[\d,]+) points?`).FindStringSubmatch(b.page(path))
		require.NotNil(t, m)
		n, err := strconv.ParseInt(regexp.MustCompile(`,`).ReplaceAllString(m[1], ""), 10, 64)
		require.NoError(t, err)
		return n
	}
	t.Run("a moderator sees what is, others about that, the same for five minutes", func(t *testing.T) {
		require.Equal(t, int64(4301), score(ann, address))
		s.now = s.now.Truncate(5 * time.Minute)
		first := score(ben, address)
		require.InDelta(t, 4301, first, 4301/8+1)
		for range 5 {
			require.Equal(t, first, score(ben, address))
		}
		others := map[int64]bool{}
		for range 12 {
			s.now = s.now.Add(5 * time.Minute)
			others[score(ben, address)] = true
		}
		require.Greater(t, len(others), 3, "another window, another number")
	})
	t.Run("a listing and the post agree, and small counts are exact", func(t *testing.T) {
		s.now = s.now.Truncate(5 * time.Minute)
		onPost := score(ben, address)
		require.Contains(t, ben.page("/c/gophers/new"), `title="`+regexp.MustCompile(`(\d)(\d{3})$`).ReplaceAllString(strconv.FormatInt(onPost, 10), "$1,$2"))
		require.Equal(t, int64(1), score(ben, small))
	})
}
