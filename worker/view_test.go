package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/upstash"
)

// viewMark is what the script of a page would send; "" for nothing.
func viewMark(page string) string {
	if m := regexp.MustCompile(`data-view="([^"]*)"`).FindStringSubmatch(page); m != nil {
		return m[1]
	}
	return ""
}

func TestViews(t *testing.T) {
	s := mustOpen(t)
	// Ids that are the same in every run: of six viewers by chance, a HyperLogLog counts two as one now and then.
	chance := uint32(0)
	s.config.Source = data.Source{Now: s.config.Source.Now, Database: s.config.Source.Database, Rand: func() uint32 { chance += 2; return chance }}
	s.restart(s.config)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	ann.mustPost("/submit", "community", "gophers", "title", "Unseen", "text", "text")
	const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	reader := func(remote, agent string) *browser {
		b := s.visitor().withHeader("User-Agent", agent)
		b.remote = remote
		return b
	}
	look := func(b *browser, path string) {
		t.Helper()
		mark := viewMark(b.page(path))
		require.NotEmpty(t, mark)
		require.Equal(t, http.StatusNoContent, b.post("/view", "of", mark).Code)
	}
	// counted is how many have looked at the post and at ann's profile, after the job.
	counted := func() [2]int64 {
		t.Helper()
		s.now = s.now.Truncate(5 * time.Minute).Add(5 * time.Minute)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		return [2]int64{s.one("SELECT views FROM posts WHERE slug = 'a-post'").(int64), s.one("SELECT views FROM users WHERE username = 'ann'").(int64)}
	}

	t.Run("visitors are counted when their page's script tells that they look", func(t *testing.T) {
		s.visitor().page(address)
		require.Equal(t, [2]int64{0, 0}, counted(), "a page was made, perhaps for the cache, perhaps for a bot")
		for _, remote := range []string{"198.51.100.1:1", "198.51.100.1:2", "198.51.100.2:1"} {
			look(reader(remote, firefox), address)
			look(reader(remote, firefox), "/u/ann")
		}
		look(reader("198.51.100.2:1", firefox+"x"), address)
		require.Equal(t, [2]int64{3, 2}, counted())
	})
	t.Run("members are counted when their page is made, and their script sends nothing", func(t *testing.T) {
		require.Empty(t, viewMark(ben.page(address)))
		require.Empty(t, viewMark(ben.page("/u/ann")))
		ben.page(address)
		require.Equal(t, [2]int64{4, 3}, counted())
	})
	t.Run("and not by their own posts and profile", func(t *testing.T) {
		require.Empty(t, viewMark(ann.page(address)+ann.page("/u/ann")))
		require.Equal(t, [2]int64{4, 3}, counted())
	})
	t.Run("pages that are asked for in advance count when somebody looks", func(t *testing.T) {
		cid := s.member("cid").withHeader("User-Agent", firefox).withHeader("Sec-Purpose", "prefetch;prerender")
		mark := viewMark(cid.page(address))
		require.Equal(t, [2]int64{4, 3}, counted())
		require.Zero(t, s.one("SELECT count(*) FROM visits v WHERE v.user_id = (SELECT id FROM users WHERE username = 'ben') + 1"))
		cid.header.Del("Sec-Purpose")
		require.Equal(t, http.StatusNoContent, cid.post("/view", "of", mark).Code)
		cid.page(address)
		require.Equal(t, [2]int64{5, 3}, counted())
	})
	t.Run("bots are not counted", func(t *testing.T) {
		for _, agent := range []string{"", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "curl/8.0", "Mozilla/5.0 HeadlessChrome/120"} {
			look(reader("198.51.100.9:1", agent), address)
		}
		require.Equal(t, [2]int64{5, 3}, counted())
	})
	t.Run("nobody can make up what was looked at", func(t *testing.T) {
		mark := viewMark(s.visitor().page(address))
		for _, of := range []string{"", "p", "x.y", mark[:14], mark[:len(mark)-1], "u" + mark[1:], "p0000000000000" + mark[14:]} {
			require.Equal(t, http.StatusUnprocessableEntity, reader("198.51.100.9:1", firefox).post("/view", "of", of).Code, of)
		}
		require.Equal(t, [2]int64{5, 3}, counted())
	})
	t.Run("a view costs one Redis request", func(t *testing.T) {
		b := reader("198.51.100.10:1", firefox)
		mark := viewMark(b.page(address))
		ctx, redisMeter := upstash.WithMeter(context.Background())
		ctx, sqlMeter := hrana.WithMeter(ctx)
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example/view", strings.NewReader("of="+mark))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		require.Equal(t, http.StatusNoContent, b.send(r.WithContext(ctx)).Code)
		require.Equal(t, [2]int64{1, 0}, [2]int64{int64(redisMeter.Requests), sqlMeter.Requests()})
		require.Equal(t, [2]int64{6, 3}, counted())
	})
	t.Run("who sends too many is told to wait", func(t *testing.T) {
		strict := openSite(t, s.sql, s.redis, 1)
		b := &browser{site: strict, remote: "198.51.100.11:1", header: http.Header{}}
		n := 0
		for ; n < 1000 && b.post("/view", "of", "x").Code != http.StatusTooManyRequests; n++ {
		}
		require.InDelta(t, 600, n, 30, "120 a minute, and five minutes in advance")
	})
	t.Run("pages and lists show it", func(t *testing.T) {
		require.Contains(t, s.visitor().page(address), `<span>6 views</span>`)
		for _, list := range []string{"/views", "/views?t=all", "/c/gophers/views?t=all", "/u/ann?sort=views", "/c/gophers/views"} {
			page := s.visitor().page(list)
			require.Contains(t, page, `<span>6 views</span>`, list)
			require.NotContains(t, page, "Unseen", list)
		}
		require.Contains(t, s.visitor().page("/u/ann"), "<dt>Profile views</dt><dd>3</dd>")
	})
	t.Run("drafts and what was removed have nothing to count", func(t *testing.T) {
		draft := ann.mustPost("/submit", "community", "gophers", "title", "A draft", "text", "text", "status", "draft")
		require.Empty(t, viewMark(ann.page(draft)))
		ann.mustPost("/c/gophers/mod/decide", "target", targets(ann.page(address))[0], "decision", "remove", "rule", "Spam")
		require.Empty(t, viewMark(s.visitor().page(address)))
		require.NotContains(t, s.visitor().page("/views"), "A post")
	})
}

// TestViewsOfOneNetwork has one visitor claim to be many.
func TestViewsOfOneNetwork(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	looks := func(t *testing.T, title string, n int, as func(int) (remote, agent string)) int64 {
		t.Helper()
		mark := viewMark(s.visitor().page(ann.mustPost("/submit", "community", "gophers", "title", title, "text", "text")))
		for i := range n {
			b := s.visitor()
			remote, agent := as(i)
			b.remote = remote
			require.Equal(t, http.StatusNoContent, b.withHeader("User-Agent", agent).post("/view", "of", mark).Code)
		}
		s.now = s.now.Truncate(5 * time.Minute).Add(5 * time.Minute)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		return s.one("SELECT views FROM posts WHERE title = ?1", title).(int64)
	}
	agent := func(i int) string { return fmt.Sprintf("Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Firefox/%d.0", i, i) }

	t.Run("150 browsers at one address are four at most", func(t *testing.T) {
		n := looks(t, "Of one address", 150, func(i int) (string, string) { return "198.51.100.1:1", agent(i) })
		require.LessOrEqual(t, n, int64(4))
		require.GreaterOrEqual(t, n, int64(1))
	})
	t.Run("and in one /64", func(t *testing.T) {
		n := looks(t, "Of a 64", 150, func(i int) (string, string) { return fmt.Sprintf("[2001:db8:1:2::%x]:1", i), agent(i) })
		require.LessOrEqual(t, n, int64(4))
	})
	t.Run("all addresses of a network, with all browsers, are 64 at most", func(t *testing.T) {
		n := looks(t, "Of a 24", 256, func(i int) (string, string) { return fmt.Sprintf("198.51.100.%d:1", i), agent(i) })
		require.LessOrEqual(t, n, int64(65), "a HyperLogLog is off by 0.81 %")
		n = looks(t, "Of a 48", 256, func(i int) (string, string) { return fmt.Sprintf("[2001:db8:1:%x::1]:1", i), agent(i) })
		require.LessOrEqual(t, n, int64(65))
	})
	t.Run("visitors of different networks are that many", func(t *testing.T) {
		n := looks(t, "Of many", 100, func(i int) (string, string) { return fmt.Sprintf("203.0.%d.7:1", i), agent(0) })
		require.InDelta(t, 100, n, 2)
	})
}
