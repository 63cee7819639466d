package worker_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDraftsAreFound(t *testing.T) {
	s := mustOpen(t)
	ann, eve := s.member("ann"), s.member("eve")
	ann.mustPost("/communities", "name", "gophers")
	require.Contains(t, ann.page("/"), `<a href="/drafts">Drafts</a>`)
	require.Contains(t, ann.page("/drafts"), "You have no drafts.")
	var first string
	for i := range 60 {
		status := []string{"draft", "scheduled"}[i%2]
		to := ann.mustPost("/submit", "community", "gophers", "title", fmt.Sprintf("Draft %02d", i), "text", "x", "status", status, "publish_at", "2026-12-24T18:00")
		if i == 0 {
			first = to
		}
		if i < 3 {
			require.Contains(t, ann.page("/drafts"), to, "visible at once")
		}
	}
	walk := func(b *browser) (titles []string) {
		for path := "/drafts"; path != ""; {
			page := b.page(path)
			for _, m := range regexp.MustCompile(`>(Draft \d\d)</a>`).FindAllStringSubmatch(page, -1) {
				titles = append(titles, m[1])
			}
			path = ""
			if m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page); m != nil {
				path = m[1]
			}
		}
		return titles
	}
	t.Run("the last saved first, each once", func(t *testing.T) {
		titles := walk(ann)
		require.Len(t, titles, 60)
		for i, title := range titles {
			require.Equal(t, fmt.Sprintf("Draft %02d", 59-i), title)
		}
	})
	t.Run("one that is saved again comes first", func(t *testing.T) {
		id := targets(ann.page(first))[0]
		ann.mustPost("/draft", "target", id, "title", "Draft 00", "text", "more", "revision", "0")
		require.Equal(t, "Draft 00", walk(ann)[0])
	})
	t.Run("a scheduled one says when", func(t *testing.T) {
		require.Contains(t, ann.page("/drafts"), `will be published on 24 Dec 2026, 18:00 UTC`)
	})
	t.Run("nobody else's", func(t *testing.T) {
		require.Empty(t, walk(eve))
		res := s.visitor().get("/drafts")
		require.Equal(t, http.StatusSeeOther, res.Code)
		require.True(t, strings.HasPrefix(res.Header().Get("Location"), "/login?next="))
	})
	t.Run("what is published is none", func(t *testing.T) {
		ann.mustPost("/publish", "target", targets(ann.page(first))[0])
		require.Len(t, walk(ann), 59)
	})
}

func TestTheMenuSaysNothingFalse(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	require.NotContains(t, ann.page("/"), "karma")
	require.Contains(t, ann.page("/u/ann"), "0 karma")
}
