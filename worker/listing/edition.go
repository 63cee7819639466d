package listing

import (
	"net/http"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/lists/editions"
	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// editionQuote is how many characters an edition quotes of a comment.
const editionQuote = 280

var errNoEdition = &data.Error{Code: data.NotFound, Message: "There is no such edition."}

// EditionSchedule returns when editions come out.
func EditionSchedule(set *site.Settings) editions.Schedule {
	switch set.Editions {
	case site.EditionsTwice:
		return editions.Schedule{Hours: []int{set.EditionHour, set.EditionHour + site.EditionGap}}
	case site.EditionsDaily:
		return editions.Schedule{Hours: []int{set.EditionHour}}
	case site.EditionsWeekly:
		return editions.Schedule{Hours: []int{set.EditionHour}, Weekly: true}
	}
	return editions.Schedule{}
}

// editionNames are what the site calls editions, by their part of the day.
var editionNames = map[string]locale.Text{"morning": "Morning edition", "evening": "Evening edition"}

// ShowEdition is the last edition, or the one that the address names.
func (h *Handlers) ShowEdition(c *request.Call) error {
	var number editions.Number
	if day := c.R.PathValue("day"); day != "" {
		if number = editions.Parse(day, c.R.PathValue("half")); number == 0 {
			return errNoEdition
		}
	}
	shown, err := h.showEdition(c, number)
	if err == nil && !shown {
		return errNoEdition
	}
	return err
}

// beginsWithEdition reports whether the caller's front page is the edition: they have chosen it, or the site has for visitors.
// Until this instance has read the settings, those of the site are the defaults.
func (h *Handlers) beginsWithEdition(c *request.Call) bool {
	if c.Format != nil || c.ByToken || c.R.URL.Path != "/" || c.R.URL.Query().Has("after") {
		return false
	}
	switch {
	case c.Site().Editions == site.EditionsNever:
		return false
	case c.Actor != nil:
		return c.DefaultOrders().Front == accounts.EditionFirst
	}
	density := c.Display().Density
	return density == accounts.EditionFirst || density == "" && c.Site().Front == site.FrontEdition
}

// showEdition sends the page of an edition, or of the last one for 0, at its own address or as the front page. It reports false, and sends
// nothing, if there is none.
func (h *Handlers) showEdition(c *request.Call, number editions.Number) (shown bool, _ error) {
	r := c.ReadMerged()
	edition, err := h.Editions.Find(c.R.Context(), r, number, c.ViewerID())
	if err != nil {
		return false, err
	}
	h.Communities.FindColourChanges(r)
	if err := c.Run(r); err != nil || edition.Number == 0 {
		return false, err
	}
	p := pages.EditionPage{Name: editionNames[edition.Number.Part()], PublishedAt: edition.PublishedAt,
		ListURL: "/" + data.ListingOrders[0].Name}
	if c.Actor != nil {
		p.ListURL = request.YoursHot
	}
	if edition.Earlier != 0 {
		p.EarlierURL = edition.Earlier.URL()
	}
	if edition.Later != 0 {
		p.LaterURL = edition.Later.URL()
	}
	for _, post := range h.editionPosts(c, edition) {
		item := view.PostItem(c, post)
		if edition.InFront(post.ID) {
			p.Front++
		}
		if c.Actor != nil && !item.Seen && !c.IsViewer(post.AuthorID) {
			p.Unread++
		}
		p.Items = append(p.Items, item)
	}
	if q, lead := edition.Quote, edition.Lead(); q != nil && lead != nil && len(p.Items) > 0 &&
		p.Items[0].ID == lead.ID.Text() && !c.Blocks(q.AuthorID) {
		p.Quote = quoteView(c, q, lead)
	}
	if c.R.URL.Path == "/" {
		p.Frame = c.PublicFrame("", h.About(), "/")
	} else {
		p.Frame = c.PublicFrame(locale.With("{}, {}", p.Name, locale.Day(edition.Number.Day())), h.About(), edition.Number.URL())
	}
	p.Empty = c.Empty(ui.Nothing("The posts of this edition are gone, or you have hidden them.", "Front page", "/"))
	p.FeedURL = "/edition" + request.AtomEnding
	return true, request.Show(c, http.StatusOK, pages.Edition, p)
}

// quoteView makes the view of a quote; nil if it has no words that everybody may read.
func quoteView(c *request.Call, q *editions.Quote, lead *posts.Post) *pages.EditionQuote {
	text := markdown.PlainExcerpt(q.Text, editionQuote)
	if text == "" || q.Author == "" {
		return nil
	}
	return &pages.EditionQuote{Author: q.Author, Score: c.Score(q.Ups, q.Downs, 0, c.Exact(lead.Community)), Text: text,
		URL: lead.URL() + "/" + q.ID.Text()}
}

// editionPosts returns the posts of an edition without those that the viewer does not want to see.
func (h *Handlers) editionPosts(c *request.Call, edition *editions.Edition) (shown []*posts.Post) {
	list, _ := view.Filter(c, edition.Posts(), "", "")
	for _, p := range list {
		if p.Hidden || p.NSFW && c.Choices().NSFW == accounts.HideNSFW || c.Blocks(p.AuthorID) {
			continue
		}
		shown = append(shown, p)
	}
	return shown
}
