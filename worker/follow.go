package worker

import (
	"net/http"

	"plaza/data"
	"plaza/data/people"
	"plaza/render"
)

// followUser follows somebody, or stops. The page's script gets the button in its new state.
func (a *App) followUser(c *call) error {
	name, on := c.value("user"), c.value("on")
	if on != "0" && on != "1" {
		return &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to follow and 0 to unfollow."}
	}
	if err := a.users.Follow(c.r.Context(), *c.actor, name, on == "1"); err != nil {
		return err
	}
	if c.fragment() && !c.wantsJSON() {
		return c.page(http.StatusOK, render.FollowFragment(name, on == "1", back(c.value("return"))))
	}
	return c.done(back(c.value("return")), map[string]any{"user": name, "on": on == "1"})
}

// profileFollowers adds who follows a member to what their page reads.
func (a *App) profileFollowers(c *call, r *data.Read, of author) (func(*render.ProfilePage), error) {
	return a.profilePeople(c, r, people.PeopleQuery{Name: of.name}, "/followers")
}

// profileFollowees adds whom a member follows to what their page reads.
func (a *App) profileFollowees(c *call, r *data.Read, of author) (func(*render.ProfilePage), error) {
	return a.profilePeople(c, r, people.PeopleQuery{Name: of.name, Followees: true}, "/following")
}

// profilePeople adds a list of members to what a profile reads. The function it returns puts it into the page, after
// run.
func (a *App) profilePeople(c *call, r *data.Read, q people.PeopleQuery, path string) (func(*render.ProfilePage), error) {
	var err error
	if q.Before, err = optionalID(c.r.URL.Query().Get("after")); err != nil {
		return nil, err
	}
	q.Limit, q.Viewer = profilePage, c.viewerID()
	list := a.users.FindPeople(r, q)
	return func(p *render.ProfilePage) {
		for _, m := range list.Items() {
			p.People = append(p.People, render.Person{Name: m.Name, Followers: m.Followers, Followed: m.Followed, IsSelf: m.ID == c.viewerID()})
		}
		if next := list.Next(); next != 0 {
			p.NextURL = "/u/" + p.Name + path + "?after=" + next.Text()
		}
	}, nil
}
