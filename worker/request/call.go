package request

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/rights/roles"
	"plaza/data/site"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/locale"
	"plaza/ranking"
	"plaza/render/ui"
)

// Call is one request on its way through the middleware and a handler. The response is made in memory and sent as a whole,
// so that a late error is an error page and not half a page.
type Call struct {
	Server            *Server // whose call it is
	W                 http.ResponseWriter
	R                 *http.Request
	Route             *Route
	Format            *Format                       // of the response; nil for a page
	ID                string                        // of the request, for the log and the error page
	Actor             *data.Actor                   // nil for a visitor
	UsedAt            time.Time                     // the last day of use that the session's cookie has
	DeletionCancelled bool                          // logging in has cancelled the deletion of the account
	forged            bool                          // the session cookie or token was not signed by this site, or has expired
	ByToken           bool                          // the request has an API token, valid or not
	Viewer            *accounts.Viewer              // the state of the caller's account; nil before Read, and for a visitor
	mods              *bool                         // whether the caller has the role that the route needs; nil if not read
	Colour            func(community string) string // of a community's icon
	Icon              func(community string) string // sum of the picture that is a community's icon; "" for a letter on the colour
	Form              url.Values
	Object            bool           // the form was sent as a JSON object
	fuzz              ranking.Fuzzer // of the counts this caller sees
	At                time.Time      // when the request arrived
	Site              func() *site.Settings
	failed            bool             // the response is an error page
	asked             *locale.Language // of the header Accept-Language; nil before the first use
	jar               []*http.Cookie   // of the request; nil before the first was read
	orders            *Orders          // the default orders that the page has used; nil if it has used none
	Flash             locale.Text      // the short message above the page
	merged            bool             // the page merges what several shards have (ReadMerged)
	missing           []data.Where     // the shards that did not respond to it
	browser           *data.Reader     // nil if no database has a replica, and for API tokens
	lagged            bool             // it has read from a replica (replica.go)
	status            int              // of the response; 0 before it was sent, and if it has no body
	cause             error            // why the response is an error page; nil otherwise
	began             time.Time        // by the platform's clock
	waited            time.Duration    // for its turn (limit.Budget)
	rows              *hrana.Meter     // what the call cost at the databases
	commands          *upstash.Meter   // and at Redis
	PasskeyRefused    bool             // a passkey was refused just now: the login page does not offer passkeys unasked
}

// CommunityHeader returns a community as forms about it show it.
func (c *Call) CommunityHeader(name string) ui.Community {
	return ui.Community{Name: name, Colour: c.Colour(name), Icon: c.Icon(name)}
}

// ViewerID is the logged-in member, 0 for a visitor.
func (c *Call) ViewerID() data.ID {
	if c.Actor == nil {
		return 0
	}
	return c.Actor.UserID
}

// ErrSessionOver is what Call.Run returns when the member's session was ended elsewhere. The page is then made for a visitor
// (restartAsVisitor).
var ErrSessionOver = errors.New("the session was ended")

// Read begins the read of a page. For a member, it contains the state of their account and, on a moderator's page, whether
// they moderate.
func (c *Call) Read() *data.Read {
	s := c.Server
	r := c.read()
	defer s.Settings.Find(r) // after For
	if c.Actor != nil {
		if c.mayBeOld() {
			r.For(c.Actor.UserID, c.freshCookie(), s.Source.Now())
		}
		c.Viewer = s.Accounts.FindViewer(r, *c.Actor)
		if SafeMethod(c.R.Method) {
			r.After(func() {
				if c.Viewer.Live && !c.ByToken {
					s.useSession(c)
				}
			})
		}
		switch c.Route.Access {
		case Moderator:
			c.mods = roles.FindModerates(r, *c.Actor, c.R.PathValue("community"))
		case Approver:
			c.mods = roles.FindApproves(r, *c.Actor, c.R.PathValue("community"))
		}
	}
	return r
}

// mayBeOld reports whether the page may show data of a moment ago. Pages of moderators and administrators may not, because decisions are
// based on them.
func (c *Call) mayBeOld() bool {
	return SafeMethod(c.R.Method) && c.Route.Scope != Moderates && c.Route.Access != Moderator && c.Route.Access != Approver &&
		c.Route.Access != Administrator
}

// Run runs the read of the page. It fails if the session is over (ErrSessionOver) or the caller may not see
// the page.
func (c *Call) Run(r *data.Read) error {
	if err := c.RunMore(r); err != nil {
		return err
	}
	if err := c.open(); err != nil { // checked again, because the settings may have been read only now
		return err
	}
	if c.Actor != nil && c.Viewer != nil && !c.Viewer.Live {
		return ErrSessionOver
	}
	if c.orders != nil && c.Viewer != nil && *c.orders != OrdersOf(c.Viewer.Choices) {
		return errOtherOrders
	}
	return c.permitted()
}

// ReadMerged is Read for a page that merges the lists of several shards. If some shards don't respond, the page is made without them, and
// says so (Partial).
func (c *Call) ReadMerged() *data.Read {
	c.merged = true
	r := c.Read()
	r.AllowMissing(c.missing...)
	return r
}

// ReadMore begins a second Read of the page, which needs the results of the first. After ReadMerged it can do without shards, too, and does
// not ask those that are missing already.
func (c *Call) ReadMore() *data.Read {
	r := c.read()
	if c.merged {
		r.AllowMissing(c.missing...)
	}
	return r
}

// RunMore runs a Read of ReadMore, and records which shards are missing.
func (c *Call) RunMore(r *data.Read) error {
	err := r.Run(c.R.Context())
	c.lagged = c.lagged || r.Lag() > 0
	if err != nil {
		return err
	}
	for _, shard := range r.Missing() {
		if !slices.Contains(c.missing, shard) {
			c.missing = append(c.missing, shard)
		}
	}
	return nil
}

// Partial reports whether a shard did not respond, so that the page lacks its part.
func (c *Call) Partial() bool { return len(c.missing) > 0 }

// Empty returns what a page without items says: complete, or ui.NothingElsewhere if a shard is missing.
func (c *Call) Empty(complete ui.Empty) ui.Empty {
	if c.Partial() {
		return ui.Nothing(ui.NothingElsewhere, "Try again", c.R.URL.RequestURI())
	}
	return complete
}

// permitted returns Forbidden if the page is for moderators or administrators and the caller is none.
func (c *Call) permitted() error {
	switch c.Route.Access {
	case Moderator, Approver:
		if c.mods == nil || !*c.mods {
			return errModerators
		}
	case Administrator:
		if c.Viewer == nil || !c.Viewer.Admin {
			return errAdmins
		}
	}
	return nil
}

// Blocks reports whether the caller blocks a member.
func (c *Call) Blocks(id data.ID) bool { return id != 0 && c.Viewer != nil && c.Viewer.Blocks(id) }

// IsViewer reports whether an author is the caller.
func (c *Call) IsViewer(author data.ID) bool { return author != 0 && author == c.ViewerID() }
