package community

import (
	"net/http"

	"plaza/data"
	"plaza/data/rights/roles"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// ShowTeam lists a community's moderators. Its owner and administrators change them there, and an invited member accepts or declines.
func (h *Handlers) ShowTeam(c *request.Call) error { return h.teamPage(c, http.StatusOK, nil) }

// teamPage shows the page. refused is why an invitation was refused, or nil.
func (h *Handlers) teamPage(c *request.Call, status int, refused error) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	team := h.Communities.FindTeam(r, name, c.ViewerID())
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	address := "/c/" + community.Name + "/moderators"
	p := pages.TeamPage{Frame: c.PublicFrame(locale.With("Moderators of c/{}", community.Name),
		locale.With("Who moderates c/{}.", community.Name), address),
		Community: view.CommunityView(community), Own: string(community.Role)}
	p.CanChange = community.Role == roles.Owner || c.Viewer != nil && c.Viewer.Admin
	p.CanOwn = c.Viewer != nil && c.Viewer.Admin
	for _, m := range team.Members {
		p.Members = append(p.Members, pages.Teammate{Name: m.Name, Avatar: ui.Avatar(m.Avatar), Role: string(m.Role), Since: m.Since})
	}
	if (community.Role != "" || p.CanChange) && c.Actor.Roles.May(community.Name) { // a program needs the scope moderate
		for _, m := range team.Invited {
			p.Invited = append(p.Invited, pages.Teammate{Name: m.Name, Avatar: ui.Avatar(m.Avatar), Role: string(m.Role), Since: m.Since})
		}
	}
	if team.Own != "" {
		i := view.InvitationView(community.Name, team.Own, "")
		p.Invitation = &i
	}
	p.Form = c.Typed("user", "role")
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	return request.Show(c, status, pages.Team, p)
}

// ChangeTeam invites a member to moderate, withdraws an invitation, gives a moderator another role or dismisses one.
func (h *Handlers) ChangeTeam(c *request.Call) error {
	name, user, role := c.R.PathValue("community"), c.Value("user"), roles.Role(c.Value("role"))
	var err error
	switch c.Value("do") {
	case "withdraw":
		err = h.Communities.Withdraw(c.R.Context(), *c.Actor, name, user)
	case "role":
		err = h.Communities.SetRole(c.R.Context(), *c.Actor, name, user, role)
	case "dismiss":
		err = h.Communities.Dismiss(c.R.Context(), *c.Actor, name, user)
	default:
		if err = h.Communities.Invite(c.R.Context(), *c.Actor, name, user, role); data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
			return h.teamPage(c, request.FormStatus(err), err)
		}
	}
	if err != nil {
		return err
	}
	return c.Done("/c/"+name+"/moderators", map[string]any{"user": user, "role": role})
}

// ChangeOwnRole accepts or declines an invitation to moderate, or gives up the member's own role.
func (h *Handlers) ChangeOwnRole(c *request.Call) error {
	name, to := c.R.PathValue("community"), "/inbox"
	var err error
	switch c.Value("do") {
	case "accept":
		err, to = h.Communities.Accept(c.R.Context(), *c.Actor, name, roles.Role(c.Value("role"))), "/c/"+name+"/moderators"
	case "decline":
		err = h.Communities.Decline(c.R.Context(), *c.Actor, name)
	case "resign":
		err, to = h.Communities.Resign(c.R.Context(), *c.Actor, name), "/c/"+name+"/moderators"
	default:
		return &data.Error{Code: data.Invalid, Field: "do", Message: "do is accept, decline or resign."}
	}
	if err != nil {
		return err
	}
	return c.Done(to, map[string]any{"community": name})
}
