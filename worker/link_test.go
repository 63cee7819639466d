package worker_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/wait"
	"plaza/worker"
	"plaza/worker/links"
)

// linkSite is a site with a member and a community.
func linkSite(t *testing.T) (*site, *browser) {
	t.Helper()
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	return s, ann
}

// link posts one, to a community that had none before, and returns its address.
func (b *browser) link(title, link string) string {
	b.Helper()
	name := fmt.Sprint("links", b.one("SELECT count(*) FROM communities"))
	b.mustPost("/communities", "name", name)
	return b.mustPost("/submit", "community", name, "title", title, "link", link)
}

// reason is why there is no preview of a link.
func (s *site) reason(link string) string {
	s.Helper()
	return s.one("SELECT reason FROM link_previews WHERE url = ?1", link).(string)
}

func (s *site) waiting() any { s.Helper(); return s.one("SELECT count(*) FROM outbox") }

// sweep runs the minute's job and delivers what it sends.
func (s *site) sweep() {
	s.Helper()
	require.NoError(s, s.app.Scheduled(context.Background(), s.now))
	s.deliver()
}

func TestLinkPreview(t *testing.T) {
	s, ann := linkSite(t)
	s.web.page("go.dev", `<title>Plain</title><meta property="og:title" content="The Go &lt;Blog&gt;"><meta name=description content="All about Go">
<meta property="og:site_name" content="Go"><meta property="og:image" content="/gopher.png">`)
	address := ann.link("Look at this", "https://go.dev/blog#top")

	t.Run("the post is there before anybody is asked", func(t *testing.T) {
		require.Contains(t, ann.page(address), "<strong>go.dev/blog#top</strong>")
		require.Empty(t, s.web.addresses())
		require.Equal(t, int64(1), s.waiting())
	})
	messages := s.queue.take(worker.QueueEvents)
	t.Run("the message brings what the page says", func(t *testing.T) {
		consume(t, s, messages)
		page := ann.page(address)
		require.Contains(t, page, "<strong>The Go &lt;Blog&gt;</strong>")
		require.Contains(t, page, "All about Go")
		require.Contains(t, page, "go.dev · Go")
		require.Equal(t, "https://go.dev/gopher.png", s.one("SELECT image FROM link_previews"))
		require.Equal(t, int64(0), s.waiting())
	})
	t.Run("with a request that tells of the site and of nobody who reads it", func(t *testing.T) {
		require.Equal(t, []string{"https://go.dev/blog"}, s.web.addresses())
		h := s.web.asked[0].Header
		require.Contains(t, h.Get("User-Agent"), "+https://plaza.example")
		for _, name := range []string{"Cookie", "Referer", "Authorization", "X-Forwarded-For"} {
			require.Empty(t, h.Values(name), name)
		}
	})
	t.Run("the message again does nothing", func(t *testing.T) {
		consume(t, s, messages)
		consume(t, s, append(messages, messages...))
		require.Len(t, s.web.addresses(), 1)
	})
	t.Run("another post of the same link has it without asking", func(t *testing.T) {
		second := ann.link("And this", "https://go.dev/blog#top")
		require.Contains(t, ann.page(second), "All about Go")
		s.deliver()
		require.Len(t, s.web.addresses(), 1)
		require.Equal(t, int64(0), s.waiting())
	})
	t.Run("a day later it is asked again, and one that is away takes nothing from what is known", func(t *testing.T) {
		s.now = s.now.Add(25 * time.Hour)
		s.web.on("go.dev", nil)
		third := ann.link("Once more", "https://go.dev/blog#top")
		s.deliver()
		require.Len(t, s.web.addresses(), 2)
		require.Equal(t, "status 404", s.reason("https://go.dev/blog#top"))
		require.Contains(t, ann.page(third), "All about Go")
	})
	t.Run("posts of one page in one delivery ask once", func(t *testing.T) {
		s.web.page("example.org", "<title>Example</title>")
		s.web.forget()
		for i := range 3 {
			ann.link(fmt.Sprint("Number ", i), "http://example.org")
		}
		s.deliver()
		require.Equal(t, []string{"http://example.org/"}, s.web.addresses())
		require.Equal(t, int64(0), s.waiting())
	})
	t.Run("text posts ask nobody", func(t *testing.T) {
		s.web.forget()
		ann.mustPost("/submit", "community", "gophers", "title", "text", "text", "https://example.org/x")
		require.Equal(t, int64(0), s.waiting())
		s.deliver()
		require.Empty(t, s.web.addresses())
	})
	t.Run("a post that was deleted meanwhile asks nobody", func(t *testing.T) {
		ann.link("Short-lived", "https://go.dev/short")
		s.exec("UPDATE posts SET status = 'deleted' WHERE link = 'https://go.dev/short'")
		s.deliver()
		require.Empty(t, s.web.addresses())
		require.Equal(t, int64(0), s.waiting())
	})
}

// consume delivers messages of the events queue.
func consume(t *testing.T, s *site, messages []worker.Message) {
	t.Helper()
	retry, err := s.app.Consume(context.Background(), worker.QueueEvents, messages)
	require.NoError(t, err)
	require.Empty(t, retry)
}

func TestLinkPreviewSurvives(t *testing.T) {
	t.Run("a lost message: the sweep sends it after a minute", func(t *testing.T) {
		s, ann := linkSite(t)
		s.web.page("go.dev", "<title>Go</title>")
		s.queue.fail = context.DeadlineExceeded
		ann.link("A link", "https://go.dev/")
		s.queue.fail = nil
		s.sweep()
		require.Empty(t, s.web.addresses(), "younger than a minute")
		s.now = s.now.Add(2 * time.Minute)
		s.sweep()
		require.Equal(t, "Go", s.one("SELECT title FROM link_previews"))
		require.Equal(t, int64(0), s.waiting())
		s.now = s.now.Add(2 * time.Minute)
		s.sweep()
		require.Len(t, s.web.addresses(), 1)
	})
	t.Run("a server that is away: it is asked four times, and then no more", func(t *testing.T) {
		s, ann := linkSite(t)
		s.web.on("go.dev", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		ann.link("A link", "https://go.dev/")
		messages := s.queue.take(worker.QueueEvents)
		consume(t, s, messages)
		consume(t, s, messages) // twice, and not due yet
		require.Len(t, s.web.addresses(), 1)
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM link_previews"))
		for range 60 {
			s.now = s.now.Add(time.Minute)
			s.sweep()
		}
		require.Len(t, s.web.addresses(), 4)
		require.Equal(t, "status 503", s.reason("https://go.dev/"))
		require.Equal(t, int64(0), s.waiting())
	})
	t.Run("a server that comes back", func(t *testing.T) {
		s, ann := linkSite(t)
		s.web.on("go.dev", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		ann.link("A link", "https://go.dev/")
		s.deliver()
		s.web.page("go.dev", "<title>Go</title>")
		s.now = s.now.Add(2 * time.Minute)
		s.sweep()
		require.Equal(t, "Go", s.one("SELECT title FROM link_previews"))
		require.Equal(t, "", s.reason("https://go.dev/"))
	})
	t.Run("an instance that dies each time it looks", func(t *testing.T) {
		s, ann := linkSite(t)
		ann.link("A link", "https://go.dev/")
		s.exec("UPDATE outbox SET attempts = 4, due_at = 0") // what four deaths leave
		s.sweep()
		require.Empty(t, s.web.addresses())
		require.Equal(t, "given up", s.reason("https://go.dev/"))
		require.Equal(t, int64(0), s.waiting())
	})
	t.Run("more links than one delivery looks at", func(t *testing.T) {
		s, ann := linkSite(t)
		for i := range 12 {
			host := fmt.Sprintf("host%d.org", i)
			s.web.page(host, "<title>"+host+"</title>")
			ann.link(host, "https://"+host+"/")
		}
		s.deliver()
		require.Len(t, s.web.addresses(), 5)
		s.deliver()
		s.deliver()
		require.Len(t, s.web.addresses(), 12)
		require.Equal(t, int64(12), s.one("SELECT count(*) FROM link_previews WHERE title <> ''"))
		require.Equal(t, int64(0), s.waiting())
	})
	t.Run("messages that nobody understands go to the dead letters", func(t *testing.T) {
		s, _ := linkSite(t)
		retry, err := s.app.Consume(context.Background(), worker.QueueEvents, []worker.Message{{Body: "link no-id"}, {Body: "link 00000000000zw"}, {Body: "?"}})
		require.NoError(t, err)
		require.Equal(t, []int{0, 2}, retry, "an id of nothing is nothing to do")
	})
	t.Run("work that is left again while it is done stays", func(t *testing.T) {
		s, ann := linkSite(t)
		s.web.on("go.dev", func(w http.ResponseWriter, _ *http.Request) {
			s.exec("UPDATE outbox SET queued_at = queued_at + 1, attempts = 0") // as leaving it again does
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Go</title>")
		})
		ann.link("A link", "https://go.dev/")
		s.deliver()
		require.Equal(t, int64(1), s.waiting())
	})
}

func TestLookingAtPages(t *testing.T) {
	s, ann := linkSite(t)
	n := 0
	look := func(link string) {
		t.Helper()
		n++
		ann.link(fmt.Sprint("Link ", n), link)
		s.web.forget()
		s.deliver()
	}
	title := func(link string) any {
		t.Helper()
		return s.one("SELECT title FROM link_previews WHERE url = ?1", link)
	}

	t.Run("redirects are followed, whatever form they have", func(t *testing.T) {
		s.web.page("end.org", "<title>The end</title>")
		for _, status := range []int{301, 302, 303, 307, 308} {
			for form, to := range map[string]string{"absolute": "https://end.org/x", "without a scheme": "//end.org/x"} {
				host := fmt.Sprintf("from%d%d.org", status, len(form))
				s.web.redirect(host, status, to)
				look("https://" + host + "/")
				assert.Equal(t, []string{"https://" + host + "/", "https://end.org/x"}, s.web.addresses())
				assert.Equal(t, "The end", title("https://"+host+"/"))
			}
		}
		s.web.on("relative.org", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/a/b" {
				w.Header().Set("Location", "../c")
				w.WriteHeader(http.StatusFound)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>"+r.URL.Path+"</title>")
		})
		look("http://relative.org/a/b")
		assert.Equal(t, "/c", title("http://relative.org/a/b"))
	})

	t.Run("five of them and no more", func(t *testing.T) {
		s.web.on("loop.org", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", r.URL.Path+"x")
			w.WriteHeader(http.StatusFound)
		})
		look("https://loop.org/")
		assert.Len(t, s.web.addresses(), 6)
		assert.Equal(t, "too many redirects", s.reason("https://loop.org/"))
	})

	t.Run("nobody is sent to a private address", func(t *testing.T) {
		targets := []string{
			"http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://[::1]/", "http://[::ffff:10.0.0.1]/",
			"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://localhost/", "http://localhost./", "http://a.localhost/", "http://x.internal/",
			"http://router/", "http://１２７.0.0.1/", "http://%31%32%37.0.0.1/", "//127.0.0.1/", "//[fd00::1]/", "http://ann@end.org/", "http://end.org:8080/",
			"https://end.org:80/", "ftp://end.org/", "file:///etc/passwd", "javascript:x", "\\\\127.0.0.1\\x", "http://127.0.0.1\\@end.org/", "http:127.0.0.1",
		}
		for i, target := range targets {
			for _, status := range []int{301, 302, 303, 307, 308} {
				host := fmt.Sprintf("bad%dx%d.org", i, status)
				s.web.redirect(host, status, target)
				s.web.forget()
				n++
				ann.link(fmt.Sprint("Bad ", n), "https://"+host+"/")
				s.deliver()
				assert.Equal(t, []string{"https://" + host + "/"}, s.web.addresses(), target)
				assert.Equal(t, []string{host}, s.web.hosts(), target)
				assert.NotEmpty(t, s.reason("https://"+host+"/"), target)
			}
		}
	})

	t.Run("nor straight to one", func(t *testing.T) {
		for _, link := range []string{"http://127.0.0.1/", "http://0x7f.0.0.1/", "http://0177.0.0.1/x", "http://169.254.169.254/latest/", "http://127.0.0.1:6379/",
			"http://a.localhost/", "http://metadata.google.internal/", "http://192.168.1.1/", "http://go.dev:8080/", "http://x.local/"} {
			look(link)
			assert.Empty(t, s.web.addresses(), link)
			assert.NotEmpty(t, s.reason(link), link)
			assert.Equal(t, int64(0), s.waiting())
		}
	})

	t.Run("a page that sends its readers away is read where it stands", func(t *testing.T) {
		s.web.page("refresh.org", `<meta http-equiv="refresh" content="0; url=http://127.0.0.1/"><title>Here</title>`)
		look("https://refresh.org/")
		assert.Equal(t, "Here", title("https://refresh.org/"))
		assert.Len(t, s.web.addresses(), 1)
	})

	t.Run("of a long page the beginning", func(t *testing.T) {
		s.web.on("long.org", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Long</title>")
			for range 1000 {
				_, _ = io.WriteString(w, strings.Repeat("x", 64<<10))
			}
			_, _ = io.WriteString(w, `<meta property="og:title" content="Late">`)
		})
		look("https://long.org/")
		assert.Equal(t, "Long", title("https://long.org/"))
	})

	t.Run("what is no page", func(t *testing.T) {
		for kind, reason := range map[string]string{"image/png": "no web page", "application/pdf": "no web page", "": "no web page"} {
			host := fmt.Sprintf("kind%d.org", len(kind))
			s.web.on(host, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{kind}
				_, _ = io.WriteString(w, "<title>no</title>")
			})
			look("https://" + host + "/")
			assert.Equal(t, reason, s.reason("https://"+host+"/"))
		}
		look("https://missing.org/")
		assert.Equal(t, "status 404", s.reason("https://missing.org/"))
		look("https://plaza.example/c/gophers")
		assert.Empty(t, s.web.addresses(), "the site asks itself nothing")
	})

	t.Run("a server that says nothing is left after five seconds, with all its redirects", func(t *testing.T) {
		began := s.now
		s.web.on("slow.org", func(w http.ResponseWriter, r *http.Request) {
			s.now = s.now.Add(2 * time.Second)
			w.Header().Set("Location", r.URL.Path+"x")
			w.WriteHeader(http.StatusFound)
		})
		look("https://slow.org/")
		assert.Len(t, s.web.addresses(), 3)
		assert.Less(t, s.now.Sub(began), 7*time.Second)
		assert.Greater(t, wait.Limit(s.web.asked[0].Context()), 4*time.Second)
		assert.Less(t, wait.Limit(s.web.asked[2].Context()), time.Second)
		assert.Equal(t, 512<<10, links.ReplyLimit(s.web.asked[0].Context()))
	})
}
