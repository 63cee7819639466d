package data

import (
	"context"
	"net/mail"
	"strings"
	"time"

	"plaza/data/hrana"
)

// Limits of an account's fields, in characters; of a password, in bytes.
const (
	UsernameMin = 3
	UsernameMax = 20
	PasswordMin = 8
	PasswordMax = 128
	EmailMax    = 254
)

// User is a person who signed up.
type User struct {
	ID           ID
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
type UserStore struct {
	DB     *DB
	Source Source
	// Salt fills its argument with cryptographic randomness.
	Salt func([]byte)
}

// reservedNames can be nobody's: they would read as the site speaking, or as a place.
var reservedNames = map[string]bool{
	"admin": true, "administrator": true, "moderator": true, "mod": true, "plaza": true, "system": true,
	"deleted": true, "anonymous": true, "null": true, "undefined": true, "root": true, "support": true, "help": true,
}

// CreateUser is what sign-up asks for.
type CreateUser struct{ Username, Email, Password string }

// validate checks the fields in the order of the form.
func (c *CreateUser) validate() error {
	c.Username = strings.TrimSpace(c.Username)
	c.Email = strings.TrimSpace(c.Email)
	if !isName(c.Username, UsernameMin, UsernameMax, true) {
		return invalid("username", "A username has 3 to 20 characters: letters, digits, _ and -.")
	}
	if reservedNames[strings.ToLower(c.Username)] {
		return &Error{Code: Conflict, Field: "username", Message: "That username is reserved. Please choose another."}
	}
	a, err := mail.ParseAddress(c.Email)
	if c.Email != "" && (err != nil || a.Address != c.Email || len(c.Email) > EmailMax || !strings.Contains(c.Email[strings.LastIndexByte(c.Email, '@')+1:], ".")) {
		return invalid("email", "That does not look like an email address.")
	}
	if len(c.Password) < PasswordMin {
		return invalid("password", "A password needs at least 8 characters.")
	}
	if len(c.Password) > PasswordMax {
		return invalid("password", "A password has at most 128 bytes.")
	}
	return nil
}

func isName(s string, shortest, longest int, hyphen bool) bool {
	if len(s) < shortest || len(s) > longest {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', hyphen && r == '-':
		default:
			return false
		}
	}
	return true
}

const createUser = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`

// takenBy tells which key another account has. Two look-ups by unique index.
const takenBy = `SELECT EXISTS (SELECT 1 FROM users WHERE username_key = ?1), EXISTS (SELECT 1 FROM users WHERE email_key = ?2)`

// CreateUser signs a person up. Invalid and Conflict name the field.
func (s *UserStore) CreateUser(ctx context.Context, c CreateUser) (Actor, error) {
	if err := c.validate(); err != nil {
		return Actor{}, err
	}
	nameKey := strings.ToLower(c.Username)
	var emailKey any // NULL, and nobody else's, without an address
	if c.Email != "" {
		emailKey = strings.ToLower(c.Email)
	}
	if err := s.taken(ctx, nameKey, emailKey); err != nil { // before the costly hash
		return Actor{}, err
	}
	salt := make([]byte, SaltLen)
	s.Salt(salt)
	hash := HashPassword(c.Password, salt)
	now := s.Source.Now()
	id := s.Source.newID(0, KindOther)
	_, err := tx(ctx, s.DB.directory, stmt(createUser, id, c.Username, nameKey, c.Email, emailKey, hash, now.UnixMilli()))
	if hrana.IsUnique(err) {
		if taken := s.taken(ctx, nameKey, emailKey); taken != nil {
			return Actor{}, taken
		}
		return Actor{}, unavailable(err) // the id itself was taken: trying again makes another
	}
	if err != nil {
		return Actor{}, err
	}
	return s.newSession(id, c.Username), nil
}

func (s *UserStore) taken(ctx context.Context, nameKey string, emailKey any) error {
	var name, email bool
	r := s.DB.Read()
	r.add(s.DB.directory, stmt(takenBy, nameKey, emailKey), func(res hrana.Result) error {
		return each(res, func(row *row) { name, email = row.bool(), row.bool() })
	})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if name {
		return &Error{Code: Conflict, Field: "username", Message: "That username is taken. Please choose another."}
	}
	if email {
		return &Error{Code: Conflict, Field: "email", Message: "There is an account with that email address already."}
	}
	return nil
}

func (s *UserStore) newSession(id ID, name string) Actor {
	return Actor{UserID: id, Name: name, SessionID: s.Source.newID(0, KindOther), IssuedAt: s.Source.Now()}
}

const (
	userColumns = `id, username, status, admin, bio_html, followers, following, created_at, password_hash`
	// Unique indexes on the keys.
	userByName  = `SELECT ` + userColumns + ` FROM users WHERE username_key = ?1`
	userByEmail = `SELECT ` + userColumns + ` FROM users WHERE email_key = ?1`
)

func scanUser(u *User) func(hrana.Result) error {
	return func(res hrana.Result) error {
		return each(res, func(r *row) {
			*u = User{ID: r.id(), Username: r.text(), Status: r.text(), Admin: r.bool(), BioHTML: r.text(),
				Followers: r.int(), Following: r.int(), CreatedAt: millis(r.int()), passwordHash: r.text()}
		})
	}
}

// LogIn checks a username or email address and a password. Unauthenticated does not
// tell which of them was wrong.
func (s *UserStore) LogIn(ctx context.Context, login, password string) (Actor, error) {
	login = strings.ToLower(strings.TrimSpace(login))
	if login == "" {
		return Actor{}, invalid("login", "Please type your username or email address.")
	}
	if password == "" {
		return Actor{}, invalid("password", "Please type your password.")
	}
	query := userByName
	if strings.Contains(login, "@") {
		query = userByEmail
	}
	var u User
	r := s.DB.Read()
	r.add(s.DB.directory, stmt(query, login), scanUser(&u))
	if err := r.Run(ctx); err != nil {
		return Actor{}, err
	}
	if len(password) > PasswordMax {
		password = "" // never valid; keeps the hash from chewing megabytes
	}
	if !CheckPassword(u.passwordHash, password) {
		return Actor{}, &Error{Code: Unauthenticated, Field: "password", Message: "That username and password don't belong together."}
	}
	if u.Status != "active" {
		return Actor{}, &Error{Code: Forbidden, Field: "login", Message: "This account is " + u.Status + "."}
	}
	return s.newSession(u.ID, u.Username), nil
}

// FindByName reads a profile's owner along with a page; ID stays 0 for nobody.
func (s *UserStore) FindByName(r *Read, name string) *User {
	u := &User{}
	r.add(s.DB.directory, stmt(userByName, strings.ToLower(name)), scanUser(u))
	return u
}

func millis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
