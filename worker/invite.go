package worker

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

const (
	ownInvitesURL   = "/settings/invites"
	adminInvitesURL = "/admin/invites"
	// inviteCookie keeps the code of an invitation while its newcomer is at a provider.
	inviteCookie = "__Host-invite"
	inviteLife   = time.Hour
	// branchShown bounds the page of those below a member.
	branchShown = 500
)

// keepInvite fills the field for the code of an invitation with that of the link by which somebody came, which their browser keeps.
func (c *call) keepInvite(f render.Form) {
	code := f.Values["invite"]
	if safeMethod(c.r.Method) && data.IsName(code, 1, people.CodeMax, true) {
		http.SetCookie(c.w, &http.Cookie{Name: inviteCookie, Value: code, Path: "/", MaxAge: int(inviteLife / time.Second), Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
	if kept, _ := c.cookie(inviteCookie); code == "" && data.IsName(kept, 1, people.CodeMax, true) {
		f.Values["invite"] = kept
	}
}

// showInvites is where a member invites people.
func (a *App) showInvites(c *call) error {
	return a.invitesPage(c, http.StatusOK, render.Form{Values: map[string]string{"uses": "1", "days": "7"}, Errors: map[string]string{}})
}

func (a *App) invitesPage(c *call, status int, f render.Form) error {
	r := c.read(a)
	list := a.users.FindInvites(r, c.actor.UserID)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.InvitesPage{Frame: c.frame(a, "Invitations", "", ""), Form: c.withToken(f)}
	p.NoIndex = true
	for _, i := range *list {
		p.Invites = append(p.Invites, render.Invite{ID: i.ID.Text(), URL: a.SiteURL + "/signup?invite=" + i.Code, Uses: i.Uses, Used: i.Used, Open: i.Open(p.Now), ExpiresAt: i.ExpiresAt})
	}
	return show(c, status, render.Invites, p)
}

// invite makes an invitation of the member's, or ends one.
func (a *App) invite(c *call) error {
	if c.value("do") == "end" {
		id, err := data.ParseID(c.value("id"))
		if err == nil {
			err = a.users.EndInvite(c.r.Context(), *c.actor, id)
		}
		if err != nil {
			return err
		}
		return c.done(ownInvitesURL, map[string]any{"ok": true})
	}
	token, err := c.token()
	if err != nil {
		return a.refuseInvite(c, err)
	}
	uses, _ := strconv.Atoi(c.value("uses"))
	days, _ := strconv.Atoi(c.value("days"))
	code := newToken()
	if err := a.users.Invite(c.r.Context(), *c.actor, code, uses, days, token); err != nil {
		return a.refuseInvite(c, err)
	}
	return c.done(ownInvitesURL, map[string]any{"ok": true})
}

func (a *App) refuseInvite(c *call, err error) error {
	if c.actor == nil || c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.Forbidden {
		return err
	}
	return a.invitesPage(c, formStatus(err), wrong(c.typed("uses", "days"), err))
}

// showInvited shows administrators who was invited by whom: those who came last, or all above and below a member.
func (a *App) showInvited(c *call) error {
	name := strings.TrimPrefix(strings.TrimSpace(c.r.URL.Query().Get("user")), "u/")
	r := c.read(a)
	var above, list *[]people.Invited
	if name == "" {
		list = a.users.FindInvited(r, 100)
	} else {
		key := strings.ToLower(name)
		above, list = a.users.FindAbove(r, key), a.users.FindBranch(r, key, branchShown)
	}
	if err := c.run(r); err != nil {
		return err
	}
	p := render.InvitedPage{Frame: c.frame(a, "Who was invited by whom", "", ""), Name: name}
	p.NoIndex = true
	if name != "" {
		if len(*list) == 0 {
			return &data.Error{Code: data.NotFound, Message: "There is nobody of that name here."}
		}
		p.Name, p.More = (*list)[0].Name, len(*list) > branchShown
		for _, m := range *above {
			p.Above = append(p.Above, invitedView(m))
		}
		*list = (*list)[1:]
	}
	for _, m := range *list {
		p.Members = append(p.Members, invitedView(m))
	}
	return show(c, http.StatusOK, render.Invited, p)
}

func invitedView(m people.Invited) render.InvitedMember {
	v := render.InvitedMember{Name: m.Name, Status: m.Status, Depth: max(m.Depth-1, 0), By: m.By}
	if m.Name != "" {
		v.URL = adminInvitesURL + "?user=" + url.QueryEscape(m.Name)
	}
	return v
}
