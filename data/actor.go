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

// Args adds to args what a statement with LiveSession has: :actor, :session and :issued. It returns them; nil is none yet.
func (a Actor) Args(args Args) Args {
	if args == nil {
		args = make(Args, 3)
	}
	args["actor"], args["session"], args["issued"] = a.UserID, a.SessionID, a.IssuedAt
	return args
}

// LiveSession is a condition: the actor's session stands. Actor.Args fills its parameters, :actor, :session and :issued.
// Two look-ups by primary key.
const LiveSession = `NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (:actor, :session) AND before > :issued)`

// ErrSessionEnded is for an actor whose session does not stand.
var ErrSessionEnded = &Error{Code: Unauthenticated, Message: "You are signed out. Please sign in again."}
