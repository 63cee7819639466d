package worker

import (
	"net/http"

	"plaza/data"
	"plaza/ranking"
	"plaza/render"
)

// How many cases of a community a page lists.
const (
	openCases    = 50
	decidedCases = 20
)

func quarantineURL(community string) string { return "/c/" + community + "/mod/quarantine" }

// showQuarantine lists the votes that wait for a moderator, and what became of others.
func (a *App) showQuarantine(c *call) error {
	name := c.r.PathValue("community")
	before, err := optionalID(c.r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	shard, err := a.DB.ShardOf(c.r.Context(), name)
	if err != nil {
		return err
	}
	r := c.read(a)
	community := a.communities.FindByName(r, shard, name, c.viewerID())
	open := a.votes.FindQuarantines(r, shard, name, true, 0, openCases+1)
	decided := a.votes.FindQuarantines(r, shard, name, false, before, decidedCases+1)
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 {
		return errNoCommunity
	}
	p := render.QuarantinePage{Frame: c.frame(a, "Quarantined votes in c/"+community.Name, "", ""), Community: communityView(community)}
	p.NoIndex = true
	address := quarantineURL(community.Name)
	if before != 0 {
		p.FirstURL = address
	}
	if p.MoreOpen = len(*open) > openCases; p.MoreOpen {
		*open = (*open)[:openCases]
	}
	if len(*decided) > decidedCases {
		*decided = (*decided)[:decidedCases]
		p.NextURL = address + "?before=" + (*decided)[decidedCases-1].ID.Text()
	}
	p.Open, p.Decided = quarantineCases(*open), quarantineCases(*decided)
	return c.page(http.StatusOK, render.Quarantine(p))
}

func quarantineCases(list []data.Quarantine) (cases []render.QuarantineCase) {
	for _, q := range list {
		v := render.QuarantineCase{
			ID: q.ID.Text(), URL: q.Post.URL(), Title: q.Post.Title, Author: q.Author, Comment: q.Target.IsComment(), Up: q.Direction > 0,
			Votes: q.Votes, Score: q.Score, Burst: q.Evidence.Votes, BurstSeconds: q.Evidence.Seconds,
			Before: q.Evidence.Before, BeforeSeconds: q.Evidence.BeforeSeconds,
			FoundAt: q.CreatedAt, Released: q.Status == "released", DecidedAt: q.DecidedAt, DecidedBy: q.DecidedBy,
		}
		if v.Comment {
			v.URL += "/" + q.Target.Text()
		}
		for _, e := range q.Evidence.Signals {
			v.Signals = append(v.Signals, render.QuarantineSignal{
				Kind: signalKinds[e.Signal], Value: e.Value, Votes: e.Votes, Of: e.Of, Share: e.Share, Usual: e.Baseline, Suspicious: e.Suspicious})
		}
		cases = append(cases, v)
	}
	return cases
}

var signalKinds = map[ranking.Signal]string{
	ranking.SignalYoung: "young", ranking.SignalNetwork: "network", ranking.SignalReferrer: "referrer",
}

func (a *App) decideQuarantine(c *call) error {
	id, err := data.ParseID(c.value("case"))
	if err != nil {
		return &data.Error{Code: data.Invalid, Field: "case", Message: "That is not a case of this community."}
	}
	name := c.r.PathValue("community")
	target, err := a.votes.DecideQuarantine(c.r.Context(), *c.actor, name, id, data.Decision(c.value("decision")))
	if err != nil {
		return err
	}
	a.nudge(c, voteMessage(target))
	return c.done(quarantineURL(name), map[string]any{"id": id})
}
