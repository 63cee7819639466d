package worker

import (
	"net/http"

	"plaza/data"
)

// toProfile leads from the place of a profile's posts to the profile, whatever its member is called now.
func (a *App) toProfile(c *call, place string) error {
	r := c.read()
	name := a.users.FindName(r, data.MemberOf(place))
	if err := c.run(r); err != nil {
		return err
	}
	if *name == "" {
		return errNoCommunity
	}
	c.w.Header().Set("Location", c.address("/u/"+*name))
	c.w.WriteHeader(http.StatusFound)
	return nil
}
