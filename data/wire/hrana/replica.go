package hrana

import (
	"cmp"
	"context"
	"math"
	"slices"
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
//   - and what this client knows the primary had reached at some moment in the last Lag. The client keeps twenty such moments, so a replica
//     that is a second behind answers although the client hears of new writes all the time.
//
// Otherwise the answer is thrown away, and the primary is asked. So an answer never lacks anything that is older than Lag, or that its
// reader has written. An index says nothing of a primary that was restored since: moments before that are forgotten after Lag.
//
// sqld reads the index after it ran a statement, when a replica may have taken further changes. So a request to a replica has a statement
// ahead of the batch, and the index in the answer to that one counts: the batch begins after it, and finds at least that state. Of the
// primary the index of the batch counts, which has all that the batch has written. A request can also ask the replica to wait until it has
// reached an index; Plaza does not, because sqld waits without end.

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

// heard is where the primary was in its log: all that was committed until then has that index, or a lower one.
type heard struct {
	index uint64
	at    time.Time
}

// heardEach is how far apart the moments are that a client keeps, other than the last one.
const heardEach = Lag / 20

// place is what a client has heard from the primary in the last Lag, the oldest first. A replica that is behind the last one may have
// reached an earlier one. Each counts for itself: a primary that was restored may be at a lower index than before.
type place struct {
	mu   sync.Mutex // never held across I/O
	list []heard
}

// note takes the index of an answer to a request that was sent at that time. An answer to an earlier request than the last one says nothing
// new.
func (p *place) note(index uint64, sent time.Time) {
	if index == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.list)
	switch {
	case n > 0 && !sent.After(p.list[n-1].at):
		return
	case n > 1 && sent.Sub(p.list[n-2].at) < heardEach:
		p.list[n-1] = heard{index, sent}
		return
	}
	old := 0
	for old < n && sent.Sub(p.list[old].at) > Lag {
		old++
	}
	p.list = append(p.list[:copy(p.list, p.list[old:])], heard{index, sent})
}

// reachedAt returns the last moment after since, and in the last Lag, of which all is at the index. ok is false if there is none. Any index
// will do if it is Unknown.
func (p *place) reachedAt(index uint64, since time.Time) (at time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range slices.Backward(p.list) {
		if time.Since(h.at) > Lag || !h.at.After(since) {
			break
		}
		if h.index <= index {
			return h.at, true
		}
	}
	return time.Time{}, false
}

// newReplica returns the client of a replica. It makes one try, which is shorter than that of another read: the primary is asked next.
// token is that of the primary, in case the replica's URL has none.
func newReplica(o Options, token string) *Client {
	if o.Token = token; hasToken(o.Replica) {
		o.Token = ""
	}
	o.URL, o.Replica, o.Attempts = o.Replica, "", 1
	c := New(o)
	c.isReplica, c.health.reads.Most = true, 1
	return c
}

func hasToken(url string) bool {
	_, token, _ := address(url)
	return token != ""
}

// HasReplica tells whether a replica may answer in place of the database.
func (c *Client) HasReplica() bool { return c.replica != nil }

// QueryReplica is Query for the pages of the Reader in the context. The replica answers, if it is not behind, and has all that was
// committed until since; the zero time is for no such bound. lag is how old the state may be that the results show: 0 if the primary has
// answered.
func (c *Client) QueryReplica(ctx context.Context, since time.Time, stmts ...Stmt) (res []Result, lag time.Duration, err error) {
	if reader := readerFrom(ctx); c.replica != nil && reader != nil && len(stmts) > 0 && reader.Wrote(c) != Unknown {
		if _, ok := c.reached.reachedAt(Unknown, since); ok {
			if res, at, ok := c.askReplica(ctx, stepsOf(stmts), reader.Wrote(c), since); ok {
				return res, max(time.Since(at), 1), nil
			}
		}
	}
	res, err = c.Query(ctx, stmts...)
	return res, 0, err
}

// askReplica returns what the replica answers, and of which moment it has all. ok is false if it is behind, gives no answer or refuses a
// statement, perhaps because a step of the schema has not arrived. Rows count for the meters of the context if the answer is taken:
// otherwise the primary reads them again.
func (c *Client) askReplica(ctx context.Context, steps []Step, wrote uint64, since time.Time) (res []Result, at time.Time, ok bool) {
	if check(steps) != nil {
		return nil, at, false
	}
	call := call{Client: c.replica, ctx: ctx, steps: steps, began: time.Now()}
	out, failed := call.try(false)
	if failed != nil {
		meterFrom(ctx).replica(failedByReplica)
		return nil, at, false
	}
	if at, ok = c.reached.reachedAt(out.index, since); !ok || out.index < wrote {
		meterFrom(ctx).replica(behindPrimary)
		return nil, at, false
	}
	res, err := results(out.steps)
	if err != nil {
		meterFrom(ctx).replica(failedByReplica)
		return nil, at, false
	}
	meterFrom(ctx).replica(takenFromReplica)
	meterFrom(ctx).spend(out.steps)
	return res, at, true
}

// note takes what a try of the primary has said. A write whose index is missing in the answer counts as one whose answer was lost.
func (c *call) note(out reply, sent time.Time) {
	if c.replica == nil {
		return
	}
	c.reached.note(out.index, sent)
	if reader := readerFrom(c.ctx); c.writes && reader != nil {
		reader.Note(c.Client, cmp.Or(out.index, Unknown))
	}
}

// noteLost is for a call that got no answer.
func (c *call) noteLost() {
	if reader := readerFrom(c.ctx); c.writes && c.replica != nil && reader != nil {
		reader.Note(c.Client, Unknown)
	}
}
