package worker

import (
	"net/http"

	"plaza/data"
	"plaza/render"
)

// blockUser blocks somebody, or ends that. The page's script gets the button in its new state.
func (a *App) blockUser(c *call) error {
	name, on := c.value("user"), c.value("on")
	if on != "0" && on != "1" {
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to block and 0 to unblock."}
	}
	if err := a.users.Block(c.r.Context(), *c.actor, name, on == "1"); err != nil {
		return err
	}
	if c.fragment() && !c.wantsJSON() {
		return c.page(http.StatusOK, render.BlockFragment(name, on == "1", back(c.value("return"))))
	}
	return c.done(back(c.value("return")), map[string]any{"user": name, "on": on == "1"})
}

// showBlock asks whether somebody is to be blocked. Comments lead here.
func (a *App) showBlock(c *call) error {
	name := c.r.URL.Query().Get("user")
	r := c.read()
	user := a.users.FindByName(r, name)
	if err := c.run(r); err != nil {
		return err
	}
	if user.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is nobody of that name here."}
	}
	p := render.BlockPage{Frame: c.frame("Block "+user.Username, "", ""), Name: user.Username, ReturnURL: c.cameFromPage(0, "/u/"+user.Username)}
	p.NoIndex = true
	return show(c, http.StatusOK, render.Block, p)
}

// blockedPage is how many members a page of /settings/blocked shows.
const blockedPage = 50

// showBlocked lists whom the member blocks.
func (a *App) showBlocked(c *call) error {
	after, err := optionalID(c.r.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.read()
	list := a.users.FindBlocked(r, *c.actor, after, blockedPage+1)
	if err := c.run(r); err != nil {
		return err
	}
	p := render.BlockedPage{Frame: c.frame("Blocked members", "", "")}
	p.NoIndex = true
	for i, b := range *list {
		if i == blockedPage {
			p.NextURL = "/settings/blocked?after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Members = append(p.Members, render.BlockedMember{Name: b.Name, Avatar: render.Avatar(b.Avatar)})
	}
	return show(c, http.StatusOK, render.BlockedMembers, p)
}
