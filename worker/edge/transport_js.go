//go:build js && wasm

package edge

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"plaza/data/pace/deadline"
	"plaza/worker/links"
)

// transport is the edge's client. It passes whole bodies both ways.
type transport struct {
	limit    time.Duration // for a call, unless deadline.WithLimit says otherwise
	maxBytes int           // of a reply's body, unless links.WithReplyLimit says otherwise
}

// RoundTrip sends the request within the event of its context. Its error wraps
// errTurn outside the event's turn, and has Timeout() true past the limit.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	limit := t.limit
	if l := deadline.Limit(ctx); l > 0 {
		limit = l
	}
	if limit = deadline.Remaining(ctx, limit); limit <= 0 {
		return nil, deadline.Late{}
	}
	maxBytes, beyond := t.maxBytes, "refuse"
	if l := links.ReplyLimit(ctx); l > 0 {
		maxBytes, beyond = l, "cut"
		if how := links.ReplyMode(ctx); how != "" {
			beyond = how
		}
	}
	reply, err := operate(ctx, func(turn, op int) string {
		head := fetchHead(r, limit, maxBytes, beyond)
		if memoryFetch(int32(turn), int32(op), head, unsafe.Pointer(unsafe.SliceData(body)), int32(len(body))) == fetchRefused {
			return takeText(replyLines)
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status:     strconv.Itoa(reply.code) + " " + http.StatusText(reply.code),
		StatusCode: reply.code,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        headerOf(reply.lines),
		Body:          newReplyBody(reply.body),
		ContentLength: int64(len(reply.body)),
		Request:       r,
	}, nil
}

// Do is RoundTrip.
func (t transport) Do(r *http.Request) (*http.Response, error) { return t.RoundTrip(r) }

// fetchHead returns the lines that fetchBytes in shim/io.mjs reads.
func fetchHead(r *http.Request, limit time.Duration, maxBytes int, beyond string) string {
	var b strings.Builder
	b.Grow(256)
	method := r.Method
	if method == "" {
		method = http.MethodGet
	}
	b.WriteString(method)
	b.WriteByte('\n')
	b.WriteString(r.URL.String())
	b.WriteByte('\n')
	b.WriteString(strconv.FormatInt(limit.Milliseconds(), 10))
	b.WriteByte('\n')
	b.WriteString(strconv.Itoa(maxBytes))
	b.WriteByte('\n')
	b.WriteString(beyond)
	for name, values := range r.Header {
		for _, value := range values {
			b.WriteByte('\n')
			b.WriteString(oneLine(name))
			b.WriteByte('\n')
			b.WriteString(oneLine(value))
		}
	}
	return b.String()
}
