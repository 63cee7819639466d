package hrana

import (
	"context"
	"math"
	"sync"
	"time"
)

// A replica copies the changes of a primary, which takes all writes. Its state is behind by some milliseconds, and by hours when the way
// to the primary is cut. Each commit has a number in the primary's log of changes, and sqld says with each answer which one the server has
// reached: the replication index. So a client compares.
//
// A replica's answer is used if the replica has reached, before it ran the statements,
//
//   - what the Reader of the context has written,
//   - and what this client knows the primary had reached some time in the last Lag.
//
// Otherwise the answer is thrown away, and the primary is asked. So an answer never lacks anything that is older than Lag, or that this
// client has written itself.
//
// sqld reads the index after it ran a statement, when a replica may have taken further changes. So a request to a replica has a statement
// ahead of the batch, and the index in the answer to that one counts: the batch begins after it, and finds at least that state. A request
// to the primary has such a statement behind the batch. A request can also ask the replica to wait until it has reached an index; Plaza
// does not, because sqld waits without end.

// Lag is how old the state is at most that a replica answers with.
const Lag = 5 * time.Second

// Reader is somebody for whom pages are read: what they have written so far has to be in them. It is safe for concurrent use.
type Reader struct {
	mu    sync.Mutex // never held across I/O
	wrote map[*Client]uint64
}

// Unknown is the index of a write whose answer was lost. No replica has reached it.
const Unknown uint64 = math.MaxUint64

// Wrote returns the index of the reader's last write to the database of a client; 0 for none.
func (r *Reader) Wrote(c *Client) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrote[c]
}

// Note says that the reader has written to the database of a client.
func (r *Reader) Note(c *Client, index uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrote == nil {
		r.wrote = map[*Client]uint64{}
	}
	r.wrote[c] = max(r.wrote[c], index)
}

type readerKey struct{}

// WithReader returns a context whose writes are noted for a reader. Of these, only databases with a replica are noted.
func WithReader(ctx context.Context, r *Reader) context.Context {
	return context.WithValue(ctx, readerKey{}, r)
}

func readerFrom(ctx context.Context) *Reader {
	r, _ := ctx.Value(readerKey{}).(*Reader)
	return r
}

// place is where the primary was in its log at some time: all that was committed until then has that index, or a lower one.
type place struct {
	mu    sync.Mutex // never held across I/O
	index uint64
	at    time.Time
}

// note takes the index of an answer to a request that was sent at that time. Answers may come in another order than requests were sent, so
// the highest index counts.
func (p *place) note(index uint64, sent time.Time) {
	if index == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.index = max(p.index, index)
	if sent.After(p.at) {
		p.at = sent
	}
}

// get returns the index, and how long ago the primary was asked for it. ok is false if that is longer ago than Lag.
func (p *place) get() (index uint64, age time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	age = time.Since(p.at)
	return p.index, max(age, 0), age <= Lag
}

// HeardSince tells whether the primary has answered to a request that was sent after t. What was committed until then is in each answer
// of a replica that QueryReplica takes.
func (c *Client) HeardSince(t time.Time) bool {
	c.reached.mu.Lock()
	defer c.reached.mu.Unlock()
	return c.reached.at.After(t)
}

// newReplica returns the client of a replica. It makes one try, which is shorter than that of another read: the primary is asked next.
func newReplica(o Options) *Client {
	o.URL, o.Replica, o.Attempts = o.Replica, "", 1
	c := New(o)
	c.marking, c.health.reads.Most = ahead, 1
	return c
}

// HasReplica tells whether a replica may answer in place of the database.
func (c *Client) HasReplica() bool { return c.replica != nil }

// QueryReplica is Query for the pages of the Reader in the context. The replica answers, if it is not behind. lag is how old the state may
// be that the results show: 0 if the primary has answered.
func (c *Client) QueryReplica(ctx context.Context, stmts ...Stmt) (res []Result, lag time.Duration, err error) {
	if reader := readerFrom(ctx); c.replica != nil && reader != nil && len(stmts) > 0 {
		if index, age, ok := c.reached.get(); ok {
			if res, ok := c.askReplica(ctx, stepsOf(stmts), max(index, reader.Wrote(c))); ok {
				return res, max(age, 1), nil
			}
		}
	}
	res, err = c.Query(ctx, stmts...)
	return res, 0, err
}

// askReplica returns what the replica answers. ok is false if it is behind, gives no answer or refuses a statement, perhaps because a
// step of the schema has not arrived.
func (c *Client) askReplica(ctx context.Context, steps []Step, needed uint64) (res []Result, ok bool) {
	if check(steps) != nil {
		return nil, false
	}
	call := call{Client: c.replica, ctx: ctx, steps: steps, began: time.Now()}
	out, failed := call.try(false)
	if failed != nil || out.index < needed {
		return nil, false
	}
	res, err := results(out.steps)
	return res, err == nil
}

// note takes what a try of the primary has said.
func (c *call) note(out reply, sent time.Time) {
	if c.replica == nil {
		return
	}
	c.reached.note(out.index, sent)
	if reader := readerFrom(c.ctx); c.writes && reader != nil {
		reader.Note(c.Client, out.index)
	}
}

// noteLost is for a call that got no answer.
func (c *call) noteLost() {
	if reader := readerFrom(c.ctx); c.writes && c.replica != nil && reader != nil {
		reader.Note(c.Client, Unknown)
	}
}
