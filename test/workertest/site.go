// Package workertest opens whole sites for tests, on real databases, and has test browsers that use them. Only the clock, the queues,
// mails, the bucket of pictures and other servers are simulated.
//
// At the end of a test, checkMessagesSent checks that a message was sent for each job, mail and delta that is still stored and that no
// consumer has tried. Tests with LosesMessages, and jobs that are due much later, are exempt.
package workertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/lists/editions"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/worker"
	"plaza/worker/pictures"
	"plaza/worker/queue"
)

// MemoryQueue keeps messages until the test delivers them.
type MemoryQueue struct {
	mu       sync.Mutex
	Messages map[string][]string
	sent     *sync.Map // all that were ever sent, by this instance and by others on the same databases
	Fail     error
}

func (q *MemoryQueue) Send(_ context.Context, queue string, bodies ...string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.Fail != nil {
		return q.Fail
	}
	q.Messages[queue] = append(q.Messages[queue], bodies...)
	for _, body := range bodies {
		q.sent.Store(body, true)
	}
	return nil
}

func (q *MemoryQueue) Take(name string) (messages []queue.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, body := range q.Messages[name] {
		messages = append(messages, queue.Message{ID: body, Body: body, Attempts: 1})
	}
	q.Messages[name] = nil
	return messages
}

// Site is an App on one or more fresh sqld databases, and on a fresh Redis if there is one.
type Site struct {
	*testing.T
	App    *worker.App
	Queue  *MemoryQueue
	Sql    *storetest.Databases
	Redis  *upstash.Client
	Web    *fakeWeb
	Bucket *pictures.Memory
	Now    time.Time
	Config worker.Config // what the App was made with

	LosesMessages bool // the test inserts jobs with SQL, or its queue fails, so messages may be missing: no check at the end
	FirstShard    bool // communities are created on the first shard instead of a random one

	read map[*hrana.Client]contents // what Everything has read
}

func MustOpen(t *testing.T) *Site {
	t.Helper()
	return OpenSite(t, storetest.OpenDatabases(t), stacktest.OpenRedisIfAny(t), 100)
}

// OpenOn is a site on one database of the test's own, whatever PLAZA_SHARDS says.
func OpenOn(t *testing.T, sql *hrana.Client, redis *upstash.Client, factor int) *Site {
	t.Helper()
	return OpenSite(t, storetest.DatabasesOf(t, sql), redis, factor)
}

func OpenSite(t *testing.T, sql *storetest.Databases, redis *upstash.Client, factor int) *Site {
	t.Helper()
	s := &Site{T: t, Sql: sql, Redis: redis, Queue: &MemoryQueue{Messages: map[string][]string{}, sent: &sql.Sent}, Web: NewWeb(t),
		Bucket: pictures.NewMemory(),
		Now:    time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	source := data.SystemSource()
	chance := source.Rand
	source.Rand = func() uint32 {
		if s.FirstShard {
			return 0
		}
		return chance()
	}
	var mu sync.Mutex
	source.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		s.Now = s.Now.Add(time.Millisecond)
		return s.Now
	}
	source.Database = source.Now
	s.Config = worker.Config{
		DB: sql.Open(), Redis: redis, Queue: s.Queue,
		Background: func(ctx context.Context, task func(context.Context)) { task(ctx) },
		Source:     source, Secret: []byte("a secret of at least thirty-two bytes"), SiteURL: "https://plaza.example", LimitFactor: factor,
		HashCost: credentials.HashCost{Memory: 64, Passes: 1}, // what the hashes are worth is not tested here, and tests make hundreds
		Web:      s.Web, PushKeys: PushKeys(), Pictures: s.Bucket,
		// It stands still: no instance writes what it has counted while a test counts requests.
		MetricsNow: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
		Log:        slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	s.Restart(s.Config)
	t.Cleanup(s.checkMessagesSent)
	return s
}

// checkMessagesSent checks at the end of a test that a message was sent for each job, mail and delta that is still stored and that no
// consumer has tried. So each transaction sends its own messages, and nothing waits for the retry job. Tests with LosesMessages, and jobs
// that are due much later, are exempt.
func (s *Site) checkMessagesSent() {
	if s.Failed() || s.LosesMessages {
		return
	}
	for _, row := range s.Sql.RowsOfAll(`SELECT job, subject_id FROM outbox WHERE attempts = 0 AND NOT (job IN ('forget', 'quarantined')
  AND due_at - queued_at > 3000000)
UNION ALL SELECT 'mail', id FROM mails WHERE attempts = 0 AND due_at IS NOT NULL
UNION ALL SELECT 'vote', target_id FROM vote_deltas
UNION ALL SELECT 'count', post_id FROM count_deltas`) {
		message := data.Message(row[0].(string), data.ID(row[1].(int64)))
		if _, sent := s.Queue.sent.Load(message); !sent {
			s.Errorf("work was left and its message not sent: %s", message)
		}
	}
}

// MaxPageRequests is how many libSQL requests a page may take: one a database. With several, an instance asks once more for the shard of a
// community that it does not know yet.
func (s *Site) MaxPageRequests() int64 {
	n := len(s.Sql.All())
	if n == 1 {
		return 1
	}
	return int64(n) + 1
}

// OnOpen is called with every App that is made. Tests inside package worker set it.
var OnOpen func(*worker.App)

// Restart starts another instance on the same databases and Redis.
func (s *Site) Restart(c worker.Config) {
	s.Helper()
	app, err := worker.New(c)
	require.NoError(s, err)
	s.App = app
	if OnOpen != nil {
		OnOpen(app)
	}
}

// Deliver hands the queues' messages to their consumers.
func (s *Site) Deliver() {
	s.Helper()
	for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
		messages := s.Queue.Take(queue)
		retry, err := s.App.Consume(context.Background(), queue, messages)
		require.NoError(s, err)
		require.Empty(s, retry, "%v", messages)
	}
}

// Browser belongs to one user. It keeps the session cookie.
type Browser struct {
	*Site
	Cookie string
	From   string // value of the cookie __Host-from: a post or comment, and the host whose link led there
	Header http.Header
	Remote string            // the IP address and port; "" is the one that all tests share
	Jar    map[string]string // other cookies, by name; nil keeps none
}

func (s *Site) Visitor() *Browser { return &Browser{Site: s, Header: http.Header{}} }

// Member signs a user up.
func (s *Site) Member(name string) *Browser {
	s.Helper()
	b := s.Visitor()
	res := b.Post("/signup", "username", name, "password", "correct horse")
	require.Equal(s, http.StatusSeeOther, res.Code, res.Body.String())
	require.NotEmpty(s, b.Cookie)
	return b
}

func (b *Browser) Send(r *http.Request) *httptest.ResponseRecorder {
	b.Helper()
	for name, values := range b.Header {
		r.Header[name] = values
	}
	if b.Cookie != "" {
		r.Header.Set("Cookie", "__Host-session="+b.Cookie)
	}
	if b.From != "" {
		r.AddCookie(&http.Cookie{Name: "__Host-from", Value: b.From})
	}
	for name, value := range b.Jar {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	r.RemoteAddr = cmp.Or(b.Remote, "192.0.2.1:1234")
	w := httptest.NewRecorder()
	b.App.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.Name == "__Host-session" {
			b.Cookie = c.Value
		} else if b.Jar != nil && c.MaxAge < 0 {
			delete(b.Jar, c.Name)
		} else if b.Jar != nil {
			b.Jar[c.Name] = c.Value
		}
	}
	return w
}

func (b *Browser) Get(path string) *httptest.ResponseRecorder {
	b.Helper()
	return b.Send(b.Request(path))
}

func (b *Browser) Request(path string) *http.Request {
	return httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
}

func (b *Browser) Post(path string, fields ...string) *httptest.ResponseRecorder {
	b.Helper()
	return b.Send(b.Form(path, fields...))
}

// Form is the request of a form.
func (b *Browser) Form(path string, fields ...string) *http.Request {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return postOf(path, "application/x-www-form-urlencoded", form.Encode())
}

func postOf(path, kind, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

func (b *Browser) PostBody(path, kind, body string) *httptest.ResponseRecorder {
	b.Helper()
	return b.Send(postOf(path, kind, body))
}

// Sum returns the checksum of a made-up picture.
func Sum(n int) string { return fmt.Sprintf("%064x", n) }

// PostPictures posts a form with pictures, as the edge passes it on.
func (b *Browser) PostPictures(path string, list []pictures.Received, fields ...string) *httptest.ResponseRecorder {
	b.Helper()
	r := b.Form(path, fields...)
	pictures.Attach(r, list...)
	return b.Send(r)
}

// Upload uploads a made-up picture, and returns its checksum.
func (b *Browser) Upload(n int) string {
	b.Helper()
	res := b.WithHeader("Accept", "application/json").PostPictures("/pictures", []pictures.Received{{Field: "picture", Name: "a.webp",
		Type: "image/webp", Width: 800, Height: 600, Frames: 1, Bytes: 200_000, Sum: Sum(n), Small: true}}, "colour", "#00695c",
		"hash", "00ff00ff00ff00ff")
	delete(b.Header, "Accept")
	require.Equal(b, http.StatusOK, res.Code, res.Body.String())
	return Sum(n)
}

// MustPost posts a form that works. It returns the address that it redirects to.
func (b *Browser) MustPost(path string, fields ...string) string {
	b.Helper()
	res := b.Post(path, fields...)
	require.Equal(b, http.StatusSeeOther, res.Code, res.Body.String())
	return res.Header().Get("Location")
}

// Page returns the HTML of a page that works.
func (b *Browser) Page(path string) string {
	b.Helper()
	res := b.Get(path)
	require.Equal(b, http.StatusOK, res.Code, "%s: %s", path, res.Body.String())
	return res.Body.String()
}

// Targets lists the targets of a page's vote buttons in their order.
func Targets(page string) (ids []string) {
	for _, m := range regexp.MustCompile(`action="/vote\?target=([0-9a-z]{13})" class="up"`).FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// One is the single value of a query.
func (s *Site) One(sql string, args ...any) any {
	s.Helper()
	return s.Sql.One(sql, args...)
}

func (s *Site) Exec(sql string, args ...any) {
	s.Helper()
	s.Sql.Exec(sql, args...)
}

// Rows returns row counts of tables that requests such as posting, voting, saving and hiding change, to compare before and after a request.
func (s *Site) Rows() any {
	s.Helper()
	return s.Sql.RowsOfAll(`SELECT (SELECT count(*) FROM users) || ' ' || (SELECT count(*) FROM communities) || ' ' || (SELECT count(*)
  FROM posts) || ' ' || (SELECT count(*) FROM comments) || ' ' || (SELECT count(*) FROM votes) || ' ' || (SELECT count(*)
  FROM subscriptions) || ' ' || (SELECT count(*) FROM vote_deltas) || ' ' ||
  (SELECT count(*) FROM vote_origins) || ' ' || (SELECT count(*) FROM quarantines WHERE status = 'open') || ' ' || (SELECT count(*)
  FROM dead_letters) || ' ' ||
  (SELECT count(*) FROM saves) || ' ' || (SELECT count(*) FROM hides) || ' ' || (SELECT count(*) FROM post_texts) || ' ' || (SELECT count(*)
  FROM posts WHERE status = 'deleted' OR edited_at > 0)`)
}

func (b *Browser) WithHeader(name, value string) *Browser {
	b.Header.Set(name, value)
	return b
}

// Edition makes the morning edition of the day, of posts, by their ids, and the same as each member's own. quote is the id of a comment, or
// "". It returns the parts of its address.
func (s *Site) Edition(quote string, posts ...string) (day, half string) {
	s.Helper()
	day, half = s.Now.UTC().Format("2006-01-02"), "morning"
	ids := make([]int64, len(posts))
	for i, post := range posts {
		id, err := data.ParseID(post)
		require.NoError(s, err)
		ids[i] = int64(id)
	}
	text, err := json.Marshal(ids)
	require.NoError(s, err)
	var quoted any
	if quote != "" {
		id, err := data.ParseID(quote)
		require.NoError(s, err)
		quoted = int64(id)
	}
	s.Exec("INSERT OR REPLACE INTO editions (number, published_at, posts, quote) VALUES (?1, ?2, ?3, ?4)",
		int64(editions.Parse(day, half)), s.Now.UnixMilli(), string(text), quoted)
	s.Exec("INSERT OR REPLACE INTO member_editions (user_id, number, posts, quote) SELECT id, ?1, ?2, ?3 FROM users",
		int64(editions.Parse(day, half)), string(text), quoted)
	return day, half
}
