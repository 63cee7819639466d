// Package onetime records tokens that may be used only once: challenges, states of a login at another site, codes of the second step. It
// keeps each until it has expired. All of it is in the directory.
//
// The row is written in the transaction that uses the token, and it names the request. So of two requests with the same code one is
// refused. A transaction that hrana sends again is not refused.
package onetime

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"time"

	"plaza/data"
)

// Token is something that one request may use, once.
type Token struct {
	key, by string
	expires time.Time
}

// New returns the Token for a token of the given kind, which must be invalid after expires.
func New(kind, token string, expires time.Time) Token {
	var by [12]byte
	_, _ = rand.Read(by[:])
	return Token{key: kind + " " + data.DigestOf(token), by: base64.RawURLEncoding.EncodeToString(by[:]), expires: expires}
}

const (
	useToken          = `INSERT INTO used_nonces (token, used_by, expires_at) VALUES (:token, :used_by, :expires) ON CONFLICT DO NOTHING`
	useTokenIfChanged = `INSERT INTO used_nonces (token, used_by, expires_at) SELECT :token, :used_by, :expires WHERE changes() > 0
  ON CONFLICT DO NOTHING`
	// Mine is the condition that this request has used the token, and none before it. Token.Args fills its parameters.
	Mine       = `EXISTS (SELECT 1 FROM used_nonces WHERE token = :token AND used_by = :used_by)`
	usedByThis = `SELECT ` + Mine
)

// Args adds :token and :used_by, the parameters of Mine, to args and returns it. args may be nil.
func (t Token) Args(args data.Args) data.Args {
	if args == nil {
		args = make(data.Args, 2)
	}
	args["token"], args["used_by"] = t.key, t.by
	return args
}

// Use adds the statement that uses a token. Statements that depend on it follow, with the condition Mine. If hrana sends the
// transaction again, because its response was lost, Mine still holds: used_by is the same. Run sets the result: false if an earlier
// request has used the token.
func (t Token) Use(w *data.Write) (mine *bool) { return t.use(w, useToken) }

// UseIfChanged is Use, if the previous statement wrote a row. Otherwise the result is false.
func (t Token) UseIfChanged(w *data.Write) (mine *bool) { return t.use(w, useTokenIfChanged) }

func (t Token) use(w *data.Write, sql string) (mine *bool) {
	mine = new(bool)
	w.Do(sql, t.Args(data.Args{"expires": t.expires}))
	w.Find(usedByThis, t.Args(nil), func(row *data.Row) { *mine = row.Bool() })
	return mine
}

// Store deletes tokens.
type Store struct{ data.Base }

// Index used_nonces_expiry.
const purgeNonces = `DELETE FROM used_nonces WHERE expires_at < ` + data.DatabaseNow + ` - :grace`

// purgeGrace is for instances whose clocks are behind the database's: a token must have expired everywhere before it is deleted.
const purgeGrace = 10 * time.Minute

// Purge deletes expired tokens.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeNonces, data.Args{"now": s.Source.DatabaseNow(), "grace": purgeGrace})
	return w.Run(ctx)
}
