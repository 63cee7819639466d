package community

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/content/tags"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

const (
	// tagsPage is how many tags /tags lists.
	tagsPage = 50
	// tagOptions is how many tags the form of a post offers.
	tagOptions = 10
	// relatedMax is how many related tags the page of a tag offers.
	relatedMax = 12
)

// ShowTag lists the posts that have the tags of the address, in one of the orders.
func (h *Handlers) ShowTag(c *request.Call) error {
	kept, err := view.TagsOfAddress(c)
	if err != nil {
		return err
	}
	names := tags.Split(kept)
	base := request.TagURL(names...)
	if typed := c.R.PathValue("tags"); typed != strings.Join(names, "+") { // one address for each list
		_, order, _ := strings.Cut(strings.TrimPrefix(c.R.URL.Path, "/tag/"), "/")
		return c.Redirect(strings.TrimSuffix(strings.TrimSuffix(base+"/"+order, "/")+"?"+c.R.URL.RawQuery, "?"))
	}
	r := c.ReadMerged()
	h.Communities.FindColourChanges(r)
	follows := new(bool)
	if len(names) == 1 {
		follows = h.Tags.FindFollows(r, c.ViewerID(), kept)
	}
	listing, err := h.FindListing(c, r, base, "")
	if err != nil {
		return err
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if err := h.SkipHidden(c, &listing.Page); err != nil {
		return err
	}
	title := locale.Verbatim("#" + strings.Join(names, " #"))
	if order := listing.Title(); order != "" {
		title = locale.With("{}: {}", title, order)
	}
	p := pages.TagPage{Names: names, CanFollow: len(names) == 1, Followed: *follows, With: relatedTags(listing.Items(), names),
		Listing: h.ListingView(c, listing)}
	if len(names) > 1 {
		for i, name := range names {
			p.Without = append(p.Without, ui.Tag{Name: name, URL: request.TagURL(slices.Delete(slices.Clone(names), i, i+1)...)})
		}
	}
	p.Frame = c.PublicFrame(title, locale.With("Posts with the tags {}.", strings.Join(names, ", ")), listing.Canonical(base))
	p.Filtered = len(names) == 1 && view.Excludes(c, accounts.FilterTag, names[0])
	p.FeedURL = request.TagURL(names...) + "/new" + request.AtomEnding
	p.NoIndex = len(p.Listing.Items) == 0 || len(names) > 1 // crawlers would find endless combinations
	return request.Show(c, http.StatusOK, pages.TagView, p)
}

// relatedTags returns the other tags of a list's posts, the most frequent first. Each leads to a list with one tag more.
func relatedTags(items []*posts.Post, names []string) (with []ui.Tag) {
	if len(names) >= tags.ListingMax {
		return nil
	}
	seen := map[string]int{}
	for _, p := range items {
		for _, name := range p.Tags {
			if !slices.Contains(names, name) {
				seen[name]++
			}
		}
	}
	for name := range seen {
		with = append(with, ui.Tag{Name: name, URL: request.TagURL(append(slices.Clone(names), name)...)})
	}
	slices.SortFunc(with, func(a, b ui.Tag) int { return cmp.Or(seen[b.Name]-seen[a.Name], strings.Compare(a.Name, b.Name)) })
	return with[:min(len(with), relatedMax)]
}

// ShowTags lists the trending tags, or those that begin with ?q=.
func (h *Handlers) ShowTags(c *request.Call) error {
	typed := strings.TrimSpace(c.R.URL.Query().Get("q"))
	r := c.ReadMerged()
	followed := h.Tags.FindFollowed(r, c.ViewerID())
	var found *tags.Tags
	if letters := tags.Prefix(typed); letters != "" {
		found = h.Tags.FindByPrefix(r, letters, tagsPage)
	} else if typed == "" {
		found = h.Tags.FindTrending(r, tagsPage)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.TagsPage{Typed: typed, Frame: c.PublicFrame("Tags", "What people post about.", "/tags")}
	if found != nil {
		for _, t := range found.Items() {
			p.Tags = append(p.Tags, ui.Tag{Name: t.Name, URL: request.TagURL(t.Name), Posts: t.Posts})
		}
	}
	for _, name := range *followed {
		p.Followed = append(p.Followed, ui.Tag{Name: name, URL: request.TagURL(name)})
	}
	p.NoIndex = typed != ""
	return request.Show(c, http.StatusOK, pages.Tags, p)
}

// FollowTag follows a tag, or stops. The page's script gets the button in its new state.
func (h *Handlers) FollowTag(c *request.Call) error {
	name := tags.Spell(c.Value("tag"))
	on, err := request.On(c)
	if err != nil {
		return err
	}
	if err := h.Tags.Follow(c.R.Context(), *c.Actor, name, on); err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return c.Page(http.StatusOK, ui.FollowTagFragment(name, on, request.Back(c.Value("return"))))
	}
	return c.Done(request.Back(c.Value("return")), map[string]any{"tag": name, "on": on})
}

// SuggestTags is a fragment for the field of a post's tags: the tags that begin with ?q=.
func (h *Handlers) SuggestTags(c *request.Call) error {
	var names []string
	r, found := c.ReadMerged(), &tags.Tags{}
	if letters := tags.Prefix(c.R.URL.Query().Get("q")); letters != "" {
		found = h.Tags.FindByPrefix(r, letters, tagOptions)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	for _, t := range found.Items() {
		names = append(names, t.Name)
	}
	return c.Page(http.StatusOK, pages.TagOptions(names))
}
