package inbox_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/inbox"
	"plaza/data/events/outbox"
	"plaza/test/storetest"
)

// TestMessagesInAnyOrder delivers messages twice, reordered and not at all.
func TestMessagesInAnyOrder(t *testing.T) {
	k := open(t)
	members := []data.Actor{k.Member("ann"), k.Member("bob"), k.Member("cat"), k.Member("dan")}
	k.Community(members[0], "gophers")
	post := k.Post(members[0], "gophers", "A post")
	_, err := k.inbox.Watch(storetest.Ctx, members[3], post.ID, inbox.Followed)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	var messages []outbox.Due
	comments, gone := []data.ID{0}, map[data.ID]bool{}
	for range 40 {
		parent := comments[rng.IntN(len(comments))]
		if gone[parent] {
			parent = 0
		}
		author := rng.IntN(len(members))
		c := k.Comment(members[author], post.ID, parent, []string{"hello", "hello @ann", "see @bob @cat"}[rng.IntN(3)])
		comments = append(comments, c.ID)
		messages = append(messages, outbox.Due{Job: outbox.JobNotify, Subject: c.ID})
		switch rng.IntN(4) {
		case 0:
			k.edit(members[author], c.ID, "well, @dan and @ann")
			messages = append(messages, outbox.Due{Job: outbox.JobUpdate, Subject: c.ID})
		case 1:
			_, err := k.Comments.Delete(storetest.Ctx, members[author], c.ID)
			require.NoError(t, err)
			gone[c.ID] = true
			messages = append(messages, outbox.Due{Job: outbox.JobUpdate, Subject: c.ID})
		}
	}
	messages = append(messages, messages...)
	rng.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
	for _, m := range messages[:len(messages)*2/3] {
		k.consume(m.Job, m.Subject)
	}
	k.retry()
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE job NOT IN ('timeline', 'forget')"))
	k.counted()
	require.Equal(t, k.One("SELECT count(*) FROM inbox"), k.One("SELECT count(*) FROM (SELECT DISTINCT user_id, subject_id FROM inbox)"))
	names := map[data.ID]string{}
	for _, m := range members {
		names[m.UserID] = m.Name
	}
	for _, id := range comments[1:] {
		row := k.Rows("SELECT author_id, body, parent_id FROM comments WHERE id = ?1", int64(id))[0]
		author, body, repliedTo := names[data.ID(row[0].(int64))], row[1].(string), "ann"
		if parent := row[2].(int64); parent != 0 {
			repliedTo = names[data.ID(k.One("SELECT author_id FROM comments WHERE id = ?1", parent).(int64))]
			if gone[data.ID(parent)] { // perhaps before this notification
				repliedTo = ""
			}
		}
		want := map[string]string{}
		if !gone[id] {
			want["dan"] = "thread"
			for name := range strings.FieldsSeq(strings.ReplaceAll(body, ",", "")) {
				if name, ok := strings.CutPrefix(name, "@"); ok {
					want[name] = "mention"
				}
			}
			want[repliedTo] = "reply"
			delete(want, author)
			delete(want, "")
		}
		got := map[string]string{}
		for _, notified := range k.notified(id) {
			name, kind, _ := strings.Cut(notified, ":")
			got[name] = kind
		}
		for name := range want {
			require.Contains(t, got, name, "%s: %s", body, got)
		}
		if gone[id] {
			require.Empty(t, got)
		}
		require.NotContains(t, got, author)
	}
}

// TestNotifyingInPieces has more followers than one delivery notifies.
func TestNotifyingInPieces(t *testing.T) {
	k := open(t)
	ann := k.Member("ann")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	const followers = 10_500
	k.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i, 'f' || i, 'f' || i, '', 0 FROM n`, followers)
	k.Exec("INSERT INTO watches (user_id, post_id, path, muted, created_at) SELECT id, ?1, 'x', 0, 0 FROM users WHERE id <= ?2",
		int64(post.ID), followers)
	c := k.Comment(ann, post.ID, 0, "for all of you")
	k.consume(outbox.JobNotify, c.ID)
	require.Equal(t, int64(10_000), k.One("SELECT count(*) FROM inbox"))
	require.Equal(t, int64(0), k.One("SELECT attempts FROM outbox WHERE job = 'notify'"),
		"it goes on a minute later, however often it has gone on")
	k.consume(outbox.JobNotify, c.ID)
	k.consume(outbox.JobNotify, c.ID)
	require.Equal(t, int64(followers), k.One("SELECT count(*) FROM inbox"))
	_, err := k.Comments.Delete(storetest.Ctx, ann, c.ID)
	require.NoError(t, err)
	last := k.One("SELECT max(id) FROM inbox")
	k.retry()
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM inbox WHERE user_id <> 0"))
	require.Equal(t, last, k.One("SELECT max(id) FROM inbox"), "its id is not used again")
	k.counted()
}
