package admin

import (
	"net/http"

	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/worker/request"
)

// ShowAdmin is the administrators' first page: links to all their pages, and how many things wait there.
func (h *Handlers) ShowAdmin(c *request.Call) error {
	r := c.ReadMerged()
	n := h.Settings.Count(r)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.AdminPage{Frame: c.Frame("Administration")}
	add := func(label locale.Text, address string, count int, texts pending) {
		row := pages.AdminRow{Label: label, URL: address}
		switch {
		case count >= site.CountMax:
			row.Note = texts.max
		case texts.count != "":
			row.Note = locale.With(texts.count, count)
		}
		p.Rows = append(p.Rows, row)
	}
	add("Moderators' queue", request.AllQueuesURL, n.Reports, pendingWaiting)
	add("Quarantined votes", "/admin/quarantine", n.Cases, pendingOpen)
	add("Messages from members", request.AdminMailURL, n.Conversations, pendingOpen)
	add("Dead letters", request.DeadLettersURL, n.DeadLetters, pending{"{} failed|{} failed", "1,000 or more failed"})
	add("Contact messages", request.MessagesURL, n.Messages, pendingOpen)
	add("Communities", "/communities?sort=new", n.Communities, pending{"{} new this week|{} new this week", "1,000 or more new this week"})
	add("Members", request.AdminUsersURL, n.Members,
		pending{"{} new in the last day|{} new in the last day", "1,000 or more new in the last day"})
	add("Waiting for approval", request.WaitingURL, n.Newcomers, pendingWaiting)
	add("Claimed accounts", request.ClaimURL, 0, pending{})
	add("Invitations", request.AdminInvitesURL, 0, pending{})
	add("Pictures", request.PicturesURL, 0, pending{})
	add("Blocked pictures", request.BlockedPicturesURL(""), 0, pending{})
	add("Site settings", request.SiteSettingsURL, 0, pending{})
	add("Health", request.HealthURL, 0, pending{})
	add("Site log", "/log", 0, pending{})
	return request.Show(c, http.StatusOK, pages.Admin, p)
}

// pending has the texts for a number: count below site.CountMax, max for site.CountMax, where counting stops.
type pending struct{ count, max locale.Text }

var (
	pendingWaiting = pending{"{} waiting|{} waiting", "1,000 or more waiting"}
	pendingOpen    = pending{"{} open|{} open", "1,000 or more open"}
)
