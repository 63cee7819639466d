package moderation

import (
	"net/http"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/worker/request"
	"plaza/worker/view"
)

// logPage is how many entries a page of a log shows.
const logPage = 50

// ShowLog lists the decisions of a community's moderators.
func (h *Handlers) ShowLog(c *request.Call) error {
	name := c.R.PathValue("community")
	before, err := request.OptionalID(c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	lines, counts := modlog.Find(r, name, before, logPage), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	address := "/c/" + community.Name + "/log"
	p := pages.LogPage{Frame: c.PublicFrame(locale.With("Moderation log of c/{}", community.Name),
		locale.With("What the moderators of c/{} have decided.", community.Name), address)}
	shown := view.CommunityView(community)
	p.Community, p.Nav = &shown, view.ModNav(c, shown, counts, address)
	fillLog(&p, lines, address, before)
	return request.Show(c, http.StatusOK, pages.Log, p)
}

// ShowSiteLog lists the decisions of administrators about members and the site.
func (h *Handlers) ShowSiteLog(c *request.Call) error {
	before, err := request.OptionalID(c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	lines := modlog.Find(r, "", before, logPage)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.LogPage{Frame: c.PublicFrame("Moderation log", "What the administrators have decided.", "/log")}
	fillLog(&p, lines, "/log", before)
	return request.Show(c, http.StatusOK, pages.Log, p)
}

func fillLog(p *pages.LogPage, lines *data.Page[modlog.Line], address string, before data.ID) {
	p.NoIndex = true
	p.NumbersURL = address + "/numbers"
	if before != 0 {
		p.FirstURL = address
	}
	if next := lines.Next(); !next.IsZero() {
		p.NextURL = address + "?after=" + next.ID.Text()
	}
	for _, l := range lines.Items() {
		p.Lines = append(p.Lines, logLine(&l))
	}
}

// logLine returns an entry as pages show it.
func logLine(l *modlog.Line) pages.LogLine {
	return pages.LogLine{Action: string(l.Action), Actor: l.Actor, Member: l.Member, URL: l.URL(), Rule: l.Rule, Undone: l.Undone,
		Until: l.Until, Automatic: l.Automatic, At: l.At(), Comment: l.Comment != 0, Page: l.PageTitle}
}

// ShowNumbers shows the numbers of decisions of a community's moderators in a month.
func (h *Handlers) ShowNumbers(c *request.Call) error {
	name := c.R.PathValue("community")
	month, err := month(c)
	if err != nil {
		return err
	}
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	n, counts := modlog.FindNumbers(r, name, month), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	address := "/c/" + community.Name + "/log"
	p := pages.NumbersPage{Frame: c.PublicFrame(locale.With("Decisions in c/{}", community.Name),
		locale.With("How much the moderators of c/{} have decided.", community.Name), address+"/numbers")}
	shown := view.CommunityView(community)
	p.Community, p.Nav = &shown, view.ModNav(c, shown, counts, address)
	return numbersPage(c, p, n, month, address)
}

// ShowSiteNumbers shows the numbers of administrators' decisions about members and the site in a month.
func (h *Handlers) ShowSiteNumbers(c *request.Call) error {
	month, err := month(c)
	if err != nil {
		return err
	}
	r := c.Read()
	n := modlog.FindNumbers(r, "", month)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.NumbersPage{Frame: c.PublicFrame("Decisions of the administrators",
		"How much the administrators have decided.", "/log/numbers")}
	return numbersPage(c, p, n, month, "/log")
}

// month returns the month in the address, or the current one. Invalid.
func month(c *request.Call) (modlog.Month, error) {
	if text := c.R.URL.Query().Get("month"); text != "" {
		return modlog.ParseMonth(text)
	}
	return modlog.MonthOf(c.Server.Source.Now()), nil
}

// numbersPage shows the numbers of a month of a log.
func numbersPage(c *request.Call, p pages.NumbersPage, n *modlog.Numbers, month modlog.Month, log string) error {
	p.NoIndex = true
	p.Month, p.LogURL = month.Time(), log
	if n.Earlier != 0 {
		p.EarlierURL = log + "/numbers?month=" + n.Earlier.String()
	}
	if n.Later != 0 {
		p.LaterURL = log + "/numbers?month=" + n.Later.String()
	}
	for i, one := range n.List {
		if i == 0 || one.Actor != n.List[i-1].Actor {
			p.Moderators = append(p.Moderators, pages.ModeratorNumbers{Name: one.Name, Automatic: one.Actor == 0})
		}
		m := &p.Moderators[len(p.Moderators)-1]
		m.Kinds = append(m.Kinds, pages.KindNumber{Action: string(one.Action), Entries: one.Entries, Undone: one.Undone})
	}
	return request.Show(c, http.StatusOK, pages.Numbers, p)
}
