package hrana

import (
	"bytes"
	"context"
	"strings"

	"plaza/data/wire/jsonscan"
)

// Stream is a stream that stays open from one request to the next, so that a transaction may take many of them: a read transaction sees one
// state of the database for as long as it lasts. The server ends a stream that nobody uses for ten seconds (sqld 0.24).
//
// It is for native programs. In a Worker it would stay behind on the server, and its transaction with it. It is not safe for concurrent
// use.
type Stream struct {
	client *Client
	url    string
	in     *encoding // nil before the first answer
	baton  string    // names the stream; empty before the first answer
	lost   *Error    // why there is no stream any more
}

// Stream returns a stream that begins with the first statements. Nothing is tried again: another stream would not have the transaction. A
// call has the time of its context.
func (c *Client) Stream() *Stream { return &Stream{client: c, url: c.url} }

// Run runs statements in one request, each if the one before has succeeded, and returns their results or the first error. After an error
// without a statement to blame the stream is gone.
func (s *Stream) Run(ctx context.Context, stmts ...Stmt) ([]Result, error) {
	return s.run(ctx, stmts, false)
}

// Last is Run, and ends the stream with the same request. As the first call on a stream it is a statement that may take longer than a
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

// Close ends the stream. A transaction that is open is rolled back.
func (s *Stream) Close(ctx context.Context) {
	if s.baton != "" && s.lost == nil {
		_, _ = s.send(ctx, []Step{{Stmt: Stmt{SQL: "SELECT 1"}}}, true)
	}
	s.lost = errClosed
}

var errClosed = &Error{Step: -1, Message: "the stream is closed"}

// The pipelines of a Client begin without a stream and end with the request to close theirs. Those of a Stream name it, and ask for
// something small instead.
const (
	nullBaton   = `{"baton":null`
	closeJSON   = `{"type":"close"}]}`
	stayJSON    = `{"type":"get_autocommit"}]}`
	keyBaton    = 1<<3 | bytesType // PipelineReqBody, PipelineRespBody
	keyBaseURL  = 2<<3 | bytesType // PipelineRespBody
	keyStayOpen = 8<<3 | bytesType // StreamRequest: get_autocommit
)

// body is the request for steps on the stream.
func (s *Stream) body(in *encoding, steps []Step, last bool) []byte {
	b := in.append(nil, steps)
	if in == inJSON {
		if s.baton != "" {
			b = append(jsonscan.AppendText([]byte(`{"baton":`), s.baton), b[len(nullBaton):]...)
		}
		if !last {
			b = append(bytes.TrimSuffix(b, []byte(closeJSON)), stayJSON...)
		}
		return b
	}
	if !last {
		b[len(b)-2] = keyStayOpen // in the place of keyClose, and as empty
	}
	if s.baton != "" {
		b = append(append(appendKey(nil, keyBaton, len(s.baton)), s.baton...), b...)
	}
	return b
}

func (s *Stream) send(ctx context.Context, steps []Step, last bool) ([]StepResult, *Error) {
	if s.lost != nil {
		return nil, s.lost
	}
	in := s.client.encoding()
	if s.in != nil {
		in = s.in
	}
	out, text, failed := s.client.exchange(ctx, s.url, in, s.body(in, steps, last), len(steps), unmarked)
	if failed != nil && in == inProtobuf && s.in == nil && failed.isUnknownPath() {
		in = inJSON
		out, text, failed = s.client.exchange(ctx, s.url, in, s.body(in, steps, last), len(steps), unmarked)
	}
	if failed != nil {
		s.lost = failed
		return nil, failed
	}
	s.in = in
	var baseURL string
	if s.baton, baseURL = nextOf(in, text); baseURL != "" {
		s.url = strings.TrimRight(baseURL, "/")
	}
	switch {
	case last:
		s.lost = errClosed
	case s.baton == "":
		s.lost = protocolError("the server has ended the stream")
	}
	return out.steps, nil
}

// nextOf reads from an answer what the next request on the stream needs: the baton, which the request repeats, and the base URL it goes to.
func nextOf(in *encoding, text string) (baton, baseURL string) {
	if in == inJSON {
		d := newDecoder(text)
		for key, ok := d.FirstKey(); ok; key, ok = d.NextKey() {
			switch {
			case key == "baton" && d.Peek() == '"':
				baton = strings.Clone(d.Text())
			case key == "base_url" && d.Peek() == '"':
				baseURL = strings.Clone(d.Text())
			default:
				d.Skip()
			}
		}
		return baton, baseURL
	}
	d := protoDecoder{s: text}
	for d.i < len(text) {
		switch key := d.varint(); key {
		case keyBaton, keyBaseURL:
			end := d.open(len(text))
			if key == keyBaton {
				baton = strings.Clone(text[d.i:end])
			} else {
				baseURL = strings.Clone(text[d.i:end])
			}
			d.i = end
		default:
			d.skip(key, len(text))
		}
	}
	return baton, baseURL
}
