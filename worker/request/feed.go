package request

import (
	"fmt"

	"plaza/locale"
	communitypages "plaza/render/community"
	"plaza/render/feeds"
	listingpages "plaza/render/listing"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/api"
)

const (
	AtomEnding = ".atom"
	AtomType   = "application/atom+xml; charset=utf-8"
	SiteFeed   = "/new" + AtomEnding // the newest posts of the whole site
)

// encodeFeed writes the view model of a page as an Atom feed. What the page does not show is not in the feed either.
func encodeFeed(view any) ([]byte, error) {
	feed, err := feedOf(view)
	if err != nil {
		return nil, err
	}
	return ui.Bytes(locale.English, feeds.FeedXML(feed))
}

// feedOf returns the feed of a page's posts or comments.
func feedOf(view any) (f feeds.Feed, err error) {
	begin := func(frame *ui.Frame, next string) {
		f = feeds.NewFeed(frame, api.Address(frame.Path, AtomEnding), api.Address(next, AtomEnding))
	}
	switch p := view.(type) {
	case listingpages.FrontPage:
		begin(&p.Frame, p.Listing.NextURL)
		f.AddPosts(p.Listing.Items)
	case listingpages.EditionPage:
		begin(&p.Frame, "")
		err = f.AddEdition(p.Canonical, p.Title.String(), p.PublishedAt, p.Items)
	case communitypages.CommunityPage:
		begin(&p.Frame, p.Listing.NextURL)
		f.AddPosts(p.Listing.Items)
	case communitypages.TagPage:
		begin(&p.Frame, p.Listing.NextURL)
		f.AddPosts(p.Listing.Items)
	case listingpages.ProfilePage:
		begin(&p.Frame, p.NextURL)
		f.AddPosts(p.Posts)
		for i := range p.Comments {
			f.AddComment(p.Comments[i].PostTitle, &p.Comments[i].Comment)
		}
	case postpages.PostPage:
		begin(&p.Frame, "")
		if !p.Permalink {
			f.AddPost(&p.Post, p.TextHTML)
		}
		f.AddThread(p.Title.String(), p.Comments)
	default:
		err = fmt.Errorf("no feed is made of %T", view)
	}
	return f, err
}
