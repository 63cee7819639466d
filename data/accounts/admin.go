package accounts

import (
	"context"
	"strings"

	"plaza/data"
)

const (
	// ByAdmin is the SQL condition that the actor is an administrator of the site. Its parameter is :actor.
	ByAdmin = `EXISTS (SELECT 1 FROM users u WHERE u.id = :actor AND u.admin = 1 AND u.status = 'active')`

	isAdmin = `SELECT ` + ByAdmin + `, ` + data.LiveSession
)

var errNotAdmin = &data.Error{Code: data.Forbidden, Message: "Only administrators of this site can do that."}

// CheckAdmin adds a check to a transaction in the directory. If the actor is not an administrator, Permission.Err is Forbidden or
// Unauthenticated. The check does not keep the other statements from writing: they need the conditions ByAdmin and LiveSession. An actor
// who applies an earlier decision is not checked.
func CheckAdmin(w *data.Write, a data.Actor) *data.Permission {
	p := &data.Permission{Refused: errNotAdmin, May: a.Decided, Live: a.Decided}
	if a.Decided {
		return p
	}
	w.Find(isAdmin, a.Args(nil), p.Scan)
	return p
}

var ErrNoMember = &data.Error{Code: data.NotFound, Message: "There is no member of that name."}

const setAdmin = `UPDATE users SET admin = :admin WHERE id = ` + data.MemberNamed

// SetAdmin makes a member an administrator of the site, or ends that. NotFound.
func (s *Store) SetAdmin(ctx context.Context, name string, on bool) error {
	w := s.DB.Write()
	set := w.Do(setAdmin, data.Args{"name": strings.ToLower(name), "admin": on})
	err := w.Run(ctx)
	if err == nil && set.Rows == 0 {
		err = ErrNoMember
	}
	return err
}
