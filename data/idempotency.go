package data

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"plaza/locale"
)

// IdempotencyKey keeps a form from making the same thing twice. A person sends a form again when its answer was an error or
// never came. hrana sends a transaction again when its answer was lost. In both cases the first transaction may have
// been committed. So a transaction that makes something looks first in the table made whether this form has made it
// already, and then answers with what it has made (Write.IdempotencyKey, Made). A lost answer is never a false conflict.
//
// Edits need no such record. The statement that edits holds only for the revision that the form was made from, and
// the last statement of its transaction reads what is stored now. If that equals what was asked for, the edit is
// done, by this request or by an earlier one. Only if it differs is it a conflict. Statements that add or take away
// (a vote, a follow, the end of a session) change nothing the second time.
type IdempotencyKey struct {
	Author ID     // who makes it; 0 for somebody who signs up
	Form   string // the kind of form; the same token in another kind is another token
	Token  string // of the form; without one, "", only the tries of a single request count as the same
	ID     ID     // that the new thing gets
	Digest string // of what the form says (DigestOf)
}

// Conditions of statements about what forms have made. Once.Args fills their parameters, :maker and :form.
const (
	// NotMade: the form has made nothing yet.
	NotMade = `NOT EXISTS (SELECT 1 FROM made m WHERE ` + ByForm + `)`
	// ByForm, of a row m of made: the form has made it.
	ByForm = `m.author_id = :maker AND m.key = :form`
)

// Args adds :maker and :form, the parameters of NotMade and ByForm, to args and returns it. args may be nil.
func (o IdempotencyKey) Args(args Args) Args {
	if args == nil {
		args = make(Args, 2)
	}
	args["maker"], args["form"] = o.Author, o.Form+" "+cmp.Or(o.Token, o.ID.Text())
	return args
}

// Made is what a form has made. It is known after Run.
type Made struct {
	ID ID // 0 for nothing

	once   IdempotencyKey
	digest string
}

// Before tells whether an earlier request has made it.
func (m *Made) Before() bool { return m.ID != 0 && m.ID != m.once.ID }

// Other tells whether the form said something else when it made this: it was sent, changed, and sent again.
func (m *Made) Other() bool { return m.ID != 0 && m.digest != m.once.Digest }

func (m *Made) scan(r *Row) { m.ID, m.digest = r.ID(), r.Text() }

const (
	// It comes right after the statement that makes the thing: changes() is how many rows that statement wrote.
	recordMade = `INSERT INTO made (author_id, key, digest, made_id, created_at) SELECT :maker, :form, :digest, :id, :at WHERE changes() > 0`
	madeByForm = `SELECT m.made_id, m.digest FROM made m WHERE ` + ByForm
)

// Once gathers a statement that makes something and has the condition NotMade, and the record that it did. at is the
// current time.
func (w *Write) Once(o IdempotencyKey, at time.Time, sql string, args Args) *Made {
	made := &Made{once: o}
	w.Do(sql, o.Args(args))
	w.Do(recordMade, o.Args(Args{"digest": o.Digest, "id": o.ID, "at": at}))
	w.Find(madeByForm, o.Args(nil), made.scan)
	return made
}

// FindMade gathers a look-up of what a form has made in the directory.
func (r *Read) FindMade(o IdempotencyKey) *Made {
	made := &Made{once: o}
	r.Find(madeByForm, o.Args(nil), made.scan)
	return made
}

// AlreadySent is the code of ErrAlreadyMade.
const AlreadySent Code = "already_sent"

// AlreadyMade is the cause of an error of code AlreadySent: a form with this token has made something else before. It
// was sent, changed, and sent again. URL leads to what it made; "" when that is gone.
type AlreadyMade struct{ URL string }

func (e *AlreadyMade) Error() string { return "the token was used before" }

// ErrAlreadyMade returns the error for a form that was sent before and said something else. message is for the
// person, url leads to what the form made.
func ErrAlreadyMade(message locale.Text, url string) error {
	return &Error{Code: AlreadySent, Message: message, Err: &AlreadyMade{URL: url}}
}

// Lengths of a form's token, in characters.
const (
	tokenMin = 16
	tokenMax = 64
)

// ValidToken tells whether a text can be a form's token: 16 to 64 letters, digits, - and _.
func ValidToken(s string) bool { return IsName(s, tokenMin, tokenMax, true) }

// DigestOf returns a text that is equal for equal parts.
func DigestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.BigEndian, int64(len(p)))
		h.Write([]byte(p))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

// madeLife is how long at least it is remembered what forms have made.
const madeLife = 24 * time.Hour

// A purge goes through all rows in the order of their keys: an index by their age would be one more row to write for each form. pageOfMade
// are the next rows after those up to :author and :form.
const (
	pageOfMade = `(SELECT m.author_id, m.key, m.made_id, m.created_at FROM made m WHERE (m.author_id, m.key) > (:author, :form)
  ORDER BY m.author_id, m.key LIMIT :step) page`
	endOfPage = `SELECT page.author_id, page.key FROM ` + pageOfMade + ` ORDER BY page.author_id DESC, page.key DESC LIMIT 1`
	purgeMade = `DELETE FROM made WHERE (author_id, key) IN (SELECT page.author_id, page.key FROM ` + pageOfMade + `
  WHERE page.created_at < ` + DatabaseNow + ` - :life AND (page.made_id >> 12) & 1023` + NotClosed + `)`
)

// A purge looks at madeStep rows at a time, at most madeSteps times in a database.
const (
	madeStep  = 5000
	madeSteps = 1000
)

// PurgeMade forgets, in every database, what forms have made more than a day ago.
func (db *DB) PurgeMade(ctx context.Context, source Source) error {
	return OnEach(db.Databases(), func(where Where) error {
		author, form := ID(-1), ""
		return db.InSteps(ctx, []Where{where}, madeSteps, func(w *Write) func() bool {
			page := Args{"author": author, "form": form, "step": madeStep}
			more := false
			w.Find(endOfPage, page, func(r *Row) { author, form, more = r.ID(), r.Text(), true })
			w.Do(purgeMade, Args{"author": author, "form": form, "step": madeStep, "now": source.DatabaseNow(), "life": madeLife})
			return func() bool { return more }
		})
	})
}
