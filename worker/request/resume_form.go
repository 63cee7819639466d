package request

import (
	"net/http"
	"net/url"
	"slices"
	"time"

	"plaza/data"
	accountpages "plaza/render/account"
	"plaza/render/ui"
)

// If the sender of a form is not logged in, the login page carries the form's fields. After logging in, the form
// is shown again with them. Nothing is stored.

// signInFields are the fields of the login pages themselves.
var signInFields = []string{"login", "username", "email", "password", "invite", "answer", "next", "show", "token",
	"challenge", "account", "credential", "client_data", "attestation", "authenticator_data", "signature", "user_handle", "code"}

// SignInAgain responds to a form of a visitor with the login page, which carries the typed text. form is the form's name in FormPage.
func (s *Server) SignInAgain(c *Call, form string, err error) error {
	if c.Actor == nil && !c.forged { // else the session was ended elsewhere
		err = errSignInToSend
	}
	c.Actor, c.Viewer = nil, nil
	c.Form.Set("again", form)
	if community := c.R.PathValue("community"); community != "" {
		c.Form.Set("in", community)
	}
	c.Form.Set("kept", c.Form.Get("token")) // signing up has a token of its own
	for _, name := range signInFields {
		c.Form.Del(name)
	}
	c.Form.Set("next", c.CameFromPage(0, "/"))
	return s.LogInForm(c, FormStatus(err), WithError(c.Typed("login", "next"), err))
}

var errSignInToSend = &data.Error{Code: data.Unauthenticated, Message: "Please log in to send this."}

// Carried returns the fields of the form that the login page carries, in a fixed order.
func (c *Call) Carried() []ui.Field {
	if SafeMethod(c.R.Method) || c.Value("again") == "" {
		return nil
	}
	var fields []ui.Field
	for name := range c.Form {
		if !slices.Contains(signInFields, name) {
			fields = append(fields, ui.Field{Name: name, Value: c.Value(name)})
		}
	}
	slices.SortFunc(fields, accountpages.CompareFields)
	return fields
}

// ShowCarried shows a form that was carried through logging in, with the reason if it can't be sent any more. ok is
// false if no form was carried, or it can't be shown.
func (s *Server) ShowCarried(c *Call) (ok bool) {
	form := c.Value("again")
	if form == "" || c.WantsJSON() {
		return false
	}
	c.Form.Set("token", c.Form.Get("kept"))
	c.Flash = "You are logged in. Here is what you have written."
	err := s.FormPage(c, form, nil)
	if err != nil {
		err = s.RefuseForm(c, form, err)
	}
	return err == nil
}

// wantedCookie has the button, such as a vote, that a visitor has pressed, until they have logged in. Only this site can set it,
// after a request of its own pages.
const (
	wantedCookie = "__Host-wanted"
	wantedLife   = 30 * time.Minute
	wantedMax    = 1000 // bytes of a form
)

// wanted is what a visitor wanted to do, and where logging in leads back to.
type wanted struct {
	Path, Next string
	Form       url.Values
}

// AfterSignIn lets the action be carried out after logging in if a visitor has pressed its button.
func (rt *Route) AfterSignIn() *Route {
	rt.afterSignIn = true
	return rt
}

// keepWanted stores what was wanted in the visitor's cookie. next is where logging in leads back to.
func (s *Server) keepWanted(c *Call, next string) {
	if form := c.Form; c.Route.afterSignIn && len(form.Encode()) <= wantedMax {
		form.Set("return", next)
		SetSignedCookie(c, wantedCookie, wanted{c.Route.Pattern, next, form}, wantedLife)
	}
}

// Wanted returns what the visitor has pressed before this login page: the pattern of the action, and its form. pattern is "" for nothing.
func (c *Call) Wanted() (pattern string, form url.Values) {
	want, _, ok := SignedCookie[wanted](c, wantedCookie)
	if !ok || want.Next != Back(c.Value("next")) {
		return "", nil
	}
	return want.Path, want.Form
}

// ResumeWanted carries out the action whose button the member pressed as a visitor, and responds as that action does. It is called right
// after logging in. If there is none, or logging in began on another page, it returns false, and the caller responds.
func (s *Server) ResumeWanted(c *Call) bool {
	pattern, form := c.Wanted()
	rt := s.wanted[pattern]
	if rt == nil || c.WantsJSON() {
		return false
	}
	c.DropCookie(wantedCookie)
	if c.Actor.Unapproved || s.Requires(s.Settings.Now(), c.Actor.Agreed).Any() {
		return false
	}
	c.Route, c.Form, c.R = rt, form, c.R.WithContext(c.R.Context())
	c.R.Method, c.R.URL = http.MethodPost, &url.URL{Path: pattern} // which the page of an error offers to try again
	s.SetFreshCookie(c)
	defer s.DB.InvalidateMember(c.Actor.UserID)
	err := s.checkLimit(c)
	if err == nil {
		err = rt.handle(c)
	}
	if err != nil {
		s.fail(c, err)
	}
	return true
}
