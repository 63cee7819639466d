// Package modlog stores what moderators and administrators have decided. Whoever decides adds an entry in the transaction of the decision.
// The site's own decisions are in the directory, and so are those about a community's moderators and settings. All others are on the
// community's shard.
//
// A page of a community's log merges the entries of its shard with those of the directory.
//
// Triggers of moderation_log count its entries in moderation_counts, by community, month (UTC), moderator and kind, and how many of them
// were undone. So the page of a month reads a row for each moderator and kind, however long the log is. Names are not kept there: they are
// read from each moderator's last entry.
package modlog

import (
	"strings"
	"time"

	"plaza/data"
	"plaza/data/delivery/outbox"
)

// NoteMax is how long a note may be, in characters.
const NoteMax = 1000

// Action is what was decided.
type Action string

// The actions that there are. Those of a pair take each other back.
const (
	Remove    Action = "remove"
	Approve   Action = "approve"
	Lock      Action = "lock"
	Unlock    Action = "unlock"
	Pin       Action = "pin"
	Unpin     Action = "unpin"
	NSFW      Action = "nsfw"
	NotNSFW   Action = "un-nsfw"
	Spoiler   Action = "spoiler"
	NoSpoiler Action = "un-spoiler"
	NoAnswer  Action = "un-answer" // that an automatic rule gives
	Ban       Action = "ban"
	Unban     Action = "unban"
	Mute      Action = "mute"
	Unmute    Action = "unmute"
	Suspend   Action = "suspend"
	BanSite   Action = "ban-site"
	Admit     Action = "admit"  // of a newcomer who waited for approval
	Refuse    Action = "refuse" // of a newcomer who waited for approval
	Claim     Action = "claim"  // of an account that came by an import: its owner elsewhere may have it
	Restore   Action = "restore"
	Uphold    Action = "uphold" // of a decision that was appealed against
	Hold      Action = "hold"   // by an automatic rule: hidden until a moderator has decided
	Flair     Action = "flair"  // of a post; the entry's rule is the text of the flair, "" for none
)

// Decisions about a community itself, which are in the directory, where its moderators and settings are. The first three are roles
// (communities.Role) that the target has from then on.
const (
	Owner     Action = "owner"
	Moderator Action = "moderator"
	Approver  Action = "approver"
	Dismiss   Action = "dismiss"
	Resign    Action = "resign"
	Settings  Action = "settings"
)

// undoes are the actions that an action takes back: the last entry of one of them about the same target is undone by it.
var undoes = map[Action][]string{
	Approve: {string(Remove), string(Hold)}, Unlock: {string(Lock)}, Unpin: {string(Pin)}, NotNSFW: {string(NSFW)},
	NoSpoiler: {string(Spoiler)},
	Unban:     {string(Ban)}, Unmute: {string(Mute)}, Restore: {string(Suspend), string(BanSite), string(Refuse)},
}

// Entry is one decision, as it is added.
type Entry struct {
	ID        data.ID // made by whoever decides, on the shard where the entry is, so that it is found by it; 0 in the directory
	Community string  // its name; "" is the site
	Action    Action
	Target    data.ID   // of the post, the comment or the member; 0 is nothing in particular
	Author    data.ID   // whose the target is, or the member; 0 is nobody
	Rule      string    // title of the rule that is cited, or the text of a flair; "" is none
	Note      string    // message to the author, which is not public
	Until     time.Time // when it ends by itself; the zero time is never
	// ClearFrom is that of a ban or mute: what the member has written there since then is removed (package moderation). The zero time is
	// nothing.
	ClearFrom time.Time
}

var (
	// Unique index on name_key, primary key. The guard and addEnd follow.
	addBegin = `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, rule, note, until, clear_from, actor_id,
  actor_name)
SELECT :log_id, iif(:log_community = '', 0, (SELECT k.id FROM communities k WHERE k.name_key = :log_community)), :log_action, :log_target,
  :log_author, :log_rule, :log_note, :log_until, :log_clear, :actor, ` + data.NameNow(":log_name") + ` WHERE `
	addEnd = ` AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`

	// markUndone has the last entry that an action takes back name the entries of a transaction. :log_ids are their ids, :log_undoes the
	// actions. Only the last is looked at, so that a transaction that is sent again marks no earlier one. Primary key, index
	// moderation_log_target.
	markUndone = `UPDATE moderation_log SET undone_by = (SELECT e.id FROM json_each(:log_ids) j CROSS JOIN moderation_log e ON e.id = j.value
  WHERE e.target_id = moderation_log.target_id LIMIT 1)
WHERE undone_by IS NULL AND id IN (SELECT (SELECT max(o.id) FROM moderation_log o WHERE o.target_id = e.target_id
    AND o.action IN (SELECT value FROM json_each(:log_undoes)) AND o.community_id = e.community_id)
  FROM json_each(:log_ids) j CROSS JOIN moderation_log e ON e.id = j.value)`
)

// notified are the actions of which the member is notified. The trigger moderation_log_told leaves that work.
var notified = map[Action]bool{Remove: true, Approve: true, Ban: true, Unban: true, Mute: true, Unmute: true, Suspend: true, BanSite: true,
	Restore: true}

// Add gathers the statements that add an entry, if the actor's session is live and the guard, a condition in SQL, holds. Call it before
// gathering the statement that decides, and give that statement's own condition as the guard: then a decision that is refused, or was made
// before, leaves no entry. args are the parameters of the guard; names that begin with log_ are taken. The Change says whether the entry
// was added.
func Add(w *data.Write, a data.Actor, e Entry, guard string, args data.Args) *data.Change {
	all := a.Args(data.Args{"log_id": e.ID, "log_community": strings.ToLower(e.Community), "log_action": string(e.Action),
		"log_target": e.Target,
		"log_author": nil, "log_rule": e.Rule, "log_note": e.Note, "log_until": e.Until, "log_clear": e.ClearFrom, "log_name": a.Name})
	if e.Author != 0 {
		all["log_author"] = e.Author
	}
	for name, value := range args {
		all[name] = value
	}
	added := w.Do(Guarded(guard), all)
	if notified[e.Action] && e.Author != a.UserID {
		outbox.Ask(w, outbox.WorkDecided, e.ID)
	}
	Undo(w, e.Action, e.ID)
	return added
}

// Removal is why something was removed.
type Removal struct {
	Rule string // "" for what was removed without one
	Note string // for its author and for moderators
	// Hidden: an automatic rule has done it, until a moderator has decided.
	Hidden bool
}

// LastRemoval is a subquery of one column, which Removal.Scan reads: why something was removed last. target is an expression: its id. Index
// moderation_log_target.
func LastRemoval(target string) string {
	return `(SELECT json_array(r.rule, r.note, r.action = 'hold') FROM moderation_log r
  WHERE r.action IN ('remove', 'hold') AND r.id = (
  SELECT max(x.id) FROM moderation_log x WHERE x.action IN ('remove', 'hold') AND x.target_id = ` + target + `))`
}

// Scan reads the column of LastRemoval.
func (m *Removal) Scan(r *data.Row) {
	*m = Removal{}
	r.Record(func(r *data.Row) { m.Rule, m.Note, m.Hidden = r.Text(), r.Text(), r.Bool() })
}

// Guarded is the statement that Add sends, for tests that explain it.
func Guarded(guard string) string { return addBegin + `(` + guard + `)` + addEnd }

// Primary key, index moderation_log_target.
const notUpheld = `NOT EXISTS (SELECT 1 FROM moderation_log x WHERE x.target_id = :target AND x.action = 'uphold' AND x.id > :decision)`

// AddUphold gathers an entry that says that a decision was looked at again and stands, into a transaction on the database that has the
// decision. Who may say so has to be asked before. Saying it again adds nothing.
func AddUphold(w *data.Write, s data.Source, a data.Actor, d *Decision) {
	Add(w, a, Entry{ID: s.NewID(d.ID.Shard(), data.KindOther), Community: d.Community, Action: Uphold, Target: d.Target, Author: d.Author,
		Rule: d.Rule}, notUpheld,
		data.Args{"target": d.Target, "decision": d.ID})
}

// Undo gathers the statement that marks what entries of one action take back, if that action takes anything back. The entries are of
// the same transaction. Add does so by itself.
func Undo(w *data.Write, action Action, entries ...data.ID) {
	if taken := undoes[action]; taken != nil {
		w.Do(markUndone, data.Args{"log_ids": entries, "log_undoes": taken})
	}
}
