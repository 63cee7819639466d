package people

import (
	"cmp"
	"context"
	"net/mail"
	"strings"

	"plaza/data"
)

// Limits of an account's fields, in characters.
const (
	UsernameMin = 3
	UsernameMax = 20
	emailMax    = 254
)

// SignUp is what signing up asks for.
type SignUp struct {
	Username, Email, Password string
	Network                   string // where it comes from, in any form that tells networks apart; "" when unknown
	Token                     string // of the form; what it has made is not made again

	// Way gathers another way to sign in for the account that the transaction makes; nil for none. With one, Password is
	// optional.
	Way func(w *data.Write, user data.ID)
	// ID is the account's; 0 has a new one made.
	ID data.ID
}

// validate checks the fields in the order of the form.
func (f *SignUp) validate() error {
	f.Username = strings.TrimSpace(f.Username)
	f.Email = strings.TrimSpace(f.Email)
	var password error
	if f.Way == nil || f.Password != "" {
		password = validatePassword(f.Password, f.Username, f.Email)
	}
	return data.AllMistakes(f.validateName(), f.validateEmail(), password)
}

func (f *SignUp) validateName() error {
	if data.IsReservedName(f.Username) {
		return &data.Error{Code: data.Conflict, Field: "username", Message: "That username is reserved. Please choose another."}
	}
	return data.MistakeIf(!data.IsName(f.Username, UsernameMin, UsernameMax, true), "username", "A username has 3 to 20 characters: letters, digits, _ and -.")
}

func (f *SignUp) validateEmail() error {
	a, err := mail.ParseAddress(f.Email)
	wrong := err != nil || a.Address != f.Email || len(f.Email) > emailMax || !strings.Contains(f.Email[strings.LastIndexByte(f.Email, '@')+1:], ".")
	return data.MistakeIf(f.Email != "" && wrong, "email", "That does not look like an email address.")
}

func (f *SignUp) nameKey() string { return strings.ToLower(f.Username) }

// emailKey is NULL without an address.
func (f *SignUp) emailKey() any {
	if f.Email == "" {
		return nil
	}
	return strings.ToLower(f.Email)
}

// once has one form make one account. The password is not in the digest: it is compared with the account's own.
func (f *SignUp) once(id data.ID) data.Once {
	return data.Once{Form: "signup", Token: f.Token, ID: id, Digest: data.DigestOf(f.Username, f.Email)}
}

const (
	createUser = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at)
SELECT :id, :username, :username_key, :email, :email_key, :hash, :at WHERE ` + data.NotMade
	// Primary keys.
	madeUser = `SELECT u.id, u.username, u.status, u.password_hash FROM made m JOIN users u ON u.id = m.made_id WHERE ` + data.ByForm
)

// SignUp makes an account and begins a session. If the same form has made an equal account before, that one gets
// another session, provided the password is right. Invalid and Conflict name the field. AlreadySent when the same
// form has made another account.
//
// Nobody is told whether an address has an account: several accounts may have the same one. Their hashes have the
// same salt, so that signing in by address finds the account of a password with one hash.
func (s *Store) SignUp(ctx context.Context, f SignUp) (data.Actor, error) {
	if err := f.validate(); err != nil {
		return data.Actor{}, err
	}
	like, err := s.taken(ctx, &f) // before the costly hash
	if err != nil {
		return s.signedUpBefore(ctx, f, err)
	}
	now := s.Source.Now()
	id := cmp.Or(f.ID, s.Source.NewID(0, data.KindOther))
	once := f.once(id)
	var u User

	w := s.DB.Write(data.Directory)
	made := w.Once(once, now, createUser, data.Args{
		"id": id, "username": f.Username, "username_key": f.nameKey(), "email": f.Email, "email_key": f.emailKey(),
		"hash": s.hash(f.Password, like), "at": now,
	})
	if f.Way != nil {
		f.Way(w, id)
	}
	w.Find(madeUser, once.Args(nil), u.scanMade)
	if f.Network != "" {
		w.Do(sawNetwork, data.Args{"user": id, "network": f.Network, "at": now})
	}
	if err := w.Run(ctx); data.IsTaken(err) {
		if _, taken := s.taken(ctx, &f); taken != nil {
			return data.Actor{}, taken
		}
		return data.Actor{}, data.UnavailableBecause(err) // the id itself was taken: trying again makes another
	} else if err != nil {
		return data.Actor{}, err
	}
	return s.signedUp(made, &u, f.Password)
}

// hash returns what is stored of a new password, with the salt of the hash like if there is one. It is "" for no password.
func (s *Store) hash(password, like string) string {
	if password == "" {
		return ""
	}
	salt := make([]byte, SaltLen)
	s.Salt(salt)
	if p, ok := parseHash(like); ok {
		salt = p.salt
	}
	return HashPassword(password, salt)
}

// scanMade reads a row of madeUser.
func (u *User) scanMade(row *data.Row) {
	u.ID, u.Username, u.Status, u.passwordHash = row.ID(), row.Text(), row.Text(), row.Text()
}

// takenBy reads whether a name is taken, and the password hash of the first account that has an address. Unique index
// on username_key, and the index users_email, which ends in the id.
const takenBy = `SELECT EXISTS (SELECT 1 FROM users WHERE username_key = :username_key),
  (SELECT password_hash FROM users WHERE email_key = :email_key AND password_hash <> '' ORDER BY id LIMIT 1)`

// taken returns Conflict if somebody has the name. Otherwise it returns a hash whose salt the accounts of the address
// have; "" if the address has none.
func (s *Store) taken(ctx context.Context, f *SignUp) (like string, err error) {
	var name bool
	r := s.DB.Read()
	r.Find(data.Directory, takenBy, data.Args{"username_key": f.nameKey(), "email_key": f.emailKey()}, func(row *data.Row) {
		name, like = row.Bool(), row.Text()
	})
	if err := r.Run(ctx); err != nil {
		return "", err
	}
	if name {
		return "", &data.Error{Code: data.Conflict, Field: "username", Message: "That username is taken. Please choose another."}
	}
	return like, nil
}

// signedUpBefore returns a session of the account that this form has made before. taken is why the form can't make
// one now, and is returned if it has made none before. The name is looked up before the form, so an account that the
// same form makes in the meantime is found.
func (s *Store) signedUpBefore(ctx context.Context, f SignUp, taken error) (data.Actor, error) {
	if f.Token == "" || data.ErrorCode(taken) != data.Conflict {
		return data.Actor{}, taken
	}
	once := f.once(0)
	var u User
	r := s.DB.Read()
	made := r.FindMade(data.Directory, once)
	r.Find(data.Directory, madeUser, once.Args(nil), u.scanMade)
	if err := r.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if u.ID == 0 {
		return data.Actor{}, taken
	}
	return s.signedUp(made, &u, f.Password)
}

// signedUp returns a session of the account that a form has made, or AlreadySent. The password is not checked if this
// very request made the account.
func (s *Store) signedUp(made *data.Made, u *User, password string) (data.Actor, error) {
	if made.Other() || u.Status != "active" || made.Before() && !CheckPassword(u.passwordHash, password) {
		return data.Actor{}, data.ErrAlreadyMade("This form was sent before, with other content, and made the account "+u.Username+".", "/login")
	}
	return s.newSession(u), nil
}

func (s *Store) newSession(u *User) data.Actor { return s.Begin(u.ID, u.Username) }

// Begin begins a session of a member who has shown who they are.
func (s *Store) Begin(id data.ID, name string) data.Actor {
	return data.Actor{UserID: id, Name: name, SessionID: s.Source.NewID(0, data.KindOther), IssuedAt: s.Source.Now()}
}

// CheckName tells whether somebody may sign up under a name. Invalid, Conflict.
func (s *Store) CheckName(ctx context.Context, name string) error {
	f := SignUp{Username: strings.TrimSpace(name)}
	if err := f.validateName(); err != nil {
		return err
	}
	_, err := s.taken(ctx, &f)
	return err
}
