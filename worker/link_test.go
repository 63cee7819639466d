package worker_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/worker/request"
)

// linkSite is a site with a member and a community.
func linkSite(t *testing.T) (*site, *browser) {
	t.Helper()
	s := mustOpen(t)
	s.firstShard = true // each shard asks for the previews of its own posts
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

func (s *site) waiting() any {
	s.Helper()
	return s.one("SELECT count(*) FROM outbox WHERE work = 'link'")
}

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
	messages := s.queue.take(request.QueueEvents)
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
func consume(t *testing.T, s *site, messages []request.Message) {
	t.Helper()
	retry, err := s.app.Consume(context.Background(), request.QueueEvents, messages)
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
		messages := s.queue.take(request.QueueEvents)
		consume(t, s, messages)
		consume(t, s, messages) // twice, and not due yet
		require.Len(t, s.web.addresses(), 1)
		require.Equal(t, int64(0), s.one("SELECT count(*) FROM link_previews"))
		for range 12 {
			s.now = s.now.Add(5 * time.Minute)
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
		retry, err := s.app.Consume(context.Background(), request.QueueEvents, []request.Message{{Body: "link no-id"}, {Body: "link 00000000000zw"}, {Body: "?"}})
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
