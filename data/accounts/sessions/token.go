package sessions

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
)

// API tokens let programs act for a member. Like a session's cookie, a token is signed, so its member is known without a look-up.
// Revocations end both in the same way, so statements that write need no code for tokens. Reads for a member also read the token's row
// (accounts.Store.FindViewer).

const (
	// TokenMax is the longest life of a token. Revocations of tokens are stored for as long.
	TokenMax = 365 * 24 * time.Hour
	// tokensMax is how many tokens a member may have.
	tokensMax = 20
	// tokenNameMax is the length of a token's name, in characters.
	tokenNameMax = 50
)

// Scope is a set of permissions of a token.
type Scope byte

// The scopes.
const (
	Read     Scope = 1 << iota // pages, as the member sees them
	Write                      // post, comment, vote, save, follow and so on
	Moderate                   // moderators' actions
	Feed                       // the feed of the member's communities, whose address contains the token
)

// scopeNames are the names of single scopes in databases and in the API.
var scopeNames = []string{"read", "write", "moderate", "feed"}

// String returns the names of the scopes, separated by spaces.
func (s Scope) String() string {
	var names []string
	for i, name := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// ParseScope parses the result of String. It ignores unknown words.
func ParseScope(text string) (s Scope) {
	for _, word := range strings.Fields(text) {
		for i, name := range scopeNames {
			if word == name {
				s |= 1 << i
			}
		}
	}
	return s
}

// Token is an API token.
type Token struct {
	ID        data.ID
	Name      string
	Scopes    Scope
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // the start of its last day of use, UTC; zero for never
}

const (
	// Index tokens_user, in its order, then the primary key of revocations.
	tokensOf = `SELECT t.id, t.name, t.scopes, t.created_at, t.expires_at, t.used_at FROM tokens t WHERE t.user_id = :actor AND ` + goodToken +
		`
ORDER BY t.id LIMIT :most`
	// It has not expired, and was not revoked, alone or with all sessions and tokens of its member, such as by a new password.
	goodToken = `t.expires_at > ` + data.DatabaseNow + ` AND NOT EXISTS (SELECT 1 FROM revocations r WHERE r.subject IN (t.user_id, t.id)
  AND r.before > t.created_at)`
)

// FindTokens reads a member's tokens along with a page, the oldest first.
func (s *Store) FindTokens(r *data.Read, user data.ID) *[]Token {
	list := &[]Token{}
	r.Find(tokensOf, data.Args{"actor": user, "now": s.Source.DatabaseNow(), "most": tokensMax}, func(row *data.Row) {
		*list = append(*list, Token{row.ID(), row.Text(), ParseScope(row.Text()), row.Time(), row.Time(), row.Time()})
	})
	return list
}

// NewToken returns a token with a new id, and the fields of the form. AddToken stores it. Invalid.
func (s *Store) NewToken(name string, scopes Scope, days int) (Token, error) {
	name = data.Line(name)
	err := data.AllMistakes(
		data.MistakeIf(name == "", "name", "A token needs a name, so that you know it again."),
		data.MistakeIf(utf8.RuneCountInString(name) > tokenNameMax, "name", "A name has at most 50 characters."),
		data.MistakeIf(scopes == 0, "scopes", "Please choose what the token may do."),
		data.MistakeIf(scopes&Feed != 0 && scopes != Feed, "scopes", "A token for a feed may do nothing else, because its address "+
			"has the token in it. Please create another token for the rest."),
		data.MistakeIf(days < 1 || days > int(TokenMax/(24*time.Hour)), "days", "A token lasts from 1 to 365 days."),
	)
	id := s.Source.NewID(0, data.KindOther)
	return Token{ID: id, Name: name, Scopes: scopes, CreatedAt: id.Time(), ExpiresAt: DayOf(id.Time()).
		Add(time.Duration(days+1) * 24 * time.Hour)}, err
}

const (
	// Primary keys, and the index tokens_user for their number.
	addToken = `INSERT INTO tokens (id, user_id, hash, name, scopes, created_at, expires_at)
SELECT :id, :actor, :hash, :name, :scopes, :created, :expires WHERE ` + data.LiveSession + `
AND (SELECT count(*) FROM tokens t WHERE t.user_id = :actor AND ` + goodToken + `) < :most AND ` + data.KeyUnused + `
  ON CONFLICT DO NOTHING`
	addedToken = `SELECT EXISTS (SELECT 1 FROM tokens WHERE id = coalesce((SELECT m.result_id FROM idempotency_keys m WHERE ` +
		data.ByForm + `), :id)
  AND user_id = :actor), ` + data.LiveSession
)

// AddToken stores a token of the actor by its hash. If the same form was sent before, it returns the token of that, in case the first
// response was lost. form identifies the form; with "" each call is another. Conflict if there are too many, Unauthenticated, Unavailable.
func (s *Store) AddToken(ctx context.Context, a data.Actor, t Token, hash, form string) (Token, error) {
	there, live := false, false
	life := t.ExpiresAt.Sub(DayOf(t.CreatedAt))
	once := data.IdempotencyKey{Author: a.UserID, Form: "token", ID: t.ID}
	if form != "" {
		once.Token = form + " " + data.DigestOf(t.Name, t.Scopes.String(), life.String()) // a changed form makes another
	}
	w := s.DB.Write()
	created := w.Once(once, t.CreatedAt, addToken, a.Args(data.Args{"id": t.ID, "hash": hash, "name": t.Name, "scopes": t.Scopes.String(),
		"created": t.CreatedAt, "expires": t.ExpiresAt, "now": s.Source.DatabaseNow(), "most": tokensMax}))
	EnqueueMethodChanged(w, s.Source, a.UserID, TokenCreated, t.Name)
	w.Find(addedToken, once.Args(a.Args(data.Args{"id": t.ID})), func(row *data.Row) { there, live = row.Bool(), row.Bool() })
	switch err := w.Run(ctx); {
	case err != nil:
		return t, err
	case !live:
		return t, data.ErrSessionEnded
	case !there:
		return t, &data.Error{Code: data.Conflict, Message: "You can have at most 20 tokens. Please end one that you don't use any more."}
	}
	if created.Before() {
		t.ID, t.CreatedAt = created.ID, created.ID.Time()
		t.ExpiresAt = DayOf(t.CreatedAt).Add(life)
	}
	return t, nil
}

const (
	ownToken    = `SELECT EXISTS (SELECT 1 FROM tokens WHERE id = :id AND user_id = :actor), ` + data.LiveSession
	removeToken = `DELETE FROM tokens WHERE id = :id AND user_id = :actor`
)

// EndToken ends one of the actor's tokens: from then on every database refuses it. A token that has ended is no error. It may be
// repeated. ErrSessionEnded, Unavailable.
func (s *Store) EndToken(ctx context.Context, a data.Actor, token data.ID) error {
	own, live := false, false
	r := s.DB.Read()
	r.Find(ownToken, a.Args(data.Args{"id": token}), func(row *data.Row) { own, live = row.Bool(), row.Bool() })
	switch err := r.Run(ctx); {
	case err != nil:
		return err
	case !live:
		return data.ErrSessionEnded
	case !own:
		return nil
	}
	w := s.DB.Write()
	w.Do(removeToken, data.Args{"id": token, "actor": a.UserID})
	return s.runAndRevoke(ctx, w, token, s.Source.Now().Add(MemberRevocationLife), MemberRevocationLife)
}

const (
	// Primary keys. The old token is deleted only if the new one was added.
	replaceToken = `INSERT INTO tokens (id, user_id, hash, name, scopes, created_at, expires_at)
SELECT :id, o.user_id, :hash, :name, :scopes, :created, :expires FROM tokens o WHERE o.id = :old AND o.user_id = :actor AND ` +
		data.LiveSession
	wasReplaced    = `EXISTS (SELECT 1 FROM tokens n WHERE n.id = :id)`
	removeReplaced = `DELETE FROM tokens WHERE id = :old AND user_id = :actor AND ` + wasReplaced
	revokeReplaced = `INSERT INTO revocations (subject, before, expires_at) SELECT :old, :before, :until WHERE ` + wasReplaced + `
ON CONFLICT (subject) DO UPDATE SET before = max(before, excluded.before), expires_at = max(expires_at, excluded.expires_at)`
	replacedToken = `SELECT ` + wasReplaced + `, ` + data.LiveSession
)

// ErrNoFeed is returned for a feed token that does not exist any more.
var ErrNoFeed = &data.Error{Code: data.NotFound, Message: "There is no such feed of yours. It was ended, or its address was " +
	"replaced already."}

// ReplaceToken replaces a token of the actor's feed by another, by its hash, in one transaction, so that the member always has one.
// ErrSessionEnded, ErrNoFeed, Unavailable.
func (s *Store) ReplaceToken(ctx context.Context, a data.Actor, old data.ID, t Token, hash string) error {
	there, live := false, false
	end := s.Source.Now().Add(MemberRevocationLife)
	w := s.DB.Write()
	w.Do(replaceToken, a.Args(data.Args{"old": old, "id": t.ID, "hash": hash, "name": t.Name, "scopes": t.Scopes.String(),
		"created": t.CreatedAt, "expires": t.ExpiresAt}))
	EnqueueMethodChanged(w, s.Source, a.UserID, TokenCreated, t.Name)
	w.Do(removeReplaced, data.Args{"old": old, "actor": a.UserID, "id": t.ID})
	w.Do(revokeReplaced, data.Args{"old": old, "before": end, "until": end, "id": t.ID})
	revoked := EnqueueRevocations(w, s.DB, s.Source, old)
	w.Find(replacedToken, a.Args(data.Args{"id": t.ID}), func(row *data.Row) { there, live = row.Bool(), row.Bool() })
	switch err := w.Run(ctx); {
	case err != nil:
		return err
	case !live:
		return data.ErrSessionEnded
	case !there:
		return ErrNoFeed
	}
	revoked.CopyNow(ctx)
	return nil
}

const useToken = `UPDATE tokens SET used_at = :day WHERE id = :id AND (used_at IS NULL OR used_at < :day)`

// TokenUsed records that a token was used today. Unavailable.
func (s *Store) TokenUsed(ctx context.Context, token data.ID) error {
	w := s.DB.Write()
	w.Do(useToken, data.Args{"id": token, "day": DayOf(s.Source.Now())})
	return w.Run(ctx)
}

// Index tokens_expiry.
const purgeTokens = `DELETE FROM tokens WHERE expires_at < ` + data.DatabaseNow

// PurgeTokens deletes expired tokens. Unavailable.
func (s *Store) PurgeTokens(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeTokens, data.Args{"now": s.Source.DatabaseNow()})
	return w.Run(ctx)
}
