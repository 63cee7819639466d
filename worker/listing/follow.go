package listing

import (
	"net/http"

	"plaza/data"
	"plaza/data/accounts"
	pages "plaza/render/listing"
	"plaza/render/ui"
	"plaza/worker/request"
)

// FollowUser follows a member, or stops. The page's script gets the button in its new state.
func (h *Handlers) FollowUser(c *request.Call) error {
	name := c.Value("user")
	on, err := request.On(c)
	if err != nil {
		return err
	}
	if err := h.Accounts.Follow(c.R.Context(), *c.Actor, name, on); err != nil {
		return err
	}
	if c.Fragment() && !c.WantsJSON() {
		return c.Page(http.StatusOK, ui.FollowFragment(name, on, request.Back(c.Value("return"))))
	}
	return c.Done(request.Back(c.Value("return")), map[string]any{"user": name, "on": on})
}

// profileFollowers reads a member's followers along with their page.
func (h *Handlers) profileFollowers(c *request.Call, r *data.Read, a author) (func(*pages.ProfilePage), error) {
	return h.profilePeople(c, r, accounts.PeopleQuery{Name: a.name}, "/followers")
}

// profileFollowees reads whom a member follows along with their page.
func (h *Handlers) profileFollowees(c *request.Call, r *data.Read, a author) (func(*pages.ProfilePage), error) {
	return h.profilePeople(c, r, accounts.PeopleQuery{Name: a.name, Followees: true}, "/following")
}

// profilePeople reads a list of members along with a profile. The function that it returns puts the list into the page,
// after Call.Run.
func (h *Handlers) profilePeople(c *request.Call, r *data.Read, q accounts.PeopleQuery, path string) (func(*pages.ProfilePage), error) {
	var err error
	if q.Before, err = request.OptionalID(c.R.URL.Query().Get("after")); err != nil {
		return nil, err
	}
	q.Limit, q.Viewer = profilePage, c.ViewerID()
	list := h.Accounts.FindPeople(r, q)
	return func(p *pages.ProfilePage) {
		for _, m := range list.Items() {
			p.People = append(p.People, ui.Person{Name: m.Name, Followers: m.Followers, Followed: m.Followed, IsSelf: m.ID == c.ViewerID()})
		}
		if next := list.Next(); next != 0 {
			p.NextURL = "/u/" + p.Name + path + "?after=" + next.Text()
		}
	}, nil
}
