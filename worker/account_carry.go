package worker

import (
	"slices"

	"plaza/data"
	"plaza/render"
)

// When the sender of a form is not logged in, the login page carries the form's fields. After logging in the form
// is shown again with them. Nothing is stored.

// signInFields are the fields of the login pages themselves.
var signInFields = []string{"login", "username", "email", "password", "invite", "answer", "next", "show", "token",
	"challenge", "account", "credential", "client_data", "attestation", "authenticator_data", "signature", "user_handle", "code"}

// signInAgain answers a form whose sender is not logged in with the login page, which carries what was typed. form
// says which form it is, as formPage knows it.
func (a *App) signInAgain(c *call, form string, err error) error {
	if c.actor == nil && !c.forged { // else the session was ended elsewhere
		err = errSignInToSend
	}
	c.actor, c.viewer = nil, nil
	c.form.Set("again", form)
	if community := c.r.PathValue("community"); community != "" {
		c.form.Set("in", community)
	}
	c.form.Set("kept", c.form.Get("token")) // signing up has a token of its own
	for _, name := range signInFields {
		c.form.Del(name)
	}
	c.form.Set("next", c.cameFromPage(0, "/"))
	return a.logInForm(c, formStatus(err), wrong(c.typed("login", "next"), err))
}

var errSignInToSend = &data.Error{Code: data.Unauthenticated, Message: "Please log in to send this."}

// carried are the fields of the form that is carried along, in a fixed order.
func (c *call) carried() []render.Field {
	if safeMethod(c.r.Method) || c.value("again") == "" {
		return nil
	}
	var fields []render.Field
	for name := range c.form {
		if !slices.Contains(signInFields, name) {
			fields = append(fields, render.Field{Name: name, Value: c.value(name)})
		}
	}
	slices.SortFunc(fields, render.CompareFields)
	return fields
}

// carriedOn shows a form that was carried through logging in, with the reason if it can't be sent any more. ok is
// false where no form was carried, or it can't be shown.
func (a *App) carriedOn(c *call) (ok bool) {
	form := c.value("again")
	if form == "" || c.wantsJSON() {
		return false
	}
	c.form.Set("token", c.form.Get("kept"))
	c.notice = "You are logged in. Here is what you have written."
	err := a.formPage(c, form, nil)
	if err != nil {
		err = a.refuseForm(c, form, err)
	}
	return err == nil
}
