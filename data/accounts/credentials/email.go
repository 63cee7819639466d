package credentials

import (
	"context"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/events/mails"
)

// ValidateEmail checks an optional address.
func ValidateEmail(email string) error {
	return data.MistakeIf(email != "" && !mails.Valid(email), "email", "That does not look like an email address.")
}

// EmailKey returns the key of an address; NULL without one.
func EmailKey(email string) any {
	if email == "" {
		return nil
	}
	return mails.KeyOf(email)
}

// Confirmation returns the mail by which a member confirms an address. Its link is made only while users.credentials is still credentials.
// Otherwise a mail that is sent late could restore an address that the member has replaced.
func Confirmation(user data.ID, email, key string, credentials int64) mails.Mail {
	return mails.Mail{Key: string(MailConfirm) + " " + user.Text() + " " + key, Kind: MailConfirm, User: user, Address: email,
		About: map[string]string{"address": email, "credentials": strconv.FormatInt(credentials, 10)}}
}

// Account describes the account in a member's settings.
type Account struct {
	Email       string // "" for none
	Confirmed   bool
	HasPassword bool
}

const findAccount = `SELECT email, email_confirmed_at IS NOT NULL, password_hash <> '' FROM users WHERE id = :actor`

// FindAccount reads a member's account along with a page.
func (s *Store) FindAccount(r *data.Read, a data.Actor) *Account {
	account := &Account{}
	r.Find(findAccount, data.Args{"actor": a.UserID}, func(row *data.Row) {
		account.Email, account.Confirmed, account.HasPassword = row.Text(), row.Bool(), row.Bool()
	})
	return account
}

const (
	// Primary key, and the unique index on mails.key. Links that were mailed before are void from then on. A confirmed address stays until
	// the new one is confirmed. It writes nothing if the same form has enqueued its mail before, or if the credentials have changed since
	// they were read.
	beginEmail = `UPDATE users SET credentials = credentials + 1, email = iif(email_confirmed_at IS NULL, :email, email),
  email_key = iif(email_confirmed_at IS NULL, :email_key, email_key)
WHERE id = :actor AND credentials = :credentials AND NOT ` + mails.Known + ` AND ` + data.LiveSession
	emailBegun    = `SELECT ` + mails.Known + `, ` + data.LiveSession
	previousEmail = `SELECT iif(email_confirmed_at IS NOT NULL, email, ''), credentials FROM users WHERE id = :actor`
)

// ChangeEmail begins to change a member's address. The new address gets a mail with a link that confirms it. The old address, if it was
// confirmed, gets a mail about the change. token is the form's, so that sending the form twice sends one mail. Invalid, Conflict when
// another change of the account came first, Unauthenticated, Unavailable.
//
// It does not reveal whether another account has confirmed the address. Only ConfirmEmail does, to a user who can read the mail.
func (s *Store) ChangeEmail(ctx context.Context, a data.Actor, email, token string) error {
	email = strings.Trim(email, " ")
	if email == "" {
		return data.Mistake("email", "Please type your email address.")
	}
	if err := ValidateEmail(email); err != nil {
		return err
	}
	plain, _ := mails.WithASCIIDomain(email)
	var previous string
	var credentials int64
	r := s.DB.Read()
	r.Find(previousEmail, data.Args{"actor": a.UserID}, func(row *data.Row) { previous, credentials = row.Text(), row.Int() })
	if err := r.Run(ctx); err != nil {
		return err
	}
	if now, _ := mails.WithASCIIDomain(previous); previous != "" && now == plain {
		return data.Mistake("email", "That is your address already.")
	}
	key := token
	if key == "" {
		key = s.Source.NewID(0, data.KindOther).Text()
	}
	key += " " + data.DigestOf(email) // the same form with another address is another change
	mail := Confirmation(a.UserID, email, key, credentials+1)
	var known, live bool
	w := s.DB.Write()
	w.Do(beginEmail, a.Args(data.Args{"email": email, "email_key": EmailKey(email), "credentials": credentials, "mail": mail.Key}))
	mails.EnqueueIfChanged(w, s.Source, mail)
	if previous != "" {
		mails.EnqueueIfChanged(w, s.Source, mails.Mail{Key: string(MailAddressChanging) + " " + a.UserID.Text() + " " + key,
			Kind: MailAddressChanging, User: a.UserID, Address: previous, About: map[string]string{"address": email}})
	}
	w.Find(emailBegun, a.Args(data.Args{"mail": mail.Key}), func(row *data.Row) { known, live = row.Bool(), row.Bool() })
	switch err := w.Run(ctx); {
	case err != nil:
		return err
	case !live:
		return data.ErrSessionEnded
	case !known:
		return &data.Error{Code: data.Conflict, Message: "Something else of your account was changed at the same moment. Please try again."}
	}
	return nil
}

// Primary keys; users_confirmed_email refuses an address that another account has confirmed.
const confirmEmail = `UPDATE users SET email = :email, email_key = :email_key, email_confirmed_at = ` + data.DatabaseNow +
	`, credentials = credentials + 1
WHERE id = :user AND changes() > 0`

// ConfirmEmail confirms the member's address by a link of MailConfirm. Conflict when another account has confirmed the address,
// ErrLinkInvalid, Unavailable.
func (s *Store) ConfirmEmail(ctx context.Context, l *MailLink) error {
	email := l.About["address"]
	w := s.DB.Write()
	used := s.use(w, l, MailConfirm, s.Source.NewID(0, data.KindOther))
	w.Do(confirmEmail, data.Args{"user": l.User, "email": email, "email_key": EmailKey(email), "now": s.Source.DatabaseNow()})
	if err := w.Run(ctx); data.IsTaken(err) {
		return &data.Error{Code: data.Conflict, Message: "Another account here has this address. Log in to that one, or give this one " +
			"another address."}
	} else if err != nil {
		return err
	}
	if used.Rows == 0 {
		return ErrLinkInvalid
	}
	return nil
}
