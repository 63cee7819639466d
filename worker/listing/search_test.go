package listing_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestSearchPage(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "Gardens")
	roses := ann.MustPost("/submit", "community", "gardens", "title", "Pruning roses", "text",
		"Cut the **old wood** first, <b>then</b> the rest.")
	target := workertest.Targets(ann.Page(roses))[0]
	ben.MustPost("/comment", "post", target, "body", "Mine froze in winter & died.")
	ann.MustPost("/submit", "community", "gardens", "title", "A draft of roses", "status", "draft")
	visitor := s.Visitor()

	t.Run("shows what was found, with the words marked", func(t *testing.T) {
		page := visitor.Page("/search?q=wood")
		require.Contains(t, page, "Pruning roses")
		require.Contains(t, page, "Cut the old <mark>wood</mark> first, &lt;b&gt;then")
		require.Contains(t, page, `<meta name="robots" content="noindex">`)
		page = visitor.Page("/search?q=winter&type=comments")
		require.Contains(t, page, "Mine froze in <mark>winter</mark> &amp; died.")
		require.Contains(t, page, roses+"/")
		require.Contains(t, visitor.Page("/search?q=wood&type=posts"), "Pruning roses")
		found := visitor.Page("/search.json?q=winter&type=comments")
		require.Regexp(t, `"id":"\d+"`, found)
		require.Contains(t, found, `"score":1,"ups":1,"downs":0,"my_vote":0,"votes_closed":false`)
		ben.MustPost("/vote", "target", workertest.Targets(ben.Page(roses))[1], "value", "1")
		require.Contains(t, ben.Page("/search.json?q=winter&type=comments"), `"score":1,"ups":1,"downs":0,"my_vote":1`)
		require.Contains(t, visitor.Page("/search?q=gard&type=communities"), `href="/c/Gardens"`)
		require.Contains(t, visitor.Page("/search?q=be&type=people"), `href="/u/ben"`)
		require.NotContains(t, ann.Page("/search?q=roses"), "A draft of roses")
		require.Contains(t, visitor.Page("/search?q=roses&community=gardens&author=ann&kind=text&t=hour&sort=top"), "Pruning roses")
		require.Contains(t, visitor.Page("/search?q=roses&author=ben"), "Nothing found.")
	})
	t.Run("forgives a letter", func(t *testing.T) {
		page := visitor.Page("/search?q=rozes&sort=top")
		require.Contains(t, page, `Nothing found for rozes. Showing results for <a href="/search?q=roses&amp;sort=top">roses</a>.`)
		page = visitor.Page("/search?q=wimter&type=comments")
		require.Contains(t, page, `Showing results for <a href="/search?q=winter&amp;type=comments">winter</a>.`)
		require.Contains(t, page, "Mine froze in <mark>winter</mark>")
		require.Contains(t, page, `value="wimter"`, "what was typed stays in the field")
		require.NotContains(t, visitor.Page("/search.json?q=prunning+roses"), "Pruning roses", "programs get what they ask for")
		require.Contains(t, visitor.Page("/search?q=nothingatall"), "Nothing found.")
		page = visitor.Page("/search?q=prunning&author=ben")
		require.Contains(t, page, `Did you mean <a href="/search?q=pruning&amp;author=ben">pruning</a>?`)
		require.Contains(t, page, "Nothing found.")
	})
	t.Run("finds Greek and Cyrillic with and without marks", func(t *testing.T) {
		ben.MustPost("/submit", "community", "gardens", "title", "Κήποι στην Ελλάδα", "text", "Под ёлкой растёт йод.")
		for _, q := range []string{"Ελλάδα", "ελλαδα", "ΕΛΛΑΔΑ", "%22κηποι στην%22", "елкой", "ЁЛКОЙ", "растет", "йод"} {
			require.Contains(t, visitor.Page("/search?q="+strings.ReplaceAll(q, " ", "+")), "Κήποι", q)
		}
		require.Contains(t, visitor.Page("/search?q=елкой"), "<mark>ёлкой</mark>")
		require.NotContains(t, visitor.Page("/search?q=иод"), "Κήποι", "it is another letter")
	})
	t.Run("answers everything that can be typed", func(t *testing.T) {
		for _, q := range []string{"%22", "%22%22", "*", "-", "AND", "NOT+OR+NEAR(", "a+AND", "%28%29%7B%7D%5E%3A", "facets%3Ac1", "%F0%9F%8C%B9",
			"author:", "x'y\"z", "%C3%A9*",
			"tag:go&type=comments", "&kind=text&type=comments", "tag:go&type=people"} {
			res := visitor.Get("/search?q=" + q)
			require.Contains(t, []int{http.StatusOK, http.StatusBadRequest}, res.Code, q)
			if res.Code == http.StatusBadRequest {
				require.Contains(t, res.Body.String(), `class="wrong"`, q)
			}
		}
		for q, says := range map[string]string{"ab*": "at least 4 letters", "-roses": "add a word", "%22": "write a word to search for",
			strings.Repeat("a", 201): "200 characters"} {
			res := visitor.Get("/search?q=" + q)
			require.Equal(t, http.StatusBadRequest, res.Code)
			require.Contains(t, res.Body.String(), says)
		}
		require.Equal(t, http.StatusOK, visitor.Get("/search?type=comments&q=winter&kind=text&tag=x&domain=example.org").Code)
		for _, q := range []string{"kind=text", "tag=x", "q=domain:example.org"} {
			res := visitor.Get("/search?type=comments&" + q)
			require.Equal(t, http.StatusBadRequest, res.Code, q)
			require.Contains(t, res.Body.String(), "Comments have no kind, tag or domain.")
		}
		res := visitor.Get("/search.json?q=-roses")
		require.Equal(t, http.StatusBadRequest, res.Code)
		require.Contains(t, res.Body.String(), `{"error":{"code":"invalid","field":"q","message":"Please add a word`)
		for _, q := range []string{"type=things", "kind=film", "after=x"} {
			require.Equal(t, http.StatusBadRequest, visitor.Get("/search?q=roses&"+q).Code, q)
		}
	})
	t.Run("finds posts by a pasted address", func(t *testing.T) {
		ann.MustPost("/submit", "community", "gardens", "title", "A film of roses", "link", "https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=4")
		ann.MustPost("/submit", "community", "gardens", "title", "A sale of roses", "link", "https://shop.example.org/roses/100%?utm_source=x")
		ben.MustPost("/comment", "post", target, "body", "See https://shop.example.org/roses/100% for more.")
		for address, title := range map[string]string{
			"https://youtu.be/dQw4w9WgXcQ?si=x":                                              "A film of roses",
			"https://shop.example.org/roses/100%":                                            "A sale of roses",
			"https://shop.example.org/roses/100%25?utm_campaign=" + strings.Repeat("a", 300): "A sale of roses",
			"https://shop.example.org/roses":                                                 "A sale of roses",
			"shop.example.org/roses":                                                         "A sale of roses",
			"domain:example.org":                                                             "A sale of roses",
		} {
			for _, path := range []string{"/search?q=", "/search.json?q="} {
				page := visitor.Page(path + url.QueryEscape(address))
				require.Contains(t, page, title, address)
				require.Equal(t, 1, strings.Count(page, "A film of roses<")+strings.Count(page, "A sale of roses<")+
					strings.Count(page, `"title":"A film`)+strings.Count(page, `"title":"A sale`), address)
			}
		}
		require.Contains(t, visitor.Page("/search?type=comments&q="+url.QueryEscape("https://www.shop.example.org/roses/100%")), "for more.")
		require.Contains(t, visitor.Page("/search?q="+url.QueryEscape("https://shop.example.org/tulips")), "Nothing found.")
		page := visitor.Page("/c/gardens/new")
		require.Contains(t, page, `href="https://shop.example.org/roses/100%?utm_source=x"`, "as it was typed")
		for link, says := range map[string]string{"https://youtube.com/shorts/dQw4w9WgXcQ": "posted", "https://example.org:70000/": "a port above 65535",
			"v@example.org?subject=x": "must be a full web address"} {
			res := ben.Post("/submit", "community", "gardens", "title", "Again", "link", link)
			require.NotEqual(t, http.StatusSeeOther, res.Code, link)
			require.Contains(t, res.Body.String(), says, link)
			require.Contains(t, res.Body.String(), `value="`+link+`"`, "the form comes back with what was typed")
		}
	})
	t.Run("keeps what a spoiler says behind a click", func(t *testing.T) {
		ann.MustPost("/submit", "community", "gardens", "title", "The end of the film", "text", "The butler did it.", "spoiler", "1")
		for _, address := range []string{"/search?q=butler", "/search.json?q=butler"} {
			page := visitor.Page(address)
			require.Contains(t, page, "The end of the film")
			require.NotContains(t, page, "did it")
		}
	})
	t.Run("says so when there is more, but nothing of a page is left", func(t *testing.T) {
		s.Exec(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, nsfw, created_at)
SELECT p.id + (value << 22), p.community_id, 'Gardens', '', 'z' || value, 'text', 'A zebra', 0, 1, p.created_at + value FROM posts p CROSS
  JOIN generate_series(1, 30) WHERE p.title = 'Pruning roses'`)
		cid := s.Member("cid")
		cid.ReadsWith("nsfw", "hide")
		page := cid.Page("/search?q=zebra")
		require.NotContains(t, page, "A zebra")
		require.Contains(t, page, `rel="next"`)
		require.Contains(t, page, "There is more on the next one.")
		s.Exec("DELETE FROM posts WHERE title = 'A zebra'")
	})
	t.Run("suggests communities and members", func(t *testing.T) {
		require.Contains(t, visitor.Page("/search/suggest?q=ga"), "c/Gardens")
		require.Contains(t, ann.Page("/search/suggest?q=u/be"), "u/ben")
		require.Empty(t, visitor.Page("/search/suggest?q=b"))
	})
	t.Run("shows nothing that was removed", func(t *testing.T) {
		ann.MustPost("/c/gardens/mod/decide", "target", target, "decision", "remove", "rule", "Spam")
		for _, b := range []*workertest.Browser{visitor, ann, ben} {
			require.NotContains(t, b.Page("/search?q=wood"), "Pruning")
			require.NotContains(t, b.Page("/search?q=winter&type=comments"), "froze")
		}
		ann.MustPost("/c/gardens/mod/decide", "target", target, "decision", "approve")
		require.Contains(t, s.Visitor().Page("/search?q=wood"), "Pruning")
	})
}
