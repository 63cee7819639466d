package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/locale"
)

// Verdict is the result of the rules for a thing before it is stored.
type Verdict struct {
	Held                  data.Hold
	Locked, NSFW, Spoiler bool
	Reason, Message       string // of a removal
	Flair                 string // text of the flair for a post
	ReplyHTML             string // the public reply below it
	Hits                  []Hit
}

// Hit is a rule whose conditions hold.
type Hit struct {
	Rule    data.ID
	Site    bool // it is a rule of the whole site
	Title   string
	Message string // a message to the author of a held thing
	Queued  bool   // the thing waits for a moderator
}

// verdictOf combines the actions of some rules: the reason of the first that removes, the reply of the first that replies, and the flair
// of the first that gives one.
func verdictOf(hit []*Rule) (v Verdict) {
	for _, r := range hit {
		v.Locked, v.NSFW, v.Spoiler = v.Locked || r.Does(Lock), v.NSFW || r.Does(NSFW), v.Spoiler || r.Does(Spoiler)
		if r.Does(Remove) && v.Held != data.Rejected {
			v.Held, v.Reason, v.Message = data.Rejected, r.Reason, r.Message
		}
		if r.Does(Hold) && v.Held == data.NotHeld {
			v.Held = data.Held
		}
		if r.Does(Flair) && v.Flair == "" {
			v.Flair = r.Flair
		}
		if r.Does(AutoReply) && v.ReplyHTML == "" {
			v.ReplyHTML = r.ReplyHTML
		}
	}
	for _, r := range hit {
		h := Hit{Rule: r.ID, Site: r.site, Title: r.Title, Queued: v.Held != data.Rejected && (r.Does(Hold) || r.Does(Report))}
		if r.Does(Hold) {
			h.Message = r.Message
		}
		v.Hits = append(v.Hits, h)
	}
	return v
}

// Err returns why an edit is refused, if rules would hold or remove the result; otherwise nil.
func (v *Verdict) Err(field string) error {
	if v.Held == data.NotHeld {
		return nil
	}
	says := v.Hits[0].Title
	if i := slices.IndexFunc(v.Hits, func(h Hit) bool { return h.Message != "" }); v.Message == "" && i >= 0 {
		says = v.Hits[i].Title
	}
	return data.Mistake(field, locale.With("A rule of this community keeps this change from being shown: {}.", says))
}

// Message returns a subquery of one column, which modlog.Removal.Scan reads: the title of the rule that holds the target, and its message
// to the author. If several rules hold it, a rule with a message comes first. target is an SQL expression of the id. Primary key.
//
// SQLite takes the plain columns beside max from the row with the maximum, so no sort is needed. max of no rows is NULL.
func Message(target string) string {
	return `(SELECT iif(max(h.message <> '') IS NULL, NULL, json_array(h.title, h.message, 0, 0)) FROM rule_hits h
  WHERE h.queued = 1 AND h.target_id = ` + target + `)`
}

// occasion is when a verdict is stored.
type occasion int

const (
	created   occasion = iota
	published          // a draft is published, at the time :at
	edited             // to the revision :at
)

// only is the condition that the transaction has changed the post p or the comment c on this occasion.
func (o occasion) only(comment bool) string {
	switch {
	case o == published:
		return ` AND p.status NOT IN ('draft', 'scheduled') AND p.created_at = :at`
	case o == edited && comment:
		return ` AND c.edited_at = :at`
	case o == edited:
		return ` AND p.edited_at = :at`
	}
	return ""
}

// The statements of a verdict. Names in braces are filled in: {thing} are post p and, for a comment, comment c; {author} is the author;
// {only} is the condition of the occasion. Primary keys. The trigger rule_hits_counted counts hits, and rule_hits_queued adds things to
// the queue.
var (
	hitThing = `INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at, later)
SELECT :target, h.value ->> 0, h.value ->> 1, p.community_id, h.value ->> 2, h.value ->> 3, h.value ->> 4, ` + data.DatabaseNow + `, :later
FROM json_each(:hits) h CROSS JOIN {thing} WHERE true{only} ON CONFLICT DO NOTHING`
	// The reply below a thing. It must follow the hits directly: a thing that the same rules hit before, as at an edit, gets no second
	// reply.
	setAutoReplyOfPost    = `UPDATE posts SET auto_reply = :auto_reply WHERE changes() > 0 AND id = :target`
	setAutoReplyOfComment = `UPDATE comments SET auto_reply = :auto_reply WHERE changes() > 0 AND id = :target`
	// The entry of a rule's removal has no actor.
	logThing = modlog.Insert(modlog.Values{ID: ":entry", Community: "p.community_id", Action: "'remove'", Target: ":target",
		Author: "{author}", Rule: ":reason", Note: ":message", Automatic: true}, `FROM {thing} WHERE {held} = 2{only}`)
	// A new verdict about a scheduled post replaces the old one.
	forgetLater = `DELETE FROM rule_hits WHERE target_id = :target AND later = 1 AND EXISTS (SELECT 1 FROM posts p WHERE p.id = :target{only})`

	// Hits of scheduled posts count, and wait for moderators, from their publication on. REPLACE fires the triggers again. Posts that became
	// drafts are judged when they are published.
	hitDue = `REPLACE INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at, later)
SELECT h.target_id, h.rule_id, h.site, h.community_id, h.title, h.message, h.queued, :at, 0
FROM json_each(:posts) j CROSS JOIN posts p ON p.id = j.value CROSS JOIN rule_hits h ON h.target_id = p.id
WHERE p.created_at = :at AND p.status NOT IN ('draft', 'scheduled') AND h.later = 1`
	forgetDue = `DELETE FROM rule_hits WHERE later = 1 AND target_id IN (SELECT p.id FROM json_each(:posts) j
  CROSS JOIN posts p ON p.id = j.value WHERE p.status = 'draft')`
)

// statement fills in a statement.
func statement(sql string, comment bool, when occasion) string {
	thing, author, held := "posts p ON p.id = :target", "p.author_id", "p.held"
	if comment {
		thing, author, held = "comments c ON c.id = :target CROSS JOIN posts p ON p.id = c.post_id", "c.author_id", "c.held"
	}
	if sql == logThing {
		thing = "(SELECT 1) one CROSS JOIN " + thing
	}
	return strings.NewReplacer("{thing}", thing, "{author}", author, "{held}", held, "{only}", when.only(comment)).Replace(sql)
}

// Record adds the consequences of a verdict about a thing, which apply if the same transaction stores the thing. later reports that it is
// not visible yet: a scheduled post.
func (v *Verdict) Record(w *data.Write, s data.Source, target data.ID, later bool) {
	v.record(w, s, target, later, created, data.Args{})
}

// RecordEdited is Record for a thing that the same transaction may change to the given revision.
func (v *Verdict) RecordEdited(w *data.Write, s data.Source, target data.ID, revision int64) {
	v.record(w, s, target, false, edited, data.Args{"at": revision})
}

// RecordDraft is RecordEdited for a post that stays a draft or scheduled, and replaces the stored verdict.
func (v *Verdict) RecordDraft(w *data.Write, s data.Source, target data.ID, revision int64) {
	w.Do(statement(forgetLater, false, edited), data.Args{"target": target, "at": revision})
	v.record(w, s, target, true, edited, data.Args{"at": revision})
}

// RecordPublished is Record for a draft that the same transaction may publish, at the time at.
func (v *Verdict) RecordPublished(w *data.Write, s data.Source, target data.ID, at time.Time) {
	w.Do(statement(forgetLater, false, published), data.Args{"target": target, "at": at})
	v.record(w, s, target, false, published, data.Args{"at": at})
}

// RecordDue adds the consequences of the verdicts about those scheduled posts that the same transaction publishes, at the time at.
func RecordDue(w *data.Write, posts []data.ID, at time.Time) {
	w.Do(hitDue, data.Args{"posts": posts, "at": at})
	w.Do(forgetDue, data.Args{"posts": posts})
}

func (v *Verdict) record(w *data.Write, s data.Source, target data.ID, later bool, when occasion, more data.Args) {
	if len(v.Hits) == 0 {
		return
	}
	rows := make([][5]any, len(v.Hits))
	for i, h := range v.Hits {
		rows[i] = [5]any{int64(h.Rule), h.Site, h.Title, h.Message, h.Queued}
	}
	text, _ := json.Marshal(rows) // encoding texts and numbers can't fail
	args := maps.Clone(more)
	args["target"], args["hits"], args["later"], args["now"] = target, string(text), later, s.DatabaseNow()
	w.Do(statement(hitThing, target.IsComment(), when), args)
	if v.ReplyHTML != "" {
		sql := setAutoReplyOfPost
		if target.IsComment() {
			sql = setAutoReplyOfComment
		}
		w.Do(sql, data.Args{"target": target, "auto_reply": v.ReplyHTML})
	}
	if v.Held == data.Rejected && !later {
		args = maps.Clone(more)
		args["target"], args["entry"], args["reason"], args["message"] = target, s.NewID(target.Slot(), data.KindOther), v.Reason, v.Message
		w.Do(statement(logThing, target.IsComment(), when), args)
		modlog.Follow(w, modlog.Remove, args["entry"].(data.ID))
	}
}
