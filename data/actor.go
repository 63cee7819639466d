package data

import (
	"context"
	"math"
	"time"
)

// Actor is the member who does something, as named by their session cookie or an API token. Statements that write check with
// LiveSession that the session was not ended, or the token, whose id then is SessionID.
type Actor struct {
	UserID    ID
	Name      string
	SessionID ID
	IssuedAt  time.Time
	Token     string // hash of the API token by which the member acts; "" for a session
	Origin    Origin // for votes
	Waits     bool   // has an account that administrators have to approve, and can only read until then
	Agreed    Agreed
	Roles     Roles // those of the member's that they may use
	Decided   bool  // carries out what they decided when they had the right: their session and roles may have ended since

	// Credentials is users.credentials, as it was when a login was checked by a password or a mailed link. The session begins only if it is
	// still the same. nil for a login in another way, and for every other actor.
	Credentials *int64
}

// Agreed is what a member has stated and accepted, as far as the site asks for it.
type Agreed struct {
	Terms int64 // the version of the terms that they accepted last; 0 is none
	Born  int64 // the year; 0 if they have not said it
}

// Roles are the roles of a member that an actor may use: a session all of them, an API token those that its scopes allow.
type Roles int

const (
	AllRoles Roles = iota
	// RolesInCommunities are a moderator's, and an administrator's in communities: those of a token that may moderate.
	RolesInCommunities
	// NoRoles are those of a token that may not moderate: it acts as its member alone.
	NoRoles
)

// May tells whether an actor may act for the moderators of a community, or with "" for the administrators, if the member may.
func (r Roles) May(community string) bool {
	return r == AllRoles || r == RolesInCommunities && community != ""
}

// Origin tells from where a member votes. Brigades are found by it.
type Origin struct {
	Network  string // ranking.NetworkOf the address; "" when unknown
	Referrer string // host outside the site that led to the target; "" for none
}

// Args adds :actor, :session and :issued, the parameters of LiveSession, to args and returns it. args may be nil.
//
// A zero time is NULL elsewhere, but :issued never is. SQL compares nothing with NULL, so a session that ended would pass for a live one.
func (a Actor) Args(args Args) Args {
	if args == nil {
		args = make(Args, 3)
	}
	args["actor"], args["session"], args["issued"] = a.UserID, a.SessionID, a.IssuedAt.UnixMilli()
	if a.Decided {
		args["issued"] = int64(math.MaxInt64) // nothing ends a session that begins later than all
	}
	return args
}

// LiveSession is a condition in SQL: the actor's session was not ended, nor were all sessions of the actor.
// Actor.Args fills its parameters, :actor, :session and :issued. It costs two look-ups by primary key.
const LiveSession = `NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (:actor, :session) AND before > :issued)`

// NameNow is an SQL expression: the actor's present name. name is the parameter with the name from the cookie, which may be the one before
// (accounts.Store.Rename).
func NameNow(name string) string {
	return `coalesce((SELECT n.name FROM names n WHERE n.user_id = :actor), ` + name + `)`
}

// AvatarNow is an expression: the actor's avatar, to be copied into a row.
const AvatarNow = `coalesce((SELECT n.avatar FROM avatars n WHERE n.user_id = :actor), '')`

// MemberNamed is an expression: the id of the member whose name, in lower case, is :name, or was before they took another.
// Unique index on username_key, primary keys. Nobody's former name is anybody's name (accounts.Store.Rename).
const MemberNamed = `coalesce((SELECT u.id FROM users u WHERE u.username_key = :name AND u.username <> ''),
  (SELECT u.id FROM former_names f JOIN users u ON u.id = f.user_id AND u.username <> '' WHERE f.name_key = :name))`

// ErrSessionEnded is returned when the session of the actor was ended.
var ErrSessionEnded = &Error{Code: Unauthenticated, Message: "You are logged out. Please log in again."}

// CheckSession is a statement: whether the actor's session stands. Actor.Args fills its parameters.
const CheckSession = `SELECT ` + LiveSession

// RunAs is Run for a transaction of which nothing but the actor's session has to be asked. If the session was ended, the error is
// ErrSessionEnded. That alone does not keep the statements from writing: they need the condition LiveSession.
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

// Permission is whether an actor may do something and whether their session stands. It is known after Run.
type Permission struct {
	May, Live bool
	Refused   error // what Err returns for an actor who may not
}

// Scan reads the columns May and Live.
func (p *Permission) Scan(r *Row) { p.May, p.Live = r.Bool(), r.Bool() }

// Err returns nil for an actor who may, ErrSessionEnded if the session was ended, and else Refused.
func (p *Permission) Err() error {
	switch {
	case !p.Live:
		return ErrSessionEnded
	case !p.May:
		return p.Refused
	}
	return nil
}
