package hrana_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/data/wire/breaker"
	"plaza/data/wire/hrana"
	"plaza/stack"
	"plaza/test/stacktest"
)

// TestReplica has a real primary and a real replica. reader and other are two instances' clients.
func TestReplica(t *testing.T) {
	servers := stacktest.OpenReplicated(t)
	open := servers.Client
	mustTx(t, open(), sql("CREATE TABLE t (a INTEGER PRIMARY KEY)"))
	// synced is an instance with a recent position of the primary.
	synced := func() *hrana.Client {
		c := open()
		mustQuery(t, c, sql("SELECT 1"))
		servers.Asked(t)
		return c
	}
	// rows reads the table for a reader, and returns how many requests each server got.
	rows := func(c *hrana.Client, r *hrana.Reader) (n int64, asked string) {
		ctx := deadline.ForRequest(hrana.WithReader(t.Context(), r))
		res, lag, err := c.QueryReplica(ctx, time.Time{}, sql("SELECT count(*) FROM t"))
		require.NoError(t, err)
		assert.LessOrEqual(t, lag, hrana.Lag)
		primary, replica := servers.Asked(t)
		return res[0].Rows()[0][0].(int64), fmt.Sprintf("primary %d, replica %d", primary, replica)
	}
	want := int64(0)
	check := func(asked string, c *hrana.Client, r *hrana.Reader, rowsWanted int64) {
		t.Helper()
		n, got := rows(c, r)
		assert.Equal(t, asked, got)
		assert.Equal(t, rowsWanted, n)
	}
	write := func(c *hrana.Client, r *hrana.Reader) {
		_, err := c.Tx(hrana.WithReader(t.Context(), r), sql("INSERT INTO t DEFAULT VALUES"))
		require.NoError(t, err)
		want++
		servers.Asked(t)
	}
	// carried is the reader's state in another instance, from the browser.
	carried := func(r *hrana.Reader, from, to *hrana.Client) *hrana.Reader {
		there := &hrana.Reader{}
		there.Note(to, r.Wrote(from))
		return there
	}
	servers.CatchUp(t)

	t.Run("an instance asks the primary first, then the replica alone", func(t *testing.T) {
		c := open()
		servers.Asked(t)
		check("primary 1, replica 0", c, &hrana.Reader{}, want)
		check("primary 0, replica 1", c, &hrana.Reader{}, want)
	})
	t.Run("Query asks the primary, as does a page without a reader", func(t *testing.T) {
		c := synced()
		mustQuery(t, c, sql("SELECT 1"))
		_, _, err := c.QueryReplica(t.Context(), time.Time{}, sql("SELECT 1"))
		require.NoError(t, err)
		primary, replica := servers.Asked(t)
		assert.Equal(t, [2]int{2, 0}, [2]int{primary, replica})
	})
	t.Run("while replication is paused, writers find what they wrote, and others what was there before", func(t *testing.T) {
		here, there := synced(), synced()
		servers.Link.Pause()
		me, somebody := &hrana.Reader{}, &hrana.Reader{}
		before, old := synced(), want
		write(here, me)
		check("primary 1, replica 1", there, carried(me, here, there), want)
		check("primary 1, replica 1", here, me, want)
		check("primary 0, replica 1", here, somebody, old) // of the primary's position before the write
		stale := synced()                                  // only with the position of the write
		check("primary 1, replica 1", stale, somebody, want)
		other := open() // with a position of the primary from before the write
		hrana.Reached(other, before, -2*time.Second)
		check("primary 0, replica 1", other, somebody, old)
		check("primary 1, replica 1", other, carried(me, here, other), want)

		servers.Link.Resume()
		servers.CatchUp(t)
		servers.Asked(t)
		for _, c := range []*hrana.Client{here, there, stale, other} {
			check("primary 0, replica 1", c, carried(me, here, c), want)
		}
	})
	t.Run("rows of an answer that is thrown away do not count", func(t *testing.T) {
		c, me := synced(), &hrana.Reader{}
		servers.Link.Pause()
		defer servers.CatchUp(t)
		defer servers.Link.Resume()
		write(c, me)
		ctx, alone := hrana.WithMeter(t.Context())
		_, err := c.Query(ctx, sql("SELECT a FROM t"))
		require.NoError(t, err)
		ctx, both := hrana.WithMeter(hrana.WithReader(t.Context(), me))
		_, _, err = c.QueryReplica(ctx, time.Time{}, sql("SELECT a FROM t"))
		require.NoError(t, err)
		assert.Equal(t, alone.RowsRead(), both.RowsRead())
		assert.Equal(t, int64(2), both.Requests())
		taken, behind, failed := both.Replicas()
		assert.Equal(t, [3]int64{0, 1, 0}, [3]int64{taken, behind, failed})
		ctx, one := hrana.WithMeter(hrana.WithReader(t.Context(), &hrana.Reader{}))
		_, _, err = c.QueryReplica(ctx, time.Time{}, sql("SELECT a FROM t"))
		require.NoError(t, err)
		taken, _, _ = one.Replicas()
		assert.Equal(t, int64(1), taken)
		assert.Positive(t, one.RowsRead())
	})
	t.Run("an answer has all of a moment after the reader's last change", func(t *testing.T) {
		c := synced()
		ctx := hrana.WithReader(t.Context(), &hrana.Reader{})
		_, lag, err := c.QueryReplica(ctx, time.Now(), sql("SELECT 1"))
		require.NoError(t, err)
		assert.Zero(t, lag, "the primary has answered")
		_, lag, err = c.QueryReplica(ctx, time.Now().Add(-time.Second), sql("SELECT 1"))
		require.NoError(t, err)
		assert.NotZero(t, lag)
		servers.Asked(t)
	})
	t.Run("a primary that was restored to a lower index has its replica answer again", func(t *testing.T) {
		c := open()
		hrana.Hear(c, 1<<40, -time.Second)
		mustQuery(t, c, sql("SELECT 1"))
		servers.Asked(t)
		check("primary 0, replica 1", c, &hrana.Reader{}, want)
	})
	t.Run("an answer is no older than Lag", func(t *testing.T) {
		c := synced()
		hrana.Reached(c, c, -hrana.Lag)
		check("primary 1, replica 0", c, &hrana.Reader{}, want)
	})
	t.Run("a write whose answer was lost has its writer read the primary", func(t *testing.T) {
		c, me := synced(), &hrana.Reader{}
		require.NoError(t, servers.Primary.Set(stack.Fault{Kind: "lose", Status: 500}))
		_, err := c.Tx(hrana.WithReader(t.Context(), me), sql("INSERT INTO t DEFAULT VALUES"))
		require.Error(t, err)
		require.NoError(t, servers.Primary.Set(stack.Fault{}))
		servers.Asked(t)
		want, _ = rows(c, me)
		check("primary 1, replica 0", c, me, want)
		servers.CatchUp(t)
		servers.Asked(t)
		check("primary 0, replica 1", c, &hrana.Reader{}, want)
	})
	t.Run("a statement that the replica refuses is asked of the primary", func(t *testing.T) {
		c := synced()
		servers.Link.Pause()
		defer servers.Link.Resume()
		other := open()
		mustTx(t, other, sql("CREATE TABLE IF NOT EXISTS later (a)"))
		servers.Asked(t)
		ctx := hrana.WithReader(t.Context(), &hrana.Reader{})
		_, _, err := c.QueryReplica(ctx, time.Time{}, sql("SELECT * FROM later"))
		require.NoError(t, err)
		primary, replica := servers.Asked(t)
		assert.Equal(t, [2]int{1, 1}, [2]int{primary, replica})
	})
	servers.CatchUp(t)
	t.Run("one that is killed costs no page", func(t *testing.T) {
		c := synced()
		servers.Server.Kill()
		<-servers.Server.Wait()
		check("primary 1, replica 1", c, &hrana.Reader{}, want)
		check("primary 1, replica 1", c, &hrana.Reader{}, want)
	})
}

// TestAReplicaThatHangs: a replica that does not respond delays some pages for a moment, and fails none.
func TestAReplicaThatHangs(t *testing.T) {
	const (
		batch = `{"type":"ok","response":{"type":"batch","result":{"step_results":[{"cols":[],"rows":[]}],"step_errors":[null],` +
			`"replication_index":"7"}}}`
		index  = `{"type":"ok","response":{"type":"execute","result":{"cols":[],"rows":[],"replication_index":"7"}}}`
		closed = `{"type":"ok","response":{"type":"close"}}`
	)
	responses := map[string]string{"primary": batch, "replica": index + "," + batch}
	bubble := func(name string, test func(t *testing.T, response func(bool), page func(ctx context.Context) (asked string, took time.Duration))) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked, responding := map[string]int{}, false
				way := transport(func(r *http.Request) (*http.Response, error) {
					asked[r.URL.Host]++
					if r.URL.Host == "replica" && !responding {
						return hangs(r)
					}
					return respond(200, `{"results":[`+responses[r.URL.Host]+","+closed+"]}"), nil
				})
				c := hrana.New(hrana.Options{URL: "http://primary", Replica: "http://replica", HTTP: way})
				mustQuery(t, c, sql("SELECT 1"))
				test(t, func(now bool) { responding = now }, func(ctx context.Context) (string, time.Duration) {
					clear(asked)
					began := time.Now()
					_, _, err := c.QueryReplica(hrana.WithReader(ctx, &hrana.Reader{}), time.Time{}, sql("SELECT 1"))
					require.NoError(t, err)
					return fmt.Sprintf("primary %d, replica %d", asked["primary"], asked["replica"]), time.Since(began)
				})
			})
		})
	}
	bubble("it is waited for once, and then left alone for a while", func(t *testing.T, response func(bool),
		page func(context.Context) (string, time.Duration)) {
		asked, took := page(deadline.ForRequest(t.Context()))
		assert.Equal(t, "primary 1, replica 1", asked)
		assert.Equal(t, time.Second, took)
		for range 3 {
			asked, took = page(deadline.ForRequest(t.Context()))
			assert.Equal(t, "primary 1, replica 0", asked)
			assert.Zero(t, took)
		}
		response(true)
		time.Sleep(breaker.Pause)
		asked, _ = page(deadline.ForRequest(t.Context()))
		assert.Equal(t, "primary 0, replica 1", asked)
	})
	bubble("it leaves time for the primary, where a page can do without the database", func(t *testing.T, _ func(bool),
		page func(context.Context) (string, time.Duration)) {
		ctx := deadline.ForOptional(deadline.ForRequest(t.Context()))
		_, took := page(ctx)
		assert.Equal(t, deadline.Optional/2, took)
		_, took = page(ctx)
		assert.Zero(t, took, "it is left alone")
	})
}

// TestWriteWhoseIndexIsUnknown has a server that runs a write and returns no index.
func TestWriteWhoseIndexIsUnknown(t *testing.T) {
	way := transport(func(*http.Request) (*http.Response, error) { return says(committed) })
	c, me := hrana.New(hrana.Options{URL: "http://primary", Replica: "http://replica", HTTP: way}), &hrana.Reader{}
	_, err := c.Tx(hrana.WithReader(t.Context(), me), sql("INSERT INTO t DEFAULT VALUES"))
	require.NoError(t, err)
	assert.Equal(t, hrana.Unknown, me.Wrote(c), "its writer reads the primary")
}

func TestReplicaOptions(t *testing.T) {
	t.Run("a wrong address of the replica fails every call", func(t *testing.T) {
		_, err := hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Replica: "ftp://x"}).Query(t.Context(), sql("SELECT 1"))
		assert.ErrorContains(t, err, "ftp")
	})
	t.Run("the token of the primary's address is the replica's, too, unless that has one", func(t *testing.T) {
		var auth string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { auth = r.Header.Get("Authorization") }))
		defer server.Close()
		for token, replica := range map[string]string{"Bearer a": server.URL, "Bearer b": server.URL + "?authToken=b"} {
			for _, o := range []hrana.Options{{URL: "http://127.0.0.1:1?authToken=a"}, {URL: "http://127.0.0.1:1", Token: "a"}} {
				o.Replica, o.Attempts = replica, 1
				c := hrana.New(o)
				hrana.Hear(c, 1, 0)
				_, _, err := c.QueryReplica(hrana.WithReader(t.Context(), &hrana.Reader{}), time.Time{}, sql("SELECT 1"))
				require.Error(t, err)
				assert.Equal(t, token, auth)
			}
		}
	})
	t.Run("without a replica a request is the same, and nothing is noted", func(t *testing.T) {
		f := openFlaky(t)
		me := &hrana.Reader{}
		ctx := hrana.WithReader(t.Context(), me)
		_, err := f.client.Tx(ctx, sql("INSERT INTO t VALUES (1)"))
		require.NoError(t, err)
		assert.Zero(t, me.Wrote(f.client))
		_, _, err = f.client.QueryReplica(ctx, time.Time{}, sql("SELECT 1"))
		require.NoError(t, err)
		mustQuery(t, f.client, sql("SELECT 1"))
		assert.Equal(t, f.bodies[2], f.bodies[1])
	})
}
