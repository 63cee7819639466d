package passkeys

import (
	"context"

	"plaza/data"
	"plaza/data/accounts/onetime"
)

// Owner is the member to whom a passkey belongs.
type Owner struct {
	ID   data.ID
	Name string
	Key  string // of the passkey: COSE_Key, base64url without padding
}

const ownerOf = `SELECT u.id, u.username, p.public_key FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.id = :id`

var errUnknown = &data.Error{Code: data.Unauthenticated, Message: "That passkey is not known here. It may have been removed from its " +
	"account. Please log in another way."}

// FindOwner returns the owner of a passkey. Unauthenticated if it is unknown.
func (s *Store) FindOwner(ctx context.Context, id string) (Owner, error) {
	var o Owner
	r := s.DB.Read()
	r.Find(ownerOf, data.Args{"id": id}, func(row *data.Row) { o.ID, o.Name, o.Key = row.ID(), row.Text(), row.Text() })
	if err := r.Run(ctx); err != nil {
		return o, err
	}
	if o.ID == 0 {
		return o, errUnknown
	}
	return o, nil
}

const (
	// A counter that does not grow shows that there are two copies. A counter that is always 0 shows nothing. By the
	// condition on last_use, a transaction that is sent again writes nothing.
	usePasskey = `UPDATE passkeys SET used_at = :at, last_use = :used_by, sign_count = max(sign_count, :count),
  copied_at = CASE WHEN :count > sign_count OR (:count = 0 AND sign_count = 0) THEN copied_at ELSE coalesce(copied_at, :at) END
WHERE id = :id AND last_use <> :used_by AND ` + onetime.Mine + ` AND ` + data.LiveSession
	usedPasskey = `SELECT p.copied_at IS NOT NULL, ` + data.LiveSession + ` FROM passkeys p WHERE p.id = :id`
)

// ErrCopied is returned when the count of a passkey's signatures does not grow: there are two copies, and an attacker may have one.
var ErrCopied = &data.Error{Code: data.Forbidden,
	Message: "This passkey seems to have been copied, so it can't be used any more. " +
		"Please log in another way, and remove it in your settings."}

// Use records the count of a verified signature of a passkey. A passkey whose count does not grow is refused from then on. a is the
// member who reauthenticates. It is the zero Actor at a login. Unauthenticated (removed), Forbidden (copied), Conflict (the challenge was
// used before).
func (s *Store) Use(ctx context.Context, a data.Actor, challenge onetime.Token, id string, count uint32) error {
	w := s.DB.Write()
	mine := challenge.Use(w)
	w.Do(usePasskey, a.Args(challenge.Args(data.Args{"id": id, "count": int64(count), "at": s.Source.Now()})))
	var there, copied, live bool
	w.Find(usedPasskey, a.Args(data.Args{"id": id}), func(row *data.Row) { there, copied, live = true, row.Bool(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !*mine:
		return ErrUsedBefore
	case !there:
		return errUnknown
	case !live:
		return data.ErrSessionEnded
	case copied:
		return ErrCopied
	}
	return nil
}
