package worker

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/moderation"
	"plaza/data/people"
	"plaza/render"
)

const (
	// adminInvitesPage is how many of all who came by an invitation a page shows.
	adminInvitesPage = 100
	// branchShown bounds the page of those below a member.
	branchShown = 500
)

// showInvited shows administrators who was invited by whom: those who came by the newest invitations, or all above and below a member.
func (a *App) showInvited(c *call) error {
	if name := memberTyped(c.r.URL.Query().Get("user")); name != "" {
		return a.branchPage(c, name, http.StatusOK, nil)
	}
	after, err := optionalID(c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	list, underWay := a.users.FindInvited(r, after, adminInvitesPage+1), a.users.FindUnderWay(r)
	if err := c.run(r); err != nil {
		return err
	}
	p := a.invitedPage(c, *underWay)
	if after != 0 {
		p.FirstURL = adminInvitesURL
	}
	for i, m := range *list {
		if i == adminInvitesPage {
			p.NextURL = adminInvitesURL + "?after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Members = append(p.Members, invitedView(m))
	}
	return show(c, http.StatusOK, render.Invited, p)
}

// branchPage shows those above and below a member, and the form that decides about those below. refused is why a decision was not carried
// out, if it was not.
func (a *App) branchPage(c *call, name string, status int, refused error) error {
	if err := c.parse(); err != nil {
		return err
	}
	key := strings.ToLower(name)
	r := c.read()
	above, list, size, underWay := a.users.FindAbove(r, key), a.users.FindBranch(r, key, branchShown), a.users.FindBranchSize(r, key), a.users.FindUnderWay(r)
	if err := c.run(r); err != nil {
		return err
	}
	if len(*list) == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is nobody of that name here."}
	}
	if n, err := strconv.Atoi(c.r.URL.Query().Get("about")); err == nil {
		c.notice = "It is about " + strconv.Itoa(n) + " of them, and is carried out within a few minutes."
		if n == 0 {
			c.notice = "There is nobody about whom that would change anything."
		}
	}
	p := a.invitedPage(c, *underWay)
	p.Name, p.More = (*list)[0].Name, len(*list) > branchShown
	p.Branch = render.Branch(*size)
	p.Rules, p.Days, p.Form = moderation.General, banDays, c.typed("rule", "text", "days")
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	for _, m := range *above {
		p.Above = append(p.Above, invitedView(m))
	}
	for _, m := range (*list)[1:min(len(*list), branchShown+1)] {
		p.Members = append(p.Members, invitedView(m))
	}
	return show(c, status, render.Invited, p)
}

func (a *App) invitedPage(c *call, underWay []people.UnderWay) render.InvitedPage {
	p := render.InvitedPage{Frame: c.frame("Who was invited by whom", "", "")}
	p.NoIndex = true
	for _, u := range underWay {
		p.UnderWay = append(p.UnderWay, render.UnderWay{Name: u.Name, Action: string(u.Action), By: u.By, Left: u.Left, At: u.At})
	}
	return p
}

// judgeBranch suspends, bans or restores all whom a member has brought.
func (a *App) judgeBranch(c *call) error {
	j := people.Judgement{Name: memberTyped(c.value("user")), Act: c.act()}
	_, about, err := a.users.JudgeBranch(c.r.Context(), *c.actor, j, moderation.General)
	if slices.Contains([]data.Code{data.Invalid, data.Conflict}, data.ErrorCode(err)) && j.Name != "" && !c.wantsJSON() {
		return a.branchPage(c, j.Name, formStatus(err), err)
	}
	if err != nil {
		return err
	}
	return c.done(adminInvitesURL+"?user="+url.QueryEscape(j.Name)+"&about="+strconv.Itoa(about), map[string]any{"user": j.Name, "decision": j.Action, "about": about})
}

// consumeBranch carries out decisions on branches.
func (a *App) consumeBranch(ctx context.Context, decisions []data.ID) ([]data.ID, error) {
	return nil, a.withRest(ctx, decisions, a.users.CarryOut, branchWord)
}

// memberTyped is a member's name as somebody typed it.
func memberTyped(text string) string { return strings.TrimPrefix(strings.TrimSpace(text), "u/") }

func invitedView(m people.Invited) render.InvitedMember {
	v := render.InvitedMember{Name: m.Name, Status: m.Status, Depth: max(m.Depth-1, 0), By: m.By}
	if m.Name != "" {
		v.URL = adminInvitesURL + "?user=" + url.QueryEscape(m.Name)
	}
	return v
}
