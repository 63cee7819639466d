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

// IdempotencyKey keeps a form from creating the same thing twice. A user sends a form again if the response was an error or was lost. hrana
// sends a transaction again if its response was lost. In both cases the first transaction may have committed. So a transaction that creates
// something first checks in the table idempotency_keys whether this form has created it already, and then returns that (Write.Once,
// Created). A lost response never causes a false conflict.
//
// Edits need no such record. The statement that edits requires the revision that the form shows, and the last statement of its
// transaction reads what is stored now. If that equals the form, this request or an earlier one has made the edit. If it differs, the
// error is a conflict. Statements that add or remove (a vote, a follow, the end of a session) change nothing the second time.
type IdempotencyKey struct {
	Author ID     // the member who sends the form; 0 at a sign-up
	Form   string // the kind of form; the same token in another kind is another token
	Token  string // of the form; "" if it has none: then ID is used, and only attempts of one request count as the same
	ID     ID     // the id of the new thing
	Digest string // of the content of the form (DigestOf)
}

// Conditions on what a form has created. IdempotencyKey.Args fills their parameters, :maker and :form.
const (
	// KeyUnused is true if the form has created nothing yet.
	KeyUnused = `NOT EXISTS (SELECT 1 FROM idempotency_keys m WHERE ` + ByForm + `)`
	// ByForm is true for the row m of idempotency_keys that the form has written.
	ByForm = `m.author_id = :maker AND m.key = :form`
)

// Args adds :maker and :form, the parameters of KeyUnused and ByForm, to args and returns it. args may be nil.
func (o IdempotencyKey) Args(args Args) Args {
	if args == nil {
		args = make(Args, 2)
	}
	args["maker"], args["form"] = o.Author, o.Form+" "+cmp.Or(o.Token, o.ID.Text())
	return args
}

// Created is the result of a form. Run fills it.
type Created struct {
	ID ID // 0 for nothing

	once   IdempotencyKey
	digest string
}

// Before reports whether an earlier request has created it.
func (m *Created) Before() bool { return m.ID != 0 && m.ID != m.once.ID }

// Other reports whether the form had other content when it created this: it was sent, changed, and sent again.
func (m *Created) Other() bool { return m.ID != 0 && m.digest != m.once.Digest }

func (m *Created) scan(r *Row) { m.ID, m.digest = r.ID(), r.Text() }

const (
	// recordKey must directly follow the statement that creates something: changes() is how many rows that statement wrote.
	recordKey = `INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) SELECT :maker, :form, :digest, :id, :at
  WHERE changes() > 0`
	createdByForm = `SELECT m.result_id, m.digest FROM idempotency_keys m WHERE ` + ByForm
)

// Once adds the statement sql, which creates something under the condition KeyUnused, and records its key. at is the current time.
func (w *Write) Once(o IdempotencyKey, at time.Time, sql string, args Args) *Created {
	created := &Created{once: o}
	w.Do(sql, o.Args(args))
	w.Do(recordKey, o.Args(Args{"digest": o.Digest, "id": o.ID, "at": at}))
	w.Find(createdByForm, o.Args(nil), created.scan)
	return created
}

// FindCreated adds a look-up in the directory of what a form has created.
func (r *Read) FindCreated(o IdempotencyKey) *Created {
	created := &Created{once: o}
	r.Find(createdByForm, o.Args(nil), created.scan)
	return created
}

// AlreadySent is the code of ErrKeyReused.
const AlreadySent Code = "already_sent"

// KeyReused is the cause of an error of code AlreadySent: a form with this token has created something else before. It was sent,
// changed, and sent again. URL is the address of what it created; "" if that is deleted.
type KeyReused struct{ URL string }

func (e *KeyReused) Error() string { return "the token was used before" }

// ErrKeyReused returns the error for a form that was sent before with other content. message is for the user, url is the address of
// what the form created.
func ErrKeyReused(message locale.Text, url string) error {
	return &Error{Code: AlreadySent, Message: message, Err: &KeyReused{URL: url}}
}

// Lengths of a form's token, in characters.
const (
	tokenMin = 16
	tokenMax = 64
)

// ValidToken reports whether a text can be a form's token: 16 to 64 letters, digits, - and _.
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

// keyLife is for how long the records of forms are stored at least.
const keyLife = 24 * time.Hour

// A purge visits all rows in the order of their keys: an index by their age would be one more row to write for each form. pageOfKeys has
// the next rows after :author and :form.
const (
	pageOfKeys = `(SELECT m.author_id, m.key, m.result_id, m.created_at FROM idempotency_keys m WHERE (m.author_id, m.key) > (:author, :form)
  ORDER BY m.author_id, m.key LIMIT :step) page`
	endOfPage = `SELECT page.author_id, page.key FROM ` + pageOfKeys + ` ORDER BY page.author_id DESC, page.key DESC LIMIT 1`
	purgeKeys = `DELETE FROM idempotency_keys WHERE (author_id, key) IN (SELECT page.author_id, page.key FROM ` + pageOfKeys + `
  WHERE page.created_at < ` + DatabaseNow + ` - :life AND (page.result_id >> 12) & 1023` + NotFrozen + `)`
)

// A purge reads purgeStep rows at a time, at most purgeSteps times in a database.
const (
	purgeStep  = 5000
	purgeSteps = 1000
)

// PurgeIdempotencyKeys deletes, in every database, records of forms that are more than a day old.
func (db *DB) PurgeIdempotencyKeys(ctx context.Context, source Source) error {
	return OnEach(db.Databases(), func(where Where) error {
		author, form := ID(-1), ""
		return db.InSteps(ctx, []Where{where}, purgeSteps, func(w *Write) func() bool {
			page := Args{"author": author, "form": form, "step": purgeStep}
			more := false
			w.Find(endOfPage, page, func(r *Row) { author, form, more = r.ID(), r.Text(), true })
			w.Do(purgeKeys, Args{"author": author, "form": form, "step": purgeStep, "now": source.DatabaseNow(), "life": keyLife})
			return func() bool { return more }
		})
	})
}
