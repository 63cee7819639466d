package worker

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/bans"
	"plaza/data/modlog"
	"plaza/render"
)

// bansPage is how many members a page of a list of bans shows.
const bansPage = 50

// showBans lists who is banned or muted in a community, below the form that bans.
func (a *App) showBans(c *call) error { return a.bansPage(c, http.StatusOK, nil) }

// bansPage shows the list. refused is why a decision was not carried out, if it was not.
func (a *App) bansPage(c *call, status int, refused error) error {
	if err := c.parse(); err != nil {
		return err
	}
	name := c.r.PathValue("community")
	after, err := data.ParseCursor(byte(bans.List), c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	first, last := entriesOf(c)
	r := c.read()
	community := a.communities.FindByName(r, name, c.viewerID())
	var page *bans.Page
	if first != 0 {
		page = a.bans.FindBetween(r, name, first, last)
	} else {
		page = a.bans.Find(r, name, after, bansPage)
	}
	named := a.bans.FindNamed(r, name, c.value("user"))
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return errNoCommunity
	}
	address := bansURL(community.Name)
	p := render.BansPage{Community: communityView(community), Tabs: c.modTabs(community.Name, address), Rules: c.rulesOf(community), AuthorsURL: authorsURL(community.Name), Days: banDays, ClearDays: bans.ClearDays,
		Form: c.typed("user", "rule", "text", "days", "clear")}
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	if named.Kind != "" {
		v := banLine(community.Name, named)
		p.Named = &v
	}
	for _, l := range page.Lines() {
		v := banLine(community.Name, &l)
		v.Ticked = first != 0 && safeMethod(c.r.Method) || slices.Contains(c.form["member"], v.ID)
		p.Lines = append(p.Lines, v)
	}
	if p.Several = first != 0; p.Several && safeMethod(c.r.Method) && len(p.Lines) > 0 {
		c.notice = strconv.Itoa(len(p.Lines)) + " decided: these are banned or muted now."
	}
	if p.Several || !after.IsZero() {
		p.FirstURL = address
	}
	if next := page.Next(); !next.IsZero() {
		p.NextURL = address + "?after=" + next.String()
	}
	if n, err := strconv.Atoi(c.r.URL.Query().Get("lifted")); err == nil && n > 0 && safeMethod(c.r.Method) {
		c.notice = strconv.Itoa(n) + " lifted."
	}
	p.Frame = c.frame("Bans in c/"+community.Name, "", "")
	p.NoIndex = true
	return show(c, status, render.Bans, p)
}

func banLine(community string, l *bans.Line) render.BanLine {
	return render.BanLine{ID: l.User.Text(), Name: l.Name, CardURL: cardURL(community, l.User, l.Name), Mute: l.Kind == modlog.Mute, Until: l.Until, Rule: l.Rule, Note: l.Note, By: l.By, At: l.At}
}

// entriesOf reads between which entries of the log the bans are that a page lists; zeroes for all.
func entriesOf(c *call) (first, last data.ID) {
	q := c.r.URL.Query()
	first, err := data.ParseID(q.Get("first"))
	last, failed := data.ParseID(q.Get("last"))
	if err != nil || failed != nil {
		return 0, 0
	}
	return first, last
}

// decideBan bans or mutes a member of a community, or lifts that. What is ticked, and the one whose button was pressed, is lifted.
func (a *App) decideBan(c *call) error {
	if member, ok := strings.CutPrefix(c.value("one"), "lift "); ok {
		c.form["member"] = []string{member}
	}
	if c.names("one") || !c.names("user") && c.value("decision") == string(bans.Lift) {
		return a.liftBans(c)
	}
	d := bans.Decision{Community: c.r.PathValue("community"), Name: c.value("user"), Act: c.act(), Clear: c.days("clear")}
	done, err := a.bans.Decide(c.r.Context(), *c.actor, d)
	if code := data.ErrorCode(err); slices.Contains([]data.Code{data.Invalid, data.Conflict, data.RateLimited}, code) || code == data.NotFound && err != data.ErrNoCommunity {
		if !c.wantsJSON() {
			return a.bansPage(c, formStatus(err), err)
		}
	}
	if err != nil {
		return err
	}
	answer := map[string]any{"user": done.Name, "decision": d.Action}
	if !done.Until.IsZero() {
		answer["until"] = done.Until
	}
	return c.done(bansURL(done.Community), answer)
}

// liftBans lifts the bans and mutes of all members who are ticked.
func (a *App) liftBans(c *call) error {
	done, err := a.decideSeveral(c, bans.Decision{Community: c.r.PathValue("community"), Act: modlog.Act{Action: bans.Lift}})
	if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.wantsJSON() {
		return a.bansPage(c, formStatus(err), err)
	}
	if err != nil {
		return err
	}
	return c.done(bansURL(done.Community)+"?lifted="+strconv.Itoa(len(done.Names)), map[string]any{"users": done.Names, "decision": bans.Lift})
}

// consumeClear removes what banned members have written before.
func (a *App) consumeClear(ctx context.Context, entries []data.ID) ([]data.ID, error) {
	return nil, a.withRest(ctx, entries, a.moderation.Clear, clearWord)
}
