// Package mails stores mails until they are sent or given up. A mail is enqueued in the same transaction as its change. The message for
// it may get lost. Then the mail becomes due, and FindDue finds it. All of it is in the directory.
//
// Mails have a table of their own and otherwise work like the outbox. A transaction enqueues the mail, a message (mail <id>) requests it,
// and a consumer claims and finishes it. The retry job sends lost messages again. A mail has a unique key, so a transaction that runs
// twice, or a message that comes twice, sends it once. The row has the subject of the mail and not its text. The consumer writes the text
// when it sends the mail (newMailWriters in worker/mail.go, a function for each kind). So a mail that has become pointless is not sent, and
// secrets of links need not be stored. A mail to a member goes to the address that is confirmed at the time of sending. Package mail
// makes text and HTML and knows the providers. docs/operations/mail.md says how often sending is tried.
package mails

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"plaza/data"
	"plaza/locale"
)

// Kind is the subject of a mail. Each has a function in package worker that writes its text.
type Kind string

// Mail is a mail to send.
type Mail struct {
	ID data.ID // set by Enqueue
	// Key identifies the mail: of several mails with the same key one is enqueued in a week. It begins with the kind.
	Key  string
	Kind Kind
	// User is the member whom the mail concerns; 0 for none. Without an Address, it goes to the member's confirmed address, and is not sent
	// if there is none.
	User    data.ID
	Address string
	About   map[string]string // what the mail is about, by names that the kind defines. Not secret: it is stored
}

// resendAfter is how long after it was enqueued a mail becomes due, in case its message was lost.
const resendAfter = time.Minute

const (
	// Unique index on key.
	enqueueMail = `INSERT INTO mails (id, key, kind, user_id, address, about, queued_at, due_at)
VALUES (:id, :key, :kind, :user, :address, :about, :at, ` + data.DatabaseNow + ` + :wait) ON CONFLICT (key) DO NOTHING RETURNING id`
	// This must directly follow the statement that it depends on: changes() is how many rows that statement wrote.
	enqueueMailIfChanged = `INSERT INTO mails (id, key, kind, user_id, address, about, queued_at, due_at)
SELECT :id, :key, :kind, :user, :address, :about, :at, ` + data.DatabaseNow +
		` + :wait WHERE changes() > 0 ON CONFLICT (key) DO NOTHING RETURNING id`
)

// Known is the condition that a mail with the key :mail was enqueued in the last week. Unique index on key.
const Known = `EXISTS (SELECT 1 FROM mails WHERE key = :mail)`

// Word is the first word of the messages that request the sending of mails.
const Word = "mail"

// Enqueue adds the statement that enqueues a mail. w is a write of the directory: no consumer looks for mails on a shard.
func Enqueue(w *data.Write, s data.Source, m Mail) { m.enqueue(w, s, enqueueMail) }

// EnqueueIfChanged is Enqueue, if the statement just before has written a row.
func EnqueueIfChanged(w *data.Write, s data.Source, m Mail) { m.enqueue(w, s, enqueueMailIfChanged) }

// Enqueue enqueues a mail that belongs to no other write. Unavailable.
func (s *Store) Enqueue(ctx context.Context, m Mail) error {
	w := s.DB.Write()
	Enqueue(w, s.Source, m)
	return w.Run(ctx)
}

func (m Mail) enqueue(w *data.Write, s data.Source, sql string) {
	about, _ := json.Marshal(m.About) // encoding texts can't fail
	id := s.NewID(0, data.KindOther)
	w.Find(sql, data.Args{"id": id, "key": m.Key, "kind": string(m.Kind), "user": m.User, "address": m.Address, "about": string(about),
		"at": s.Now(), "now": s.DatabaseNow(), "wait": resendAfter}, func(r *data.Row) { w.SendMessages(data.QueueEvents, Word, r.ID()) })
}

// Store finds mails and records their state.
type Store struct{ data.Base }

// Waiting is a mail to send now.
type Waiting struct {
	Mail
	To       string           // the recipient's address; "" for none
	Username string           // of the member whom it concerns; "" for none, and for a suspended one
	Language *locale.Language // the member's
	QueuedAt time.Time
	LastTry  bool // if this attempt fails, there is no other
	TooOld   bool // not to be sent any more
}

const (
	// There are seven attempts. Each wait is four times as long as the one before, from a minute on, so the last attempt comes 23 hours
	// after the first: for that long, Resend recognizes a mail that it has sent.
	tries = 7
	// life is how long a mail may be sent. A site that was restored from a backup sends no old ones.
	life = 24 * time.Hour
)

const (
	// The first message claims a mail at once. Later messages claim it only when it is due, so a duplicate message sends nothing twice.
	claimMails = `UPDATE mails SET attempts = attempts + 1, due_at = ` + data.DatabaseNow + ` + (60000 << (2 * min(attempts, 8)))
WHERE id IN (SELECT value FROM json_each(:ids)) AND due_at IS NOT NULL AND (attempts = 0 OR due_at <= ` + data.DatabaseNow +
		`) RETURNING id`
	claimedMails = `SELECT m.id, m.key, m.kind, m.user_id, m.address, m.about, m.attempts, m.queued_at, m.queued_at < ` + data.DatabaseNow +
		` - :life,
  coalesce(u.username, ''), coalesce(nullif(u.choices, '') ->> '$.language', ''), iif(m.address <> '', m.address,
	iif(u.email_confirmed_at IS NOT NULL, u.email, ''))
FROM json_each(:ids) j CROSS JOIN mails m ON m.id = j.value LEFT JOIN users u ON u.id = m.user_id AND u.status = 'active'`
)

// Claim begins to send mails. It returns those that no other call has claimed, in the order of ids. A claimed mail becomes due again if
// neither End nor Return is called in time. Unavailable.
func (s *Store) Claim(ctx context.Context, ids []data.ID) (claimed []Waiting, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	mine := map[data.ID]bool{}
	w := s.DB.Write()
	w.Find(claimMails, data.Args{"ids": ids, "now": s.Source.DatabaseNow()}, func(r *data.Row) { mine[r.ID()] = true })
	w.Find(claimedMails, data.Args{"ids": ids, "now": s.Source.DatabaseNow(), "life": life}, func(r *data.Row) {
		var m Waiting
		m.ID, m.Key, m.Kind, m.User, m.Address = r.ID(), r.Text(), Kind(r.Text()), r.ID(), r.Text()
		about, attempts := r.Text(), r.Int()
		m.QueuedAt = r.Time()
		old := r.Bool()
		m.LastTry, m.TooOld = attempts >= tries, old || attempts > tries
		m.Username = r.Text()
		language := r.Text()
		m.To = r.Text()
		if mine[m.ID] {
			r.Fail(json.Unmarshal([]byte(about), &m.About))
			m.Language = cmp.Or(locale.Find(cmp.Or(language, m.About["language"])), locale.English)
			claimed = append(claimed, m)
		}
	})
	return claimed, w.Run(ctx)
}

const endMail = `UPDATE mails SET due_at = NULL, address = '', about = '', given_up = :given_up WHERE id = :id`

// Sent ends a mail that was sent, or that has become pointless. It deletes the address and content of the mail and keeps its key.
// Unavailable.
func (s *Store) Sent(ctx context.Context, id data.ID) error { return s.end(ctx, id, false) }

// GiveUp is Sent for a mail that can't be sent. Unavailable.
func (s *Store) GiveUp(ctx context.Context, id data.ID) error { return s.end(ctx, id, true) }

func (s *Store) end(ctx context.Context, id data.ID, givenUp bool) error {
	w := s.DB.Write()
	w.Do(endMail, data.Args{"id": id, "given_up": givenUp})
	return w.Run(ctx)
}

const returnMails = `UPDATE mails SET attempts = attempts - 1, due_at = ` + data.DatabaseNow + ` + :wait
WHERE id IN (SELECT value FROM json_each(:ids)) AND due_at IS NOT NULL AND attempts > 0`

// Return returns claimed mails that were not tried. They are due in a minute. Unavailable.
func (s *Store) Return(ctx context.Context, ids []data.ID) error {
	w := s.DB.Write()
	w.Do(returnMails, data.Args{"ids": ids, "now": s.Source.DatabaseNow(), "wait": resendAfter})
	return w.Run(ctx)
}

// dueLimit limits the mails of one run of the retry job.
const dueLimit = 100

// Index mails_due, in its order, from its front.
const dueMails = `SELECT id FROM mails WHERE due_at <= ` + data.DatabaseNow + ` ORDER BY due_at, id LIMIT :limit`

// FindDue returns the mails that are due, the longest waiting first, at most dueLimit. Unavailable.
func (s *Store) FindDue(ctx context.Context) (ids []data.ID, err error) {
	r := s.DB.Read()
	r.Find(dueMails, data.Args{"now": s.Source.DatabaseNow(), "limit": dueLimit},
		func(row *data.Row) { ids = append(ids, row.ID()) })
	err = r.Run(ctx)
	return ids, err
}

// keyLife is how long the key of a mail is stored.
const keyLife = 7 * 24 * time.Hour

// Primary key, from its start: ids are in order of time.
const purgeMails = `DELETE FROM mails WHERE id < :before`

// Purge deletes mails that were enqueued more than a week ago. Unavailable.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeMails, data.Args{"before": data.NewID(s.Source.Now().Add(-keyLife), 0, data.KindOther, 0)})
	return w.Run(ctx)
}
