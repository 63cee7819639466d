package worker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// recover lets time pass, with the job of each minute and the queues, until no work is left.
func (m *mortalSite) recover() {
	m.Helper()
	for range 20 {
		m.Now = m.Now.Add(5 * time.Minute)
		require.NoError(m, m.App.Scheduled(context.Background(), m.Now))
		m.Deliver()
		m.Deliver()
		if len(m.Sql.RowsOfAll("SELECT 1 FROM outbox WHERE job <> 'forget'")) == 0 && m.One("SELECT (SELECT count(*) FROM vote_deltas) + (SELECT count(*) "+
			"FROM count_deltas)") == int64(0) {
			return
		}
	}
	require.Fail(m, "work is left", "%v", m.Sql.RowsOfAll("SELECT job, subject_id, attempts FROM outbox"))
}

// TestPublishingInterruptedAtEveryStep stops instances at each call of publishing and of its consumers. After the retry job, the post is
// published, counted and listed, and its members are notified, as without an interruption. Or nothing is stored.
func TestPublishingInterruptedAtEveryStep(t *testing.T) {
	t.Parallel()
	m := openMortal(t)
	m.instance(&fate{})
	m.Web.Page("example.org", "<title>Something to read</title>")
	ann, ben := m.Member("ann"), m.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/c/gophers/mod/flair", "revision", workertest.RevisionIn(t, ann.Page("/c/gophers/mod/flair")), "flair-1-text", "News",
		"flair-1-colour", "blue")
	flair := data.ID(m.One("SELECT id FROM flairs").(int64)).Text()
	ben.MustPost("/follow", "user", "ann", "on", "1")
	ann.MustPost("/follow", "user", "ben", "on", "1")
	ann.Page("/home") // timelines are for who was here of late
	ben.Page("/home")
	newRule(ann, "/c/gophers/mod/rule", "title", "Held", "words", "Approved", "do", "hold", "active", "1")
	m.Deliver()
	titled := func(what string, n int) string { return fmt.Sprintf("%s %02d", what, n) }
	send := func(b *workertest.Browser, what string, n int, more ...string) {
		title := titled(what, n)
		b.Post("/submit", append([]string{"community", "gophers", "title", title, "text", "Hello @ann and @ben", "flair", flair, "tags",
			"go news",
			"link", "https://example.org/" + strings.ReplaceAll(title, " ", "-")}, more...)...)
	}
	id := func(what string, n int) data.ID {
		return data.ID(m.One("SELECT id FROM posts WHERE title = ?1", titled(what, n)).(int64))
	}
	keep := func(b *workertest.Browser, status string) func(string, int) {
		return func(what string, n int) { send(b, what, n, "status", status, "publish_at", "2026-12-24T18:00") }
	}
	for _, of := range []struct {
		what    string
		prepare func(what string, n int)
		do      func(what string, n int)
		crashing
	}{
		{"Sent, nothing lost", nil, func(what string, n int) { send(ann, what, n) }, crashing{after: true}},
		{"Sent", nil, func(what string, n int) { send(ann, what, n) }, crashing{lose: true}},
		{"Draft", keep(ann, "draft"), func(what string, n int) { ann.Post("/publish", "target", id(what, n).Text()) }, crashing{lose: true}},
		{"Scheduled", keep(ann, "scheduled"), func(what string, n int) {
			m.Exec("UPDATE posts SET publish_at = ?1 WHERE id = ?2", m.Now.UnixMilli(), int64(id(what, n)))
			_ = m.App.Scheduled(context.Background(), m.Now)
		}, crashing{lose: true, alone: true}},
		{"Approved", keep(ben, "published"), func(what string, n int) {
			ann.Post("/c/gophers/mod/decide", "target", id(what, n).Text(), "decision", "approve")
		}, crashing{lose: true, alone: true}},
	} {
		t.Run(of.what, func(t *testing.T) {
			of.crashing.prepare = func(n int) {
				if of.prepare != nil {
					of.prepare(of.what, n)
				}
			}
			of.crashing.do = func(n int) { of.do(of.what, n) }
			calls := m.crashes(of.crashing)
			m.recover()
			isWhole(m.Site, t, of.what, id(of.what, calls))
		})
	}
	m.Verified()
}

// isWhole fails unless all posts of a title that were published have the same rows as one of them, in every table.
func isWhole(s *workertest.Site, t *testing.T, what string, like data.ID) {
	t.Helper()
	var ids []int64
	for _, row := range s.Sql.Rows("SELECT id FROM posts WHERE title GLOB ?1 AND status = 'published'", what+" *") {
		ids = append(ids, row[0].(int64))
	}
	require.Greater(t, len(ids), 3, "some were published")
	traces := s.Traces(ids)
	whole := traces[int64(like)]
	for _, table := range []string{"inbox.post_id", "timeline.post_id", "mentions.subject_id", "votes.target_id", "post_tags.post_id"} {
		require.Contains(t, whole, table)
	}
	for id, trace := range traces {
		require.Equal(t, whole, trace, "%s %s", what, data.ID(id).Text())
	}
	require.Equal(t, int64(len(ids)), s.One(`SELECT count(*) FROM posts p JOIN link_previews l ON l.url = p.link
WHERE p.title GLOB ?1 AND p.status = 'published' AND p.score = 1 AND p.flair_id IS NOT NULL AND p.tags = 'go news'
  AND l.title = 'Something to read'`, what+" *"))
}
