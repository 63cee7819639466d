package edge

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestResponse(t *testing.T) {
	t.Run("is 200 with a guessed type when the handler says nothing", func(t *testing.T) {
		w := newResponse()
		_, _ = w.WriteString("<!doctype html><p>x")
		status, lines, body := w.finish()
		assert.Equal(t, 200, status)
		assert.Equal(t, "Content-Type\ntext/html; charset=utf-8\n", lines)
		assert.Equal(t, "<!doctype html><p>x", string(body))
	})
	t.Run("keeps the first status and the header of that moment", func(t *testing.T) {
		w := newResponse()
		w.Header().Set("X-Before", "1")
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusTeapot)
		w.Header().Set("X-After", "1")
		w.WriteHeader(http.StatusOK)
		status, lines, body := w.finish()
		assert.Equal(t, http.StatusTeapot, status)
		assert.Equal(t, "X-Before\n1\n", lines)
		assert.Empty(t, body)
	})
	t.Run("keeps every cookie apart and no line break", func(t *testing.T) {
		w := newResponse()
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2; Expires=Sat, 21 Nov 2026 12:00:00 GMT")
		w.Header().Set("Location", "/x\r\nSet-Cookie: c=3")
		_, lines, _ := w.finish()
		assert.Equal(t, 3, strings.Count(lines, "\n")/2)
		assert.Contains(t, lines, "Set-Cookie\na=1\n")
		assert.Contains(t, lines, "Location\n/x  Set-Cookie: c=3\n")
	})
	t.Run("keeps a body without a copy, and bytes that follow behind it", func(t *testing.T) {
		w := newResponse()
		page := append(make([]byte, 0, 10), "page"...)
		released := 0
		w.Keep(page, func() { released++ })
		_, _, body := w.finish()
		assert.Same(t, &page[0], &body[0])
		assert.Zero(t, released, "the shim has not copied it yet")
		w.Keep([]byte("+"), func() { released++ })
		assert.Equal(t, 1, released, "it was copied")
		_, _ = w.Write([]byte("more"))
		status, _, body := w.finish()
		assert.Equal(t, 200, status)
		assert.Equal(t, "page+more", string(body))
		assert.Equal(t, "page\x00", string(page[:5]), "what is behind the body is not written to")
	})
	t.Run("has no body where the protocol has none", func(t *testing.T) {
		for _, code := range []int{204, 205, 303, 304} {
			w := newResponse()
			w.WriteHeader(code)
			_, _ = w.Write([]byte("x"))
			_, _, body := w.finish()
			assert.Nil(t, body, "%d", code)
		}
	})
}
