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

// actorArgs are the first three parameters of every statement with liveSession.
func (a Actor) args(more ...any) []any {
	return append([]any{a.UserID, a.SessionID, a.IssuedAt.UnixMilli()}, more...)
}

// liveSession holds when the actor's session (?1 user, ?2 session, ?3 issued) stands.
// Two look-ups by primary key.
const liveSession = `NOT EXISTS (SELECT 1 FROM revocations WHERE subject IN (?1, ?2) AND before > ?3)`

var errSessionEnded = &Error{Code: Unauthenticated, Message: "You are signed out. Please sign in again."}
