package people

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hrana"
)

// networkLife is how long a network counts as one that a member signs in from, since the
// last time.
const networkLife = 180 * 24 * time.Hour

// LogIn is what signing in asks for.
type LogIn struct {
	Login    string // username or email address
	Password string
	Network  string // from where, as CreateUser.Network
	// Stranger is asked before the password is looked at, unless the member has signed in
	// from Network before. It is asked for names that nobody has, too. Its error refuses.
	Stranger func(key string) error
}

const (
	userColumns = `id, username, status, admin, bio_html, followers, following, created_at, password_hash`
	// Unique index on the key.
	userByName = `SELECT ` + userColumns + ` FROM users WHERE username_key = ?1`
	// Index users_email, which ends in the id.
	saltOfEmail = `SELECT password_hash FROM users WHERE email_key = ?1 ORDER BY id LIMIT 1`
	userByEmail = `SELECT ` + userColumns + ` FROM users WHERE email_key = ?1 AND password_hash = ?2 ORDER BY id LIMIT 1`
	// Unique index and primary key.
	lastFromHere = `SELECT n.seen_at FROM users u JOIN sign_in_networks n ON n.user_id = u.id AND n.network = ?2 WHERE u.username_key = ?1`
	sawNetwork   = `INSERT INTO sign_in_networks (user_id, network, seen_at) VALUES (?1, ?2, ?3)
ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at`
)

func scanUser(u *User) func(hrana.Result) error {
	return func(res hrana.Result) error {
		return data.Each(res, func(r *data.Row) {
			*u = User{ID: r.ID(), Username: r.Text(), Status: r.Text(), Admin: r.Bool(), BioHTML: r.Text(),
				Followers: r.Int(), Following: r.Int(), CreatedAt: data.Millis(r.Int()), passwordHash: r.Text()}
		})
	}
}

// LogIn checks a username or email address and a password, with one hash whether or not
// there is such an account. Unauthenticated does not tell which of them was wrong.
// Invalid, Forbidden, and what Stranger returns.
func (s *Store) LogIn(ctx context.Context, l LogIn) (data.Actor, error) {
	key := strings.ToLower(strings.TrimSpace(l.Login))
	if key == "" {
		return data.Actor{}, data.Mistake("login", "Please type your username or email address.")
	}
	if l.Password == "" {
		return data.Actor{}, data.Mistake("password", "Please type your password.")
	}
	if len(l.Password) > passwordBytes {
		l.Password = "" // never valid; keeps the hash from chewing megabytes
	}
	find := s.logInByName
	if strings.Contains(key, "@") {
		find = s.logInByEmail
	}
	u, seen, err := find(ctx, l, key)
	if err != nil {
		return data.Actor{}, err
	}
	if u == nil {
		return data.Actor{}, &data.Error{Code: data.Unauthenticated, Field: "password", Message: "That username and password don't belong together."}
	}
	if u.Status != "active" {
		return data.Actor{}, &data.Error{Code: data.Forbidden, Field: "login", Message: "This account is " + u.Status + "."}
	}
	if now := s.Source.Now(); l.Network != "" && now.Sub(seen) > 24*time.Hour {
		// Should it fail, the network stays unknown until the next time.
		_, _ = data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(sawNetwork, u.ID, l.Network, now.UnixMilli()))
	}
	return s.newSession(u.ID, u.Username), nil
}

// logInByName gives the member, nil when name and password don't belong together, and
// when the member has signed in from here last.
func (s *Store) logInByName(ctx context.Context, l LogIn, key string) (*User, time.Time, error) {
	var u User
	var seen time.Time
	r := s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(userByName, key), scanUser(&u))
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(lastFromHere, key, l.Network), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { seen = data.Millis(row.Int()) })
	})
	if err := r.Run(ctx); err != nil {
		return nil, seen, err
	}
	if seen.IsZero() && l.Stranger != nil {
		if err := l.Stranger(key); err != nil {
			return nil, seen, err
		}
	}
	if !CheckPassword(u.passwordHash, l.Password) {
		return nil, seen, nil
	}
	return &u, seen, nil
}

// logInByEmail is logInByName for an address, which several accounts may have given.
// Their hashes have one salt (CreateUser), so that one hash finds the account of the
// password. An address makes no network known: anybody may give it.
func (s *Store) logInByEmail(ctx context.Context, l LogIn, key string) (*User, time.Time, error) {
	var seen time.Time
	var oldest string
	r := s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(saltOfEmail, key), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { oldest = row.Text() })
	})
	if err := r.Run(ctx); err != nil {
		return nil, seen, err
	}
	if l.Stranger != nil {
		if err := l.Stranger(key); err != nil {
			return nil, seen, err
		}
	}
	var u User
	hash, ok := hashLike(oldest, l.Password)
	r = s.DB.Read()
	r.OldAdd(s.DB.OldDirectory(), data.OldStmt(userByEmail, key, hash), scanUser(&u))
	if err := r.Run(ctx); err != nil || u.ID == 0 || !ok {
		return nil, seen, err
	}
	return &u, seen, nil
}

// Index sign_in_networks_seen.
const purgeNetworks = `DELETE FROM sign_in_networks WHERE seen_at < ?1`

// PurgeNetworks forgets networks that members have not signed in from for long.
func (s *Store) PurgeNetworks(ctx context.Context) error {
	_, err := data.Tx(ctx, s.DB.OldDirectory(), data.OldStmt(purgeNetworks, s.Source.Now().Add(-networkLife).UnixMilli()))
	return err
}
