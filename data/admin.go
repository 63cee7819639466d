package data

import "plaza/data/hrana"

var (
	ErrNotAdmin = &Error{Code: Forbidden, Message: "That is for the administrators of this site."}
)

// admitted reads whether somebody may do something and whether their session stands;
// refused is the error of those who may not.
func Admitted(res hrana.Result, refused error) error {
	var may, live bool
	err := Each(res, func(r *Row) { may, live = r.Bool(), r.Bool() })
	switch {
	case err != nil:
		return err
	case !live:
		return ErrSessionEnded
	case !may:
		return refused
	}
	return nil
}

const Administrates = `EXISTS (SELECT 1 FROM users u WHERE u.id = ?1 AND u.admin = 1 AND u.status = 'active')`

const MayAdministrate = `SELECT ` + Administrates + `, ` + OldLiveSession
