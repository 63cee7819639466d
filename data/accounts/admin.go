package accounts

import (
	"context"
	"strings"

	"plaza/data"
)

var ErrNoMember = &data.Error{Code: data.NotFound, Message: "There is no member of that name."}

const setAdmin = `UPDATE users SET admin = :admin WHERE id = ` + data.MemberNamed

// SetAdmin makes a member an administrator of the site, or removes that right if on is false. NotFound.
func (s *Store) SetAdmin(ctx context.Context, name string, on bool) error {
	w := s.DB.Write()
	set := w.Do(setAdmin, data.Args{"name": strings.ToLower(name), "admin": on})
	err := w.Run(ctx)
	if err == nil && set.Rows == 0 {
		err = ErrNoMember
	}
	return err
}
