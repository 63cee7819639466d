package admin

import (
	"net/http"
	"strconv"

	"plaza/data/site"
	pages "plaza/render/admin"
	"plaza/worker/request"
)

// ShowAdmin is where administrators begin: what waits for them, and the way to everything that they look after.
func (h *Handlers) ShowAdmin(c *request.Call) error {
	r := c.Read()
	n := h.Settings.Count(r)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.AdminPage{Frame: c.Frame("Administration", "", "")}
	p.NoIndex = true
	add := func(label, address string, count int, what string) {
		row := pages.AdminRow{Label: label, URL: address}
		switch {
		case count >= site.Most:
			row.Note = "1,000 or more " + what
		case what != "":
			row.Note = strconv.Itoa(count) + " " + what
		}
		p.Rows = append(p.Rows, row)
	}
	add("Moderators' queue", request.AllQueuesURL, n.Reports, "waiting")
	add("Quarantined votes", "/admin/quarantine", n.Cases, "open")
	add("Messages from members", request.AdminMailURL, n.Conversations, "open")
	add("Dead letters", request.DeadLettersURL, n.DeadLetters, "failed")
	add("Contact messages", request.MessagesURL, n.Messages, "open")
	add("Communities", "/communities?sort=new", n.Communities, "new this week")
	add("Members", request.AdminUsersURL, n.Members, "new in the last day")
	add("Waiting for approval", request.WaitingURL, n.Newcomers, "waiting")
	add("Claimed accounts", request.ClaimURL, 0, "")
	add("Invitations", request.AdminInvitesURL, 0, "")
	add("Site settings", request.SiteSettingsURL, 0, "")
	add("Site log", "/log", 0, "")
	return request.Show(c, http.StatusOK, pages.Admin, p)
}
