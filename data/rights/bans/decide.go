package bans

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/rights/roles"
)

// youngAge is how long a community is young. It may then decide at most 20 times a day about members who never wrote there.
const youngAge = 30 * 24 * time.Hour

// Lift ends a ban or a mute.
const Lift modlog.Action = "lift"

// Decision is a decision about a member of a community.
type Decision struct {
	Community  string
	Name       string  // of the member
	modlog.Act         // modlog.Ban, modlog.Mute or Lift; by one of the community's rules or of modlog.GeneralRules
	Clear      int     // removes their posts and comments there of so many last days, one of ClearDays; 0 removes nothing
	Only       data.ID // lifts only the decision of this entry of the log; 0 is any
}

// ClearDays are the periods for which a ban or a mute can remove a member's posts and comments.
var ClearDays = []int{1, 7, 30}

// Validate checks the fields, except whether the community has such a rule. Invalid.
func (d *Decision) Validate() error {
	d.Name = strings.TrimPrefix(strings.TrimSpace(d.Name), "u/")
	terms := modlog.Terms{Actions: []modlog.Action{modlog.Ban, modlog.Mute, Lift}, ActionError: "A decision is ban, mute or lift.",
		TooLong: "A message to the member has at most 1,000 characters.", Days: "A ban that ends lasts between 1 and 3,650 days.",
		Rule: "Please choose the rule that they have broken."}
	if d.Action == Lift {
		d.Act, d.Clear, terms.Rule = modlog.Act{Action: Lift}, 0, ""
	}
	return data.AllMistakes(
		data.MistakeIf(d.Name == "", "user", "Please type the name of a member."),
		d.Check(terms),
		data.MistakeIf(d.Clear != 0 && !slices.Contains(ClearDays, d.Clear), "clear",
			"What they wrote can be removed for the last 1, 7 or 30 days."))
}

var (
	// The members to decide about. Primary keys, and unique index on username_key.
	memberColumns = `SELECT u.id, u.username, u.admin OR EXISTS (SELECT 1 FROM moderators m WHERE m.user_id = u.id
  AND m.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)) FROM `
	memberToBan  = memberColumns + `users u WHERE u.id = ` + data.MemberNamed
	membersToBan = memberColumns + `json_each(:members) j CROSS JOIN users u ON u.id = j.value WHERE u.username <> ''`

	// :list has an array for each member: the id, the ids of two entries of the log, and the name.
	member = `j.value ->> 0`
	entry  = `j.value ->> {entry}`
	here   = `ban.user_id = ` + member + ` AND ban.community_id = k.id`

	// The decision changes something, and there is no later decision.
	changesBan = modlog.RuleKnown + ` AND k.kind = 'community' AND NOT EXISTS (SELECT 1 FROM bans ban
  LEFT JOIN moderation_log l ON l.id = ban.id
  WHERE ` + here + ` AND (ban.id > ` + entry + ` OR ` + notEnded + ` AND ban.kind = :action AND abs(ban.until - :until) < :near
  AND l.rule IS :rule AND l.note IS :note AND (:clear IS NULL OR l.clear_from < :clear + :near)))`
	liftsBan = `EXISTS (SELECT 1 FROM bans ban WHERE ` + here + ` AND ban.kind = :kind AND ban.id < ` + entry +
		` AND :only IN (0, ban.id) AND ` + notEnded + `)`

	// overLimit is the condition that community k is young, and has made all decisions about members that it may make in a day. Index
	// moderation_log_community, the entries of a day.
	overLimit = `(k.created_at > :young AND (SELECT count(*) FROM (SELECT 1 FROM moderation_log y WHERE y.community_id = k.id AND y.id > :day
  AND y.action IN ('ban', 'unban', 'mute', 'unmute') LIMIT 20)) >= 20)`
	isOverLimit = `SELECT ` + overLimit + ` FROM communities k WHERE k.name_key = :community`
	// A verdict about an appeal (:only) is applied in any case.
	logFrom = `FROM json_each(:list) j CROSS JOIN communities k ON k.name_key = :community
  WHERE ` + roles.ByModerator +
		` AND ` + data.LiveSession + ` AND (:only <> 0 OR NOT ` + overLimit +
		` OR EXISTS (SELECT 1 FROM reputations t WHERE t.community_id = k.id AND t.user_id = ` + member + `)) AND `

	// Only if its entry is in the log and was not undone, and never over a later decision: a transaction that is sent again changes nothing.
	setBans = `INSERT INTO bans (community_id, user_id, kind, username, until, id)
SELECT l.community_id, l.target_id, :kind, coalesce((SELECT n.name FROM names n WHERE n.user_id = l.target_id), j.value ->> 3), :until, l.id
FROM json_each(:list) j CROSS JOIN moderation_log l ON l.id = j.value ->> 1 WHERE l.undone_by IS NULL
ON CONFLICT (community_id, user_id) DO UPDATE SET kind = excluded.kind, username = excluded.username, until = excluded.until,
  id = excluded.id WHERE id < excluded.id`
	endBans = `DELETE FROM bans WHERE id IN (SELECT ban.id FROM json_each(:entries) j CROSS JOIN moderation_log l ON l.id = j.value
  CROSS JOIN bans ban ON ban.user_id = l.target_id AND ban.community_id = l.community_id WHERE ban.id < l.id)`

	// The resulting ban, and which entries this transaction has made.
	outcome = `SELECT ` + member + `, k.name, ` + modlog.RuleKnown +
		`, EXISTS (SELECT 1 FROM moderation_log x WHERE x.id = j.value ->> 1),
  EXISTS (SELECT 1 FROM moderation_log x WHERE x.id = j.value ->> 2), (SELECT json_array(` + banColumns + `)
  FROM bans ban LEFT JOIN moderation_log l ON l.id = ban.id WHERE ` + notEnded + ` AND ` + here + `)
FROM json_each(:list) j CROSS JOIN communities k ON k.name_key = :community`
)

// The statements that add entries to the log.
var (
	logBans    = logEntries("1", modlog.Values{Rule: ":rule", Note: ":note", Until: ":ends", ClearFrom: ":clear"}, changesBan)
	logUnbans  = logEntries("1", modlog.Values{}, liftsBan)
	logUnmutes = logEntries("2", modlog.Values{}, liftsBan)
)

// logEntries returns the statement that adds the entries whose ids are at a place of :list.
func logEntries(place string, v modlog.Values, changes string) string {
	v.ID, v.Community, v.Action, v.Target, v.Author = entry, "k.id", ":action", member, member
	return strings.ReplaceAll(modlog.Insert(v, logFrom+changes), "{entry}", place)
}

// decided is the result for one member.
type decided struct {
	modlog.Outcome
	ban  Ban  // the resulting one
	mine bool // this transaction has decided
}

var errNoMember = &data.Error{Code: data.NotFound, Field: "user", Message: "There is no member of that name."}

// Decide bans or mutes a member, or lifts the ban or mute. A new ban replaces an earlier one. A repetition changes nothing. The consumer
// of outbox.JobClear removes the member's posts and comments. Invalid (also for a moderator of the community or an administrator, who
// can't be banned), NotFound, Unauthenticated, Forbidden (neither a moderator of the community nor an administrator), Conflict (nothing
// to lift), RateLimited (a young community, about strangers).
func (s *Store) Decide(ctx context.Context, a data.Actor, d Decision) (*modlog.Outcome, error) {
	mistake := d.Validate()
	c, err := s.decide(ctx, a, d, mistake, func(w *data.Write, key string, scan func(*data.Row)) {
		w.Find(memberToBan, data.Args{"name": strings.ToLower(d.Name), "community": key}, scan)
	})
	switch {
	case err != nil:
		return nil, err
	case len(c.all) == 0 && len(c.insiders) > 0:
		return nil, data.Mistake("user", "Moderators of the community and administrators can't be banned from it.")
	case len(c.all) == 0:
		return nil, errNoMember
	}
	done := c.all[0]
	switch {
	case c.holds(done):
		return &done.Outcome, nil
	case d.Action == Lift && done.ban.Kind == "":
		return nil, errNeither
	case c.limited:
		return nil, &data.Error{Code: data.RateLimited, Message: "A community that is younger than 30 days can decide 20 times a day about " +
			"members who never wrote there. Please wait until tomorrow."}
	}
	return nil, &data.Error{Code: data.Conflict, Message: "Somebody else has just decided about them. Please look at it again."}
}

// result is the result of a decision.
type result struct {
	Decision
	until    int64
	all      []*decided
	insiders []string // names of members who can't be banned
	limited  bool     // the community is young and has decided about as many strangers as it may in a day
}

// holds reports whether the member's state is the decided one, by this transaction or an earlier one.
func (c *result) holds(done *decided) bool {
	return done.mine || c.Action != Lift && done.ban.Kind == c.Action && done.ban.Rule == c.Rule && done.ban.Note == c.Note &&
		modlog.SameEnd(done.ban.Until, endOf(c.until))
}

// decide decides about the members whom find reads. One request reads the directory: the actor's right and the members. Another request
// decides about all.
func (s *Store) decide(ctx context.Context, a data.Actor, d Decision, mistake error,
	find func(w *data.Write, key string, scan func(*data.Row))) (*result, error) {
	if data.IsProfile(d.Community) {
		mistake = data.ErrNoCommunity
	}
	key := strings.ToLower(d.Community)
	c := &result{Decision: d, until: stored(time.Time{})}
	authority, err := roles.Authorize(ctx, s.DB, a, d.Community, roles.Moderator, mistake, func(w *data.Write) {
		find(w, key, func(row *data.Row) {
			done := &decided{Outcome: modlog.Outcome{Target: row.ID(), Name: row.Text()}}
			if row.Bool() && d.Action != Lift {
				c.insiders = append(c.insiders, done.Name)
				return
			}
			c.all = append(c.all, done)
		})
	})
	if err != nil {
		return nil, err
	}
	if len(c.all) == 0 {
		return c, nil
	}
	if d.Days > 0 { // to the minute, as it is shown
		c.until = s.Source.Now().Truncate(time.Minute).Add(time.Duration(d.Days) * 24 * time.Hour).UnixMilli()
	}
	if err := s.carryOut(ctx, a, c, c.all, authority, 0); err != nil {
		return nil, err
	}
	var ahead []*decided
	last := data.ID(0)
	for _, done := range c.all {
		// The clock of the instance with the last decision may be ahead of this one's. Then retry with later ids. This does not apply if there
		// really is a later decision.
		if !c.holds(done) && done.ban.Entry.Time().After(s.Source.Now()) {
			ahead, last = append(ahead, done), max(last, done.ban.Entry)
		}
	}
	if len(ahead) > 0 {
		if err := s.carryOut(ctx, a, c, ahead, authority, last); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// carryOut decides about some of the members, with entries whose ids are higher than after, if that is not 0.
func (s *Store) carryOut(ctx context.Context, a data.Actor, c *result, members []*decided, authority *roles.Authority,
	after data.ID) error {
	d, key := c.Decision, strings.ToLower(c.Community)
	w := s.DB.WriteAt(authority.Home)
	list := s.gather(w, a, c, members, authority, after)
	may := authority.Check(w)
	known, found := true, map[data.ID]*decided{}
	for _, done := range members {
		found[done.Target] = done
	}
	there := false
	w.Find(outcome, data.Args{"list": list, "community": key, "rule": d.Rule, "general": slices.Contains(modlog.GeneralRules, d.Rule),
		"now": s.Source.DatabaseNow()}, func(row *data.Row) {
		there = true
		done := found[row.ID()]
		done.Community, known = row.Text(), row.Bool()
		var created []data.ID
		for _, entry := range done.Entries {
			if row.Bool() {
				created = append(created, entry)
			}
		}
		done.Entries, done.mine = created, len(created) > 0
		done.ban.Scan(row)
		done.Until = done.ban.Until
	})
	w.Find(isOverLimit, data.Args{"community": key, "young": s.Source.Now().Add(-youngAge), "day": s.dayAgo()},
		func(row *data.Row) { c.limited = row.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case may.Err() != nil:
		return may.Err()
	case !there:
		return data.ErrNoCommunity
	case !known:
		return data.Mistake("rule", "This community has no such rule any more. Please choose another one.")
	}
	return nil
}

// dayAgo returns an id: entries of the log with a higher one are less than a day old.
func (s *Store) dayAgo() data.ID {
	return data.NewID(s.Source.Now().Add(-24*time.Hour), 0, data.KindOther, 0)
}

// gather adds the statements of a decision to a transaction on the community's shard, and sets the entries of each member. It returns the
// parameter :list.
func (s *Store) gather(w *data.Write, a data.Actor, c *result, members []*decided, authority *roles.Authority,
	after data.ID) string {
	newID := func() data.ID {
		if after != 0 {
			return s.Source.NewIDAfter(after, data.KindOther)
		}
		return s.Source.NewID(authority.Slot, data.KindOther)
	}
	pairs := make([][]any, len(members))
	var first, second []data.ID
	for i, done := range members {
		entry, other := newID(), newID()
		done.Entries = []data.ID{entry, other}
		first, second = append(first, entry), append(second, other)
		pairs[i] = []any{int64(done.Target), int64(entry), int64(other), done.Name}
	}
	text, _ := json.Marshal(pairs) // encoding numbers and texts can't fail
	list, d := string(text), c.Decision
	args := func(action modlog.Action) data.Args {
		return authority.Args(data.Args{"list": list, "action": string(action), "name": a.Name, "now": s.Source.DatabaseNow(),
			"young": s.Source.Now().Add(-youngAge), "day": s.dayAgo(), "only": d.Only})
	}
	if d.Action == Lift {
		for _, l := range []struct {
			log          string
			action, kind modlog.Action
			entries      []data.ID
		}{{logUnbans, modlog.Unban, modlog.Ban, first}, {logUnmutes, modlog.Unmute, modlog.Mute, second}} {
			lift := args(l.action)
			lift["kind"] = string(l.kind)
			w.Do(l.log, lift)
			w.Do(endBans, data.Args{"entries": l.entries})
			modlog.Follow(w, l.action, l.entries...)
		}
		return list
	}
	var clearFrom time.Time
	if d.Clear > 0 {
		clearFrom = s.Source.Now().Truncate(time.Minute).Add(-time.Duration(d.Clear) * 24 * time.Hour)
	}
	set := args(d.Action)
	set["until"], set["ends"], set["clear"], set["near"] = c.until, endOf(c.until), clearFrom, modlog.Near
	set["rule"], set["note"], set["general"] = d.Rule, d.Note, slices.Contains(modlog.GeneralRules, d.Rule)
	w.Do(logBans, set)
	w.Do(setBans, data.Args{"list": list, "kind": string(d.Action), "until": c.until})
	outbox.EnqueueClear(w, s.Source, first...)
	modlog.Follow(w, d.Action, first...)
	return list
}
