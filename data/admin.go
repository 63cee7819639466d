package data

const (
	// ByAdmin is the SQL condition that the actor is an administrator of the site. Its parameter is :actor.
	ByAdmin = `EXISTS (SELECT 1 FROM users u WHERE u.id = :actor AND u.admin = 1 AND u.status = 'active')`

	isAdmin = `SELECT ` + ByAdmin + `, ` + LiveSession
)

var errNotAdmin = &Error{Code: Forbidden, Message: "Only administrators of this site can do that."}

// CheckAdmin adds a check to a transaction in the directory. If the actor is not an administrator, Permission.Err is Forbidden or
// Unauthenticated. The check does not keep the other statements from writing: they need the conditions ByAdmin and LiveSession. An actor
// who applies an earlier decision is not checked.
func CheckAdmin(w *Write, a Actor) *Permission {
	p := &Permission{Refused: errNotAdmin, May: a.Decided, Live: a.Decided}
	if a.Decided {
		return p
	}
	w.Find(isAdmin, a.Args(nil), p.Scan)
	return p
}
