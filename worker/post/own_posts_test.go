package post_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// walkDesk reads all pages of a list of the desk and returns the titles on them.
func walkDesk(b *workertest.Browser, path string) (titles []string) {
	b.Helper()
	for path != "" {
		page := b.Page(path)
		for _, m := range regexp.MustCompile(`>([A-Z][a-z]+ \d\d)</a>`).FindAllStringSubmatch(page, -1) {
			titles = append(titles, m[1])
		}
		path = ""
		if m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page); m != nil {
			path = m[1]
		}
	}
	return titles
}

var deskLists = []string{"/drafts", "/drafts/scheduled", "/drafts/published", "/drafts/archived", "/drafts/removed"}

func TestDesk(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, eve := s.Member("ann"), s.Member("eve")
	ann.MustPost("/communities", "name", "gophers")
	require.Contains(t, ann.Page("/"), `<a href="/drafts">Drafts</a>`)
	require.Contains(t, ann.Page("/drafts"), "No drafts.")
	addresses := map[string]string{}
	post := func(title, status string) {
		to := ann.MustPost("/submit", "community", "gophers", "title", title, "text", "x", "status", status, "publish_at", "2026-12-24T18:00")
		addresses[title] = to
	}
	for i := range 30 {
		post(fmt.Sprintf("Draft %02d", i), "draft")
		post(fmt.Sprintf("Later %02d", i), "scheduled")
		post(fmt.Sprintf("Shown %02d", i), "published")
		if i < 3 {
			require.Contains(t, ann.Page("/drafts"), addresses[fmt.Sprintf("Draft %02d", i)], "visible at once")
			require.Contains(t, ann.Page("/drafts/scheduled"), addresses[fmt.Sprintf("Later %02d", i)])
			require.Contains(t, ann.Page("/drafts/published"), addresses[fmt.Sprintf("Shown %02d", i)])
		}
	}
	t.Run("each list has its own, the newest first, each once", func(t *testing.T) {
		for path, word := range map[string]string{"/drafts": "Draft", "/drafts/scheduled": "Later", "/drafts/published": "Shown"} {
			titles := walkDesk(ann, path)
			require.Len(t, titles, 30)
			for i, title := range titles {
				require.Equal(t, fmt.Sprintf("%s %02d", word, 29-i), title)
			}
		}
	})
	id := func(title string) string { return workertest.Targets(ann.Page(addresses[title]))[0] }
	t.Run("one that is saved again comes first", func(t *testing.T) {
		ann.MustPost("/draft", "target", id("Draft 00"), "title", "Draft 00", "text", "more", "revision", "0")
		require.Equal(t, "Draft 00", walkDesk(ann, "/drafts")[0])
	})
	t.Run("a scheduled one says when, in its author's time zone", func(t *testing.T) {
		require.Contains(t, ann.Page("/drafts/scheduled"), `will be posted on 24 Dec 2026, 18:00 UTC`)
		ann.MustPost("/settings", "zone", "Asia/Tokyo")
		require.Contains(t, ann.Page("/drafts/scheduled"), `will be posted on 25 Dec 2026, 03:00 JST`)
	})
	t.Run("what changes its status changes its list", func(t *testing.T) {
		ann.MustPost("/publish", "target", id("Draft 01"))
		require.Equal(t, "Draft 01", walkDesk(ann, "/drafts/published")[0])
		require.Len(t, walkDesk(ann, "/drafts"), 29)
		ann.MustPost("/delete", "target", id("Draft 02"))
		require.Len(t, walkDesk(ann, "/drafts"), 28)
		ann.MustPost("/c/gophers/mod/decide", "target", id("Shown 03"), "decision", "remove", "rule", "Spam")
		require.Equal(t, []string{"Shown 03"}, walkDesk(ann, "/drafts/removed"))
		require.Contains(t, ann.Page("/drafts/removed"), "removed by a moderator")
		require.Len(t, walkDesk(ann, "/drafts/published"), 30)
	})
	t.Run("what is held waits", func(t *testing.T) {
		s.Exec(`UPDATE posts SET status = 'removed', held = 1 WHERE title = 'Shown 04'`)
		require.Equal(t, []string{"Shown 04", "Shown 03"}, walkDesk(ann, "/drafts/removed"))
		require.Contains(t, ann.Page("/drafts/removed"), "waits for a moderator")
	})
	t.Run("what is too old for votes is archived", func(t *testing.T) {
		const old = 181 * 24 * 60 * 60 * 1000
		s.Exec(`UPDATE posts SET created_at = created_at - ? WHERE title IN ('Shown 05', 'Shown 06')`, old)
		require.Equal(t, []string{"Shown 06", "Shown 05"}, walkDesk(ann, "/drafts/archived"))
		require.Len(t, walkDesk(ann, "/drafts/published"), 27)
	})
	t.Run("nobody else's", func(t *testing.T) {
		for _, path := range deskLists {
			require.Empty(t, walkDesk(eve, path))
			res := s.Visitor().Get(path)
			require.Equal(t, http.StatusSeeOther, res.Code)
			require.True(t, strings.HasPrefix(res.Header().Get("Location"), "/login?next="))
		}
	})
}

func TestTheMenuSaysNothingFalse(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	require.NotContains(t, ann.Page("/"), "karma")
	require.Contains(t, ann.Page("/u/ann"), "0 karma")
}
