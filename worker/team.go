package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/communities"
	"plaza/render"
)

// showTeam lists who moderates a community. Its owner changes that there, and who is invited answers.
func (a *App) showTeam(c *call) error { return a.teamPage(c, http.StatusOK, nil) }

// teamPage shows the page. refused is why an invitation was refused, if it was.
func (a *App) teamPage(c *call, status int, refused error) error {
	name := c.r.PathValue("community")
	r := c.read()
	community := a.communities.FindByName(r, name, c.viewerID())
	team := a.communities.FindTeam(r, name, c.viewerID())
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return errNoCommunity
	}
	address := "/c/" + community.Name + "/moderators"
	p := render.TeamPage{Frame: c.frame("Moderators of c/"+community.Name, "Who moderates c/"+community.Name+".", address), Community: communityView(community), Own: string(community.Role)}
	p.CanChange = community.Role == communities.Owner || c.viewer != nil && c.viewer.Admin
	p.CanOwn = c.viewer != nil && c.viewer.Admin
	for _, m := range team.Members {
		p.Members = append(p.Members, render.Teammate{Name: m.Name, Avatar: render.Avatar(m.Avatar), Role: string(m.Role), Since: m.Since})
	}
	if (community.Role != "" || p.CanChange) && c.actor.Roles.May(community.Name) { // a program needs the scope that moderates
		for _, m := range team.Invited {
			p.Invited = append(p.Invited, render.Teammate{Name: m.Name, Avatar: render.Avatar(m.Avatar), Role: string(m.Role), Since: m.Since})
		}
	}
	if team.Own != "" {
		i := invitationView(community.Name, team.Own, "")
		p.Invitation = &i
	}
	p.Form = c.typed("user", "role")
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	return show(c, status, render.Team, p)
}

// changeTeam invites somebody to moderate, withdraws that, gives a moderator another role or dismisses one.
func (a *App) changeTeam(c *call) error {
	name, user, role := c.r.PathValue("community"), c.value("user"), communities.Role(c.value("role"))
	var err error
	switch c.value("do") {
	case "withdraw":
		err = a.communities.Withdraw(c.r.Context(), *c.actor, name, user)
	case "role":
		err = a.communities.SetRole(c.r.Context(), *c.actor, name, user, role)
	case "dismiss":
		err = a.communities.Dismiss(c.r.Context(), *c.actor, name, user)
	default:
		if err = a.communities.Invite(c.r.Context(), *c.actor, name, user, role); data.ErrorCode(err) == data.Invalid && !c.wantsJSON() {
			return a.teamPage(c, formStatus(err), err)
		}
	}
	if err != nil {
		return err
	}
	return c.done("/c/"+name+"/moderators", map[string]any{"user": user, "role": role})
}

// answerTeam accepts or declines an invitation to moderate, or gives up the member's own role.
func (a *App) answerTeam(c *call) error {
	name, to := c.r.PathValue("community"), "/inbox"
	var err error
	switch c.value("do") {
	case "accept":
		err, to = a.communities.Accept(c.r.Context(), *c.actor, name, communities.Role(c.value("role"))), "/c/"+name+"/moderators"
	case "decline":
		err = a.communities.Decline(c.r.Context(), *c.actor, name)
	case "resign":
		err, to = a.communities.Resign(c.r.Context(), *c.actor, name), "/c/"+name+"/moderators"
	default:
		return &data.Error{Code: data.Invalid, Field: "do", Message: "do is accept, decline or resign."}
	}
	if err != nil {
		return err
	}
	return c.done(to, map[string]any{"community": name})
}
