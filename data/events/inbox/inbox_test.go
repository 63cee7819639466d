package inbox_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/events/inbox"
	"plaza/data/events/outbox"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// kit has the stores, and an inbox.
type kit struct {
	*storetest.Stores
	inbox  *inbox.Store
	outbox *outbox.Store
}

func open(t *testing.T) *kit {
	s := storetest.Open(t)
	// The consumers run in a new instance, which has no slots cached yet.
	db := s.Databases.Open()
	db.Send = func(ctx context.Context, queue string, bodies ...string) { s.DB.Send(ctx, queue, bodies...) }
	return &kit{s, &inbox.Store{Base: data.Base{DB: db, Source: s.Posts.Source}, Factor: 100}, &outbox.Store{Base: s.Posts.Base}}
}

// consume handles messages of one kind of work like the consumer of the events queue.
func (k *kit) consume(job outbox.Job, ids ...data.ID) {
	k.Helper()
	news, missed, err := k.inbox.Claim(storetest.Ctx, job, ids)
	require.NoError(k, err)
	require.Empty(k, missed)
	for _, n := range news {
		n.Excerpt = n.Body
		for _, word := range strings.Fields(n.Body) {
			if name, ok := strings.CutPrefix(word, "@"); ok {
				n.Names = append(n.Names, name)
			}
		}
	}
	require.NoError(k, k.inbox.Notify(storetest.Ctx, news))
}

// retry does all waiting work, like the retry job.
func (k *kit) retry() {
	k.Helper()
	for {
		*k.Clock = k.Clock.Add(2 * time.Minute)
		due, _, err := k.outbox.FindDue(storetest.Ctx, 0)
		require.NoError(k, err)
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			k.consume(d.Job, d.Subject)
		}
	}
}

// notified returns the members with a row about a post or comment, each with the reason.
func (k *kit) notified(subject data.ID) (list []string) {
	k.Helper()
	for _, row := range k.Rows("SELECT u.username || ':' || i.kind FROM inbox i JOIN users u ON u.id = i.user_id WHERE i.subject_id = ?1 "+
		"ORDER BY 1", int64(subject)) {
		list = append(list, row[0].(string))
	}
	return list
}

// counted asserts that users.unread and users.inbox_size match the rows.
func (k *kit) counted() {
	k.Helper()
	require.Equal(k, int64(0), k.One(`SELECT count(*) FROM users u WHERE unread <> (SELECT count(*) FROM inbox i WHERE i.user_id = u.id
  AND i.unread = 1)
  OR inbox_size <> (SELECT count(*) FROM inbox i WHERE i.user_id = u.id)`))
}

func (k *kit) page(a data.Actor, list data.Order, after data.Cursor, limit int) *data.Page[*inbox.Item] {
	k.Helper()
	r := k.DB.Read()
	p := k.inbox.Find(r, a.UserID, list, after, limit)
	require.NoError(k, r.Run(storetest.Ctx))
	return p
}

func (k *kit) edit(a data.Actor, id data.ID, body string) {
	k.Helper()
	r := k.DB.Read()
	c := k.Comments.FindSource(r, id)
	require.NoError(k, r.Run(storetest.Ctx))
	_, err := k.Comments.Edit(storetest.Ctx, a, comments.Edit{ID: id, Body: body, BodyHTML: body, Revision: c.Revision})
	require.NoError(k, err)
}

func TestWhoIsNotified(t *testing.T) {
	k := open(t)
	ann, bob, cat, dan := k.Member("ann"), k.Member("bob"), k.Member("cat"), k.Member("dan")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	_, err := k.inbox.Watch(storetest.Ctx, dan, post.ID, inbox.Followed)
	require.NoError(t, err)

	say := func(a data.Actor, parent data.ID, body string) data.ID {
		t.Helper()
		c := k.Comment(a, post.ID, parent, body)
		k.consume(outbox.JobNotify, c.ID)
		return c.ID
	}
	first := say(bob, 0, "hello")
	t.Run("the author of the post, and who follows the thread", func(t *testing.T) {
		require.Equal(t, []string{"ann:reply", "dan:thread"}, k.notified(first))
	})
	t.Run("the author of the comment that is answered, and not that of the post", func(t *testing.T) {
		require.Equal(t, []string{"bob:reply", "dan:thread"}, k.notified(say(cat, first, "welcome")))
	})
	t.Run("who is mentioned, in whatever case, once each", func(t *testing.T) {
		require.Equal(t, []string{"ann:mention", "cat:mention", "dan:thread"}, k.notified(say(bob, first, "ask @Ann or @cat @ANN @nobody")))
	})
	t.Run("once, when an answer also mentions, and when a follower is mentioned", func(t *testing.T) {
		require.Equal(t, []string{"bob:reply", "dan:mention"}, k.notified(say(ann, first, "yes @bob and @dan")))
	})
	t.Run("nobody of what they have written themselves", func(t *testing.T) {
		require.Equal(t, []string{"dan:thread"}, k.notified(say(bob, first, "as I @bob said")))
		require.Equal(t, []string{"ann:reply"}, k.notified(say(dan, 0, "mine")))
	})
	t.Run("nobody in a thread that they have muted", func(t *testing.T) {
		for _, a := range []data.Actor{ann, dan} {
			_, err := k.inbox.Watch(storetest.Ctx, a, post.ID, inbox.Muted)
			require.NoError(t, err)
		}
		require.Equal(t, []string{"bob:mention"}, k.notified(say(cat, 0, "@ann @bob @dan")))
		_, err := k.inbox.Watch(storetest.Ctx, ann, post.ID, inbox.Usual)
		require.NoError(t, err)
		require.Equal(t, []string{"ann:reply"}, k.notified(say(cat, 0, "again")))
	})
	t.Run("nobody by somebody whom they block", func(t *testing.T) {
		block := "INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES (?1, ?2, 0)"
		_, err := k.SQL.Tx(storetest.Ctx, storetest.StmtOf(block, int64(bob.UserID), int64(cat.UserID)))
		require.NoError(t, err)
		require.Equal(t, []string{"ann:reply"}, k.notified(say(cat, 0, "@bob @dan")))
		_, err = k.SQL.Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM blocks"))
		require.NoError(t, err)
	})
	t.Run("nobody who is suspended", func(t *testing.T) {
		k.Exec("UPDATE users SET status = 'suspended' WHERE username = 'cat'")
		require.Equal(t, []string{"ann:reply", "bob:mention"}, k.notified(say(dan, 0, "@cat @bob")))
		k.Exec("UPDATE users SET status = 'active'")
	})
	t.Run("at most ten that a comment mentions", func(t *testing.T) {
		names := ""
		for i := range 12 {
			names += fmt.Sprint(" @many", i)
			k.Member(fmt.Sprint("many", i))
		}
		require.Len(t, k.notified(say(ann, first, "hello"+names)), inbox.MentionsMax+1, "and who is answered")
	})
	t.Run("whom a post mentions", func(t *testing.T) {
		p, err := k.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "For you", Text: "look, @bob", TextHTML: "x"})
		require.NoError(t, err)
		silent := k.Post(ann, "gophers", "For nobody")
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE subject_id = ?1 AND job NOT IN ('timeline', 'forget')", int64(silent.ID)),
			"nothing is left for a text without a sign")
		k.consume(outbox.JobNotify, p.ID)
		require.Equal(t, []string{"bob:mention"}, k.notified(p.ID))
	})
	k.retry()
	k.counted()
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE job NOT IN ('timeline', 'forget')"))
}

func TestChanges(t *testing.T) {
	k := open(t)
	ann, bob, cat := k.Member("ann"), k.Member("bob"), k.Member("cat")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	c := k.Comment(bob, post.ID, 0, "one @cat")
	k.consume(outbox.JobNotify, c.ID)
	require.Equal(t, []string{"ann:reply", "cat:mention"}, k.notified(c.ID))

	t.Run("an edit tells whom it mentions for the first time, and no one else again", func(t *testing.T) {
		dan := k.Member("dan")
		_, err := k.inbox.MarkRead(storetest.Ctx, cat, inbox.Selection{Newest: 1 << 40})
		require.NoError(t, err)
		k.Exec("DELETE FROM inbox WHERE user_id = ?1", int64(ann.UserID)) // as a purge does
		k.edit(bob, c.ID, "two @cat @dan")
		k.consume(outbox.JobUpdate, c.ID)
		require.Equal(t, []string{"cat:mention", "dan:mention"}, k.notified(c.ID))
		require.Equal(t, int64(0), k.One("SELECT unread FROM users WHERE id = ?1", int64(cat.UserID)))
		require.Equal(t, int64(1), k.One("SELECT unread FROM users WHERE id = ?1", int64(dan.UserID)))
	})
	t.Run("and shows what it says now", func(t *testing.T) {
		require.Equal(t, "two @cat @dan", k.page(cat, inbox.ListAll, data.Cursor{}, 5).Items()[0].Excerpt)
	})
	t.Run("who was mentioned before is not told again when a purge has forgotten it", func(t *testing.T) {
		k.Exec("DELETE FROM inbox")
		k.edit(bob, c.ID, "three @cat @dan")
		k.consume(outbox.JobUpdate, c.ID)
		require.Empty(t, k.notified(c.ID))
	})
	t.Run("an edit that comes before its comment was told", func(t *testing.T) {
		c := k.Comment(bob, post.ID, 0, "one")
		k.edit(bob, c.ID, "two @cat")
		k.consume(outbox.JobUpdate, c.ID)
		k.consume(outbox.JobNotify, c.ID)
		k.consume(outbox.JobUpdate, c.ID)
		require.Equal(t, []string{"ann:reply", "cat:mention"}, k.notified(c.ID))
	})
	t.Run("what is deleted goes, and counts no longer", func(t *testing.T) {
		d := k.Comment(bob, post.ID, 0, "oh @cat")
		k.consume(outbox.JobNotify, d.ID)
		_, err := k.Comments.Delete(storetest.Ctx, bob, d.ID)
		require.NoError(t, err)
		k.consume(outbox.JobUpdate, d.ID)
		require.Empty(t, k.notified(d.ID))
		k.counted()
	})
	t.Run("what is deleted before anybody was told tells nobody", func(t *testing.T) {
		d := k.Comment(bob, post.ID, 0, "oh @cat")
		_, err := k.Comments.Delete(storetest.Ctx, bob, d.ID)
		require.NoError(t, err)
		k.consume(outbox.JobNotify, d.ID)
		k.retry()
		require.Empty(t, k.notified(d.ID))
	})
	t.Run("what is deleted while others are told goes with the next retry", func(t *testing.T) {
		d := k.Comment(bob, post.ID, 0, "oh @cat")
		news, _, err := k.inbox.Claim(storetest.Ctx, outbox.JobNotify, []data.ID{d.ID})
		require.NoError(t, err)
		_, err = k.Comments.Delete(storetest.Ctx, bob, d.ID)
		require.NoError(t, err)
		k.consume(outbox.JobUpdate, d.ID)
		require.NoError(t, k.inbox.Notify(storetest.Ctx, news))
		require.NotEmpty(t, k.notified(d.ID))
		k.retry()
		require.Empty(t, k.notified(d.ID))
	})
	t.Run("the title of a post that is deleted goes, and its comments stay", func(t *testing.T) {
		_, err := k.Posts.Delete(storetest.Ctx, ann, post.ID)
		require.NoError(t, err)
		k.consume(outbox.JobUpdate, post.ID)
		items := k.page(cat, inbox.ListAll, data.Cursor{}, 5).Items()
		require.NotEmpty(t, items)
		require.Equal(t, "[deleted]", items[0].Title)
	})
	k.retry()
	k.counted()
}

// openTwo is a kit, and a second instance with the same inboxes, whose connection can be cut. It makes one attempt.
func openTwo(t *testing.T) (k *kit, other *inbox.Store) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}, Attempts: 1})
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	k = &kit{s, &inbox.Store{Base: s.Posts.Base, Factor: 100}, &outbox.Store{Base: s.Posts.Base}}
	return k, &inbox.Store{Base: data.Base{DB: data.NewDB(line, line), Source: s.Posts.Source}, Factor: 100}
}

// TestKilledConsumer stops the consumer before each of its requests.
func TestKilledConsumer(t *testing.T) {
	k, other := openTwo(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.Member("cat")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	for n := range 4 {
		c := k.Comment(bob, post.ID, 0, "hello @cat")
		ctx := storetest.With(storetest.Ctx, storetest.ToSQL, &storetest.Trouble{
			Plan: slices.Concat(make([]storetest.Fault, n), slices.Repeat([]storetest.Fault{storetest.Drop}, 20))})
		news, _, err := other.Claim(ctx, outbox.JobNotify, []data.ID{c.ID})
		for _, of := range news {
			of.Names, of.Excerpt = []string{"cat"}, of.Body
		}
		if err == nil {
			err = other.Notify(ctx, news)
		}
		require.Equal(t, n < 3, err != nil, "it makes three requests: %v", err)
		k.retry()
		require.Equal(t, []string{"ann:reply", "cat:mention"}, k.notified(c.ID), n)
		k.counted()
	}
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE job NOT IN ('timeline', 'forget')"))
}
