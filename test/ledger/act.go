package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker/pictures"
)

// Act is one kind of write. make prepares one of it, while all is well. name is in what it writes, and in nothing else.
type Act struct {
	Name  string
	Route string // method and pattern, as in the routes table
	make  func(w *World, name string) form
	// onePerRun: each of them takes the place of the one before, so there is only one in a run.
	onePerRun bool
	// skippedWhenLate: hours later, what it leaves is of no use, its time has passed, or it has to be proven again who sends it.
	skippedWhenLate bool
}

// form is what a member or visitor sends, and what is there afterwards.
type form struct {
	by       *workertest.Browser // keeps the cookies of the answers
	path     string
	fields   []string
	pictures []pictures.Received
	there    func() []string // what it has made, as text; more than one is too much
	was      string          // that there is before it is carried out; "" nothing
	want     string          // that there is afterwards
	// logsInAgain logs the member in again, where the act may have ended the session that it was sent with.
	logsInAgain bool
	// refusedAgain says why the form is refused when it comes again after it was carried out; "" it is not.
	refusedAgain string
}

// Acts are all kinds of writes.
func Acts() []Act {
	return slices.Concat(accountActs, contentActs, keepingActs, communityActs, moderationActs, adminActs)
}

// send sends a form as a browser does that asks for JSON. token tells that it is the same form when it comes again.
func (f *form) send(token string) *httptest.ResponseRecorder {
	values := url.Values{}
	for i := 0; i < len(f.fields); i += 2 {
		values.Set(f.fields[i], f.fields[i+1])
	}
	r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+f.path, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Idempotency-Key", token)
	if f.pictures != nil {
		pictures.Attach(r, f.pictures...)
	}
	return f.by.Send(r)
}

// fields makes a list of fields that have several values.
func fields(list ...string) []string { return list }

// copyOf is another window of a browser: what one is sent does not change the other.
func copyOf(b *workertest.Browser) *workertest.Browser {
	c := *b
	c.Header = b.Header.Clone()
	return &c
}

// rows reads rows as text, from all databases that a statement is about. Counts of several databases are added up.
func (w *World) rows(sql string, args ...any) func() []string {
	if strings.HasPrefix(sql, "SELECT count(*) FROM") {
		return func() []string { return []string{fmt.Sprint(w.One(sql, args...))} }
	}
	return func() (list []string) {
		for _, row := range w.Sql.Rows(sql, args...) {
			list = append(list, textOf(row))
		}
		return list
	}
}

// inDirectory is rows of a table of which other databases have copies.
func (w *World) inDirectory(sql string, args ...any) func() []string {
	return func() (list []string) {
		results, err := w.Sql.Directory.Query(w.Context(), storetest.StmtOf(sql, args...))
		require.NoError(w, err)
		for _, row := range results[0].Rows() {
			list = append(list, textOf(row))
		}
		return list
	}
}

func textOf(row []any) string {
	var words []string
	for _, value := range row {
		words = append(words, fmt.Sprint(value))
	}
	return strings.Join(words, " ")
}

// userID is the id of a member.
func (w *World) userID(name string) int64 {
	w.Helper()
	return w.One("SELECT id FROM users WHERE username = ?1", name).(int64)
}

// must sends something that is prepared. It returns the id that it made.
func (w *World) must(b *workertest.Browser, path string, fields ...string) string {
	w.Helper()
	f := form{by: copyOf(b), path: path, fields: fields}
	res := f.send(tokenOf(path, fmt.Sprint(fields)))
	require.Equal(w, http.StatusOK, res.Code, "%s %v: %s", path, fields, res.Body)
	return idIn(res.Body.String())
}

// post is a published post.
func (w *World) post(b *workertest.Browser, title string, more ...string) (text string, id int64) {
	w.Helper()
	text = w.must(b, "/c/"+w.place+"/submit", append([]string{"title", title, "text", "words"}, more...)...)
	return text, int64(workertest.MustID(w.T, text))
}

// comment is a comment on a post of its own.
func (w *World) comment(b *workertest.Browser, body string) (text string, id int64) {
	w.Helper()
	post, _ := w.post(w.ann, "About "+body)
	text = w.must(b, "/comment", "post", post, "body", body)
	return text, int64(workertest.MustID(w.T, text))
}

// community is one of ann's, on the shard of this moment.
func (w *World) community(name string) (id int64) {
	w.Helper()
	w.ann.MustPost("/communities", "name", name)
	return w.communityID(name)
}

func (w *World) communityID(name string) int64 {
	w.Helper()
	results, err := w.Sql.Directory.Query(w.Context(), storetest.StmtOf("SELECT id FROM communities WHERE name = ?1", name))
	require.NoError(w, err)
	require.Len(w, results[0].Rows(), 1)
	return results[0].Rows()[0][0].(int64)
}

var idInJSON = regexp.MustCompile(`"id":"([0-9]+)"`)

// idIn is the id in an answer; "" if it has none.
func idIn(body string) string {
	m := idInJSON.FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	id, err := data.ParseID(m[1])
	if err != nil {
		return ""
	}
	return id.Text()
}

// tokenOf makes the token of a form.
func tokenOf(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\n")))
	return hex.EncodeToString(sum[:16])
}
