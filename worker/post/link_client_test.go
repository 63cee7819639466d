package post_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plaza/data/pace/deadline"
	"plaza/worker/links"
)

func TestFetchingPages(t *testing.T) {
	s, ann := linkSite(t)
	n := 0
	look := func(link string) {
		t.Helper()
		n++
		postLink(ann, fmt.Sprint("Link ", n), link)
		s.Web.Forget()
		s.Deliver()
	}
	title := func(link string) any {
		t.Helper()
		return s.One("SELECT title FROM link_previews WHERE url = ?1", link)
	}

	t.Run("redirects are followed, whatever form they have", func(t *testing.T) {
		s.Web.Page("end.org", "<title>The end</title>")
		for _, status := range []int{301, 302, 303, 307, 308} {
			for form, to := range map[string]string{"absolute": "https://end.org/x", "without a scheme": "//end.org/x"} {
				host := fmt.Sprintf("from%d%d.org", status, len(form))
				s.Web.Redirect(host, status, to)
				look("https://" + host + "/")
				assert.Equal(t, []string{"https://" + host + "/", "https://end.org/x"}, s.Web.Addresses())
				assert.Equal(t, "The end", title("https://"+host+"/"))
			}
		}
		s.Web.On("relative.org", func(w http.ResponseWriter, r *http.Request) {
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
		s.Web.On("loop.org", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", r.URL.Path+"x")
			w.WriteHeader(http.StatusFound)
		})
		look("https://loop.org/")
		assert.Len(t, s.Web.Addresses(), 6)
		assert.Equal(t, "too many redirects", failureOf(s, "https://loop.org/"))
	})

	t.Run("nobody is sent to a private address", func(t *testing.T) {
		targets := []string{
			"http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://[::1]/",
			"http://[::ffff:10.0.0.1]/",
			"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://localhost/", "http://localhost./", "http://a.localhost/",
			"http://x.internal/",
			"http://router/", "http://１２７.0.0.1/", "http://%31%32%37.0.0.1/", "//127.0.0.1/", "//[fd00::1]/", "http://ann@end.org/",
			"http://end.org:8080/",
			"https://end.org:80/", "ftp://end.org/", "file:///etc/passwd", "javascript:x", "\\\\127.0.0.1\\x", "http://127.0.0.1\\@end.org/",
			"http:127.0.0.1",
		}
		for i, target := range targets {
			statuses := []int{301, 302, 303, 307, 308}
			if i > 0 { // how it is sent there makes no difference to the others
				statuses = statuses[i%5 : i%5+1]
			}
			for _, status := range statuses {
				host := fmt.Sprintf("bad%dx%d.org", i, status)
				s.Web.Redirect(host, status, target)
				s.Web.Forget()
				n++
				postLink(ann, fmt.Sprint("Bad ", n), "https://"+host+"/")
				s.Deliver()
				assert.Equal(t, []string{"https://" + host + "/"}, s.Web.Addresses(), target)
				assert.Equal(t, []string{host}, s.Web.Hosts(), target)
				assert.NotEmpty(t, failureOf(s, "https://"+host+"/"), target)
			}
		}
	})

	t.Run("nor straight to one", func(t *testing.T) {
		for _, link := range []string{"http://127.0.0.1/", "http://0x7f.0.0.1/", "http://0177.0.0.1/x", "http://169.254.169.254/latest/",
			"http://127.0.0.1:6379/",
			"http://a.localhost/", "http://metadata.google.internal/", "http://192.168.1.1/", "http://go.dev:8080/", "http://x.local/"} {
			look(link)
			assert.Empty(t, s.Web.Addresses(), link)
			assert.NotEmpty(t, failureOf(s, link), link)
			assert.Equal(t, int64(0), waiting(s))
		}
	})

	t.Run("a page that sends its readers away is read where it stands", func(t *testing.T) {
		s.Web.Page("refresh.org", `<meta http-equiv="refresh" content="0; url=http://127.0.0.1/"><title>Here</title>`)
		look("https://refresh.org/")
		assert.Equal(t, "Here", title("https://refresh.org/"))
		assert.Len(t, s.Web.Addresses(), 1)
	})

	t.Run("of a long page the beginning", func(t *testing.T) {
		s.Web.On("long.org", func(w http.ResponseWriter, _ *http.Request) {
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
			s.Web.On(host, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{kind}
				_, _ = io.WriteString(w, "<title>no</title>")
			})
			look("https://" + host + "/")
			assert.Equal(t, reason, failureOf(s, "https://"+host+"/"))
		}
		look("https://missing.org/")
		assert.Equal(t, "status 404", failureOf(s, "https://missing.org/"))
		look("https://plaza.example/c/gophers")
		assert.Empty(t, s.Web.Addresses(), "the site asks itself nothing")
	})

	t.Run("a server that says nothing is left after five seconds, with all its redirects", func(t *testing.T) {
		began := s.Now
		s.Web.On("slow.org", func(w http.ResponseWriter, r *http.Request) {
			s.Now = s.Now.Add(2 * time.Second)
			w.Header().Set("Location", r.URL.Path+"x")
			w.WriteHeader(http.StatusFound)
		})
		look("https://slow.org/")
		assert.Len(t, s.Web.Addresses(), 3)
		assert.Less(t, s.Now.Sub(began), 7*time.Second)
		assert.Greater(t, deadline.Limit(s.Web.Asked[0].Context()), 4*time.Second)
		assert.Less(t, deadline.Limit(s.Web.Asked[2].Context()), time.Second)
		assert.Equal(t, 512<<10, links.ReplyLimit(s.Web.Asked[0].Context()))
	})
}
