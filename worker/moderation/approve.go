package moderation

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/locale"
	adminpages "plaza/render/admin"
	"plaza/worker/request"
)

// ShowWaiting lists the newcomers who wait for approval.
func (h *Handlers) ShowWaiting(c *request.Call) error {
	after, err := request.OptionalID(c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	list := h.Accounts.FindWaiting(r, after, accounts.ApproveMax+1)
	if err := c.Run(r); err != nil {
		return err
	}
	if n, err := strconv.Atoi(c.R.URL.Query().Get("decided")); err == nil {
		c.Flash = locale.With("{} decided.", n)
	}
	p := adminpages.WaitingPage{Frame: c.Frame("Waiting for approval"), Question: h.Settings.Now().Question}
	for i, n := range *list {
		if i == accounts.ApproveMax {
			p.NextURL = request.WaitingURL + "?after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Newcomers = append(p.Newcomers, adminpages.Newcomer{ID: n.ID.Text(), Name: n.Name, Answer: n.Answer, At: n.CreatedAt})
	}
	if after != 0 {
		p.FirstURL = request.WaitingURL
	}
	return request.Show(c, http.StatusOK, adminpages.Waiting, p)
}

// DecideWaiting approves or refuses the newcomers who are ticked.
func (h *Handlers) DecideWaiting(c *request.Call) error {
	decision := c.Value("decision")
	known := decision == "approve" || decision == "refuse"
	var ids []data.ID
	for _, text := range c.Form["newcomer"] {
		if id, err := data.ParseID(text); err == nil && known {
			ids = append(ids, id)
		}
	}
	n, err := h.Accounts.Approve(c.R.Context(), *c.Actor, ids, decision == "approve")
	if err != nil {
		return err
	}
	if !known { // only after Approve has checked the caller
		return data.Mistake("decision", "A decision is approve or refuse.")
	}
	return c.Done(request.WaitingURL+"?decided="+strconv.Itoa(n), map[string]any{"decided": n})
}
