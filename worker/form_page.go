package worker

import (
	"plaza/data"
	"plaza/render"
)

// form is a form that is shown again with what was typed: with a preview, after logging in, or because it was refused.
type form struct {
	show   func(c *call, p *render.Preview) error // p is nil without a preview
	refuse func(c *call, err error) error         // returns the error where the form can't be shown
}

// formPage shows a form again, with everything that was typed, and with a preview if there is one.
func (a *App) formPage(c *call, name string, p *render.Preview) error {
	if known, ok := a.forms[name]; ok {
		return known.show(c, p)
	}
	return &data.Error{Code: data.NotFound, Field: "preview", Message: "There is no such form."}
}

// refuseForm shows a form again, with what was typed and why it was refused. Where it can't, it returns the error.
func (a *App) refuseForm(c *call, name string, err error) error {
	if known, ok := a.forms[name]; ok {
		return known.refuse(c, err)
	}
	return err
}
