package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/worker/request"
)

// TestHome follows a post from its author's form to a follower's timeline.
func TestHome(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/submit", "community", "gophers", "title", "Before", "text", "x")
	require.Contains(t, ben.page("/home"), "Follow members")
	require.Contains(t, ben.page("/"), `href="/home"`)
	require.Equal(t, "/login?next=%2Fhome", s.visitor().get("/home").Header().Get("Location"))

	ben.mustPost("/follow", "user", "ann", "on", "1")
	s.deliver()
	require.Contains(t, ben.page("/home"), "Before")
	ann.mustPost("/submit", "community", "gophers", "title", "In a community", "text", "x")
	ann.mustPost("/post", "text", "On the profile")
	soon := s.now.Add(time.Hour).UTC().Format("2006-01-02T15:04")
	ann.mustPost("/submit", "community", "gophers", "title", "Scheduled", "text", "x", "status", "scheduled", "publish_at", soon)
	draft := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A draft", "text", "x", "status", "draft")))[0]
	s.deliver()
	shows := func(titles ...string) {
		t.Helper()
		page, at := ben.page("/home"), 0
		require.Len(t, targets(page), len(titles))
		for _, title := range titles {
			next := strings.Index(page[at:], ">"+title+"<")
			require.GreaterOrEqual(t, next, 0, "%s in its place", title)
			at += next
		}
	}
	shows("On the profile", "In a community", "Before")
	s.now = s.now.Add(time.Hour)
	require.NoError(t, s.app.Scheduled(context.Background(), s.now))
	s.deliver()
	ann.mustPost("/publish", "target", draft)
	s.deliver()
	shows("A draft", "Scheduled", "On the profile", "In a community", "Before")

	ann.mustPost("/delete", "target", draft)
	hidden := targets(ben.page("/home"))[0]
	ben.mustPost("/hide", "target", hidden, "on", "1")
	shows("On the profile", "In a community", "Before")
	ben.mustPost("/follow", "user", "ann", "on", "0")
	shows()

	t.Run("a lost message is sent again by the sweep", func(t *testing.T) {
		ben.mustPost("/follow", "user", "ann", "on", "1")
		ann.mustPost("/post", "text", "Said while the queue was away")
		s.queue.take(request.QueueEvents)
		shows()
		s.now = s.now.Add(2 * time.Minute)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		s.deliver()
		shows("Said while the queue was away", "On the profile", "In a community", "Before")
	})
}

// TestComingBack has a member come back after 40 days; sessions end before, so they log in again.
func TestComingBack(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ben.page("/home")
	ben.mustPost("/follow", "user", "ann", "on", "1")
	s.deliver()
	s.now = s.now.Add(40 * 24 * time.Hour)
	login := func(b *browser, name string) {
		res := b.post("/login", "login", name, "password", "correct horse")
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
	}
	login(ann, "ann")
	for i := range 5 {
		ann.mustPost("/submit", "community", "gophers", "title", fmt.Sprint("Missed ", i), "text", "x")
		s.deliver()
	}
	require.Equal(t, int64(0), s.one("SELECT count(*) FROM timeline"))
	login(ben, "ben")
	page := ben.page("/home")
	require.Contains(t, page, "Welcome back")
	require.NotContains(t, page, "Missed 0")
	s.deliver()
	s.now = s.now.Add(6 * time.Second)
	page = ben.page("/home")
	require.NotContains(t, page, "Welcome back")
	require.Len(t, targets(page), 5)
}

// TestHomeAfterManyWereDeleted has two pages of which nothing is left before a post that is there.
func TestHomeAfterManyWereDeleted(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ben.page("/home")
	ben.mustPost("/follow", "user", "ann", "on", "1")
	s.deliverAll()
	for i := range 61 {
		ann.mustPost("/submit", "community", "gophers", "title", fmt.Sprint("Post ", i), "text", "x")
	}
	s.deliverAll()
	require.Equal(t, int64(61), s.one("SELECT count(*) FROM timeline"))
	s.exec("UPDATE posts SET status = 'deleted', title = '[deleted]' WHERE title <> 'Post 0'")
	s.now = s.now.Add(6 * time.Second)
	page := ben.page("/home")
	require.Len(t, targets(page), 1)
	require.Contains(t, page, "Post 0")
	require.NotContains(t, page, "Next page")

	t.Run("and what the member does not want to see is left out as well", func(t *testing.T) {
		ann.mustPost("/submit", "community", "gophers", "title", "Not for work", "text", "x", "nsfw", "1")
		s.deliverAll()
		require.Contains(t, ben.page("/home"), "Not for work")
		ben.mustPost("/settings", "bio", "", "nsfw", "hide")
		page := ben.page("/home")
		require.NotContains(t, page, "Not for work")
		require.Contains(t, page, "Post 0")
	})
}
