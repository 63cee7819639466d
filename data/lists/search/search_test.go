package search_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/lists/search"
	"plaza/data/wire/hrana"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// site is a site with a search.
type site struct {
	*storetest.Stores
	search *search.Store
}

func open(t *testing.T) *site {
	s := storetest.Open(t)
	return &site{s, &search.Store{Base: s.Posts.Base}}
}

// openOne is a site on one database, whatever PLAZA_SHARDS says.
func openOne(t *testing.T) *site {
	url, client := stacktest.OpenSchemaDB(t)
	sql := hrana.New(hrana.Options{URL: url, HTTP: client})
	s := storetest.New(t, data.NewDB(sql), sql, stacktest.OpenRedis(t))
	return &site{s, &search.Store{Base: s.Posts.Base}}
}

// query parses a text like the page.
func query(t *testing.T, text string) search.Query {
	t.Helper()
	w, err := search.Parse(text)
	require.NoError(t, err)
	return search.Query{Words: w, Community: w.Filters["community"], Author: w.Filters["author"], Kind: w.Filters["kind"],
		Tag: w.Filters["tag"], Domain: w.Filters["domain"], Link: w.Link, Order: search.OrderRelevance, Limit: 25}
}

func (s *site) posts(q search.Query) (titles []string, next data.Cursor) {
	s.Helper()
	r := s.DB.Read()
	page := s.search.FindPosts(r, q)
	require.NoError(s, r.Run(storetest.Ctx))
	titles = []string{}
	for _, p := range page.Items() {
		titles = append(titles, p.Title)
	}
	return titles, page.Next()
}

func (s *site) said(q search.Query) (texts []string) {
	s.Helper()
	r := s.DB.Read()
	page := s.search.FindComments(r, q)
	require.NoError(s, r.Run(storetest.Ctx))
	texts = []string{}
	for _, c := range page.Items() {
		texts = append(texts, c.Text)
	}
	return texts
}

func (s *site) submit(a data.Actor, c posts.Create) *posts.Post {
	s.Helper()
	p, err := s.Posts.Create(storetest.Ctx, a, c)
	require.NoError(s, err)
	return p
}

// TestRanked counts candidates on all shards, for the first page only.
func TestRanked(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	for _, name := range []string{"Gardens", "Birds", "Rocks"} {
		s.Community(ann, name)
		for range 3 {
			s.submit(ann, posts.Create{Community: name, Title: "Blackbirds", Text: "x"})
		}
	}
	q := query(t, "blackbirds")
	q.Limit = 5
	for _, want := range []int{9, 0} {
		r := s.DB.Read()
		page := s.search.FindPosts(r, q)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Len(t, page.Items(), map[int]int{9: 5, 0: 4}[want])
		require.Equal(t, want, page.Ranked)
		q.After = page.Next()
	}
}

func TestSearch(t *testing.T) {
	s := open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gardens")
	s.Community(ben, "cooking")
	roses := s.submit(ann, posts.Create{Community: "gardens", Title: "Pruning roses in winter",
		Text: "Cut the old wood first, then the crossing branches.", Excerpt: "Cut"})
	soup := s.submit(ben, posts.Create{Community: "cooking", Title: "A soup of roses", Link: "https://www.example.org/soup"})
	s.submit(ben, posts.Create{Community: "cooking", Title: "Bread", Text: "Nothing but crème fraîche and winter wheat.", Excerpt: "Nothing"})
	s.Exec("UPDATE posts SET tags = 'baking web-design' WHERE title = 'Bread'")
	draft := s.submit(ann, posts.Create{Community: "gardens", Title: "Unfinished roses", Status: posts.Draft})
	said := s.Comment(ben, roses.ID, 0, "My roses froze last winter.")

	t.Run("finds what has all words, by relevance", func(t *testing.T) {
		for text, want := range map[string][]string{
			"roses":               {"A soup of roses", "Pruning roses in winter"},
			"ROSES winter":        {"Pruning roses in winter"},
			`"roses in winter"`:   {"Pruning roses in winter"},
			`"winter roses"`:      {},
			"creme FRAICHE":       {"Bread"},
			"prun*":               {"Pruning roses in winter"},
			"roses -soup":         {"Pruning roses in winter"},
			"winter -wheat":       {"Pruning roses in winter"},
			"roses c:Cooking":     {"A soup of roses"},
			"author:ANN":          {"Pruning roses in winter"},
			"roses author:nobody": {},
			"community:nowhere":   {},
			"kind:link":           {"A soup of roses"},
			"domain:example.org":  {"A soup of roses"},
			"example":             {"A soup of roses"},
			"tag:web-design":      {"Bread"},
			"tag:Baking winter":   {"Bread"},
			"tag:web":             {},
			"unfinished":          {},
			"c1":                  {}, // words of facets are not part of the text
			"ktext":               {},
		} {
			got, next := s.posts(query(t, text))
			require.Equal(t, want, got, text)
			require.True(t, next.IsZero())
		}
		require.Equal(t, []string{"My roses froze last winter."}, s.said(query(t, "froze")))
		require.Equal(t, []string{"My roses froze last winter."}, s.said(query(t, "c:gardens author:ben")))
		require.Empty(t, s.said(query(t, "tag:web-design kind:text domain:example.org")), "a comment has none of these")
	})
	t.Run("sorts", func(t *testing.T) {
		q := query(t, "roses")
		q.Order = search.OrderNew
		got, _ := s.posts(q)
		require.Equal(t, []string{"A soup of roses", "Pruning roses in winter"}, got)
		s.Exec("UPDATE posts SET score = 12 WHERE id = ?1", int64(roses.ID))
		for _, order := range []data.Order{search.OrderTop, search.OrderRelevance} {
			q.Order, q.After, q.Limit = order, data.Cursor{}, 1
			first, next := s.posts(q)
			require.Equal(t, []string{"Pruning roses in winter"}, first)
			q.After = next
			second, next := s.posts(q)
			require.Equal(t, []string{"A soup of roses"}, second)
			require.True(t, next.IsZero())
		}
		q = query(t, "roses")
		q.Window = ranking.WindowHour
		got, _ = s.posts(q)
		require.Len(t, got, 2)
		*s.Clock = s.Clock.Add(2 * time.Hour)
		got, _ = s.posts(q)
		require.Empty(t, got)
	})
	t.Run("shows nothing that is gone", func(t *testing.T) {
		s.Exec("UPDATE comments SET status = 'removed' WHERE id = ?1", int64(said.ID))
		require.Empty(t, s.said(query(t, "froze")))
		s.Exec("UPDATE comments SET status = 'published' WHERE id = ?1", int64(said.ID))
		require.Len(t, s.said(query(t, "froze")), 1)
		s.Exec("UPDATE posts SET status = 'removed' WHERE id = ?1", int64(roses.ID))
		got, _ := s.posts(query(t, "pruning"))
		require.Empty(t, got)
		require.Empty(t, s.said(query(t, "froze")), "a comment of a thread that was removed")
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM search_posts WHERE search_posts MATCH 'pruning'"), "the index has forgotten it")
		s.Exec("UPDATE posts SET status = 'published' WHERE id = ?1", int64(roses.ID))
		got, _ = s.posts(query(t, "branches"))
		require.Len(t, got, 1)
		require.EqualValues(t, 0, s.One("SELECT count(*) FROM search_posts WHERE search_posts MATCH 'unfinished'"))
		s.Exec("UPDATE posts SET status = 'published' WHERE id = ?1", int64(draft.ID))
		got, _ = s.posts(query(t, "unfinished"))
		require.Len(t, got, 1)
		s.Exec("UPDATE posts SET status = 'deleted', title = '' WHERE id = ?1", int64(soup.ID))
		got, _ = s.posts(query(t, "soup"))
		require.Empty(t, got)
	})
	t.Run("follows edits", func(t *testing.T) {
		s.Exec("UPDATE post_texts SET text = 'Wear gloves.' WHERE post_id = ?1", int64(roses.ID))
		got, _ := s.posts(query(t, "branches"))
		require.Empty(t, got)
		got, _ = s.posts(query(t, "gloves"))
		require.Len(t, got, 1)
		s.Exec("UPDATE comments SET body = 'They came back.' WHERE id = ?1", int64(said.ID))
		require.Empty(t, s.said(query(t, "froze")))
		require.Len(t, s.said(query(t, "back")), 1)
	})
	t.Run("finds communities and members by the beginning of words", func(t *testing.T) {
		find := func(text string) (names []string) {
			r := s.DB.Read()
			found, people := s.search.FindCommunities(r, query(t, text), text), s.search.FindPeople(r, query(t, text), text)
			require.NoError(t, r.Run(storetest.Ctx))
			for _, c := range *found {
				names = append(names, "c/"+c.Name)
			}
			for _, p := range *people {
				names = append(names, "u/"+p.Name)
			}
			return names
		}
		require.Equal(t, []string{"c/Gardens"}, find("gard"))
		require.Equal(t, []string{"u/ann"}, find("an"))
		r := s.DB.Read()
		list := s.search.Suggest(r, "B")
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, []search.Suggestion{{Name: "ben", Person: true}}, *list)
		s.Exec("UPDATE users SET status = 'suspended' WHERE username = 'ann'")
		require.Empty(t, find("an"))
	})
}

func TestParse(t *testing.T) {
	for _, text := range []string{"", "   ", "!!!", `"`, `""`, `"" - * :`, "-", "author:", "https://example.org/a?b=c", "\u0301\u0301\u0301\u0301*", "iPhone京*"} {
		_, err := search.Parse(text)
		require.NoError(t, err, text)
	}
	for text, says := range map[string]string{"abc*": "4 letters", "a\u0301\u0301\u0301*": "4 letters",
		"long-a*": "4 letters", "-author:ann": "left out", "a b c d e f g h i j k l m": "12 words",
		`"a b c d e f g"`: "Six words", `-"a b c d e f g"`: "Six words", `"a b c d e f" "g h i j k l" m`: "12 words",
		"a.b.c.d.e.f.g.h.i.j.k.l.m": "12 words"} {
		_, err := search.Parse(text)
		storetest.CodeOf(t, err, data.Invalid, says)
	}
	w, err := search.Parse("a.b.c.d.e.f.gggg*")
	require.NoError(t, err)
	require.Equal(t, []search.Term{{Text: "a b c d e f"}, {Text: "gggg", Prefix: true}}, w.All, "an address")
	w, err = search.Parse(`don't "old wood" -"new wood" comp* author:"ann" domain:https://example.org OR`)
	require.NoError(t, err)
	require.Equal(t, []search.Term{{Text: "don t"}, {Text: "old wood"}, {Text: "comp", Prefix: true}, {Text: "OR"}}, w.All)
	require.Equal(t, []search.Term{{Text: "new wood"}}, w.None)
	require.Equal(t, map[string]string{"author": "ann", "domain": "example.org"}, w.Filters)
}

func TestSnippet(t *testing.T) {
	w, err := search.Parse("creme comp*")
	require.NoError(t, err)
	require.Equal(t, []search.Piece{{Text: "A "}, {"Crème", true}, {Text: " for "}, {"computers", true}, {Text: "."}},
		w.Snippet("A Crème for computers."))
	require.Equal(t, []search.Piece{{Text: "Nothing."}}, w.Snippet("Nothing."))
	require.Empty(t, w.Snippet(""))
}

// TestAddresses searches posts by their links: by a pasted address, a part of it, or a domain.
func TestAddresses(t *testing.T) {
	s := open(t)
	ann := s.Member("ann")
	s.Community(ann, "gardens")
	for title, link := range map[string]string{
		"video": "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42", "story": "https://blog.example.org/2024/05/a-story-of-roses/?utm_source=x",
		"page1": "https://app.example.net/#/page1", "page2": "https://app.example.net/#/page2", "cafe": "https://münchen.example/caf\u00e9/100%",
		"long": "https://example.com/one/two/three/four/five/six/seven/eight/nine/ten/eleven/twelve/thirteen/fourteen?id=15",
		"home": "https://example.org/", "same end": "https://other.example.com/2024/05/a-story-of-roses/",
	} {
		s.submit(ann, posts.Create{Community: "gardens", Title: title, Link: link})
	}
	s.submit(ann, posts.Create{Community: "gardens", Title: "text", Text: "See https://text.example.org/only/here?x=1 for more."})
	first := func(text string) []string {
		titles, _ := s.posts(query(t, text))
		if len(titles) == 0 && query(t, text).Link != "" { // as the page does
			q := query(t, text)
			q.Words, q.Link = q.Words.InWords(), ""
			titles, _ = s.posts(q)
		}
		slices.Sort(titles)
		return titles
	}
	for text, want := range map[string][]string{
		"https://www.youtube.com/watch?v=dQw4w9WgXcQ":                 {"video"},
		"https://youtu.be/dQw4w9WgXcQ?si=abc":                         {"video"},
		"youtube video dQw4w9WgXcQ":                                   {"video"},
		"https://youtu.be/aaaaaaaaaaa":                                {},
		"http://blog.example.org/2024/05/a-story-of-roses#end":        {"story"},
		"www.blog.example.org/2024/05/a-story-of-roses?fbclid=1":      {"story"},
		"HTTPS://BLOG.EXAMPLE.ORG/2024/05/a-story-of-roses":           {"story"},
		"https://blog.example.org/2024/05/":                           {"story"},
		"https://blog.example.org":                                    {"story"},
		"blog.example.org/2024":                                       {"story"},
		"https://other.example.com/2024/05/a-story-of-roses":          {"same end"},
		"2024/05/a-story":                                             {"same end", "story"},
		"a-story-of-roses":                                            {"same end", "story"},
		"roses":                                                       {"same end", "story"},
		"https://blog.example.org/2024/05/a-story-of-roses c:gardens": {"story"},
		"https://blog.example.org/2024/05/a-story-of-roses winter":    {},
		"https://app.example.net/#/page1":                             {"page1"},
		"https://app.example.net/#/page2/":                            {"page2"},
		"https://app.example.net/":                                    {"page1", "page2"},
		"https://MÜNCHEN.example/cafe\u0301/100%25":                   {"cafe"},
		"https://xn--mnchen-3ya.example/caf%C3%A9/100%":               {"cafe"},
		"café": {"cafe"},
		"https://example.com/one/two/three/four/five/six/seven/eight/nine/ten/eleven/twelve/thirteen/fourteen?id=15": {"long"},
		"https://example.com/one/two/three/four/five/six/seven/eight/nine/ten/eleven/twelve/thirteen":                {"long"},
		"https://example.com/" + strings.Repeat("none/", 100):                                                        {},
		"https://text.example.org/only/here?x=1":                                                                     {"text"},
		"https://text.example.org/only/":                                                                             {"text"},
		"https://example.org/":                                                                                       {"home"},
		"domain:example.org":                                                                                         {"home", "story"},
		"domain:blog.example.org":                                                                                    {"story"},
		"domain:www.Example.org/a":                                                                                   {"home", "story"},
		"domain:xample.org":                                                                                          {},
		"domain:münchen.example":                                                                                     {"cafe"},
		"site:MU\u0308NCHEN。example":                                                                                 {"cafe"},
		"domain:xn--mnchen-3ya.example":                                                                              {"cafe"},
		"domain:https://example.net/#/page1 page2":                                                                   {"page2"},
		"domain:org":        {},
		"example.org -blog": {"home", "text"},
	} {
		assert.Equal(t, want, first(text), text)
	}
	_, err := search.Parse("https://example.com/" + strings.Repeat("a", 1000) + " roses")
	require.NoError(t, err)
	_, err = search.Parse(strings.Repeat("a", 201))
	require.Error(t, err)
}
