package credentials

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts/sessions"
	"plaza/data/events/mails"
)

// LogIn is the form to log in.
type LogIn struct {
	Login    string // username or confirmed email address
	Password string
	Network  string // the member's network, as in signup.Form
	// LimitUnknownNetwork is called before the password is checked, unless the member has logged in from Network before. It is
	// also called for names that no account has. If it returns an error, LogIn returns that.
	LimitUnknownNetwork func(key string) error
}

// LogIn checks a username or confirmed email address and a password. It makes the same number of hashes whether or not the account
// exists, and Unauthenticated does not say which of the two was wrong. A suspended member is refused when the session begins
// (Sessions.Start), after the second step. Invalid, and what LimitUnknownNetwork returns.
func (s *Store) LogIn(ctx context.Context, l LogIn) (data.Actor, error) {
	key := LoginKey(strings.TrimSpace(l.Login))
	if key == "" {
		return data.Actor{}, data.Mistake("login", "Please type your username or email address.")
	}
	if l.Password == "" {
		return data.Actor{}, data.Mistake("password", "Please type your password.")
	}
	if len(l.Password) > passwordBytes {
		l.Password = "" // no account can have a password this long, so don't hash megabytes
	}
	began := s.Source.Now()
	u, seen, err := s.check(ctx, l, key)
	if err != nil {
		return data.Actor{}, err
	}
	if u == nil {
		return data.Actor{}, &data.Error{Code: data.Unauthenticated, Field: "password",
			Message: "Wrong username or password."}
	}
	s.rehash(ctx, u, l.Password)
	if now := s.Source.Now(); l.Network != "" && now.Sub(seen) > sessions.NetworkStep {
		w := s.DB.Write()
		w.Do(sessions.SawNetwork, data.Args{"user": u.id, "network": l.Network, "at": now})
		_ = w.Run(ctx) // if it fails, the network is recorded the next time
	}
	actor := s.Sessions.Begin(u.id, u.name)
	actor.IssuedAt = began // a password that is changed while this one is checked ends this session as well
	actor.Credentials = &u.credentials
	return actor, nil
}

// LoginKey returns the key of a typed username or address.
func LoginKey(login string) string {
	if strings.Contains(login, "@") {
		return mails.KeyOf(login)
	}
	return strings.ToLower(login)
}

const (
	// Unique index users_confirmed_email.
	userByEmail = `SELECT id, username, password_hash, credentials FROM users WHERE email_key = :name AND email_confirmed_at IS NOT NULL`
	// A member can also log in with an earlier name, because password managers store it.
	userToLogIn = `SELECT id, username, password_hash, credentials FROM users WHERE id = ` + data.MemberNamed
	// Primary key of sign_in_networks.
	lastHereByName = `SELECT n.seen_at FROM sign_in_networks n WHERE n.user_id = ` + data.MemberNamed + ` AND n.network = :network`
	// The same with the unique index users_confirmed_email.
	lastHereByEmail = `SELECT n.seen_at FROM users u JOIN sign_in_networks n ON n.user_id = u.id AND n.network = :network
WHERE u.email_key = :name AND u.email_confirmed_at IS NOT NULL`
)

// member is the account of a login attempt.
type member struct {
	id             data.ID
	name, password string // password is the hash
	credentials    int64
	asTyped        bool // the hash is of the password as it was typed
}

func (u *member) scan(row *data.Row) {
	u.id, u.name, u.password, u.credentials = row.ID(), row.Text(), row.Text(), row.Int()
}

// check returns the member whose name or confirmed address is key, or nil if the password is wrong, and when the member last logged in
// from this network; the zero time for never.
func (s *Store) check(ctx context.Context, l LogIn, key string) (*member, time.Time, error) {
	var u member
	var seen time.Time
	find, lastHere := userToLogIn, lastHereByName
	if strings.Contains(key, "@") {
		find, lastHere = userByEmail, lastHereByEmail
	}
	r := s.DB.Read()
	r.Find(find, data.Args{"name": key}, u.scan)
	r.Find(lastHere, data.Args{"name": key, "network": l.Network}, func(row *data.Row) { seen = row.Time() })
	if err := r.Run(ctx); err != nil {
		return nil, seen, err
	}
	if seen.IsZero() && l.LimitUnknownNetwork != nil {
		if err := l.LimitUnknownNetwork(key); err != nil {
			return nil, seen, err
		}
	}
	right, asTyped, err := s.checkPassword(ctx, u.password, l.Password)
	if err != nil || !right {
		return nil, seen, err
	}
	u.asTyped = asTyped
	return &u, seen, nil
}

// Sessions and mailed links stay valid, because the password is the same. Primary key.
const replaceHash = `UPDATE users SET password_hash = :hash WHERE id = :user AND password_hash = :before`

// rehash replaces the hash of a password that was set before passwords were normalized. If it fails, the next log-in does it.
func (s *Store) rehash(ctx context.Context, u *member, password string) {
	if !u.asTyped {
		return
	}
	created, err := s.NewHash(ctx, password)
	if err != nil {
		return
	}
	w := s.DB.Write()
	w.Do(replaceHash, data.Args{"user": u.id, "hash": created, "before": u.password})
	_ = w.Run(ctx)
}
