package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"plaza/data"
)

// Verdict is what rules make of a thing that is about to be stored.
type Verdict struct {
	Held                  data.Held
	Locked, NSFW, Spoiler bool
	Reason, Answer        string // of a removal
	Hits                  []Hit
}

// Hit is a rule whose conditions hold.
type Hit struct {
	Rule   data.ID
	Site   bool // it is one of the whole site
	Title  string
	Answer string // a word to the author of what is held
	Queued bool   // the thing waits for a moderator
}

// verdictOf adds up what some rules do. The first of those that remove gives the reason.
func verdictOf(hit []*Rule, site func(*Rule) bool) (v Verdict) {
	for _, r := range hit {
		v.Locked, v.NSFW, v.Spoiler = v.Locked || r.does(Lock), v.NSFW || r.does(NSFW), v.Spoiler || r.does(Spoiler)
		if r.does(Remove) && v.Held != data.Refused {
			v.Held, v.Reason, v.Answer = data.Refused, r.Reason, r.Answer
		}
		if r.does(Hold) && v.Held == data.NotHeld {
			v.Held = data.Waits
		}
	}
	for _, r := range hit {
		h := Hit{Rule: r.ID, Site: site(r), Title: r.Title, Queued: v.Held != data.Refused && (r.does(Hold) || r.does(Report))}
		if r.does(Hold) {
			h.Answer = r.Answer
		}
		v.Hits = append(v.Hits, h)
	}
	return v
}

// Err is why a change of something that is there is refused: rules would hold or remove it. Otherwise nil.
func (v *Verdict) Err(field string) error {
	if v.Held == data.NotHeld {
		return nil
	}
	says := v.Hits[0].Title
	if i := slices.IndexFunc(v.Hits, func(h Hit) bool { return h.Answer != "" }); v.Answer == "" && i >= 0 {
		says = v.Hits[i].Title
	}
	return data.Mistake(field, "A rule of this community keeps this change from being shown: "+says+".")
}

// Answer begins a subquery of one column, which modlog.Removal.Scan reads: the word to the author of what is held. Its id and a closing bracket follow.
// Primary key.
const Answer = `SELECT char(10) || h.answer FROM rule_hits h WHERE h.answer <> '' AND h.target_id = `

// The statements of a verdict. What stands in braces is filled in: {thing} are post p and, of a comment, comment c; {author} is whose it is; {only} is empty, or
// the condition for a draft: that it was published at :at. Primary keys. The triggers of rule_hits count hits, and have things wait in the queue.
const (
	hitThing = `INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, answer, queued, created_at)
SELECT :target, h.value ->> 0, h.value ->> 1, p.community_id, h.value ->> 2, h.value ->> 3, h.value ->> 4 AND :queued, ` + data.DatabaseNow + `
FROM json_each(:hits) h CROSS JOIN {thing} WHERE true{only} ON CONFLICT DO NOTHING`
	// The entry of a rule's removal has no actor.
	logThing = `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, rule, note, actor_id, actor_name)
SELECT :entry, p.community_id, 'remove', :target, {author}, :reason, :answer, 0, '' FROM {thing} WHERE {held} = 2{only} ON CONFLICT DO NOTHING`

	published = ` AND p.status NOT IN ('draft', 'scheduled') AND p.created_at = :at`
)

// statement fills a statement in.
func statement(sql string, comment, draft bool) string {
	thing, author, held, only := "posts p ON p.id = :target", "p.author_id", "p.held", ""
	if comment {
		thing, author, held = "comments c ON c.id = :target CROSS JOIN posts p ON p.id = c.post_id", "c.author_id", "c.held"
	}
	if draft {
		only = published
	}
	if sql == logThing {
		thing = "(SELECT 1) one CROSS JOIN " + thing
	}
	return strings.NewReplacer("{thing}", thing, "{author}", author, "{held}", held, "{only}", only).Replace(sql)
}

// Leave gathers what follows from a verdict about a thing that the same transaction stores, if it does. later tells that it is
// stored as one that is not shown yet: a scheduled post.
func (v *Verdict) Leave(w *data.Write, s data.Source, target data.ID, later bool) {
	v.leave(w, s, target, later, false, data.Args{})
}

// LeavePublished is Leave for a draft that the same transaction publishes, at the time at, if it does.
func (v *Verdict) LeavePublished(w *data.Write, s data.Source, target data.ID, at time.Time) {
	v.leave(w, s, target, false, true, data.Args{"at": at})
}

func (v *Verdict) leave(w *data.Write, s data.Source, target data.ID, later, draft bool, more data.Args) {
	if len(v.Hits) == 0 {
		return
	}
	rows := make([][5]any, len(v.Hits))
	for i, h := range v.Hits {
		rows[i] = [5]any{int64(h.Rule), h.Site, h.Title, h.Answer, h.Queued}
	}
	text, _ := json.Marshal(rows) // texts and numbers can always be encoded
	args := maps.Clone(more)
	args["target"], args["hits"], args["queued"], args["now"] = target, string(text), !later, s.DatabaseNow()
	w.Do(statement(hitThing, target.IsComment(), draft), args)
	if v.Held == data.Refused && !later {
		args = maps.Clone(more)
		args["target"], args["entry"], args["reason"], args["answer"] = target, s.NewID(target.Shard(), data.KindOther), v.Reason, v.Answer
		w.Do(statement(logThing, target.IsComment(), draft), args)
	}
}
