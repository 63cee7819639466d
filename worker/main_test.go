package worker_test

import (
	"cmp"
	"context"
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
	"plaza/data/hrana"
	"plaza/data/people"
	"plaza/data/storetest"
	"plaza/data/upstash"
	"plaza/stack/stacktest"
	"plaza/worker"
	"plaza/worker/request"
)

// memoryQueue keeps messages until the test delivers them.
type memoryQueue struct {
	mu       sync.Mutex
	messages map[string][]string
	sent     *sync.Map // all that were ever sent, by this instance and by others on the same databases
	fail     error
}

func (q *memoryQueue) Send(_ context.Context, queue string, bodies ...string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fail != nil {
		return q.fail
	}
	q.messages[queue] = append(q.messages[queue], bodies...)
	for _, body := range bodies {
		q.sent.Store(body, true)
	}
	return nil
}

func (q *memoryQueue) take(queue string) (messages []request.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, body := range q.messages[queue] {
		messages = append(messages, request.Message{ID: body, Body: body, Attempts: 1})
	}
	q.messages[queue] = nil
	return messages
}

// site is an App on a fresh real sqld database and a fresh real Redis.
type site struct {
	*testing.T
	app    *worker.App
	queue  *memoryQueue
	sql    *storetest.Databases
	redis  *upstash.Client
	web    *fakeWeb
	now    time.Time
	config worker.Config // what the App was made with

	losesMessages bool // it writes work by hand, or has a queue that fails
	firstShard    bool // has communities made on the first shard, where chance chooses one otherwise
}

func mustOpen(t *testing.T) *site {
	t.Helper()
	return openSite(t, storetest.OpenDatabases(t), stacktest.OpenRedis(t), 100)
}

// openOn is a site on one database of the test's own, whatever PLAZA_SHARDS says.
func openOn(t *testing.T, sql *hrana.Client, redis *upstash.Client, factor int) *site {
	t.Helper()
	return openSite(t, storetest.DatabasesOf(t, sql), redis, factor)
}

func openSite(t *testing.T, sql *storetest.Databases, redis *upstash.Client, factor int) *site {
	t.Helper()
	s := &site{T: t, sql: sql, redis: redis, queue: &memoryQueue{messages: map[string][]string{}, sent: sentOn(sql)}, web: newWeb(t), now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	source := data.SystemSource()
	chance := source.Rand
	source.Rand = func() uint32 {
		if s.firstShard {
			return 0
		}
		return chance()
	}
	var mu sync.Mutex
	source.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		s.now = s.now.Add(time.Millisecond)
		return s.now
	}
	source.Database = source.Now
	s.config = worker.Config{
		DB: sql.Open(), Redis: redis, Queue: s.queue,
		Background: func(ctx context.Context, task func(context.Context)) { task(ctx) },
		Source:     source, Secret: []byte("a secret of at least thirty-two bytes"), SiteURL: "https://plaza.example", LimitFactor: factor,
		HashCost: people.HashCost{Memory: 64, Passes: 1}, // what the hashes are worth is not tested here, and tests make hundreds
		Web:      s.web, PushKeys: pushKeys(),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	s.restart(s.config)
	t.Cleanup(s.sentWhatFollows)
	return s
}

var sentOnAll sync.Map

// sentOn are the messages that were sent by the instances on the databases of a test.
func sentOn(sql *storetest.Databases) *sync.Map {
	sent, _ := sentOnAll.LoadOrStore(sql, &sync.Map{})
	return sent.(*sync.Map)
}

func (q *memoryQueue) hasSent(message string) bool {
	_, sent := q.sent.Load(message)
	return sent
}

// sentWhatFollows is a law of all tests of the site: for work that a transaction has left, it has sent the message. Nothing waits for the sweep.
func (s *site) sentWhatFollows() {
	if s.Failed() || s.losesMessages {
		return
	}
	for _, row := range s.sql.RowsOfAll(`SELECT work, subject_id FROM outbox WHERE attempts = 0
UNION ALL SELECT 'mail', id FROM mails WHERE attempts = 0 AND due_at IS NOT NULL
UNION ALL SELECT 'vote', target_id FROM vote_deltas
UNION ALL SELECT 'count', post_id FROM count_deltas`) {
		if message := data.Message(row[0].(string), data.ID(row[1].(int64))); !s.queue.hasSent(message) {
			s.Errorf("work was left and its message not sent: %s", message)
		}
	}
}

// oneEach is how many libSQL requests a page may take: one a database. With several, an instance asks once more for the
// shard of a community that it does not know yet.
func (s *site) oneEach() int64 {
	n := len(s.sql.All())
	if n == 1 {
		return 1
	}
	return int64(n) + 1
}

// onOpen is given every App that is made, by tests that know its inside.
var onOpen func(*worker.App)

// restart makes the site anew on the same database and Redis.
func (s *site) restart(c worker.Config) {
	s.Helper()
	app, err := worker.New(c)
	require.NoError(s, err)
	s.app = app
	if onOpen != nil {
		onOpen(app)
	}
}

// deliver hands the queues' messages to their consumers.
func (s *site) deliver() {
	s.Helper()
	for _, queue := range []string{request.QueueVotes, request.QueueEvents} {
		messages := s.queue.take(queue)
		retry, err := s.app.Consume(context.Background(), queue, messages)
		require.NoError(s, err)
		require.Empty(s, retry, "%v", messages)
	}
}

// browser is one person's: it keeps the session cookie.
type browser struct {
	*site
	cookie string
	from   string // the cookie of where they came from
	header http.Header
	remote string            // their address; "" is that of everybody in the tests
	jar    map[string]string // other cookies, by name; nil keeps none
}

func (s *site) visitor() *browser { return &browser{site: s, header: http.Header{}} }

// member signs somebody up.
func (s *site) member(name string) *browser {
	s.Helper()
	b := s.visitor()
	res := b.post("/signup", "username", name, "password", "correct horse")
	require.Equal(s, http.StatusSeeOther, res.Code, res.Body.String())
	require.NotEmpty(s, b.cookie)
	return b
}

func (b *browser) send(r *http.Request) *httptest.ResponseRecorder {
	b.Helper()
	for name, values := range b.header {
		r.Header[name] = values
	}
	if b.cookie != "" {
		r.Header.Set("Cookie", "__Host-session="+b.cookie)
	}
	if b.from != "" {
		r.AddCookie(&http.Cookie{Name: "__Host-from", Value: b.from})
	}
	for name, value := range b.jar {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	r.RemoteAddr = cmp.Or(b.remote, "192.0.2.1:1234")
	w := httptest.NewRecorder()
	b.app.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.Name == "__Host-session" {
			b.cookie = c.Value
		} else if b.jar != nil && c.MaxAge < 0 {
			delete(b.jar, c.Name)
		} else if b.jar != nil {
			b.jar[c.Name] = c.Value
		}
	}
	return w
}

func (b *browser) get(path string) *httptest.ResponseRecorder {
	b.Helper()
	return b.send(b.request(path))
}

func (b *browser) request(path string) *http.Request {
	return httptest.NewRequest(http.MethodGet, "https://plaza.example"+path, nil)
}

func (b *browser) post(path string, fields ...string) *httptest.ResponseRecorder {
	b.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.postBody(path, "application/x-www-form-urlencoded", form.Encode())
}

func (b *browser) postBody(path, kind, body string) *httptest.ResponseRecorder {
	b.Helper()
	r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.send(r)
}

// mustPost is an action that works; it returns where it leads.
func (b *browser) mustPost(path string, fields ...string) string {
	b.Helper()
	res := b.post(path, fields...)
	require.Equal(b, http.StatusSeeOther, res.Code, res.Body.String())
	return res.Header().Get("Location")
}

// page is a page that works.
func (b *browser) page(path string) string {
	b.Helper()
	res := b.get(path)
	require.Equal(b, http.StatusOK, res.Code, "%s: %s", path, res.Body.String())
	return res.Body.String()
}

// targets lists the targets of a page's vote forms in their order.
func targets(page string) (ids []string) {
	for _, m := range regexp.MustCompile(`action="/vote\?target=([0-9a-z]{13})"`).FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// one is the single value of a query.
func (s *site) one(sql string, args ...any) any {
	s.Helper()
	return s.sql.One(sql, args...)
}

func (s *site) exec(sql string, args ...any) {
	s.Helper()
	s.sql.Exec(sql, args...)
}

// rows is how much there is in all tables that people can change.
func (s *site) rows() any {
	s.Helper()
	return s.sql.RowsOfAll(`SELECT (SELECT count(*) FROM users) || ' ' || (SELECT count(*) FROM communities) || ' ' || (SELECT count(*) FROM posts) || ' ' ||
  (SELECT count(*) FROM comments) || ' ' || (SELECT count(*) FROM votes) || ' ' || (SELECT count(*) FROM subscriptions) || ' ' || (SELECT count(*) FROM vote_deltas) || ' ' ||
  (SELECT count(*) FROM ballots) || ' ' || (SELECT count(*) FROM quarantines WHERE status = 'open') || ' ' || (SELECT count(*) FROM dead_letters) || ' ' ||
  (SELECT count(*) FROM saves) || ' ' || (SELECT count(*) FROM hides) || ' ' || (SELECT count(*) FROM post_texts) || ' ' || (SELECT count(*) FROM posts WHERE status = 'deleted' OR edited_at > 0)`)
}

func (b *browser) withHeader(name, value string) *browser {
	b.header.Set(name, value)
	return b
}
