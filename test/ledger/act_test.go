package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
	"plaza/test/webauthntest"
	"plaza/test/workertest"
	"plaza/worker/pictures"
)

// Act is one kind of write.
type Act struct {
	Name  string
	Route string // method and pattern, as in the routes table

	by     who
	fields string // of the form, as a=b&c=d without escapes
	given  steps
	sql    string // finds what the act writes; "" where a step says how
	was    string // that it finds before; "" nothing
	want   string // that it finds afterwards

	onePerRun       bool   // each takes the place of the one before, so there is only one in a run
	skippedWhenLate bool   // hours later, its time has passed, or the member has to log in again
	logsInAgain     bool   // the act may end the session that it was sent with
	refusedAgain    string // why the form is refused when it comes again after it was carried out; "" it is not
}

// act makes an Act. Path, fields, sql and found may name values in braces, such as {name}, which is in what this act writes and in nothing
// else. found is what sql finds afterwards, or "before -> afterwards".
func act(name, route string, by who, fields string, given steps, sql, found string) Act {
	was, want, changes := strings.Cut(found, " -> ")
	if !changes {
		was, want = "", found
	}
	return Act{Name: name, Route: route, by: by, fields: fields, given: given, sql: sql, was: was, want: want}
}

func (a Act) late() Act               { a.skippedWhenLate = true; return a }
func (a Act) once() Act               { a.onePerRun = true; return a }
func (a Act) endsSession() Act        { a.logsInAgain = true; return a }
func (a Act) again(reason string) Act { a.refusedAgain = reason; return a }

// who returns the browser that sends a form.
type who func(w *FaultySite, f *form) *workertest.Browser

func ann(w *FaultySite, _ *form) *workertest.Browser     { return copyOf(w.ann) }
func ben(w *FaultySite, _ *form) *workertest.Browser     { return copyOf(w.ben) }
func rita(w *FaultySite, _ *form) *workertest.Browser    { return copyOf(w.rita) }
func visitor(w *FaultySite, _ *form) *workertest.Browser { return w.Visitor() }
func self(_ *FaultySite, f *form) *workertest.Browser    { return f.by }
func window(_ *FaultySite, f *form) *workertest.Browser  { return copyOf(f.by) }

func newMember(w *FaultySite, f *form) *workertest.Browser {
	b := w.Member(f.values["name"])
	f.setUser(w)
	return b
}

// steps prepare a form, while all is well.
type steps []step

type step func(w *FaultySite, f *form)

// member signs up.
func member(w *FaultySite, f *form) { newMember(w, f) }

// post is a published post, or with more fields a draft.
func post(by who, title string, more ...string) step {
	return func(w *FaultySite, f *form) {
		_, id := w.post(by(w, f), f.fill(title), more...)
		f.setID("id", "n", id)
	}
}

// comment is a comment on a post of its own.
func comment(by who, body string) step {
	return func(w *FaultySite, f *form) {
		post(ann, "About "+body)(w, f)
		text := w.must(by(w, f), "/comment", "post", f.values["id"], "body", f.fill(body))
		f.setID("id", "n", int64(workertest.MustID(w.T, text)))
	}
}

// first sends another form, with the fields that were prepared until then.
func first(by who, path, list string) step {
	return func(w *FaultySite, f *form) {
		by(w, f).MustPost(f.fill(path), append(f.fields, f.fieldsOf(list)...)...)
		f.fields = nil
	}
}

// idOf reads an id.
func idOf(sql string) step {
	return func(w *FaultySite, f *form) { f.setID("id", "n", w.One(f.fill(sql)).(int64)) }
}

// form is what a member or visitor sends.
type form struct {
	Act
	by       *workertest.Browser // keeps the cookies of the answers
	path     string
	fields   []string
	pictures []pictures.Received
	there    func() []string   // what it has made, as text; more than one is too much
	values   map[string]string // in texts of the act
	passkey  *webauthntest.Passkey
}

// inDirectory begins a query of a table of which other databases have copies.
const inDirectory = "directory: "

// make prepares a form of an act.
func (a Act) make(w *FaultySite, name string) form {
	_, path, _ := strings.Cut(a.Route, " ")
	f := form{Act: a, path: path, values: map[string]string{"name": name, "community": w.place, "page": "about",
		"sum": received(name).Sum, "ben": fmt.Sprint(w.userID("ben")), "ben id": data.ID(w.userID("ben")).Text()}}
	f.by = a.by(w, &f)
	for _, prepare := range a.given {
		prepare(w, &f)
	}
	f.path, f.was, f.want = f.fill(path), f.fill(a.was), f.fill(a.want)
	f.fields = append(f.fields, f.fieldsOf(a.fields)...)
	if sql, ok := strings.CutPrefix(f.fill(a.sql), inDirectory); ok {
		f.there = func() (list []string) {
			results, err := w.Sql.Directory.Query(w.Context(), storetest.StmtOf(sql))
			require.NoError(w, err)
			for _, row := range results[0].Rows() {
				list = append(list, textOf(row))
			}
			return list
		}
	} else if sql != "" {
		f.there = w.rows(sql)
	}
	return f
}

// fill puts values into a text.
func (f *form) fill(text string) string {
	for name, value := range f.values {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

func (f *form) fieldsOf(text string) (list []string) {
	for field := range strings.SplitSeq(f.fill(text), "&") {
		if name, value, ok := strings.Cut(field, "="); ok {
			list = append(list, name, value)
		}
	}
	return list
}

// setID keeps an id as text and as a number.
func (f *form) setID(text, number string, id int64) {
	f.values[text], f.values[number] = data.ID(id).Text(), fmt.Sprint(id)
}

func (f *form) setUser(w *FaultySite) { f.setID("user id", "user", w.userID(f.values["name"])) }

// find reads something on a page.
func (f *form) find(path string, what *regexp.Regexp) string {
	m := what.FindStringSubmatch(f.by.Page(path))
	require.NotNil(f.by, m, "%s on %s", what, path)
	return m[1]
}

// Acts are all kinds of writes.
func Acts() []Act { return slices.Concat(accountActs, contentActs, communityActs, adminActs) }

// send sends a form as a browser does that asks for JSON. token is the same when the form is sent again.
func (f *form) send(token string) *httptest.ResponseRecorder {
	r := f.by.Form(f.path, f.fields...)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Idempotency-Key", token)
	if f.pictures != nil {
		pictures.Attach(r, f.pictures...)
	}
	return f.by.Send(r)
}

// copyOf is another window of a browser: what one is sent does not change the other.
func copyOf(b *workertest.Browser) *workertest.Browser {
	c := *b
	c.Header = b.Header.Clone()
	return &c
}

// rows reads rows as text, from all databases that a statement is about. Counts of several databases are added up.
func (w *FaultySite) rows(sql string, args ...any) func() []string {
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

func textOf(row []any) string {
	var words []string
	for _, value := range row {
		words = append(words, fmt.Sprint(value))
	}
	return strings.Join(words, " ")
}

// userID is the id of a member.
func (w *FaultySite) userID(name string) int64 {
	w.Helper()
	return w.One("SELECT id FROM users WHERE username = ?1", name).(int64)
}

// must sends something that is prepared. It returns the id that it made.
func (w *FaultySite) must(b *workertest.Browser, path string, fields ...string) string {
	w.Helper()
	f := form{by: copyOf(b), path: path, fields: fields}
	res := f.send(tokenOf(path, fmt.Sprint(fields)))
	require.Equal(w, http.StatusOK, res.Code, "%s %v: %s", path, fields, res.Body)
	return idIn(res.Body.String())
}

// post is a published post.
func (w *FaultySite) post(b *workertest.Browser, title string, more ...string) (text string, id int64) {
	w.Helper()
	text = w.must(b, "/c/"+w.place+"/submit", append([]string{"title", title, "text", "words"}, more...)...)
	return text, int64(workertest.MustID(w.T, text))
}

// community is one of ann's, on the shard of this moment.
func (w *FaultySite) community(name string) (id int64) {
	w.Helper()
	w.ann.MustPost("/communities", "name", name)
	return w.communityID(name)
}

func (w *FaultySite) communityID(name string) int64 {
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
