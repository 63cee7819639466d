package moderation

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/rights/bans"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/worker/queue"
	"plaza/worker/request"
	"plaza/worker/view"
)

// bansPage is how many members a page of a list of bans shows.
const bansPage = 50

// ShowBans lists the banned and muted members of a community, below the form to ban one.
func (h *Handlers) ShowBans(c *request.Call) error { return h.bansPage(c, http.StatusOK, nil) }

// bansPage shows the list. refused is why a decision was refused, or nil.
func (h *Handlers) bansPage(c *request.Call, status int, refused error) error {
	if err := c.Parse(); err != nil {
		return err
	}
	name := c.R.PathValue("community")
	after, err := data.ParseCursor(byte(bans.List), c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	first, last := entriesOf(c)
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	var page *data.Page[bans.Line]
	if first != 0 {
		page = h.Bans.FindBetween(r, name, first, last)
	} else {
		page = h.Bans.Find(r, name, after, bansPage)
	}
	named, counts := h.Bans.FindNamed(r, name, c.Value("user")), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	address := request.BansURL(community.Name)
	p := pages.BansPage{Community: view.CommunityView(community), Rules: view.RulesOf(c, community),
		AuthorsURL: request.AuthorsURL(community.Name), Days: request.BanDays, ClearDays: bans.ClearDays,
		Form: c.Typed("user", "rule", "text", "days", "clear")}
	p.Nav = view.ModNav(c, p.Community, counts, address)
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	if named.Kind != "" {
		v := banLine(community.Name, named)
		p.Named = &v
	}
	for _, l := range page.Items() {
		v := banLine(community.Name, &l)
		v.Shorter = shorter(h.Source.Now(), l.Until)
		v.Ticked = first != 0 && request.SafeMethod(c.R.Method) || slices.Contains(c.Form["member"], v.ID)
		p.Lines = append(p.Lines, v)
	}
	if p.Several = first != 0; p.Several && request.SafeMethod(c.R.Method) && len(p.Lines) > 0 {
		c.Flash = locale.With("{} decided: this member is banned or muted now.|{} decided: these are banned or muted now.", len(p.Lines))
	}
	if p.Several || !after.IsZero() {
		p.FirstURL = address
	}
	if next := page.Next(); !p.Several && !next.IsZero() {
		p.NextURL = address + "?after=" + next.String()
	}
	if n, err := strconv.Atoi(c.R.URL.Query().Get("lifted")); err == nil && n > 0 && request.SafeMethod(c.R.Method) {
		c.Flash = locale.With("{} lifted.", n)
	}
	p.Frame = c.Frame(locale.With("Bans in c/{}", community.Name))
	return request.Show(c, status, pages.Bans, p)
}

func banLine(community string, l *bans.Line) pages.BanLine {
	return pages.BanLine{ID: l.User.Text(), Name: l.Name, CardURL: request.MemberCardURL(community, l.User, l.Name),
		Mute:  l.Kind == modlog.Mute,
		Until: l.Until, Rule: l.Rule, Note: l.Note, By: l.By, At: l.At}
}

// entriesOf returns the first and last entry of the modlog whose bans the page lists; zeroes for all bans.
func entriesOf(c *request.Call) (first, last data.ID) {
	q := c.R.URL.Query()
	first, err := data.ParseID(q.Get("first"))
	last, errLast := data.ParseID(q.Get("last"))
	if err != nil || errLast != nil {
		return 0, 0
	}
	return first, last
}

// DecideBan bans or mutes a member of a community, shortens a ban, or lifts the ticked ones or the one whose button was pressed.
func (h *Handlers) DecideBan(c *request.Call) error {
	if member, ok := strings.CutPrefix(c.Value("one"), "lift "); ok {
		c.Form["member"] = []string{member}
	}
	if shorten, ok := strings.CutPrefix(c.Value("one"), "shorten "); ok {
		return h.shortenBan(c, shorten)
	}
	if c.HasAny("one") || !c.HasAny("user") && c.Value("decision") == string(bans.Lift) {
		return h.liftBans(c)
	}
	d := bans.Decision{Community: c.R.PathValue("community"), Name: c.Value("user"), Act: c.Act(), Clear: c.Days("clear")}
	done, err := h.Bans.Decide(c.R.Context(), *c.Actor, d)
	if code := data.ErrorCode(err); slices.Contains([]data.Code{data.Invalid, data.Conflict, data.RateLimited}, code) ||
		code == data.NotFound && err != data.ErrNoCommunity {
		if !c.WantsJSON() {
			return h.bansPage(c, request.FormStatus(err), err)
		}
	}
	if err != nil {
		return err
	}
	result := map[string]any{"user": done.Name, "decision": d.Action}
	if !done.Until.IsZero() {
		result["until"] = done.Until
	}
	return c.Done(backTo(c, request.BansURL(done.Community)), result)
}

// shortenBan makes a ban or mute end earlier. The button's value is the number of days from now, and the member's name.
func (h *Handlers) shortenBan(c *request.Call, button string) error {
	if err := c.Run(c.Read()); err != nil { // only moderators learn who is banned
		return err
	}
	days, name, _ := strings.Cut(button, " ")
	n, err := strconv.Atoi(days)
	if err != nil {
		n = -1
	}
	done, err := h.Bans.Shorten(c.R.Context(), *c.Actor, c.R.PathValue("community"), name, n)
	if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
		return h.bansPage(c, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	return c.Done(backTo(c, request.BansURL(done.Community)), map[string]any{"user": done.Name, "decision": "shorten", "until": done.Until})
}

// liftBans lifts the bans and mutes of all members who are ticked.
func (h *Handlers) liftBans(c *request.Call) error {
	done, err := h.decideSeveral(c, bans.Decision{Community: c.R.PathValue("community"), Act: modlog.Act{Action: bans.Lift}})
	if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
		return h.bansPage(c, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	return c.Done(backTo(c, request.BansURL(done.Community)+"?lifted="+strconv.Itoa(len(done.Names))),
		map[string]any{"users": done.Names, "decision": bans.Lift})
}

// ConsumeClear removes earlier posts and comments of banned members.
func (h *Handlers) ConsumeClear(ctx context.Context, entries []data.ID) ([]data.ID, error) {
	return nil, queue.RunJob(ctx, h.Queue, entries, h.Moderation.Clear, outbox.JobClear)
}
