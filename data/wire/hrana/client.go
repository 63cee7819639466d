// Package hrana speaks libSQL's Hrana 3 protocol over HTTP, in JSON, as sqld and Turso implement it. A call is one request that opens a
// stream, runs one batch and closes the stream. So a page costs one round trip, and nothing stays on the server. A Stream stays open
// between calls and is for native programs.
//
// It runs inside a shared Wasm instance: no timer, no lock held across I/O, no pool, no reflection on the hot path. The context limits a
// call (data/pace/deadline). This package must not contain SQL, names of tables, or syscall/js. Begin with Client.
//
// Protocol: https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
package hrana

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"plaza/data/pace/deadline"
	"plaza/data/pace/semaphore"
	"plaza/data/random"
)

// writers is how many concurrent transactions a client has. SQLite runs one after the other, and two that wait for each other sometimes
// stall sqld for seconds.
const writers = 1

// Stmt is one SQL statement with its arguments: nil, bool, int, int64, finite float64, valid UTF-8 string, or []byte. ?N refers to
// Args[N-1], :name to the argument with that name; a statement has arguments of one kind only. sqld refuses a statement with a missing or
// an unknown argument. Keep SQL a constant: the server caches statements by their text.
type Stmt struct {
	SQL   string
	Args  []any
	Named []Named
}

// Named is an argument for :name. Name is without the colon.
type Named struct {
	Name  string
	Value any
}

// Result is the result of one statement. An infinite float is an error, because JSON can't encode it. A result keeps the whole response
// in memory, and so do its strings: clone those that outlive a request. RowsRead and RowsWritten are what Turso bills. Took is how long
// the database took, 0 if it does not report it.
type Result struct {
	Columns []string
	Table
	RowsAffected    int64
	LastInsertRowID int64
	RowsRead        int64
	RowsWritten     int64
	Took            time.Duration
}

// Doer sends HTTP requests, as *http.Client does. It is an interface because linking *http.Client brings TLS and HTTP/2
// into the Wasm module, 2.6 MB that never run there.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Options configure a Client. Only URL is required.
type Options struct {
	// URL of the database: libsql://, https://, http://, wss:// or ws://. An authToken in its query is used as Token.
	URL   string
	Token string
	// HTTP is required in Wasm; elsewhere it is http.DefaultClient when nil.
	HTTP Doer
	// Sleep waits between attempts and returns early with ctx's error. In Wasm there is no default: without Sleep
	// nothing is retried.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand returns the jitter in [0, 1).
	Rand func() float64
	// Attempts is how often a batch is sent at most; 0 means as often as there is time for.
	Attempts int
	// ReadTime is the time limit of one attempt of a read when a request waits for it; 0 means two and a half seconds, so that there is time
	// for another.
	ReadTime time.Duration
	// WorkTime is the time limit of one attempt when no request waits for it; 0 means ten seconds.
	WorkTime time.Duration
	// Replica is the URL of a replica, which QueryReplica uses first; "" for none. It has the same token.
	Replica string
}

// Client sends batches to one database. It is safe for concurrent use.
type Client struct {
	url      string
	auth     string
	health   health
	gate     semaphore.Semaphore // of writers
	http     Doer
	sleep    func(context.Context, time.Duration) error
	rand     func() float64
	attempts int
	readTime time.Duration
	workTime time.Duration
	err      error

	replica   *Client   // nil for none
	reached   positions // of the primary, recorded if there is a replica
	isReplica bool
}

// New returns a client. It does no I/O; invalid options fail every call.
func New(o Options) *Client {
	c := &Client{http: o.HTTP, sleep: o.Sleep, rand: o.Rand, attempts: o.Attempts,
		readTime: cmp.Or(o.ReadTime, readTime), workTime: cmp.Or(o.WorkTime, workTime)}
	if c.http == nil {
		c.http = defaultHTTP
	}
	if c.sleep == nil {
		c.sleep = deadline.DefaultSleep
	}
	if c.rand == nil {
		c.rand = random.Float64
	}
	if c.sleep == nil {
		c.attempts = 1
	}
	var token string
	c.url, token, c.err = address(o.URL)
	c.health.writes.MaxTimeouts = 2 // they have waited long
	c.gate.Places, c.gate.Sleep = writers, c.sleep
	if c.http == nil && c.err == nil {
		c.err = errors.New("no HTTP client was given")
	}
	if o.Token != "" {
		token = o.Token
	}
	if token != "" {
		c.auth = "Bearer " + token
	}
	if o.Replica != "" && c.err == nil {
		c.replica = newReplica(o, token)
		c.err = c.replica.err
	}
	return c
}

// Sleep is how the client waits between attempts, within the request of the context; nil when it can't.
func (c *Client) Sleep() deadline.SleepFunc { return c.sleep }

// Query runs statements that only read, independent of each other, in one request, and returns a result for each. The
// first failing statement is the error (*Error). They do not see one snapshot: a write can happen between two of them.
func (c *Client) Query(ctx context.Context, stmts ...Stmt) ([]Result, error) {
	if len(stmts) == 0 {
		return nil, nil
	}
	out, err := c.run(ctx, stepsOf(stmts), false, busyAnywhere)
	if err != nil {
		return nil, err
	}
	return results(out)
}

func stepsOf(stmts []Stmt) []Step {
	steps := make([]Step, len(stmts))
	for i := range stmts {
		steps[i].Stmt = stmts[i]
	}
	return steps
}

// Tx runs statements in one request as one transaction: BEGIN IMMEDIATE, each statement if the one before succeeded, COMMIT, and ROLLBACK
// if that failed. It returns the results of the statements. If it returns an *Error with a Code, nothing was changed; Step is the failing
// statement, or -1 for BEGIN and COMMIT.
//
// If the connection breaks, the transaction may have committed without a response, and the batch is sent again: statements must be safe
// to run twice.
func (c *Client) Tx(ctx context.Context, stmts ...Stmt) ([]Result, error) {
	if len(stmts) == 0 {
		return nil, nil
	}
	n := len(stmts)
	steps := make([]Step, n+3)
	steps[0].Stmt.SQL = "BEGIN IMMEDIATE"
	for i := range stmts {
		steps[i+1] = Step{Stmt: stmts[i], If: IfOK(i)}
	}
	steps[n+1] = Step{Stmt: Stmt{SQL: "COMMIT"}, If: IfOK(n)}
	steps[n+2] = Step{Stmt: Stmt{SQL: "ROLLBACK"}, If: And(IfOK(0), Not(IfOK(n+1)))}
	out, err := c.run(ctx, steps, true, func(out []StepResult) *Error {
		for i := range out[:n+2] {
			if out[i].Err != nil {
				return retryWrite(out[i].Err)
			}
		}
		return nil
	})
	if err != nil {
		// Step counts BEGIN, too, which stmts does not have.
		var e *Error
		if errors.As(err, &e) && e.Step > 0 {
			e.Step--
		}
		return nil, err
	}
	for i := range out[:n+2] {
		e := out[i].Err
		if e == nil {
			continue
		}
		e.Step = i - 1
		if i == n+1 {
			e.Step = -1
		}
		return nil, e
	}
	if out[n+1].Skipped {
		return nil, protocolError("the server neither committed nor reported an error")
	}
	return results(out[1 : n+1])
}

// Batch runs steps in order in one request, each if its condition holds, and returns the result of each. The error is for the whole
// batch; errors of steps are in their results. It is not a transaction: if a step fails, the changes of earlier steps stay, unless the
// steps themselves begin a transaction.
//
// A batch is sent again if the server refused it, if the connection broke, or if the database was busy or lacked a table before any step
// had written: it must be safe to run twice.
func (c *Client) Batch(ctx context.Context, steps []Step) ([]StepResult, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	return c.run(ctx, steps, true, func(out []StepResult) *Error {
		for i := range out {
			if out[i].Err != nil {
				return retryWrite(out[i].Err)
			}
			if r := &out[i].Result; r.RowsWritten > 0 || r.RowsAffected > 0 {
				return nil
			}
		}
		return nil
	})
}

func busyAnywhere(out []StepResult) *Error {
	for i := range out {
		if e := out[i].Err; e != nil && IsBusy(e) {
			return e
		}
	}
	return nil
}

// retryWrite returns the error of a statement if the write, which has changed nothing, is to be sent again after it; else nil.
func retryWrite(e *Error) *Error {
	if IsBusy(e) || lacksTable(e) {
		return e
	}
	return nil
}

func results(out []StepResult) ([]Result, error) {
	res := make([]Result, len(out))
	for i := range out {
		if out[i].Err != nil {
			return nil, out[i].Err
		}
		if out[i].Skipped {
			e := protocolError("the server skipped a step without saying why")
			e.Step = i
			return nil, e
		}
		res[i] = out[i].Result
	}
	return res, nil
}

// run sends the steps until there is a response, or no time for another attempt. retry returns an error after which they are sent again.
func (c *Client) run(ctx context.Context, steps []Step, writes bool, retry func([]StepResult) *Error) ([]StepResult, error) {
	if c.err != nil {
		return nil, &Error{Step: -1, Message: c.err.Error(), Err: c.err}
	}
	if err := check(steps); err != nil {
		return nil, err
	}
	call := call{Client: c, ctx: ctx, steps: steps, writes: writes, began: time.Now()}
	for attempt := 1; ; attempt++ {
		out, failed := call.try(attempt > 1)
		if failed == nil {
			if e := retry(out.steps); e == nil || lacksTable(e) && attempt > 1 {
				return out.steps, nil
			}
		}
		if !call.again(attempt, failed) {
			if failed != nil {
				call.noteLost()
				return nil, failed
			}
			return out.steps, nil
		}
	}
}
