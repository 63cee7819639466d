package worker

import (
	"net/http"
	"strconv"

	"plaza/data/site"
	"plaza/render"
)

// showAdmin is where administrators begin: what waits for them, and the way to everything that they look after.
func (a *App) showAdmin(c *call) error {
	r := c.read()
	n := a.settings.Count(r)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.AdminPage{Frame: c.frame("Administration", "", "")}
	p.NoIndex = true
	add := func(label, address string, count int, what string) {
		row := render.AdminRow{Label: label, URL: address}
		switch {
		case count >= site.Most:
			row.Note = "1,000 or more " + what
		case what != "":
			row.Note = strconv.Itoa(count) + " " + what
		}
		p.Rows = append(p.Rows, row)
	}
	add("Moderators' queue", allQueuesURL, n.Reports, "waiting")
	add("Quarantined votes", "/admin/quarantine", n.Cases, "open")
	add("Messages from members", adminMailURL, n.Conversations, "open")
	add("Dead letters", deadLettersURL, n.DeadLetters, "failed")
	add("Contact messages", messagesURL, n.Messages, "open")
	add("Communities", "/communities?sort=new", n.Communities, "new this week")
	add("Members", adminUsersURL, n.Members, "new in the last day")
	add("Newcomers", waitingURL, n.Newcomers, "waiting")
	add("Claimed accounts", claimURL, 0, "")
	add("Invitations", adminInvitesURL, 0, "")
	add("Site settings", siteSettingsURL, 0, "")
	add("Site log", "/log", 0, "")
	return show(c, http.StatusOK, render.Admin, p)
}
