package signup

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/events/modlog"
)

// An account that came by an import (users.unclaimed) is claimed in three steps, of which only the last two are stored. The claimant has
// a secret, and publishes its hash under the account at the other site; the hash is no secret. An administrator checks that, and lets the
// holder of the secret choose a password: the secret is then the token of a mailed link (mail_link.go).

// ClaimLife is how long the link of a claim works after an administrator has approved it.
const ClaimLife = 14 * 24 * time.Hour

const (
	// claimable is the condition of the log's entry, which linkClaim then requires. A hash belongs to one account, and to one link.
	claimable = data.ByAdmin + ` AND EXISTS (SELECT 1 FROM users u WHERE u.id = :user AND u.unclaimed = 1 AND u.status = 'active')
  AND NOT ` +
		hashInUse
	hashInUse = `EXISTS (SELECT 1 FROM mail_links m WHERE m.hash = :hash AND (m.user_id <> :user OR m.used_by <> 0))`
	linkClaim = `INSERT INTO mail_links (hash, kind, user_id, about, credentials, expires_at)
SELECT :hash, :kind, u.id, '{}', u.credentials, ` + data.DatabaseNow + ` + :life FROM users u
WHERE u.id = :user AND u.unclaimed = 1 AND u.status = 'active' AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.id = :entry)
ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at`
	isHashInUse     = `SELECT ` + hashInUse
	unclaimedByName = `SELECT u.id FROM users u WHERE u.username_key = :name AND u.unclaimed = 1 AND u.status = 'active' AND u.username <> ''`
)

// ErrNotClaimable is returned for an account that can't be claimed.
var ErrNotClaimable = &data.Error{Code: data.NotFound, Message: "There is no account of that name that could be claimed."}

// LetClaim lets the holder of a secret, given by its hash, choose a password for an unclaimed account. It adds an entry to the log. Invalid
// for the hash, NotFound, Forbidden (not an administrator), Unauthenticated.
func (s *Store) LetClaim(ctx context.Context, a data.Actor, name, hash string) error {
	var id data.ID
	r := s.DB.Read()
	r.Find(unclaimedByName, data.Args{"name": credentials.LoginKey(name)}, func(row *data.Row) { id = row.ID() })
	if err := r.Run(ctx); err != nil {
		return err
	}
	isHash := data.IsName(hash, claimHashLen, claimHashLen, true)
	if !isHash {
		hash = ""
	}
	w := s.DB.Write()
	var linked *data.Change
	elsewhere := false
	if id != 0 && isHash {
		entry := modlog.NewEntry{ID: s.Source.NewID(0, data.KindOther), Action: modlog.Claim, Target: id, Author: id}
		modlog.Add(w, a, entry, claimable, data.Args{"user": id, "hash": hash})
		linked = w.Do(linkClaim, data.Args{"hash": hash, "kind": string(credentials.MailReset), "user": id, "life": ClaimLife, "entry": entry.ID,
			"now": s.Source.DatabaseNow()})
		w.Find(isHashInUse, data.Args{"user": id, "hash": hash}, func(row *data.Row) { elsewhere = row.Bool() })
	}
	may := data.CheckAdmin(w, a)
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case may.Err() != nil:
		return may.Err()
	case !isHash:
		return data.Mistake("proof", "That is no text of a claim. It has 43 letters, digits, - and _.")
	case elsewhere:
		return data.Mistake("proof", "That is the text of another claim. The page of this account has a new one.")
	case linked == nil || linked.Rows == 0:
		return ErrNotClaimable
	}
	return nil
}

// claimHashLen is the length of a SHA-256 in base64.
const claimHashLen = 43
