package mover_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/delivery/outbox"
	"plaza/data/site/health"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/tools/mover"
	"plaza/worker/request"
)

// TestWorkBesideAClosedSlot delivers work of two communities of one shard together, while one of them is closed there and no process goes on
// with the move. The work of the other one is done. That of the closed one waits, and is done after the move.
func TestWorkBesideAClosedSlot(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	m := openMoving(t)
	ann, ben, cat := m.Member("ann"), m.Member("ben"), m.Member("cat")
	for _, name := range []string{"gophers", "gardens"} {
		ann.MustPost("/communities", "name", name)
	}
	m.found()
	ben.MustPost("/follow", "user", "ann", "on", "1")
	ben.Page("/home") // members who do not come have no timeline
	m.DeliverAll()
	for _, name := range []string{"gophers", "gardens"} {
		ann.MustPost("/submit", "community", name, "title", "To @cat in "+name, "text", "see @cat")
		ann.MustPost("/submit", "community", name, "title", "A link in "+name, "link", "https://example.com/"+name)
		spam := workertest.Targets(ann.Page(ben.MustPost("/submit", "community", name, "title", "Spam", "text", "buy")))[0]
		cat.MustPost("/report", "target", spam, "reason", "Spam")
		ann.MustPost("/c/"+name+"/mod/queue", "target", spam, "decision", "remove", "rule", "Spam")
	}
	works := func(shard int, of string) (list []any) {
		results, err := m.Sql.Shards[shard].Query(t.Context(), storetest.StmtOf(`SELECT work, attempts FROM outbox
WHERE ((subject_id >> 12) & 1023 = ?1) = ?2 AND work <> 'forget' ORDER BY work, subject_id`, m.community.Slot(), of == "gophers"))
		require.NoError(t, err)
		for _, row := range results[0].Rows() {
			require.Equal(t, int64(0), row[1], "nobody has begun it")
			list = append(list, row[0])
		}
		return list
	}
	left := works(0, "gophers")
	for _, work := range []outbox.Work{outbox.WorkNotify, outbox.WorkTimeline, outbox.WorkLink, outbox.WorkDecided, outbox.WorkReported} {
		require.Contains(t, left, string(work))
	}
	require.Equal(t, left, works(0, "gardens"))

	m.until(mover.StepClose)
	messages := m.all()[request.QueueEvents]
	for range 2 { // the second time after the work has become due
		require.Empty(t, consume(m, m.App, map[string][]request.Message{request.QueueEvents: messages}))
		require.Equal(t, left, works(0, "gophers"))
		require.Empty(t, works(0, "gardens"))
		m.Now = m.Now.Add(2 * time.Minute)
		due, _, err := (&outbox.Store{Base: data.Base{DB: m.Config.DB, Source: m.Config.Source}}).FindDue(t.Context(), 0)
		require.NoError(t, err)
		require.Empty(t, due, "the sweep sends no messages for it")
	}
	for _, of := range health.Check(t.Context(), m.Config.DB, m.Config.Source, m.Config.DB.Shards(), false) {
		require.NoError(t, of.Err)
		require.Less(t, of.Work, time.Minute, "it is not overdue: nothing is wrong with the job of each minute")
	}

	m.until("")
	for range 3 {
		m.Config.DB = m.Sql.Open()
		m.Restart(m.Config)
		m.Pass(5 * time.Minute)
		m.DeliverAll()
	}
	require.Empty(t, works(1, "gophers"))
	require.Equal(t, int64(4), m.One("SELECT count(*) FROM timeline t WHERE t.user_id = (SELECT id FROM users WHERE username = 'ben')"))
	for _, name := range []string{"gophers", "gardens"} {
		require.Equal(t, [][]any{{"mention", int64(1)}, {"thread", int64(2)}},
			m.Sql.Rows("SELECT kind, count(*) FROM inbox WHERE community_name = ?1 GROUP BY kind ORDER BY kind", name), name)
	}
	m.Verified()
}
