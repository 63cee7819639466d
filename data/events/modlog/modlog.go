// Package modlog stores the decisions of moderators and administrators. The transaction of a decision adds its entry. Decisions for the
// whole site are in the directory, and so are those about a community's moderators, settings and blocked pictures. All others are on the
// community's shard.
//
// A page of a community's log merges the entries of its shard with those of the directory.
//
// Triggers of moderation_log count its entries in moderation_counts, by community, month (UTC), moderator and kind, and how many of them
// were undone. So the page of a month reads a row for each moderator and kind, however long the log is. These rows have no names: they are
// read from each moderator's last entry.
package modlog

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/outbox"
)

// NoteMax is the longest note, in characters.
const NoteMax = 1000

// Action is the kind of a decision.
type Action string

// The actions. The two of a pair undo each other.
const (
	Remove      Action = "remove"
	Approve     Action = "approve"
	Lock        Action = "lock"
	Unlock      Action = "unlock"
	Pin         Action = "pin"
	Unpin       Action = "unpin"
	NSFW        Action = "nsfw"
	NotNSFW     Action = "un-nsfw"
	Spoiler     Action = "spoiler"
	NoSpoiler   Action = "un-spoiler"
	NoAutoReply Action = "un-answer" // of an automatic rule
	Ban         Action = "ban"
	Unban       Action = "unban"
	Mute        Action = "mute"
	Unmute      Action = "unmute"
	Suspend     Action = "suspend"
	BanSite     Action = "ban-site"
	Admit       Action = "admit"  // of a newcomer who waited for approval
	Refuse      Action = "refuse" // of a newcomer who waited for approval
	Claim       Action = "claim"  // of an imported account: its owner at the other site may claim it
	Restore     Action = "restore"
	Uphold      Action = "uphold" // of a decision after an appeal
	Hold        Action = "hold"   // by an automatic rule, or by a moderator who undoes a decision: hidden until a moderator decides
	Erase       Action = "erase"  // permanently, by an administrator (package erase); the entry's rule is the ground
	Title       Action = "title"  // of a post; the entry's note is the old one, the new one and the message to the author
	Flair       Action = "flair"  // of a post; the entry's rule is the text of the flair, "" for none

	MemberFlair Action = "member-flair" // of a member; the rule as with Flair
)

// Decisions about a community itself, which are in the directory, like its moderators and settings. The first three are roles
// (roles.Role) that the target has from then on.
const (
	Owner     Action = "owner"
	Moderator Action = "moderator"
	Approver  Action = "approver"
	Dismiss   Action = "dismiss"
	Resign    Action = "resign"
	Settings  Action = "settings"
)

// Decisions about pictures (package pictureblocks). They are in the directory, also for a community. The target is the block.
const (
	BlockPicture   Action = "block-picture"
	UnblockPicture Action = "unblock-picture"
)

// Decisions about the pages of a community (package wiki), which are in the directory. The target is the page.
const (
	PageNew     Action = "page-new"
	PageEdit    Action = "page-edit"
	PageDelete  Action = "page-delete"
	PageRestore Action = "page-restore" // of an older revision, or of a deleted page
	PageErase   Action = "page-erase"   // permanently, by an administrator (package erase); the entry's rule is the ground
)

// MessageErase is an administrator's decision to erase a message to moderators permanently (package erase). It is in the site's log. The
// target is the conversation, and the entry's rule is the ground.
const MessageErase Action = "message-erase"

// undoes are the actions that an action undoes: it marks the last entry of one of them about the same target as undone.
var undoes = map[Action][]string{
	Approve: {string(Remove), string(Hold)}, Unlock: {string(Lock)}, Unpin: {string(Pin)}, NotNSFW: {string(NSFW)},
	NoSpoiler: {string(Spoiler)}, UnblockPicture: {string(BlockPicture)},
	PageRestore: {string(PageDelete)},
	Unban:       {string(Ban)}, Unmute: {string(Mute)}, Restore: {string(Suspend), string(BanSite), string(Refuse)},
}

// NewEntry is a decision to add to the log.
type NewEntry struct {
	ID        data.ID // made by the caller in a slot of the shard, which it selects; in the directory the slot is 0
	Community string  // its name; "" is the site
	Action    Action
	Target    data.ID   // the post, the comment or the member; 0 is none
	Author    data.ID   // the author of the target, or the member; 0 is none
	Rule      string    // title of the cited rule, or the text of a flair; "" is none
	Note      string    // message to the author, which is not public
	Until     time.Time // when it expires; the zero time is never
	// ClearFrom is for a ban or mute: the member's posts and comments since then are removed (package moderation). The zero time removes
	// nothing.
	ClearFrom time.Time
}

const (
	// markUndone links the last entry that an action undoes to an entry of the transaction. :log_ids are the ids of the transaction's
	// entries, :log_undoes the actions. It reads only the last entry, so that a transaction that is sent again marks no earlier one. Primary
	// key, index moderation_log_target.
	markUndone = `UPDATE moderation_log SET undone_by = (SELECT e.id FROM json_each(:log_ids) j CROSS JOIN moderation_log e ON e.id = j.value
  WHERE e.target_id = moderation_log.target_id LIMIT 1)
WHERE undone_by IS NULL AND id IN (SELECT (SELECT max(o.id) FROM moderation_log o WHERE o.target_id = e.target_id
    AND o.action IN (SELECT value FROM json_each(:log_undoes)) AND o.community_id = e.community_id)
  FROM json_each(:log_ids) j CROSS JOIN moderation_log e ON e.id = j.value)`
)

// Values are the values of the columns of new entries: each is an SQL expression, and "" is the column's default. The actor and their
// name are the parameters :actor and :name, unless an automatic rule decides.
type Values struct {
	ID, Community, Action, Target, Author string
	Rule, Note                            string
	Until, ClearFrom                      string
	Automatic                             bool
}

// Insert returns the statement that adds entries to the log: one for each row of from, which begins with FROM and ends with the
// conditions of the decision. An entry that exists already, because the transaction was sent twice, is not added again.
func Insert(v Values, from string) string {
	if v.Automatic {
		return insert(v, "0", "''", from)
	}
	return insert(v, ":actor", data.NameNow(":name"), from)
}

const (
	insertInto = `INSERT INTO moderation_log (`
	// The origin of a decision: by whom, for which community, and about which target. Primary key of reports; a legal notice has
	// a negative reporter_id.
	found = `CASE WHEN %[1]s = 0 AND %[2]s <> 0 THEN 'rule'
  WHEN EXISTS (SELECT 1 FROM reports found WHERE found.target_id = %[3]s AND found.reporter_id < 0) THEN 'notice'
  WHEN EXISTS (SELECT 1 FROM reports found WHERE found.target_id = %[3]s) THEN 'report' ELSE 'person' END`
)

func insert(v Values, actor, name, from string) string {
	var columns, values []string
	for _, c := range [][2]string{{"id", v.ID}, {"community_id", v.Community}, {"action", v.Action}, {"target_id", v.Target},
		{"author_id", v.Author}, {"rule", v.Rule}, {"note", v.Note}, {"until", v.Until}, {"clear_from", v.ClearFrom}, {"actor_id", actor},
		{"actor_name", name}, {"found", fmt.Sprintf(found, actor, v.Community, v.Target)}} {
		if c[1] != "" {
			columns, values = append(columns, c[0]), append(values, c[1])
		}
	}
	return insertInto + strings.Join(columns, ", ") + ")\nSELECT " + strings.Join(values, ", ") + "\n" + from +
		" ON CONFLICT DO NOTHING"
}

// notified are the actions that the member is notified of. The trigger moderation_log_notified enqueues the job.
var notified = map[Action]bool{Remove: true, Approve: true, Ban: true, Unban: true, Mute: true, Unmute: true, Suspend: true, BanSite: true,
	Restore: true, Erase: true, Title: true}

// Add adds to a transaction the statements that add an entry, if the actor's session is live and the guard, a condition in SQL, holds.
// Call it before adding the statement that decides, and pass that statement's own condition as the guard: then a decision that is
// refused, or was made before, adds no entry. args are the parameters of the guard; names that begin with log_ are reserved. The Change
// says whether the entry was added.
func Add(w *data.Write, a data.Actor, e NewEntry, guard string, args data.Args) *data.Change {
	all := a.Args(data.Args{"log_id": e.ID, "log_community": strings.ToLower(e.Community), "log_action": string(e.Action),
		"log_target": e.Target,
		"log_author": nil, "log_rule": e.Rule, "log_note": e.Note, "log_until": e.Until, "log_clear": e.ClearFrom, "log_name": a.Name})
	if e.Author != 0 {
		all["log_author"] = e.Author
	}
	maps.Copy(all, args)
	added := w.Do(Guarded(guard), all)
	if e.Author == a.UserID { // members are not notified of their own decisions
		undo(w, e.Action, e.ID)
	} else {
		Follow(w, e.Action, e.ID)
	}
	return added
}

// Removal is the reason of a removal.
type Removal struct {
	Rule string // "" for a removal without one
	Note string // for the author and for moderators
	// Held: an automatic rule has hidden it until a moderator decides.
	Held  bool
	Entry data.ID // of the log: the decision that the author can appeal against
}

// LastRemoval is a subquery of one column, which Removal.Scan reads: the reason of the last removal. target is an expression for its id.
// Index moderation_log_target.
func LastRemoval(target string) string {
	return `(SELECT json_array(r.rule, r.note, r.action = 'hold', r.id) FROM moderation_log r
  WHERE r.action IN ('remove', 'hold') AND r.id = (
  SELECT max(x.id) FROM moderation_log x WHERE x.action IN ('remove', 'hold') AND x.target_id = ` + target + `))`
}

// Scan reads the column of LastRemoval.
func (m *Removal) Scan(r *data.Row) {
	*m = Removal{}
	r.Record(func(r *data.Row) { m.Rule, m.Note, m.Held, m.Entry = r.Text(), r.Text(), r.Bool(), r.ID() })
}

// Guarded is the statement of Add, for tests of query plans. Unique index on name_key, primary key. The guard follows.
func Guarded(guard string) string {
	return insert(Values{ID: ":log_id", Action: ":log_action", Target: ":log_target", Author: ":log_author", Rule: ":log_rule",
		Note: ":log_note", Until: ":log_until", ClearFrom: ":log_clear",
		Community: `iif(:log_community = '', 0, (SELECT k.id FROM communities k WHERE k.name_key = :log_community))`,
	}, ":actor", data.NameNow(":log_name"), `WHERE (`+guard+`) AND `+data.LiveSession)
}

// Primary key, index moderation_log_target.
const notUpheld = `NOT EXISTS (SELECT 1 FROM moderation_log x WHERE x.target_id = :target AND x.action = 'uphold' AND x.id > :decision)`

// AddUphold adds an entry that a decision was reviewed and upheld, to a transaction on the database of the decision. The caller has
// checked the right. A repetition adds nothing.
func AddUphold(w *data.Write, s data.Source, a data.Actor, d *Entry) {
	Add(w, a, NewEntry{ID: s.NewID(d.ID.Slot(), data.KindOther), Community: d.Community, Action: Uphold, Target: d.Target, Author: d.Author,
		Rule: d.Rule}, notUpheld,
		data.Args{"target": d.Target, "decision": d.ID})
}

// Follow adds the consequences of entries of one action that the same transaction adds by Insert: it links the entries that they undo,
// and notifies their authors. Add calls it itself.
func Follow(w *data.Write, action Action, entries ...data.ID) {
	if len(entries) == 0 {
		return
	}
	undo(w, action, entries...)
	if notified[action] {
		outbox.RegisterMessages(w, outbox.JobDecided, entries...) // trigger moderation_log_notified
	}
}

// MarkUndone marks removals and approvals as undone by entries of the same transaction that hold the same items again.
func MarkUndone(w *data.Write, entries ...data.ID) {
	w.Do(markUndone, data.Args{"log_ids": entries, "log_undoes": []string{string(Remove), string(Approve)}})
}

// undo adds the statement that marks the entries that an action undoes, if it undoes any.
func undo(w *data.Write, action Action, entries ...data.ID) {
	if actions := undoes[action]; actions != nil {
		w.Do(markUndone, data.Args{"log_ids": entries, "log_undoes": actions})
	}
}
