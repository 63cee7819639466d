package data

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"

	"plaza/data/hrana"
)

// What is made once. A person sends a form again when its answer was an error or never
// came; hrana sends a transaction again when its answer was lost. In both cases the first
// one may have been committed. So whatever makes something new asks the table made
// whether its author has made it already, in the same transaction, and answers with what
// is there.

// AlreadySent is the code of AlreadyMade.
const AlreadySent Code = "already_sent"

// AlreadyMade says that a form's token has made something else before: the form was sent,
// then changed, and sent again. URL is where that is, "" when it is gone.
type AlreadyMade struct{ URL string }

func (e *AlreadyMade) Error() string { return "the token was used before" }

func errAlreadyMade(message, url string) error {
	return &Error{Code: AlreadySent, Message: message, Err: &AlreadyMade{URL: url}}
}

// Lengths of a form's token, in characters.
const (
	TokenMin = 16
	TokenMax = 64
)

// ValidToken tells whether a text can be a form's token: 16 to 64 letters, digits, - and _.
func ValidToken(s string) bool { return isName(s, TokenMin, TokenMax, true) }

// madeKey is made.key of a form of some kind. Without a token, the id that the thing is to
// have serves the tries of one request.
func madeKey(kind, token string, id ID) string { return kind + " " + cmp.Or(token, id.Text()) }

// digestOf is made.digest: equal for equal contents.
func digestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.BigEndian, int64(len(p)))
		h.Write([]byte(p))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

const (
	// Holds while the actor (?1) has made nothing with the key whose parameter follows.
	// Primary key.
	unmade = `NOT EXISTS (SELECT 1 FROM made m WHERE m.author_id = ?1 AND m.key = `
	// Stands right behind the statement that makes the thing: changes() is what that one
	// has written.
	recordMade = `INSERT INTO made (author_id, key, digest, made_id, created_at) SELECT ?1, ?2, ?3, ?4, ?5 WHERE changes() > 0`
)

// recording notes that the statement before it has made id for an author.
func recording(author ID, key, digest string, id ID, now time.Time) hrana.Stmt {
	return stmt(recordMade, author, key, digest, id, now.UnixMilli())
}

// madeLife is how long it is known at least which form has made what.
const madeLife = 24 * time.Hour

// purgeMade reads from the front of the index made_age.
const purgeMade = `DELETE FROM made WHERE (author_id, key) IN (
  SELECT m.author_id, m.key FROM made m WHERE m.created_at < coalesce(?1, ` + databaseNow + `) - ?3 ORDER BY m.created_at LIMIT ?2)`

// A purge goes in steps of madeStep rows, at most madeSteps a database and run.
const (
	madeStep  = 1000
	madeSteps = 20
)

// PurgeMade forgets which forms have made what a day ago, in every database.
func (db *DB) PurgeMade(ctx context.Context, source Source) error {
	var failed error
	for _, c := range db.databases() {
		for range madeSteps {
			results, err := tx(ctx, c, stmt(purgeMade, source.database(), madeStep, madeLife.Milliseconds()))
			failed = errors.Join(failed, err)
			if err != nil || results[0].RowsAffected < madeStep {
				break
			}
		}
	}
	return failed
}
