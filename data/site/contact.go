package site

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/mails"
)

const (
	messageMax = 5000
	senderMax  = 100
	// messagesMax is how many messages can wait, so that a flood does not fill the database; further messages are refused.
	messagesMax = 2000
	// messageLife is how long answered messages are stored.
	messageLife = 180 * day
	purgeAtOnce = 500
)

// Message is a message to the administrators.
type Message struct {
	ID       data.ID
	Name     string // a member's, "" for a deleted account; or as a visitor has typed it
	Member   bool
	Email    string // the address for the reply
	Body     string
	Answered bool
}

// At returns when it was sent.
func (m *Message) At() time.Time { return m.ID.Time() }

func (m *Message) validate() error {
	m.Name, m.Email = data.Line(m.Name), strings.TrimSpace(m.Email)
	return data.AllMistakes(
		data.MistakeIf(utf8.RuneCountInString(m.Name) > senderMax, "name", "A name has at most 100 characters."),
		data.MistakeIf(m.Email != "" && !mails.Valid(m.Email), "email", "That does not look like an email address."),
		data.MistakeIf(data.Blank(m.Body), "body", "Please write your message."),
		data.MistakeIf(utf8.RuneCountInString(m.Body) > messageMax, "body", "A message has at most 5,000 characters."))
}

var (
	// Index contact_messages_open, primary keys.
	hasRoom = `(SELECT count(*) FROM (SELECT 1 FROM contact_messages WHERE answered_at IS NULL LIMIT :most)) < :most`
	send    = `INSERT INTO contact_messages (id, name, member, email, body, user_id)
SELECT :id, iif(:member, ` + data.NameNow(":name") + `, :name), :member, :email, :body, iif(:member, :actor, 0) WHERE ` + hasRoom +
		` AND ` + data.LiveSession + ` AND ` + data.KeyUnused
	whyNotSent = `SELECT ` + data.LiveSession

	// Indexes contact_messages_open and contact_messages_answered, in their order.
	messageColumns   = `SELECT id, name, member, email, body FROM contact_messages WHERE `
	openMessages     = messageColumns + `answered_at IS NULL AND id < :before ORDER BY id DESC LIMIT :limit`
	answeredMessages = messageColumns + `answered_at IS NOT NULL AND id < :before ORDER BY id DESC LIMIT :limit`

	setAnswered = `UPDATE contact_messages SET answered_at = iif(:answered, :at, NULL) WHERE id = :id
  AND (answered_at IS NOT NULL) <> :answered AND ` + data.ByAdmin + ` AND ` + data.LiveSession
	messageThere = `SELECT 1 FROM contact_messages WHERE id = :id`
	// Index contact_messages_age.
	purgeMessages = `DELETE FROM contact_messages WHERE id IN (SELECT id FROM contact_messages WHERE answered_at < ` + data.DatabaseNow +
		` - :age LIMIT :limit)`
)

// Send stores a message to the administrators. a is nil for a visitor. The same form, sent again, stores no second one. Invalid,
// RateLimited (too many wait) and Unauthenticated.
func (s *Store) Send(ctx context.Context, a *data.Actor, m Message, token string) error {
	if err := m.validate(); err != nil {
		return err
	}
	var sender data.Actor
	if a != nil {
		sender, m.Name, m.Member = *a, a.Name, true
	}
	now := s.Source.Now()
	id := s.Source.NewID(0, data.KindOther)
	live := false
	w := s.DB.Write()
	created := w.Once(data.IdempotencyKey{Author: sender.UserID, Form: "contact", Token: token, ID: id,
		Digest: data.DigestOf(m.Name, m.Email, m.Body)},
		now, send,
		sender.Args(data.Args{"id": id, "name": m.Name, "member": m.Member, "email": m.Email, "body": m.Body, "most": messagesMax}))
	w.Find(whyNotSent, sender.Args(nil), func(row *data.Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case created.Other():
		return data.ErrKeyReused("This form was sent before, with another message.", "")
	case created.ID == 0:
		return &data.Error{Code: data.RateLimited, Message: "Too many messages wait for an answer right now. Please try again another day."}
	}
	return nil
}

// FindMessages reads a page of messages along with a page, the newest first: waiting ones, or answered ones. All ids are lower than
// before; 0 begins with the newest.
func (s *Store) FindMessages(r *data.Read, answered bool, before data.ID, limit int) *data.Page[Message] {
	sql := openMessages
	if answered {
		sql = answeredMessages
	}
	return data.NewPage[Message](0, limit).Find(r, sql, data.Args{"before": data.Below(before)},
		func(row *data.Row) (Message, float64, data.ID) {
			m := Message{ID: row.ID(), Name: row.Text(), Member: row.Bool(), Email: row.Text(), Body: row.Text(), Answered: answered}
			return m, 0, m.ID
		})
}

// SetAnswered records that a message was answered, or that it waits again. NotFound, Forbidden and Unauthenticated.
func (s *Store) SetAnswered(ctx context.Context, a data.Actor, id data.ID, answered bool) error {
	there := false
	w := s.DB.Write()
	w.Do(setAnswered, a.Args(data.Args{"id": id, "answered": answered, "at": s.Source.Now()}))
	admin := data.CheckAdmin(w, a)
	w.Find(messageThere, data.Args{"id": id}, func(*data.Row) { there = true })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if err := admin.Err(); err != nil {
		return err
	}
	if !there {
		return &data.Error{Code: data.NotFound, Message: "That message is not there any more."}
	}
	return nil
}

// Purge deletes messages that were answered long ago.
func (s *Store) Purge(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(purgeMessages, data.Args{"now": s.Source.DatabaseNow(), "age": messageLife, "limit": purgeAtOnce})
	return w.Run(ctx)
}
