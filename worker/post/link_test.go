package post_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// linkSite is a site with a member and a community.
func linkSite(t *testing.T) (*workertest.Site, *workertest.Browser) {
	t.Helper()
	s := workertest.MustOpen(t)
	s.FirstShard = true // each shard asks for the previews of its own posts
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	return s, ann
}

// postLink posts one, to a community that had none before, and returns its address.
func postLink(b *workertest.Browser, title, link string) string {
	b.Helper()
	name := fmt.Sprint("links", b.One("SELECT count(*) FROM communities"))
	b.MustPost("/communities", "name", name)
	return b.MustPost("/submit", "community", name, "title", title, "link", link)
}

// failureOf is why there is no preview of a link.
func failureOf(s *workertest.Site, link string) string {
	s.Helper()
	return s.One("SELECT reason FROM link_previews WHERE url = ?1", link).(string)
}

func waiting(s *workertest.Site) any {
	s.Helper()
	return s.One("SELECT count(*) FROM outbox WHERE job = 'link'")
}

// retryJobs runs the minute's job and delivers what it sends.
func retryJobs(s *workertest.Site) {
	s.Helper()
	require.NoError(s, s.App.Scheduled(context.Background(), s.Now))
	s.Deliver()
}

func TestLinkPreview(t *testing.T) {
	s, ann := linkSite(t)
	s.Web.Page("go.dev", `<title>Plain</title><meta property="og:title" content="The Go &lt;Blog&gt;"><meta name=description content="All about Go">
<meta property="og:site_name" content="Go"><meta property="og:image" content="/gopher.png">`)
	address := postLink(ann, "Look at this", "https://go.dev/blog#top")

	t.Run("the post is there before anybody is asked", func(t *testing.T) {
		require.Contains(t, ann.Page(address), "<strong>go.dev/blog#top</strong>")
		require.Empty(t, s.Web.Addresses())
		require.Equal(t, int64(1), waiting(s))
	})
	messages := s.Queue.Take(data.QueueEvents)
	t.Run("the message brings what the page says", func(t *testing.T) {
		consume(t, s, messages)
		page := ann.Page(address)
		require.Contains(t, page, "<strong>The Go &lt;Blog&gt;</strong>")
		require.Contains(t, page, "All about Go")
		require.Contains(t, page, "go.dev\u00a0· Go")
		require.Equal(t, "https://go.dev/gopher.png", s.One("SELECT image FROM link_previews"))
		require.Equal(t, int64(0), waiting(s))
	})
	t.Run("with a request that tells of the site and of nobody who reads it", func(t *testing.T) {
		require.Equal(t, []string{"https://go.dev/blog"}, s.Web.Addresses())
		h := s.Web.Asked[0].Header
		require.Contains(t, h.Get("User-Agent"), "+https://plaza.example")
		for _, name := range []string{"Cookie", "Referer", "Authorization", "X-Forwarded-For"} {
			require.Empty(t, h.Values(name), name)
		}
	})
	t.Run("the message again does nothing", func(t *testing.T) {
		consume(t, s, messages)
		consume(t, s, append(messages, messages...))
		require.Len(t, s.Web.Addresses(), 1)
	})
	t.Run("another post of the same link has it without asking", func(t *testing.T) {
		second := postLink(ann, "And this", "https://go.dev/blog#top")
		require.Contains(t, ann.Page(second), "All about Go")
		s.Deliver()
		require.Len(t, s.Web.Addresses(), 1)
		require.Equal(t, int64(0), waiting(s))
	})
	t.Run("a day later it is asked again, and one that is unavailable takes nothing from what is known", func(t *testing.T) {
		s.Now = s.Now.Add(25 * time.Hour)
		s.Web.On("go.dev", nil)
		third := postLink(ann, "Once more", "https://go.dev/blog#top")
		s.Deliver()
		require.Len(t, s.Web.Addresses(), 2)
		require.Equal(t, "status 404", failureOf(s, "https://go.dev/blog#top"))
		require.Contains(t, ann.Page(third), "All about Go")
	})
	t.Run("posts of one page in one delivery ask once", func(t *testing.T) {
		s.Web.Page("example.org", "<title>Example</title>")
		s.Web.Forget()
		for i := range 3 {
			postLink(ann, fmt.Sprint("Number ", i), "http://example.org")
		}
		s.Deliver()
		require.Equal(t, []string{"http://example.org/"}, s.Web.Addresses())
		require.Equal(t, int64(0), waiting(s))
	})
	t.Run("text posts ask nobody", func(t *testing.T) {
		s.Web.Forget()
		ann.MustPost("/submit", "community", "gophers", "title", "text", "text", "https://example.org/x")
		require.Equal(t, int64(0), waiting(s))
		s.Deliver()
		require.Empty(t, s.Web.Addresses())
	})
	t.Run("a post that was deleted meanwhile asks nobody", func(t *testing.T) {
		postLink(ann, "Short-lived", "https://go.dev/short")
		s.Exec("UPDATE posts SET status = 'deleted' WHERE link = 'https://go.dev/short'")
		s.Deliver()
		require.Empty(t, s.Web.Addresses())
		require.Equal(t, int64(0), waiting(s))
	})
}

// consume delivers messages of the events queue.
func consume(t *testing.T, s *workertest.Site, messages []queue.Message) {
	t.Helper()
	retry, err := s.App.Consume(context.Background(), data.QueueEvents, messages)
	require.NoError(t, err)
	require.Empty(t, retry)
}

func TestLinkPreviewSurvives(t *testing.T) {
	t.Run("a lost message: the retry job sends it after a minute", func(t *testing.T) {
		s, ann := linkSite(t)
		s.Web.Page("go.dev", "<title>Go</title>")
		s.Queue.Fail = context.DeadlineExceeded
		postLink(ann, "A link", "https://go.dev/")
		s.Queue.Fail = nil
		retryJobs(s)
		require.Empty(t, s.Web.Addresses(), "younger than a minute")
		s.Now = s.Now.Add(2 * time.Minute)
		retryJobs(s)
		require.Equal(t, "Go", s.One("SELECT title FROM link_previews"))
		require.Equal(t, int64(0), waiting(s))
		s.Now = s.Now.Add(2 * time.Minute)
		retryJobs(s)
		require.Len(t, s.Web.Addresses(), 1)
	})
	t.Run("a server that is unavailable: it is asked four times, and then no more", func(t *testing.T) {
		s, ann := linkSite(t)
		s.Web.On("go.dev", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		postLink(ann, "A link", "https://go.dev/")
		messages := s.Queue.Take(data.QueueEvents)
		consume(t, s, messages)
		consume(t, s, messages) // twice, and not due yet
		require.Len(t, s.Web.Addresses(), 1)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM link_previews"))
		for range 12 {
			s.Now = s.Now.Add(5 * time.Minute)
			retryJobs(s)
		}
		require.Len(t, s.Web.Addresses(), 4)
		require.Equal(t, "status 503", failureOf(s, "https://go.dev/"))
		require.Equal(t, int64(0), waiting(s))
	})
	t.Run("a server that comes back", func(t *testing.T) {
		s, ann := linkSite(t)
		s.Web.On("go.dev", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		postLink(ann, "A link", "https://go.dev/")
		s.Deliver()
		s.Web.Page("go.dev", "<title>Go</title>")
		s.Now = s.Now.Add(2 * time.Minute)
		retryJobs(s)
		require.Equal(t, "Go", s.One("SELECT title FROM link_previews"))
		require.Equal(t, "", failureOf(s, "https://go.dev/"))
	})
	t.Run("an instance that dies each time it looks", func(t *testing.T) {
		s, ann := linkSite(t)
		postLink(ann, "A link", "https://go.dev/")
		s.Exec("UPDATE outbox SET attempts = 4, due_at = 0") // what four deaths leave
		retryJobs(s)
		require.Empty(t, s.Web.Addresses())
		require.Equal(t, "given up", failureOf(s, "https://go.dev/"))
		require.Equal(t, int64(0), waiting(s))
	})
	t.Run("more links than one delivery looks at", func(t *testing.T) {
		s, ann := linkSite(t)
		for i := range 12 {
			host := fmt.Sprintf("host%d.org", i)
			s.Web.Page(host, "<title>"+host+"</title>")
			postLink(ann, host, "https://"+host+"/")
		}
		s.Deliver()
		require.Len(t, s.Web.Addresses(), 5)
		s.Deliver()
		s.Deliver()
		require.Len(t, s.Web.Addresses(), 12)
		require.Equal(t, int64(12), s.One("SELECT count(*) FROM link_previews WHERE title <> ''"))
		require.Equal(t, int64(0), waiting(s))
	})
	t.Run("messages that nobody understands go to the dead letters", func(t *testing.T) {
		s, _ := linkSite(t)
		retry, err := s.App.Consume(context.Background(), data.QueueEvents,
			[]queue.Message{{Body: "link no-id"}, {Body: "link 00000000000zw"}, {Body: "?"}})
		require.NoError(t, err)
		require.Equal(t, []int{0, 2}, retry, "an id of nothing is nothing to do")
	})
	t.Run("work that is left again while it is done stays", func(t *testing.T) {
		s, ann := linkSite(t)
		s.Web.On("go.dev", func(w http.ResponseWriter, _ *http.Request) {
			s.Exec("UPDATE outbox SET queued_at = queued_at + 1, attempts = 0") // as leaving it again does
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<title>Go</title>")
		})
		postLink(ann, "A link", "https://go.dev/")
		s.Deliver()
		require.Equal(t, int64(1), waiting(s))
	})
}

func TestPageTitle(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	s.Web.Page("go.dev", `<title>The Go  Blog &amp; more</title>`)
	s.Web.Page("long.dev", `<title>`+strings.Repeat("ü", 400)+`</title>`)
	s.Web.Page("plain.dev", `<p>no title</p>`)
	ask := func(link string) string { return ann.Post("/title", "link", link).Body.String() }
	require.JSONEq(t, `{"title": "The Go Blog & more"}`, ask("https://go.dev/blog"))
	require.JSONEq(t, `{"title": "`+strings.Repeat("ü", 299)+`…"}`, ask("https://long.dev/"))
	for _, link := range []string{"https://plain.dev/", "https://nowhere.dev/", "https://127.0.0.1/", "http://10.0.0.1:6379/", s.App.SiteURL + "/login"} {
		require.Contains(t, ask(link), "The title of this page can&#39;t be read.", link)
	}
	require.Contains(t, ask(""), "Please write the address of a page first.")
	require.Contains(t, ask("http://localhost/"), "Please write the address of a page first.")
	require.Contains(t, ask("javascript:alert(1)"), "Please write the address of a page first.")
	require.Equal(t, http.StatusSeeOther, s.Visitor().Post("/title", "link", "https://go.dev/").Code, "members only")
	ben := s.Member("ben")
	s.Strict(s.Redis)
	for range 20 {
		require.Equal(t, http.StatusOK, ben.Post("/title", "link", "https://go.dev/blog").Code)
	}
	require.Equal(t, http.StatusTooManyRequests, ben.Post("/title", "link", "https://go.dev/blog").Code)
}
