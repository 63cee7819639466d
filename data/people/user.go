package people

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hrana"
)

// Limits of an account's fields, in characters.
const (
	UsernameMin = 3
	UsernameMax = 20
	EmailMax    = 254
)

// User is a person who signed up.
type User struct {
	ID           data.ID
	Username     string
	Status       string
	Admin        bool
	BioHTML      string
	Followers    int64
	Following    int64
	CreatedAt    time.Time
	passwordHash string
}

// UserStore keeps accounts, in the directory.
type Store struct {
	DB     *data.DB
	Source data.Source
	// Salt fills its argument with cryptographic randomness.
	Salt func([]byte)
}

// CreateUser is what sign-up asks for.
type CreateUser struct {
	Username, Email, Password string
	Network                   string // from where, in any form that tells networks apart; "" when unknown
	Token                     string // of the form; what it has made is not made again
}

// validate checks the fields in the order of the form.
func (c *CreateUser) validate() error {
	c.Username = strings.TrimSpace(c.Username)
	c.Email = strings.TrimSpace(c.Email)
	return data.AllMistakes(c.validateName(), c.validateEmail(), validatePassword(c.Password, c.Username, c.Email))
}

func (c *CreateUser) validateName() error {
	if look := data.LookOf(c.Username); data.SpokenFor[look] || data.ReservedNames[look] {
		return &data.Error{Code: data.Conflict, Field: "username", Message: "That username is reserved. Please choose another."}
	}
	return data.MistakeIf(!data.IsName(c.Username, UsernameMin, UsernameMax, true), "username", "A username has 3 to 20 characters: letters, digits, _ and -.")
}

func (c *CreateUser) validateEmail() error {
	a, err := mail.ParseAddress(c.Email)
	wrong := err != nil || a.Address != c.Email || len(c.Email) > EmailMax || !strings.Contains(c.Email[strings.LastIndexByte(c.Email, '@')+1:], ".")
	return data.MistakeIf(c.Email != "" && wrong, "email", "That does not look like an email address.")
}

const createUser = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM made m WHERE m.author_id = 0 AND m.key = ?8)`

// takenBy tells whether the name is taken, and which salt an address has. Look-ups by
// unique index and by the index users_email, which ends in the id.
const takenBy = `SELECT EXISTS (SELECT 1 FROM users WHERE username_key = ?1),
  (SELECT password_hash FROM users WHERE email_key = ?2 ORDER BY id LIMIT 1)`

// CreateUser signs a person up. The account that an equal form of the same Token has made
// gets another session, if the password is that account's. Invalid and Conflict name the
// field; AlreadySent when the Token has made another account.
//
// Whether an address has an account is told to nobody: it is noted with whatever account
// gives it. Accounts of one address have one salt, so that signing in by address can find
// the one of a password with one hash.
func (s *Store) CreateUser(ctx context.Context, c CreateUser) (data.Actor, error) {
	if err := c.validate(); err != nil {
		return data.Actor{}, err
	}
	nameKey := strings.ToLower(c.Username)
	var emailKey any // NULL without an address
	if c.Email != "" {
		emailKey = strings.ToLower(c.Email)
	}
	like, err := s.taken(ctx, nameKey, emailKey) // before the costly hash
	if err != nil {
		return s.signedUpBefore(ctx, c, err)
	}
	salt := make([]byte, SaltLen)
	s.Salt(salt)
	if p, ok := parseHash(like); ok {
		salt = p.salt
	}
	hash := HashPassword(c.Password, salt)
	now := s.Source.Now()
	id := s.Source.NewID(0, data.KindOther)
	key := data.OldMadeKey(formSignUp, c.Token, id)
	create := []hrana.Stmt{data.OldStmt(createUser, id, c.Username, nameKey, c.Email, emailKey, hash, now.UnixMilli(), key),
		data.OldRecording(0, key, c.digest(), id, now), data.OldStmt(madeUser, key)}
	if c.Network != "" {
		create = append(create, data.OldStmt(sawNetwork, id, c.Network, now.UnixMilli()))
	}
	results, err := data.Tx(ctx, s.DB.OldDirectory(), create...)
	if hrana.IsUnique(err) {
		if _, taken := s.taken(ctx, nameKey, emailKey); taken != nil {
			return data.Actor{}, taken
		}
		return data.Actor{}, data.UnavailableBecause(err) // the id itself was taken: trying again makes another
	}
	if err != nil {
		return data.Actor{}, err
	}
	return s.signedUp(results[2], c, id)
}

// taken is Conflict for a name that somebody has; else it gives the hash that the address
// was given with first, "" for none.
func (s *Store) taken(ctx context.Context, nameKey string, emailKey any) (like string, err error) {
	var name bool
	r := s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(takenBy, nameKey, emailKey), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { name, like = row.Bool(), row.Text() })
	})
	if err := r.Run(ctx); err != nil {
		return "", err
	}
	if name {
		return "", &data.Error{Code: data.Conflict, Field: "username", Message: "That username is taken. Please choose another."}
	}
	return like, nil
}

func (s *Store) newSession(id data.ID, name string) data.Actor {
	return data.Actor{UserID: id, Name: name, SessionID: s.Source.NewID(0, data.KindOther), IssuedAt: s.Source.Now()}
}

// FindByName reads a profile's owner along with a page; ID stays 0 for nobody.
func (s *Store) FindByName(r *data.Read, name string) *User {
	u := &User{}
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(userByName, strings.ToLower(name)), scanUser(u))
	return u
}
