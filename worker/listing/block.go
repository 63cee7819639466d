package listing

import (
	"net/http"

	"plaza/data"
	"plaza/locale"
	pages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/request"
)

// BlockUser blocks a member, or ends the block. The page's script gets the button in its new state.
func (h *Handlers) BlockUser(c *request.Call) error {
	name := c.Value("user")
	on, err := request.On(c)
	if err != nil {
		return err
	}
	if err := h.Accounts.Block(c.R.Context(), *c.Actor, name, on); err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return c.Page(http.StatusOK, pages.BlockFragment(name, on, request.Back(c.Value("return"))))
	}
	return c.Done(request.Back(c.Value("return")), map[string]any{"user": name, "on": on})
}

// ShowBlock asks whether to block a member. Comments link to it.
func (h *Handlers) ShowBlock(c *request.Call) error {
	name := c.R.URL.Query().Get("user")
	r := c.Read()
	user := h.Accounts.FindByName(r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if user.ID == 0 {
		return &data.Error{Code: data.NotFound, Message: "There is no member of that name."}
	}
	p := pages.BlockPage{Frame: c.Frame(locale.With("Block {}", user.Username)), Name: user.Username,
		ReturnURL: c.CameFromPage(0, "/u/"+user.Username)}
	return request.Show(c, http.StatusOK, pages.Block, p)
}

// blockedPage is how many members a page of /settings/blocked shows.
const blockedPage = 50

// ShowBlocked lists whom the member blocks.
func (h *Handlers) ShowBlocked(c *request.Call) error {
	after, err := request.OptionalID(c.R.URL.Query().Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	list := h.Accounts.FindBlocked(r, *c.Actor, after, blockedPage+1)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.BlockedPage{Frame: c.Frame("Blocked members")}
	for i, b := range *list {
		if i == blockedPage {
			p.NextURL = "/settings/blocked?after=" + (*list)[i-1].ID.Text()
			break
		}
		p.Members = append(p.Members, pages.BlockedMember{Name: b.Name, Avatar: ui.Avatar(b.Avatar)})
	}
	return request.Show(c, http.StatusOK, pages.BlockedMembers, p)
}
