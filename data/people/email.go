package people

import (
	"context"
	"net/mail"
	"strings"

	"plaza/data"
	"plaza/data/mails"
)

// EmailMax is the length of the longest address, in bytes.
const EmailMax = 254

// validateEmail checks an address that may be left out.
func validateEmail(email string) error {
	a, err := mail.ParseAddress(email)
	wrong := err != nil || a.Address != email || len(email) > EmailMax || !strings.Contains(email[strings.LastIndexByte(email, '@')+1:], ".")
	return data.MistakeIf(email != "" && wrong, "email", "That does not look like an email address.")
}

// emailKey is how an address is found; NULL without one.
func emailKey(email string) any {
	if email == "" {
		return nil
	}
	return strings.ToLower(email)
}

// confirmation is the mail by which a member confirms an address.
func confirmation(user data.ID, email, key string) mails.Mail {
	return mails.Mail{Key: string(MailConfirm) + " " + user.Text() + " " + key, Kind: MailConfirm, User: user, Address: email, About: map[string]string{"address": email}}
}

// Account is what a member's settings say of the account.
type Account struct {
	Email       string // "" for none
	Confirmed   bool
	HasPassword bool
}

// Primary key.
const findAccount = `SELECT email, email_confirmed_at IS NOT NULL, password_hash <> '' FROM users WHERE id = :actor`

// FindAccount reads a member's account along with a page.
func (s *Store) FindAccount(r *data.Read, a data.Actor) *Account {
	account := &Account{}
	r.Find(data.Directory, findAccount, data.Args{"actor": a.UserID}, func(row *data.Row) {
		account.Email, account.Confirmed, account.HasPassword = row.Text(), row.Bool(), row.Bool()
	})
	return account
}

const (
	// Primary keys. Links that were mailed before are void from then on.
	voidLinks = `UPDATE users SET credentials = credentials + 1 WHERE id = :actor AND ` + data.LiveSession
	// Primary keys. An address that was confirmed stays until the new one is.
	setUnconfirmedEmail = `UPDATE users SET email = :email, email_key = :email_key WHERE id = :actor AND email_confirmed_at IS NULL AND ` + data.LiveSession
	confirmedEmail      = `SELECT email FROM users WHERE id = :actor AND email_confirmed_at IS NOT NULL`
)

// ChangeEmail begins to change a member's address: the new one gets a mail with a link that confirms it, and the one
// of before, if it was confirmed, is told. token is the form's, so that sending the form twice sends one mail. Invalid,
// Unauthenticated, Unavailable.
//
// Whether another account has confirmed the address is not told. ConfirmEmail tells it to whoever reads its mail.
func (s *Store) ChangeEmail(ctx context.Context, a data.Actor, email, token string) error {
	email = strings.TrimSpace(email)
	if email == "" {
		return data.Mistake("email", "Please type your email address.")
	}
	if err := validateEmail(email); err != nil {
		return err
	}
	var before string
	r := s.DB.Read()
	r.Find(data.Directory, confirmedEmail, data.Args{"actor": a.UserID}, func(row *data.Row) { before = row.Text() })
	if err := r.Run(ctx); err != nil {
		return err
	}
	if before == email {
		return data.Mistake("email", "That is your address already.")
	}
	key := token
	if key == "" {
		key = s.Source.NewID(0, data.KindOther).Text()
	}
	w := s.DB.Write(data.Directory)
	voided := w.Do(voidLinks, a.Args(nil))
	left := []data.ID{mails.LeaveIfChanged(w, s.Source, confirmation(a.UserID, email, key))}
	if before != "" {
		left = append(left, mails.LeaveIfChanged(w, s.Source, mails.Mail{Key: string(MailAddressChanging) + " " + a.UserID.Text() + " " + key,
			Kind: MailAddressChanging, User: a.UserID, Address: before, About: map[string]string{"address": email}}))
	}
	w.Do(setUnconfirmedEmail, a.Args(data.Args{"email": email, "email_key": emailKey(email)}))
	if err := w.Run(ctx); err != nil {
		return err
	}
	if voided.Rows == 0 {
		return data.ErrSessionEnded
	}
	s.nudge(ctx, left...)
	return nil
}

// Primary keys; users_confirmed_email refuses an address that another account has confirmed.
const confirmEmail = `UPDATE users SET email = :email, email_key = :email_key, email_confirmed_at = ` + data.DatabaseNow + `, credentials = credentials + 1
WHERE id = :user AND changes() > 0`

// ConfirmEmail makes the address to which a link of MailConfirm was mailed the confirmed one of its member. Conflict
// when another account has confirmed the address, ErrLinkVoid, Unavailable.
func (s *Store) ConfirmEmail(ctx context.Context, l *MailLink) error {
	email := l.About["address"]
	w := s.DB.Write(data.Directory)
	used := s.use(w, l, MailConfirm, s.Source.NewID(0, data.KindOther))
	w.Do(confirmEmail, data.Args{"user": l.User, "email": email, "email_key": emailKey(email), "now": s.Source.DatabaseNow()})
	if err := w.Run(ctx); data.IsTaken(err) {
		return &data.Error{Code: data.Conflict, Message: "Another account here has this address. Log in to that one, or give this one another address."}
	} else if err != nil {
		return err
	}
	if used.Rows == 0 {
		return ErrLinkVoid
	}
	return nil
}
