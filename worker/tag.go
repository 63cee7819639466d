package worker

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/posts"
	"plaza/data/tags"
	"plaza/render"
)

const (
	// tagsPage is how many tags /tags lists.
	tagsPage = 50
	// tagOptions is how many tags the form of a post offers.
	tagOptions = 10
	// tagsBeside is how many tags a page offers together with its own.
	tagsBeside = 12
)

// showTag lists the posts that have the tags of the address, in one of the orders.
func (a *App) showTag(c *call) error {
	kept, err := tagsOfAddress(c)
	if err != nil {
		return err
	}
	names := tags.Split(kept)
	base := tagURL(names...)
	if asked := c.r.PathValue("tags"); asked != strings.Join(names, "+") { // one address for each list
		_, order, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/tag/"), "/")
		return c.redirect(strings.TrimSuffix(strings.TrimSuffix(base+"/"+order, "/")+"?"+c.r.URL.RawQuery, "?"))
	}
	r := c.read()
	a.communities.FollowColours(r)
	follows := new(bool)
	if len(names) == 1 {
		follows = a.tags.FindFollows(r, c.viewerID(), kept)
	}
	listing, err := a.findListing(c, r, base, "")
	if err != nil {
		return err
	}
	if err := c.run(r); err != nil {
		return err
	}
	if err := a.passHidden(c, &listing.Page); err != nil {
		return err
	}
	title := "#" + strings.Join(names, " #")
	if order := listing.title(); order != "" {
		title += ": " + order
	}
	p := render.TagPage{Names: names, CanFollow: len(names) == 1, Followed: *follows, With: tagsBesides(listing.Items(), names), Listing: a.listingView(c, listing, true)}
	if len(names) > 1 {
		for i, name := range names {
			p.Without = append(p.Without, render.Tag{Name: name, URL: tagURL(slices.Delete(slices.Clone(names), i, i+1)...)})
		}
	}
	p.Frame = c.frame(title, "Posts with the tags "+strings.Join(names, ", ")+".", listing.canonical(base))
	p.FeedURL = tagURL(names...) + "/new" + atomEnding
	p.NoIndex = len(p.Listing.Items) == 0 || len(names) > 1 // there are as many combinations as one likes to invent
	return show(c, http.StatusOK, render.TagView, p)
}

// tagsBesides are the tags that posts have besides those of their list, the most frequent first: lists with one tag more.
func tagsBesides(items []*posts.Post, names []string) (with []render.Tag) {
	if len(names) >= tags.CombinationMax {
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
		with = append(with, render.Tag{Name: name, URL: tagURL(append(slices.Clone(names), name)...)})
	}
	slices.SortFunc(with, func(a, b render.Tag) int { return cmp.Or(seen[b.Name]-seen[a.Name], strings.Compare(a.Name, b.Name)) })
	return with[:min(len(with), tagsBeside)]
}

// showTags lists the tags that are used most these days, or those that begin with ?q=.
func (a *App) showTags(c *call) error {
	typed := strings.TrimSpace(c.r.URL.Query().Get("q"))
	r := c.read()
	followed := a.tags.FindFollowed(r, c.viewerID())
	var found *tags.Tags
	if letters := tags.Letters(typed); letters != "" {
		found = a.tags.FindBeginning(r, letters, tagsPage)
	} else if typed == "" {
		found = a.tags.FindTrending(r, tagsPage)
	}
	if err := c.run(r); err != nil {
		return err
	}
	p := render.TagsPage{Typed: typed, Frame: c.frame("Tags", "What people post about.", "/tags")}
	if found != nil {
		for _, t := range found.Items() {
			p.Tags = append(p.Tags, render.Tag{Name: t.Name, URL: tagURL(t.Name), Posts: t.Posts})
		}
	}
	for _, name := range *followed {
		p.Followed = append(p.Followed, render.Tag{Name: name, URL: tagURL(name)})
	}
	p.NoIndex = typed != ""
	return show(c, http.StatusOK, render.Tags, p)
}

// followTag follows a tag, or stops. The page's script gets the button in its new state.
func (a *App) followTag(c *call) error {
	name, on := tags.Spell(c.value("tag")), c.value("on")
	if on != "0" && on != "1" {
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to follow and 0 to unfollow."}
	}
	if err := a.tags.Follow(c.r.Context(), *c.actor, name, on == "1"); err != nil {
		return err
	}
	if c.fragment() && !c.wantsJSON() {
		return c.page(http.StatusOK, render.FollowTagFragment(name, on == "1", back(c.value("return"))))
	}
	return c.done(back(c.value("return")), map[string]any{"tag": name, "on": on == "1"})
}

// suggestTags offers, to the field of a post's tags, those that begin with ?q=: a fragment.
func (a *App) suggestTags(c *call) error {
	var names []string
	r, found := c.read(), &tags.Tags{}
	if letters := tags.Letters(c.r.URL.Query().Get("q")); letters != "" {
		found = a.tags.FindBeginning(r, letters, tagOptions)
	}
	if err := c.run(r); err != nil {
		return err
	}
	for _, t := range found.Items() {
		names = append(names, t.Name)
	}
	return c.page(http.StatusOK, render.TagOptions(names))
}
