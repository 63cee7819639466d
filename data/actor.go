package data

import "time"

// Actor is the member who does something, as their session cookie says. Statements
// that write check in passing that the session was not revoked.
type Actor struct {
	UserID    ID
	Name      string
	SessionID ID
	IssuedAt  time.Time
	Origin    Origin // for votes
}

// Origin is where a member acts from, as far as finding brigades needs it.
type Origin struct {
	Network  string // ranking.NetworkOf the address; "" when unknown
	Referrer string // host outside the site that led to the target; "" for none
}

// Args are the arguments of a statement with LiveSession: :actor, :session and :issued, and more.
func (a Actor) Args(more Args) Args {
	return more.and(Args{"actor": a.UserID, "session": a.SessionID, "issued": a.IssuedAt})
}

// LiveSession is a condition: the actor's session stands. Actor.Args fills its parameters, :actor, :session and :issued.
// Two look-ups by primary key.
const LiveSession = `NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (:actor, :session) AND before > :issued)`

// ErrSessionEnded is for an actor whose session does not stand.
var ErrSessionEnded = &Error{Code: Unauthenticated, Message: "You are signed out. Please sign in again."}
