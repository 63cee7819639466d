package listing_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// TestHome follows a post from its author's form to a follower's timeline.
func TestHome(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "Before", "text", "x")
	require.Contains(t, ben.Page("/home"), "Follow members")
	require.Contains(t, ben.Page("/"), `href="/home"`)
	require.Equal(t, "/login?next=%2Fhome", s.Visitor().Get("/home").Header().Get("Location"))

	ben.MustPost("/follow", "user", "ann", "on", "1")
	s.Deliver()
	require.Contains(t, ben.Page("/home"), "Before")
	ann.MustPost("/submit", "community", "gophers", "title", "In a community", "text", "x")
	ann.MustPost("/post", "text", "On the profile")
	soon := s.Now.Add(time.Hour).UTC().Format("2006-01-02T15:04")
	ann.MustPost("/submit", "community", "gophers", "title", "Scheduled", "text", "x", "status", "scheduled", "publish_at", soon)
	draft := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A draft", "text", "x", "status",
		"draft")))[0]
	s.Deliver()
	shows := func(titles ...string) {
		t.Helper()
		page, at := ben.Page("/home"), 0
		require.Len(t, workertest.Targets(page), len(titles))
		for _, title := range titles {
			next := strings.Index(page[at:], ">"+title+"<")
			require.GreaterOrEqual(t, next, 0, "%s in its place", title)
			at += next
		}
	}
	shows("On the profile", "In a community", "Before")
	s.Now = s.Now.Add(time.Hour)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	s.Deliver()
	ann.MustPost("/publish", "target", draft)
	s.Deliver()
	shows("A draft", "Scheduled", "On the profile", "In a community", "Before")

	ann.MustPost("/delete", "target", draft)
	hidden := workertest.Targets(ben.Page("/home"))[0]
	ben.MustPost("/hide", "target", hidden, "on", "1")
	shows("On the profile", "In a community", "Before")
	ben.MustPost("/follow", "user", "ann", "on", "0")
	shows()

	t.Run("a lost message is sent again by the retry job", func(t *testing.T) {
		ben.MustPost("/follow", "user", "ann", "on", "1")
		ann.MustPost("/post", "text", "Said while the queue was unavailable")
		s.Queue.Take(data.QueueEvents)
		shows()
		s.Now = s.Now.Add(2 * time.Minute)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		s.Deliver()
		shows("Said while the queue was unavailable", "On the profile", "In a community", "Before")
	})
}

// TestComingBack has a member come back after 40 days; sessions end before, so they log in again.
func TestComingBack(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ben.Page("/home")
	ben.MustPost("/follow", "user", "ann", "on", "1")
	s.Deliver()
	s.Now = s.Now.Add(40 * 24 * time.Hour)
	login := func(b *workertest.Browser, name string) {
		res := b.Post("/login", "login", name, "password", "correct horse")
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
	}
	login(ann, "ann")
	for i := range 5 {
		ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Missed ", i), "text", "x")
		s.Deliver()
	}
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM timeline"))
	login(ben, "ben")
	page := ben.Page("/home")
	require.Contains(t, page, "Welcome back")
	require.NotContains(t, page, "Missed 0")
	s.Deliver()
	s.Now = s.Now.Add(6 * time.Second)
	page = ben.Page("/home")
	require.NotContains(t, page, "Welcome back")
	require.Len(t, workertest.Targets(page), 5)
}

// TestHomeAfterManyWereDeleted has two pages of which nothing is left before a post that is there.
func TestHomeAfterManyWereDeleted(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ben.Page("/home")
	ben.MustPost("/follow", "user", "ann", "on", "1")
	s.DeliverAll()
	for i := range 61 {
		ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Post ", i), "text", "x")
	}
	s.DeliverAll()
	require.Equal(t, int64(61), s.One("SELECT count(*) FROM timeline"))
	s.Exec("UPDATE posts SET status = 'deleted', title = '[deleted]' WHERE title <> 'Post 0'")
	s.Now = s.Now.Add(6 * time.Second)
	page := ben.Page("/home")
	require.Len(t, workertest.Targets(page), 1)
	require.Contains(t, page, "Post 0")
	require.NotContains(t, page, "Next page")

	t.Run("and what the member does not want to see is left out as well", func(t *testing.T) {
		ann.MustPost("/submit", "community", "gophers", "title", "Not for work", "text", "x", "nsfw", "1")
		s.DeliverAll()
		require.Contains(t, ben.Page("/home"), "Not for work")
		ben.MustPost("/settings", "bio", "", "nsfw", "hide")
		page := ben.Page("/home")
		require.NotContains(t, page, "Not for work")
		require.Contains(t, page, "Post 0")
	})
}
