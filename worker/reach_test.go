package worker_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/stack"
)

// reach counts what reaches members.
type reach struct {
	*site
	box *stack.Mailbox
}

func openReach(t *testing.T) *reach {
	s := mustOpen(t)
	return &reach{site: s, box: s.mailbox()}
}

// mailed is a member with a confirmed address.
func (r *reach) mailed(name string) *browser {
	b := r.member(name)
	r.confirmed(name)
	return b
}

// of is how many entries the inbox of a member has, and how many mails came to them, once everything is delivered and the pause between mails is over.
func (r *reach) of(name string) [2]int {
	r.Helper()
	r.deliverAll()
	r.pass(11 * time.Minute)
	entries := r.one("SELECT count(*) FROM inbox WHERE user_id = (SELECT id FROM users WHERE username = ?1)", name).(int64)
	return [2]int{int(entries), len(r.box.Mails(name + "@example.org"))}
}

// TestDecisionsAboutStrangers bans and lifts members of the site again and again, in a community that was founded for that.
func TestDecisionsAboutStrangers(t *testing.T) {
	r := openReach(t)
	mal, stranger, writer, subscriber, blocker := r.mailed("mal"), r.mailed("stranger"), r.mailed("writer"), r.mailed("subscriber"), r.mailed("blocker")
	mal.mustPost("/communities", "name", "trap")
	post := targets(mal.page(mal.mustPost("/submit", "community", "trap", "title", "A post", "text", "text")))[0]
	for _, b := range []*browser{writer, blocker} {
		b.mustPost("/comment", "post", post, "body", "Words")
	}
	subscriber.mustPost("/subscribe", "community", "trap", "on", "1")
	stranger.mustPost("/block", "user", "mal", "on", "1")
	blocker.mustPost("/block", "user", "mal", "on", "1")
	attack := func(name string, times int) {
		for n := range times {
			fields := []string{"user", name, "decision", "ban", "rule", "Spam", "text", "Look at this: https://spam.example"}
			if n%2 == 1 {
				fields = []string{"user", name, "decision", "lift"}
			}
			mal.mustPost("/c/trap/mod/bans", fields...)
			r.of(name)
		}
	}

	t.Run("24 bans and lifts send a stranger nothing, whomever they block", func(t *testing.T) {
		attack("stranger", 24)
		require.Equal(t, [2]int{0, 0}, r.of("stranger"))
	})
	r.now = r.now.Truncate(24 * time.Hour).Add(24 * time.Hour) // a new day, which the attacks below don't outlast
	t.Run("and one notice and mail a day to who has written there, which says the last", func(t *testing.T) {
		attack("writer", 24)
		require.Equal(t, [2]int{1, 1}, r.of("writer"))
		require.Contains(t, writer.page("/inbox/moderation"), "You are not banned from c/trap any more")
		require.Equal(t, http.StatusOK, writer.get("/decisions/"+data.ID(r.one("SELECT subject_id FROM inbox WHERE notice = 'unban'").(int64)).Text()).Code)
	})
	r.now = r.now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	t.Run("or subscribed", func(t *testing.T) {
		attack("subscriber", 24)
		require.Equal(t, [2]int{1, 1}, r.of("subscriber"))
	})
	t.Run("and nothing to who blocks the moderator, who can read the decision all the same", func(t *testing.T) {
		attack("blocker", 3)
		require.Equal(t, [2]int{0, 0}, r.of("blocker"))
		res := blocker.post("/comment", "post", post, "body", "More words")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "You are banned from this community")
		entry := data.ID(r.one("SELECT max(id) FROM moderation_log WHERE action = 'ban'").(int64)).Text()
		require.Contains(t, blocker.page("/decisions/"+entry), "You are banned from c/trap")
	})
	r.now = r.now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	t.Run("on the next day it is told again", func(t *testing.T) {
		attack("writer", 1)
		require.Equal(t, [2]int{2, 2}, r.of("writer"))
	})
	t.Run("a removal and an approval of one comment are one notice a day as well", func(t *testing.T) {
		comment := data.ID(r.one("SELECT id FROM comments WHERE author_name = 'writer'").(int64)).Text()
		for n := range 12 {
			mal.mustPost("/c/trap/mod/decide", "target", comment, "decision", []string{"remove", "approve"}[n%2], "rule", []string{"Spam", ""}[n%2])
			r.of("writer")
		}
		require.Equal(t, [2]int{3, 3}, r.of("writer"))
	})
}
