package community_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// ownShown are the communities that a page's sidebar names as the reader's.
func ownShown(page string) (names []string) {
	card := regexp.MustCompile(`(?s)<nav class="card" aria-label="Your communities">.*?</nav>`).FindString(page)
	for _, m := range regexp.MustCompile(`href="/c/([^"]*)"`).FindAllStringSubmatch(card, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestOwnCommunities(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	for _, name := range []string{"zebras", "Bees", "apes"} {
		ann.MustPost("/communities", "name", name)
	}
	ben.MustPost("/communities", "name", "yaks")
	pages := []string{"/", "/hot", "/yours/hot", "/home", "/c/apes", "/c/yaks/new"}

	t.Run("nobody has any to begin with", func(t *testing.T) {
		cid := s.Member("cid")
		for _, path := range pages {
			require.Empty(t, ownShown(cid.Page(path)), path)
		}
		require.Empty(t, ownShown(s.Visitor().Page("/")))
		require.Contains(t, cid.Page("/communities/yours"), "You have not joined a community yet.")
		require.Equal(t, http.StatusSeeOther, s.Visitor().Get("/communities/yours").Code)
	})
	for _, name := range []string{"zebras", "Bees"} {
		ben.MustPost("/subscribe", "community", name, "on", "1")
	}
	t.Run("those that are moderated come first, and then the others by name", func(t *testing.T) {
		for _, path := range pages {
			page := ben.Page(path)
			require.Equal(t, []string{"yaks", "Bees", "zebras"}, ownShown(page), path)
			require.Contains(t, page, "yaks</a><span class=\"mark\">moderator</span>")
		}
	})
	t.Run("one that is left goes at once", func(t *testing.T) {
		ben.MustPost("/subscribe", "community", "Bees", "on", "0")
		require.Equal(t, []string{"yaks", "zebras"}, ownShown(ben.Page("/")))
	})
	t.Run("of many thirty are shown, and all are listed", func(t *testing.T) {
		s.Exec(`INSERT INTO communities (id, name, name_key, title, colour, creator_id, created_at)
WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i << 22, 'many' || i, 'many' || i, '', '#00695c', 1,
  1 FROM n`)
		s.Exec("INSERT INTO subscriptions (user_id, community_id, created_at) SELECT u.id, c.id, 1 FROM users u, communities c " +
			"WHERE u.username = 'ben' AND c.name LIKE 'many%'")
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		ctx, meter := hrana.WithMeter(t.Context())
		res := ben.Send(ben.Request("/hot").WithContext(ctx))
		require.Len(t, ownShown(res.Body.String()), 30)
		require.Equal(t, "yaks", ownShown(res.Body.String())[0])
		require.Contains(t, res.Body.String(), `<a href="/communities/yours">All of your communities</a>`)
		require.LessOrEqual(t, meter.RowsRead(), int64(200), "two rows for each of those that are shown")
		require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests())

		seen := map[string]bool{}
		for path := "/communities/yours"; path != ""; {
			page := ben.Page(path)
			for _, m := range regexp.MustCompile(`<h2><a href="/c/([^"]*)"`).FindAllStringSubmatch(page, -1) {
				require.False(t, seen[m[1]], m[1])
				seen[m[1]] = true
			}
			m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page)
			if path = ""; m != nil {
				path = m[1]
			}
		}
		require.Len(t, seen, 202, fmt.Sprint(seen))
	})
}
