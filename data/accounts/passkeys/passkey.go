// Package passkeys keeps the public halves of members' passkeys, in the directory. Package webauthn checks their signatures before anything
// here is called.
//
//   - Copies. Devices count their signatures. A passkey whose count does not grow exists twice. It is refused from then on, and the
//     settings page says so. Passkeys that are synchronised between devices always count 0, so their copies can't be detected.
//   - Without a password. An account that was made with a passkey has an empty password_hash, which no password matches. A member can't
//     remove the last sign-in method (sessions.RemovedMethod). The id of such an account is made with the challenge, because the passkey
//     contains it, and the passkey is made before the account.
package passkeys

import (
	"context"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/sessions"
)

// Passkey is a passkey of a member.
type Passkey struct {
	ID        string // the credential's, base64url without padding
	Name      string // the member's name for it
	Key       string // COSE_Key, base64url without padding
	CreatedAt time.Time
	UsedAt    time.Time // zero for never
	CopiedAt  time.Time // when its count did not grow, which shows a copy; zero for never
}

// Store keeps passkeys.
type Store struct{ data.Base }

const (
	// passkeysMax is how many passkeys an account may have.
	passkeysMax = 20
	// nameMax is the length of a passkey's name, in characters.
	nameMax = 50
)

const passkeyColumns = `id, name, public_key, created_at, used_at, copied_at`

func (p *Passkey) scan(row *data.Row) {
	p.ID, p.Name, p.Key, p.CreatedAt, p.UsedAt, p.CopiedAt = row.Text(), row.Text(), row.Text(), row.Time(), row.Time(), row.Time()
}

// Index passkeys_user, in its order.
const passkeysOf = `SELECT ` + passkeyColumns + ` FROM passkeys WHERE user_id = :user ORDER BY created_at, id LIMIT :most`

// Find reads a member's passkeys along with a page, the oldest first.
func (s *Store) Find(r *data.Read, member data.ID) *[]Passkey {
	list := &[]Passkey{}
	r.Find(passkeysOf, data.Args{"user": member, "most": passkeysMax}, func(row *data.Row) {
		var p Passkey
		p.scan(row)
		*list = append(*list, p)
	})
	return list
}

// New is a passkey that was just made.
type New struct {
	ID, Key, Name string
	Count         uint32
}

const (
	// Primary keys, and the index passkeys_user for their number.
	addPasskey = `INSERT INTO passkeys (id, user_id, name, public_key, sign_count, created_at)
SELECT :id, :actor, :name, :key, :count, :at WHERE ` + onetime.Mine + ` AND ` + data.LiveSession + `
AND (SELECT count(*) FROM passkeys WHERE user_id = :actor) < :most ON CONFLICT DO NOTHING`
	addedPasskey = `SELECT coalesce((SELECT user_id FROM passkeys WHERE id = :id), 0), ` + data.LiveSession
	// A passkey of another member makes the transaction fail, so that no account is without a sign-in method.
	firstPasskey = `INSERT INTO passkeys (id, user_id, name, public_key, sign_count, created_at)
SELECT :id, :user, :name, :key, :count, :at WHERE EXISTS (SELECT 1 FROM users WHERE id = :user)
AND NOT EXISTS (SELECT 1 FROM passkeys WHERE id = :id AND user_id = :user)`
)

var (
	// ErrUsedBefore is returned for a response to a challenge that was used before.
	ErrUsedBefore = &data.Error{Code: data.Conflict, Message: "That answer of the passkey was used before. Please try again."}
	errFull       = &data.Error{Code: data.Conflict, Message: "An account has at most 20 passkeys. Please remove one that you don't use " +
		"any more."}
	errOther = &data.Error{Code: data.Conflict, Message: "That passkey belongs to an account already."}
	errTaken = &data.Error{Code: data.Conflict, Message: "That passkey belongs to an account already. Please log in with it, or sign " +
		"up with another one."}
)

// Add gives the actor a passkey. Invalid, Conflict (it exists already, there are too many, or the challenge was used before),
// Unauthenticated.
func (s *Store) Add(ctx context.Context, a data.Actor, challenge onetime.Token, p New) error {
	name, err := validName(p.Name)
	if err != nil {
		return err
	}
	p.Name = name
	w := s.DB.Write()
	mine := challenge.Use(w)
	w.Do(addPasskey, a.Args(challenge.Args(p.args(data.Args{"at": s.Source.Now(), "most": passkeysMax}))))
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.PasskeyAdded, p.Name)
	var owner data.ID
	var live bool
	w.Find(addedPasskey, a.Args(data.Args{"id": p.ID}), func(row *data.Row) { owner, live = row.ID(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case !*mine:
		return ErrUsedBefore
	case owner == 0:
		return errFull
	case owner != a.UserID:
		return errOther
	}
	return nil
}

func (p New) args(args data.Args) data.Args {
	args["id"], args["name"], args["key"], args["count"] = p.ID, p.Name, p.Key, int64(p.Count)
	return args
}

// AddFirst adds the passkey of a new account to the transaction that makes the account. Call it after the statement that makes the
// account. Run sets mine: false if the challenge was used before. If the passkey belongs to another account, the transaction fails
// (data.IsTaken), and Taken returns the error for that.
func (s *Store) AddFirst(w *data.Write, challenge onetime.Token, user data.ID, p New) (mine *bool) {
	mine = challenge.Use(w)
	p.Name, _ = validName("")
	w.Do(firstPasskey, p.args(data.Args{"user": user, "at": s.Source.Now()}))
	return mine
}

const passkeyTaken = `SELECT 1 FROM passkeys WHERE id = :id`

// Taken returns Conflict if a passkey belongs to an account. It explains a failure of the transaction of AddFirst.
func (s *Store) Taken(ctx context.Context, p New) error {
	taken := false
	r := s.DB.Read()
	r.Find(passkeyTaken, data.Args{"id": p.ID}, func(*data.Row) { taken = true })
	if err := r.Run(ctx); err != nil {
		return err
	}
	if taken {
		return errTaken
	}
	return nil
}

// validName returns a passkey's name, "Passkey" if it has none. Invalid.
func validName(name string) (string, error) {
	if name = data.Line(name); name == "" {
		name = "Passkey"
	}
	return name, data.MistakeIf(utf8.RuneCountInString(name) > nameMax, "name", "A name has at most 50 characters.")
}
