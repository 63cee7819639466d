package worker

import (
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// showWaiting lists the newcomers who wait.
func (a *App) showWaiting(c *call) error {
	after, err := optionalID(c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	list := a.users.FindWaiting(r, after, people.ApproveMax+1)
	if err := c.run(r); err != nil {
		return err
	}
	if n, err := strconv.Atoi(c.r.URL.Query().Get("decided")); err == nil {
		c.notice = strconv.Itoa(n) + " decided."
	}
	p := render.WaitingPage{Frame: c.frame("Newcomers", "", ""), Question: a.settings.Now().Question}
	p.NoIndex = true
	for i, n := range *list {
		if i == people.ApproveMax {
			p.NextURL = waitingURL + "?after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Newcomers = append(p.Newcomers, render.Newcomer{ID: n.ID.Text(), Name: n.Name, Answer: n.Answer, At: n.CreatedAt})
	}
	if after != 0 {
		p.FirstURL = waitingURL
	}
	return show(c, http.StatusOK, render.Waiting, p)
}

// decideWaiting approves or refuses the newcomers who are ticked.
func (a *App) decideWaiting(c *call) error {
	decision := c.value("decision")
	known := decision == "approve" || decision == "refuse"
	var ids []data.ID
	for _, text := range c.form["newcomer"] {
		if id, err := data.ParseID(text); err == nil && known {
			ids = append(ids, id)
		}
	}
	n, err := a.users.Approve(c.r.Context(), *c.actor, ids, decision == "approve")
	if err != nil {
		return err
	}
	if !known { // whoever may decide is told
		return data.Mistake("decision", "A decision is approve or refuse.")
	}
	return c.done(waitingURL+"?decided="+strconv.Itoa(n), map[string]any{"decided": n})
}
