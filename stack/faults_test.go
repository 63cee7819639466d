package stack_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/stack"
)

func TestFaultProxy(t *testing.T) {
	var arrived atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived.Add(1)
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/x-echo")
		_, _ = io.WriteString(w, r.URL.Path+" "+string(body))
	}))
	t.Cleanup(target.Close)
	p, err := stack.StartFaultProxy(target.URL)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, p.Close()) })
	post := func(body string) (int, string) {
		resp, err := http.Post(p.URL+"/here", "text/plain", strings.NewReader(body))
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, resp.Header.Get("Content-Type") + ": " + string(b)
	}
	set := func(f stack.Fault) { arrived.Store(0); require.NoError(t, p.Set(f)) }
	passes := func(t *testing.T, body string) {
		t.Helper()
		status, text := post(body)
		assert.Equal(t, 200, status)
		assert.Equal(t, "text/x-echo: /here "+body, text)
	}
	fails := func(t *testing.T, body string) {
		t.Helper()
		status, text := post(body)
		assert.Zero(t, status, text)
	}

	t.Run("passes on", func(t *testing.T) {
		passes(t, "one")
		assert.Equal(t, 1, p.Counts().Requests)
		assert.Zero(t, p.Counts().Faulted)
	})
	t.Run("refuses connections, and takes them again", func(t *testing.T) {
		set(stack.Fault{Kind: "refuse"})
		fails(t, "one") // on the connection that was kept open
		_, text := post("two")
		assert.Contains(t, text, "refused")
		set(stack.Fault{})
		passes(t, "three")
	})
	t.Run("drops a request before it arrives, and loses an answer after it did", func(t *testing.T) {
		set(stack.Fault{Kind: "drop", Times: 1})
		fails(t, "one")
		assert.Zero(t, arrived.Load())
		passes(t, "two")
		set(stack.Fault{Kind: "lose", Times: 1})
		fails(t, "one")
		assert.EqualValues(t, 1, arrived.Load())
		passes(t, "two")
		set(stack.Fault{Kind: "lose", Status: 500, Body: "gone"})
		status, text := post("one")
		assert.Equal(t, 500, status)
		assert.Equal(t, "text/plain: gone", text)
		assert.EqualValues(t, 1, arrived.Load())
	})
	t.Run("never answers until told otherwise", func(t *testing.T) {
		for _, kind := range []string{"hole", "mute"} {
			set(stack.Fault{Kind: kind})
			ended := make(chan int)
			go func() { status, _ := post("one"); ended <- status }()
			require.Eventually(t, func() bool { return p.Counts().Faulted == 1 && (kind == "hole" || arrived.Load() == 1) },
				time.Minute, time.Millisecond)
			require.NoError(t, p.Set(stack.Fault{}))
			assert.Zero(t, <-ended)
			assert.Equal(t, kind == "mute", arrived.Load() == 1)
		}
	})
	t.Run("forgets a request whose caller went away", func(t *testing.T) {
		set(stack.Fault{Kind: "hole"})
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, strings.NewReader("one"))
		require.NoError(t, err)
		ended := make(chan error)
		go func() { _, err := http.DefaultClient.Do(req); ended <- err }()
		require.Eventually(t, func() bool { return p.Counts().Open == 1 }, time.Minute, time.Millisecond)
		cancel()
		require.Error(t, <-ended)
		require.Eventually(t, func() bool { return p.Counts().Open == 0 }, time.Minute, time.Millisecond)
	})
	t.Run("answers for the target", func(t *testing.T) {
		set(stack.Fault{Kind: "answer", Status: 404, ContentType: "text/html", Body: "<h1>no</h1>"})
		status, text := post("one")
		assert.Equal(t, 404, status)
		assert.Equal(t, "text/html: <h1>no</h1>", text)
		assert.Zero(t, arrived.Load())
	})
	t.Run("cuts answers, and passes requests on twice", func(t *testing.T) {
		set(stack.Fault{Kind: "cut", Times: 1})
		status, text := post("one two three")
		assert.Equal(t, 200, status)
		assert.Equal(t, "text/x-echo: /here one", text)
		set(stack.Fault{Kind: "twice", Times: 1})
		passes(t, "two")
		assert.EqualValues(t, 2, arrived.Load())
		passes(t, "three")
	})
	t.Run("delays", func(t *testing.T) {
		set(stack.Fault{Kind: "delay", Millis: 20})
		began := time.Now()
		passes(t, "one")
		assert.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
	})
	t.Run("lets pass what is not meant", func(t *testing.T) {
		set(stack.Fault{Kind: "drop", Writes: true})
		passes(t, "SELECT 1")
		fails(t, "..BEGIN IMMEDIATE..")
		fails(t, `["SET","a","b"]`)
		set(stack.Fault{Kind: "drop", Holding: "comments"})
		passes(t, "posts")
		fails(t, "comments")
		set(stack.Fault{Kind: "answer", Share: 0.5})
		for range 200 {
			post("one")
		}
		assert.InDelta(t, 100, p.Counts().Faulted, 60)
		assert.Equal(t, 200, p.Counts().Requests)
	})
	t.Run("refuses a fault that makes no sense", func(t *testing.T) {
		for _, f := range []stack.Fault{{Kind: "burn"}, {Kind: "refuse", Times: 1}, {Kind: "drop", Share: 2}, {Kind: "answer", Status: 99}} {
			assert.Error(t, p.Set(f))
		}
	})
}
