package request

import (
	"slices"

	"plaza/data"
	"plaza/render/ui"
)

// ShowForm responds with the page that has a form.
type ShowForm func(c *Call, status int, f ui.Form) error

// Refuse shows a form again, with what was typed into fields and why it was refused. It returns err instead for programs, for errors that
// have a page of their own (isShownInForm), and for the codes in except. If the form can't be shown, it returns why.
func Refuse(c *Call, err error, show ShowForm, fields []string, except ...data.Code) error {
	if c.WantsJSON() || !isShownInForm(err) || slices.Contains(except, data.ErrorCode(err)) {
		return err
	}
	return show(c, FormStatus(err), WithError(c.Typed(fields...), err))
}

// RefuseMember is Refuse for a form on a page that only a member can see.
func RefuseMember(c *Call, err error, show ShowForm, fields []string, except ...data.Code) error {
	if c.Actor == nil {
		return err
	}
	return Refuse(c, err, show, fields, except...)
}

// RefuseFound is RefuseMember for a form on the page of something that has to be found, such as a conversation. If that fails, it
// returns err, which says more.
func RefuseFound(c *Call, err error, show ShowForm, fields []string, except ...data.Code) error {
	if RefuseMember(c, err, show, fields, except...) != nil {
		return err
	}
	return nil
}

// RefuseOrSignIn is Refuse for a form that FormPage knows by its name. A visitor gets the login page, which carries the form.
func RefuseOrSignIn(c *Call, err error, name string, show ShowForm, fields []string, except ...data.Code) error {
	if data.ErrorCode(err) == data.Unauthenticated && !c.WantsJSON() {
		return c.Server.SignInAgain(c, name, err)
	}
	return Refuse(c, err, show, fields, except...)
}

// isShownInForm reports whether a form is shown again because of err. Other errors have a page of their own.
func isShownInForm(err error) bool {
	switch data.ErrorCode(err) {
	case data.Invalid, data.Conflict, data.AlreadySent, data.NotFound, data.Forbidden, data.Unauthenticated, data.RateLimited,
		data.Unavailable:
		return true
	}
	return false
}

// Form is a form that is shown again with what was typed: with a preview, after logging in, or because it was refused.
type Form struct {
	Show   func(c *Call, p *ui.Preview) error // p is nil without a preview
	Refuse func(c *Call, err error) error     // returns the error if the form can't be shown
}

// FormPage shows a form again, with everything that was typed, and with a preview if there is one.
func (s *Server) FormPage(c *Call, name string, p *ui.Preview) error {
	if known, ok := s.FormsByName[name]; ok {
		return known.Show(c, p)
	}
	return &data.Error{Code: data.NotFound, Field: "preview", Message: "There is no such form."}
}

// RefuseForm shows a form again, with what was typed and why it was refused. If it can't, it returns the error.
func (s *Server) RefuseForm(c *Call, name string, err error) error {
	if known, ok := s.FormsByName[name]; ok {
		return known.Refuse(c, err)
	}
	return err
}
