package moderation

import (
	"net/http"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/locale"
	"plaza/ranking"
	pages "plaza/render/moderation"
	"plaza/worker/request"
	"plaza/worker/view"
)

// How many cases of a community a page lists.
const (
	openCases    = 50
	decidedCases = 20
)

// ShowQuarantine lists the cases of a community: those that wait for a moderator, or those that were decided.
func (h *Handlers) ShowQuarantine(c *request.Call) error {
	name := c.R.PathValue("community")
	before, err := request.OptionalID(c.R.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	open := h.Votes.FindCases(r, name, true, 0, openCases)
	decided, counts := h.Votes.FindCases(r, name, false, before, decidedCases), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 {
		return request.ErrNoCommunity
	}
	p := pages.QuarantinePage{Frame: c.Frame(locale.With("Quarantined votes in c/{}", community.Name)),
		Community: view.CommunityView(community)}
	address := request.QuarantineURL(community.Name)
	p.Nav = view.ModNav(c, p.Community, counts, address)
	if before != 0 {
		p.FirstURL = address
	}
	p.MoreOpen = !open.Next().IsZero()
	if next := decided.Next(); !next.IsZero() {
		p.NextURL = address + "?before=" + next.ID.Text()
	}
	p.Open, p.Decided = h.quarantineCases(c, open.Items()), h.quarantineCases(c, decided.Items())
	return request.Show(c, http.StatusOK, pages.Quarantine, p)
}

// quarantineCases returns cases as pages show them. Only administrators see networks; moderators see their labels (networkLabel).
func (h *Handlers) quarantineCases(c *request.Call, list []votes.Case) (cases []pages.QuarantineCase) {
	for _, q := range list {
		v := pages.QuarantineCase{
			ID: q.ID.Text(), URL: q.Post.URL(), Title: q.Post.Title, Author: q.Author, Comment: q.Target.IsComment(), Up: q.Direction > 0,
			Votes: q.Votes, Score: q.Score, Burst: q.Evidence.Votes, BurstSeconds: q.Evidence.Seconds,
			Before: q.Evidence.Before, BeforeSeconds: q.Evidence.BeforeSeconds,
			FoundAt: q.CreatedAt, Released: q.Status == "released", DecidedAt: q.DecidedAt, DecidedBy: q.DecidedBy,
		}
		if v.Comment {
			v.URL += "/" + q.Target.Text()
		}
		for _, e := range q.Evidence.Signals {
			value := e.Value
			if e.Signal == ranking.SignalNetwork && !c.Viewer.Admin {
				value = h.networkLabel(q.Post.Community, value)
			}
			v.Signals = append(v.Signals, pages.QuarantineSignal{
				Kind: signalKinds[e.Signal], Value: value, Votes: e.Votes, Of: e.Of, Share: e.Share, Usual: e.Baseline, Suspicious: e.Suspicious})
		}
		cases = append(cases, v)
	}
	return cases
}

var signalKinds = map[ranking.Signal]string{
	ranking.SignalYoung: "young", ranking.SignalNetwork: "network", ranking.SignalReferrer: "referrer",
}

func (h *Handlers) DecideQuarantine(c *request.Call) error {
	name := c.R.PathValue("community")
	return h.decideCase(c, name, request.QuarantineURL(name))
}

// decideCase decides a case of a community, and then redirects to an address.
func (h *Handlers) decideCase(c *request.Call, community, to string) error {
	id, err := data.ParseID(c.Value("case"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "case", Message: "That is not a case of this community."}
	}
	if _, err := h.Votes.Decide(c.R.Context(), *c.Actor, community, id, votes.Decision(c.Value("decision"))); err != nil {
		return err
	}
	return c.Done(to, map[string]any{"id": id})
}

// countedCommunities is how many communities the list of all cases names with their number of cases.
const countedCommunities = 20

// ShowOpenCases lists the open cases of all communities for administrators, because imported communities have no
// moderator who would find them.
func (h *Handlers) ShowOpenCases(c *request.Call) error {
	before, err := request.OptionalID(c.R.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	r := c.ReadMerged()
	open := h.Votes.FindOpenCases(r, before, openCases, countedCommunities+1)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.OpenCasesPage{Frame: c.Frame("Quarantined votes")}
	if before != 0 {
		p.FirstURL = request.OpenCasesURL
	}
	if next := open.Next(); !next.IsZero() {
		p.NextURL = request.OpenCasesURL + "?before=" + next.ID.Text()
	}
	if p.MoreCommunities = len(open.Communities) > countedCommunities; p.MoreCommunities {
		open.Communities = open.Communities[:countedCommunities]
	}
	for _, k := range open.Communities {
		p.Communities = append(p.Communities, pages.CommunityCases{Name: k.Name, Cases: k.Cases})
	}
	cases := open.Items()
	p.Open = h.quarantineCases(c, cases)
	for i, q := range cases {
		p.Open[i].Community = q.Post.Community
	}
	return request.Show(c, http.StatusOK, pages.OpenCases, p)
}

func (h *Handlers) DecideOpenCase(c *request.Call) error {
	return h.decideCase(c, c.Value("community"), request.OpenCasesURL)
}
