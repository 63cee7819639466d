package moderation

import (
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/rights/reputation"
	"plaza/data/rights/roles"
	"plaza/locale"
	"plaza/render/markdown"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

const (
	// cardDecisions is how many decisions the card of a member lists.
	cardDecisions = 20
	// cardWritten is how many of their last posts and comments it lists.
	cardWritten = 10
	// cardExcerpt is how many characters it shows of a comment.
	cardExcerpt = 120
)

// ShowMemberCard shows moderators what their community knows about a member.
func (h *Handlers) ShowMemberCard(c *request.Call) error {
	return h.memberCardPage(c, http.StatusOK, nil)
}

// memberCardPage shows the card. refused is why a note was refused, or nil.
func (h *Handlers) memberCardPage(c *request.Call, status int, refused error) error {
	if err := c.Parse(); err != nil {
		return err
	}
	member, err := data.ParseID(c.Value("user"))
	if err != nil {
		return err
	}
	name, typed := c.R.PathValue("community"), c.Value("name")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	user := h.Accounts.FindNamed(r, member)
	known, strikes := reputation.Find(r, h.Source, name, member), reputation.FindStrikes(r, h.Source, name, member)
	written := reputation.FindWritten(r, name, member, typed, cardWritten)
	notes, ownFlair := h.Notes.Find(r, name, member, c.ViewerID()), h.Flairs.FindMemberFlair(r, name, member)
	ban := h.Bans.FindNamed(r, name, typed)
	decisions, counts := modlog.FindAbout(r, name, member, cardDecisions), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	if user.Name == "" {
		return &data.Error{Code: data.NotFound, Message: "There is no such member. The account may have been deleted."}
	}
	if !strings.EqualFold(user.Name, typed) { // the address has no name, or a former one
		r := h.DB.Read()
		written, ban = reputation.FindWritten(r, name, member, user.Name, cardWritten), h.Bans.FindNamed(r, name, user.Name)
		if err := r.Run(c.R.Context()); err != nil {
			return err
		}
	}
	p := pages.MemberCardPage{ID: member.Text(), Name: user.Name, Avatar: ui.Avatar(user.Avatar),
		JoinedAt: member.Time(), Reputation: string(known.Level()),
		Posts: known.Posts, Comments: known.Comments, Removals: strikes.Removals, Mutes: strikes.Mutes, Bans: strikes.Bans,
		Flair: view.MemberFlair(ownFlair.Label), FlairURL: request.MemberFlairURL(community.Name, member),
		BanURL: c.BanURL(community.Name, member, user.Name),
		Form:   c.Typed("text")}
	p.Nav = view.ModNav(c, view.CommunityView(community), counts, "")
	if !c.IsViewer(member) {
		p.Action = "/c/" + community.Name + "/mod/member"
	}
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	if ban.Kind != "" && c.Viewer.Moderates(community.Name) {
		line := banLine(community.Name, ban)
		line.Shorter = shorter(h.Source.Now(), ban.Until)
		p.Ban, p.BansURL = &line, request.BansURL(community.Name)
	}
	if p.BanURL != "" {
		p.WriteURL = "/messages/new?community=" + community.Name + "&user=" + url.QueryEscape(user.Name)
	}
	for _, d := range *decisions {
		p.Decisions = append(p.Decisions, pages.CardDecision{LogLine: logLine(&d.Line), Note: d.Note})
	}
	for _, w := range *written {
		p.Written = append(p.Written, pages.CardWritten{URL: w.URL(), Title: w.Title, Comment: w.Comment != 0,
			Said: markdown.PlainExcerpt(w.Excerpt, cardExcerpt), At: w.At})
	}
	removesAll := community.Role == roles.Owner || c.Viewer.Admin
	for _, n := range *notes {
		v := pages.CardNote{ID: n.ID.Text(), Author: n.By, Text: n.Text, At: n.At(), CanRemove: removesAll || c.IsViewer(n.Author)}
		if c.IsViewer(n.Author) {
			v.Author = c.Actor.Name
		}
		p.Notes = append(p.Notes, v)
	}
	p.Frame = c.Frame(locale.With("{} in c/{}", user.Name, community.Name))
	return request.Show(c, status, pages.MemberCard, p)
}

// NoteMember adds a note about a member, or removes one. The store refuses invalid ids, after it has checked the caller's rights.
func (h *Handlers) NoteMember(c *request.Call) error {
	name, ctx := c.R.PathValue("community"), c.R.Context()
	member, _ := data.ParseID(c.Value("user"))
	if c.Value("do") == "remove" {
		note, _ := data.ParseID(c.Value("note"))
		if err := h.Notes.Remove(ctx, *c.Actor, name, member, note); err != nil {
			return err
		}
	} else if err := h.Notes.Add(ctx, *c.Actor, name, member, c.Value("text")); err != nil {
		if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.WantsJSON() {
			return h.memberCardPage(c, request.FormStatus(err), err)
		}
		return err
	}
	to := "/c/" + name + "/mod/member?user=" + member.Text()
	if username := c.Value("name"); username != "" {
		to += "&name=" + url.QueryEscape(username)
	}
	return c.Done(to, map[string]any{"user": member})
}
