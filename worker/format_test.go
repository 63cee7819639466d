package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/upstash"
	"plaza/worker"
	"plaza/worker/api"
)

// TestEveryJSONIsItsPage walks the table. What a program reads is what the page at the same address shows to the same person, made from
// the same view model, at the same cost. The page itself is read as a browser reads it.
func TestEveryJSONIsItsPage(t *testing.T) {
	s := mustOpen(t)
	things := s.somethingOfEverything()
	people := map[string]*browser{"visitor": s.visitor(), "moderator": s.logIn("ann", ""), "member": s.logIn("eve", "")}
	var view any
	defer worker.Watch(func(v any) { view = v })()
	document := readOpenAPI(t)
	shown := map[string]int{}
	for _, rt := range worker.Routes() {
		if !slices.Contains(rt.Formats, ".json") || rt.Pattern == "/api" { // whose JSON is for machines
			continue
		}
		require.Equal(t, http.MethodGet, rt.Method)
		path := s.fill(rt.Pattern, things)
		paths := []string{path}
		switch rt.Pattern {
		case "/discussions":
			paths = []string{path + "?url=https://example.com/"}
		case "/search":
			paths = []string{path + "?q=post", path + "?q=ann&type=people"}
		case "/c/{community}/top":
			paths = append(paths, path+"?t=all")
		case "/c/{community}/p/{slug}":
			paths = append(paths, "/c/gophers/p/deleted", "/c/gophers/p/removed", "/c/gophers/p/shown-again", path+"?sort=new")
		}
		for name, who := range people {
			if rt.Member && name == "visitor" {
				res := who.get(path + ".json")
				require.Equal(t, http.StatusUnauthorized, res.Code)
				require.JSONEq(t, `{"error": {"code": "unauthenticated", "message": "You are logged out. Please log in again."}}`, res.Body.String())
				continue
			}
			for _, path := range paths {
				t.Run(name+" "+path, func(t *testing.T) {
					page := who.get(path)
					require.Equal(t, http.StatusOK, page.Code)
					same, err := api.Encode(view)
					require.NoError(t, err)
					r := who.request(api.Address(path, ".json"))
					ctx, redisMeter := upstash.WithMeter(r.Context())
					ctx, sqlMeter := hrana.WithMeter(ctx)
					res := who.send(r.WithContext(ctx))
					require.Equal(t, http.StatusOK, res.Code, res.Body.String())
					require.LessOrEqual(t, redisMeter.Requests, 1)
					require.LessOrEqual(t, sqlMeter.Requests(), s.oneEach())
					require.Equal(t, "application/json", res.Header().Get("Content-Type"))
					require.Equal(t, "*", res.Header().Get("Access-Control-Allow-Origin"))
					require.Equal(t, "noindex", res.Header().Get("X-Robots-Tag"))

					require.Equal(t, page.Header().Get("Cache-Control"), res.Header().Get("Cache-Control"))
					require.JSONEq(t, string(same), res.Body.String())
					var said any
					require.NoError(t, json.Unmarshal(res.Body.Bytes(), &said))
					answer := document.Paths[strings.TrimSuffix(rt.Pattern, "{$}")+".json"]["get"].Responses["200"].Content["application/json"].Schema
					require.NotEmpty(t, answer.Ref)
					document.holds(t, answer, said, "answer")
					for kind, n := range comparePage(t, page.Body.String(), res.Body.String()) {
						shown[kind] += n
					}
				})
			}
		}
	}
	for _, kind := range []string{"posts", "comments", "communities", "tags", "people", "told", "decisions", "own"} {
		require.NotZero(t, shown[kind], kind)
	}
}

// TestAddressesOfFormats: what is no page, or has no such format, is an error in that format, and a redirect keeps the format.
func TestAddressesOfFormats(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	for path, status := range map[string]int{"/nothing.json": 404, "/c/nowhere.json": 404, "/c/gophers/p/x.json": 404, "/login.json": 404, "/robots.txt.json": 404, "/c/gophers/new.json?after=!": 400, "/home.json": 401} {
		res := s.visitor().get(path)
		require.Equal(t, status, res.Code, path)
		require.Equal(t, "application/json", res.Header().Get("Content-Type"), path)
		require.Equal(t, "*", res.Header().Get("Access-Control-Allow-Origin"), path)
		require.Contains(t, res.Body.String(), `{"error":{"code":"`)
	}
	require.Equal(t, "public, max-age=0, s-maxage=10", s.visitor().get("/c/nowhere.json").Header().Get("Cache-Control"))
	require.Equal(t, http.StatusNotFound, ann.post("/vote.json", "target", "1", "value", "1").Code)
	for from, to := range map[string]string{"/c/gophers/.json": "/c/gophers.json", "/c/gophers/new/.json?after=1": "/c/gophers/new.json?after=1"} {
		res := s.visitor().get(from)
		require.Equal(t, http.StatusPermanentRedirect, res.Code)
		require.Equal(t, to, res.Header().Get("Location"))
	}
	ann.mustPost("/post", "text", "To my profile")
	place := s.one("SELECT community_name FROM posts").(string)
	require.Equal(t, "/u/ann.json", s.visitor().get("/c/"+place+".json").Header().Get("Location"))

	asks := httptest.NewRequest(http.MethodOptions, "https://plaza.example/new.json", nil)
	asks.Header.Set("Origin", "https://elsewhere.example")
	asks.Header.Set("Access-Control-Request-Headers", "authorization")
	res := s.visitor().send(asks)
	require.Equal(t, http.StatusNoContent, res.Code)
	require.Contains(t, res.Header().Get("Access-Control-Allow-Headers"), "Authorization")
	require.Empty(t, res.Header().Get("Access-Control-Allow-Credentials"))
	require.Empty(t, s.visitor().get("/new").Header().Get("Access-Control-Allow-Origin"))
}

// TestRateLimitHeaders: an action says how much of its limit is left, and so does what a member reads as JSON. What the edge keeps for
// everybody says nothing of anybody.
func TestRateLimitHeaders(t *testing.T) {
	s := mustOpen(t)
	strict := openSite(t, s.sql, s.redis, 1)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	b := &browser{site: strict, cookie: ann.cookie, header: http.Header{}}
	for left := 59; left > 56; left-- {
		h := b.post("/subscribe", "community", "gophers", "on", "1").Header()
		require.Equal(t, `"subscribe";q=60;w=60`, h.Get("RateLimit-Policy"))
		require.Regexp(t, fmt.Sprintf(`^"subscribe";r=%d;t=\d+$`, left), h.Get("RateLimit"))
	}
	b.get("/c/gophers.json")
	h := b.get("/c/gophers.json").Header()
	require.Equal(t, `"reading";q=150000;w=300`, h.Get("RateLimit-Policy"))
	require.Regexp(t, `^"reading";r=149\d\d\d;t=1$`, h.Get("RateLimit"))
	require.Empty(t, s.visitor().get("/c/gophers.json").Header().Get("RateLimit"))
	require.Contains(t, s.visitor().get("/api.json").Body.String(), `"openapi": "3.1.0"`)
}

// somethingOfEverything is a site whose community gophers, of ann, has posts and comments of all kinds. It returns what fills
// the patterns of routes.
func (s *site) somethingOfEverything() map[string]string {
	ann, eve := s.member("ann"), s.member("eve")
	ann.mustPost("/communities", "name", "gophers", "title", `Go & "friends"`, "description", "What <b> burrows")
	ann.mustPost("/communities", "name", "moles")
	submit := func(b *browser, title string, fields ...string) string {
		return targets(b.page(b.mustPost("/submit", append([]string{"community", "gophers", "title", title, "anyway", "1"}, fields...)...)))[0]
	}
	submit(eve, "A draft", "text", "Perhaps", "status", "draft")
	conversation := eve.mustPost("/messages", "community", "gophers", "title", "A question", "text", "May I?")
	post := submit(ann, "A post", "tags", "go café", "text", "Some *words* & </script>\n\n> said")
	link := submit(eve, `<b>Linked</b> "é"`, "link", "https://example.com/", "nsfw", "1")
	submit(ann, "Shown again", "crosspost", link)
	submit(eve, "The same", "link", "https://example.com/", "spoiler", "1", "text", "It was the butler")
	deleted, removed := submit(eve, "Deleted", "text", "gone text"), submit(eve, "Removed", "text", "removed text")
	ann.mustPost("/post", "text", "To my own profile")
	comment := func(b *browser, field, target, body string) string {
		res := b.withHeader("Accept", "application/json").post("/comment", field, target, "body", body)
		b.header.Del("Accept")
		var made struct{ ID string }
		require.NoError(s, json.Unmarshal(res.Body.Bytes(), &made), res.Body.String())
		n, err := strconv.ParseInt(made.ID, 10, 64)
		require.NoError(s, err)
		return data.ID(n).Text()
	}
	first := comment(ann, "post", post, "First, & *best*")
	reply := comment(eve, "parent", first, "A reply")
	comment(ann, "parent", reply, "And an answer")
	gone := comment(eve, "post", post, "gone words")
	bad := comment(eve, "post", post, "removed words")
	for _, b := range []*browser{ann, eve} {
		for _, target := range []string{post, link, first} {
			b.mustPost("/vote", "target", target, "value", "1")
		}
	}
	eve.mustPost("/save", "target", post, "on", "1")
	eve.mustPost("/save", "target", first, "on", "1")
	ann.mustPost("/hide", "target", link, "on", "1")
	eve.mustPost("/subscribe", "community", "gophers", "on", "1")
	eve.mustPost("/follow", "user", "ann", "on", "1")
	ann.mustPost("/follow", "user", "eve", "on", "1")
	eve.mustPost("/delete", "target", deleted)
	eve.mustPost("/delete", "target", gone)
	for _, target := range []string{removed, bad} {
		ann.mustPost("/c/gophers/mod/decide", "target", target, "decision", "remove", "rule", "Spam", "text", "Not here.")
	}
	ann.mustPost("/c/gophers/mod/decide", "target", post, "decision", "pin")
	s.deliver()
	for _, b := range []*browser{ann, eve, s.visitor()} { // so that hot sets are whole, and visits noted
		b.page("/")
		b.page("/c/gophers")
		b.page("/c/gophers/p/a-post")
	}
	s.deliver()
	for _, b := range []*browser{ann, eve} { // nothing is unread, so pages have nothing to note
		b.mustPost("/inbox/read", "newest", regexp.MustCompile(`name="newest" value="([0-9a-z]+)"`).FindStringSubmatch(b.page("/inbox"))[1])
	}
	return map[string]string{"community": "gophers", "slug": "a-post", "comment": reply, "user": "ann", "conversation": strings.TrimPrefix(conversation, "/messages/"), "tags": "go"}
}

// element is one of a page that a browser has read.
type element struct{ *html.Node }

func (e element) attr(name string) string {
	for _, a := range e.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (e element) is(tag, class string) bool {
	return e.Type == html.ElementNode && e.Data == tag && (class == "" || slices.Contains(strings.Fields(e.attr("class")), class))
}

// all are the elements below that are of a kind, and not below one of the kinds in not.
func (e element) all(tag, class string, not ...string) (list []element) {
	for n := e.FirstChild; n != nil; n = n.NextSibling {
		child := element{n}
		if child.is(tag, class) {
			list = append(list, child)
		}
		if n.Type == html.ElementNode && !slices.ContainsFunc(not, func(c string) bool { return child.is(n.Data, c) }) {
			list = append(list, child.all(tag, class, not...)...)
		}
	}
	return list
}

func (e element) first(tag, class string, not ...string) element {
	if list := e.all(tag, class, not...); len(list) > 0 {
		return list[0]
	}
	return element{&html.Node{}}
}

// text is what somebody reads.
func (e element) text() string {
	var b strings.Builder
	for n := range e.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// everything is all text and all attributes, decoded.
func (e element) everything() string {
	var b strings.Builder
	for n := range e.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + "\n")
		}
		for _, a := range n.Attr {
			b.WriteString(a.Val + "\n")
		}
	}
	return b.String()
}

// thing is an object of JSON.
type thing map[string]any

func (o thing) list(name string) (list []thing) {
	values, _ := o[name].([]any)
	for _, v := range values {
		if m, ok := v.(map[string]any); ok {
			list = append(list, m)
		}
	}
	return list
}

// comparePage holds what a program reads to what the page shows. It returns how many things of each kind it compared.
func comparePage(t *testing.T, page, said string) map[string]int {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	doc := element{root}
	var top thing
	require.NoError(t, json.Unmarshal([]byte(said), &top))
	found := map[string]int{}

	var items []thing
	for _, name := range []string{"items", "posts"} {
		for _, item := range top.list(name) {
			if item["score"] != nil {
				items = append(items, item)
			}
		}
	}
	rows := doc.all("article", "post")
	require.Len(t, rows, len(items))
	for i, row := range rows {
		comparePost(t, row, items[i])
	}
	found["posts"] = len(rows)
	if full := doc.all("article", "full"); len(full) > 0 {
		comparePost(t, full[0], thing(top["post"].(map[string]any)))
		compareText(t, full[0].first("div", "md"), top["text_html"])
		found["posts"]++
	}
	found["comments"] = compareComments(t, doc.first("main", ""), top.list("comments"))
	lines := doc.all("ul", "crows")
	for _, list := range lines {
		for i, row := range list.all("li", "") {
			if len(top.list("people")) > 0 {
				person := top.list("people")[i]
				require.Equal(t, person["name"], row.first("h2", "").text())
				require.Contains(t, row.text(), fmt.Sprint(person["followers"], " follower"))
				found["people"]++
				continue
			}
			if post, ok := top.list("items")[i]["post"].(map[string]any); ok { // the author's desk
				require.Equal(t, post["permalink"], row.first("h2", "").first("a", "").attr("href"))
				require.Equal(t, post["title"], row.first("h2", "").first("a", "").text())
				found["own"]++
				continue
			}
			community := top.list("items")[i]
			if tag := row.first("h2", "").text(); strings.HasPrefix(tag, "#") {
				require.Equal(t, "#"+fmt.Sprint(community["name"]), tag)
				require.Contains(t, row.text(), fmt.Sprint(community["count"], " post"))
				found["tags"]++
				continue
			}
			require.Equal(t, "/c/"+community["name"].(string), row.first("h2", "").first("a", "").attr("href"))
			require.Contains(t, row.text(), fmt.Sprint(community["members"], " member"))
			require.Contains(t, row.text(), community["description"])
			found["communities"]++
		}
	}
	for _, told := range top.list("items") {
		found["told"] += len(told.list("items"))
	}
	if sections := doc.all("section", "told"); len(sections) > 0 {
		require.Len(t, doc.first("main", "").all("ol", "")[0].all("li", ""), len(top.list("items")[0].list("items")))
		require.Len(t, sections, len(top.list("items")))
	}
	if log := doc.all("ul", "decided"); len(log) > 0 && top["items"] != nil {
		found["decisions"] = len(log[0].all("li", ""))
		require.Equal(t, len(top.list("items")), found["decisions"])
	}
	next := ""
	for _, a := range doc.all("a", "button") {
		if a.attr("rel") == "next" {
			next = api.Address(a.attr("href"), ".json")
		}
	}
	if after, ok := top["next"]; ok {
		require.Equal(t, next, fmt.Sprint(strings.Trim(fmt.Sprint(after), "<nil>")))
	}
	nothingElse(t, doc.everything(), "", map[string]any(top))
	return found
}

func comparePost(t *testing.T, row element, post thing) {
	t.Helper()
	id, err := data.ParseID(post["id"].(string))
	require.NoError(t, err)
	require.Equal(t, "p-"+id.Text(), row.attr("id"))
	if head := row.first("h2", ""); head.FirstChild != nil && post["removed"] == false {
		require.Equal(t, post["title"], head.first("a", "").text())
		require.Equal(t, post["permalink"], row.first("a", "cc").attr("href"))
	}
	by := row.first("p", "by")
	if post["author"] != "" {
		require.Contains(t, by.text(), post["author"])
	}
	compareTime(t, by.first("time", ""), post["created_at"])
	compareVotes(t, row, post)
	require.Equal(t, fmt.Sprint(post["comments"]), strings.Fields(row.first("a", "cc").text())[0])
	marks := by.everything()
	for mark, name := range map[string]string{"NSFW": "nsfw", "pinned": "pinned", "spoiler": "spoiler", "locked": "locked", "edited": "edited_at"} {
		require.Equal(t, post[name] != false && post[name] != nil, strings.Contains(marks, mark), "%s: %s", mark, marks)
	}
	if post["link"] != "" && post["removed"] == false && post["deleted"] == false {
		require.Contains(t, row.everything(), post["link"])
	}
}

func compareVotes(t *testing.T, row element, voted thing) {
	t.Helper()
	form := row.first("form", "votes", "comment")
	require.Contains(t, []string{fmt.Sprint(voted["score"], " points"), fmt.Sprint(voted["score"], " point")}, form.first("span", "score").attr("title"))
	require.Equal(t, voted["my_vote"] == 1.0, form.first("button", "up").attr("aria-pressed") == "true")
	require.Equal(t, voted["my_vote"] == -1.0, form.first("button", "down").attr("aria-pressed") == "true")
}

func compareTime(t *testing.T, shown element, at any) {
	t.Helper()
	exact, err := time.Parse(time.RFC3339Nano, at.(string))
	require.NoError(t, err)
	require.Equal(t, exact.Format("2006-01-02T15:04:05Z"), shown.attr("datetime"))
}

// compareText compares formatted text by what somebody reads of it.
func compareText(t *testing.T, shown element, said any) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(said.(string)))
	require.NoError(t, err)
	require.Equal(t, element{root}.text(), shown.text())
}

// compareComments compares the comments right below an element, and those below them.
func compareComments(t *testing.T, above element, comments []thing) int {
	t.Helper()
	shown := above.all("article", "comment", "comment")
	require.Len(t, shown, len(comments))
	n := len(comments)
	for i, row := range shown {
		c := comments[i]
		id, err := data.ParseID(c["id"].(string))
		require.NoError(t, err)
		require.Equal(t, "c-"+id.Text(), row.attr("id"))
		head := row.first("div", "by")
		if c["author"] == "" {
			require.Contains(t, head.text(), "[deleted]")
		} else {
			require.Contains(t, head.text(), c["author"])
		}
		compareTime(t, head.first("time", ""), c["created_at"])
		if c["deleted"] == true || c["removed"] == true {
			require.NotEmpty(t, row.first("p", "gone").text())
		} else {
			compareText(t, row.first("div", "md"), c["body_html"])
			compareVotes(t, row, c)
		}
		n += compareComments(t, row, c.list("replies"))
	}
	return n
}

// nothingElse fails when a text of the JSON is nowhere on the page.
func nothingElse(t *testing.T, page, name string, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		for name, value := range v {
			switch {
			case name == "communities", name == "community" && v["flair"] == nil: // of which other pages than the community's own don't show all
			case name == "post" && v["saved_at"] != nil: // the desk names them only
			case name == "id" && v["unread"] == false: // of which nothing has to be sent
			default:
				nothingElse(t, page, name, value)
			}
		}
	case []any:
		for _, value := range v {
			nothingElse(t, page, name, value)
		}
	case string:
		_, notTime := time.Parse(time.RFC3339Nano, v)
		switch {
		case notTime == nil, strings.HasSuffix(name, "_html"), name == "after", name == "next", name == "kind", name == "role", name == "side", strings.HasSuffix(name, "colour"):
		case name == "id":
			id, err := data.ParseID(v)
			require.NoError(t, err)
			require.True(t, strings.Contains(page, id.Text()), "the page does not name %s", id.Text())
		case strings.HasSuffix(v, ".json"), strings.Contains(v, ".json?"):
			require.True(t, strings.Contains(page, strings.Replace(v, ".json", "", 1)), "the page does not lead to %s %s", name, v)
		default:
			require.True(t, strings.Contains(page, v), "the page does not say %s %q", name, v)
		}
	}
}
