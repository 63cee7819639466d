package hrana

import (
	"context"
	"strings"
)

// Stream is a stream that stays open from one request to the next, so that a transaction may span several requests: a read transaction
// sees one state of the database until it ends. The server ends a stream that is idle for ten seconds (sqld 0.24).
//
// It is for native programs. In a Worker it would leak on the server, with its transaction. It is not safe for concurrent use.
type Stream struct {
	client *Client
	url    string
	baton  string // identifies the stream; empty before the first response
	lost   *Error // why the stream has ended
}

// Stream returns a stream that begins with the first statements. It retries nothing: another stream would not have the transaction. A
// call has the time limit of its context.
func (c *Client) Stream() *Stream { return &Stream{client: c, url: c.url} }

// Run runs statements in one request, each if the one before has succeeded, and returns their results or the first error. After an error
// without a failing statement the stream has ended.
func (s *Stream) Run(ctx context.Context, stmts ...Stmt) ([]Result, error) {
	return s.run(ctx, stmts, false)
}

// Last is Run, and ends the stream with the same request. As the only call on a stream, it runs statements that may take longer than a
// Client allows.
func (s *Stream) Last(ctx context.Context, stmts ...Stmt) ([]Result, error) {
	return s.run(ctx, stmts, true)
}

func (s *Stream) run(ctx context.Context, stmts []Stmt, last bool) ([]Result, error) {
	if len(stmts) == 0 {
		return nil, nil
	}
	steps := make([]Step, len(stmts))
	for i := range stmts {
		if steps[i].Stmt = stmts[i]; i > 0 {
			steps[i].If = IfOK(i - 1)
		}
	}
	if s.client.err != nil {
		return nil, &Error{Step: -1, Message: s.client.err.Error(), Err: s.client.err}
	}
	if err := check(steps); err != nil {
		return nil, err
	}
	out, failed := s.send(ctx, steps, last)
	if failed != nil {
		return nil, failed
	}
	return results(out)
}

// Close ends the stream. An open transaction is rolled back.
func (s *Stream) Close(ctx context.Context) {
	if s.baton != "" && s.lost == nil {
		_, _ = s.send(ctx, []Step{{Stmt: Stmt{SQL: "SELECT 1"}}}, true)
	}
	s.lost = errClosed
}

var errClosed = &Error{Step: -1, Message: "the stream is closed"}

func (s *Stream) send(ctx context.Context, steps []Step, last bool) ([]StepResult, *Error) {
	if s.lost != nil {
		return nil, s.lost
	}
	out, failed := s.client.exchange(ctx, s.url, encode(steps, frame{baton: s.baton, stays: !last}), len(steps))
	if failed != nil {
		s.lost = failed
		return nil, failed
	}
	if s.baton = out.baton; out.baseURL != "" {
		s.url = strings.TrimRight(out.baseURL, "/")
	}
	switch {
	case last:
		s.lost = errClosed
	case s.baton == "":
		s.lost = protocolError("the server has ended the stream")
	}
	return out.steps, nil
}
