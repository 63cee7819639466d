package accounts

import (
	"context"
	"time"

	"plaza/data"
	"plaza/locale"
)

// ageMax is the highest age, in years, that a year of birth may imply.
const ageMax = 120

// CheckBirthYear returns Invalid for a year in which no member can be born.
func CheckBirthYear(year int64, now time.Time) error {
	thisYear := int64(now.UTC().Year())
	return data.MistakeIf(year < thisYear-ageMax || year > thisYear, "born", "Please type the year in which you were born, such as 1990.")
}

const (
	// Primary key. A year of birth that is stored is never replaced.
	agree = `UPDATE users SET terms = max(terms, :terms), terms_at = iif(:terms > terms, ` + data.DatabaseNow + `, terms_at),
  birth_year = coalesce(birth_year, nullif(:born, 0)) WHERE id = :actor AND ` + data.LiveSession
	agreed = `SELECT u.terms, coalesce(u.birth_year, 0) FROM users u WHERE u.id = :member`
)

// Agree stores the version of the terms that the actor has accepted, and the actor's year of birth. A 0 keeps the stored value. It returns
// what is stored now. Unauthenticated, Unavailable.
func (s *Store) Agree(ctx context.Context, a data.Actor, to data.Consent) (now data.Consent, err error) {
	w := s.DB.Write()
	w.Do(agree, a.Args(data.Args{"terms": to.Terms, "born": to.Born, "now": s.Source.DatabaseNow()}))
	w.Find(agreed, data.Args{"member": a.UserID}, func(row *data.Row) { now = data.Consent{Terms: row.Int(), Born: row.Int()} })
	return now, w.RunAs(ctx, a)
}

// FindAgreed reads the year of birth that a member has stated and the terms they have accepted.
func (s *Store) FindAgreed(ctx context.Context, member data.ID) (found data.Consent, err error) {
	r := s.DB.Read()
	r.Find(agreed, data.Args{"member": member}, func(row *data.Row) { found = data.Consent{Terms: row.Int(), Born: row.Int()} })
	return found, r.Run(ctx)
}

// MinAge is the minimum age of members, in years. 0 admits everyone.
type MinAge int

// Admits reports whether a person born in a year is old enough. The day is not known, so a birthday counts only from the following
// 1 January on.
func (m MinAge) Admits(born int64, now time.Time) bool {
	return m == 0 || int64(now.UTC().Year())-born > int64(m)
}

// TooYoung returns the text for a person below the minimum age.
func (m MinAge) TooYoung() locale.Text {
	return locale.With("Members of this site are at least {} years old, so you can't sign up yet. You can read without an account.", int(m))
}
