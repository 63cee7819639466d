package mover_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/delivery/outbox"
	"plaza/data/lists/hot"
	"plaza/data/moderation/notices"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/tools/mover"
	"plaza/worker"
	"plaza/worker/request"
)

// moving is a site with a directory and two shards, whose community gophers moves from the first shard to the second. One more instance
// knows where slots were before.
type moving struct {
	*workertest.Site
	old       *worker.App
	oldMap    *data.DB
	directory *storetest.Road // of the instance with the old map
	community data.ID
}

func openMoving(t *testing.T) *moving {
	t.Helper()
	url, client := stacktest.OpenSchemaDB(t)
	m := &moving{directory: &storetest.Road{Http: client}}
	sql := storetest.DatabasesOf(t, hrana.New(hrana.Options{URL: url, HTTP: client, ReadTime: stacktest.ReadTime}), stacktest.OpenSchema(t), stacktest.OpenSchema(t))
	m.Site = workertest.OpenSite(t, sql, stacktest.OpenRedisIfAny(t), 1000)
	m.FirstShard = true
	noWait := func(context.Context, time.Duration) error { return nil }
	m.oldMap = data.NewDB(hrana.New(hrana.Options{URL: url, HTTP: m.directory, Sleep: noWait, Attempts: 2,
		ReadTime: stacktest.ReadTime}), sql.Shards...)
	began := time.Now().Round(0)
	m.oldMap.SlotsNow = func() time.Time { return began } // else it would read the map anew on a slow machine
	c := m.Config
	c.DB = m.oldMap
	app, err := worker.New(c)
	require.NoError(t, err)
	m.old = app
	return m
}

// found notes the community that moves, once it is there.
func (m *moving) found() {
	m.community = data.ID(m.One("SELECT id FROM communities WHERE name_key = 'gophers'").(int64))
	require.Zero(m, m.Sql.Number(m.community))
}

// until moves the community until a step is done; "" is to the end.
func (m *moving) until(last string) {
	m.Helper()
	move := &mover.Move{Directory: m.Sql.Directory, Shards: m.Sql.Shards, Sleep: noSleep, After: func(step string, whole bool) error {
		if whole && step == last {
			return errStopped
		}
		return nil
	}}
	if err := move.Run(m.Context(), m.community.Slot(), 1); last != "" {
		require.ErrorIs(m, err, errStopped)
	} else {
		require.NoError(m, err)
	}
}

// switches moves the community until it is on the second shard. The old instance has read where it is right before, and the site's own knows
// where it is now.
func (m *moving) switches() {
	m.Helper()
	require.NoError(m, m.oldMap.ReadSlots(m.Context()))
	_, err := m.oldMap.Homes(m.Context(), []string{"gophers"})
	require.NoError(m, err)
	m.until(mover.StepSwitch)
	m.Config.DB = m.Sql.Open()
	m.Restart(m.Config)
	m.isOld()
}

// isOld requires that the old instance goes by the old shard.
func (m *moving) isOld() {
	m.Helper()
	require.Equal(m, m.oldMap.Shards()[0], m.oldMap.ShardOf(m.community), "the old instance has read the map anew")
}

// all are the messages that wait in a queue, and stay there.
func (m *moving) all() map[string][]request.Message {
	list := map[string][]request.Message{}
	for _, queue := range []string{request.QueueVotes, request.QueueEvents} {
		list[queue] = m.Queue.Take(queue)
		for _, message := range list[queue] {
			_ = m.Queue.Send(m.Context(), queue, message.Body) // it never fails
		}
	}
	return list
}

// consume hands messages to an instance, and returns those that it wants again.
func consume(m *moving, app *worker.App, messages map[string][]request.Message) (again []string) {
	m.Helper()
	for queue, list := range messages {
		retry, err := app.Consume(m.Context(), queue, list)
		require.NoError(m, err)
		for _, i := range retry {
			again = append(again, list[i].Body)
		}
	}
	return again
}

// TestQueueByAnOldMap has an instance with an old map consume messages while a community is closed on its old shard, and after it has moved,
// with its directory cut and without. What it can't do is done later. Nothing is lost, and nothing done twice.
func TestQueueByAnOldMap(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	m := openMoving(t)
	ann, ben, cat := m.Member("ann"), m.Member("ben"), m.Member("cat")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "gardens")
	m.found()
	ben.MustPost("/follow", "user", "ann", "on", "1")
	ben.Page("/home") // members who do not come have no timeline
	thread := ann.MustPost("/submit", "community", "gophers", "title", "A burrow", "text", "deep")
	post := workertest.Targets(ann.Page(thread))[0]
	spam := workertest.Targets(ann.Page(ben.MustPost("/submit", "community", "gophers", "title", "Spam", "text", "buy")))[0]
	m.DeliverAll()

	// One of each kind of work before the slot is closed, and one after it has moved. All messages are delivered again and again.
	n := 0
	write := func() {
		n++
		post2 := ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Post ", n), "link", fmt.Sprint("https://example.com/", n))
		ben.MustPost("/comment", "post", post, "body", fmt.Sprint("said ", n, " to @cat"))
		[]*workertest.Browser{ben, cat}[n-1].MustPost("/vote", "target", post, "value", "1")
		cat.MustPost("/vote", "target", workertest.Targets(cat.Page(post2))[0], "value", "-1")
	}
	write()
	cat.MustPost("/report", "target", spam, "reason", "Spam")
	before := m.all()
	require.NotEmpty(t, before[request.QueueVotes])
	words := map[string]bool{}
	for _, message := range before[request.QueueEvents] {
		word, _ := request.CutMessage(message.Body)
		words[word] = true
	}
	for _, word := range []outbox.Work{outbox.WorkNotify, outbox.WorkTimeline, outbox.WorkLink} {
		require.True(t, words[string(word)], word)
	}
	counted := func() []any {
		return m.Sql.Rows("SELECT ups, downs, comments FROM posts WHERE title = 'A burrow' AND (id >> 12) & 1023 " + data.Shown)[0]
	}

	require.NoError(t, m.oldMap.ReadSlots(t.Context()))
	m.until(mover.StepClose)
	for _, cut := range []bool{true, false} {
		m.directory.Cut.Store(cut)
		again := consume(m, m.old, before)
		require.Contains(t, again, "vote "+post, "closed")
		require.Equal(t, []any{int64(1), int64(0), int64(0)}, counted(), "closed")
	}

	m.switches()
	write()
	ann.MustPost("/c/gophers/mod/queue", "target", spam, "decision", "remove", "rule", "Spam")
	later := m.all()
	for _, cut := range []bool{true, false} {
		m.directory.Cut.Store(cut)
		m.isOld()
		consume(m, m.old, later)
		require.Equal(t, []any{int64(1), int64(0), int64(0)}, counted(), "an old map")
	}
	m.until("")

	// With the map as it is.
	for range 4 {
		m.Config.DB = m.Sql.Open()
		m.Restart(m.Config)
		m.Pass(5 * time.Minute)
		consume(m, m.App, later)
	}
	require.Equal(t, []any{int64(3), int64(0), int64(2)}, counted())
	require.Empty(t, m.Sql.RowsOfAll("SELECT target_id FROM vote_deltas UNION ALL SELECT post_id FROM count_deltas"))
	require.Empty(t, m.Sql.RowsOfAll("SELECT work, subject_id FROM outbox WHERE work <> 'forget'"))
	require.Equal(t, int64(3), m.One("SELECT count(*) FROM timeline t WHERE t.user_id = (SELECT id FROM users WHERE username = 'ben')"))
	for who, kinds := range map[string][][]any{"ann": {{"answer", int64(2), int64(2)}},
		"cat": {{"mention", int64(2), int64(2)}, {"thread", int64(1), int64(1)}}, "ben": {{"thread", int64(1), int64(1)}}} {
		require.Equal(t, kinds, m.Sql.Rows("SELECT kind, count(*), count(DISTINCT subject_id) FROM inbox WHERE user_id = (SELECT id FROM users "+
			"WHERE username = ?1) GROUP BY kind ORDER BY kind", who), who)
	}
	m.Verified()
}

// TestNoticeByAnOldMap has an instance with an old map look for what was decided about a notice that came after its post had moved: nothing
// yet. On the old shard the post is in no queue, as if it were gone.
func TestNoticeByAnOldMap(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	m := openMoving(t)
	m.LosesMessages = true // a notice is written by hand
	ann, ben := m.Member("ann"), m.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	m.found()
	post := workertest.Targets(ann.Page(ben.MustPost("/submit", "community", "gophers", "title", "A copy", "text", "deep")))[0]
	m.DeliverAll()
	m.switches()
	m.Exec("INSERT INTO notices (id, target_id, kind, text, name, email, mailbox, status) VALUES (1, ?1, 'rights', 'mine', 'Eve', 'eve@example.org', 'eve@example.org', 'open')",
		int64(workertest.MustID(t, post)))
	ann.MustPost("/report", "target", post, "reason", "Spam")
	notice := func() []any { return m.Sql.Rows("SELECT status, decision FROM notices")[0] }
	m.isOld()
	old, now := &notices.Store{Base: data.Base{DB: m.oldMap, Source: m.Config.Source}}, &notices.Store{Base: data.Base{DB: m.Config.DB, Source: m.Config.Source}}
	require.NoError(t, old.Settle(t.Context()))
	require.Equal(t, []any{"open", ""}, notice())
	ann.MustPost("/c/gophers/mod/queue", "target", post, "decision", "remove", "rule", "Spam")
	require.NoError(t, now.Settle(t.Context()))
	require.Equal(t, []any{"decided", "remove"}, notice())
}

// TestHotSetByAnOldMap has an instance with an old map make the set of a community anew. It has what was posted since, on the new shard. While
// the directory can't be asked, no set is made.
func TestHotSetByAnOldMap(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	m := openMoving(t)
	if m.Redis == nil {
		t.Skip("no sets without Redis")
	}
	ann := m.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	m.found()
	ann.MustPost("/submit", "community", "gophers", "title", "An old burrow", "text", "deep")
	m.DeliverAll()
	m.switches()
	ann.MustPost("/submit", "community", "gophers", "title", "A new burrow", "text", "deep")
	m.DeliverAll()
	_, err := m.Redis.Do(t.Context(), upstash.Cmd{"DEL", hot.KeyOf("gophers")})
	require.NoError(t, err)
	m.isOld()
	for _, cut := range []bool{true, false} {
		m.directory.Cut.Store(cut)
		again := consume(m, m.old, map[string][]request.Message{request.QueueEvents: {{Body: request.HotMessage("gophers"), Attempts: 1}}})
		require.Equal(t, cut, len(again) > 0)
		reply, err := m.Redis.Do(t.Context(), upstash.Cmd{"ZCARD", hot.KeyOf("gophers")})
		require.NoError(t, err)
		listed, err := reply.Int()
		require.NoError(t, err)
		require.Equal(t, map[bool]int64{true: 0, false: 3}[cut], listed, "two posts and the mark that it is whole")
	}
	for range 3 { // the first set is compared with a page after it was shown
		for _, title := range []string{"An old burrow", "A new burrow"} {
			require.Contains(t, m.Visitor().Page("/c/gophers"), title)
		}
		m.DeliverAll()
		m.Now = m.Now.Add(3 * time.Second)
	}
}
