package admin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/schema"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
)

func TestHealth(t *testing.T) {
	// A database that reads and doesn't write: one that is full, or whose writer is stuck.
	const (
		full = `CREATE TRIGGER full BEFORE UPDATE ON health BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`
		room = `DROP TRIGGER full`
	)
	s := workertest.MustOpen(t)
	visitor := s.Visitor()
	health := func() int { return visitor.Get("/healthz").Code }
	later := func() { s.Now = s.Now.Add(6 * time.Second) }
	require.Equal(t, http.StatusOK, health())
	later()
	require.Equal(t, http.StatusOK, health())
	s.Exec(full)
	t.Run("a database that doesn't write is not well, though it reads", func(t *testing.T) {
		later()
		assert.Equal(t, http.StatusServiceUnavailable, health())
		assert.Equal(t, http.StatusServiceUnavailable, health(), "nor a moment later")
		assert.Equal(t, http.StatusOK, visitor.Get("/new").Code)
	})
	s.Exec(room)
	t.Run("it is well again as soon as it writes again", func(t *testing.T) {
		later()
		assert.Equal(t, http.StatusOK, health())
	})
	t.Run("monitors that ask often don't make it write often", func(t *testing.T) {
		later()
		written := func() (n int64) {
			for range 20 {
				ctx, meter := hrana.WithMeter(context.Background())
				r := visitor.Request("/healthz").WithContext(ctx)
				require.Equal(t, http.StatusOK, visitor.Send(r).Code)
				n += meter.RowsWritten()
			}
			return n
		}
		assert.EqualValues(t, len(s.Sql.All()), written(), "one row a database")
	})
}

// whileTrying calls a function while /healthz tries to write.
type whileTrying struct {
	transport hrana.Doer
	do        func()
}

func (w *whileTrying) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if do := w.do; do != nil && bytes.Contains(body, []byte("INSERT INTO health")) {
		w.do = nil
		do()
	}
	return w.transport.Do(r)
}

func TestADatabaseThatDoesNotWriteFailsWhileItIsTriedAgain(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	transport := &whileTrying{transport: client}
	sql := hrana.New(hrana.Options{URL: url, HTTP: client})
	s := workertest.OpenOn(t, sql, stacktest.OpenRedis(t), 100)
	s.Config.DB = data.NewDB(hrana.New(hrana.Options{URL: url, HTTP: transport, Attempts: 1, ReadTime: stacktest.ReadTime}))
	s.Restart(s.Config)
	health := func() int { return s.Visitor().Get("/healthz").Code }
	s.Exec(`CREATE TRIGGER full BEFORE INSERT ON health BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END`)
	require.Equal(t, http.StatusServiceUnavailable, health())
	s.Now = s.Now.Add(6 * time.Second)
	meanwhile := 0
	transport.do = func() { meanwhile = health() }
	require.Equal(t, http.StatusServiceUnavailable, health())
	require.Equal(t, http.StatusServiceUnavailable, meanwhile)
}

const healthToken = "a token of a monitor"

// getHealth asks /healthz with a token and returns the response.
func getHealth(s *workertest.Site, token string) (status int, body string, all map[string]any) {
	s.Helper()
	visitor := s.Visitor()
	visitor.Header.Set("Authorization", "Bearer "+token)
	res := visitor.Get("/healthz")
	if strings.HasPrefix(res.Header().Get("Content-Type"), "application/json") {
		require.NoError(s, json.Unmarshal(res.Body.Bytes(), &all))
	}
	assert.Equal(s, "private, no-store", res.Header().Get("Cache-Control"))
	return res.Code, res.Body.String(), all
}

// setHealthToken sets the token with which /healthz shows details.
func setHealthToken(s *workertest.Site) {
	s.Config.HealthToken = healthToken
	s.Restart(s.Config)
}

func TestHealthDetailsNeedTheToken(t *testing.T) {
	stacktest.NeedRedis(t)
	s := workertest.MustOpen(t)
	s.LosesMessages = true
	t.Run("nobody has it where there is none", func(t *testing.T) {
		for _, token := range []string{"", healthToken} {
			_, body, _ := getHealth(s, token)
			assert.Equal(t, "ok\n", body)
		}
	})
	setHealthToken(s)
	t.Run("others are told ok", func(t *testing.T) {
		for _, token := range []string{"", "another", healthToken + "s"} {
			status, body, _ := getHealth(s, token)
			assert.Equal(t, http.StatusOK, status)
			assert.Equal(t, "ok\n", body)
		}
	})
	t.Run("a quiet site", func(t *testing.T) {
		status, body, _ := getHealth(s, healthToken)
		assert.Equal(t, http.StatusOK, status)
		var databases []string
		for _, where := range s.Config.DB.Databases() {
			databases = append(databases, fmt.Sprintf(`{"name":%q,"schema":%d,"votes_wait":0,"comments_wait":0,"work_overdue":0,"mails_overdue":0,"dead_letters":0}`,
				where, schema.Version))
		}
		assert.JSONEq(t, fmt.Sprintf(`{"ok":true,"schema":%d,"redis":{},"databases":[%s]}`, schema.Version, strings.Join(databases, ",")), body)
	})
	first := min(1, len(s.Sql.All())-1) // the database of the first shard; dead letters are in the directory
	database := func(all map[string]any, n int) map[string]any { return all["databases"].([]any)[n].(map[string]any) }
	ago := func(d time.Duration) int64 { return s.Now.Add(-d).UnixMilli() }
	s.Exec(`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at) VALUES (1, 1, 1, 0, ?1), (2, 1, 1, 0, ?2)`,
		ago(90*time.Second), ago(time.Second))
	s.Exec(`INSERT INTO count_deltas (post_id, parent_id, path, created_at) VALUES (2, 0, '', ?1), (4, 0, '', ?2)`, ago(5*time.Minute),
		ago(time.Second))
	s.Exec(`INSERT INTO outbox (subject_id, job, queued_at, due_at) VALUES (2, 'link', 0, ?1), (4, 'link', 0, ?2)`, ago(-time.Minute),
		ago(time.Hour))
	s.Exec(`INSERT INTO mails (id, key, kind, user_id, address, about, queued_at, due_at) VALUES (1, 'a', 'reset', 1, '', '', 0, ?1)`,
		ago(20*time.Minute))
	s.Exec(`INSERT INTO dead_letters (id, queue, body, message_id, failed_at, last_at, replayed_at) VALUES (1, '', 'a', '', 0, 0, NULL), (2,
  '', 'b', '', 0, 0, 1), (3, '', 'c', '', 0, 0, NULL)`)
	t.Run("what waits", func(t *testing.T) {
		status, _, all := getHealth(s, healthToken)
		assert.Equal(t, http.StatusOK, status)
		assert.InDelta(t, 90, database(all, first)["votes_wait"], 0.5)
		assert.InDelta(t, 300, database(all, first)["comments_wait"], 0.5)
		assert.InDelta(t, 3600, database(all, first)["work_overdue"], 0.5)
		assert.InDelta(t, 1200, database(all, 0)["mails_overdue"], 0.5)
		assert.EqualValues(t, 2, database(all, 0)["dead_letters"])
	})
	t.Run("what is not due yet is not overdue", func(t *testing.T) {
		s.Exec(`DELETE FROM outbox WHERE subject_id = 4`)
		_, _, all := getHealth(s, healthToken)
		assert.Zero(t, database(all, first)["work_overdue"])
	})
	t.Run("it costs the same however much waits", func(t *testing.T) {
		s.Exec(`INSERT INTO dead_letters (id, queue, body, message_id, failed_at, last_at) SELECT value, '', value, '', 0, 0
  FROM generate_series(10, 3000)`)
		s.Exec(`INSERT INTO vote_deltas (target_id, user_id, ups, downs, created_at) SELECT value, 1, 1, 0, 0 FROM generate_series(10, 3000)`)
		ctx, meter := hrana.WithMeter(context.Background())
		r := s.Visitor().Request("/healthz").WithContext(ctx)
		r.Header.Set("Authorization", "Bearer "+healthToken)
		require.Contains(t, s.Visitor().Send(r).Body.String(), `"dead_letters":100`)
		assert.EqualValues(t, len(s.Sql.All()), meter.Requests())
		assert.Less(t, meter.RowsRead(), int64(100+2020*len(s.Sql.All())))
	})
	t.Run("Redis that is unavailable is told, and is no reason not to be well", func(t *testing.T) {
		config := s.Config
		config.Redis = upstash.New(upstash.Options{URL: "http://127.0.0.1:1"})
		s.Restart(config)
		status, _, all := getHealth(s, healthToken)
		assert.Equal(t, http.StatusOK, status)
		assert.Contains(t, all["redis"].(map[string]any)["error"], "connection refused")
		s.Restart(s.Config)
	})
}

func TestHealthOfOneOfSeveralDatabases(t *testing.T) {
	var clients []*hrana.Client
	var transports []*storetest.Transport
	for range 3 {
		url, client := stacktest.OpenSchemaDB(t)
		transports = append(transports, &storetest.Transport{Http: client})
		clients = append(clients, hrana.New(hrana.Options{URL: url, HTTP: transports[len(transports)-1], Attempts: 1, ReadTime: stacktest.ReadTime}))
	}
	s := workertest.OpenOn(t, clients[0], stacktest.OpenRedis(t), 100)
	s.Config.DB = data.NewDB(clients[0], clients[1:]...)
	setHealthToken(s)
	names := func() (names []string, errors []any) {
		_, _, all := getHealth(s, healthToken)
		for _, one := range all["databases"].([]any) {
			database := one.(map[string]any)
			names, errors = append(names, database["name"].(string)), append(errors, database["error"])
		}
		return names, append(errors, all["error"])
	}
	all, errors := names()
	assert.Equal(t, []string{"directory", "thread shard 0", "thread shard 1"}, all)
	assert.Equal(t, []any{nil, nil, nil, nil}, errors)
	transports[2].Cut.Store(true)
	status, _, _ := getHealth(s, healthToken)
	assert.Equal(t, http.StatusServiceUnavailable, status)
	_, errors = names()
	assert.Equal(t, []any{nil, nil}, errors[:2])
	assert.Contains(t, errors[2], "the connection is cut")
	assert.Contains(t, errors[3], "thread shard 1: ")
	s.Now = s.Now.Add(6 * time.Second)
	assert.Equal(t, http.StatusServiceUnavailable, s.Visitor().Get("/healthz").Code, "and so are those without a token")
}

func TestHealthOfASchema(t *testing.T) {
	var log bytes.Buffer
	s := workertest.MustOpen(t)
	s.Config.Log = slog.New(slog.NewTextHandler(&log, nil))
	setHealthToken(s)
	// The last database is at another step than the others, which are as they should be. With one, it is the only one.
	last := len(s.Sql.All()) - 1
	name := s.Config.DB.Databases()[last].String()
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := s.Sql.All()[last].Tx(t.Context(), storetest.StmtOf(sql, args...))
		require.NoError(t, err)
	}
	inLog := name
	if strings.Contains(name, " ") {
		inLog = strconv.Quote(name)
	}
	later := func() { s.Now = s.Now.Add(6 * time.Second) }
	minute := func(n int) string {
		t.Helper()
		log.Reset()
		require.NoError(t, s.App.Scheduled(context.Background(), time.Date(2026, 11, 21, 12, n, 0, 0, time.UTC)))
		return log.String()
	}
	t.Run("that is this build's", func(t *testing.T) {
		assert.NotContains(t, minute(0), "schema")
	})
	t.Run("that lacks steps", func(t *testing.T) {
		exec(`UPDATE schema_steps SET done_at = NULL WHERE number = ?1`, schema.Version)
		later()
		assert.Equal(t, http.StatusServiceUnavailable, s.Visitor().Get("/healthz").Code)
		status, _, all := getHealth(s, healthToken)
		assert.Equal(t, http.StatusServiceUnavailable, status)
		assert.Equal(t, fmt.Sprintf("%s: it is at step %d of the schema and this build needs step %d: run plaza migrate", name, schema.Version-1,
			schema.Version), all["error"])
		assert.NotContains(t, minute(7), "schema", "not each minute")
		assert.Contains(t, minute(0), fmt.Sprintf(`level=ERROR msg="a database has not taken all steps of the schema: run plaza migrate" `+
			`database=%s step=%d needed=%d`, inLog, schema.Version-1, schema.Version))
		s.Restart(s.Config)
		assert.Contains(t, minute(7), "run plaza migrate", "but in the first minute of an instance")
	})
	t.Run("that remembers no steps", func(t *testing.T) {
		exec(`ALTER TABLE schema_steps RENAME TO forgotten`)
		later()
		_, _, all := getHealth(s, healthToken)
		assert.Equal(t, fmt.Sprintf("%s: it is at step 0 of the schema and this build needs step %d: run plaza migrate", name, schema.Version),
			all["error"])
		exec(`ALTER TABLE forgotten RENAME TO schema_steps`)
	})
	t.Run("that is ahead, as while a new build is deployed", func(t *testing.T) {
		exec(`UPDATE schema_steps SET done_at = 1`)
		exec(`INSERT INTO schema_steps (number, name, done_at) VALUES (?1, 'tomorrow', 1)`, schema.Version+1)
		later()
		assert.Equal(t, http.StatusOK, s.Visitor().Get("/healthz").Code)
		_, _, all := getHealth(s, healthToken)
		assert.EqualValues(t, schema.Version, all["schema"])
		assert.EqualValues(t, schema.Version+1, all["databases"].([]any)[last].(map[string]any)["schema"])
		assert.Contains(t, minute(0), fmt.Sprintf(`level=INFO msg="a database has taken steps of the schema that this build does not know" `+
			`database=%s step=%d known=%d`, inLog, schema.Version+1, schema.Version))
	})
}
