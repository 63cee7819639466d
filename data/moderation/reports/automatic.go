package reports

import (
	"encoding/json"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/events/modlog"
	"plaza/data/events/outbox"
	"plaza/data/moderation/transparency"
	"plaza/data/rights/rules"
)

var (
	// A rule hits an item once, when enough of its reports are by members. Primary keys.
	hitByReports = `INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at)
SELECT q.target_id, :rule, :site, q.community_id, :title, '', :queued, ` + data.DatabaseNow + ` FROM queue_items q
WHERE q.target_id = :target AND q.status = 'open' AND q.reports >= :reports AND ` + rules.ByMembers + ` >= :reports
ON CONFLICT DO NOTHING`

	// The entries of the log, which have no actor. They must follow the hit directly, and the consequences must follow them: changes() is
	// how many rows were added. If the transaction is sent again, none are. :acts has for each an action, the id of its entry, the cited
	// rule and the message to the author.
	logActsOnPost = logActs("p", `posts p ON p.id = :target WHERE changes() > 0 AND p.status IN ('published', 'archived')
  AND CASE j.value ->> 0 WHEN 'lock' THEN p.locked = 0 WHEN 'nsfw' THEN p.nsfw = 0 WHEN 'spoiler' THEN p.spoiler = 0 ELSE 1 END`)
	logActsOnComment = logActs("c", `comments c ON c.id = :target CROSS JOIN posts p ON p.id = c.post_id
WHERE changes() > 0 AND c.status = 'published'`)
	changePost = `UPDATE posts SET status = iif(:gone, 'removed', status), locked = locked OR :lock, nsfw = nsfw OR :nsfw, spoiler = spoiler
  OR :spoiler
WHERE changes() > 0 AND id = :target`
	// The public reply below the item. It is between the hit and the entries of the log, and changes one row if there is a hit.
	setAutoReplyOfPost = `UPDATE posts SET auto_reply = :auto_reply
WHERE changes() > 0 AND id = :target AND status IN ('published', 'archived')`
	setAutoReplyOfComment = `UPDATE comments SET auto_reply = :auto_reply WHERE changes() > 0 AND id = :target AND status = 'published'`

	removeComment = `UPDATE comments SET status = 'removed' WHERE changes() > 0 AND id = :target`

	// The new state of the waiting item, and its mentions: as in moderation.Gather.
	byEntry    = ` AND EXISTS (SELECT 1 FROM moderation_log l WHERE l.id = :entry)`
	openItem   = `target_id = :target AND status = 'open'` + byEntry
	holdItem   = `UPDATE queue_items SET held = 1 WHERE ` + openItem
	countItem  = transparency.CountingItems("'remove'", openItem)
	removeItem = `UPDATE queue_items SET status = 'decided', decision = 'remove', decided_by = 0, decided_at = ` + data.DatabaseNow +
		` WHERE ` + openItem
	forgetNames = `DELETE FROM mentions WHERE subject_id = :target` + byEntry
)

// logActs returns the statement that adds the entries about a post or a comment, whose table has the alias.
func logActs(alias, join string) string {
	return modlog.Insert(modlog.Values{ID: "j.value ->> 1", Community: "p.community_id", Action: "j.value ->> 0", Target: alias + ".id",
		Author: alias + ".author_id", Rule: "j.value ->> 2", Note: "j.value ->> 3", Automatic: true}, `FROM json_each(:acts) j CROSS JOIN `+join)
}

// logged are the actions that rules log when they act on reports, with their names in the log.
var logged = []struct {
	does   rules.Action
	action modlog.Action
}{{rules.Remove, modlog.Remove}, {rules.Hold, modlog.Hold}, {rules.Lock, modlog.Lock}, {rules.NSFW, modlog.NSFW},
	{rules.Spoiler, modlog.Spoiler}}

// gatherRules adds the actions of rules on an item that has as many reports as they require. An item that they hold was public before: it
// is removed until a moderator decides, and an approval restores it with its votes and replies.
func (s *Store) gatherRules(w *data.Write, t *Thing) {
	var entries []data.ID
	byAction := map[modlog.Action][]data.ID{}
	for _, rule := range t.RulesHit {
		w.Do(hitByReports, data.Args{"target": t.ID, "rule": rule.ID, "site": rule.OfSite(), "title": rule.Title, "reports": rule.Reports,
			"now":    s.Source.DatabaseNow(),
			"queued": !rule.Does(rules.Remove) && (rule.Does(rules.Hold) || rule.Does(rules.Report))})
		if sql := setAutoReplyOfPost; rule.Does(rules.AutoReply) {
			if t.ID.IsComment() {
				sql = setAutoReplyOfComment
			}
			w.Do(sql, data.Args{"target": t.ID, "auto_reply": rule.ReplyHTML})
		}
		var acts [][4]any
		var gone data.ID // the entry that hides it
		for _, x := range logged {
			removes := x.does == rules.Remove || x.does == rules.Hold
			if !rule.Does(x.does) || t.ID.IsComment() && !removes || x.does == rules.Hold && gone != 0 {
				continue
			}
			entry, act := s.Source.NewID(t.ID.Slot(), data.KindOther), [4]any{string(x.action), nil, "", ""}
			if act[1] = int64(entry); removes {
				gone, act[3] = entry, rule.Message
			}
			if x.does == rules.Remove {
				act[2] = rule.Reason
			}
			acts, entries, byAction[x.action] = append(acts, act), append(entries, entry), append(byAction[x.action], entry)
		}
		if len(acts) == 0 {
			continue
		}
		list, _ := json.Marshal(acts) // encoding texts and numbers can't fail
		if args := (data.Args{"target": t.ID, "acts": string(list)}); t.ID.IsComment() {
			w.Do(logActsOnComment, args)
			w.Do(removeComment, data.Args{"target": t.ID})
		} else {
			w.Do(logActsOnPost, args)
			w.Do(changePost, data.Args{"target": t.ID, "gone": gone != 0, "lock": rule.Does(rules.Lock), "nsfw": rule.Does(rules.NSFW),
				"spoiler": rule.Does(rules.Spoiler)})
		}
		if gone == 0 {
			continue
		}
		if args := (data.Args{"target": t.ID, "entry": gone}); rule.Does(rules.Remove) {
			args["now"] = s.Source.DatabaseNow()
			w.Do(countItem, args)
			w.Do(removeItem, args)
		} else {
			w.Do(holdItem, args)
		}
		w.Do(forgetNames, data.Args{"target": t.ID, "entry": gone})
	}
	if len(entries) == 0 {
		return
	}
	w.ChangeListings()
	outbox.EnqueueDecided(w, s.Source, outbox.JobUpdate, entries, func(target data.ID) { w.EnqueueApply(target) })
	for _, x := range logged {
		modlog.Follow(w, x.action, byAction[x.action]...)
	}
	outbox.RegisterMessages(w, outbox.JobReported, t.ID) // trigger queue_items_notified
	if t.ID.IsComment() {
		w.Do(comments.RankQuestions, data.Args{"targets": []data.ID{t.ID}})
	}
}
