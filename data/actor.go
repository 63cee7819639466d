package data

import (
	"context"
	"math"
	"time"
)

// Actor is the acting member, from their session cookie or an API token. Statements that write check with LiveSession that the session or
// token has not ended. With a token, SessionID is the token's id.
type Actor struct {
	UserID     ID
	Name       string
	SessionID  ID
	IssuedAt   time.Time
	Token      string // hash of the API token of the request; "" for a session
	Origin     Origin // for votes
	Unapproved bool   // the account waits for approval by an administrator, and can only read until then
	Agreed     Consent
	Roles      Roles // the member's roles that the actor may use
	Decided    bool  // applies an earlier decision, whose rights were checked then: the session and roles may have ended since

	// Credentials is users.credentials, as it was when a login was checked by a password or a mailed link. The session begins only if it is
	// unchanged. nil for a login in another way, and for every other actor.
	Credentials *int64
}

// Consent is the year of birth that a member has stated and the terms they have accepted, if the site asks for them.
type Consent struct {
	Terms int64 // the last version of the terms that they accepted; 0 is none
	Born  int64 // the year; 0 if not stated
}

// Roles are the roles of a member that an actor may use: a session all of them, an API token the roles that its scopes allow.
type Roles int

const (
	AllRoles Roles = iota
	// RolesInCommunities are the roles of a token that may moderate: moderator, and administrator in communities.
	RolesInCommunities
	// NoRoles is for a token that may not moderate: it acts as an ordinary member.
	NoRoles
)

// May reports whether an actor may use the member's role as a moderator of a community, or with "" as an administrator.
func (r Roles) May(community string) bool {
	return r == AllRoles || r == RolesInCommunities && community != ""
}

// Origin says from where a member votes, for the detection of brigades.
type Origin struct {
	Network  string // ranking.NetworkOf the address; "" when unknown
	Referrer string // another host that linked to the target; "" for none
}

// Args adds :actor, :session and :issued, the parameters of LiveSession, to args and returns it. args may be nil.
//
// Elsewhere a zero time is NULL, but :issued never is. A comparison with NULL is never true, so an ended session would count as live.
func (a Actor) Args(args Args) Args {
	if args == nil {
		args = make(Args, 3)
	}
	args["actor"], args["session"], args["issued"] = a.UserID, a.SessionID, a.IssuedAt.UnixMilli()
	if a.Decided {
		args["issued"] = int64(math.MaxInt64) // no revocation is later
	}
	return args
}

// LiveSession is the SQL condition that neither the actor's session nor all sessions of the actor have ended. Actor.Args fills its
// parameters, :actor, :session and :issued. It costs two look-ups by primary key.
const LiveSession = `NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (:actor, :session) AND before > :issued)`

// NameNow is an SQL expression: the actor's current name. name is the parameter with the name from the cookie, which may be the former
// one (accounts.Store.Rename).
func NameNow(name string) string {
	return `coalesce((SELECT n.name FROM names n WHERE n.user_id = :actor), ` + name + `)`
}

// AvatarNow is an SQL expression: the actor's avatar, to be copied into a row.
const AvatarNow = `coalesce((SELECT n.avatar FROM avatars n WHERE n.user_id = :actor), '')`

// MemberNamed is an SQL expression: the id of the member whose current or former name, in lower case, is :name. Unique index on
// username_key, primary keys. A former name is never another member's name (accounts.Store.Rename).
const MemberNamed = `coalesce((SELECT u.id FROM users u WHERE u.username_key = :name AND u.username <> ''),
  (SELECT u.id FROM former_names f JOIN users u ON u.id = f.user_id AND u.username <> '' WHERE f.name_key = :name))`

// ErrSessionEnded is returned when the session of the actor has ended.
var ErrSessionEnded = &Error{Code: Unauthenticated, Message: "You are logged out. Please log in again."}

// CheckSession is a statement that reads whether the actor's session is live. Actor.Args fills its parameters.
const CheckSession = `SELECT ` + LiveSession

// RunAs is Run for a transaction that checks only the actor's session. If the session has ended, the error is ErrSessionEnded. The check
// does not keep the statements from writing: they need the condition LiveSession.
func (w *Write) RunAs(ctx context.Context, a Actor) error {
	live := false
	w.Find(CheckSession, a.Args(nil), func(row *Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return ErrSessionEnded
	}
	return nil
}

// Permission says whether an actor may do something and whether their session is live. Run fills it.
type Permission struct {
	May, Live bool
	Refused   error // the error of Err for an actor who may not
}

// Scan reads the columns May and Live.
func (p *Permission) Scan(r *Row) { p.May, p.Live = r.Bool(), r.Bool() }

// Err returns nil if the actor may, ErrSessionEnded if the session has ended, and otherwise Refused.
func (p *Permission) Err() error {
	switch {
	case !p.Live:
		return ErrSessionEnded
	case !p.May:
		return p.Refused
	}
	return nil
}
