package worker

import (
	"net/http"
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/modlog"
	"plaza/data/people"
	"plaza/render"
)

const (
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
	of := q.Get("status")
	if !slices.Contains(people.Statuses, of) {
		of = people.Statuses[0]
	}
	order := people.Newest
	if q.Get("by") == "rating" {
		order = people.Rating
	}
	after, err := data.ParseCursor(byte(order), q.Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	list := a.users.FindOfStatus(r, of, order, after, adminUsersPage+1)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.UsersPage{Frame: c.frame("Members", "", ""), Status: of, Rules: c.rulesOf(nil), Days: banDays, Form: c.typed("user", "rule", "text", "days")}
	p.NoIndex = true
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	}
	for i, label := range []string{"Active", "Suspended", "Banned"} {
		p.Tabs = append(p.Tabs, render.Tab{Label: label, URL: usersURL(people.Statuses[i], order, ""), Active: people.Statuses[i] == of})
	}
	for i, label := range []string{"Newest", "Most karma"} {
		by := []people.MemberOrder{people.Newest, people.Rating}[i]
		p.Orders = append(p.Orders, render.Tab{Label: label, URL: usersURL(of, by, ""), Active: by == order})
	}
	if !after.IsZero() {
		p.FirstURL = usersURL(of, order, "")
	}
	for i, u := range *list {
		if i == adminUsersPage {
			p.NextURL = usersURL(of, order, (*list)[i-1].Cursor(order).String())
			break
		}
		p.Users = append(p.Users, render.ListedUser{Name: u.Name, Avatar: render.Avatar(u.Avatar), JoinedAt: u.CreatedAt, Karma: u.Karma, Until: u.Until, Rule: u.Rule, Note: u.Note, By: u.By})
	}
	return show(c, status, render.Users, p)
}

// usersURL is the address of a page of the list.
func usersURL(status string, order people.MemberOrder, after string) string {
	q := url.Values{}
	if status != people.Statuses[0] {
		q.Set("status", status)
	}
	if order == people.Rating {
		q.Set("by", "rating")
	}
	if after != "" {
		q.Set("after", after)
	}
	if len(q) == 0 {
		return adminUsersURL
	}
	return adminUsersURL + "?" + q.Encode()
}

// judgeUser suspends, bans or restores a member of the site.
func (a *App) judgeUser(c *call) error {
	j := people.Judgement{Name: c.value("user"), Act: c.act()}
	done, err := a.users.Judge(c.r.Context(), *c.actor, j, c.rulesOf(nil))
	if slices.Contains([]data.Code{data.Invalid, data.Conflict, data.NotFound}, data.ErrorCode(err)) && !c.wantsJSON() {
		return a.usersPage(c, formStatus(err), err)
	}
	if err != nil {
		return err
	}
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
