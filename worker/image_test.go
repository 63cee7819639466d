package worker_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wait"
	"plaza/worker"
	"plaza/worker/links"
)

func TestPictures(t *testing.T) {
	s, ann := linkSite(t)
	n := 0
	// post posts a picture and returns its address on this site.
	post := func(address string) string {
		t.Helper()
		n++
		page := ann.page(ann.mustPost("/submit", "community", "gophers", "title", fmt.Sprint("Picture ", n), "image", address))
		return "/img/" + targets(page)[0]
	}
	s.web.file("pics.org", "image/gif", tinyGIF)

	t.Run("an image post shows its picture, from this site", func(t *testing.T) {
		location := ann.mustPost("/submit", "community", "gophers", "title", "A <b>gopher", "image", "https://pics.org/a.gif")
		page := ann.page(location)
		id := targets(page)[0]
		require.Contains(t, page, `<img src="/img/`+id+`" alt="A &lt;b&gt;gopher" loading="lazy"`)
		require.NotContains(t, page, `src="https://pics.org`)
		res := s.visitor().get("/img/" + id)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, tinyGIF, res.Body.String())
		h := res.Header()
		require.Equal(t, "image/gif", h.Get("Content-Type"))
		require.Equal(t, "default-src 'none'; sandbox; frame-ancestors 'none'", h.Get("Content-Security-Policy"))
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "public, max-age=3600, s-maxage=3600", h.Get("Cache-Control"))
		require.Empty(t, h.Get("Set-Cookie"))
		require.Empty(t, h.Get("X-Other"))
		require.Equal(t, []string{"https://pics.org/a.gif"}, s.web.addresses())
		asked := s.web.asked[0]
		require.Empty(t, asked.Header.Get("Referer"))
		require.LessOrEqual(t, wait.Limit(asked.Context()), 5*time.Second)
		require.Equal(t, 4<<20+1, links.ReplyLimit(asked.Context()))
	})

	t.Run("a link post shows that of the page", func(t *testing.T) {
		s.web.page("go.dev", `<meta property=og:image content="https://pics.org/b.gif">`)
		location := ann.link("A link", "https://go.dev/")
		require.NotContains(t, ann.page(location), "<img")
		s.deliver()
		page := ann.page(location)
		id := targets(page)[0]
		require.Contains(t, page, `<img src="/img/`+id+`" alt=""`)
		s.web.forget()
		require.Equal(t, http.StatusOK, s.visitor().get("/img/"+id).Code)
		require.Equal(t, []string{"https://pics.org/b.gif"}, s.web.addresses())
	})

	t.Run("only pictures, whatever their server calls them", func(t *testing.T) {
		s.web.file("wrong.org", "text/html", tinyGIF)
		require.Equal(t, "image/gif", s.visitor().get(post("https://wrong.org/")).Header().Get("Content-Type"))
		for name, body := range map[string]string{"svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>`, "html": "<!doctype html><script>x</script>", "empty": "", "pdf": "%PDF-1.7"} {
			s.web.file(name+".org", "image/png", body)
			res := s.visitor().get(post("https://" + name + ".org/"))
			assert.Equal(t, http.StatusNotFound, res.Code, name)
			assert.NotContains(t, res.Body.String(), "<script>x")
		}
	})

	t.Run("of up to four megabytes", func(t *testing.T) {
		s.web.file("large.org", "image/gif", tinyGIF+strings.Repeat("x", 4<<20-len(tinyGIF)))
		require.Equal(t, http.StatusOK, s.visitor().get(post("https://large.org/")).Code)
		s.web.file("larger.org", "image/gif", tinyGIF+strings.Repeat("x", 4<<20))
		require.Equal(t, http.StatusNotFound, s.visitor().get(post("https://larger.org/")).Code)
	})

	t.Run("of up to 40 million pixels and 16,384 a side, because a small file can ask a browser for gigabytes", func(t *testing.T) {
		side := func(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
		header := func(w, h uint32) string {
			return "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + side(w) + side(h) + "\x08\x00\x00\x00\x00\x00\x00\x00\x00"
		}
		frame := ",\x00\x00\x00\x00\x00\x10\x00\x10\x00\x02\x00" // 4,096 a side
		for name, test := range map[string]struct {
			picture string
			status  int
		}{
			"just-small-enough": {header(10_000, 4_000), http.StatusOK}, "long": {header(16_384, 1), http.StatusOK},
			"huge": {header(20_000, 20_000), http.StatusNotFound}, "greatest": {header(1<<31-1, 1<<31-1), http.StatusNotFound},
			"just-too-large": {header(10_000, 4_001), http.StatusNotFound}, "longer": {header(16_385, 1), http.StatusNotFound},
			"two-frames":   {"GIF89a\x00\x10\x00\x10\x00\x00\x00" + strings.Repeat(frame, 2), http.StatusOK},
			"three-frames": {"GIF89a\x00\x10\x00\x10\x00\x00\x00" + strings.Repeat(frame, 3), http.StatusNotFound},
			"no-size":      {"\xff\xd8\xff\xe0\x00\x10JFIF", http.StatusNotFound},
		} {
			s.web.file(name+".org", "image/png", test.picture)
			assert.Equal(t, test.status, s.visitor().get(post("https://"+name+".org/")).Code, name)
			s.web.page(name+".net", `<meta property=og:image content="https://`+name+`.org/b">`)
			location := ann.link(name, "https://"+name+".net/")
			s.deliver()
			assert.Equal(t, test.status, s.visitor().get("/img/"+targets(ann.page(location))[0]).Code, "%s of a page", name)
		}
	})

	t.Run("never from a private address", func(t *testing.T) {
		for _, address := range []string{"http://127.0.0.1/a.png", "http://169.254.169.254/a.png", "http://x.internal/a.png", "http://pics.org:8080/a.png"} {
			path := post(address)
			s.web.forget()
			assert.Equal(t, http.StatusNotFound, s.visitor().get(path).Code, address)
			assert.Empty(t, s.web.addresses(), address)
		}
		for _, status := range []int{301, 302, 303, 307, 308} {
			s.web.redirect("away.org", status, "http://[::ffff:127.0.0.1]/")
			address := fmt.Sprint("https://away.org/", status)
			path := post(address)
			s.web.forget()
			assert.Equal(t, http.StatusNotFound, s.visitor().get(path).Code)
			assert.Equal(t, []string{address}, s.web.addresses())
		}
		// What would be in the database if somebody had put it there.
		s.exec("UPDATE link_previews SET image = 'http://10.0.0.1/x.png'")
		s.web.forget()
		id := data.ID(s.one("SELECT id FROM posts WHERE link = 'https://go.dev/'").(int64)).Text()
		assert.Equal(t, http.StatusNotFound, s.visitor().get("/img/"+id).Code)
		assert.Empty(t, s.web.addresses())
	})

	t.Run("a redirect to another picture is followed", func(t *testing.T) {
		s.web.redirect("moved.org", 301, "//pics.org/c.gif")
		require.Equal(t, http.StatusOK, s.visitor().get(post("https://moved.org/")).Code)
	})

	t.Run("a server that has none is left alone for a minute", func(t *testing.T) {
		path := post("https://nowhere.org/a.png")
		s.web.forget()
		for range 3 {
			require.Equal(t, http.StatusNotFound, s.visitor().get(path).Code)
		}
		require.Len(t, s.web.addresses(), 1)
		s.now = s.now.Add(2 * time.Minute)
		s.web.file("nowhere.org", "image/gif", tinyGIF)
		require.Equal(t, http.StatusOK, s.visitor().get(path).Code)
	})

	t.Run("what lies under /img/ is the same for everybody, because the edge keeps it for everybody", func(t *testing.T) {
		for _, rt := range worker.Routes() {
			if strings.HasPrefix(rt.Pattern, "/img/") {
				require.Equal(t, http.MethodGet, rt.Method)
				require.False(t, rt.Member || rt.Moderator || rt.Admin, rt.Pattern)
			}
		}
		path := post("https://pics.org/same.gif")
		require.Equal(t, s.visitor().get(path).Body.String(), ann.get(path).Body.String())
	})

	t.Run("eight at once, and others wait", func(t *testing.T) {
		open := make(chan bool)
		var paths []string
		for _, host := range []string{"slow.org", "slower.org", "slowest.org", "late.org", "later.org"} {
			paths = append(paths, post("https://"+host+"/a.gif"))
			s.web.on(host, func(rw http.ResponseWriter, _ *http.Request) {
				<-open
				_, _ = io.WriteString(rw, tinyGIF)
			})
		}
		looks := atomic.Int64{}
		c := s.config
		c.Sleep = func(context.Context, time.Duration) error {
			looks.Add(1)
			time.Sleep(time.Millisecond)
			return nil
		}
		s.restart(c)
		s.web.forget()
		var all sync.WaitGroup
		get := func() int { return s.visitor().get(paths[4]).Code }
		for i := range 8 {
			all.Go(func() { assert.Equal(t, http.StatusOK, s.visitor().get(paths[i/2]).Code) })
		}
		require.Eventually(t, func() bool { return len(s.web.addresses()) == 8 }, time.Minute, time.Millisecond)
		require.Equal(t, http.StatusServiceUnavailable, get())
		require.EqualValues(t, 30, looks.Load(), "for three seconds")
		require.Len(t, s.web.addresses(), 8)
		all.Go(func() { assert.Equal(t, http.StatusOK, get()) })
		require.Eventually(t, func() bool { return looks.Load() > 30 }, time.Minute, time.Millisecond)
		close(open)
		all.Wait()
		s.restart(s.config)
	})

	t.Run("two at once of one host, so that those of others arrive while it is slow", func(t *testing.T) {
		open, quick := make(chan bool), post("https://pics.org/quick.gif")
		var slow []string
		for i := range 8 {
			slow = append(slow, post(fmt.Sprintf("https://stuck.org/%d.gif", i)))
		}
		s.web.on("stuck.org", func(rw http.ResponseWriter, _ *http.Request) {
			<-open
			_, _ = io.WriteString(rw, tinyGIF)
		})
		c := s.config
		c.Sleep = func(context.Context, time.Duration) error { return nil }
		s.restart(c)
		s.web.forget()
		var all sync.WaitGroup
		for _, path := range slow[:2] {
			all.Go(func() { assert.Equal(t, http.StatusOK, s.visitor().get(path).Code) })
		}
		require.Eventually(t, func() bool { return len(s.web.addresses()) == 2 }, time.Minute, time.Millisecond)
		for _, path := range slow[2:] {
			require.Equal(t, http.StatusServiceUnavailable, s.visitor().get(path).Code)
		}
		require.Equal(t, http.StatusOK, s.visitor().get(quick).Code)
		close(open)
		all.Wait()
		s.restart(s.config)
	})

	t.Run("a host that takes its time is left alone for a minute, with all its pictures", func(t *testing.T) {
		first, second := post("https://sleepy.org/1.gif"), post("https://sleepy.org/2.gif")
		s.web.on("sleepy.org", func(rw http.ResponseWriter, _ *http.Request) {
			s.now = s.now.Add(4 * time.Second)
			_, _ = io.WriteString(rw, tinyGIF)
		})
		require.Equal(t, http.StatusOK, s.visitor().get(first).Code)
		require.Equal(t, http.StatusNotFound, s.visitor().get(second).Code)
		s.now = s.now.Add(2 * time.Minute)
		require.Equal(t, http.StatusOK, s.visitor().get(second).Code)
	})

	t.Run("has one address, so that it is fetched once", func(t *testing.T) {
		path := post("https://pics.org/once.gif")
		id, err := data.ParseID(strings.TrimPrefix(path, "/img/"))
		require.NoError(t, err)
		s.web.forget()
		for _, other := range []string{"/img/" + id.String(), "/img/%30" + path[len("/img/0"):], "/%69" + path[len("/i"):]} {
			assert.Equal(t, http.StatusNotFound, s.visitor().get(other).Code, other)
		}
		assert.Empty(t, s.web.addresses())
		require.Equal(t, http.StatusOK, s.visitor().get(path).Code)
	})

	t.Run("nothing is asked for what is not a post's picture", func(t *testing.T) {
		path := post("https://pics.org/z.gif")
		s.exec("UPDATE posts SET status = 'removed' WHERE image = 'https://pics.org/z.gif'")
		text := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "text", "text", "x")))[0]
		s.web.forget()
		for _, other := range []string{path, "/img/" + text, "/img/00000000000zw", "/img/x", "/img/zzzzzzzzzzzzz", path + "?x=1"} {
			require.Equal(t, http.StatusNotFound, s.visitor().get(other).Code, other)
		}
		require.Empty(t, s.web.addresses())
	})
}

func TestAPicturesSizeIsKept(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	s.web.file("pics.org", "image/gif", "GIF89a\x2c\x01\xc8\x00"+tinyGIF[10:])
	address := ann.mustPost("/submit", "community", "gophers", "title", "A picture", "image", "https://pics.org/a.gif")
	id := targets(ann.page(address))[0]
	require.NotContains(t, ann.page(address), `width="300"`)
	require.Equal(t, http.StatusOK, s.visitor().get("/img/"+id).Code)
	require.Contains(t, ann.page(address), `<img src="/img/`+id+`" alt="A picture" loading="lazy" decoding="async" width="300" height="200">`)
	t.Run("of the picture a page links to it isn't", func(t *testing.T) {
		linked := ann.mustPost("/submit", "community", "gophers", "title", "A link", "link", "https://example.org/page")
		id := targets(ann.page(linked))[0]
		s.sql.ExecAt(mustID(t, id), `INSERT INTO link_previews (url, image, fetched_at) VALUES ('https://example.org/page', 'https://pics.org/b.gif', 1)
ON CONFLICT (url) DO UPDATE SET image = excluded.image`)
		require.Equal(t, http.StatusOK, s.visitor().get("/img/"+id).Code)
		require.NotContains(t, ann.page(linked), `width="300"`)
	})
}
