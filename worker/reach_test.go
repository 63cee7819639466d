package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/stack"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
)

// reach counts the inbox entries and mails that members get.
type reach struct {
	*workertest.Site
	box *stack.Mailbox
}

func openReach(t *testing.T) *reach {
	s := workertest.OpenSite(t, storetest.OpenDatabases(t), stacktest.OpenRedis(t), 1) // with the limits that a site has
	return &reach{Site: s, box: s.Mailbox()}
}

// mailed is a member with a confirmed address.
func (r *reach) mailed(name string) *workertest.Browser {
	b := r.Member(name)
	r.Confirmed(name)
	return b
}

// of counts the entries in a member's inbox and the mails to them, once everything is delivered and the pause between mails is over.
func (r *reach) of(name string) [2]int {
	r.Helper()
	r.DeliverAll()
	r.Pass(11 * time.Minute)
	entries := r.One("SELECT count(*) FROM inbox WHERE user_id = (SELECT id FROM users WHERE username = ?1)", name).(int64)
	return [2]int{int(entries), len(r.box.Mails(name + "@example.org"))}
}

// TestDecisionsAboutStrangers bans and lifts members of the site again and again, in a community that was founded for that.
func TestDecisionsAboutStrangers(t *testing.T) {
	t.Parallel()
	r := openReach(t)
	mal, stranger, writer, subscriber, blocker := r.mailed("mal"), r.mailed("stranger"), r.mailed("writer"), r.mailed("subscriber"),
		r.mailed("blocker")
	mal.MustPost("/communities", "name", "trap")
	post := workertest.Targets(mal.Page(mal.MustPost("/submit", "community", "trap", "title", "A post", "text", "text")))[0]
	for _, b := range []*workertest.Browser{writer, blocker} {
		b.MustPost("/comment", "post", post, "body", "Words")
	}
	subscriber.MustPost("/subscribe", "community", "trap", "on", "1")
	stranger.MustPost("/block", "user", "mal", "on", "1")
	blocker.MustPost("/block", "user", "mal", "on", "1")
	attack := func(name string, times int) {
		for n := range times {
			fields := []string{"user", name, "decision", "ban", "rule", "Spam", "text", "Look at this: https://spam.example"}
			if n%2 == 1 {
				fields = []string{"user", name, "decision", "lift"}
			}
			mal.MustPost("/c/trap/mod/bans", fields...)
			r.of(name)
		}
	}

	t.Run("24 bans and lifts send a stranger nothing, whomever they block", func(t *testing.T) {
		attack("stranger", 20)
		res := mal.Post("/c/trap/mod/bans", "user", "stranger", "decision", "ban", "rule", "Spam")
		require.Equal(t, http.StatusTooManyRequests, res.Code)
		require.Contains(t, res.Body.String(), "A community that is younger than 30 days can decide 20 times a day about members who never "+
			"wrote there.")
		require.Equal(t, [2]int{0, 0}, r.of("stranger"))
		trap := data.ID(r.One("SELECT id FROM communities WHERE name = 'trap'").(int64))
		r.Sql.ExecAt(trap, "UPDATE communities SET created_at = created_at - 40 * 86400000 WHERE id = ?1", int64(trap))
		attack("stranger", 24)
		require.Equal(t, [2]int{0, 0}, r.of("stranger"))
	})
	r.Now = r.Now.Truncate(24 * time.Hour).Add(24 * time.Hour) // a new day, which the attacks below don't outlast
	t.Run("and one inbox entry and mail a day to who has written there, which says the last", func(t *testing.T) {
		attack("writer", 24)
		require.Equal(t, [2]int{1, 1}, r.of("writer"))
		require.Contains(t, writer.Page("/inbox/moderation"), "You are not banned from c/trap any more")
		require.Equal(t, http.StatusOK, writer.Get("/decisions/"+data.ID(r.One("SELECT subject_id FROM inbox WHERE event = 'unban'").(int64)).
			Text()).Code)
	})
	r.Now = r.Now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	t.Run("or joined", func(t *testing.T) {
		attack("subscriber", 24)
		require.Equal(t, [2]int{1, 1}, r.of("subscriber"))
	})
	t.Run("and nothing to who blocks the moderator, who can read the decision all the same", func(t *testing.T) {
		attack("blocker", 3)
		require.Equal(t, [2]int{0, 0}, r.of("blocker"))
		res := blocker.Post("/comment", "post", post, "body", "More words")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "You are banned from this community")
		entry := data.ID(r.One("SELECT max(id) FROM moderation_log WHERE action = 'ban'").(int64)).Text()
		require.Contains(t, blocker.Page("/decisions/"+entry), "You are banned from c/trap")
	})
	r.Now = r.Now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	t.Run("on the next day it is told again", func(t *testing.T) {
		attack("writer", 1)
		require.Equal(t, [2]int{2, 2}, r.of("writer"))
	})
	t.Run("a removal and an approval of one comment are one inbox entry a day as well", func(t *testing.T) {
		comment := data.ID(r.One("SELECT id FROM comments WHERE author_name = 'writer'").(int64)).Text()
		for n := range 12 {
			mal.MustPost("/c/trap/mod/decide", "target", comment, "decision", []string{"remove", "approve"}[n%2], "rule", []string{"Spam", ""}[n%2])
			r.of("writer")
		}
		require.Equal(t, [2]int{3, 3}, r.of("writer"))
	})
}

// TestModeratorsWriteFirst has moderators write to members who did not ask for it.
func TestModeratorsWriteFirst(t *testing.T) {
	t.Parallel()
	r := openReach(t)
	mal, reader := r.mailed("mal"), r.mailed("reader")
	r.mailed("stranger")
	mal.MustPost("/communities", "name", "trap")
	first := func(to, subject string) int {
		return mal.Post("/messages", "community", "trap", "user", to, "title", subject, "text", "Look at this: https://spam.example").Code
	}

	t.Run("a stranger gets nothing", func(t *testing.T) {
		for range 10 {
			require.Equal(t, http.StatusForbidden, first("stranger", "Hello"))
		}
		require.Equal(t, [2]int{0, 0}, r.of("stranger"))
	})
	require.Equal(t, http.StatusTooManyRequests, first("stranger", "Hello"), "new members write 10 times an hour")
	r.Now = r.Now.Add(3 * time.Hour)
	reader.MustPost("/subscribe", "community", "trap", "on", "1")
	t.Run("who joins gets one conversation a day, and five messages until they answer", func(t *testing.T) {
		to := mal.MustPost("/messages", "community", "trap", "user", "reader", "title", "Hello", "text", "Message 0")
		require.Equal(t, http.StatusUnprocessableEntity, first("reader", "Hello again"))
		sent := 1
		for n := range 10 {
			r.of("reader")
			if mal.Post(to, "text", "Message "+strings.Repeat("i", n+1)).Code == http.StatusSeeOther {
				sent++
			}
		}
		require.Equal(t, 5, sent)
		require.Equal(t, [2]int{5, 5}, r.of("reader"))
		mal.MustPost(to, "text", "A note is no message", "do", "note")
		reader.MustPost(to, "text", "What do you want?")
		mal.MustPost(to, "text", "Nothing")
		require.Equal(t, [2]int{6, 6}, r.of("reader"))

		reader.MustPost(to, "do", "close")
		require.Equal(t, http.StatusUnprocessableEntity, mal.Post(to, "text", "Really?").Code)
		r.Now = r.Now.Add(3 * 24 * time.Hour)
		require.Equal(t, http.StatusUnprocessableEntity, first("reader", "Again"), "they have closed the last one")
		r.Now = r.Now.Add(31 * 24 * time.Hour)
		mal, reader = r.LogIn("mal", "Firefox"), r.LogIn("reader", "Firefox")
		require.Equal(t, http.StatusSeeOther, first("reader", "Again"))
		r.Now = r.Now.Add(2 * 24 * time.Hour)
		reader.MustPost("/block", "user", "mal", "on", "1")
		require.Equal(t, http.StatusForbidden, first("reader", "And again"))
	})
	t.Run("who has written, reported something, or written to the moderators can be written to as well", func(t *testing.T) {
		post := workertest.Targets(mal.Page(mal.MustPost("/submit", "community", "trap", "title", "A post", "text", "text")))[0]
		writer, reporter, asker := r.Member("writer"), r.Member("reporter"), r.Member("asker")
		writer.MustPost("/comment", "post", post, "body", "Words")
		reporter.MustPost("/report", "target", post, "reason", "Spam")
		asker.MustPost("/messages", "community", "trap", "title", "A question", "text", "Who?")
		for _, name := range []string{"writer", "reporter", "asker"} {
			require.Equal(t, http.StatusSeeOther, first(name, "Hello"), name)
		}
	})
}

// TestMentionsOfStrangers mentions a member again and again.
func TestMentionsOfStrangers(t *testing.T) {
	t.Parallel()
	r := openReach(t)
	mal, stranger := r.mailed("mal"), r.mailed("stranger")
	mal.MustPost("/communities", "name", "trap")
	mention := func(times int, more string) {
		for n := range times {
			mal.MustPost("/submit", "community", "trap", "title", "Mention "+more+strings.Repeat("i", n), "text", "Look, @stranger")
			r.of("stranger")
		}
	}
	t.Run("a new account is heard three times a day, however often it writes", func(t *testing.T) {
		mention(12, "a")
		require.Equal(t, [2]int{3, 3}, r.of("stranger"))
		mention(12, "b")
		require.Equal(t, [2]int{3, 3}, r.of("stranger"))
	})
	t.Run("removing and approving tells once more at most, however often", func(t *testing.T) {
		post := data.ID(r.One("SELECT min(id) FROM posts").(int64)).Text()
		for n := range 6 {
			mal.MustPost("/c/trap/mod/decide", "target", post, "decision", []string{"remove", "approve"}[n%2], "rule", []string{"Spam", ""}[n%2])
			require.LessOrEqual(t, r.of("stranger")[1], 4)
		}
	})
	t.Run("an older one ten times", func(t *testing.T) {
		r.Now = r.Now.Add(8 * 24 * time.Hour)
		before := r.of("stranger")
		mention(14, "c")
		after := r.of("stranger")
		require.Equal(t, [2]int{10, 10}, [2]int{after[0] - before[0], after[1] - before[1]})
	})
	t.Run("and never by whom the member blocks", func(t *testing.T) {
		r.Now = r.Now.Add(48 * time.Hour)
		stranger.MustPost("/block", "user", "mal", "on", "1")
		before := r.of("stranger")
		mention(3, "d")
		require.Equal(t, before, r.of("stranger"))
	})
}

// TestQuietActions does everything else to a stranger that names them.
func TestQuietActions(t *testing.T) {
	r := openReach(t)
	mal, stranger, mod := r.mailed("mal"), r.mailed("stranger"), r.mailed("moddy")
	stranger.MustPost("/communities", "name", "garden")
	post := workertest.Targets(stranger.Page(stranger.MustPost("/submit", "community", "garden", "title", "Of the stranger", "text",
		"text")))[0]
	mal.MustPost("/communities", "name", "trap")
	before := r.of("stranger")

	t.Run("to follow, vote, save, hide, view, crosspost, report and post on one's own profile tells nobody", func(t *testing.T) {
		for _, on := range []string{"1", "0", "1"} {
			mal.MustPost("/follow", "user", "stranger", "on", on)
		}
		mal.MustPost("/vote", "target", post, "value", "1")
		mal.MustPost("/save", "target", post, "on", "1")
		mal.MustPost("/hide", "target", post, "on", "1")
		mal.MustPost("/submit", "community", "trap", "title", "Again", "crosspost", post)
		mal.MustPost("/report", "target", post, "reason", "Spam")
		mal.MustPost("/post", "text", "On my profile")
		require.Equal(t, before, r.of("stranger"))
	})
	t.Run("nor does it to invite them, which only counts in their header, for three communities at once", func(t *testing.T) {
		names := []string{"trap", "trapone", "traptwo", "trapthree"}
		taken := 0
		for i, name := range names {
			if i > 0 {
				mal.MustPost("/communities", "name", name)
			}
			for range 3 {
				if mal.Post("/c/"+name+"/moderators", "do", "invite", "user", "stranger", "role", "moderator").Code == http.StatusSeeOther {
					taken++
				}
			}
		}
		require.Equal(t, 9, taken)
		require.Equal(t, before, r.of("stranger"))
		require.Equal(t, int64(3), r.One("SELECT count(*) FROM moderator_invitations"))
		stranger.MustPost("/block", "user", "mal", "on", "1")
		require.Zero(t, r.One("SELECT count(*) FROM moderator_invitations"), "blocking takes them away")
		r.Now = r.Now.Add(3 * time.Hour)
		require.Equal(t, http.StatusUnprocessableEntity, mal.Post("/c/trap/moderators", "do", "invite", "user", "stranger", "role",
			"moderator").Code)
	})
	t.Run("a moderator who blocks a member is not told of what they write to the moderators; the others are", func(t *testing.T) {
		stranger.MustPost("/c/garden/moderators", "do", "invite", "user", "moddy", "role", "moderator")
		mod.MustPost("/c/garden/moderators/own", "do", "accept", "role", "moderator")
		before, others := r.of("stranger"), r.of("moddy")
		mal.MustPost("/messages", "community", "garden", "title", "Hello", "text", "Look at this")
		require.Equal(t, before, r.of("stranger"))
		require.Equal(t, others[0]+1, r.of("moddy")[0])
	})
}
