package inbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestWatchByTime delays the consumer: the time of a comment decides who is notified.
func TestWatchByTime(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	thread := func(title string) (id string) {
		return workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", title, "text", "text")))[0]
	}
	says := func(post, body string) { ben.MustPost("/comment", "post", post, "body", body) }
	cid := s.Member("cid")
	count := func(name, body string) int64 {
		return s.One("SELECT count(*) FROM inbox WHERE excerpt = ?1 AND user_id = (SELECT id FROM users WHERE username = ?2)", body, name).(int64)
	}
	watch := func(b *workertest.Browser, post, how string) { b.MustPost("/watch", "target", post, "watch", how) }

	t.Run("who begins to follow is not told of what was written before", func(t *testing.T) {
		post := thread("Followed")
		says(post, "before cid follows")
		watch(cid, post, "follow")
		watch(cid, post, "follow")
		says(post, "after cid follows")
		s.Deliver()
		require.Equal(t, []int64{0, 1}, []int64{count("cid", "before cid follows"), count("cid", "after cid follows")})
	})
	t.Run("following again after an end begins anew", func(t *testing.T) {
		post := thread("Followed twice")
		watch(cid, post, "follow")
		watch(cid, post, "none")
		says(post, "between two follows")
		watch(cid, post, "follow")
		s.Deliver()
		require.Zero(t, count("cid", "between two follows"))
	})
	t.Run("who has ended a mute is not told of what came while it lasted", func(t *testing.T) {
		post := thread("Muted")
		says(post, "before the mute")
		watch(ann, post, "mute")
		watch(ann, post, "mute")
		says(post, "while it is muted")
		watch(ann, post, "none")
		require.Contains(t, ann.Page("/c/gophers/p/muted"), "Mute")
		says(post, "after the mute")
		s.Deliver()
		require.Equal(t, []int64{1, 0, 1}, []int64{count("ann", "before the mute"), count("ann", "while it is muted"),
			count("ann", "after the mute")})
	})
	t.Run("nor who follows instead, or ends that as well", func(t *testing.T) {
		post := thread("Muted and followed")
		watch(ann, post, "mute")
		says(post, "to the muted")
		watch(ann, post, "follow")
		says(post, "to the follower")
		watch(ann, post, "none")
		says(post, "to the usual")
		s.Deliver()
		require.Equal(t, []int64{0, 1, 1}, []int64{count("ann", "to the muted"), count("ann", "to the follower"), count("ann", "to the usual")})
	})
	t.Run("an ended mute is forgotten after a day", func(t *testing.T) {
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM watches WHERE muted = 1"))
		s.Now = s.Now.Add(25 * time.Hour)
		require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
		require.Zero(t, s.One("SELECT count(*) FROM watches WHERE muted = 1"))
	})
}
