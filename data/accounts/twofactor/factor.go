// Package twofactor keeps members' second factors, in the directory: the secret that an authenticator app shares with the site, and
// hashes of recovery codes. Codes are checked by package totp.
//
// The secret is stored in plain text, because the site has to compute with it. If it were encrypted by a key made from SESSION_SECRET,
// replacing that secret would lock these members out. Recovery codes have 80 random bits and are stored as hashes.
package twofactor

import (
	"context"
	"time"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/sessions"
)

// Store stores second steps.
type Store struct{ data.Base }

// Factor is a member's second step.
type Factor struct {
	On    bool
	Since time.Time
	Codes int // number of unused recovery codes
}

const factorOf = `SELECT created_at, (SELECT count(*) FROM recovery_codes WHERE user_id = :user) FROM totp WHERE user_id = :user`

// Find reads a member's second step along with a page.
func (s *Store) Find(r *data.Read, member data.ID) *Factor {
	f := &Factor{}
	r.Find(factorOf, data.Args{"user": member}, func(row *data.Row) { f.On, f.Since, f.Codes = true, row.Time(), int(row.Int()) })
	return f
}

const secretOf = `SELECT secret FROM totp WHERE user_id = :user`

// FindSecret returns the secret of a member's app; "" if the member has no second step.
func (s *Store) FindSecret(ctx context.Context, member data.ID) (secret string, err error) {
	r := s.DB.Read()
	r.Find(secretOf, data.Args{"user": member}, func(row *data.Row) { secret = row.Text() })
	return secret, r.Run(ctx)
}

const (
	turnOn = `INSERT INTO totp (user_id, secret, created_at) SELECT :actor, :secret, :at WHERE ` + onetime.Mine + ` AND ` +
		data.LiveSession + ` ON CONFLICT DO NOTHING`
	firstCodes = `INSERT INTO recovery_codes (user_id, hash) SELECT :actor, j.value FROM json_each(:hashes) j
WHERE EXISTS (SELECT 1 FROM totp WHERE user_id = :actor AND secret = :secret) AND ` + onetime.Mine + ` AND ` + data.LiveSession +
		` ON CONFLICT DO NOTHING`
	dropCodes = `DELETE FROM recovery_codes WHERE user_id = :actor AND ` + isOn
	addCodes  = `INSERT INTO recovery_codes (user_id, hash) SELECT :actor, j.value FROM json_each(:hashes) j WHERE ` + isOn +
		` ON CONFLICT DO NOTHING`
	isOn      = `EXISTS (SELECT 1 FROM totp WHERE user_id = :actor) AND ` + data.LiveSession
	ownSecret = `SELECT coalesce((SELECT secret FROM totp WHERE user_id = :actor), ''), ` + data.LiveSession
)

var (
	errOn = &data.Error{Code: data.Conflict, Message: "You have an authenticator app already. Turn it off first to use another one."}
	// errOnNow is for a second submission of the form that has turned it on: the codes of the first response stay valid.
	errOnNow = &data.Error{Code: data.Conflict, Message: "Your app is turned on already. If you have not kept its recovery codes, make new " +
		"ones under Security."}
	errOff = &data.Error{Code: data.Conflict, Message: "You have no authenticator app."}
	// ErrUsedBefore is returned for a code that was used before.
	ErrUsedBefore = &data.Error{Code: data.Unauthenticated, Field: "code",
		Message: "That code was used before. Please wait for the next one, which your app shows within 30 seconds."}
)

// TurnOn gives the actor a second step, with the hashes of recovery codes. code is the token of the code that proved that the app has the
// secret. Conflict (there is one, or the code was used before), Unauthenticated.
func (s *Store) TurnOn(ctx context.Context, a data.Actor, secret string, code onetime.Token, hashes []string) error {
	w := s.DB.Write()
	mine := code.Use(w)
	w.Do(turnOn, a.Args(code.Args(data.Args{"secret": secret, "at": s.Source.Now()})))
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.AppTurnedOn, "")
	w.Do(firstCodes, a.Args(code.Args(data.Args{"secret": secret, "hashes": hashes})))
	stored, err := s.stored(ctx, w, a)
	switch {
	case err != nil:
		return err
	case !*mine && stored == secret:
		return errOnNow
	case !*mine:
		return &data.Error{Code: data.Conflict, Field: "code", Message: ErrUsedBefore.Message}
	case stored != secret:
		return errOn
	}
	return nil
}

// RenewCodes replaces the actor's recovery codes. Conflict (there is no second step), Unauthenticated.
func (s *Store) RenewCodes(ctx context.Context, a data.Actor, hashes []string) error {
	w := s.DB.Write()
	w.Do(dropCodes, a.Args(nil))
	w.Do(addCodes, a.Args(data.Args{"hashes": hashes}))
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.CodesRenewed, "")
	stored, err := s.stored(ctx, w, a)
	if err != nil {
		return err
	}
	if stored == "" {
		return errOff
	}
	return nil
}

// stored runs a transaction, and returns the secret that is stored afterwards.
func (s *Store) stored(ctx context.Context, w *data.Write, a data.Actor) (secret string, err error) {
	live := false
	w.Find(ownSecret, a.Args(nil), func(row *data.Row) { secret, live = row.Text(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return "", err
	}
	if !live {
		return "", data.ErrSessionEnded
	}
	return secret, nil
}

// FindOwnSecret is FindSecret for the actor. Unauthenticated when the session has ended.
func (s *Store) FindOwnSecret(ctx context.Context, a data.Actor) (secret string, err error) {
	live := false
	r := s.DB.Read()
	r.Find(ownSecret, a.Args(nil), func(row *data.Row) { secret, live = row.Text(), row.Bool() })
	if err := r.Run(ctx); err != nil {
		return "", err
	}
	if !live {
		return "", data.ErrSessionEnded
	}
	return secret, nil
}

const (
	turnOff  = `DELETE FROM totp WHERE user_id = :actor AND ` + data.LiveSession
	endCodes = `DELETE FROM recovery_codes WHERE user_id = :actor AND ` + data.LiveSession
	liveNow  = `SELECT ` + data.LiveSession
)

// TurnOff removes the actor's second step. A repetition changes nothing. Unauthenticated.
func (s *Store) TurnOff(ctx context.Context, a data.Actor) error {
	w := s.DB.Write()
	w.Do(turnOff, a.Args(nil))
	sessions.EnqueueMethodChanged(w, s.Source, a.UserID, sessions.AppTurnedOff, "")
	w.Do(endCodes, a.Args(nil))
	var live bool
	w.Find(liveNow, a.Args(nil), func(row *data.Row) { live = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	return nil
}

// UseCode records that a member used the code of an app. Unauthenticated when it was used before.
func (s *Store) UseCode(ctx context.Context, code onetime.Token) error {
	w := s.DB.Write()
	mine := code.Use(w)
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !*mine {
		return ErrUsedBefore
	}
	return nil
}

const useCode = `DELETE FROM recovery_codes WHERE user_id = :user AND hash = :hash`

// UseRecoveryCode uses up a recovery code of a member, by its hash. ok is false if it is unknown, or was used before. If hrana sends the
// transaction again, the token belongs to this request already, and ok is true again.
func (s *Store) UseRecoveryCode(ctx context.Context, member data.ID, hash string, code onetime.Token) (ok bool, err error) {
	w := s.DB.Write()
	w.Do(useCode, data.Args{"user": member, "hash": hash})
	mine := code.UseIfChanged(w)
	err = w.Run(ctx)
	return err == nil && *mine, err
}
