package request

import (
	"slices"

	"plaza/data"
	"plaza/render/ui"
)

// ShowForm answers with the page that has a form.
type ShowForm func(c *Call, status int, f ui.Form) error

// Refuse shows a form again: what was typed into its fields, and why it was refused. It returns err to a program, for an error that no form
// can say, and for those that have a page of their own (except). Where the form can't be shown, it returns why.
func Refuse(c *Call, err error, show ShowForm, fields []string, except ...data.Code) error {
	if c.WantsJSON() || !formCanSay(err) || slices.Contains(except, data.ErrorCode(err)) {
		return err
	}
	return show(c, FormStatus(err), Wrong(c.Typed(fields...), err))
}

// RefuseMember is Refuse for a form on a page that only a member can see.
func RefuseMember(c *Call, err error, show ShowForm, fields []string, except ...data.Code) error {
	if c.Actor == nil {
		return err
	}
	return Refuse(c, err, show, fields, except...)
}

// RefuseFound is RefuseMember for a form on the page of something that has to be found, such as a conversation. Where that fails, it
// returns err, which says more.
func RefuseFound(c *Call, err error, show ShowForm, fields []string, except ...data.Code) error {
	if RefuseMember(c, err, show, fields, except...) != nil {
		return err
	}
	return nil
}

// RefuseOrSignIn is Refuse for a form that FormPage knows by its name. Who is not logged in gets the login page, which carries the form.
func RefuseOrSignIn(c *Call, err error, name string, show ShowForm, fields []string, except ...data.Code) error {
	if data.ErrorCode(err) == data.Unauthenticated && !c.WantsJSON() {
		return c.Server.SignInAgain(c, name, err)
	}
	return Refuse(c, err, show, fields, except...)
}

// formCanSay reports whether a form is shown again because of err. Other errors have a page of their own.
func formCanSay(err error) bool {
	switch data.ErrorCode(err) {
	case data.Invalid, data.Conflict, data.AlreadySent, data.NotFound, data.Forbidden, data.Unauthenticated, data.RateLimited,
		data.Unavailable:
		return true
	}
	return false
}
