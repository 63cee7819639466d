package hrana

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// A replica copies the changes of a primary, which accepts all writes. Its state is behind by some milliseconds, and by hours when the
// connection to the primary is down. Each commit has a number in the primary's log of changes, and each response of sqld has the number
// that the server has reached: the replication index. A client compares these.
//
// A replica's response is used if the replica has reached, before it ran the statements,
//
//   - what the Reader of the context has written,
//   - and an index that the primary had reached, as this client knows, at some moment in the last Lag. The client keeps twenty such
//     moments, so a replica that is a second behind is used although the client sees new writes all the time.
//
// Otherwise the response is dropped, and the primary is read. So a result never lacks a write that is older than Lag, or that its reader
// has made. An index is not valid for a primary that was restored after it: such an index is dropped after Lag.
//
// sqld reads the index after it ran a statement, when a replica may have copied further changes. So a request to a replica has a statement
// ahead of the batch, and that statement's index counts: the batch begins later, and finds at least that state. For the primary the index
// of the batch counts, which includes the writes of the batch. A request can also make the replica wait until it has reached an index;
// Plaza does not, because sqld waits without a limit.

// Lag is how old the state of a replica may be.
const Lag = 5 * time.Second

// Reader is a browser that reads pages, which must include its own writes. It is safe for concurrent use.
type Reader struct {
	mu    sync.Mutex // never held across I/O
	wrote map[*Client]uint64
}

// Unknown is the index of a write whose response was lost. No replica has reached it.
const Unknown uint64 = math.MaxUint64

// Wrote returns the index of the reader's last write to the database of a client; 0 for none.
func (r *Reader) Wrote(c *Client) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wrote[c]
}

// Note records a write of the reader to the database of a client.
func (r *Reader) Note(c *Client, index uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wrote == nil {
		r.wrote = map[*Client]uint64{}
	}
	r.wrote[c] = max(r.wrote[c], index)
}

type readerKey struct{}

// WithReader returns a context whose calls record the reader's writes to databases with a replica.
func WithReader(ctx context.Context, r *Reader) context.Context {
	return context.WithValue(ctx, readerKey{}, r)
}

func readerFrom(ctx context.Context) *Reader {
	r, _ := ctx.Value(readerKey{}).(*Reader)
	return r
}

// position is the index of the primary at a moment: all commits until then have that index, or a lower one.
type position struct {
	index uint64
	at    time.Time
}

// positionInterval is the minimum time between two positions that a client stores, except the last one.
const positionInterval = Lag / 20

// positions are those of the primary in the last Lag, the oldest first. A replica that is behind the last one may have reached an
// earlier one. Indexes may fall: a primary that was restored may be at a lower index than before.
type positions struct {
	mu   sync.Mutex // never held across I/O
	list []position
}

// note records the index in the response to a request that was sent at sent. It ignores requests that were sent before the last recorded
// one.
func (p *positions) note(index uint64, sent time.Time) {
	if index == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.list)
	switch {
	case n > 0 && !sent.After(p.list[n-1].at):
		return
	case n > 1 && sent.Sub(p.list[n-2].at) < positionInterval:
		p.list[n-1] = position{index, sent}
		return
	}
	old := 0
	for old < n && sent.Sub(p.list[old].at) > Lag {
		old++
	}
	p.list = append(p.list[:copy(p.list, p.list[old:])], position{index, sent})
}

// reachedAt returns the last moment after since, and in the last Lag, whose commits the index includes. ok is false if there is none.
// Unknown includes all.
func (p *positions) reachedAt(index uint64, since time.Time) (at time.Time, ok bool) {
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

// newReplica returns the client of a replica. It makes one attempt, which is shorter than that of another read, because the primary is
// tried next. token is the primary's, in case the replica's URL has none.
func newReplica(o Options, token string) *Client {
	if o.Token = token; hasToken(o.Replica) {
		o.Token = ""
	}
	o.URL, o.Replica, o.Attempts = o.Replica, "", 1
	c := New(o)
	c.isReplica, c.health.reads.MaxTimeouts = true, 1
	return c
}

func hasToken(url string) bool {
	_, token, _ := address(url)
	return token != ""
}

// HasReplica reports whether the database has a replica.
func (c *Client) HasReplica() bool { return c.replica != nil }

// QueryReplica is Query for the pages of the Reader in the context. It uses the replica if that is not behind, and has all commits until
// since (zero: no such condition). lag is how old the state of the results may be: 0 if they are from the primary.
func (c *Client) QueryReplica(ctx context.Context, since time.Time, stmts ...Stmt) (res []Result, lag time.Duration, err error) {
	if reader := readerFrom(ctx); c.replica != nil && reader != nil && len(stmts) > 0 && reader.Wrote(c) != Unknown {
		if _, ok := c.reached.reachedAt(Unknown, since); ok {
			if res, at, ok := c.tryReplica(ctx, stepsOf(stmts), reader.Wrote(c), since); ok {
				return res, max(time.Since(at), 1), nil
			}
		}
	}
	res, err = c.Query(ctx, stmts...)
	return res, 0, err
}

// tryReplica returns the replica's results, and the moment whose commits they include. ok is false if it is behind, does not respond or
// refuses a statement, perhaps because it lacks a step of the schema. The meters of the context count rows only if the results are used:
// otherwise the primary reads them again.
func (c *Client) tryReplica(ctx context.Context, steps []Step, wrote uint64, since time.Time) (res []Result, at time.Time, ok bool) {
	if check(steps) != nil {
		return nil, at, false
	}
	call := call{Client: c.replica, ctx: ctx, steps: steps, began: time.Now()}
	out, failed := call.try(false)
	if failed != nil {
		meterFrom(ctx).replica(replicaFailed)
		return nil, at, false
	}
	if at, ok = c.reached.reachedAt(out.index, since); !ok || out.index < wrote {
		meterFrom(ctx).replica(replicaBehind)
		return nil, at, false
	}
	res, err := results(out.steps)
	if err != nil {
		meterFrom(ctx).replica(replicaFailed)
		return nil, at, false
	}
	meterFrom(ctx).replica(replicaUsed)
	meterFrom(ctx).addCost(out.steps)
	return res, at, true
}

// note records the index of a primary's response. A write without an index in the response counts as one whose response was lost.
func (c *call) note(out reply, sent time.Time) {
	if c.replica == nil {
		return
	}
	c.reached.note(out.index, sent)
	if reader := readerFrom(c.ctx); c.writes && reader != nil {
		reader.Note(c.Client, cmp.Or(out.index, Unknown))
	}
}

// noteLost records a write without a response.
func (c *call) noteLost() {
	if reader := readerFrom(c.ctx); c.writes && c.replica != nil && reader != nil {
		reader.Note(c.Client, Unknown)
	}
}
