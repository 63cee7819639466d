package sessions

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/locale"
	"plaza/locale/kept"
)

// Suspension is why a member can't log in.
type Suspension struct {
	Member   data.ID
	Name     string
	Status   string    // suspended or banned; active for a member who can log in
	Refused  bool      // administrators have refused the newcomer
	Until    time.Time // when it ends; the zero time is never
	Rule     string    // the reason; "" if none was given
	Note     string    // of the administrators to the member
	Decision data.ID   // entry of the log; 0 is none
}

// Error returns the text for the server's log about a member who can't log in.
func (s *Suspension) Error() string { return "the member is " + s.Status }

// Text returns a sentence for the member: why they can't log in, and until when.
func (s *Suspension) Text() locale.Text {
	says := suspensionWords[s.Status]
	if s.Refused {
		says = suspensionWords["refused"]
	}
	sentence := says.forGood
	if !s.Until.IsZero() {
		until := s.Until.UTC()
		sentence = locale.With(says.until, locale.Day(until), until.Format("15:04"))
	}
	if s.Rule != "" {
		sentence = locale.With("{} Rule: {}.", sentence, kept.Text(strings.TrimRight(s.Rule, ".")))
	}
	if s.Note != "" {
		sentence = locale.With("{} The administrators say: {}", sentence, s.Note)
	}
	return sentence
}

// suspensionWords are the sentences for each status: one without an end, and one until a day and a time of day.
var suspensionWords = map[string]struct{ forGood, until locale.Text }{
	"suspended": {"This account is suspended.", "This account is suspended until {}, {} UTC."},
	"banned":    {"This account is banned.", "This account is banned until {}, {} UTC."},
	"refused":   {"Your sign-up was refused.", "Your sign-up was refused until {}, {} UTC."},
	"active":    {"This account is active.", "This account is active until {}, {} UTC."}, // it was restored just now
}

// Newcomers who were refused before the log had entries for that have no entry.
const suspensionOf = `SELECT u.username, u.status, u.status = 'banned' AND u.waiting IS NOT NULL
  AND coalesce(l.action, 'refuse') = 'refuse', u.suspended_until, l.rule, l.note, l.id
FROM users u LEFT JOIN moderation_log l ON l.id = u.suspension WHERE u.id = :id`

// FindSuspension reads along with a page why a member can't log in.
func (s *Store) FindSuspension(r *data.Read, member data.ID) *Suspension {
	return findSuspension(r, member)
}

func findSuspension(r *data.Read, member data.ID) *Suspension {
	f := &Suspension{Member: member}
	r.Find(suspensionOf, data.Args{"id": member}, func(row *data.Row) {
		f.Name, f.Status, f.Refused, f.Until, f.Rule, f.Note, f.Decision = row.Text(), row.Text(), row.Bool(), row.Time(), row.Text(), row.Text(),
			row.ID()
	})
	return f
}

// errSuspended is the error for an authenticated member who is suspended, with the reason. Its cause is the *Suspension.
func errSuspended(ctx context.Context, db *data.DB, member data.ID) error {
	r := db.Read()
	found := findSuspension(r, member)
	if err := r.Run(ctx); err != nil {
		return err
	}
	if found.Name == "" {
		return &data.Error{Code: data.Forbidden, Message: "This account is deleted."}
	}
	return &data.Error{Code: data.Forbidden, Message: found.Text(), Err: found}
}
