package worker

import (
	"net/http"
	"net/url"
	"strings"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/modlog"
	"plaza/data/standing"
	"plaza/render"
)

const (
	// cardDecisions is how many decisions the card of a member lists.
	cardDecisions = 20
	// cardWritten is how many of their last posts and comments it lists.
	cardWritten = 10
	// cardExcerpt is how many characters it shows of a comment.
	cardExcerpt = 120
)

// showMemberCard is what a community knows of a member, for its moderators.
func (a *App) showMemberCard(c *call) error { return a.memberCardPage(c, http.StatusOK, nil) }

// memberCardPage shows the card. refused is why a note was refused, if it was.
func (a *App) memberCardPage(c *call, status int, refused error) error {
	if err := c.parse(); err != nil {
		return err
	}
	member, err := data.ParseID(c.value("user"))
	if err != nil {
		return err
	}
	name, typed := c.r.PathValue("community"), c.value("name")
	r := c.read()
	community := a.communities.FindByName(r, name, c.viewerID())
	user := a.users.FindNamed(r, member)
	known, strikes := standing.Find(r, a.Source, name, member), standing.FindStrikes(r, a.Source, name, member)
	written := standing.FindWritten(r, name, member, typed, cardWritten)
	notes := a.notes.Find(r, name, member, c.viewerID())
	decisions := modlog.FindAbout(r, name, member, cardDecisions)
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return errNoCommunity
	}
	if user.Name == "" {
		return &data.Error{Code: data.NotFound, Message: "There is no such member. The account may have been deleted."}
	}
	if !strings.EqualFold(user.Name, typed) { // the address has no name, or one that the member has left
		r := a.DB.Read()
		written = standing.FindWritten(r, name, member, user.Name, cardWritten)
		if err := r.Run(c.r.Context()); err != nil {
			return err
		}
	}
	p := render.MemberCardPage{Community: communityView(community), Name: user.Name, Avatar: render.Avatar(user.Avatar), JoinedAt: member.Time(), Standing: string(known.Level()),
		Posts: known.Posts, Comments: known.Comments, Removals: strikes.Removals, Mutes: strikes.Mutes, Bans: strikes.Bans, BanURL: c.banURL(community.Name, member, user.Name),
		Form: c.typed("text")}
	if !c.isViewer(member) {
		p.Action = cardURL(community.Name, member, user.Name)
	}
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	if p.BanURL != "" {
		p.WriteURL = "/messages/new?community=" + community.Name + "&user=" + url.QueryEscape(user.Name)
	}
	for _, d := range *decisions {
		p.Decisions = append(p.Decisions, render.CardDecision{LogLine: logLine(&d.Line), Note: d.Note})
	}
	for _, w := range *written {
		p.Written = append(p.Written, render.CardWritten{URL: w.URL(), Title: w.Title, Comment: w.Comment != 0, Said: render.PlainExcerpt(w.Said, cardExcerpt), At: w.At})
	}
	any := community.Role == communities.Owner || c.viewer.Admin
	for _, n := range *notes {
		v := render.CardNote{ID: n.ID.Text(), Author: n.By, Text: n.Text, At: n.At(), CanRemove: any || c.isViewer(n.Author)}
		if c.isViewer(n.Author) {
			v.Author = c.actor.Name
		}
		p.Notes = append(p.Notes, v)
	}
	p.Frame = c.frame(user.Name+" in c/"+community.Name, "", "")
	p.NoIndex = true
	return show(c, status, render.MemberCard, p)
}

// noteMember adds a note about a member, or removes one. Ids that are none are refused by the store, which asks first who may.
func (a *App) noteMember(c *call) error {
	name, ctx := c.r.PathValue("community"), c.r.Context()
	member, _ := data.ParseID(c.value("user"))
	if c.value("do") == "remove" {
		note, _ := data.ParseID(c.value("note"))
		if err := a.notes.Remove(ctx, *c.actor, name, member, note); err != nil {
			return err
		}
	} else if err := a.notes.Add(ctx, *c.actor, name, member, c.value("text")); err != nil {
		if code := data.ErrorCode(err); (code == data.Invalid || code == data.Conflict) && !c.wantsJSON() {
			return a.memberCardPage(c, formStatus(err), err)
		}
		return err
	}
	to := "/c/" + name + "/mod/member?user=" + member.Text()
	if username := c.value("name"); username != "" {
		to += "&name=" + url.QueryEscape(username)
	}
	return c.done(to, map[string]any{"user": member})
}
