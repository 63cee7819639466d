package suspensions

import (
	"context"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/accounts/sessions"
	"plaza/data/events/modlog"
)

// Sanction is an administrator's decision about a member of the site.
type Sanction struct {
	Name       string // of the member
	modlog.Act        // modlog.Suspend, modlog.BanSite or modlog.Restore
}

// Validate checks the fields. rules are the rules that can be cited. Invalid.
func (j *Sanction) Validate(rules []string) error {
	j.Name = strings.TrimPrefix(strings.TrimSpace(j.Name), "u/")
	terms := modlog.Terms{Actions: []modlog.Action{modlog.Suspend, modlog.BanSite, modlog.Restore},
		ActionError: "A decision is suspend, ban-site or restore.", TooLong: "A message to the member has at most 1,000 characters.", Days: "A " +
			"suspension that ends lasts between 1 and 3,650 days.",
		Rule: "Please choose the rule that they have broken.", Rules: append([]string{}, rules...)}
	switch j.Action {
	case modlog.Restore:
		j.Act, terms.Rule = modlog.Act{Action: modlog.Restore}, ""
	case modlog.BanSite:
		j.Days = 0
	}
	return data.AllMistakes(data.MistakeIf(j.Name == "", "user", "Please type the name of a member."), j.Check(terms))
}

const (
	memberToSanction = `SELECT u.id, u.username, u.status, u.admin, coalesce(u.suspension, 0) FROM users u WHERE u.id = ` + data.MemberNamed
	// sanctions and restores are the conditions of an entry in the log: the decision changes something.
	sanctions = data.ByAdmin + ` AND EXISTS (SELECT 1 FROM users o LEFT JOIN moderation_log l ON l.id = o.suspension WHERE o.id = :user
  AND o.admin = 0
  AND NOT (o.status = :status AND (o.suspended_until IS :until OR coalesce(abs(o.suspended_until - :until) < :near, 0)) AND l.rule IS :rule
  AND l.note IS :log_note))`
	restores = `(:decided OR ` + data.ByAdmin + `) AND EXISTS (SELECT 1 FROM users o WHERE o.id = :user AND o.status <> 'active'
  AND o.username <> '' AND coalesce(o.suspension, 0) = :suspension)`
	// Only if the entry was written, and not over a later decision.
	restoreByEntry = restoreUser + ` AND coalesce(suspension, 0) = :suspension AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.id = :entry)`
	restoredNow    = `SELECT u.status = 'active' FROM users u WHERE u.id = :user`
	// Only if the entry was written, so that a transaction that is sent again does not undo a restore.
	sanction = `UPDATE users SET status = :status, suspended_until = :until, suspension = :entry WHERE id = :user
  AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.id = :entry AND l.undone_by IS NULL)`
	revokeSessions = `INSERT INTO revocations (subject, before, expires_at) SELECT u.id, coalesce(u.suspended_until, :forever),
  coalesce(u.suspended_until + :life, :expires)
FROM users u WHERE u.id = :user AND u.suspension = :entry AND u.status <> 'active' ON CONFLICT (subject)
  DO UPDATE SET before = excluded.before, expires_at = max(expires_at, excluded.expires_at)`
	// The current state: the suspension, and its row of revocations.
	sanctioned = `SELECT u.status, u.suspended_until, u.suspension = :entry FROM users u WHERE u.id = :user`
)

var errDecidedSince = &data.Error{Code: data.Conflict, Message: "Somebody else has just decided about them. Please look at it again."}

// Decide suspends a member of the site, bans them permanently, or restores them. A suspended or banned member can't log in, and every
// database refuses writes of their sessions. A suspension expires by itself. It may be repeated. The retry job updates a database that is
// down (CopyRevocations). rules are the reasons to choose from. Invalid (also for an administrator), NotFound, Unauthenticated, Forbidden
// (not an administrator), Conflict (neither suspended nor banned), Unavailable.
//
// The directory is written first, as in Suspend.
func (s *Store) Decide(ctx context.Context, a data.Actor, j Sanction, rules []string) (*modlog.Outcome, error) {
	mistake := j.Validate(rules)
	done := &modlog.Outcome{Entries: []data.ID{s.Source.NewID(0, data.KindOther)}}
	status, isAdmin, suspension := "", false, data.ID(0)
	w := s.DB.Write()
	may := data.CheckAdmin(w, a)
	w.Find(memberToSanction, data.Args{"name": strings.ToLower(j.Name)}, func(row *data.Row) {
		done.Target, done.Name, status, isAdmin, suspension = row.ID(), row.Text(), row.Text(), row.Bool(), row.ID()
	})
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	switch {
	case may.Err() != nil:
		return nil, may.Err()
	case mistake != nil:
		return nil, mistake
	case done.Target == 0 || done.Name == "": // unknown or deleted
		return nil, &data.Error{Code: data.NotFound, Field: "user", Message: accounts.ErrNoMember.Message}
	case j.Action == modlog.Restore && status == "active":
		return nil, &data.Error{Code: data.Conflict, Message: "They are neither suspended nor banned."}
	case j.Action == modlog.Restore:
		return done, s.restore(ctx, a, done, suspension, nil)
	case isAdmin:
		return nil, data.Mistake("user", "Administrators can't be suspended. plaza admin NAME --revoke makes one a plain member.")
	}
	v := s.verdict(j)
	done.Until = v.until
	w = s.DB.Write()
	s.gather(w, a, v, done.Target, done.Entries[0])
	revoked := sessions.EnqueueRevocations(w, s.DB, s.Source, done.Target)
	var now string
	var until time.Time
	mine := false
	w.Find(sanctioned, data.Args{"user": done.Target, "entry": done.Entries[0]},
		func(row *data.Row) { now, until, mine = row.Text(), row.Time(), row.Bool() })
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if !mine && (now != v.status || !modlog.SameEnd(until, v.until)) {
		return nil, errDecidedSince
	}
	if !mine {
		done.Entries = nil
	}
	revoked.CopyNow(ctx)
	return done, nil
}

// verdict is a Sanction with its consequences, for one or many members.
type verdict struct {
	action modlog.Action
	rule   string
	note   string
	status string    // of the member, from then on
	until  time.Time // when a suspension ends; the zero time is never
}

// verdict computes the consequences of a Sanction.
func (s *Store) verdict(j Sanction) verdict {
	v := verdict{action: j.Action, rule: j.Rule, note: j.Note, status: "suspended"}
	switch j.Action {
	case modlog.Restore:
		v.status = "active"
	case modlog.BanSite:
		v.status = "banned"
	}
	if j.Days > 0 { // to the minute, as it is shown
		v.until = s.Source.Now().Truncate(time.Minute).Add(time.Duration(j.Days) * 24 * time.Hour)
	}
	return v
}

// gather adds the statements that suspend or ban a member in the directory, with an entry in the log.
func (s *Store) gather(w *data.Write, a data.Actor, v verdict, user, entry data.ID) {
	modlog.Add(w, a, modlog.NewEntry{ID: entry, Action: v.action, Target: user, Author: user, Rule: v.rule, Note: v.note, Until: v.until},
		sanctions,
		data.Args{"user": user, "status": v.status, "until": v.until, "near": modlog.Near, "rule": v.rule})
	w.Do(sanction, data.Args{"user": user, "status": v.status, "until": v.until, "entry": entry})
	w.Do(revokeSessions, data.Args{"user": user, "entry": entry, "forever": forever, "expires": s.Source.Now().Add(suspensionLife),
		"life": suspensionLife})
}

// gatherRestore adds the statements that restore a member in the directory, if their suspension is of an earlier entry (0 is none), with
// an entry in the log. end are the arguments of restoreHere.
func (s *Store) gatherRestore(w *data.Write, a data.Actor, user, entry, suspension data.ID, end data.Args) {
	modlog.Add(w, a, modlog.NewEntry{ID: entry, Action: modlog.Restore, Target: user, Author: user}, restores,
		data.Args{"user": user, "suspension": suspension, "decided": a.Decided})
	w.Do(restoreByEntry, data.Args{"id": user, "suspension": suspension, "entry": entry})
	w.Do(restoreHere, end)
}

// restore is Restore by an administrator, whose entry in the log is the first of done. suspension is the entry that suspended the member; 0
// is none. more adds statements that depend on the new entry; nil is none. Conflict (another administrator has decided meanwhile).
func (s *Store) restore(ctx context.Context, a data.Actor, done *modlog.Outcome, suspension data.ID, more func(w *data.Write)) error {
	w := s.DB.Write()
	s.gatherRestore(w, a, done.Target, done.Entries[0], suspension, s.restoreArgs(done.Target))
	revoked := sessions.EnqueueRevocations(w, s.DB, s.Source, done.Target)
	if more != nil {
		more(w)
	}
	may, active := data.CheckAdmin(w, a), false
	w.Find(restoredNow, data.Args{"user": done.Target}, func(row *data.Row) { active = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case may.Err() != nil:
		return may.Err()
	case !active:
		return errDecidedSince
	}
	revoked.CopyNow(ctx)
	return nil
}

const (
	suspendedBy = `SELECT u.status, coalesce(u.suspension, 0) FROM users u WHERE u.id = :user`
	// A newcomer who was banned while they waited waits again.
	acceptHere = `UPDATE users SET waiting = NULL WHERE id = :user AND waiting IS NOT NULL AND EXISTS (SELECT 1 FROM moderation_log l
  WHERE l.id = :entry) AND EXISTS (SELECT 1 FROM moderation_log d WHERE d.id = :decision AND d.action = 'refuse')`
)

// TakeBack reverts the decision of a log's entry: it restores a member who was suspended or banned, and approves a newcomer who was
// refused. For a member who can log in it does nothing. It may be repeated like Decide. Forbidden (not an administrator),
// Unauthenticated, Conflict (there is a later decision about them), Unavailable.
func (s *Store) TakeBack(ctx context.Context, a data.Actor, member, decision data.ID) error {
	status, last := "", data.ID(0)
	w := s.DB.Write()
	may := data.CheckAdmin(w, a)
	w.Find(suspendedBy, data.Args{"user": member}, func(row *data.Row) { status, last = row.Text(), row.ID() })
	err := w.Run(ctx)
	switch {
	case err != nil:
		return err
	case may.Err() != nil:
		return may.Err()
	case status == "active":
		return nil
	case last != decision:
		return errDecidedSince
	}
	done := &modlog.Outcome{Target: member, Entries: []data.ID{s.Source.NewID(0, data.KindOther)}}
	return s.restore(ctx, a, done, decision, func(w *data.Write) {
		w.Do(acceptHere, data.Args{"user": member, "entry": done.Entries[0], "decision": decision})
	})
}

// Index users_suspended.
const endSuspensions = `UPDATE users SET status = 'active', suspended_until = NULL WHERE suspended_until <= ` + data.DatabaseNow +
	` AND suspended_until IS NOT NULL AND status = 'suspended' AND username <> ''`

// EndSuspensions ends the expired suspensions, so that these members can log in again. Their earlier sessions stay revoked. Unavailable.
func (s *Store) EndSuspensions(ctx context.Context) error {
	w := s.DB.Write()
	w.Do(endSuspensions, data.Args{"now": s.Source.DatabaseNow()})
	return w.Run(ctx)
}
