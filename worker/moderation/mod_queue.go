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
	// queuePage is how many items a page of a moderators' queue shows.
	queuePage = 25
	// queueExcerpt is how many characters it shows of a comment.
	queueExcerpt = 500
)

// queueQuery says which page of a queue to show.
type queueQuery struct {
	filter reports.Filter
	order  data.Order
	after  data.Cursor
}

// address returns the address of that page of a queue.
func (q queueQuery) address(queue string) string {
	params := url.Values{}
	if q.filter != reports.Everything {
		params.Set("show", string(q.filter))
	}
	if q.order == reports.Heaviest {
		params.Set("sort", "most")
	}
	if !q.after.IsZero() {
		params.Set("after", q.after.String())
	}
	if len(params) == 0 {
		return queue
	}
	return queue + "?" + params.Encode()
}

// queueQueryOf reads the filter, the order and the cursor from the address.
func queueQueryOf(c *request.Call) (q queueQuery, err error) {
	q.order = reports.Newest
	switch f := reports.Filter(c.R.URL.Query().Get("show")); f {
	case reports.Reported, reports.Held, reports.Hit:
		q.filter = f
	}
	if c.R.URL.Query().Get("sort") == "most" && (q.filter == reports.Everything || q.filter == reports.Reported) {
		q.order = reports.Heaviest
	}
	q.after, err = data.ParseCursor(byte(q.order), c.R.URL.Query().Get("after"))
	return q, err
}

// ShowModQueue is the queue of a community's moderators.
func (h *Handlers) ShowModQueue(c *request.Call) error { return h.modQueuePage(c, http.StatusOK, nil) }

// modQueuePage shows the queue of a community. refused is why a decision was refused, or nil.
func (h *Handlers) modQueuePage(c *request.Call, status int, refused error) error {
	q, err := queueQueryOf(c)
	if err != nil {
		return err
	}
	name := c.R.PathValue("community")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	page, counts := h.Reports.FindQueue(r, name, q.filter, q.order, q.after, queuePage), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 {
		return request.ErrNoCommunity
	}
	p := pages.ModQueuePage{Community: view.CommunityView(community), Rules: view.RulesOf(c, community)}
	h.fillQueue(c, &p, page, request.ModQueueURL(community.Name), q, refused)
	p.Nav = view.ModNav(c, p.Community, counts, request.ModQueueURL(community.Name))
	p.CanBan = c.Viewer.Moderates(community.Name) && !data.IsProfile(community.Name)
	p.Frame = c.Frame(locale.With("Queue of c/{}", community.Name))
	return request.Show(c, status, pages.ModQueue, p)
}

// ShowAllQueues shows the queues of all communities that the member moderates; for administrators, of the whole site.
func (h *Handlers) ShowAllQueues(c *request.Call) error {
	return h.allQueuesPage(c, http.StatusOK, nil)
}

func (h *Handlers) allQueuesPage(c *request.Call, status int, refused error) error {
	q, err := queueQueryOf(c)
	if err != nil {
		return err
	}
	r := c.ReadMerged()
	m := reports.Moderator{ID: c.ViewerID()}
	oneDatabase := !h.DB.HasShards()
	var page *data.Page[*reports.Item]
	if oneDatabase {
		page = h.Reports.FindAll(r, m, q.filter, q.order, q.after, queuePage)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if !oneDatabase { // shards don't know who moderates
		r := c.ReadMore()
		m.Admin, m.Communities = c.Viewer.Admin, c.Viewer.Moderated()
		page = h.Reports.FindAll(r, m, q.filter, q.order, q.after, queuePage)
		if err := c.RunMore(r); err != nil {
			return err
		}
	}
	p := pages.ModQueuePage{Rules: view.RulesOf(c, nil)}
	h.fillQueue(c, &p, page, request.AllQueuesURL, q, refused)
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
func (h *Handlers) fillQueue(c *request.Call, p *pages.ModQueuePage, page *data.Page[*reports.Item], address string, q queueQuery,
	refused error) {
	for _, f := range []struct {
		filter reports.Filter
		label  locale.Text
	}{{reports.Everything, "Everything"}, {reports.Reported, "Reported"}, {reports.Held, "Held"}, {reports.Hit, "Hit by rules"}} {
		p.Filters = append(p.Filters, ui.Tab{Label: f.label, URL: queueQuery{filter: f.filter}.address(address),
			Active: f.filter == q.filter})
	}
	if q.filter == reports.Everything || q.filter == reports.Reported {
		p.Orders = []ui.Tab{{Label: "Newest", URL: queueQuery{filter: q.filter}.address(address), Active: q.order == reports.Newest},
			{Label: "Most reported", URL: queueQuery{filter: q.filter, order: reports.Heaviest}.address(address),
				Active: q.order == reports.Heaviest}}
	}
	p.Action = q.address(address)
	if !q.after.IsZero() {
		p.FirstURL = queueQuery{filter: q.filter, order: q.order}.address(address)
	}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = queueQuery{q.filter, q.order, next}.address(address)
	}
	if n, err := strconv.Atoi(c.R.URL.Query().Get("done")); err == nil && n > 0 && request.SafeMethod(c.R.Method) {
		if p.Undo = undoable(c); len(p.Undo) == 0 {
			c.Flash = locale.With("{} decided.", n)
		}
	}
	p.Form = c.Typed("text")
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	_, pressed, _, _ := oneDecision(c.Value(decideOne))
	for _, i := range page.Items() {
		v := pages.QueueItem{ID: i.Target.Text(), Community: i.Community, URL: i.URL(), Title: i.Title, Author: i.Author,
			Comment:    i.Target.IsComment() && i.Community != "",
			Reputation: string(i.Reputation.Level()),
			Link:       i.Link, Excerpt: i.Text, Reports: i.Reports, Weight: i.Weight, Held: i.Held, Rules: i.Rules, At: i.CameAt, Words: i.Texts,
			Ticked: slices.Contains(c.Form["target"], i.Target.Text())}
		if i.Community != "" && i.Author != "" && !data.IsProfile(i.Community) && c.Viewer.Moderates(i.Community) {
			v.BanURL = request.BansURL(i.Community) + "?user=" + url.QueryEscape(i.Author)
		}
		if i.Community != "" {
			v.CardURL = request.MemberCardURL(i.Community, i.AuthorID, i.Author)
			v.Offered = offered(c, i)
		} else {
			v.Reputation = ""
		}
		if v.ID == pressed && refused != nil { // the error is shown beside the button
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

// undoable returns the ids of what was decided right before, from the address.
func undoable(c *request.Call) (ids []string) {
	for _, text := range strings.Fields(c.R.URL.Query().Get("undo")) {
		if id, err := data.ParseID(text); err == nil && len(ids) < reports.TargetsMax {
			ids = append(ids, id.Text())
		}
	}
	return ids
}

// offered are the rules for which an item can be removed: first those for which it was reported, the most frequent first.
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
