package inbox_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/inbox"
	"plaza/data/outbox"
	"plaza/data/posts"
	"plaza/data/storetest"
	"plaza/data/threads"
	"plaza/stack/stacktest"
)

// kit are the stores, with an inbox.
type kit struct {
	*storetest.Stores
	inbox  *inbox.Store
	outbox *outbox.Store
}

func open(t *testing.T) *kit {
	s := storetest.Open(t)
	return &kit{s, &inbox.Store{DB: s.DB, Source: s.Posts.Source}, &outbox.Store{DB: s.DB, Source: s.Posts.Source}}
}

// consume is what the consumer of the events queue does with messages of one kind of work.
func (k *kit) consume(work outbox.Work, ids ...data.ID) {
	k.Helper()
	news, missed, err := k.inbox.Claim(storetest.Ctx, work, ids)
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
	require.NoError(k, k.inbox.Tell(storetest.Ctx, news))
}

// sweep does all work that waits, as the sweep would have it done.
func (k *kit) sweep() {
	k.Helper()
	for {
		*k.Clock = k.Clock.Add(2 * time.Minute)
		due, err := k.outbox.FindDue(storetest.Ctx)
		require.NoError(k, err)
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			k.consume(d.Work, d.Subject)
		}
	}
}

// told are the members who have a row about a post or comment, each with the reason.
func (k *kit) told(subject data.ID) (list []string) {
	k.Helper()
	for _, row := range k.Rows("SELECT u.username || ':' || i.kind FROM inbox i JOIN users u ON u.id = i.user_id WHERE i.subject_id = ?1 ORDER BY 1", int64(subject)) {
		list = append(list, row[0].(string))
	}
	return list
}

// counted asserts that users.unread and users.told are what the rows say.
func (k *kit) counted() {
	k.Helper()
	require.Equal(k, int64(0), k.One(`SELECT count(*) FROM users u WHERE unread <> (SELECT count(*) FROM inbox i WHERE i.user_id = u.id AND i.unread = 1)
  OR told <> (SELECT count(*) FROM inbox i WHERE i.user_id = u.id)`))
}

func (k *kit) page(a data.Actor, list data.Order, after data.Cursor, limit int) *inbox.Page {
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
	_, err := k.Comments.Edit(storetest.Ctx, a, threads.Edit{ID: id, Body: body, BodyHTML: body, Revision: c.Revision})
	require.NoError(k, err)
}

func TestWhoIsTold(t *testing.T) {
	k := open(t)
	ann, bob, cat, dan := k.Member("ann"), k.Member("bob"), k.Member("cat"), k.Member("dan")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	_, err := k.inbox.Watch(storetest.Ctx, dan, post.ID, inbox.Followed)
	require.NoError(t, err)

	say := func(a data.Actor, parent data.ID, body string) data.ID {
		t.Helper()
		c := k.Comment(a, post.ID, parent, body)
		k.consume(outbox.WorkTell, c.ID)
		return c.ID
	}
	first := say(bob, 0, "hello")
	t.Run("the author of the post, and who follows the thread", func(t *testing.T) {
		require.Equal(t, []string{"ann:answer", "dan:thread"}, k.told(first))
	})
	t.Run("the author of the comment that is answered, and not that of the post", func(t *testing.T) {
		require.Equal(t, []string{"bob:answer", "dan:thread"}, k.told(say(cat, first, "welcome")))
	})
	t.Run("who is mentioned, in whatever case, once each", func(t *testing.T) {
		require.Equal(t, []string{"ann:mention", "cat:mention", "dan:thread"}, k.told(say(bob, first, "ask @Ann or @cat @ANN @nobody")))
	})
	t.Run("once, when an answer also mentions, and when a follower is mentioned", func(t *testing.T) {
		require.Equal(t, []string{"bob:answer", "dan:mention"}, k.told(say(ann, first, "yes @bob and @dan")))
	})
	t.Run("nobody of what they have written themselves", func(t *testing.T) {
		require.Equal(t, []string{"dan:thread"}, k.told(say(bob, first, "as I @bob said")))
		require.Equal(t, []string{"ann:answer"}, k.told(say(dan, 0, "mine")))
	})
	t.Run("nobody in a thread that they have muted", func(t *testing.T) {
		for _, a := range []data.Actor{ann, dan} {
			_, err := k.inbox.Watch(storetest.Ctx, a, post.ID, inbox.Muted)
			require.NoError(t, err)
		}
		require.Equal(t, []string{"bob:mention"}, k.told(say(cat, 0, "@ann @bob @dan")))
		_, err := k.inbox.Watch(storetest.Ctx, ann, post.ID, inbox.Usual)
		require.NoError(t, err)
		require.Equal(t, []string{"ann:answer"}, k.told(say(cat, 0, "again")))
	})
	t.Run("nobody by somebody whom they block", func(t *testing.T) {
		block := "INSERT INTO blocks (blocker_id, blocked_id, created_at) VALUES (?1, ?2, 0)"
		_, err := k.SQL.Tx(storetest.Ctx, storetest.StmtOf(block, int64(bob.UserID), int64(cat.UserID)))
		require.NoError(t, err)
		require.Equal(t, []string{"ann:answer"}, k.told(say(cat, 0, "@bob @dan")))
		_, err = k.SQL.Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM blocks"))
		require.NoError(t, err)
	})
	t.Run("nobody who is suspended", func(t *testing.T) {
		k.Exec("UPDATE users SET status = 'suspended' WHERE username = 'cat'")
		require.Equal(t, []string{"ann:answer", "bob:mention"}, k.told(say(dan, 0, "@cat @bob")))
		k.Exec("UPDATE users SET status = 'active'")
	})
	t.Run("at most ten that a comment mentions", func(t *testing.T) {
		names := ""
		for i := range 12 {
			names += fmt.Sprint(" @many", i)
			k.Member(fmt.Sprint("many", i))
		}
		require.Len(t, k.told(say(ann, first, "hello"+names)), inbox.MentionsMax+1, "and who is answered")
	})
	t.Run("whom a post mentions", func(t *testing.T) {
		p, err := k.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "For you", Text: "look, @bob", TextHTML: "x"})
		require.NoError(t, err)
		silent := k.Post(ann, "gophers", "For nobody")
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE subject_id = ?1 AND work <> 'timeline'", int64(silent.ID)), "nothing is left for a text without a sign")
		k.consume(outbox.WorkTell, p.ID)
		require.Equal(t, []string{"bob:mention"}, k.told(p.ID))
	})
	k.sweep()
	k.counted()
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE work <> 'timeline'"))
}

func TestChanges(t *testing.T) {
	k := open(t)
	ann, bob, cat := k.Member("ann"), k.Member("bob"), k.Member("cat")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	c := k.Comment(bob, post.ID, 0, "one @cat")
	k.consume(outbox.WorkTell, c.ID)
	require.Equal(t, []string{"ann:answer", "cat:mention"}, k.told(c.ID))

	t.Run("an edit tells whom it mentions for the first time, and no one else again", func(t *testing.T) {
		dan := k.Member("dan")
		_, err := k.inbox.MarkRead(storetest.Ctx, cat, inbox.Which{Newest: 1 << 40})
		require.NoError(t, err)
		k.Exec("DELETE FROM inbox WHERE user_id = ?1", int64(ann.UserID)) // as a purge does
		k.edit(bob, c.ID, "two @cat @dan")
		k.consume(outbox.WorkAmend, c.ID)
		require.Equal(t, []string{"cat:mention", "dan:mention"}, k.told(c.ID))
		require.Equal(t, int64(0), k.One("SELECT unread FROM users WHERE id = ?1", int64(cat.UserID)))
		require.Equal(t, int64(1), k.One("SELECT unread FROM users WHERE id = ?1", int64(dan.UserID)))
	})
	t.Run("and shows what it says now", func(t *testing.T) {
		require.Equal(t, "two @cat @dan", k.page(cat, inbox.ListAll, data.Cursor{}, 5).Items()[0].Excerpt)
	})
	t.Run("who was mentioned before is not told again when a purge has forgotten it", func(t *testing.T) {
		k.Exec("DELETE FROM inbox")
		k.edit(bob, c.ID, "three @cat @dan")
		k.consume(outbox.WorkAmend, c.ID)
		require.Empty(t, k.told(c.ID))
	})
	t.Run("an edit that comes before its comment was told", func(t *testing.T) {
		c := k.Comment(bob, post.ID, 0, "one")
		k.edit(bob, c.ID, "two @cat")
		k.consume(outbox.WorkAmend, c.ID)
		k.consume(outbox.WorkTell, c.ID)
		k.consume(outbox.WorkAmend, c.ID)
		require.Equal(t, []string{"ann:answer", "cat:mention"}, k.told(c.ID))
	})
	t.Run("what is deleted goes, and counts no longer", func(t *testing.T) {
		d := k.Comment(bob, post.ID, 0, "oh @cat")
		k.consume(outbox.WorkTell, d.ID)
		_, err := k.Comments.Delete(storetest.Ctx, bob, d.ID)
		require.NoError(t, err)
		k.consume(outbox.WorkAmend, d.ID)
		require.Empty(t, k.told(d.ID))
		k.counted()
	})
	t.Run("what is deleted before anybody was told tells nobody", func(t *testing.T) {
		d := k.Comment(bob, post.ID, 0, "oh @cat")
		_, err := k.Comments.Delete(storetest.Ctx, bob, d.ID)
		require.NoError(t, err)
		k.consume(outbox.WorkTell, d.ID)
		k.sweep()
		require.Empty(t, k.told(d.ID))
	})
	t.Run("what is deleted while others are told goes with the next sweep", func(t *testing.T) {
		d := k.Comment(bob, post.ID, 0, "oh @cat")
		news, _, err := k.inbox.Claim(storetest.Ctx, outbox.WorkTell, []data.ID{d.ID})
		require.NoError(t, err)
		_, err = k.Comments.Delete(storetest.Ctx, bob, d.ID)
		require.NoError(t, err)
		k.consume(outbox.WorkAmend, d.ID)
		require.NoError(t, k.inbox.Tell(storetest.Ctx, news))
		require.NotEmpty(t, k.told(d.ID))
		k.sweep()
		require.Empty(t, k.told(d.ID))
	})
	t.Run("the title of a post that is deleted goes, and its comments stay", func(t *testing.T) {
		_, err := k.Posts.Delete(storetest.Ctx, ann, post.ID)
		require.NoError(t, err)
		k.consume(outbox.WorkAmend, post.ID)
		items := k.page(cat, inbox.ListAll, data.Cursor{}, 5).Items()
		require.NotEmpty(t, items)
		require.Equal(t, "[deleted]", items[0].Title)
	})
	k.sweep()
	k.counted()
}

// TestMessagesInAnyOrder delivers messages doubled, reordered and not at all.
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
		messages = append(messages, outbox.Due{Work: outbox.WorkTell, Subject: c.ID})
		switch rng.IntN(4) {
		case 0:
			k.edit(members[author], c.ID, "well, @dan and @ann")
			messages = append(messages, outbox.Due{Work: outbox.WorkAmend, Subject: c.ID})
		case 1:
			_, err := k.Comments.Delete(storetest.Ctx, members[author], c.ID)
			require.NoError(t, err)
			gone[c.ID] = true
			messages = append(messages, outbox.Due{Work: outbox.WorkAmend, Subject: c.ID})
		}
	}
	messages = append(messages, messages...)
	rng.Shuffle(len(messages), func(i, j int) { messages[i], messages[j] = messages[j], messages[i] })
	for _, m := range messages[:len(messages)*2/3] {
		k.consume(m.Work, m.Subject)
	}
	k.sweep()
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE work <> 'timeline'"))
	k.counted()
	require.Equal(t, k.One("SELECT count(*) FROM inbox"), k.One("SELECT count(*) FROM (SELECT DISTINCT user_id, subject_id FROM inbox)"))
	names := map[data.ID]string{}
	for _, m := range members {
		names[m.UserID] = m.Name
	}
	for _, id := range comments[1:] {
		row := k.Rows("SELECT author_id, body, parent_id FROM comments WHERE id = ?1", int64(id))[0]
		author, body, answered := names[data.ID(row[0].(int64))], row[1].(string), "ann"
		if parent := row[2].(int64); parent != 0 {
			answered = names[data.ID(k.One("SELECT author_id FROM comments WHERE id = ?1", parent).(int64))]
			if gone[data.ID(parent)] { // perhaps before this was told
				answered = ""
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
			want[answered] = "answer"
			delete(want, author)
			delete(want, "")
		}
		got := map[string]string{}
		for _, told := range k.told(id) {
			name, kind, _ := strings.Cut(told, ":")
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

// TestTellingInPieces has more followers than one delivery tells.
func TestTellingInPieces(t *testing.T) {
	k := open(t)
	ann := k.Member("ann")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	const followers = 10_500
	k.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT i, 'f' || i, 'f' || i, '', 0 FROM n`, followers)
	k.Exec("INSERT INTO watches (user_id, post_id, path, muted, created_at) SELECT id, ?1, 'x', 0, 0 FROM users WHERE id <= ?2", int64(post.ID), followers)
	c := k.Comment(ann, post.ID, 0, "for all of you")
	k.consume(outbox.WorkTell, c.ID)
	require.Equal(t, int64(10_000), k.One("SELECT count(*) FROM inbox"))
	require.Equal(t, int64(0), k.One("SELECT attempts FROM outbox WHERE work = 'tell'"), "it goes on a minute later, however often it has gone on")
	k.consume(outbox.WorkTell, c.ID)
	k.consume(outbox.WorkTell, c.ID)
	require.Equal(t, int64(followers), k.One("SELECT count(*) FROM inbox"))
	_, err := k.Comments.Delete(storetest.Ctx, ann, c.ID)
	require.NoError(t, err)
	k.sweep()
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM inbox"))
	k.counted()
}

// fill puts rows into a member's inbox, without telling.
func (k *kit) fill(member data.Actor, from, n int) {
	k.Helper()
	k.Exec(`INSERT INTO inbox (user_id, kind, subject_id, post_id, community_name, slug, title, author_id, excerpt, created_at)
WITH RECURSIVE n(i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
SELECT ?1, iif(i % 1000 = 7, 'mention', iif(i % 3 = 0, 'answer', 'thread')), 2 * i + 1, i % 50 * 2, 'gophers', 'p' || (i % 50), 'Post', ?1, 'words', ?4 FROM n`,
		int64(member.UserID), from, from+n-1, k.Clock.UnixMilli())
}

func TestPages(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.fill(ann, 1, 500)
	k.fill(bob, 501, 10)
	_, err := k.inbox.MarkRead(storetest.Ctx, ann, inbox.Which{Thread: 4, Newest: 1 << 40})
	require.NoError(t, err)
	for list, condition := range map[data.Order]string{inbox.ListAll: "1", inbox.ListUnread: "unread = 1", inbox.ListAnswers: "kind = 'answer'", inbox.ListMentions: "kind = 'mention'"} {
		var want, got []data.ID
		for _, row := range k.Rows("SELECT id FROM inbox WHERE user_id = ?1 AND "+condition+" ORDER BY id DESC", int64(ann.UserID)) {
			want = append(want, data.ID(row[0].(int64)))
		}
		for after := (data.Cursor{}); ; {
			p := k.page(ann, list, after, 7)
			for _, i := range p.Items() {
				got = append(got, i.ID)
			}
			next, err := data.ParseCursor(byte(list), p.Next().String())
			require.NoError(t, err)
			if after = next; after.IsZero() {
				break
			}
			if len(got) == 14 { // somebody reads and writes between two pages
				k.fill(ann, 1000+int(list)*10, 3)
			}
		}
		require.Equal(t, want, got, string(list))
	}
	require.True(t, slices.IsSortedFunc(k.page(ann, inbox.ListAll, data.Cursor{}, 30).Items(), func(a, b *inbox.Item) int { return int(b.ID - a.ID) }))
}

func TestMarkRead(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.fill(ann, 1, 100)
	k.fill(bob, 101, 5)
	left := func(a data.Actor, which inbox.Which) int {
		t.Helper()
		n, err := k.inbox.MarkRead(storetest.Ctx, a, which)
		require.NoError(t, err)
		k.counted()
		return n
	}
	require.Equal(t, 99, left(ann, inbox.Which{Item: 1}))
	require.Equal(t, 99, left(ann, inbox.Which{Item: 1}), "once more changes nothing")
	require.Equal(t, 98, left(ann, inbox.Which{Subject: 2*2 + 1}))
	require.Equal(t, 5, left(bob, inbox.Which{Item: 3}), "somebody else's stays")
	require.Equal(t, 97, left(ann, inbox.Which{Thread: 6, Newest: 10}), "what came later, nobody has seen")
	require.Equal(t, 96, left(ann, inbox.Which{Thread: 6, Newest: 100}))
	require.Equal(t, 4, left(ann, inbox.Which{Newest: 96}))
	require.NoError(t, k.Sessions.End(storetest.Ctx, ann))
	_, err := k.inbox.MarkRead(storetest.Ctx, ann, inbox.Which{Newest: 100})
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
	require.Equal(t, int64(4), k.One("SELECT unread FROM users WHERE username = 'ann'"))
}

func TestWatch(t *testing.T) {
	k := open(t)
	ann := k.Member("ann")
	k.Community(ann, "Gophers")
	post := k.Post(ann, "gophers", "A post")
	find := func() inbox.Watch {
		r := k.DB.Read()
		w := k.inbox.FindWatch(r, ann.UserID, "gophers", post.Slug)
		require.NoError(t, r.Run(storetest.Ctx))
		return *w
	}
	for _, to := range []inbox.Watch{inbox.Followed, inbox.Muted, inbox.Muted, inbox.Followed, inbox.Usual, inbox.Usual} {
		url, err := k.inbox.Watch(storetest.Ctx, ann, post.ID, to)
		require.NoError(t, err)
		require.Equal(t, post.URL(), url)
		require.Equal(t, to, find())
	}
	draft, err := k.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "Later", Text: "x", Status: posts.Draft})
	require.NoError(t, err)
	for _, id := range []data.ID{draft.ID, post.ID + 2, post.ID + 1} {
		_, err := k.inbox.Watch(storetest.Ctx, ann, id, inbox.Followed)
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	}
	require.NoError(t, k.Sessions.End(storetest.Ctx, ann))
	_, err = k.inbox.Watch(storetest.Ctx, ann, post.ID, inbox.Followed)
	require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
}

func TestPurge(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	run := func(times int) {
		for range times {
			require.NoError(t, k.inbox.Purge(storetest.Ctx))
		}
		k.counted()
	}
	k.fill(bob, 1, 40)
	*k.Clock = k.Clock.Add(100 * 24 * time.Hour)
	k.fill(ann, 41, 2300)
	t.Run("the oldest beyond a thousand, in steps", func(t *testing.T) {
		run(1)
		require.Equal(t, int64(1800), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(ann.UserID)))
		run(2)
		require.Equal(t, int64(inbox.Most), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(ann.UserID)))
		require.Equal(t, int64(2341-inbox.Most), k.One("SELECT min(id) FROM inbox WHERE user_id = ?1", int64(ann.UserID)))
		require.Equal(t, int64(40), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(bob.UserID)))
	})
	t.Run("what is older than 180 days", func(t *testing.T) {
		*k.Clock = k.Clock.Add(81 * 24 * time.Hour)
		run(1)
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM inbox WHERE user_id = ?1", int64(bob.UserID)))
		require.Equal(t, int64(inbox.Most), k.One("SELECT count(*) FROM inbox"))
		*k.Clock = k.Clock.Add(100 * 24 * time.Hour)
		run(1)
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM inbox"))
	})
}

// TestRowsRead holds pages and the consumer to what they show and write, at 100,000 rows.
func TestRowsRead(t *testing.T) {
	k := open(t)
	ann, bob := k.Member("ann"), k.Member("bob")
	k.Community(ann, "gophers")
	post := k.Post(ann, "gophers", "A post")
	deep := data.Cursor{Order: byte(inbox.ListAll), ID: 50}
	rows := func() map[string]int64 {
		got := map[string]int64{}
		for name, list := range map[string]data.Order{"all": inbox.ListAll, "unread": inbox.ListUnread, "answers": inbox.ListAnswers, "mentions": inbox.ListMentions} {
			metered, meter := hrana.WithMeter(storetest.Ctx)
			r := k.DB.Read()
			k.inbox.Find(r, ann.UserID, list, data.Cursor{}, 30)
			require.NoError(t, r.Run(metered))
			got[name] = meter.RowsRead()
		}
		metered, meter := hrana.WithMeter(storetest.Ctx)
		r := k.DB.Read()
		k.inbox.Find(r, ann.UserID, inbox.ListAll, deep, 30)
		require.NoError(t, r.Run(metered))
		got["all, deep"] = meter.RowsRead()

		c := k.Comment(bob, post.ID, 0, "hello")
		metered, meter = hrana.WithMeter(storetest.Ctx)
		news, _, err := k.inbox.Claim(metered, outbox.WorkTell, []data.ID{c.ID})
		require.NoError(t, err)
		require.NoError(t, k.inbox.Tell(metered, news))
		got["telling"], got["telling, written"] = meter.RowsRead(), meter.RowsWritten()

		metered, meter = hrana.WithMeter(storetest.Ctx)
		_, err = k.inbox.MarkRead(metered, ann, inbox.Which{Subject: c.ID})
		require.NoError(t, err)
		got["reading one"] = meter.RowsRead()
		return got
	}
	k.fill(ann, 1, 31000)
	small := rows()
	k.fill(ann, 50000, 69000)
	large := rows()
	for name := range small {
		require.LessOrEqual(t, large[name], small[name]+12, name)
		require.LessOrEqual(t, large[name], int64(160), name)
	}
	t.Logf("%v at 31,000 rows\n%v at 100,000", small, large)
}

// openTwo is a kit, and another instance's way to the same inboxes, which can be cut off. It asks once.
func openTwo(t *testing.T) (k *kit, other *inbox.Store) {
	url, client := stacktest.OpenDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}), hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}, Attempts: 1})
	stacktest.ApplySchema(t, sql)
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	k = &kit{s, &inbox.Store{DB: s.DB, Source: s.Posts.Source}, &outbox.Store{DB: s.DB, Source: s.Posts.Source}}
	return k, &inbox.Store{DB: data.NewDB(line, line), Source: s.Posts.Source}
}

// TestKilledConsumer ends the consumer before each of its requests.
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
		news, _, err := other.Claim(ctx, outbox.WorkTell, []data.ID{c.ID})
		for _, of := range news {
			of.Names, of.Excerpt = []string{"cat"}, of.Body
		}
		if err == nil {
			err = other.Tell(ctx, news)
		}
		require.Equal(t, n < 3, err != nil, "it makes three requests: %v", err)
		k.sweep()
		require.Equal(t, []string{"ann:answer", "cat:mention"}, k.told(c.ID), n)
		k.counted()
	}
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM outbox WHERE work <> 'timeline'"))
}
