package hrana_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/stack"
	"plaza/stack/stacktest"
)

// TestReplica has a real primary and a real replica. reader and other are two instances' clients.
func TestReplica(t *testing.T) { inBothEncodings(t, testReplica) }

func testReplica(t *testing.T, _ func(*testing.T) *hrana.Client) {
	inJSON := t.Name() == "TestReplica/in_JSON"
	servers := stacktest.OpenReplicated(t)
	open := func() *hrana.Client {
		c := servers.Client()
		if inJSON {
			hrana.UseJSON(c)
		}
		return c
	}
	mustTx(t, open(), sql("CREATE TABLE t (a INTEGER PRIMARY KEY)"))
	// warm is an instance that has heard from the primary a moment ago.
	warm := func() *hrana.Client {
		c := open()
		mustQuery(t, c, sql("SELECT 1"))
		servers.Asked(t)
		return c
	}
	// rows reads the table for a reader, and returns how many requests each server got.
	rows := func(c *hrana.Client, r *hrana.Reader) (n int64, asked string) {
		ctx := deadline.ForRequest(hrana.WithReader(t.Context(), r))
		res, lag, err := c.QueryReplica(ctx, sql("SELECT count(*) FROM t"))
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
	// carried is what a reader's browser tells another instance.
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
		c := warm()
		mustQuery(t, c, sql("SELECT 1"))
		_, _, err := c.QueryReplica(t.Context(), sql("SELECT 1"))
		require.NoError(t, err)
		primary, replica := servers.Asked(t)
		assert.Equal(t, [2]int{2, 0}, [2]int{primary, replica})
	})
	t.Run("while replication is paused, writers find what they wrote, and others what was there before", func(t *testing.T) {
		here, there := warm(), warm()
		servers.Link.Pause()
		me, somebody := &hrana.Reader{}, &hrana.Reader{}
		before, old := warm(), want
		write(here, me)
		check("primary 1, replica 1", there, carried(me, here, there), want)
		check("primary 1, replica 1", here, me, want)
		stale := warm() // has heard of the write
		check("primary 1, replica 1", stale, somebody, want)
		other := open() // as one that had heard from the primary before the write
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
	t.Run("an answer is no older than Lag", func(t *testing.T) {
		c := warm()
		hrana.Reached(c, c, -hrana.Lag)
		check("primary 1, replica 0", c, &hrana.Reader{}, want)
	})
	t.Run("a write whose answer was lost has its writer read the primary", func(t *testing.T) {
		c, me := warm(), &hrana.Reader{}
		require.NoError(t, servers.Primary.Set(stack.Fault{Kind: "lose", Status: 500}))
		_, err := c.Tx(hrana.WithReader(t.Context(), me), sql("INSERT INTO t DEFAULT VALUES"))
		require.Error(t, err)
		require.NoError(t, servers.Primary.Set(stack.Fault{}))
		servers.Asked(t)
		want, _ = rows(c, me)
		check("primary 1, replica 1", c, me, want)
		servers.CatchUp(t)
		servers.Asked(t)
		check("primary 0, replica 1", c, &hrana.Reader{}, want)
	})
	t.Run("a statement that the replica refuses is asked of the primary", func(t *testing.T) {
		c := warm()
		servers.Link.Pause()
		defer servers.Link.Resume()
		other := open()
		mustTx(t, other, sql("CREATE TABLE IF NOT EXISTS later (a)"))
		servers.Asked(t)
		ctx := hrana.WithReader(t.Context(), &hrana.Reader{})
		_, _, err := c.QueryReplica(ctx, sql("SELECT * FROM later"))
		require.NoError(t, err)
		primary, replica := servers.Asked(t)
		assert.Equal(t, [2]int{1, 1}, [2]int{primary, replica})
	})
	servers.CatchUp(t)
	t.Run("one that hangs is waited for once, and then left alone for a while", func(t *testing.T) {
		c := warm()
		require.NoError(t, servers.Replica.Set(stack.Fault{Kind: "hole"}))
		began := time.Now()
		check("primary 1, replica 1", c, &hrana.Reader{}, want)
		assert.InDelta(t, time.Second, time.Since(began), float64(500*time.Millisecond))
		for range 3 {
			check("primary 1, replica 0", c, &hrana.Reader{}, want)
		}
		require.NoError(t, servers.Replica.Set(stack.Fault{}))
		require.Eventually(t, func() bool {
			_, asked := rows(c, &hrana.Reader{})
			return asked == "primary 0, replica 1"
		}, 5*time.Second, 100*time.Millisecond)
	})
	t.Run("one that is killed costs no page", func(t *testing.T) {
		c := warm()
		servers.Server.Kill()
		<-servers.Server.Wait()
		check("primary 1, replica 1", c, &hrana.Reader{}, want)
		check("primary 1, replica 1", c, &hrana.Reader{}, want)
	})
}

func TestReplicaOptions(t *testing.T) {
	t.Run("a wrong address of the replica fails every call", func(t *testing.T) {
		_, err := hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Replica: "ftp://x"}).Query(t.Context(), sql("SELECT 1"))
		assert.ErrorContains(t, err, "ftp")
	})
	t.Run("without a replica a request is the same, and nothing is noted", func(t *testing.T) {
		f := openFlaky(t, false)
		me := &hrana.Reader{}
		ctx := hrana.WithReader(t.Context(), me)
		_, err := f.client.Tx(ctx, sql("INSERT INTO t VALUES (1)"))
		require.NoError(t, err)
		assert.Zero(t, me.Wrote(f.client))
		_, _, err = f.client.QueryReplica(ctx, sql("SELECT 1"))
		require.NoError(t, err)
		mustQuery(t, f.client, sql("SELECT 1"))
		assert.Equal(t, f.bodies[2], f.bodies[1])
	})
}
