package request

import (
	"errors"
	"net/url"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/site"
	"plaza/locale"
)

// A site can require that members accept its terms, again when these change, and that they have a certain age (site.Settings). Members who
// have not done so yet can read, and get a form before they write. The session's cookie says what they have agreed to, so a write does
// not read it from the directory. For a token, the directory is read.

// AgreeURL is where members accept the terms and say when they were born.
const AgreeURL = "/agree"

// beforeAgreeing are the actions that belong to reading or keep the account safe. Members can do them before they have agreed.
var beforeAgreeing = map[string]bool{
	AgreeURL: true, "/seen": true, "/settings/zone": true, "/inbox/read": true, "/inbox/unread": true, "/save": true, "/hide": true,
	"/settings/sessions/end": true, "/settings/sessions/end-others": true, "/settings/tokens/end": true, "/decisions/{decision}": true,
	"/messages/{conversation}": true, "/delete": true, "/report": true, "/settings/devices/remove": true, "/settings/notifications": true,
}

// Requirements is what a member still has to do before they write.
type Requirements struct {
	Terms bool // accept the terms
	Age   bool // say when they were born
	Young bool // they are too young, so they can't write at all
}

// Any reports whether the member can't write yet.
func (o Requirements) Any() bool { return o.Terms || o.Age || o.Young }

// Requires returns what a member who has agreed to a still has to do.
func (s *Server) Requires(set *site.Settings, a data.Consent) Requirements {
	return Requirements{Terms: a.Terms < set.Terms, Age: set.MinAge > 0 && a.Born == 0,
		Young: a.Born != 0 && !accounts.MinAge(set.MinAge).Admits(a.Born, s.Source.Now())}
}

var (
	errAgree = &data.Error{Code: data.Forbidden, See: AgreeURL,
		Message: "Before you write, this site asks you for something. It takes a moment."}
	errYoung = &data.Error{Code: data.Forbidden, See: AgreeURL, Message: "Your account can read, but not write: by the year that you have " +
		"given you are too young for this site."}
)

// agreed returns an error if the caller is a member who still has to agree to something before this action. The pages of administrators
// stay open, so that an administrator can always change the settings back.
func (c *Call) agreed() error {
	set := c.Server.Settings.Now()
	if c.Actor == nil || SafeMethod(c.R.Method) || set.Terms == 0 && set.MinAge == 0 || c.Route.Access == Public ||
		c.Route.Access == Administrator || whileUnapproved[c.Route.Pattern] || beforeAgreeing[c.Route.Pattern] {
		return nil
	}
	if c.ByToken {
		found, err := c.Server.Accounts.FindAgreed(c.R.Context(), c.Actor.UserID)
		if err != nil {
			return err
		}
		c.Actor.Agreed = found
	}
	switch required := c.Server.Requires(set, c.Actor.Agreed); {
	case required.Young:
		return errYoung
	case required.Any():
		return errAgree
	}
	return nil
}

// agreeFirst redirects a member who has to agree to something to the form for that. The form leads back to the page before it. It
// does nothing and returns false for programs, and for forms with typed text, which are shown again instead.
func (s *Server) agreeFirst(c *Call) bool {
	if c.WantsJSON() || c.Route.refused != nil || c.Parse() != nil {
		return false
	}
	target, _ := data.ParseID(c.Value("target"))
	_ = c.Done(AgreeURL+"?next="+url.QueryEscape(c.CameFromPage(target, "/")), nil)
	return true
}

// requirementText is the notice on all pages for a member who has to agree to something; "" for others.
func (c *Call) requirementText(set *site.Settings) locale.Text {
	if c.Actor == nil || c.Viewer == nil || c.R.URL.Path == AgreeURL {
		return ""
	}
	switch required := c.Server.Requires(set, c.Viewer.Agreed); {
	case required.Young:
		return "You can read, but not write: by the year that you have given you are too young for this site."
	case required.Terms && c.Viewer.Agreed.Terms > 0:
		return "The terms of this site have changed. Please accept them before you write."
	case required.Terms:
		return "This site has terms. Please accept them before you write."
	case required.Age:
		return "This site asks for your age before you write."
	}
	return ""
}

func isRequirement(err error) bool { return errors.Is(err, errAgree) || errors.Is(err, errYoung) }
