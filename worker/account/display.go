package account

import (
	"plaza/data/accounts"
	"plaza/worker/request"
)

// ChooseDisplay changes the density of listings or the theme, in a member's account or on a visitor's device. Fields: density or theme.
func (h *Handlers) ChooseDisplay(c *request.Call) error {
	field := "density"
	if _, given := c.Form["theme"]; given {
		field = "theme"
	}
	value := c.Value(field)
	if c.Actor != nil {
		if err := h.Accounts.ChooseDisplay(c.R.Context(), *c.Actor, field, value); err != nil {
			return err
		}
		return c.Done(c.CameFromPage(0, "/"), map[string]any{field: value})
	}
	if err := accounts.CheckDisplay(field, value); err != nil {
		return err
	}
	d := c.Display()
	if field == "theme" {
		d.Theme = value
	} else {
		d.Density = value
	}
	request.RememberDisplay(c, d)
	return c.Done(c.CameFromPage(0, "/"), map[string]any{field: value})
}
