package account

import (
	"plaza/data/accounts"
	"plaza/worker/request"
)

// ChooseDisplay changes the density of listings, the theme or the language, in a member's account or on a visitor's device. Fields:
// density, theme or language.
func (h *Handlers) ChooseDisplay(c *request.Call) error {
	field := "density"
	for _, other := range []string{"theme", "language"} {
		if _, given := c.Form[other]; given {
			field = other
		}
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
	d, language := c.Chosen()
	switch field {
	case "theme":
		d.Theme = value
	case "language":
		language = value
	default:
		d.Density = value
	}
	request.RememberDisplay(c, d, language)
	return c.Done(c.CameFromPage(0, "/"), map[string]any{field: value})
}
