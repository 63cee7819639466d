package worker

import (
	"errors"
	"net/http"
	"net/url"
	"time"

	"plaza/data"
	"plaza/data/people"
	"plaza/data/site"
	"plaza/ranking"
)

// call is one request on its way through the middleware and a handler. The answer is made in memory and leaves in one
// piece, so that a late error is an error page and not half a page.
type call struct {
	app      *App
	w        http.ResponseWriter
	r        *http.Request
	route    route
	format   *format                       // of the answer; nil for a page
	id       string                        // of the request, for the log and the error page
	actor    *data.Actor                   // nil for a visitor
	usedAt   time.Time                     // the last day on which the session's cookie was used, as it says
	cameBack bool                          // logging in has kept an account that was to be deleted
	forged   bool                          // the session cookie or token was not signed by this site, or has run out
	byToken  bool                          // the request has an API token, good or not
	viewer   *people.Viewer                // the state of the caller's account; nil before read, and for a visitor
	mods     *bool                         // the caller moderates the community of the address, or approves for it; nil where nobody asked
	colour   func(community string) string // of a community's icon
	form     url.Values
	object   bool           // the form came as a JSON object
	fuzz     ranking.Fuzzer // of the counts this caller sees
	at       time.Time      // when the request came
	site     func() *site.Settings
	failed   bool           // the answer is an error's page
	jar      []*http.Cookie // of the request; nil before one was asked for
	orders   *orders        // those that the page went by where its address names none; nil where it went by none
	notice   string         // one sentence of good news above the page
	unasked  bool           // a passkey was refused just now: the login page does not offer passkeys unasked
}

// cookie returns the value of the request's first cookie of a name.
func (c *call) cookie(name string) (value string, ok bool) {
	if c.jar == nil {
		c.jar = c.r.Cookies()
	}
	for _, cookie := range c.jar {
		if cookie.Name == name {
			return cookie.Value, true
		}
	}
	return "", false
}

// viewerID is the logged-in member, 0 for a visitor.
func (c *call) viewerID() data.ID {
	if c.actor == nil {
		return 0
	}
	return c.actor.UserID
}

// errSessionOver is what run returns when the member's session was ended elsewhere. The page is then made for a visitor
// (restartAsVisitor).
var errSessionOver = errors.New("the session was ended")

// read begins what a page reads. For a member, that is the state of their account and, on a moderator's page, whether
// they moderate.
func (c *call) read() *data.Read {
	a := c.app
	r := a.DB.Read()
	defer a.settings.Find(r) // behind For
	if c.actor != nil {
		if safeMethod(c.r.Method) && c.route.access != moderator && c.route.access != approver && c.route.access != administrator {
			marker, changed := c.marker()
			r.For(c.actor.UserID, marker, changed, a.Source.Now())
		}
		c.viewer = a.sessions.FindViewer(r, *c.actor)
		if safeMethod(c.r.Method) {
			r.After(func() {
				if c.viewer.Live && !c.byToken {
					a.useSession(c)
				}
			})
		}
		switch c.route.access {
		case moderator:
			c.mods = a.communities.FindModerates(r, *c.actor, c.r.PathValue("community"))
		case approver:
			c.mods = a.communities.FindApproves(r, *c.actor, c.r.PathValue("community"))
		}
	}
	return r
}

// run sends what the page reads. It fails when the session is over (errSessionOver) and when the caller may not see
// the page.
func (c *call) run(r *data.Read) error {
	if err := r.Run(c.r.Context()); err != nil {
		return err
	}
	if c.actor != nil && c.viewer != nil && !c.viewer.Live {
		return errSessionOver
	}
	if c.orders != nil && c.viewer != nil && *c.orders != ordersOf(c.viewer.Choices) {
		return errOtherOrders
	}
	return c.permitted()
}

// permitted is Forbidden when the page is for moderators or administrators and the caller is none.
func (c *call) permitted() error {
	switch c.route.access {
	case moderator, approver:
		if c.mods == nil || !*c.mods {
			return errModerators
		}
	case administrator:
		if c.viewer == nil || !c.viewer.Admin {
			return errAdmins
		}
	}
	return nil
}

// blocks tells whether the caller blocks somebody.
func (c *call) blocks(id data.ID) bool { return id != 0 && c.viewer != nil && c.viewer.Blocks(id) }

func (c *call) isViewer(author data.ID) bool { return author != 0 && author == c.viewerID() }
