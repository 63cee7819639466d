package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/exports"
	"plaza/ops/shards/mover"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
)

// raw returns all that a page and those that follow say of what is wanted, as often as they say it.
func (m *merged) raw(t *testing.T) (all []string) {
	t.Helper()
	for address := m.address; address != ""; {
		res := m.b.Get(address)
		require.Equal(t, http.StatusOK, res.Code, "%s\n%s", address, res.Body)
		body := res.Body.String()
		all = append(all, regexp.MustCompile(m.words).FindAllString(body, -1)...)
		address = ""
		if next := nextPage.FindStringSubmatch(body); next != nil {
			address = strings.ReplaceAll(next[1], "&amp;", "&")
		} else if next := regexp.MustCompile(`<https://plaza.example([^>]*)>; rel="next"`).FindStringSubmatch(res.Header().Get("Link")); next != nil {
			address = next[1]
		}
	}
	return all
}

// moveUntil moves a slot to a shard, or goes on with that. It stops after a step; with "" it goes on to the end.
func (a *outageSite) moveUntil(t *testing.T, slot, target int, last string) {
	t.Helper()
	errStopped := errors.New("stopped")
	m := &mover.Move{Directory: a.Sql.Directory, Shards: a.Sql.Shards, Sleep: func(context.Context, time.Duration) error { return nil },
		After: func(step string, whole bool) error {
			if whole && step == last {
				return errStopped
			}
			return nil
		}}
	err := m.Run(t.Context(), slot, target)
	if last != "" {
		require.ErrorIs(t, err, errStopped)
	} else {
		require.NoError(t, err)
	}
}

// TestPagesWhileASlotMoves moves a community from one of three shards to another, and stops while both have it. All pages that merge
// shards say what they said before, jobs do everything once, and none of them fails.
func TestPagesWhileASlotMoves(t *testing.T) {
	stacktest.ByNight(t, "all pages and jobs at each step of a move: moves are rare, and package mover has one by day")
	a, pages, ben := openMerged(t)
	ann, judy := a.LogIn("ann", ""), a.LogIn("judy", "")
	community := data.ID(a.One("SELECT id FROM communities WHERE name = 'gophers'").(int64))
	source, target := a.Sql.Number(community), 2
	require.Equal(t, 0, source)
	id := func(title string) string {
		return data.ID(a.One("SELECT id FROM posts WHERE title = ?1", title).(int64)).Text()
	}
	for i := range 3 {
		for _, name := range []string{"gophers", "gardens"} {
			ben.MustPost("/hide", "target", id(fmt.Sprintf("%s-%02d", name, i)), "on", "1")
			ann.MustPost("/submit", "community", name, "title", fmt.Sprintf("%s-9%d", name, i), "link", "https://example.com/", "anyway", "1")
		}
	}
	scheduled := data.ID(a.One("SELECT id FROM posts WHERE title = 'gophers-draft-19'").(int64))
	a.Exec("UPDATE posts SET status = 'scheduled', publish_at = ?2 WHERE id = ?1", int64(scheduled), a.Now.Add(2*time.Minute).UnixMilli())
	for range 3 {
		a.minute()
	}
	require.Equal(t, "published", a.One("SELECT status FROM posts WHERE id = ?1", int64(scheduled)), "jobs work before the move")
	scheduled = data.ID(a.One("SELECT id FROM posts WHERE title = 'gophers-draft-18'").(int64))
	a.Exec("UPDATE posts SET status = 'scheduled', publish_at = ?2 WHERE id = ?1", int64(scheduled), a.Now.Add(3*time.Minute).UnixMilli())
	a.Exec("UPDATE posts SET views = id % 97 + 1")
	a.Exec("INSERT INTO quarantines (id, target_id, community_id, direction, votes, evidence, status, created_at) SELECT (id | 2) - (id & 2), id, community_id, 1, 0, '{}', " +
		"'open', 1 FROM posts WHERE title LIKE 'gophers-0%' OR title LIKE 'birds-0%'")

	const posts, comments = `(gophers|gardens|birds)-\d\d`, `(gophers|gardens|birds)-says-\d\d`
	day := a.Now.Format("2006-01-02")
	for _, address := range []string{"/hot", "/rising", "/comments?t=day", "/views?t=all", "/u/ann?sort=top", "/u/ann?sort=views", "/search?q=words&sort=top",
		"/discussions?url=https://example.com/", "/tag/things/hot", "/tag/things/top?t=week", "/sitemap/" + day, "/new.atom", "/new.json", "/u/ann.atom?sort=new",
		"/c/gophers", "/c/gophers/new", "/search?q=words&community=gophers"} {
		pages = append(pages, merged{address: address, b: a.Visitor(), words: posts})
	}
	pages = append(pages, merged{address: "/hidden", b: ben, words: posts}, merged{address: "/u/ann/comments?sort=top", b: ben, words: comments})
	for _, address := range []string{"/search?q=says&type=comments", "/search?q=says&type=comments&sort=new"} {
		pages = append(pages, merged{address: address, b: ben, words: `href="/c/\w+/p/[\w/-]+"`})
	}
	for _, k := range exports.Kinds() {
		for _, b := range []*workertest.Browser{ann, ben} {
			pages = append(pages, merged{address: "/settings/export/" + k.Name, b: b, words: `(?m)^.*$`})
		}
	}
	pages = append(pages, merged{address: "/drafts/published", b: ann, words: posts}, merged{address: "/drafts/scheduled", b: ann,
		words: `gophers-draft-\d\d`}, merged{address: "/admin", b: judy, words: `\d+ [a-z]+`}, merged{address: "/admin/quarantine", b: judy,
		words: posts + `|\d+ open`}, merged{address: "/tags", b: ben, words: `href="/tag/\w+"`})
	rule := `<a [^>]*>` + posts + `<|\d+ of \d+`
	moving, refused := false, 0
	said := func() (all [][]string) {
		t.Helper()
		*ann, *ben = *a.LogIn("ann", ""), *a.LogIn("ben", "") // exports want the password anew
		for _, m := range pages {
			if moving && strings.HasPrefix(m.address, "/settings/export/") {
				if res := m.b.Get(m.address); res.Code != http.StatusOK { // those of one database go on
					require.Equal(t, http.StatusServiceUnavailable, res.Code)
					require.Contains(t, res.Body.String(), "A community is moving to another database. That usually takes some minutes.")
					refused++
				}
				all = append(all, nil)
				continue
			}
			list := m.raw(t)
			if strings.HasPrefix(m.address, "/sitemap/") || strings.HasPrefix(m.address, "/settings/export/") { // in the order of shards
				list = slices.DeleteFunc(list, func(line string) bool { return line == "" || strings.Contains(line, `"kind":"next"`) })
				slices.Sort(list)
			}
			all = append(all, list)
		}
		tried := judy.Post("/admin/rule", "title", "x", "words", "words", "do", "hold", "then", "try").Body.String()
		return append(all, regexp.MustCompile(rule).FindAllString(tried, -1))
	}
	same := func(when string, before [][]string) {
		t.Helper()
		for i, now := range said() {
			address := "a dry run of a rule"
			if i < len(pages) {
				address = pages[i].address
			}
			if !moving || !strings.HasPrefix(address, "/settings/export/") && address != "/admin" { // which counts both copies
				assert.Equal(t, strings.Join(before[i], " "), strings.Join(now, " "), "%s: %s", when, address)
			}
		}
	}
	a.instance()
	a.LosesMessages = true // work that is due is written by hand
	before := said()
	for i, list := range before {
		if len(list) == 0 { // each of the two members has some of what is exported
			require.True(t, strings.HasPrefix(pages[i].address, "/settings/export/"), "%s lists nothing", pages[i].address)
		}
	}
	on := func(shard int, sql string, args ...any) any {
		t.Helper()
		results, err := a.Sql.Shards[shard].Tx(t.Context(), storetest.StmtOf(sql, args...))
		require.NoError(t, err)
		if len(results[0].Rows()) == 0 {
			return nil
		}
		return results[0].Rows()[0][0]
	}
	until := func(last string) {
		t.Helper()
		a.moveUntil(t, community.Slot(), target, last)
	}
	jobs := func(when string) {
		t.Helper()
		a.Now = a.Now.Add(4 * time.Minute)
		require.NoError(t, a.App.Scheduled(t.Context(), time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)), when)
		for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
			retry, err := a.App.Consume(t.Context(), queue, a.Queue.Take(queue))
			require.NoError(t, err, when)
			require.Empty(t, retry, when)
		}
	}

	// Rows of every kind that jobs look for, of the community that moves.
	post := on(source, "SELECT min(id) FROM posts WHERE community_id = ?1 AND status = 'published'", int64(community))
	for _, sql := range []string{"UPDATE posts SET age = 0, created_at = created_at - 7200000, active = active - 7200000 WHERE id = ?1",
		"INSERT INTO vote_origins (part, target_id, created_at, user_id, value, network, referrer) VALUES (1, ?1, 1, 1, 1, '', '')",
		"INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (?1 | 4, 1, '', 1)",
		"INSERT INTO visits (user_id, post_id, seen_at, since) VALUES (1, ?1, 1, -1)",
		"INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at, later) VALUES (?1, 1, 1, 1, '', '', 0, 1, 0)",
		"INSERT INTO bans (id, community_id, user_id, username, until, kind) VALUES (?1 | 7, ?1, 1, 'x', 1, 'ban')",
		"INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) VALUES (1, 'post x', '', ?1, 1)",
		"INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (?1, 'update', 1, 1)",
		"INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (?1, 99, 1, 1)"} {
		on(source, sql, post)
	}
	counted := func() (list []any) {
		t.Helper()
		for _, shard := range []int{source, target} {
			for _, table := range []string{"vote_origins WHERE part = 1", "deleted_drafts WHERE deleted_at = 1", "visits WHERE seen_at = 1",
				"rule_hits WHERE created_at = 1", "bans WHERE until = 1", "idempotency_keys WHERE created_at = 1", "outbox WHERE queued_at = 1",
				"vote_deltas", fmt.Sprintf("posts WHERE id = %d AND status = 'scheduled'", scheduled)} {
				list = append(list, on(shard, "SELECT count(*) FROM "+table))
			}
		}
		return list
	}
	before = said()
	until(mover.StepFreeze)
	moving = true
	same("frozen", before)
	require.NotZero(t, refused)
	until(mover.StepCopy)
	require.Equal(t, on(source, "SELECT count(*) FROM posts WHERE community_id = ?1", int64(community)),
		on(target, "SELECT count(*) FROM posts WHERE community_id = ?1", int64(community)), "both have all posts")
	same("both have all rows", before)
	a.instance()
	same("both have all rows, to a new instance", before)
	for n, list := range []string{"source", "target"} {
		require.NotContains(t, counted()[9*n:9*n+9], int64(0), list)
	}
	waits := counted()
	jobs("both have all rows")
	before = said() // the clock has gone on
	require.Equal(t, waits, counted(), "jobs leave the community alone")
	until(mover.StepSwitch)
	same("after the switch", before)
	a.instance()
	same("after the switch, to a new instance", before)
	jobs("after the switch")
	require.Equal(t, waits, counted())
	before = said() // the clock has gone on
	moving = false
	until("")
	after := said()
	for i, m := range pages {
		if !strings.HasPrefix(m.address, "/settings/export/") && m.address != "/admin" {
			require.Equal(t, before[i], after[i], m.address)
		}
	}
	for range 2 {
		jobs("after the move")
	}
	require.Equal(t, make([]any, 0), slices.DeleteFunc(counted(), func(n any) bool { return n == int64(0) }), "jobs do now what waited")
	a.Verified()
}
