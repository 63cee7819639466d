package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
	"plaza/data/upstash"
	"plaza/worker"
)

func TestSettings(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "Gophers", "title", "Gophers")
	ben.mustPost("/communities", "name", "cooks")
	ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	s.deliver()
	const path = "/c/gophers/settings"
	good := []string{"title", "About gophers", "description", "They dig.", "sidebar", "Be **kind**", "colour", "#b3261e", "revision", "0",
		"rule-1-title", "First <rule>", "rule-1-text", "Dig", "rule-3-title", "Second"}
	with := func(changes ...string) []string { return append(append([]string{}, good...), changes...) }

	t.Run("are a form with what is there, for its moderators", func(t *testing.T) {
		page := ann.page(path)
		require.Contains(t, page, `value="Gophers"`)
		require.Contains(t, page, `name="rule-3-text"`)
		require.NotContains(t, page, `name="rule-4-text"`)
		require.Contains(t, ann.page("/c/gophers"), "/c/Gophers/settings", "their way there")
		require.NotContains(t, ben.page("/c/gophers"), "/c/Gophers/settings")
		require.Equal(t, http.StatusForbidden, ben.get(path).Code)
		require.Equal(t, "/login?next=%2Fc%2Fgophers%2Fsettings", s.visitor().get(path).Header().Get("Location"))
	})
	t.Run("show once saved, on the next page, of any instance, in every list", func(t *testing.T) {
		red := regexp.MustCompile(`(?s)class="com" href="/c/Gophers">[^a-z]*<svg[^>]*>[^a-z]*<rect fill="#b3261e"`)
		other := openOn(t, s.sql, s.redis, 100)
		cid := &browser{site: other, cookie: ben.cookie}
		require.NotRegexp(t, red, cid.page("/hot"))
		require.Equal(t, "/c/gophers", ann.mustPost(path, good...))
		for _, b := range []*browser{ann, cid} {
			page := b.page("/c/gophers")
			for _, says := range []string{"About gophers", "They dig.", "Be <strong>kind</strong>", "First &lt;rule&gt;", "Second", "#b3261e"} {
				require.Contains(t, page, says)
			}
			require.NotContains(t, page, "<rule>")
			for _, list := range []string{"/hot", "/new", "/u/ann", "/"} {
				if list != "/" || b == ann {
					require.Regexp(t, red, b.page(list), list)
				}
			}
			require.Contains(t, b.page("/communities"), "#b3261e")
		}
		require.Contains(t, ann.page(path), `name="rule-5-text"`, "two rules and three empty rows")
	})
	for name, test := range map[string]struct {
		changes []string
		says    string
	}{
		"an empty title":      {[]string{"title", " "}, "A community needs a title."},
		"a long sidebar":      {[]string{"sidebar", strings.Repeat("x", 10001)}, "A sidebar has at most 10,000 characters."},
		"a colour of its own": {[]string{"colour", "red"}, "Please choose one of the colours."},
		"an untitled rule":    {[]string{"rule-2-text", "typed rule"}, "A rule needs a title."},
	} {
		t.Run("are refused with "+name+", which is named, and what was typed stays", func(t *testing.T) {
			before := s.one("SELECT group_concat(title || sidebar || rules || revision) FROM communities")
			res := ann.post(path, with(append(test.changes, "description", "typed description", "revision", "1")...)...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			for _, says := range []string{test.says, "typed description", `aria-invalid="true"`, "First &lt;rule&gt;", `name="revision" value="1"`} {
				if says != `aria-invalid="true"` || name != "a colour of its own" {
					require.Contains(t, res.Body.String(), says)
				}
			}
			require.Equal(t, before, s.one("SELECT group_concat(title || sidebar || rules || revision) FROM communities"))
		})
	}
	t.Run("that somebody else changed meanwhile are not overwritten unawares", func(t *testing.T) {
		res := ann.post(path, with("title", "typed title", "revision", "0")...)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Somebody else changed these settings")
		require.Contains(t, res.Body.String(), "typed title")
		require.Contains(t, res.Body.String(), `name="revision" value="1"`)
		ann.mustPost(path, with("title", "typed title", "revision", "1")...)
		require.Contains(t, ann.page("/c/gophers"), "typed title")
	})
	t.Run("are nobody else's", func(t *testing.T) {
		before := s.one("SELECT group_concat(title || revision) FROM communities WHERE revision IS NOT NULL")
		res := ben.post(path, with("title", "typed title")...)
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "typed title")
		res = s.visitor().post(path, with("title", "typed title")...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "typed title")
		require.Equal(t, http.StatusNotFound, ann.post("/c/nowhere/settings", good...).Code)
		require.Equal(t, before, s.one("SELECT group_concat(title || revision) FROM communities WHERE revision IS NOT NULL"))
	})
	t.Run("come back when the database is away", func(t *testing.T) {
		dead := openOn(t, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}), s.redis, 100)
		res := (&browser{site: dead, cookie: ann.cookie}).post(path, with("title", "typed title")...)
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		require.Contains(t, res.Body.String(), "typed title")
	})
	t.Run("can be set by programs", func(t *testing.T) {
		ann.header.Set("Accept", "application/json")
		defer ann.header.Del("Accept")
		res := ann.postBody(path, "application/json", `{"title":"By program","colour":"#455a64","rule-1-title":"Only"}`)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		res = ann.postBody(path, "application/json", `{"title":"","colour":"#455a64"}`)
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), `"field":"title"`)
	})
}

func TestCommunities(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	for i := range 30 {
		_, err := s.sql.Tx(context.Background(), hrana.Stmt{SQL: `INSERT INTO communities (id, name, name_key, title, colour, members, growth, created_at)
VALUES (?1, ?2, ?2, ?2, '#b3261e', ?3, ?4, ?5)`, Args: []any{100 + i, fmt.Sprintf("place%02d", i), i / 2, 30 - i, 1e12 + float64((i*7)%30)}})
		require.NoError(t, err)
	}
	names := regexp.MustCompile(`<h2><a href="/c/(\w+)">`)
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`)
	for sort, first := range map[string]string{"": "place29", "?sort=growth": "place00", "?sort=new": "place17"} {
		t.Run("lists all, page by page, at /communities"+sort, func(t *testing.T) {
			seen := map[string]bool{}
			address := "/communities" + sort
			for pages := 1; ; pages++ {
				page := ann.page(address)
				found := names.FindAllStringSubmatch(page, -1)
				require.Len(t, found, map[int]int{1: 25, 2: 5}[pages])
				if pages == 1 {
					require.Equal(t, first, found[0][1])
				}
				for _, m := range found {
					require.False(t, seen[m[1]], m[1])
					seen[m[1]] = true
				}
				more := next.FindStringSubmatch(page)
				if more == nil {
					require.Contains(t, page, "First page")
					break
				}
				address = strings.ReplaceAll(more[1], "&amp;", "&")
			}
			require.Len(t, seen, 30)
		})
	}
	t.Run("refuses another order and another order's cursor", func(t *testing.T) {
		require.Equal(t, http.StatusBadRequest, ann.get("/communities?sort=x").Code)
		require.Equal(t, http.StatusBadRequest, ann.get("/communities?sort=new&after=M"+strings.Repeat("0", 25)+"1").Code)
	})
	t.Run("costs one request and the rows it shows", func(t *testing.T) {
		for _, sort := range []string{"", "?sort=growth", "?sort=new"} {
			r := httptest.NewRequest(http.MethodGet, "https://plaza.example/communities"+sort, nil)
			ctx, redisMeter := upstash.WithMeter(r.Context())
			ctx, sqlMeter := hrana.WithMeter(ctx)
			require.Equal(t, http.StatusOK, s.visitor().send(r.WithContext(ctx)).Code)
			require.Equal(t, 0, redisMeter.Requests)
			require.Equal(t, int64(1), sqlMeter.Requests())
			require.Equal(t, int64(26), sqlMeter.RowsRead())
		}
	})
}

func TestSubscribeInPlace(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/communities", "name", "cooks")
	for _, community := range []string{"gophers", "cooks"} {
		ann.mustPost("/submit", "community", community, "title", "A post in "+community, "text", "x")
	}
	ben.mustPost("/subscribe", "community", "cooks", "on", "1")
	s.deliver()
	require.NotContains(t, ben.page("/"), "A post in gophers")

	ben.header.Set("HX-Request", "true")
	for _, step := range []struct{ on, next, label string }{{"1", "0", "Subscribed"}, {"0", "1", "Subscribe"}, {"1", "0", "Subscribed"}} {
		res := ben.post("/subscribe", "community", "gophers", "on", step.on, "return", "/c/gophers")
		require.Equal(t, http.StatusOK, res.Code)
		body := res.Body.String()
		require.True(t, strings.HasPrefix(body, "<form"), body)
		for _, says := range []string{`name="on" value="` + step.next + `"`, ">" + step.label + "<", `name="return" value="/c/gophers"`, `hx-post="/subscribe"`} {
			require.Contains(t, body, says)
		}
		require.NotContains(t, body, "<html")
	}
	require.Equal(t, http.StatusNotFound, ben.post("/subscribe", "community", "nowhere", "on", "1").Code)
	res := s.visitor().withHeader("HX-Request", "true").post("/subscribe", "community", "gophers", "on", "1", "return", "/c/gophers")
	require.Equal(t, "/login?next=%2Fc%2Fgophers", res.Header().Get("HX-Redirect"))
	ben.header.Del("HX-Request")

	t.Run("and the front page follows at once", func(t *testing.T) {
		require.Contains(t, ben.page("/"), "A post in gophers")
		ben.mustPost("/subscribe", "community", "gophers", "on", "0")
		require.NotContains(t, ben.page("/"), "A post in gophers")
	})
	t.Run("members are counted, and the new ones of a week, which the scheduled job lets pass", func(t *testing.T) {
		ben.mustPost("/subscribe", "community", "gophers", "on", "1")
		page := ben.page("/c/gophers")
		require.Contains(t, page, `2 <span class="grown">+2 this week</span>`)
		require.Contains(t, page, `1 <span class="grown">+1 this week</span>`)
		s.now = s.now.AddDate(0, 0, 8)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		s.queue.take(worker.QueueVotes)
		page = ben.page("/c/gophers")
		require.NotContains(t, page, "this week")
		require.Contains(t, page, "<dd>2</dd>")
	})
}

func (b *browser) withHeader(name, value string) *browser {
	b.header.Set(name, value)
	return b
}
