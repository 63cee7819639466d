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

const (
	// editionQuote is how many characters an edition quotes of a comment.
	editionQuote = 280
	// editionJoined is how many of the member's communities an edition can mark.
	editionJoined = 200

	editionURL    = "/edition"       // the site's last one
	ownEditionURL = "/edition/yours" // the member's
)

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

// editionNames are what the site calls editions, by their part of the day. ownEditionNames are of members' own.
var (
	editionNames    = map[string]locale.Text{"morning": "Morning edition", "evening": "Evening edition"}
	ownEditionNames = map[string]locale.Text{"morning": "Your morning edition", "evening": "Your evening edition"}
)

// ShowEdition is the last edition of the site, or the one that the address names.
func (h *Handlers) ShowEdition(c *request.Call) error { return h.editionPage(c, false) }

// ShowOwnEdition is the same of the caller's own editions.
func (h *Handlers) ShowOwnEdition(c *request.Call) error { return h.editionPage(c, true) }

func (h *Handlers) editionPage(c *request.Call, own bool) error {
	var number editions.Number
	if day := c.R.PathValue("day"); day != "" {
		if number = editions.Parse(day, c.R.PathValue("half")); number == 0 {
			return errNoEdition
		}
	}
	shown, err := h.showEdition(c, number, own)
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

// showEdition sends the page of an edition, or of the last one for 0, at its own address or as the front page. own asks for the caller's
// own; without one they see the site's last. It reports false, and sends nothing, if there is none.
func (h *Handlers) showEdition(c *request.Call, number editions.Number, own bool) (shown bool, _ error) {
	r := c.ReadMerged()
	edition, err := h.Editions.Find(c.R.Context(), r, number, c.ViewerID(), own)
	if err != nil {
		return false, err
	}
	h.Communities.FindColourChanges(r)
	joined := h.Communities.FindJoined(r, c.ViewerID(), editionJoined)
	if err := c.Run(r); err != nil || edition.Number == 0 {
		return false, err
	}
	p := pages.EditionPage{Name: editionNames[edition.Number.Part()], Own: edition.Own, PublishedAt: edition.PublishedAt,
		ListURL: "/" + data.ListingOrders[0].Name}
	if edition.Own {
		p.Name = ownEditionNames[edition.Number.Part()]
	}
	if c.Actor != nil {
		p.ListURL = request.YoursHot
		p.Scopes = []ui.Tab{{Label: "Yours¦posts", URL: ownEditionURL, Active: own}, {Label: "All¦posts", URL: editionURL, Active: !own}}
	}
	address := editions.Number.URL
	if edition.OwnNeighbours {
		address = editions.Number.OwnURL
	}
	if edition.Earlier != 0 {
		p.EarlierURL = address(edition.Earlier)
	}
	if edition.Later != 0 {
		p.LaterURL = address(edition.Later)
	}
	for _, post := range h.editionPosts(c, edition) {
		item := view.PostItem(c, post)
		if is, known := joined.Has(post.Community); is {
			p.Joined = append(p.Joined, post.Community)
		} else if known && c.Actor != nil {
			p.Joinable = append(p.Joinable, post.Community)
		}
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
	switch title := locale.With("{}, {}", p.Name, locale.Day(edition.Number.Day())); {
	case c.R.URL.Path == "/":
		p.Frame = c.PublicFrame("", h.About(), "/")
	case own:
		p.Frame = c.Frame(title)
	default:
		p.Frame = c.PublicFrame(title, h.About(), edition.Number.URL())
	}
	p.Empty = c.Empty(ui.Nothing("The posts of this edition are gone, or you have hidden them.", "Front page", "/"))
	if own && !edition.Own {
		p.Note = "There is no edition of your own this time. This is the one for everyone, with your communities marked."
	}
	p.FeedURL = editionURL + request.AtomEnding
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
