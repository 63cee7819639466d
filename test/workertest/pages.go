package workertest

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/wire/hrana"
	"plaza/ops/verify"
	"plaza/test/stacktest"
)

// FormOf reads the fields of the form of a page that posts to an address, as a browser would send it: what is hidden, typed and ticked.
func FormOf(t *testing.T, page, address string) (fields []string) {
	t.Helper()
	action := regexp.QuoteMeta(html.EscapeString(address))
	form := regexp.MustCompile(`(?s)<form[^>]*method="post" action="` + action + `".*?</form>`).FindString(page)
	require.NotEmpty(t, form, "a form to %s in %s", address, page)
	attr := func(tag, name string) string {
		m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(tag)
		if m == nil {
			return ""
		}
		return html.UnescapeString(m[1])
	}
	for _, tag := range regexp.MustCompile(`<input [^>]*>`).FindAllString(form, -1) {
		box := attr(tag, "type") == "checkbox" || attr(tag, "type") == "radio"
		if name := attr(tag, "name"); name != "" && (!box || strings.Contains(tag, " checked")) {
			fields = append(fields, name, attr(tag, "value"))
		}
	}
	for _, m := range regexp.MustCompile(`(?s)(<textarea [^>]*>)(.*?)</textarea>`).FindAllStringSubmatch(form, -1) {
		fields = append(fields, attr(m[1], "name"), strings.TrimPrefix(html.UnescapeString(m[2]), "\n"))
	}
	return fields
}

// RevisionIn is the version a page's form was made from.
func RevisionIn(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(page)
	require.NotNil(t, m, page)
	return m[1]
}

// Unread is what the header of a page says.
func Unread(page string) string {
	m := regexp.MustCompile(`href="/inbox" title="Inbox">.*?<b>(.*?)</b>`).FindStringSubmatch(page)
	if m == nil {
		return ""
	}
	return m[1]
}

// Everything is all that the databases hold.
func (s *Site) Everything() string {
	s.Helper()
	var all strings.Builder
	for n, database := range s.Sql.All() {
		written, known := stacktest.Written(database)
		if was, ok := s.read[database]; ok && known && was.written == written {
			all.WriteString(was.text)
			continue
		}
		text := s.everythingOf(n, database)
		if s.read == nil {
			s.read = map[*hrana.Client]contents{}
		}
		s.read[database] = contents{written, text}
		all.WriteString(text)
	}
	return all.String()
}

// contents is what a database held when so many bytes were written to it.
type contents struct {
	written int64
	text    string
}

func (s *Site) everythingOf(n int, database *hrana.Client) string {
	s.Helper()
	var all strings.Builder
	tables, err := database.Query(s.Context(), hrana.Stmt{SQL: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"})
	require.NoError(s, err)
	var stmts []hrana.Stmt
	var names []string
	for _, table := range tables[0].Rows() {
		switch {
		case table[0] == "used_nonces": // challenges that were used, also by users who were refused then
			continue
		case table[0] == "metrics": // written every five minutes, after any request
			continue
		case table[0] == "limits" && s.Redis == nil: // counts calls in place of Redis, also those that were refused
			continue
		}
		names = append(names, table[0].(string))
		stmts = append(stmts, hrana.Stmt{SQL: fmt.Sprint("SELECT * FROM ", table[0])})
	}
	results, err := database.Query(s.Context(), stmts...)
	require.NoError(s, err)
	for i, table := range names {
		fmt.Fprintln(&all, n, table, results[i].Rows())
	}
	return all.String()
}

func MustID(t *testing.T, text string) data.ID {
	id, err := data.ParseID(text)
	require.NoError(t, err)
	return id
}

// Traces are, for each of some posts, how many rows of all databases name it, by table and column.
func (s *Site) Traces(posts []int64) map[int64]map[string]int64 {
	s.Helper()
	ids := make([]data.ID, len(posts))
	found := map[int64]map[string]int64{}
	for i, id := range posts {
		ids[i], found[id] = data.ID(id), map[string]int64{}
	}
	const columns = `SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND upper(c.type) LIKE 'INT%'`
	for _, db := range s.Sql.All() {
		results, err := db.Query(context.Background(), hrana.Stmt{SQL: columns})
		require.NoError(s, err)
		for _, batch := range slices.Collect(slices.Chunk(results[0].Rows(), 100)) {
			var parts []string
			for _, row := range batch {
				parts = append(parts, fmt.Sprintf(`SELECT '%[1]s.%[2]s', "%[2]s", count(*) FROM "%[1]s" WHERE "%[2]s" IN (SELECT value
  FROM json_each(:ids)) GROUP BY 2`, row[0], row[1]))
			}
			results, err := db.Query(context.Background(), hrana.Stmt{SQL: strings.Join(parts, "\nUNION ALL "),
				Named: []hrana.Named{{Name: "ids", Value: data.JSONIDs(ids)}}})
			require.NoError(s, err)
			for _, row := range results[0].Rows() {
				found[row[1].(int64)][row[0].(string)] += row[2].(int64)
			}
		}
	}
	return found
}

// Verified fails when something that is kept twice differs.
func (s *Site) Verified() {
	s.Helper()
	for _, d := range s.Differences() {
		s.Error(d)
	}
}

// Differences are what plaza verify finds.
func (s *Site) Differences() []verify.Difference {
	s.Helper()
	return s.verify(false)
}

// Repair has plaza verify repair what it finds.
func (s *Site) Repair() []verify.Difference {
	s.Helper()
	return s.verify(true)
}

func (s *Site) verify(repair bool) (all []verify.Difference) {
	s.Helper()
	o := verify.Options{Directory: s.Sql.Directory, Shards: s.Sql.Shards, Repair: repair,
		Found: func(d verify.Difference) {
			if d.Column != "age" { // which is by the database's clock
				all = append(all, d)
			}
		}, Wait: func(context.Context) error { return nil }}
	if s.Redis != nil {
		o.Hot = &hot.Sets{Redis: s.Redis, DB: s.Config.DB, Cap: hot.DefaultCap}
	}
	_, err := verify.Run(context.Background(), o)
	require.NoError(s, err)
	return all
}

// LastDecision is the page of the newest entry of the log with an action.
func (s *Site) LastDecision(action string) string {
	s.Helper()
	return "/decisions/" + data.ID(s.One("SELECT max(id) FROM moderation_log WHERE action = ?1", action).(int64)).Text()
}

// Outside logs a member in who can't, and returns the page that says why and the address at which the member appeals.
func (s *Site) Outside(name string) (page, link string) {
	s.Helper()
	b := s.Visitor()
	res := b.Post("/login", "login", name, "password", "correct horse")
	require.Equal(s, http.StatusForbidden, res.Code, res.Body.String())
	require.Empty(s, b.Cookie)
	page = res.Body.String()
	link = html.UnescapeString(suspensionHref.FindString(page))
	require.NotEmpty(s, link, page)
	return page, link
}

var (
	ShownStub      = regexp.MustCompile(`<a class="more( away)?" href="([^"]*)">([^<]*)</a>`)
	suspensionHref = regexp.MustCompile(`/suspension\?[^"]+`)
)
