package edge

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewRequest(t *testing.T) {
	t.Run("takes every header as it was sent", func(t *testing.T) {
		lines := strings.Join([]string{"POST", "https://plaza.example/c/go?after=a%2Cb", "2001:db8::1", "3",
			"cookie", "a=1, __Host-session=forged; b=2", "if-modified-since", "Sat, 21 Nov 2026 12:00:00 GMT",
			"host", "elsewhere", "x-empty", ""}, "\n")
		r, err := newRequest(context.Background(), lines, []byte("a=b"))
		require.NoError(t, err)
		assert.Equal(t, "POST", r.Method)
		assert.Equal(t, "plaza.example", r.Host)
		assert.Equal(t, "/c/go?after=a%2Cb", r.RequestURI)
		assert.Equal(t, "[2001:db8::1]:0", r.RemoteAddr)
		assert.Equal(t, []string{"a=1, __Host-session=forged; b=2"}, r.Header["Cookie"])
		assert.Equal(t, "Sat, 21 Nov 2026 12:00:00 GMT", r.Header.Get("If-Modified-Since"))
		assert.Equal(t, []string{""}, r.Header["X-Empty"])
		assert.NotContains(t, r.Header, "Host")
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		assert.Equal(t, "a=b", string(body))
		assert.EqualValues(t, 3, r.ContentLength)
		_, err = r.Cookie("__Host-session")
		assert.Error(t, err, "a planted cookie is not a session")
	})
	t.Run("takes an address with a port, as some proxies give it", func(t *testing.T) {
		for _, address := range []string{"192.0.2.1:443", "[2001:db8::1]:443"} {
			r, err := newRequest(context.Background(), "GET\nhttp://localhost/\n"+address+"\n0", nil)
			require.NoError(t, err)
			assert.Equal(t, address, r.RemoteAddr)
		}
	})
	t.Run("has no address where the platform gives none", func(t *testing.T) {
		r, err := newRequest(context.Background(), "GET\nhttp://localhost/\n\n0", nil)
		require.NoError(t, err)
		assert.Empty(t, r.RemoteAddr)
		assert.True(t, hasNoBody("GET\nhttp://localhost/\n\n0"))
		assert.False(t, hasNoBody("GET\nhttp://localhost/\n\n12\naccept\n*/*"))
	})
	t.Run("refuses what is no address", func(t *testing.T) {
		for _, lines := range []string{"", "GET", "GET\nhttp://x/%zz\n\n0", "GET\n\n\n0"} {
			_, err := newRequest(context.Background(), lines, nil)
			assert.Error(t, err, "%q", lines)
		}
	})
}

func FuzzNewRequest(f *testing.F) {
	f.Add("GET\nhttp://localhost/\n127.0.0.1\n0\naccept\n*/*", []byte("x"))
	f.Fuzz(func(t *testing.T, lines string, body []byte) {
		r, err := newRequest(context.Background(), lines, body)
		if err == nil && (r.URL == nil || r.Method == "") {
			t.Fatalf("%q made a request without method or address", lines)
		}
		hasNoBody(lines)
	})
}
