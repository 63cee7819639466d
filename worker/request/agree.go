package request

import (
	"errors"
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/site"
	"plaza/locale"
)

// A site can ask its members to accept its terms, again when these change, and to be of an age (site.Settings). Whoever has not done so yet
// can read, and is asked before they write. What they have agreed to is in the cookie of their session, so no write asks the directory. Of
// a token, the directory is asked.

// AgreeURL is where members accept the terms and say when they were born.
const AgreeURL = "/agree"

// whileOwing are the actions of members that go with reading, or keep the account safe. They are done without agreeing to anything.
var whileOwing = map[string]bool{
	AgreeURL: true, "/seen": true, "/settings/zone": true, "/inbox/read": true, "/inbox/unread": true, "/save": true, "/hide": true,
	"/settings/sessions/end": true, "/settings/sessions/end-others": true, "/settings/tokens/end": true, "/decisions/{decision}": true,
	"/messages/{conversation}": true,
}

// Owed is what a member has to do before they write.
type Owed struct {
	Terms bool // accept the terms
	Age   bool // say when they were born
	Young bool // they have said it, and are too young: there is nothing that they can do
}

// Any reports whether there is something.
func (o Owed) Any() bool { return o.Terms || o.Age || o.Young }

// Owes is what somebody who has agreed to something owes the site.
func (s *Server) Owes(set *site.Settings, a data.Agreed) Owed {
	return Owed{Terms: a.Terms < set.Terms, Age: set.MinAge > 0 && a.Born == 0,
		Young: a.Born != 0 && !set.OldEnough(a.Born, s.Source.Now())}
}

var (
	errAgree = &data.Error{Code: data.Forbidden, See: AgreeURL,
		Message: "Before you write, this site asks you for something. It takes a moment."}
	errYoung = &data.Error{Code: data.Forbidden, See: AgreeURL, Message: "Your account can read, but not write: by the year that you have " +
		"given you are too young for this site."}
)

// agreed returns an error if the caller, who is a member, has to agree to something before they do this. Administrators' own pages are
// open, so that what they set can be changed again.
func (c *Call) agreed() error {
	set := c.Server.Settings.Now()
	if c.Actor == nil || SafeMethod(c.R.Method) || set.Terms == 0 && set.MinAge == 0 || c.Route.Access == Public ||
		c.Route.Access == Administrator || whileWaiting[c.Route.Pattern] || whileOwing[c.Route.Pattern] {
		return nil
	}
	if c.ByToken {
		found, err := c.Server.Accounts.FindAgreed(c.R.Context(), c.Actor.UserID)
		if err != nil {
			return err
		}
		c.Actor.Agreed = found
	}
	switch owed := c.Server.Owes(set, c.Actor.Agreed); {
	case owed.Young:
		return errYoung
	case owed.Any():
		return errAgree
	}
	return nil
}

// agreeFirst sends a member who has to agree to something to the page for it, which leads back to where they were. It returns false for
// programs, and for forms in which something was typed: these are shown again.
func (s *Server) agreeFirst(c *Call) bool {
	if c.WantsJSON() || c.Route.refused != nil || c.Parse() != nil {
		return false
	}
	target, _ := data.ParseID(c.Value("target"))
	to := AgreeURL + "?next=" + url.QueryEscape(c.CameFromPage(target, "/"))
	if c.Fragment() {
		c.W.Header().Set("HX-Redirect", to)
		c.W.WriteHeader(http.StatusNoContent)
		return true
	}
	_ = c.Redirect(to)
	return true
}

// owesText is what pages tell a member who has to agree to something; "" for others.
func (c *Call) owesText(set *site.Settings) locale.Text {
	if c.Actor == nil || c.Viewer == nil || c.R.URL.Path == AgreeURL {
		return ""
	}
	switch owed := c.Server.Owes(set, c.Viewer.Agreed); {
	case owed.Young:
		return "You can read, but not write: by the year that you have given you are too young for this site."
	case owed.Terms && c.Viewer.Agreed.Terms > 0:
		return "The terms of this site have changed. Please accept them before you write."
	case owed.Terms:
		return "This site has terms. Please accept them before you write."
	case owed.Age:
		return "This site asks for your age before you write."
	}
	return ""
}

func isOwed(err error) bool { return errors.Is(err, errAgree) || errors.Is(err, errYoung) }
