package data

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Once says that something new is made once, however often the request for it comes. A person sends a form again when its
// answer was an error or never came; hrana sends a transaction again when its answer was lost. Both times the first one
// may have been committed. So a transaction that makes something asks the table made, first, whether its author has made
// it already, and answers with what is there then (Write.Once, Made). A lost answer is never a false conflict.
//
// Edits need no such record: what is stored tells. The statement that edits holds only for the revision that the form was
// made from, and the last statement of its transaction reads what is stored now. When that equals what was asked for, the
// edit is done, by this request or by an earlier one, and the answer is success. Only when it differs is it a conflict.
// What is added or taken away (a vote, a follow, a session's end) is written so that twice is the same as once.
type Once struct {
	Author ID     // who makes it; 0 for somebody who signs up
	Form   string // the kind of form: the token of one form means nothing to another
	Token  string // of the form; "" where it has none: then only the tries of this request are one
	ID     ID     // that the thing is to have
	Digest string // DigestOf what the form says
}

// Fragments for statements about what forms make; Once.Args fills their parameters, :maker and :form.
const (
	// NotMade is a condition: the form has made nothing yet. Primary key.
	NotMade = `NOT EXISTS (SELECT 1 FROM made m WHERE ` + ByForm + `)`
	// ByForm is a condition on a row m of made: it is what the form has made.
	ByForm = `m.author_id = :maker AND m.key = :form`
)

// Args adds to args what a statement with NotMade or ByForm has: :maker and :form. It returns them; nil is none yet.
func (o Once) Args(args Args) Args {
	if args == nil {
		args = make(Args, 2)
	}
	args["maker"], args["form"] = o.Author, o.Form+" "+cmp.Or(o.Token, o.ID.Text())
	return args
}

// Made is what a form has made; read it after Run.
type Made struct {
	ID ID // 0: nothing

	once   Once
	digest string
}

// Before tells that an earlier request has made it.
func (m *Made) Before() bool { return m.ID != 0 && m.ID != m.once.ID }

// Other tells that the form said something else when it made it: it was sent, changed, and sent again.
func (m *Made) Other() bool { return m.ID != 0 && m.digest != m.once.Digest }

func (m *Made) scan(r *Row) { m.ID, m.digest = r.ID(), r.Text() }

const (
	// Stands right behind the statement that makes the thing: changes() is what that one has written.
	recordMade = `INSERT INTO made (author_id, key, digest, made_id, created_at) SELECT :maker, :form, :digest, :id, :at WHERE changes() > 0`
	madeByForm = `SELECT m.made_id, m.digest FROM made m WHERE ` + ByForm
)

// Once gathers the statement that makes a thing, whose condition has NotMade, and records that it has. at is the time.
func (w *Write) Once(o Once, at time.Time, sql string, args Args) *Made {
	made := &Made{once: o}
	w.Do(sql, o.Args(args))
	w.Do(recordMade, o.Args(Args{"digest": o.Digest, "id": o.ID, "at": at}))
	w.Find(madeByForm, o.Args(nil), made.scan)
	return made
}

// FindMade gathers what a form has made in a database.
func (r *Read) FindMade(where Where, o Once) *Made {
	made := &Made{once: o}
	r.Find(where, madeByForm, o.Args(nil), made.scan)
	return made
}

// AlreadySent is the code of AlreadyMade.
const AlreadySent Code = "already_sent"

// AlreadyMade says that a form's token has made something else before: the form was sent,
// then changed, and sent again. URL is where that is, "" when it is gone.
type AlreadyMade struct{ URL string }

func (e *AlreadyMade) Error() string { return "the token was used before" }

func ErrAlreadyMade(message, url string) error {
	return &Error{Code: AlreadySent, Message: message, Err: &AlreadyMade{URL: url}}
}

// Lengths of a form's token, in characters.
const (
	TokenMin = 16
	TokenMax = 64
)

// ValidToken tells whether a text can be a form's token: 16 to 64 letters, digits, - and _.
func ValidToken(s string) bool { return IsName(s, TokenMin, TokenMax, true) }

// DigestOf is Once.Digest: equal for equal contents.
func DigestOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.BigEndian, int64(len(p)))
		h.Write([]byte(p))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16])
}

// madeLife is how long it is known at least which form has made what.
const madeLife = 24 * time.Hour

// purgeMade reads from the front of the index made_age.
const purgeMade = `DELETE FROM made WHERE (author_id, key) IN (
  SELECT m.author_id, m.key FROM made m WHERE m.created_at < ` + DatabaseNow + ` - :life ORDER BY m.created_at LIMIT :step)`

// A purge goes in steps of madeStep rows, at most madeSteps a database and run.
const (
	madeStep  = 1000
	madeSteps = 20
)

// PurgeMade forgets which forms have made what a day ago, in every database.
func (db *DB) PurgeMade(ctx context.Context, source Source) error {
	return OnEach(db.Databases(), func(where Where) error {
		for range madeSteps {
			w := db.Write(where)
			purged := w.Do(purgeMade, Args{"now": source.DatabaseNow(), "life": madeLife, "step": madeStep})
			if err := w.Run(ctx); err != nil || purged.Rows < madeStep {
				return err
			}
		}
		return nil
	})
}
