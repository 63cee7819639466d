package view

import (
	"net/http"

	"plaza/data"
	"plaza/worker/request"
)

// RedirectToProfile redirects from the place of a profile's posts to the profile, under the current name of its member.
func (v *Views) RedirectToProfile(c *request.Call, place string) error {
	r := c.Read()
	name := v.Accounts.FindName(r, data.MemberOf(place))
	if err := c.Run(r); err != nil {
		return err
	}
	if *name == "" {
		return request.ErrNoCommunity
	}
	c.W.Header().Set("Location", c.Address("/u/"+*name))
	c.W.WriteHeader(http.StatusFound)
	return nil
}
