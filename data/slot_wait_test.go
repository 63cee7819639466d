package data_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// counting is the way to a database.
type counting struct {
	http *http.Client
	n    atomic.Int64
}

func (c *counting) Do(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.http.Do(r)
}

// closedSlot is a site with a directory and two shards, of which the first refuses writes in the slot of id.
type closedSlot struct {
	*data.DB
	t   *testing.T
	way [3]*counting
	sql [3]*hrana.Client
	id  data.ID

	slept atomic.Int64 // by all writers, in nanoseconds
}

func openClosedSlot(t *testing.T) *closedSlot {
	c := &closedSlot{t: t, id: data.NewID(data.Epoch, 400, data.KindPost, 2)}
	var clients []*hrana.Client
	for i := range c.way {
		url, client := stacktest.OpenSchemaDB(t)
		c.way[i], c.sql[i] = &counting{http: client}, hrana.New(hrana.Options{URL: url, HTTP: client})
		clients = append(clients, hrana.New(hrana.Options{URL: url, HTTP: c.way[i], Sleep: func(ctx context.Context, d time.Duration) error {
			c.slept.Add(int64(d))
			return deadline.DefaultSleep(ctx, d)
		}}))
	}
	c.exec(0, "INSERT INTO slots (slot, shard, epoch) VALUES (400, 0, 1)")
	c.exec(1, "CREATE TRIGGER closed BEFORE INSERT ON saves BEGIN SELECT raise(ABORT, '"+data.SlotClosed+"'); END")
	c.DB = data.NewDB(clients[0], clients[1:]...)
	require.NoError(t, c.ReadSlots(t.Context()))
	for _, way := range c.way {
		way.n.Store(0)
	}
	return c
}

func (c *closedSlot) exec(at int, sql string) {
	_, err := c.sql[at].Tx(c.t.Context(), storetest.StmtOf(sql))
	require.NoError(c.t, err)
}

// save is a write in the slot.
func (c *closedSlot) save(member int, d time.Duration) error {
	w := c.Write(data.HomeOfID(c.id))
	w.Do("INSERT INTO saves (user_id, target_id, created_at) VALUES (:member, :id, 1)", data.Args{"member": int64(member), "id": c.id})
	return w.Run(deadline.ForWork(c.t.Context(), d))
}

// TestManyWaitForAMove has many members write at once while their slot moves. They ask the directory together, and each sends its write once
// to either shard.
func TestManyWaitForAMove(t *testing.T) {
	stacktest.ByNight(t, "the live move: writes wait for it")
	c := openClosedSlot(t)
	const writers = 80
	done := make(chan error, writers)
	for member := range writers {
		go func() { done <- c.save(member, 40*time.Second) }()
	}
	asked := func(of int, n int64) func() bool { return func() bool { return c.way[of].n.Load() >= n } }
	require.Eventually(t, asked(1, writers), 30*time.Second, 5*time.Millisecond)
	require.Eventually(t, asked(0, 3), 30*time.Second, 5*time.Millisecond, "they have waited for a while")
	c.exec(0, "UPDATE slots SET shard = 1, epoch = 2 WHERE slot = 400")
	for range writers {
		require.NoError(t, <-done)
	}
	results, err := c.sql[2].Query(t.Context(), storetest.StmtOf("SELECT count(*) FROM saves"))
	require.NoError(t, err)
	require.Equal(t, int64(writers), results[0].Rows()[0][0])
	t.Log(c.way[0].n.Load(), "requests to the directory,", c.way[1].n.Load(), "and", c.way[2].n.Load(), "to the shards")
	require.Less(t, c.way[0].n.Load(), int64(30))
	require.Equal(t, int64(writers), c.way[1].n.Load())
	require.Equal(t, int64(writers), c.way[2].n.Load())
}

// TestAMoveThatDoesNotEnd: who waits in vain asks the directory less and less often, and gives up in time for an answer.
func TestAMoveThatDoesNotEnd(t *testing.T) {
	stacktest.ByNight(t, "the live move: a write waits for it in vain")
	c := openClosedSlot(t)
	began := time.Now()
	require.True(t, data.IsMoving(c.save(1, 4*time.Second)))
	require.Less(t, time.Duration(c.slept.Load()), 4*time.Second, "there is time left for an answer")
	require.Greater(t, time.Since(began), 3*time.Second)
	t.Log(c.way[0].n.Load(), "requests to the directory")
	require.LessOrEqual(t, c.way[0].n.Load(), int64(6))
	require.Equal(t, int64(1), c.way[1].n.Load())
}
