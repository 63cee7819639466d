package worker

import (
	"net/http"
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/moderation"
	"plaza/data/modlog"
	"plaza/data/people"
	"plaza/render"
)

const (
	adminUsersURL = "/admin/users"
	// adminUsersPage is how many members a page of the administrators' list shows.
	adminUsersPage = 50
)

// showUsers lists members by their status, below the form that suspends.
func (a *App) showUsers(c *call) error { return a.usersPage(c, http.StatusOK, nil) }

// usersPage shows the list. refused is why a decision was not carried out, if it was not.
func (a *App) usersPage(c *call, status int, refused error) error {
	if err := c.parse(); err != nil {
		return err
	}
	q := c.r.URL.Query()
	after, err := optionalID(q.Get("after"))
	if err != nil {
		return err
	}
	of := q.Get("status")
	if !slices.Contains(people.Statuses, of) {
		of = people.Statuses[0]
	}
	r := c.read(a)
	list := a.users.FindOfStatus(r, of, after, adminUsersPage+1)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.UsersPage{Frame: c.frame(a, "Members", "", ""), Status: of, Rules: moderation.General, Days: banDays, Form: c.typed("user", "rule", "text", "days")}
	p.NoIndex = true
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	address := func(status string) string {
		if status == people.Statuses[0] {
			return adminUsersURL
		}
		return adminUsersURL + "?status=" + status
	}
	for i, label := range []string{"Active", "Suspended", "Banned"} {
		p.Tabs = append(p.Tabs, render.Tab{Label: label, URL: address(people.Statuses[i]), Active: people.Statuses[i] == of})
	}
	if after != 0 {
		p.FirstURL = address(of)
	}
	for i, u := range *list {
		if i == adminUsersPage {
			p.NextURL = adminUsersURL + "?status=" + of + "&after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Users = append(p.Users, render.ListedUser{Name: u.Name, Avatar: render.Avatar(u.Avatar), JoinedAt: u.CreatedAt, Until: u.Until, Rule: u.Rule, Note: u.Note, By: u.By})
	}
	return show(c, status, render.Users, p)
}

// judgeUser suspends, bans or restores a member of the site.
func (a *App) judgeUser(c *call) error {
	j := people.Judgement{Name: c.value("user"), Action: modlog.Action(c.value("decision")), Rule: c.value("rule"), Note: c.value("text"), Days: c.days("days")}
	done, err := a.users.Judge(c.r.Context(), *c.actor, j, moderation.General)
	if slices.Contains([]data.Code{data.Invalid, data.Conflict, data.NotFound}, data.ErrorCode(err)) && !c.wantsJSON() {
		return a.usersPage(c, formStatus(err), err)
	}
	if err != nil {
		return err
	}
	a.nudgeEvents(c, decidedMessage(done.Entry))
	to := adminUsersURL
	switch j.Action {
	case modlog.Suspend:
		to += "?status=suspended"
	case modlog.BanSite:
		to += "?status=banned"
	}
	answer := map[string]any{"user": done.Name, "decision": j.Action}
	if !done.Until.IsZero() {
		answer["until"] = done.Until
	}
	return c.done(to, answer)
}

// suspendURL is where administrators decide about a member.
func suspendURL(name string) string { return adminUsersURL + "?user=" + url.QueryEscape(name) }
