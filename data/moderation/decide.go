// Package moderation carries out moderators' decisions about posts and comments: it removes and approves, locks, pins and marks them. A
// decision is one transaction on the shard of the community. It first adds entries to the log (package modlog), for the targets that the
// moderator may decide about. The other statements change only targets with such an entry, so a repeated transaction changes nothing.
//
// Begin with Gather and Store.Decide. docs/inside/moderation.md says where a removed post disappears, and when.
package moderation

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/moderation/transparency"
	"plaza/data/rights/roles"
	"plaza/locale"
	"plaza/ranking"
)

// PinsMax is how many posts of a community are pinned at most.
const PinsMax = 2

// General are rules that a decision in any community can cite, besides the community's own.
var General = modlog.GeneralRules

// Decision is a decision about posts or comments of one community.
type Decision struct {
	Community  string // its name
	modlog.Act        // by one of the community's rules or of General
	Waiting    bool   // only about what waits in the queue
	Undoes     bool   // only items that the actor has decided in the queue, without a later decision
}

// OnPosts and OnComments are the decisions that can be made about posts, and about comments.
var (
	OnPosts = []modlog.Action{modlog.Remove, modlog.Approve, modlog.Lock, modlog.Unlock, modlog.Pin, modlog.Unpin, modlog.NSFW, modlog.NotNSFW,
		modlog.Spoiler, modlog.NoSpoiler, modlog.NoAutoReply}
	OnComments = []modlog.Action{modlog.Remove, modlog.Approve, modlog.NoAutoReply}
)

// Validate checks the fields, except whether the community has such a rule. Invalid.
func (d *Decision) Validate(target data.ID) error {
	actions := OnPosts
	if target.IsComment() {
		actions = OnComments
	}
	terms := modlog.Terms{Actions: actions, ActionError: "That decision can't be made about a post or comment of this kind.",
		TooLong: "A message to the author has at most 1,000 characters."}
	if d.Action == modlog.Remove {
		terms.Rule = "Please choose the rule that it breaks."
	}
	return d.Check(terms)
}

// Store makes decisions.
type Store struct{ data.Base }

var (
	// Approvers remove and approve.
	mayDecide = data.LiveSession + ` AND CASE WHEN :action IN ('remove', 'approve', 'hold') THEN ` + roles.ByApprover + ` ELSE ` +
		roles.ByModerator + ` END`

	// The number of pinned visible posts of a community. Index posts_pinned.
	pinned = `(SELECT count(*) FROM posts o WHERE o.community_id = p.community_id AND o.pinned_at IS NOT NULL AND o.status = 'published')`
	// Whether a decision changes a post p, or a comment c: a repetition changes nothing. What an automatic rule has hidden waits for a
	// decision, like held items.
	itemHeld    = `EXISTS (SELECT 1 FROM queue_items w WHERE w.status = 'open' AND w.held = 1 AND w.target_id = `
	changesPost = `p.status IN ('published', 'archived', 'removed') AND CASE :action WHEN 'remove' THEN p.status <> 'removed' OR p.held = 1
  OR ` + itemHeld + `p.id) WHEN 'approve' THEN p.status = 'removed' WHEN 'hold' THEN 1
  WHEN 'lock' THEN p.locked = 0 WHEN 'unlock' THEN p.locked = 1 WHEN 'nsfw' THEN p.nsfw = 0 WHEN 'un-nsfw' THEN p.nsfw = 1
  WHEN 'spoiler' THEN p.spoiler = 0 WHEN 'un-spoiler' THEN p.spoiler = 1 WHEN 'unpin' THEN p.pinned_at IS NOT NULL
  WHEN 'un-answer' THEN p.auto_reply <> ''
  WHEN 'pin' THEN p.pinned_at IS NULL AND p.status = 'published' AND ` + data.NotOnProfile + ` AND ` + pinned + ` < :pins END`
	changesComment = `CASE :action WHEN 'remove' THEN c.status = 'published' OR c.status = 'removed' AND (c.held = 1 OR ` + itemHeld +
		`c.id)) WHEN 'approve' THEN c.status = 'removed' WHEN 'hold' THEN c.status IN ('published', 'removed')
  WHEN 'un-answer' THEN c.status = 'published' AND c.auto_reply <> '' END`

	// :list has pairs: a target, and the id of its entry in the log. An entry is added if the decision changes the target and the moderator
	// may make it. The statements below change only what has an entry.
	entryWhere = ` AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND ` + modlog.RuleKnown + `
  AND (NOT :waiting OR EXISTS (SELECT 1 FROM queue_items q WHERE q.target_id = j.value ->> 0 AND q.status = 'open'))
  AND (NOT :undoes OR EXISTS (SELECT 1 FROM queue_items q CROSS JOIN moderation_log o ON o.id = (SELECT max(x.id) FROM moderation_log x
    WHERE x.target_id = q.target_id AND x.action IN ('remove', 'approve', 'hold'))
    WHERE q.target_id = j.value ->> 0 AND q.status = 'decided' AND q.decided_by = :actor AND o.actor_id = :actor)) AND ` + mayDecide
	logPosts    = logEntries("p", `posts p ON p.id = j.value ->> 0`, changesPost)
	logComments = logEntries("c", `comments c ON c.id = j.value ->> 0 CROSS JOIN posts p ON p.id = c.post_id`, changesComment)

	// The statements with these must directly follow the one that adds the entries: changes() is how many it added. If a transaction is sent
	// twice, the second adds none and changes nothing.
	decidedTargets = `(SELECT l.target_id FROM json_each(:list) j CROSS JOIN moderation_log l ON l.id = j.value ->> 1)`
	// A held post is posted at :at, when it is approved. If it is removed, it was never shown.
	decidePosts = `UPDATE posts SET status = CASE :action WHEN 'remove' THEN 'removed' WHEN 'hold' THEN 'removed'
    WHEN 'approve' THEN 'published'
  ELSE status END,
  held = CASE :action WHEN 'remove' THEN iif(held = 1, 2, held) WHEN 'hold' THEN iif(held = 2, 1, held) WHEN 'approve' THEN 0
  ELSE held END,
  created_at = iif(:action = 'approve' AND held <> 0, :at, created_at), active = iif(:action = 'approve' AND held <> 0, :at, active),
  hot = iif(:action = 'approve' AND held <> 0, :hot, hot), age = iif(:action = 'approve' AND held <> 0, 0, age),
  locked = CASE :action WHEN 'lock' THEN 1 WHEN 'unlock' THEN 0 ELSE locked END, nsfw = CASE :action WHEN 'nsfw' THEN 1
  WHEN 'un-nsfw' THEN 0 ELSE nsfw END, spoiler = CASE :action WHEN 'spoiler' THEN 1 WHEN 'un-spoiler' THEN 0 ELSE spoiler END,
  auto_reply = iif(:action = 'un-answer', '', auto_reply), pinned_at = CASE :action WHEN 'pin' THEN ` + data.DatabaseNow +
		` WHEN 'unpin' THEN NULL ELSE pinned_at END
WHERE changes() > 0 AND id IN ` + decidedTargets
	decideComments = `UPDATE comments SET status = CASE :action WHEN 'remove' THEN 'removed' WHEN 'hold' THEN 'removed'
  WHEN 'approve' THEN 'published' ELSE status END,
  held = CASE :action WHEN 'remove' THEN iif(held = 1, 2, held) WHEN 'hold' THEN iif(held = 2, 1, held) WHEN 'approve' THEN 0
  ELSE held END,
  auto_reply = iif(:action = 'un-answer', '', auto_reply)
WHERE changes() > 0 AND id IN ` + decidedTargets

	// The targets' open items of the queue are decided, too.
	openItems   = `status = 'open' AND target_id IN ` + decidedTargets + ` AND ` + data.LiveSession
	countItems  = transparency.CountingItems(":action", openItems)
	decideItems = `UPDATE queue_items SET status = 'decided', decision = :action, decided_by = :actor, decided_at = ` + data.DatabaseNow + `
WHERE ` + openItems

	// So that mentioned members are notified again when it is approved.
	forgetMentions = `DELETE FROM mentions WHERE subject_id IN ` + decidedTargets
)

// logEntries returns the statement that adds the entries of posts or comments, whose table has the alias.
func logEntries(alias, join, changes string) string {
	return modlog.Insert(modlog.Values{ID: "j.value ->> 1", Community: "p.community_id", Action: ":action", Target: alias + ".id",
		Author: alias + ".author_id", Rule: ":rule", Note: ":note"}, `FROM json_each(:list) j CROSS JOIN `+join+` WHERE `+changes+entryWhere)
}

// Gather adds the statements of a decision about posts and comments of one community to a transaction on its shard. allowed is the
// parameter of roles.ByModerator. Targets of other communities and targets that the decision can't change are skipped; if the community
// does not have the rule, all targets are. Each decision is in the log. It returns the ids of the entries, in the order of the targets.
func Gather(w *data.Write, s data.Source, a data.Actor, d Decision, allowed bool, targets ...data.ID) (entries []data.ID) {
	w.ChangeListings()
	pairs := map[bool][][2]data.ID{} // true: of comments
	var commentIDs, others []data.ID
	at := s.Now()
	for _, target := range targets {
		entry := s.NewID(target.Slot(), data.KindOther)
		entries = append(entries, entry)
		pairs[target.IsComment()] = append(pairs[target.IsComment()], [2]data.ID{target, entry})
		if target.IsComment() {
			commentIDs = append(commentIDs, target)
		} else {
			others = append(others, target)
		}
	}
	for _, kind := range []struct {
		comments    bool
		log, decide string
	}{{false, logPosts, decidePosts}, {true, logComments, decideComments}} {
		if len(pairs[kind.comments]) == 0 {
			continue
		}
		list := listOf(pairs[kind.comments])
		args := a.Args(data.Args{"list": list, "community": strings.ToLower(d.Community), "action": string(d.Action), "rule": d.Rule,
			"note":    d.Note,
			"general": slices.Contains(General, d.Rule), "allowed": allowed, "waiting": d.Waiting, "undoes": d.Undoes, "name": a.Name})
		change := data.Args{"list": list, "action": string(d.Action)}
		if !kind.comments {
			args["pins"] = PinsMax
			change["now"], change["at"], change["hot"] = s.DatabaseNow(), at, ranking.Hot(0, 0, at)
		}
		w.Do(kind.log, args)
		w.Do(kind.decide, change)
		if d.Action == modlog.Remove || d.Action == modlog.Hold {
			w.Do(forgetMentions, data.Args{"list": list})
		}
		if d.Action == modlog.Remove || d.Action == modlog.Approve {
			items := a.Args(data.Args{"list": list, "action": string(d.Action), "now": s.DatabaseNow()})
			w.Do(countItems, items)
			w.Do(decideItems, items) // trigger queue_items_notified
		}
	}
	modlog.Follow(w, d.Action, entries...)
	if d.Action == modlog.Hold {
		modlog.MarkUndone(w, entries...)
	} else if d.Action != modlog.Remove && d.Action != modlog.Approve {
		return entries
	}
	// A delta run removes a post from the hot sets or adds it again.
	outbox.EnqueueDecided(w, s, outbox.JobUpdate, entries, func(target data.ID) { w.EnqueueApply(target) })
	outbox.RegisterMessages(w, outbox.JobReported, targets...)
	if d.Action == modlog.Approve {
		outbox.EnqueueDecided(w, s, outbox.JobNotify, entries)
		if len(commentIDs) > 0 {
			w.Find(uncounted, data.Args{"targets": commentIDs}, func(r *data.Row) { w.EnqueueCountDeltas(r.ID()) }) // trigger comments_shown
		}
		if len(others) > 0 {
			posts.Release(w, s, others, at) // the held ones
		}
	}
	if len(commentIDs) > 0 {
		w.Do(comments.RankQuestions, data.Args{"targets": commentIDs})
	}
	return entries
}

// The posts of :targets, which are comments, with counts that wait to be applied. Primary key, primary key of count_deltas.
const uncounted = `SELECT c.post_id FROM json_each(:targets) j CROSS JOIN comments c ON c.id = j.value WHERE EXISTS (SELECT 1
  FROM count_deltas d WHERE d.post_id = c.post_id)`

func listOf(pairs [][2]data.ID) string {
	list := make([][2]int64, len(pairs))
	for i, p := range pairs {
		list[i] = [2]int64{int64(p[0]), int64(p[1])}
	}
	text, _ := json.Marshal(list) // encoding numbers can't fail
	return string(text)
}

var (
	// The result: whether the target exists and can be decided about, whether it is as the decision says, who decided so last, how many posts
	// are pinned, whether the rule is known, and whether this transaction has decided. Primary keys, index moderation_log_target.
	outcomeOfPost = `SELECT p.status IN ('published', 'archived', 'removed'), p.slug, CASE :action WHEN 'remove' THEN p.status = 'removed'
  AND p.held <> 1 WHEN 'approve' THEN p.status IN ('published', 'archived')
    WHEN 'lock' THEN p.locked = 1 WHEN 'unlock' THEN p.locked = 0 WHEN 'nsfw' THEN p.nsfw = 1 WHEN 'un-nsfw' THEN p.nsfw = 0
    WHEN 'spoiler' THEN p.spoiler = 1 WHEN 'un-spoiler' THEN p.spoiler = 0 WHEN 'pin' THEN p.pinned_at IS NOT NULL
  WHEN 'un-answer' THEN p.auto_reply = '' ELSE p.pinned_at IS NULL END, ` + outcome + `
FROM posts p LEFT JOIN moderation_log l ON l.id = (SELECT max(o.id) FROM moderation_log o WHERE o.target_id = p.id AND o.action = :action)
WHERE p.id = :target AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)`
	outcomeOfComment = `SELECT c.status IN ('published', 'removed'), p.slug,
  iif(:action = 'un-answer', c.auto_reply = '', c.status = iif(:action =
  'remove', 'removed', 'published') AND c.held <> 1), ` + outcome + `
FROM comments c CROSS JOIN posts p ON p.id = c.post_id
LEFT JOIN moderation_log l ON l.id = (SELECT max(o.id) FROM moderation_log o WHERE o.target_id = c.id AND o.action = :action)
WHERE c.id = :target AND p.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)`
	outcome = `l.actor_id, l.actor_name, ` + pinned + `, ` + modlog.RuleKnown +
		`, EXISTS (SELECT 1 FROM moderation_log x WHERE x.id = :entry), p.community_name`
)

var errNothing = &data.Error{Code: data.NotFound, Message: "There is no such post or comment in this community. It may have been deleted."}

// Decide decides about one post or comment. The first decision stays. A repetition by the same moderator changes nothing. Another moderator
// gets a Conflict that names the first. Invalid (a decision that can't be made about it, or a rule that the community does not have),
// Unauthenticated, Forbidden (not a moderator of the community, nor an approver if it is about removing and approving, nor an
// administrator), NotFound and Conflict (another moderator was first; or the maximum of posts is pinned).
func (s *Store) Decide(ctx context.Context, a data.Actor, d Decision, target data.ID) (*modlog.Outcome, error) {
	mistake := d.Validate(target)
	role := roles.Moderator
	if d.Action == modlog.Remove || d.Action == modlog.Approve {
		role = roles.Approver
	}
	authority, err := roles.Authorize(ctx, s.DB, a, d.Community, role, mistake)
	if err != nil {
		return nil, err
	}
	if !s.DB.Holds(authority.Shard, target) {
		return nil, errNothing
	}
	w := s.DB.WriteAt(authority.Home)
	entry := Gather(w, s.Source, a, d, authority.Allowed, target)[0]
	moderator := authority.Check(w)
	var there, decided, known, mine bool
	var by data.ID
	var name string
	var pins int64
	done := &modlog.Outcome{Target: target}
	sql := outcomeOfPost
	if target.IsComment() {
		sql = outcomeOfComment
	}
	w.Find(sql, data.Args{"target": target, "action": string(d.Action), "community": strings.ToLower(d.Community), "rule": d.Rule,
		"general": slices.Contains(General, d.Rule), "entry": entry}, func(r *data.Row) {
		there, done.Slug, decided = r.Bool(), r.Text(), r.Bool()
		by, name, pins, known, mine, done.Community = r.ID(), r.Text(), r.Int(), r.Bool(), r.Bool(), r.Text()
	})
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if err := moderator.Err(); err != nil {
		return nil, err
	}
	switch {
	case mine:
		done.Entries = []data.ID{entry}
		return done, nil
	case there && decided && by == a.UserID:
		return done, nil
	case !there:
		return nil, errNothing
	case !known:
		return nil, data.Mistake("rule", "This community has no such rule any more. Please choose another one.")
	case decided && name != "":
		return nil, &data.Error{Code: data.Conflict, Message: locale.With("{} was faster: that is decided already.", name)}
	case d.Action == modlog.Pin && pins >= PinsMax:
		return nil, &data.Error{Code: data.Conflict, Message: "Two posts are pinned already. Unpin one of them first."}
	case decided:
		return nil, &data.Error{Code: data.Conflict, Message: "It is like that already."}
	}
	return nil, &data.Error{Code: data.Conflict, Message: "That can't be done now. Please look at it again."}
}
