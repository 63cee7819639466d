package post_test

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
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// viewMark is what the script of a page would send; "" for nothing.
func viewMark(page string) string {
	if m := regexp.MustCompile(`data-view="([^"]*)"`).FindStringSubmatch(page); m != nil {
		return m[1]
	}
	return ""
}

func TestViews(t *testing.T) {
	s := workertest.MustOpen(t)
	// Ids that are the same in every run: of six viewers by chance, a HyperLogLog counts two as one now and then.
	chance := uint32(0)
	s.Config.Source = data.Source{Now: s.Config.Source.Now, Database: s.Config.Source.Database,
		Rand: func() uint32 { chance += 2; return chance }}
	s.Restart(s.Config)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	ann.MustPost("/submit", "community", "gophers", "title", "Unseen", "text", "text")
	const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	reader := func(remote, agent string) *workertest.Browser {
		b := s.Visitor().WithHeader("User-Agent", agent)
		b.Remote = remote
		return b
	}
	look := func(b *workertest.Browser, path string) {
		t.Helper()
		mark := viewMark(b.Page(path))
		require.NotEmpty(t, mark)
		require.Equal(t, http.StatusNoContent, b.Post("/view", "of", mark).Code)
	}
	// counted is how many have looked at the post and at ann's profile, after the job.
	counted := func() [2]int64 {
		t.Helper()
		s.Now = s.Now.Truncate(5 * time.Minute).Add(5 * time.Minute)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		return [2]int64{s.One("SELECT views FROM posts WHERE slug = 'a-post'").(int64),
			s.One("SELECT views FROM users WHERE username = 'ann'").(int64)}
	}

	t.Run("visitors are counted when their page's script tells that they look", func(t *testing.T) {
		stacktest.NeedRedis(t)
		s.Visitor().Page(address)
		require.Equal(t, [2]int64{0, 0}, counted(), "a page was made, perhaps for the cache, perhaps for a bot")
		for _, remote := range []string{"198.51.100.1:1", "198.51.100.1:2", "198.51.100.2:1"} {
			look(reader(remote, firefox), address)
			look(reader(remote, firefox), "/u/ann")
		}
		look(reader("198.51.100.2:1", firefox+"x"), address)
		require.Equal(t, [2]int64{3, 2}, counted())
	})
	t.Run("members are counted when their page is made, and their script sends nothing", func(t *testing.T) {
		require.Empty(t, viewMark(ben.Page(address)))
		require.Empty(t, viewMark(ben.Page("/u/ann")))
		ben.Page(address)
		require.Equal(t, [2]int64{4, 3}, counted())
	})
	t.Run("and not by their own posts and profile", func(t *testing.T) {
		require.Empty(t, viewMark(ann.Page(address)+ann.Page("/u/ann")))
		require.Equal(t, [2]int64{4, 3}, counted())
	})
	t.Run("pages that are asked for in advance count when somebody looks", func(t *testing.T) {
		cid := s.Member("cid").WithHeader("User-Agent", firefox).WithHeader("Sec-Purpose", "prefetch;prerender")
		mark := viewMark(cid.Page(address))
		require.Equal(t, [2]int64{4, 3}, counted())
		require.Zero(t, s.One("SELECT count(*) FROM visits v WHERE v.user_id = (SELECT id FROM users WHERE username = 'ben') + 1"))
		cid.Header.Del("Sec-Purpose")
		require.Equal(t, http.StatusNoContent, cid.Post("/view", "of", mark).Code)
		cid.Page(address)
		require.Equal(t, [2]int64{5, 3}, counted())
	})
	t.Run("bots are not counted", func(t *testing.T) {
		for _, agent := range []string{"", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "curl/8.0",
			"Mozilla/5.0 HeadlessChrome/120"} {
			look(reader("198.51.100.9:1", agent), address)
		}
		require.Equal(t, [2]int64{5, 3}, counted())
	})
	t.Run("nobody can make up what was looked at", func(t *testing.T) {
		mark := viewMark(s.Visitor().Page(address))
		for _, of := range []string{"", "p", "x.y", mark[:14], mark[:len(mark)-1], "u" + mark[1:], "p0000000000000" + mark[14:]} {
			require.Equal(t, http.StatusUnprocessableEntity, reader("198.51.100.9:1", firefox).Post("/view", "of", of).Code, of)
		}
		require.Equal(t, [2]int64{5, 3}, counted())
	})
	t.Run("a view costs one Redis request", func(t *testing.T) {
		b := reader("198.51.100.10:1", firefox)
		mark := viewMark(b.Page(address))
		ctx, redisMeter := upstash.WithMeter(context.Background())
		ctx, sqlMeter := hrana.WithMeter(ctx)
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example/view", strings.NewReader("of="+mark))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		require.Equal(t, http.StatusNoContent, b.Send(r.WithContext(ctx)).Code)
		require.Equal(t, [2]int64{1, 0}, [2]int64{int64(redisMeter.Requests()), sqlMeter.Requests()})
		require.Equal(t, [2]int64{6, 3}, counted())
	})
	t.Run("who sends too many is told to wait", func(t *testing.T) {
		strict := workertest.OpenSite(t, s.Sql, s.Redis, 1)
		b := &workertest.Browser{Site: strict, Remote: "198.51.100.11:1", Header: http.Header{}}
		n := 0
		for ; n < 1000 && b.Post("/view", "of", "x").Code != http.StatusTooManyRequests; n++ {
		}
		require.InDelta(t, 600, n, 30, "120 a minute, and five minutes in advance")
	})
	t.Run("pages and lists show it", func(t *testing.T) {
		require.Contains(t, s.Visitor().Page(address), `<span>6 views</span>`)
		for _, list := range []string{"/views", "/views?t=all", "/c/gophers/views?t=all", "/u/ann?sort=views", "/c/gophers/views"} {
			page := s.Visitor().Page(list)
			require.Contains(t, page, `<span>6 views</span>`, list)
			require.NotContains(t, page, "Unseen", list)
		}
		require.Contains(t, s.Visitor().Page("/u/ann"), "<dt>Profile views</dt><dd>3</dd>")
	})
	t.Run("drafts and what was removed have nothing to count", func(t *testing.T) {
		draft := ann.MustPost("/submit", "community", "gophers", "title", "A draft", "text", "text", "status", "draft")
		require.Empty(t, viewMark(ann.Page(draft)))
		ann.MustPost("/c/gophers/mod/decide", "target", workertest.Targets(ann.Page(address))[0], "decision", "remove", "rule", "Spam")
		require.Empty(t, viewMark(s.Visitor().Page(address)))
		require.NotContains(t, s.Visitor().Page("/views"), "A post")
	})
}

// TestViewsOfOneNetwork has one visitor claim to be many.
func TestViewsOfOneNetwork(t *testing.T) {
	stacktest.NeedRedis(t)
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	attempts := func(t *testing.T, title string, n int, as func(int) (remote, agent string)) int64 {
		t.Helper()
		mark := viewMark(s.Visitor().Page(ann.MustPost("/submit", "community", "gophers", "title", title, "text", "text")))
		for i := range n {
			b := s.Visitor()
			remote, agent := as(i)
			b.Remote = remote
			require.Equal(t, http.StatusNoContent, b.WithHeader("User-Agent", agent).Post("/view", "of", mark).Code)
		}
		s.Now = s.Now.Truncate(5 * time.Minute).Add(5 * time.Minute)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		return s.One("SELECT views FROM posts WHERE title = ?1", title).(int64)
	}
	agent := func(i int) string { return fmt.Sprintf("Mozilla/5.0 (X11; Linux x86_64; rv:%d.0) Firefox/%d.0", i, i) }

	t.Run("150 browsers at one address are four at most", func(t *testing.T) {
		n := attempts(t, "Of one address", 150, func(i int) (string, string) { return "198.51.100.1:1", agent(i) })
		require.LessOrEqual(t, n, int64(4))
		require.GreaterOrEqual(t, n, int64(1))
	})
	t.Run("and in one /64", func(t *testing.T) {
		n := attempts(t, "Of a 64", 150, func(i int) (string, string) { return fmt.Sprintf("[2001:db8:1:2::%x]:1", i), agent(i) })
		require.LessOrEqual(t, n, int64(4))
	})
	t.Run("all addresses of a network, with all browsers, are 64 at most", func(t *testing.T) {
		n := attempts(t, "Of a 24", 256, func(i int) (string, string) { return fmt.Sprintf("198.51.100.%d:1", i), agent(i) })
		require.LessOrEqual(t, n, int64(65), "a HyperLogLog is off by 0.81 %")
		n = attempts(t, "Of a 48", 256, func(i int) (string, string) { return fmt.Sprintf("[2001:db8:1:%x::1]:1", i), agent(i) })
		require.LessOrEqual(t, n, int64(65))
	})
	t.Run("visitors of different networks are that many", func(t *testing.T) {
		n := attempts(t, "Of many", 100, func(i int) (string, string) { return fmt.Sprintf("203.0.%d.7:1", i), agent(0) })
		require.InDelta(t, 100, n, 6, "of a hundred, two share a register of a HyperLogLog in one run of four, seven pairs do in none")
	})
}
