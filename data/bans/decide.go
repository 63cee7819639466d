package bans

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/modlog"
	"plaza/data/outbox"
)

// DaysMax is how long a ban that ends lasts at most.
const DaysMax = 3650

// Lift ends a ban or a mute.
const Lift modlog.Action = "lift"

// Decision is what is decided about a member of a community.
type Decision struct {
	Community string
	Name      string        // of the member
	Action    modlog.Action // modlog.Ban, modlog.Mute or Lift
	Rule      string        // title of one of the community's rules or of communities.GeneralRules; none where it is lifted
	Note      string        // a message to the member; "" is none
	Days      int           // how long; 0 is for good
	Clear     int           // removes what they have written there in so many days, one of ClearDays; 0 removes nothing
	Only      data.ID       // lifts only what this entry of the log has decided; 0 is any
}

// ClearDays are the times for which what a member has written can be removed together with a ban or a mute.
var ClearDays = []int{1, 7, 30}

// Validate checks the fields, but for whether the community has such a rule. Invalid.
func (d *Decision) Validate() error {
	d.Name, d.Rule, d.Note = strings.TrimPrefix(strings.TrimSpace(d.Name), "u/"), strings.TrimSpace(d.Rule), strings.TrimSpace(d.Note)
	if d.Action == Lift {
		d.Rule, d.Note, d.Days, d.Clear = "", "", 0, 0
	}
	return data.AllMistakes(
		data.MistakeIf(!slices.Contains([]modlog.Action{modlog.Ban, modlog.Mute, Lift}, d.Action), "decision", "A decision is ban, mute or lift."),
		data.MistakeIf(d.Name == "", "user", "Please type the name of a member."),
		data.MistakeIf(d.Action != Lift && d.Rule == "", "rule", "Please choose the rule that they have broken."),
		data.MistakeIf(d.Days < 0 || d.Days > DaysMax, "days", "A ban that ends lasts between 1 and 3,650 days."),
		data.MistakeIf(d.Clear != 0 && !slices.Contains(ClearDays, d.Clear), "clear", "What they wrote can be removed for the last 1, 7 or 30 days."),
		data.MistakeIf(utf8.RuneCountInString(d.Note) > modlog.NoteMax, "text", "A message to the member has at most 1,000 characters."))
}

const (
	// Primary keys, unique index on username_key.
	memberToBan = `SELECT u.id, u.username, u.admin OR EXISTS (SELECT 1 FROM moderators m WHERE m.user_id = u.id
  AND m.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)) FROM users u WHERE u.id = ` + data.MemberNamed

	here = `ban.user_id = :user AND ban.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)`

	// When an entry is added: the decision changes something, and nothing that was decided later. Primary keys.
	changesBan = communities.ByModerator + ` AND ` + communities.RuleKnown + ` AND EXISTS (SELECT 1 FROM communities k WHERE k.name_key = :community AND k.name_key NOT GLOB 'u-*')
  AND NOT EXISTS (SELECT 1 FROM bans ban LEFT JOIN moderation_log l ON l.id = ban.id WHERE ` + here + ` AND (ban.id > :log_id OR ` + now + `
    AND ban.kind = :kind AND ban.until = :until AND l.rule IS :rule AND l.note IS :log_note
    AND (:clear IS NULL OR l.clear_from <= :clear)))`
	liftsBan = communities.ByModerator + ` AND EXISTS (SELECT 1 FROM bans ban WHERE ` + here + ` AND ban.kind = :kind AND ban.id < :log_id AND :only IN (0, ban.id) AND ` + now + `)`

	// Only if its entry is in the log and was not undone, and never over a later decision: a transaction that is sent again changes nothing.
	// Primary keys.
	setBan = `INSERT INTO bans (community_id, user_id, kind, username, until, id)
SELECT l.community_id, :user, :kind, coalesce((SELECT n.name FROM names n WHERE n.user_id = :user), :username), :until, l.id FROM moderation_log l WHERE l.id = :entry AND l.undone_by IS NULL
ON CONFLICT (community_id, user_id) DO UPDATE SET kind = excluded.kind, username = excluded.username, until = excluded.until, id = excluded.id WHERE id < excluded.id`
	endBan = `DELETE FROM bans WHERE user_id = :user AND community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND id < :entry
  AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.id = :entry)`

	// The ban that there is in the end, and whether this transaction has decided. Primary keys.
	outcome = `SELECT k.name, ` + communities.RuleKnown + `, EXISTS (SELECT 1 FROM moderation_log x WHERE x.id IN (:entry, :other)), (SELECT ` + lineBan + `
  FROM bans ban LEFT JOIN moderation_log l ON l.id = ban.id WHERE ` + now + ` AND ban.user_id = :user AND ban.community_id = k.id)
FROM communities k WHERE k.name_key = :community`
)

// Decided is what became of it.
type Decided struct {
	Ban
	Community string // its name
	User      data.ID
	Name      string
	Entries   []data.ID // in the log; those of them that there are
}

var errNobody = &data.Error{Code: data.NotFound, Field: "user", Message: "There is nobody of that name here."}

// Decide bans or mutes a member, or lifts that. A ban takes the place of the one there was. Deciding the same again changes nothing.
// What they have written is removed by the consumer of outbox.WorkClear, whose message the caller sends for the first of Decided.Entries.
// Invalid (also for a moderator of the community or an administrator, who can't be banned), NotFound, Unauthenticated, Forbidden
// (neither a moderator of the community nor an administrator), Conflict (nothing to lift).
func (s *Store) Decide(ctx context.Context, a data.Actor, d Decision) (*Decided, error) {
	mistake := d.Validate()
	home, err := s.DB.Home(ctx, d.Community)
	missing := errors.Is(err, data.ErrNoCommunity) || data.IsProfile(d.Community) // who may decide is asked first all the same
	if err != nil && !missing {
		return nil, err
	}
	key := strings.ToLower(d.Community)
	done := &Decided{}
	insider := false
	w := s.DB.Write(data.Directory)
	moderator := communities.CheckModerator(w, a, d.Community, false)
	w.Find(memberToBan, data.Args{"name": strings.ToLower(d.Name), "community": key}, func(row *data.Row) {
		done.User, done.Name, insider = row.ID(), row.Text(), row.Bool()
	})
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	switch {
	case moderator.Err() != nil:
		return nil, moderator.Err()
	case missing:
		return nil, data.ErrNoCommunity
	case mistake != nil:
		return nil, mistake
	case done.User == 0:
		return nil, errNobody
	case insider && d.Action != Lift:
		return nil, data.Mistake("user", "Moderators of the community and administrators can't be banned from it.")
	}
	allowed := !s.DB.Same(data.Directory, home) // that shard does not know who moderates: the directory was asked
	until := stored(time.Time{})
	if d.Days > 0 { // to the minute, so that a form that is sent twice says the same
		until = s.Source.Now().Truncate(time.Minute).Add(time.Duration(d.Days) * 24 * time.Hour).UnixMilli()
	}
	var clearFrom time.Time
	if d.Clear > 0 {
		clearFrom = s.Source.Now().Truncate(time.Minute).Add(-time.Duration(d.Clear) * 24 * time.Hour)
	}
	w = s.DB.Write(home)
	entry, other := s.Source.NewID(home.Shard(), data.KindOther), s.Source.NewID(home.Shard(), data.KindOther)
	e := modlog.Entry{ID: entry, Community: d.Community, Action: d.Action, Target: done.User, Author: done.User, Rule: d.Rule, Note: d.Note, Until: endOf(until), ClearFrom: clearFrom}
	guard := func(kind modlog.Action) data.Args {
		return data.Args{"community": key, "allowed": allowed, "user": done.User, "kind": string(kind), "now": s.Source.DatabaseNow()}
	}
	if d.Action == Lift {
		for _, l := range []struct {
			id     data.ID
			action modlog.Action
			of     modlog.Action
		}{{entry, modlog.Unban, modlog.Ban}, {other, modlog.Unmute, modlog.Mute}} {
			e.ID, e.Action, e.Until = l.id, l.action, time.Time{}
			args := guard(l.of)
			args["only"] = d.Only
			modlog.Add(w, a, e, liftsBan, args)
			w.Do(endBan, data.Args{"user": done.User, "community": key, "entry": l.id})
		}
	} else {
		args := guard(d.Action)
		args["clear"] = clearFrom
		args["until"], args["rule"], args["general"] = until, d.Rule, slices.Contains(communities.GeneralRules, d.Rule)
		modlog.Add(w, a, e, changesBan, args)
		w.Do(setBan, data.Args{"user": done.User, "username": done.Name, "kind": string(d.Action), "until": until, "entry": entry})
		outbox.LeaveClear(w, s.Source, entry)
	}
	may := communities.CheckModerator(w, a, d.Community, allowed)
	known, mine := false, false
	w.Find(outcome, data.Args{"community": key, "rule": d.Rule, "general": slices.Contains(communities.GeneralRules, d.Rule), "entry": entry, "other": other, "user": done.User,
		"now": s.Source.DatabaseNow()}, func(row *data.Row) {
		done.Community, known, mine = row.Text(), row.Bool(), row.Bool()
		done.Ban.Scan(row)
	})
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	done.Entries = []data.ID{entry, other}
	switch {
	case may.Err() != nil:
		return nil, may.Err()
	case done.Community == "":
		return nil, data.ErrNoCommunity
	case !known:
		return nil, data.Mistake("rule", "This community has no such rule any more. Please choose another one.")
	case mine:
		return done, nil
	case d.Action == Lift && done.Kind == "":
		return nil, &data.Error{Code: data.Conflict, Message: "They are neither banned nor muted."}
	case d.Action != Lift && done.Kind == d.Action && done.Rule == d.Rule && done.Note == d.Note && stored(done.Until) == until:
		return done, nil // decided before
	}
	return nil, &data.Error{Code: data.Conflict, Message: "Somebody else has just decided about them. Please look at it again."}
}
