package worker

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

const (
	// inviteCookie keeps the code of an invitation while its newcomer is at a provider.
	inviteCookie = "__Host-invite"
	inviteLife   = time.Hour
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
	r := c.read()
	list := a.users.FindInvites(r, c.actor.UserID)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.InvitesPage{Frame: c.frame("Invitations", "", ""), Form: c.withToken(f)}
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
