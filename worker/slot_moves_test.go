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
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/tools/mover"
	"plaza/worker/request"
)

// liveMove is why tests of moves run by night.
const liveMove = "the live move: a site moves a community once in years"

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
func (a *awaySite) moveUntil(t *testing.T, slot, target int, last string) {
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
// shards say what they said before, jobs do everything once, and none of them fails. TestAllShardsHide (package data) looks at the statements.
func TestPagesWhileASlotMoves(t *testing.T) {
	stacktest.ByNight(t, liveMove)
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
		"/discussions?url=https://example.com/", "/tag/things/hot", "/tag/things/top?t=week", "/sitemap/" + day, "/new.atom", "/new.json", "/u/ann.atom",
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
	said := func() (all [][]string) {
		t.Helper()
		*ann, *ben = *a.LogIn("ann", ""), *a.LogIn("ben", "") // exports want the password anew
		for _, m := range pages {
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
			address := "a trial of a rule"
			if i < len(pages) {
				address = pages[i].address
			}
			assert.Equal(t, strings.Join(before[i], " "), strings.Join(now, " "), "%s: %s", when, address)
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
		for _, queue := range []string{request.QueueVotes, request.QueueEvents} {
			retry, err := a.App.Consume(t.Context(), queue, a.Queue.Take(queue))
			require.NoError(t, err, when)
			require.Empty(t, retry, when)
		}
	}

	until("copy")
	require.Equal(t, on(source, "SELECT count(*) FROM posts WHERE community_id = ?1", int64(community)),
		on(target, "SELECT count(*) FROM posts WHERE community_id = ?1", int64(community)), "both have all posts")
	same("while rows come", before)
	a.instance()
	same("while rows come, to a new instance", before)
	jobs("while rows come")
	require.Equal(t, "published", on(source, "SELECT status FROM posts WHERE id = ?1", int64(scheduled)))
	require.Equal(t, "scheduled", on(target, "SELECT status FROM posts WHERE id = ?1", int64(scheduled)), "the copy is not published")

	// Rows of every kind that jobs look for, of the community that moves.
	post := on(source, "SELECT min(id) FROM posts WHERE community_id = ?1 AND status = 'published'", int64(community))
	old := []string{"UPDATE posts SET age = 0, created_at = created_at - 7200000, active = active - 7200000 WHERE id = ?1",
		"INSERT INTO ballots (part, target_id, created_at, user_id, value, network, referrer) VALUES (1, ?1, 1, 1, 1, '', '')",
		"INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (?1 | 4, 1, '', 1)",
		"INSERT INTO visits (user_id, post_id, seen_at, since) VALUES (1, ?1, 1, -1)",
		"INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, answer, queued, created_at, later) VALUES (?1, 1, 1, 1, '', '', 0, 1, 0)",
		"INSERT INTO bans (id, community_id, user_id, username, until, kind) VALUES (?1 | 7, ?1, 1, 'x', 1, 'ban')",
		"INSERT INTO made (author_id, key, digest, made_id, created_at) VALUES (1, 'post x', '', ?1, 1)",
		"INSERT INTO outbox (subject_id, work, queued_at, due_at) VALUES (?1, 'update', 1, 1)",
		"INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (?1, 99, 1, 1)"}
	for _, sql := range old {
		on(source, sql, post)
	}
	before = said()
	until("close")
	same("while the slot is closed", before)
	until("karma") // within the switch, exports are refused
	same("after the switch", before)
	a.instance()
	same("after the switch, to a new instance", before)
	jobs("after the switch")
	for _, table := range []string{"ballots WHERE part = 1", "deleted_drafts WHERE deleted_at = 1", "visits WHERE seen_at = 1", "rule_hits WHERE created_at = 1",
		"bans WHERE until = 1", "made WHERE created_at = 1", "outbox WHERE queued_at = 1", "vote_deltas"} {
		require.Equal(t, int64(0), on(target, "SELECT count(*) FROM "+table), table)
		require.Equal(t, int64(1), on(source, "SELECT count(*) FROM "+table), table)
	}
	before = said()
	until("")
	same("after the move", before)
	a.Verified()
}

// TestRowsReadWhileASlotMoves has a shard hide many more rows of a community that moves than it shows, all in front of the others. Pages
// that merge shards read about as much as before, and list the same.
func TestRowsReadWhileASlotMoves(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	const times = 150 // 3,000 posts
	a, pages, ben := openMerged(t)
	ann := a.LogIn("ann", "")
	gophers := data.ID(a.One("SELECT id FROM communities WHERE name = 'gophers'").(int64))
	source, target := a.Sql.Number(gophers), 2
	carl := a.Member("carl")
	for i := range 20 {
		id := data.ID(a.One("SELECT id FROM posts WHERE title = ?1", fmt.Sprintf("gophers-%02d", i)).(int64)).Text()
		carl.MustPost("/hide", "target", id, "on", "1")
	}
	on := func(sql string, args ...any) [][]any {
		t.Helper()
		results, err := a.Sql.Shards[source].Tx(t.Context(), storetest.StmtOf(sql, args...))
		require.NoError(t, err, sql)
		return results[0].Rows()
	}
	// repeat inserts later rows like those of the community. sets has expressions of a row r and the number n.
	repeat := func(table, id string, sets map[string]string) {
		t.Helper()
		var names, values []string
		sets[id] = "r." + id + " + (n << 24)" // ids begin with a time in milliseconds
		for _, row := range on(fmt.Sprintf("SELECT name FROM pragma_table_info('%s')", table)) {
			name := row[0].(string)
			value, ok := sets[name]
			if !ok {
				value = "r." + name
			}
			names, values = append(names, name), append(values, value)
		}
		on(fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s r CROSS JOIN (SELECT value AS n FROM generate_series(1, %d)) WHERE (r.%s >> 12) & 1023 = %d",
			table, strings.Join(names, ", "), strings.Join(values, ", "), table, times, id, gophers.Slot()))
	}
	later := func(column string) string { return "r." + column + " + n * 4" }
	on("INSERT INTO copied_writes (id) VALUES (1)") // most triggers rest
	repeat("posts", "id", map[string]string{"slug": "r.slug || '-' || n", "created_at": later("created_at"), "active": later("active"), "hot": "r.hot + n",
		"score": "r.score + n", "ups": "r.ups + n", "edited_at": later("created_at"), "comments": "r.comments + n", "comments_step": "r.comments_step + n", "excerpt": "''", "title": "r.title || ' words'"})
	repeat("comments", "id", map[string]string{"path": "r.path || printf('%04d', n)", "created_at": later("created_at"), "score": "r.score + n", "ups": "r.ups + n"})
	repeat("saves", "target_id", map[string]string{"created_at": later("created_at")})
	repeat("hides", "post_id", map[string]string{"created_at": later("created_at")})
	repeat("queue_items", "target_id", map[string]string{"came_at": later("came_at"), "weight": "r.weight + n"})
	on("DELETE FROM copied_writes")
	_, err := a.Sql.Directory.Tx(t.Context(), storetest.StmtOf("UPDATE follows SET loud = 1"), // whose posts are merged into timelines
		storetest.StmtOf("INSERT INTO tag_follows (user_id, name, created_at) SELECT id, 'things', 1 FROM users WHERE username = 'ben'"))
	require.NoError(t, err)
	require.Equal(t, int64(20*(times+1)), on("SELECT count(*) FROM posts WHERE status = 'published' AND community_id = ?1", int64(gophers))[0][0])

	const posts, comments = `(gophers|gardens|birds)-\d\d`, `(gophers|gardens|birds)-says-\d\d`
	for _, address := range []string{"/hot", "/rising", "/comments?t=day", "/u/ann?sort=top", "/tag/things/hot", "/tag/things/top?t=week",
		"/search?q=words&sort=top", "/search?q=says&type=comments&sort=new", "/discussions?url=https://example.com/"} {
		pages = append(pages, merged{address: address, b: a.Visitor(), words: posts})
	}
	pages = append(pages, merged{address: "/hidden", b: carl, words: posts}, merged{address: "/u/ann/comments?sort=top", b: ben, words: comments},
		merged{address: "/drafts/published", b: ann, words: posts})

	// read returns what the first three pages list, and how many rows were read for all of them.
	read := func(m merged) (lists []string, rows int64) {
		t.Helper()
		address := m.address
		for range 3 {
			if address == "" {
				break
			}
			a.instance()
			m.b.Page("/rules") // which has the instance read settings and slots
			ctx, meter := hrana.WithMeter(t.Context())
			res := m.b.Send(m.b.Request(address).WithContext(ctx))
			require.Equal(t, http.StatusOK, res.Code, "%s\n%s", address, res.Body)
			rows += meter.RowsRead()
			list, next := m.listOf(res.Body.String())
			lists, address = append(lists, strings.Join(list, " ")), next
		}
		return lists, rows
	}
	before, rowsBefore := make([][]string, len(pages)), make([]int64, len(pages))
	for i, m := range pages {
		before[i], rowsBefore[i] = read(m)
	}
	for _, step := range []string{"copy", "switch"} {
		a.moveUntil(t, gophers.Slot(), target, step)
		for i, m := range pages {
			lists, rows := read(m)
			t.Logf("%s: %s: %d rows, %d before", step, m.address, rows, rowsBefore[i])
			assert.LessOrEqual(t, rows, 2*rowsBefore[i]+300, "%s: %s", step, m.address)
			assert.Equal(t, before[i], lists, "%s: %s", step, m.address)
		}
	}
}
