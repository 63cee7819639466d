package admin

import (
	"net/http"

	"plaza/data/site"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/worker/request"
)

// ShowAdmin is the administrators' first page: cards of all their pages, and how much waits there or is new.
func (h *Handlers) ShowAdmin(c *request.Call) error {
	r := c.ReadMerged()
	n := h.Settings.Count(r)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.AdminPage{Frame: c.Frame("Administration"), Counts: []pages.AdminCount{
		pendingWaiting.count(request.AllQueuesURL, n.Reports),
		pendingOpen.count(request.OpenCasesURL, n.Cases),
		pendingWaiting.count(request.WaitingURL, n.Newcomers),
		pendingOpen.count(request.AdminMailURL, n.Conversations),
		pendingOpen.count(request.MessagesURL, n.Messages),
		pending{"{} failed|{} failed", "1,000 or more failed"}.count(request.DeadLettersURL, n.DeadLetters),
		pending{"{} new in the last day|{} new in the last day", "1,000 or more new in the last day"}.count(request.AdminUsersURL, n.Members),
		pending{"{} new this week|{} new this week", "1,000 or more new this week"}.count("/communities?sort=new", n.Communities),
	}}
	return request.Show(c, http.StatusOK, pages.Admin, p)
}

// pending has the texts for a number: below is for those below site.CountMax, max for site.CountMax, where counting stops.
type pending struct{ below, max locale.Text }

func (t pending) count(address string, n int) pages.AdminCount {
	if n >= site.CountMax {
		return pages.AdminCount{URL: address, Says: t.max}
	}
	return pages.AdminCount{URL: address, Says: locale.With(t.below, n), None: n == 0}
}

var (
	pendingWaiting = pending{"{} waiting|{} waiting", "1,000 or more waiting"}
	pendingOpen    = pending{"{} open|{} open", "1,000 or more open"}
)
