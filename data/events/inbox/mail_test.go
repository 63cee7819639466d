package inbox_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/events/mails"
	"plaza/data/events/outbox"
	"plaza/test/storetest"
)

// mailed is a member with a confirmed address. Another member replies to their post.
type mailed struct {
	*kit
	ann, bob data.Actor
	post     data.ID
}

func openMailed(t *testing.T, k *kit) *mailed {
	m := &mailed{kit: k, ann: k.Member("ann"), bob: k.Member("bob")}
	k.Exec("UPDATE users SET email = 'ann@example.org', email_key = 'ann@example.org', email_confirmed_at = 1 WHERE id = ?1",
		int64(m.ann.UserID))
	k.Community(m.ann, "gophers")
	m.post = k.Post(m.ann, "gophers", "A post").ID
	return m
}

// say replies to the post, and notifies.
func (m *mailed) say(body string) data.ID {
	m.Helper()
	c := m.Comment(m.bob, m.post, 0, body)
	m.consume(outbox.JobNotify, c.ID)
	return c.ID
}

// enqueue enqueues the mails that are due after some time, and returns the text of each, none for one that is not sent.
func (m *mailed) enqueue(after time.Duration) (sent [][]string) {
	m.Helper()
	*m.Clock = m.Clock.Add(after)
	require.NoError(m, m.inbox.EnqueueMails(storetest.Ctx))
	claimed, err := (&mails.Store{Base: m.Posts.Base}).Claim(storetest.Ctx, m.Asked(mails.Word))
	require.NoError(m, err)
	for _, mail := range claimed {
		items, err := m.inbox.FindToMail(storetest.Ctx, mail.Mail, 20)
		require.NoError(m, err)
		words := []string{}
		for _, i := range items {
			words = append(words, i.Excerpt)
		}
		sent = append(sent, words)
	}
	return sent
}

func TestMailsOfThreads(t *testing.T) {
	m := openMailed(t, open(t))
	first := m.say("one")
	require.Equal(t, [][]string{{"one"}}, m.enqueue(0))

	t.Run("who deletes an answer and writes another is mailed again", func(t *testing.T) {
		_, err := m.Comments.Delete(storetest.Ctx, m.bob, first)
		require.NoError(t, err)
		m.consume(outbox.JobUpdate, first)
		m.say("two")
		require.Equal(t, [][]string{{"two"}}, m.enqueue(11*time.Minute))
	})
	t.Run("an edit mails nothing again, however late", func(t *testing.T) {
		c := m.say("three")
		require.Equal(t, [][]string{{"three"}}, m.enqueue(11*time.Minute))
		for _, later := range []time.Duration{time.Hour, 30 * time.Hour} {
			*m.Clock = m.Clock.Add(later)
			require.NoError(t, m.inbox.PurgeMailed(storetest.Ctx))
			m.edit(m.bob, c, "three, I mean")
			m.consume(outbox.JobUpdate, c)
			require.Empty(t, m.enqueue(11*time.Minute), later)
		}
	})
	t.Run("what waits when its thread is muted is not mailed", func(t *testing.T) {
		m.say("four")
		require.Len(t, m.enqueue(0), 1)
		m.say("five")
		_, err := m.inbox.Watch(storetest.Ctx, m.ann, m.post, inbox.Muted)
		require.NoError(t, err)
		require.Equal(t, [][]string{{}}, m.enqueue(11*time.Minute))
		_, err = m.inbox.Watch(storetest.Ctx, m.ann, m.post, inbox.Usual)
		require.NoError(t, err)
	})
	t.Run("what nobody leaves for a day is forgotten", func(t *testing.T) {
		*m.Clock = m.Clock.Add(time.Hour)
		m.say("six")
		*m.Clock = m.Clock.Add(25 * time.Hour)
		require.NoError(t, m.inbox.PurgeMailed(storetest.Ctx))
		require.Equal(t, int64(0), m.One("SELECT count(*) FROM thread_mails"))
		require.Empty(t, m.enqueue(time.Hour))
	})
}

// TestNotifiedWhileMailsAreEnqueued: a member replies between the two requests of EnqueueMails.
func TestNotifiedWhileMailsAreEnqueued(t *testing.T) {
	k, other := openTwo(t)
	m := openMailed(t, k)
	m.say("one")
	requests := 0
	between := &storetest.Trouble{Hook: func() {
		if requests++; requests == 2 {
			m.say("two")
		}
	}}
	require.NoError(t, other.EnqueueMails(storetest.With(storetest.Ctx, storetest.ToSQL, between)))
	require.Equal(t, int64(1), m.One("SELECT count(*) FROM mails"))
	require.Equal(t, 2, requests)
	require.Empty(t, m.enqueue(5*time.Minute))
	require.Equal(t, [][]string{{"two"}}, m.enqueue(6*time.Minute))
	require.Empty(t, m.enqueue(time.Hour))
}

func TestDigestsKeepTheirTime(t *testing.T) {
	m := openMailed(t, open(t))
	choose := func(days int) {
		t.Helper()
		require.NoError(t, m.inbox.ChooseMail(storetest.Ctx, m.ann, inbox.MailChoices{Replies: inbox.MailDigest, Mentions: inbox.MailNever,
			Threads: inbox.MailNever, Days: days}))
	}
	at := func() int64 { return m.One("SELECT digest_at FROM mail_choices").(int64) }
	const day = 24 * time.Hour
	choose(1)
	first := at()
	m.say("one")
	require.Equal(t, [][]string{{"one"}}, m.enqueue(day+40*time.Minute), "the job was late")
	require.Equal(t, first+day.Milliseconds(), at())
	require.Len(t, m.enqueue(3*day), 1, "one for all that were missed")
	require.Equal(t, first+4*day.Milliseconds(), at())
	choose(1)
	require.Equal(t, first+4*day.Milliseconds(), at(), "choosing the same changes nothing")
	choose(7)
	require.Greater(t, at(), first+9*day.Milliseconds())
	m.say("two")
	require.Equal(t, [][]string{{"two"}}, m.enqueue(8*day))
}
