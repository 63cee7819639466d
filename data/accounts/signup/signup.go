// Package signup creates accounts, by the form or by a claim of an imported account. The statement that creates the account checks whether
// the user may sign up. So an invitation is never used too often.
package signup

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/invitations"
	"plaza/data/accounts/sessions"
	"plaza/data/events/mails"
	"plaza/locale"
)

// Store creates accounts.
type Store struct {
	data.Base
	Credentials *credentials.Store
	Sessions    *sessions.Store
}

// Form is the form to sign up.
type Form struct {
	Username, Email, Password string
	Network                   string // the user's network, in any form that distinguishes networks; "" when unknown
	Token                     string // of the form; the same form creates one account
	Language                  string // that the form was in; "" for English
	Answer                    string // to the administrators' question, where they approve newcomers
	Invite                    string // code of an invitation; "" for none
	Born                      int64  // the year of birth, where the site asks for it; 0 is none
	Accepts                   bool   // the terms, where the site has some

	// Method adds another sign-in method to the transaction that creates the account; nil for none. With one, Password is optional.
	Method func(w *data.Write, user data.ID)
	// MethodTaken returns Conflict if the transaction failed because Method belongs to another account; nil for methods that can't be taken.
	MethodTaken func(ctx context.Context) error
	// ID is the account's; 0 creates a new one.
	ID data.ID

	needsApproval bool  // administrators approve newcomers
	minAge        int   // the minimum age of members, in years; 0: not asked
	terms         int64 // the version of the terms; 0: none
}

// validate checks the fields in the order of the form.
func (f *Form) validate() error {
	f.Username, f.Email, f.Invite = strings.Trim(f.Username, " "), strings.Trim(f.Email, " "), strings.TrimSpace(f.Invite)
	var password error
	if f.Method == nil || f.Password != "" {
		password = credentials.ValidatePassword(f.Password, f.Username, f.Email)
	}
	return data.AllMistakes(accounts.CheckName(f.Username), credentials.ValidateEmail(f.Email), password)
}

// once lets one form create one account. The password is not in the digest: it is compared with the account's own.
func (f *Form) once(id data.ID) data.IdempotencyKey {
	return data.IdempotencyKey{Form: "signup", Token: f.Token, ID: id, Digest: data.DigestOf(f.Username, f.Email)}
}

const (
	createUser = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at, choices, invite_id, birth_year,
  terms, terms_at, waiting)
SELECT :id, :username, :username_key, :email, :email_key, :hash, :at, :choices, ` + invitations.Invitation + `,
  nullif(:born, 0), :terms, iif(:terms > 0, :at, NULL),
	iif(` + invitations.WhoSignsUp +
		` = 'approval', :answer, NULL) WHERE ` + data.KeyUnused + ` AND ` + admitted
	// admitted is the condition that a user may sign up with the code :invite. Primary key, and the reads of invitations.Invitation.
	admitted  = `(` + invitations.WhoSignsUp + ` <> 'invitation' OR ` + invitations.Invitation + ` IS NOT NULL)`
	admission = `SELECT ` + admitted + `, ` + invitations.WhoSignsUp + ` = 'approval',
  coalesce((SELECT json_extract(x.body, '$.min_age') FROM site_settings x WHERE x.id = 1), 0),
  coalesce((SELECT json_extract(x.body, '$.terms') FROM site_settings x WHERE x.id = 1), 0)`
	createdUser = `SELECT u.id, u.username, u.status, u.password_hash, u.credentials FROM idempotency_keys m JOIN users u ON u.id = m.result_id
WHERE ` + data.ByForm
)

// SignUp creates an account and begins a session. If the form has an address, it enqueues a mail to confirm it. If the same form has
// created an equal account before, that account gets another session, provided the password is right. Invalid and Conflict name the field.
// data.ErrKeyReused if the same form has created another account.
//
// No error reveals whether an address has an account: several accounts may have the same address until it is confirmed.
func (s *Store) SignUp(ctx context.Context, f Form) (data.Actor, error) {
	if err := f.validate(); err != nil {
		return data.Actor{}, err
	}
	if err := s.checkAdmission(ctx, &f); err != nil { // before the costly hash
		return s.signedUpBefore(ctx, f, err)
	}
	hash := ""
	if f.Password != "" {
		var err error
		if hash, err = s.Credentials.NewHash(ctx, f.Password); err != nil {
			return data.Actor{}, err
		}
	}
	now := s.Source.Now()
	id := cmp.Or(f.ID, s.Source.NewID(0, data.KindOther))
	once := f.once(id)
	var u createdAccount

	w := s.DB.Write()
	created := w.Once(once, now, createUser, data.Args{
		"id": id, "username": f.Username, "username_key": strings.ToLower(f.Username), "email": f.Email,
		"email_key": credentials.EmailKey(f.Email), "hash": hash, "at": now, "choices": accounts.Choices{Language: f.Language}.Column(),
		"born": f.Born, "terms": f.terms, "invite": f.Invite, "answer": f.Answer, "now": s.Source.DatabaseNow(),
	})
	if f.Email != "" { // the last write of w.Once is the insert of the idempotency key, which writes a row only if the account was created
		mail := credentials.Confirmation(id, f.Email, "sign-up", 0)
		mail.About["sign-up"] = "1"
		mails.EnqueueIfChanged(w, s.Source, mail)
	}
	if f.Method != nil {
		f.Method(w, id)
	}
	w.Do(accounts.ReleaseFormerName, data.Args{"member": id})
	w.Find(createdUser, once.Args(nil), u.scan)
	if f.Network != "" {
		w.Do(sessions.SawNetworkAtFirst, data.Args{"user": id, "network": f.Network, "at": now})
	}
	if err := w.Run(ctx); data.IsTaken(err) {
		if taken := s.readAdmission(ctx, &f); taken != nil {
			return data.Actor{}, taken
		}
		if f.MethodTaken != nil {
			if taken := f.MethodTaken(ctx); taken != nil {
				return data.Actor{}, taken
			}
		}
		return data.Actor{}, data.UnavailableBecause(err) // the id itself was taken: a retry makes another
	} else if err != nil {
		return data.Actor{}, err
	}
	if created.ID == 0 {
		return data.Actor{}, f.notAdmitted()
	}
	return s.signedUp(ctx, created, &u, f.Password)
}

// createdAccount is the account that a form has created.
type createdAccount struct {
	id                     data.ID
	name, status, password string // password is the hash
	credentials            int64
}

// scan reads a row of createdUser.
func (u *createdAccount) scan(row *data.Row) {
	u.id, u.name, u.status, u.password, u.credentials = row.ID(), row.Text(), row.Text(), row.Text(), row.Int()
}

// Unique index on username_key, index account_deletions_name and primary key. A former name is reserved for a while.
const nameTaken = `SELECT 1 FROM users WHERE username_key = :username_key
UNION ALL SELECT 1 FROM account_deletions WHERE name_key = :username_key
UNION ALL SELECT 1 FROM former_names WHERE name_key = :username_key AND left_at > ` + data.DatabaseNow + ` - :kept`

// readAdmission returns Conflict if a member has the name, or had it recently, or if it looks like the name of a trusted member. It returns
// Invalid if the site requires an invitation that the form does not have. It also reads into f what the site requires: approval, minimum
// age, terms.
func (s *Store) readAdmission(ctx context.Context, f *Form) error {
	taken, admitted := false, true
	r := s.DB.Read()
	like := accounts.FindLookalikes(r, f.Username, 0)
	r.Find(nameTaken, data.Args{"username_key": strings.ToLower(f.Username), "now": s.Source.DatabaseNow(),
		"kept": accounts.NameKept},
		func(*data.Row) { taken = true })
	r.Find(admission, data.Args{"invite": f.Invite, "now": s.Source.DatabaseNow()},
		func(row *data.Row) {
			admitted, f.needsApproval, f.minAge, f.terms = row.Bool(), row.Bool(), int(row.Int()), row.Int()
		})
	if err := r.Run(ctx); err != nil {
		return err
	}
	if taken {
		return accounts.ErrNameTaken
	}
	if err := like.Refused(); err != nil {
		return err
	}
	if !admitted {
		return f.notAdmitted()
	}
	return nil
}

// AnswerMax is the longest answer of a newcomer, in characters.
const AnswerMax = 1000

// ErrTooYoung is the cause of the error when the user is too young for the site.
var ErrTooYoung = errors.New("signup: too young")

// checkAdmission checks that the name is free and the invitation valid (readAdmission), and that the form has the fields that the site
// requires: the year of birth, consent to the terms, and an answer where administrators approve newcomers.
func (s *Store) checkAdmission(ctx context.Context, f *Form) error {
	if err := s.readAdmission(ctx, f); err != nil {
		return err
	}
	var age error
	if f.minAge == 0 {
		f.Born = 0 // a year that the site does not ask for is not stored
	} else if age = accounts.CheckBirthYear(f.Born, s.Source.Now()); age == nil {
		if minAge := accounts.MinAge(f.minAge); !minAge.Admits(f.Born, s.Source.Now()) {
			return &data.Error{Code: data.Invalid, Field: "born", Err: ErrTooYoung, Message: minAge.TooYoung()}
		}
	}
	return data.AllMistakes(
		data.MistakeIf(f.needsApproval && data.Blank(f.Answer), "answer",
			"Please answer the question. The administrators read it before they approve you."),
		data.MistakeIf(f.needsApproval && utf8.RuneCountInString(f.Answer) > AnswerMax, "answer", "An answer has at most 1,000 characters."),
		age,
		data.MistakeIf(f.terms > 0 && !f.Accepts, "terms", "Please read the terms and accept them."))
}

// notAdmitted returns the error for a form without an invitation, or with one that is not valid.
func (f *Form) notAdmitted() error {
	if f.Invite == "" {
		return invitations.ErrNoInvite
	}
	return invitations.ErrInvite
}

// signedUpBefore returns a session of the account that this form has created before. taken is why the form can't create one now, and is
// returned if it has created none before. Call it after the check of the name: then an account that the same form creates between the two
// is found here.
func (s *Store) signedUpBefore(ctx context.Context, f Form, taken error) (data.Actor, error) {
	if f.Token == "" || data.ErrorCode(taken) != data.Conflict {
		return data.Actor{}, taken
	}
	once := f.once(0)
	var u createdAccount
	r := s.DB.Read()
	created := r.FindCreated(once)
	r.Find(createdUser, once.Args(nil), u.scan)
	if err := r.Run(ctx); err != nil {
		return data.Actor{}, err
	}
	if u.id == 0 {
		return data.Actor{}, taken
	}
	return s.signedUp(ctx, created, &u, f.Password)
}

// signedUp returns a session of the account that a form has created, or data.ErrKeyReused. It does not check the password if this very
// request created the account.
func (s *Store) signedUp(ctx context.Context, created *data.Created, u *createdAccount, password string) (data.Actor, error) {
	right := true
	if created.Before() {
		var err error
		if right, err = s.Credentials.CheckPassword(ctx, u.password, password); err != nil {
			return data.Actor{}, err
		}
	}
	if created.Other() || u.status != "active" || !right {
		return data.Actor{}, data.ErrKeyReused(locale.With("This form was sent before, with other content, and made the account {}.",
			u.name), "/login")
	}
	actor := s.Sessions.Begin(u.id, u.name)
	actor.Credentials = &u.credentials
	return actor, nil
}

// CheckName returns nil if a user may sign up under a name, with the code of an invitation or "". Invalid, Conflict.
func (s *Store) CheckName(ctx context.Context, name, invite string) error {
	f := Form{Username: strings.Trim(name, " "), Invite: strings.TrimSpace(invite)}
	if err := accounts.CheckName(f.Username); err != nil {
		return err
	}
	return s.readAdmission(ctx, &f)
}
