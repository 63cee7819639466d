package moderation

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/moderation/reports"
	"plaza/locale"
	"plaza/render/markdown"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

const (
	// queuePage is how many things a page of a moderators' queue shows.
	queuePage = 25
	// queueExcerpt is how many characters it shows of a comment.
	queueExcerpt = 500
)

// queuePlace is which page of a queue an address asks for.
type queuePlace struct {
	filter reports.Filter
	order  data.Order
	after  data.Cursor
}

// address is the address of a place in a queue.
func (p queuePlace) address(queue string) string {
	q := url.Values{}
	if p.filter != reports.Everything {
		q.Set("show", string(p.filter))
	}
	if p.order == reports.Most {
		q.Set("sort", "most")
	}
	if !p.after.IsZero() {
		q.Set("after", p.after.String())
	}
	if len(q) == 0 {
		return queue
	}
	return queue + "?" + q.Encode()
}

// queuePlaceOf reads the filter, the order and the place of a page of a queue.
func queuePlaceOf(c *request.Call) (p queuePlace, err error) {
	p.order = reports.Newest
	switch f := reports.Filter(c.R.URL.Query().Get("show")); f {
	case reports.Reported, reports.Held, reports.Hit:
		p.filter = f
	}
	if c.R.URL.Query().Get("sort") == "most" && (p.filter == reports.Everything || p.filter == reports.Reported) {
		p.order = reports.Most
	}
	p.after, err = data.ParseCursor(byte(p.order), c.R.URL.Query().Get("after"))
	return p, err
}

// ShowModQueue is what waits for the moderators of a community.
func (h *Handlers) ShowModQueue(c *request.Call) error { return h.modQueuePage(c, http.StatusOK, nil) }

// modQueuePage shows the queue of a community. refused is why a decision was not carried out, if it was not.
func (h *Handlers) modQueuePage(c *request.Call, status int, refused error) error {
	at, err := queuePlaceOf(c)
	if err != nil {
		return err
	}
	name := c.R.PathValue("community")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	page, counts := h.Reports.FindQueue(r, name, at.filter, at.order, at.after, queuePage), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 {
		return request.ErrNoCommunity
	}
	p := pages.ModQueuePage{Community: view.CommunityView(community), Rules: view.RulesOf(c, community)}
	h.fillQueue(c, &p, page, request.ModQueueURL(community.Name), at, refused)
	p.Nav = view.ModNav(c, p.Community, counts, request.ModQueueURL(community.Name))
	p.CanBan = c.Viewer.Moderates(community.Name) && !data.IsProfile(community.Name)
	p.Frame = c.Frame(locale.With("Queue of c/{}", community.Name))
	return request.Show(c, status, pages.ModQueue, p)
}

// ShowAllQueues is what waits in all communities that the member moderates; for administrators, everything that waits.
func (h *Handlers) ShowAllQueues(c *request.Call) error {
	return h.allQueuesPage(c, http.StatusOK, nil)
}

func (h *Handlers) allQueuesPage(c *request.Call, status int, refused error) error {
	at, err := queuePlaceOf(c)
	if err != nil {
		return err
	}
	r := c.ReadMerged()
	m := reports.Moderator{ID: c.ViewerID()}
	one := !h.DB.HasShards()
	var page *data.Page[*reports.Item]
	if one {
		page = h.Reports.FindAll(r, m, at.filter, at.order, at.after, queuePage)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if !one { // shards don't know who moderates
		r := c.ReadMore()
		m.Admin, m.Communities = c.Viewer.Admin, c.Viewer.Moderated()
		page = h.Reports.FindAll(r, m, at.filter, at.order, at.after, queuePage)
		if err := c.RunMore(r); err != nil {
			return err
		}
	}
	p := pages.ModQueuePage{Rules: view.RulesOf(c, nil)}
	h.fillQueue(c, &p, page, request.AllQueuesURL, at, refused)
	for _, i := range page.Items() {
		tab := ui.Tab{Label: locale.With("Ban authors in c/{}", i.Community), URL: request.AuthorsURL(i.Community)}
		if i.Community != "" && !data.IsProfile(i.Community) && c.Viewer.Moderates(i.Community) && !slices.Contains(p.Authors, tab) {
			p.Authors = append(p.Authors, tab)
		}
	}
	p.Nav = view.SiteModNav(c, request.AllQueuesURL)
	p.Frame = c.Frame("Queue")
	return request.Show(c, status, pages.ModQueue, p)
}

// fillQueue fills what the queues of a community and of all communities have in common.
func (h *Handlers) fillQueue(c *request.Call, p *pages.ModQueuePage, page *data.Page[*reports.Item], address string, place queuePlace,
	refused error) {
	for _, f := range []struct {
		filter reports.Filter
		label  locale.Text
	}{{reports.Everything, "Everything"}, {reports.Reported, "Reported"}, {reports.Held, "Held"}, {reports.Hit, "Hit by rules"}} {
		p.Filters = append(p.Filters, ui.Tab{Label: f.label, URL: queuePlace{filter: f.filter}.address(address),
			Active: f.filter == place.filter})
	}
	if place.filter == reports.Everything || place.filter == reports.Reported {
		p.Orders = []ui.Tab{{Label: "Newest", URL: queuePlace{filter: place.filter}.address(address), Active: place.order == reports.Newest},
			{Label: "Most reported", URL: queuePlace{filter: place.filter, order: reports.Most}.address(address),
				Active: place.order == reports.Most}}
	}
	p.Action = place.address(address)
	if !place.after.IsZero() {
		p.FirstURL = queuePlace{filter: place.filter, order: place.order}.address(address)
	}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = queuePlace{place.filter, place.order, next}.address(address)
	}
	if n, err := strconv.Atoi(c.R.URL.Query().Get("done")); err == nil && n > 0 && request.SafeMethod(c.R.Method) {
		if p.Undo = undoable(c); len(p.Undo) == 0 {
			c.Flash = locale.With("{} decided.", n)
		}
	}
	p.Form = c.Typed("text")
	if refused != nil {
		p.Form = request.Wrong(p.Form, refused)
	}
	_, about, _, _ := oneDecision(c.Value(decideOne))
	for _, i := range page.Items() {
		v := pages.QueueItem{ID: i.Target.Text(), Community: i.Community, URL: i.URL(), Title: i.Title, Author: i.Author,
			Comment:    i.Target.IsComment() && i.Community != "",
			Reputation: string(i.Reputation.Level()),
			Link:       i.Link, Excerpt: i.Text, Reports: i.Reports, Weight: i.Weight, Held: i.Held, Rules: i.Rules, At: i.CameAt, Words: i.Words,
			Ticked: slices.Contains(c.Form["target"], i.Target.Text())}
		if i.Community != "" && i.Author != "" && !data.IsProfile(i.Community) && c.Viewer.Moderates(i.Community) {
			v.BanURL = request.BansURL(i.Community) + "?user=" + url.QueryEscape(i.Author)
		}
		if i.Community != "" {
			v.CardURL = request.CardURL(i.Community, i.AuthorID, i.Author)
		}
		if i.Community != "" {
			v.Offered = offered(c, i)
		} else {
			v.Reputation = ""
		}
		if v.ID == about && refused != nil { // it is said where the button was
			v.Problem, v.Note, p.Form.Errors = request.MessageOf(refused), c.Value(noteField(v.ID)), nil
		}
		if v.Comment {
			v.Excerpt = markdown.PlainExcerpt(i.Text, queueExcerpt)
		}
		v.Pictures = view.PostPictures(i.Pictures)
		v.CanBlock = len(v.Pictures) > 0 && c.Viewer.Moderates(i.Community)
		v.CanBlockOnSite = len(v.Pictures) > 0 && c.Viewer.Admin
		v.Block = c.Form[blockField(v.ID)]
		for _, reason := range i.Reasons {
			v.Reasons = append(v.Reasons, pages.QueueReason{Title: reason.Title, Reports: reason.Reports})
		}
		p.Items = append(p.Items, v)
	}
}

// undoable are the ids of what was decided right before, as the address names them.
func undoable(c *request.Call) (ids []string) {
	for _, text := range strings.Fields(c.R.URL.Query().Get("undo")) {
		if id, err := data.ParseID(text); err == nil && len(ids) < reports.TargetsMax {
			ids = append(ids, id.Text())
		}
	}
	return ids
}

// offered are the rules for which a thing can be removed: first those for which it was reported, the most frequent first.
func offered(c *request.Call, i *reports.Item) (rules []string) {
	all := view.RulesOf(c, &communities.Community{Rules: i.CommunityRules})
	for _, reason := range i.Reasons {
		if slices.Contains(all, reason.Title) {
			rules = append(rules, reason.Title)
		}
	}
	for _, rule := range all {
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}
