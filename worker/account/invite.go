package account

import (
	"net/http"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/accounts/invitations"
	"plaza/locale"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/request"
)

const (
	// inviteCookie has the code of an invitation while the invited visitor is at a provider.
	inviteCookie = "__Host-invite"
	inviteLife   = time.Hour
)

// keepInvite stores the code of an opened invitation link in a cookie, and fills an empty field for the code from that cookie.
func keepInvite(c *request.Call, f ui.Form) {
	code := f.Values["invite"]
	if request.SafeMethod(c.R.Method) && data.IsName(code, 1, invitations.CodeMax, true) {
		c.SetCookie(inviteCookie, code, inviteLife)
	}
	if kept, _ := c.Cookie(inviteCookie); code == "" && data.IsName(kept, 1, invitations.CodeMax, true) {
		f.Values["invite"] = kept
	}
}

// ShowInvites is where a member invites people.
func (h *Handlers) ShowInvites(c *request.Call) error {
	return h.invitesPage(c, http.StatusOK, ui.Form{Values: map[string]string{"uses": "1", "days": "7"}, Errors: map[string]locale.Text{}})
}

func (h *Handlers) invitesPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	list := h.Invitations.FindInvites(r, c.Actor.UserID)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.InvitesPage{Frame: c.Frame("Invitations"), Form: c.WithToken(f)}
	for _, i := range *list {
		p.Invites = append(p.Invites, pages.Invite{ID: i.ID.Text(), URL: h.SiteURL + "/signup?invite=" + i.Code, Uses: i.Uses, Used: i.Used,
			Open: i.Open(p.Now), ExpiresAt: i.ExpiresAt})
	}
	return request.Show(c, status, pages.Invites, p)
}

// Invite creates an invitation of the member's, or ends one.
func (h *Handlers) Invite(c *request.Call) error {
	if c.Value("do") == "end" {
		id, err := data.ParseID(c.Value("id"))
		if err == nil {
			err = h.Invitations.EndInvite(c.R.Context(), *c.Actor, id)
		}
		if err != nil {
			return err
		}
		return c.Done(request.OwnInvitesURL, map[string]any{"ok": true})
	}
	token, err := c.Token()
	if err != nil {
		return h.RefuseInvite(c, err)
	}
	uses, _ := strconv.Atoi(c.Value("uses"))
	days, _ := strconv.Atoi(c.Value("days"))
	code := request.NewToken()
	if err := h.Invitations.Invite(c.R.Context(), *c.Actor, code, uses, days, token); err != nil {
		return h.RefuseInvite(c, err)
	}
	return c.Done(request.OwnInvitesURL, map[string]any{"ok": true})
}

func (h *Handlers) RefuseInvite(c *request.Call, err error) error {
	return request.RefuseMember(c, err, h.invitesPage, []string{"uses", "days"}, data.Forbidden)
}
