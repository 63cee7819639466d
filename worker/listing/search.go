package listing

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/data/lists/search"
	"plaza/data/names"
	"plaza/locale"
	"plaza/ranking"
	pages "plaza/render/listing"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// searchPage is how many results a page of a search shows.
const searchPage = 25

// searchTags is how many trending tags the page shows before a search.
const searchTags = 12

// searchTypes are the types of results. An address without a type searches for posts.
var searchTypes = []struct {
	name  string
	label locale.Text
}{{"", "Posts"}, {"comments", "Comments"}, {"communities", "Communities"}, {"people", "Members"}}

// searchOrders are the orders of found posts and comments. An address without an order has the first.
var searchOrders = []struct {
	name  string
	label locale.Text
	order data.Order
}{{"", "Relevance", search.OrderRelevance}, {"new", "New", search.OrderNew}, {"top", "Top", search.OrderTop}}

// searchFields are the parameters of a search that a form has, in the order of its address.
var searchFields = []string{"q", "type", "sort", "t", "community", "author", "kind", "tag", "domain"}

// searchFilters are the labels of a search's filters.
var searchFilters = map[string]locale.Text{"community": "community: {}", "author": "author: {}", "tag": "tag: {}", "domain": "domain: {}"}

// searchRequest is a search as its address describes it.
type searchRequest struct {
	search.Query
	form ui.Form
	typ  string // one of searchTypes
	sort string // one of searchOrders
	url  url.Values
}

// readSearch reads the address of a search. The error is Invalid; the form has what was typed all the same.
func readSearch(c *request.Call) (*searchRequest, error) {
	values := c.R.URL.Query()
	s := &searchRequest{form: ui.Form{Values: map[string]string{}, Errors: map[string]locale.Text{}}, url: url.Values{},
		typ: values.Get("type"), sort: values.Get("sort")}
	if s.typ == "posts" { // the default
		s.typ = ""
	}
	for _, name := range searchFields {
		if v := strings.TrimSpace(values.Get(name)); v != "" && (name != "type" || s.typ != "") {
			s.form.Values[name] = v
			s.url.Set(name, v)
		}
	}
	words, err := search.Parse(s.form.Values["q"])
	if err != nil {
		return s, err
	}
	filter := func(name string) string { return cmp.Or(words.Filters[name], search.Filter(name, s.form.Values[name])) }
	s.Query = search.Query{Words: words, Community: filter("community"), Author: filter("author"), Kind: filter("kind"), Tag: filter("tag"),
		Domain: filter("domain"), Link: words.Link,
		Limit: searchPage, Viewer: c.ViewerID(), Order: 0}
	remove := func(name string) {
		delete(s.form.Values, name)
		s.url.Del(name)
	}
	if s.sort == "relevance" { // the default
		s.sort = ""
		remove("sort")
	}
	for _, o := range searchOrders {
		if o.name == s.sort {
			s.Order = o.order
		}
	}
	if s.Order == 0 {
		if err := c.Unknown("sort", "What was found is sorted by relevance, new or top."); err != nil {
			return s, err
		}
		s.sort, s.Order = "", search.OrderRelevance
		remove("sort")
	}
	askedBefore := s.HasTerms()
	if s.typ == "comments" { // which have none of these
		s.Kind, s.Tag, s.Domain = "", "", ""
		s.addressInWords()
	}
	known := false
	for _, t := range searchTypes {
		known = known || t.name == s.typ
	}
	var ok bool
	if s.Window, ok = ranking.ParseWindow(cmp.Or(s.form.Values["t"], string(ranking.WindowAll))); !ok {
		if err := view.UnknownWindow(c); err != nil {
			return s, err
		}
		s.Window = ranking.WindowAll
		remove("t")
	}
	switch {
	case !known:
		return s, data.Mistake("type", "The type is posts, comments, communities or people.")
	case s.Kind != "" && s.Kind != "text" && s.Kind != "link" && s.Kind != "image":
		return s, data.Mistake("kind", "A post is of the kind text, link or image.")
	case len(words.None) > 0 && !s.HasTerms():
		return s, data.Mistake("q", "Please add a word to search for.")
	case askedBefore && !s.HasTerms():
		return s, data.Mistake("q", "Comments have no kind, tag or domain. Please write a word to search for.")
	case words.Empty() && strings.TrimSpace(s.form.Values["q"]) != "" && !s.HasTerms():
		return s, data.Mistake("q", "Please write a word to search for.")
	}
	s.After, err = data.ParseCursor(byte(s.Order), values.Get("after"))
	return s, err
}

// addressInWords searches for the words of a pasted address, instead of the address.
func (s *searchRequest) addressInWords() {
	if s.Link != "" {
		s.Words, s.Link = s.Words.InWords(), ""
	}
}

// address returns the address of the search with other parameters, given as names and values; "" removes one.
func (s *searchRequest) address(changes ...string) string {
	to := maps.Clone(s.url)
	for i := 0; i < len(changes); i += 2 {
		to.Set(changes[i], changes[i+1])
	}
	var b strings.Builder
	for _, name := range append(searchFields[:len(searchFields):len(searchFields)], "after") {
		if v := to.Get(name); v != "" {
			b.WriteString(map[bool]string{true: "?", false: "&"}[b.Len() == 0])
			b.WriteString(name + "=" + url.QueryEscape(v))
		}
	}
	return "/search" + b.String()
}

// ShowSearch is the page of a search, with its results.
func (h *Handlers) ShowSearch(c *request.Call) error {
	s, problem := readSearch(c)
	for _, m := range data.Mistakes(problem) {
		if m.Field != "q" {
			return problem
		}
		s.form.Errors["q"] = m.Message
	}
	if problem != nil && c.WantsJSON() {
		return problem
	}
	r := c.ReadMerged()
	fill, found := func(*pages.SearchPage) {}, false
	inDirectory := s.typ == "communities" || s.typ == "people"
	if problem == nil && (s.HasTerms() && !inDirectory || len(s.Words.All) > 0) {
		fill, found = h.find(c, r, s), true
	}
	var trending *tags.Tags
	if !found && problem == nil {
		trending = h.Tags.FindTrending(r, searchTags)
	}
	if err := h.runSearch(c, s.Words.Expensive() && !inDirectory, func() error { return c.Run(r) }); err != nil {
		return err
	}
	title := locale.Text("Search")
	if q := s.form.Values["q"]; q != "" {
		title = locale.With("{} · Search", q)
	}
	p := pages.SearchPage{Frame: c.Frame(title), Form: s.form, Type: s.typ}
	for _, t := range searchTypes {
		p.Tabs = append(p.Tabs, ui.Tab{Label: t.label, URL: s.address("type", t.name, "sort", ""), Active: t.name == s.typ})
	}
	if trending != nil {
		for _, t := range trending.Items() {
			p.Trending = append(p.Trending, ui.Tag{Name: t.Name, URL: request.TagURL(t.Name)})
		}
	}
	if !inDirectory {
		h.filters(&p, s)
	}
	fill(&p)
	if found && s.Link != "" && len(p.Posts) == 0 { // it may be a part of an address, or be in texts
		s.addressInWords()
		more := c.ReadMore()
		fill = h.find(c, more, s)
		if err := h.runSearch(c, s.Words.Expensive(), func() error { return c.RunMore(more) }); err != nil {
			return err
		}
		fill(&p)
		p.Partial = c.Partial()
	}
	if found && c.Format == nil && !inDirectory && s.After.IsZero() && p.NextURL == "" && len(p.Posts)+len(p.Comments) < fewFound {
		h.respell(c, s, &p)
		p.Partial = c.Partial() // respell has read more
	}
	if !s.After.IsZero() {
		p.FirstURL = s.address()
	}
	if p.Empty.Says != "" && p.NextURL == "" && !inDirectory {
		p.Empty = c.Empty(p.Empty)
	}
	if tooMuch := p.Form.Errors["q"]; problem == nil && tooMuch != "" { // known only after the search
		p.Empty = ui.Empty{}
		if problem = data.Mistake("q", tooMuch); c.WantsJSON() {
			return problem
		}
	}
	if problem != nil {
		return request.Show(c, http.StatusBadRequest, pages.Search, p)
	}
	return request.Show(c, http.StatusOK, pages.Search, p)
}

// filters puts the orders, times and filters of posts and comments into the page, with the addresses that choose or end them.
func (h *Handlers) filters(p *pages.SearchPage, s *searchRequest) {
	for _, o := range searchOrders {
		p.Orders = append(p.Orders, ui.Tab{Label: o.label, URL: s.address("sort", o.name), Active: o.name == s.sort})
	}
	t := s.form.Values["t"]
	p.Times = []ui.Tab{{Label: "Any time", URL: s.address("t", ""), Active: t == ""}}
	for _, w := range view.ListingWindows[:len(view.ListingWindows)-1] {
		p.Times = append(p.Times, ui.Tab{Label: w.Past, URL: s.address("t", string(w.Window)),
			Active: string(w.Window) == t})
	}
	fields := []string{"community", "author"}
	if s.typ == "" {
		for _, k := range []ui.Option{{Value: "", Label: "Any kind"}, {Value: "text", Label: "Text"}, {Value: "link", Label: "Link"},
			{Value: "image", Label: "Image"}} {
			p.Kinds = append(p.Kinds, ui.Tab{Label: k.Label, URL: s.address("kind", k.Value), Active: s.form.Values["kind"] == k.Value})
		}
		fields = append(fields, "tag", "domain")
	}
	for _, name := range fields {
		if v := s.form.Values[name]; v != "" {
			p.Filters = append(p.Filters, ui.Tab{Label: locale.With(searchFilters[name], v), URL: s.address(name, "")})
		}
	}
}

// find reads the results of a search along with its page. The function that it returns puts them into the page, after Call.Run.
func (h *Handlers) find(c *request.Call, r *data.Read, s *searchRequest) func(*pages.SearchPage) {
	nothing := ui.Nothing("Nothing found. Try fewer or other words.", "All communities", "/communities")
	if all := s.address("community", "", "author", "", "tag", "", "domain", "", "kind", "", "t", ""); all != s.address() {
		nothing.Next = ui.Tab{Label: "Search without filters", URL: all}
	}
	switch s.typ {
	case "communities":
		list := h.Search.FindCommunities(r, s.Query, s.form.Values["q"])
		return func(p *pages.SearchPage) { p.Communities, p.Empty = view.CommunityItems(*list), nothing }
	case "people":
		list := h.Search.FindPeople(r, s.Query, s.form.Values["q"])
		return func(p *pages.SearchPage) {
			p.Empty = nothing
			for _, m := range *list {
				p.People = append(p.People, ui.Person{Name: m.Name, Followers: m.Followers, Followed: m.Followed, IsSelf: m.ID == c.ViewerID()})
			}
		}
	}
	h.Communities.FindColourChanges(r)
	if s.typ == "comments" {
		page := h.Search.FindComments(r, s.Query)
		return func(p *pages.SearchPage) {
			for _, m := range page.Items() {
				if !excludes(c, &m.Post) {
					p.Comments = append(p.Comments, foundComment(c, &m, &s.Words))
				}
			}
			searchFrame(p, s, page.Next(), nothing)
			explainSearch(p, &page.Weighed, page.Ranked, page.More)
		}
	}
	page := h.Search.FindPosts(r, s.Query)
	return func(p *pages.SearchPage) {
		var list []*posts.Post
		var texts []string
		for _, m := range page.Items() {
			if !excludes(c, m.Post) {
				list, texts = append(list, m.Post), append(texts, m.Text)
			}
		}
		p.Posts = view.PostItems(c, list)
		for i, text := range texts {
			if !list[i].Spoiler {
				p.Posts[i].Found = found(&s.Words, text)
			}
		}
		searchFrame(p, s, page.Next(), nothing)
		explainSearch(p, &page.Weighed, page.Ranked, page.More)
	}
}

// explainSearch tells the user which words were left out, whether there are more matches than were ranked, and why a search was refused.
func explainSearch(p *pages.SearchPage, j *search.Weighed, ranked int, more bool) {
	p.LeftOut, p.Best, p.More = j.Omitted, ranked, more
	if text := j.Refusal(); text != "" {
		p.Form.Errors["q"] = text
	}
}

// searchFrame sets the address of the next page, and the text for no results.
func searchFrame(p *pages.SearchPage, s *searchRequest, next data.Cursor, nothing ui.Empty) {
	p.Empty = nothing
	if !next.IsZero() {
		p.NextURL, p.Empty.Says = s.address("after", next.String()), view.NothingLeft
	}
}

// excludes reports whether the caller's choices hide a post and its comments.
func excludes(c *request.Call, p *posts.Post) bool {
	return p.NSFW && c.Choices().NSFW == accounts.HideNSFW
}

func foundComment(c *request.Call, m *search.Comment, words *search.Words) pages.FoundComment {
	votes := c.Votes(m.ID, m.Ups, m.Downs, m.MyVote, c.Exact(m.Post.Community))
	votes.Closed = m.Post.Locked || m.Post.StatusAt(c.At, c.Site().ArchiveAge()) != "published"
	return pages.FoundComment{ID: m.ID.Text(), Votes: votes, URL: m.URL(), PostTitle: m.Post.Title, Community: m.Post.Community,
		Colour: c.Colour(m.Post.Community), Icon: c.Icon(m.Post.Community),
		Author: m.Author, Avatar: view.AvatarOf(m.AuthorAvatar), CreatedAt: m.CreatedAt, EditedAt: m.EditedAt, Found: found(words, m.Text),
		Blocked: c.Blocks(m.AuthorID), Warned: m.Post.NSFW && c.Choices().NSFW != accounts.ShowNSFW}
}

// foundLen is how many characters of a text are searched for a snippet.
const foundLen = 2000

// found returns the snippet of a text in Markdown that shows the found words.
func found(words *search.Words, text string) (pieces []ui.Piece) {
	for _, p := range words.Snippet(markdown.PlainExcerpt(text, foundLen)) {
		pieces = append(pieces, ui.Piece(p))
	}
	return pieces
}

// Suggest returns communities and members whose names begin with what is typed, for the script of the search page.
func (h *Handlers) Suggest(c *request.Call) error {
	text := strings.TrimSpace(c.R.URL.Query().Get("q"))
	text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "/"), "c/"), "u/")
	var list []pages.Suggestion
	r := c.Read()
	suggested := &[]search.Suggestion{}
	if len(text) > 1 && len(text) <= names.Community.Longest {
		suggested = h.Search.Suggest(r, text)
		h.Communities.FindColourChanges(r)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	for _, s := range *suggested {
		list = append(list, pages.Suggestion{Name: s.Name, Colour: s.Colour, Icon: s.Icon, Avatar: view.AvatarOf(s.Avatar), Members: s.Members,
			Person: s.Person})
	}
	return request.Show(c, http.StatusOK, pages.SuggestionsFragment, list)
}
