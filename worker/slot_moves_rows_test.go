package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/storetest"
	"plaza/data/wire/hrana"
)

// TestRowsReadWhileASlotMoves has a shard hide many more rows of a community that moves than it shows, all in front of the others. Pages
// that merge shards read about as much as before, and list the same.
func TestRowsReadWhileASlotMoves(t *testing.T) {
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
		"score": "r.score + n", "ups": "r.ups + n", "edited_at": later("created_at"), "comments": "r.comments + n", "excerpt": "''", "title": "r.title || ' words'"})
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
