package post_test

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
	"plaza/data/pace/deadline"
	"plaza/test/workertest"
	"plaza/worker/links"
)

func TestPictures(t *testing.T) {
	t.Parallel()
	s, ann := linkSite(t)
	n := 0
	// post posts a picture and returns its address on this site.
	post := func(address string) string {
		t.Helper()
		n++
		page := ann.Page(ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Picture ", n), "image", address))
		return "/img/" + workertest.Targets(page)[0]
	}
	s.Web.File("pics.org", "image/gif", workertest.TinyGIF)

	t.Run("an image post shows its picture, from this site", func(t *testing.T) {
		location := ann.MustPost("/submit", "community", "gophers", "title", "A <b>gopher", "image", "https://pics.org/a.gif")
		page := ann.Page(location)
		id := workertest.Targets(page)[0]
		require.Contains(t, page, `<img src="/img/`+id+`" alt="A &lt;b&gt;gopher" loading="lazy"`)
		require.NotContains(t, page, `src="https://pics.org`)
		res := s.Visitor().Get("/img/" + id)
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, workertest.TinyGIF, res.Body.String())
		h := res.Header()
		require.Equal(t, "image/gif", h.Get("Content-Type"))
		require.Equal(t, "default-src 'none'; sandbox; frame-ancestors 'none'", h.Get("Content-Security-Policy"))
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "public, max-age=3600, s-maxage=3600", h.Get("Cache-Control"))
		require.Empty(t, h.Get("Set-Cookie"))
		require.Empty(t, h.Get("X-Other"))
		require.Equal(t, []string{"https://pics.org/a.gif"}, s.Web.Addresses())
		asked := s.Web.Asked[0]
		require.Empty(t, asked.Header.Get("Referer"))
		require.LessOrEqual(t, deadline.Limit(asked.Context()), 5*time.Second)
		require.Equal(t, 4<<20+1, links.ReplyLimit(asked.Context()))
	})

	t.Run("what the edge keeps is sent by the edge", func(t *testing.T) {
		kept := "image/jpeg 640 480 307200 5000"
		s.Web.On("kept.org", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(links.KeptReply, kept) })
		address := post("https://kept.org/a.jpg")
		res := s.Visitor().Get(address)
		require.Equal(t, http.StatusOK, res.Code)
		require.Empty(t, res.Body.String())
		require.Equal(t, "kept", res.Header().Get(links.KeptBody))
		require.Equal(t, "image/jpeg", res.Header().Get("Content-Type"))
		require.Equal(t, int64(640), s.One("SELECT image_width FROM posts WHERE image = 'https://kept.org/a.jpg'"))
		for _, kept = range []string{"image/jpeg 0 0 0 4194305", "image/gif 100 100 40000001 5000", "image/png 16385 1 16385 99"} {
			res := s.Visitor().Get(post("https://kept.org/" + strings.ReplaceAll(kept, " ", "-")))
			require.Equal(t, http.StatusNotFound, res.Code, kept)
			require.Empty(t, res.Header().Get(links.KeptBody), kept)
		}
		s.Web.Forget()
	})

	t.Run("a link post shows that of the page", func(t *testing.T) {
		s.Web.Page("go.dev", `<meta property=og:image content="https://pics.org/b.gif">`)
		location := postLink(ann, "A link", "https://go.dev/")
		page := ann.Page(location)
		id := workertest.Targets(page)[0]
		require.NotContains(t, page, "/img/"+id)
		s.Deliver()
		page = ann.Page(location)
		require.Contains(t, page, `<img src="/img/`+id+`" alt=""`)
		s.Web.Forget()
		require.Equal(t, http.StatusOK, s.Visitor().Get("/img/"+id).Code)
		require.Equal(t, []string{"https://pics.org/b.gif"}, s.Web.Addresses())
	})

	t.Run("only pictures, whatever their server calls them", func(t *testing.T) {
		s.Web.File("wrong.org", "text/html", workertest.TinyGIF)
		require.Equal(t, "image/gif", s.Visitor().Get(post("https://wrong.org/")).Header().Get("Content-Type"))
		for name, body := range map[string]string{"svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>`,
			"html": "<!doctype html><script>x</script>", "empty": "", "pdf": "%PDF-1.7"} {
			s.Web.File(name+".org", "image/png", body)
			res := s.Visitor().Get(post("https://" + name + ".org/"))
			assert.Equal(t, http.StatusNotFound, res.Code, name)
			assert.NotContains(t, res.Body.String(), "<script>x")
		}
	})

	t.Run("of up to four megabytes", func(t *testing.T) {
		s.Web.File("large.org", "image/gif", workertest.TinyGIF+strings.Repeat("x", 4<<20-len(workertest.TinyGIF)))
		require.Equal(t, http.StatusOK, s.Visitor().Get(post("https://large.org/")).Code)
		s.Web.File("larger.org", "image/gif", workertest.TinyGIF+strings.Repeat("x", 4<<20))
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(post("https://larger.org/")).Code)
	})

	t.Run("beside a title of up to 100 KB, and never more, whatever its server says", func(t *testing.T) {
		s.Web.File("light.org", "image/gif", workertest.TinyGIF+strings.Repeat("x", 100<<10-len(workertest.TinyGIF)))
		s.Web.File("heavy.org", "image/gif", workertest.TinyGIF+strings.Repeat("x", 200<<10))
		light, heavy := post("https://light.org/"), post("https://heavy.org/")
		small := func(path string) string { return strings.Replace(path, "/img/", "/img/small/", 1) }
		s.Web.Forget()
		res := s.Visitor().Get(small(light))
		require.Equal(t, http.StatusOK, res.Code)
		h := res.Header()
		require.Equal(t, 100<<10, res.Body.Len())
		require.Equal(t, "image/gif", h.Get("Content-Type"))
		require.Equal(t, "default-src 'none'; sandbox; frame-ancestors 'none'", h.Get("Content-Security-Policy"))
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "public, max-age=3600, s-maxage=3600", h.Get("Cache-Control"))
		require.Equal(t, 100<<10+1, links.ReplyLimit(s.Web.Asked[0].Context()))
		require.Equal(t, "small", links.ReplyMode(s.Web.Asked[0].Context()))
		s.Web.Forget()
		for range 3 {
			res := s.Visitor().Get(small(heavy))
			require.Equal(t, http.StatusNotFound, res.Code)
			require.Equal(t, "image/gif", res.Header().Get("Content-Type"), "which browsers show as nothing, and not as a broken picture")
			require.Equal(t, 43, res.Body.Len())
			require.Equal(t, "public, max-age=0, s-maxage=10", res.Header().Get("Cache-Control"))
			s.Now = s.Now.Add(10 * time.Minute)
		}
		require.Len(t, s.Web.Addresses(), 1, "it does not become smaller")
		require.Equal(t, http.StatusOK, s.Visitor().Get(heavy).Code, "and its own page shows it")
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(small(light)+"?x=1").Code)
		for _, address := range []string{"http://127.0.0.1/s.png", "http://169.254.169.254/s.png"} {
			path := post(address)
			s.Web.Forget()
			require.Equal(t, http.StatusNotFound, s.Visitor().Get(small(path)).Code, address)
			require.Empty(t, s.Web.Addresses(), address)
		}
		s.Web.Forget()
	})

	t.Run("what the edge has not kept because it is too long is not shown small", func(t *testing.T) {
		s.Web.On("long.org", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set(links.KeptReply, "- 0 0 0 102401") })
		res := s.Visitor().Get(strings.Replace(post("https://long.org/a.jpg"), "/img/", "/img/small/", 1))
		require.Equal(t, http.StatusNotFound, res.Code)
		require.Empty(t, res.Header().Get(links.KeptBody))
	})

	t.Run("small, the size of the whole is not known by it", func(t *testing.T) {
		s.Web.On("made.org", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(links.KeptReply, "image/webp 320 240 76800 9000")
		})
		path := post("https://made.org/a.jpg")
		res := s.Visitor().Get(strings.Replace(path, "/img/", "/img/small/", 1))
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "image/webp", res.Header().Get("Content-Type"))
		require.Equal(t, int64(0), s.One("SELECT image_width FROM posts WHERE image = 'https://made.org/a.jpg'"))
		s.Web.Forget()
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
			s.Web.File(name+".org", "image/png", test.picture)
			assert.Equal(t, test.status, s.Visitor().Get(post("https://"+name+".org/")).Code, name)
			s.Web.Page(name+".net", `<meta property=og:image content="https://`+name+`.org/b">`)
			location := postLink(ann, name, "https://"+name+".net/")
			s.Deliver()
			assert.Equal(t, test.status, s.Visitor().Get("/img/"+workertest.Targets(ann.Page(location))[0]).Code, "%s of a page", name)
		}
	})

	t.Run("never from a private address", func(t *testing.T) {
		for _, address := range []string{"http://127.0.0.1/a.png", "http://169.254.169.254/a.png", "http://x.internal/a.png",
			"http://pics.org:8080/a.png"} {
			path := post(address)
			s.Web.Forget()
			assert.Equal(t, http.StatusNotFound, s.Visitor().Get(path).Code, address)
			assert.Empty(t, s.Web.Addresses(), address)
		}
		for _, status := range []int{301, 302, 303, 307, 308} {
			s.Web.Redirect("away.org", status, "http://[::ffff:127.0.0.1]/")
			address := fmt.Sprint("https://away.org/", status)
			path := post(address)
			s.Web.Forget()
			assert.Equal(t, http.StatusNotFound, s.Visitor().Get(path).Code)
			assert.Equal(t, []string{address}, s.Web.Addresses())
		}
		// What would be in the database if somebody had put it there.
		s.Exec("UPDATE link_previews SET image = 'http://10.0.0.1/x.png'")
		s.Web.Forget()
		id := data.ID(s.One("SELECT id FROM posts WHERE link = 'https://go.dev/'").(int64)).Text()
		assert.Equal(t, http.StatusNotFound, s.Visitor().Get("/img/"+id).Code)
		assert.Empty(t, s.Web.Addresses())
	})

	t.Run("a redirect to another picture is followed", func(t *testing.T) {
		s.Web.Redirect("moved.org", 301, "//pics.org/c.gif")
		require.Equal(t, http.StatusOK, s.Visitor().Get(post("https://moved.org/")).Code)
	})

	t.Run("a server that has none is left alone for a minute", func(t *testing.T) {
		path := post("https://nowhere.org/a.png")
		s.Web.Forget()
		for range 3 {
			require.Equal(t, http.StatusNotFound, s.Visitor().Get(path).Code)
		}
		require.Len(t, s.Web.Addresses(), 1)
		s.Now = s.Now.Add(2 * time.Minute)
		s.Web.File("nowhere.org", "image/gif", workertest.TinyGIF)
		require.Equal(t, http.StatusOK, s.Visitor().Get(path).Code)
	})

	t.Run("what lies under /img/ is the same for everybody, because the edge keeps it for everybody", func(t *testing.T) {
		path := post("https://pics.org/same.gif")
		require.Equal(t, s.Visitor().Get(path).Body.String(), ann.Get(path).Body.String())
	})

	t.Run("eight at once, and others wait", func(t *testing.T) {
		open := make(chan bool)
		var paths []string
		for _, host := range []string{"slow.org", "slower.org", "slowest.org", "late.org", "later.org"} {
			paths = append(paths, post("https://"+host+"/a.gif"))
			s.Web.On(host, func(rw http.ResponseWriter, _ *http.Request) {
				<-open
				_, _ = io.WriteString(rw, workertest.TinyGIF)
			})
		}
		attempts := atomic.Int64{}
		c := s.Config
		c.Sleep = func(context.Context, time.Duration) error {
			attempts.Add(1)
			time.Sleep(time.Millisecond)
			return nil
		}
		s.Restart(c)
		s.Web.Forget()
		var all sync.WaitGroup
		get := func() int { return s.Visitor().Get(paths[4]).Code }
		for i := range 8 {
			all.Go(func() { assert.Equal(t, http.StatusOK, s.Visitor().Get(paths[i/2]).Code) })
		}
		require.Eventually(t, func() bool { return len(s.Web.Addresses()) == 8 }, time.Minute, time.Millisecond)
		require.Equal(t, http.StatusServiceUnavailable, get())
		require.EqualValues(t, 30, attempts.Load(), "for three seconds")
		require.Len(t, s.Web.Addresses(), 8)
		all.Go(func() { assert.Equal(t, http.StatusOK, get()) })
		require.Eventually(t, func() bool { return attempts.Load() > 30 }, time.Minute, time.Millisecond)
		close(open)
		all.Wait()
		s.Restart(s.Config)
	})

	t.Run("two at once of one host, so that those of others arrive while it is slow", func(t *testing.T) {
		open, quick := make(chan bool), post("https://pics.org/quick.gif")
		var slow []string
		for i := range 8 {
			slow = append(slow, post(fmt.Sprintf("https://stuck.org/%d.gif", i)))
		}
		s.Web.On("stuck.org", func(rw http.ResponseWriter, _ *http.Request) {
			<-open
			_, _ = io.WriteString(rw, workertest.TinyGIF)
		})
		c := s.Config
		c.Sleep = func(context.Context, time.Duration) error { return nil }
		s.Restart(c)
		s.Web.Forget()
		var all sync.WaitGroup
		for _, path := range slow[:2] {
			all.Go(func() { assert.Equal(t, http.StatusOK, s.Visitor().Get(path).Code) })
		}
		require.Eventually(t, func() bool { return len(s.Web.Addresses()) == 2 }, time.Minute, time.Millisecond)
		for _, path := range slow[2:] {
			require.Equal(t, http.StatusServiceUnavailable, s.Visitor().Get(path).Code)
		}
		require.Equal(t, http.StatusOK, s.Visitor().Get(quick).Code)
		close(open)
		all.Wait()
		s.Restart(s.Config)
	})

	t.Run("a host that takes its time is left alone for a minute, with all its pictures", func(t *testing.T) {
		first, second := post("https://sleepy.org/1.gif"), post("https://sleepy.org/2.gif")
		s.Web.On("sleepy.org", func(rw http.ResponseWriter, _ *http.Request) {
			s.Now = s.Now.Add(4 * time.Second)
			_, _ = io.WriteString(rw, workertest.TinyGIF)
		})
		require.Equal(t, http.StatusOK, s.Visitor().Get(first).Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(second).Code)
		s.Now = s.Now.Add(2 * time.Minute)
		require.Equal(t, http.StatusOK, s.Visitor().Get(second).Code)
	})

	t.Run("has one address, so that it is fetched once", func(t *testing.T) {
		path := post("https://pics.org/once.gif")
		id, err := data.ParseID(strings.TrimPrefix(path, "/img/"))
		require.NoError(t, err)
		s.Web.Forget()
		for _, other := range []string{"/img/" + id.String(), "/img/%30" + path[len("/img/0"):], "/%69" + path[len("/i"):]} {
			assert.Equal(t, http.StatusNotFound, s.Visitor().Get(other).Code, other)
		}
		assert.Empty(t, s.Web.Addresses())
		require.Equal(t, http.StatusOK, s.Visitor().Get(path).Code)
	})

	t.Run("nothing is asked for what is not a post's picture", func(t *testing.T) {
		path := post("https://pics.org/z.gif")
		s.Exec("UPDATE posts SET status = 'removed' WHERE image = 'https://pics.org/z.gif'")
		text := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "text", "text", "x")))[0]
		s.Web.Forget()
		for _, other := range []string{path, "/img/" + text, "/img/00000000000zw", "/img/x", "/img/zzzzzzzzzzzzz", path + "?x=1"} {
			require.Equal(t, http.StatusNotFound, s.Visitor().Get(other).Code, other)
		}
		require.Empty(t, s.Web.Addresses())
	})
}

func TestAPicturesSizeIsKept(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	s.Web.File("pics.org", "image/gif", "GIF89a\x2c\x01\xc8\x00"+workertest.TinyGIF[10:])
	address := ann.MustPost("/submit", "community", "gophers", "title", "A picture", "image", "https://pics.org/a.gif")
	id := workertest.Targets(ann.Page(address))[0]
	require.NotContains(t, ann.Page(address), `width="300"`)
	require.Equal(t, http.StatusOK, s.Visitor().Get("/img/"+id).Code)
	require.Contains(t, ann.Page(address), `<img src="/img/`+id+`" alt="A picture" loading="lazy" decoding="async" width="300" height="200">`)
	t.Run("of the picture a page links to it isn't", func(t *testing.T) {
		linked := ann.MustPost("/submit", "community", "gophers", "title", "A link", "link", "https://example.org/page")
		id := workertest.Targets(ann.Page(linked))[0]
		s.Sql.ExecAt(workertest.MustID(t, id), `INSERT INTO link_previews (url, image, fetched_at)
  VALUES ('https://example.org/page', 'https://pics.org/b.gif', 1)
ON CONFLICT (url) DO UPDATE SET image = excluded.image`)
		require.Equal(t, http.StatusOK, s.Visitor().Get("/img/"+id).Code)
		require.NotContains(t, ann.Page(linked), `width="300"`)
	})
}
