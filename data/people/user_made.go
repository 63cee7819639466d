package people

import (
	"context"

	"plaza/data"
	"plaza/data/hrana"
)

// formSignUp is the kind of form that makes accounts.
const formSignUp = "signup"

// Primary keys.
const madeUser = `SELECT m.digest, u.id, u.username, u.status, u.password_hash FROM made m JOIN users u ON u.id = m.made_id WHERE m.author_id = 0 AND m.key = ?1`

// digest is equal for forms that ask for the same account. The password is not in it: it is
// compared with the account's own.
func (c *CreateUser) digest() string { return data.DigestOf(c.Username, c.Email) }

// signedUpBefore is a session of the account that this form has made before. taken is why
// it can't make one, and the answer when it has made none. Asked in this order, nothing is
// missed that the same form makes in the meantime.
func (s *Store) signedUpBefore(ctx context.Context, c CreateUser, taken error) (data.Actor, error) {
	if c.Token == "" || data.ErrorCode(taken) != data.Conflict {
		return data.Actor{}, taken
	}
	var made hrana.Result
	r := s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(madeUser, data.OldMadeKey(formSignUp, c.Token, 0)), func(res hrana.Result) error {
		made = res
		return nil
	})
	if err := r.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if len(made.Rows) == 0 {
		return data.Actor{}, taken
	}
	return s.signedUp(made, c, 0)
}

// signedUp is a session of the account that a row of madeUser tells of. own is the id that
// this request has asked for: then the password needs no look.
func (s *Store) signedUp(res hrana.Result, c CreateUser, own data.ID) (data.Actor, error) {
	var digest string
	var u User
	if err := data.Each(res, func(r *data.Row) {
		digest, u.ID, u.Username, u.Status, u.passwordHash = r.Text(), r.ID(), r.Text(), r.Text(), r.Text()
	}); err != nil {
		return data.Actor{}, err
	}
	if digest != c.digest() || u.Status != "active" || u.ID != own && !CheckPassword(u.passwordHash, c.Password) {
		return data.Actor{}, data.ErrAlreadyMade("This form was sent before, with other content, and made the account "+u.Username+".", "/login")
	}
	return s.newSession(u.ID, u.Username), nil
}
