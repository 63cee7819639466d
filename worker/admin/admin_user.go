package admin

import (
	"net/http"
	"net/url"
	"slices"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/suspensions"
	"plaza/data/events/modlog"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// adminUsersPage is how many members a page of the administrators' list shows.
const adminUsersPage = 50

// ShowUsers lists the members with a status, and has the form to suspend a member by name.
func (h *Handlers) ShowUsers(c *request.Call) error { return h.usersPage(c, http.StatusOK, nil) }

// usersPage shows the list. refused is why a decision was refused, or nil.
func (h *Handlers) usersPage(c *request.Call, status int, refused error) error {
	if err := c.Parse(); err != nil {
		return err
	}
	q := c.R.URL.Query()
	userStatus := q.Get("status")
	if !slices.Contains(accounts.Statuses, userStatus) {
		userStatus = accounts.Statuses[0]
	}
	order := accounts.Newest
	if q.Get("by") == "rating" {
		order = accounts.MostKarma
	}
	after, err := data.ParseCursor(byte(order), q.Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	list := h.Accounts.FindOfStatus(r, userStatus, order, after, adminUsersPage+1)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.UsersPage{Frame: c.Frame("Members"), Status: userStatus, Rules: view.RulesOf(c, nil), Days: request.BanDays,
		Form: c.Typed("user", "rule", "text", "days")}
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	}
	for i, label := range []locale.Text{"Active", "Suspended", "Banned"} {
		s := accounts.Statuses[i]
		p.Tabs = append(p.Tabs, ui.Tab{Label: label, URL: usersURL(s, order, ""), Active: s == userStatus})
	}
	for i, label := range []locale.Text{"Newest", "Most karma"} {
		by := []data.Order{accounts.Newest, accounts.MostKarma}[i]
		p.Orders = append(p.Orders, ui.Tab{Label: label, URL: usersURL(userStatus, by, ""), Active: by == order})
	}
	if !after.IsZero() {
		p.FirstURL = usersURL(userStatus, order, "")
	}
	for i, u := range *list {
		if i == adminUsersPage {
			p.NextURL = usersURL(userStatus, order, (*list)[i-1].Cursor(order).String())
			break
		}
		p.Users = append(p.Users, pages.ListedUser{Name: u.Name, Avatar: ui.Avatar(u.Avatar), JoinedAt: u.CreatedAt, Karma: u.Karma,
			Until: u.Until, Rule: u.Rule, Note: u.Note, By: u.By})
	}
	return request.Show(c, status, pages.Users, p)
}

// usersURL is the address of a page of the list.
func usersURL(status string, order data.Order, after string) string {
	q := url.Values{}
	if status != accounts.Statuses[0] {
		q.Set("status", status)
	}
	if order == accounts.MostKarma {
		q.Set("by", "rating")
	}
	if after != "" {
		q.Set("after", after)
	}
	if len(q) == 0 {
		return request.AdminUsersURL
	}
	return request.AdminUsersURL + "?" + q.Encode()
}

// DecideUser suspends, bans or restores a member of the site.
func (h *Handlers) DecideUser(c *request.Call) error {
	j := suspensions.Sanction{Name: c.Value("user"), Act: c.Act()}
	done, err := h.Suspensions.Decide(c.R.Context(), *c.Actor, j, view.RulesOf(c, nil))
	if slices.Contains([]data.Code{data.Invalid, data.Conflict, data.NotFound}, data.ErrorCode(err)) && !c.WantsJSON() {
		return h.usersPage(c, request.FormStatus(err), err)
	}
	if err != nil {
		return err
	}
	to := request.AdminUsersURL
	switch j.Action {
	case modlog.Suspend:
		to += "?status=suspended"
	case modlog.BanSite:
		to += "?status=banned"
	}
	result := map[string]any{"user": done.Name, "decision": j.Action}
	if !done.Until.IsZero() {
		result["until"] = done.Until
	}
	return c.Done(to, result)
}
