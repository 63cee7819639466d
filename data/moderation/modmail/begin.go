package modmail

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/inbox"
)

// NewConversation is a new conversation.
type NewConversation struct {
	Community string // "" for the administrators
	To        string // the member, if a moderator begins; "" for a member's own
	Subject   string
	About     string // address of a post or comment; "" none
	Text      string
	Decision  data.ID // entry of the log that it appeals against; 0 none. It must be about the actor.
	Decider   data.ID // who has made that decision; 0 is an automatic rule
	Suspended bool    // the actor is suspended by that decision, has no session, and was authenticated in another way
}

// Validate checks the fields. Invalid.
func (b *NewConversation) Validate() error {
	b.Subject, b.Text, b.To = data.Line(strings.TrimSpace(b.Subject)), strings.TrimSpace(b.Text), strings.TrimSpace(b.To)
	return data.AllMistakes(
		data.MistakeIf(b.Subject == "", "title", "Please say in a few words what it is about."),
		data.MistakeIf(utf8.RuneCountInString(b.Subject) > SubjectMax, "title", "A subject has at most 150 characters."),
		mistakeInText(b.Text))
}

const (
	// Unique indexes, primary keys; index conversations_status. A moderator may begin a conversation with another member who does not block
	// them.
	begin = `INSERT INTO conversations (id, community_id, user_id, subject, about, status, taken_by, said_at, decision_id, decider_id)
SELECT c.id, c.community_id, c.user_id, :subject, :about, iif(c.user_id = :actor, 'open', 'answered'), iif(c.user_id = :actor, NULL,
  :actor), :at, c.decision_id, c.decider_id
FROM (SELECT :id AS id, :decision AS decision_id, :decider AS decider_id, '' AS verdict, iif(:community = '' OR :decision <> 0 AND ` +
		unmoderated + `, 0, (SELECT k.id FROM communities k WHERE k.name_key = :community)) AS community_id,
  iif(:to = '', :actor, (SELECT u.id FROM users u WHERE u.username_key = :to)) AS user_id) c
WHERE c.community_id IS NOT NULL AND c.user_id IS NOT NULL AND (c.user_id = :actor OR ` + mayReply + ` AND NOT ` + unwanted +
		` AND (c.community_id = 0 OR :been AND NOT ` + pressed + `))
  AND (c.community_id = 0 OR EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.community_id AND m.role <> 'approver'))
  AND (c.user_id <> :actor OR c.decision_id <> 0 OR (SELECT count(*) FROM conversations o WHERE o.user_id = :actor
  AND o.community_id = c.community_id AND o.status = 'open') < :most)
  AND (c.decision_id <> 0 OR NOT EXISTS (SELECT 1 FROM conversations o WHERE o.user_id = c.user_id AND o.community_id = c.community_id
  AND ` + sameForm + `))
  AND ` + acts + ` ON CONFLICT DO NOTHING`

	// A conversation that the actor has begun with the same text in the past hour, without later messages. Then the form was sent twice.
	// Indexes conversations_user, conversation_messages_of.
	sameForm = `o.said_at > :recent AND o.id > :recent_id AND o.subject = :subject AND o.about = :about AND o.decision_id = 0
  AND o.status <> 'closed'
  AND EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = o.id AND x.author_id = :actor AND x.body = :body)
  AND (SELECT count(*) FROM conversation_messages x WHERE x.conversation_id = o.id) = 1`
	begunBefore = `SELECT o.id FROM conversations o
WHERE o.user_id = iif(:to = '', :actor, (SELECT u.id FROM users u WHERE u.username_key = :to))
  AND o.community_id = iif(:community = '', 0, (SELECT k.id FROM communities k WHERE k.name_key = :community)) AND ` + sameForm + `
ORDER BY o.said_at LIMIT 1`

	// Unique indexes, primary keys; index conversations_user, all rows of the member.
	known = `SELECT u.id, u.username, k.id, EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = u.id AND s.community_id = k.id)
  OR EXISTS (SELECT 1 FROM conversations o WHERE o.user_id = u.id AND o.community_id = k.id
    AND EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = o.id AND x.side = 'member'))
FROM users u CROSS JOIN communities k ON k.name_key = :community WHERE u.username_key = :to`

	// Why it did not begin.
	whyNot = `SELECT ` + liveOrSuspended + `, :community = '' OR EXISTS (SELECT 1 FROM communities k WHERE k.name_key = :community),
  :community = '' OR EXISTS (SELECT 1 FROM communities k CROSS JOIN moderators m ON m.community_id = k.id AND m.role <> 'approver'
  WHERE k.name_key = :community), :to = '' OR EXISTS (SELECT 1 FROM users u WHERE u.username_key = :to),
  ` + data.ByAdmin + ` OR EXISTS (SELECT 1 FROM communities k CROSS JOIN moderators m ON m.community_id = k.id AND m.user_id = :actor
  AND m.role <> 'approver' WHERE k.name_key = :community),
  :to <> '' AND :community <> '' AND EXISTS (SELECT 1 FROM users u CROSS JOIN blocks b ON b.blocker_id = u.id AND b.blocked_id = :actor
  WHERE u.username_key = :to)`
)

// wasActive reports whether a member has written in a community, subscribed, reported something there, or written to its moderators.
// Moderators can't write first to other members. Without a community or a member it is false.
func (s *Store) wasActive(ctx context.Context, community, to string) (bool, error) {
	if community == "" || to == "" {
		return false, nil
	}
	var member, place data.ID
	name, there := "", false
	r := s.DB.Read()
	r.Find(known, data.Args{"community": community, "to": to}, func(row *data.Row) {
		member, name, place, there = row.ID(), row.Text(), row.ID(), row.Bool()
	})
	if err := r.Run(ctx); err != nil || member == 0 || there {
		return there, err
	}
	r = s.DB.Read()
	activity := inbox.FindActivity(r, data.At(place), place, member, name)
	err := r.Run(ctx)
	return activity.Wrote || activity.Reported, err
}

// sameFor is how long a form that begins a conversation with the same text counts as a repetition.
const sameFor = time.Hour

// Begin begins a conversation and returns its id. The same form, sent again, begins no second one. Invalid, Unauthenticated, Forbidden
// (only moderators write to a member first, and not to one who blocks them), NotFound (no such community or member) and Conflict (too
// many wait for a reply; the community has no moderators).
func (s *Store) Begin(ctx context.Context, a data.Actor, b NewConversation) (data.ID, error) {
	if err := b.Validate(); err != nil {
		return 0, err
	}
	if b.To != "" && !a.Roles.May(b.Community) {
		return 0, errRoles(b.Community != "")
	}
	id, message := s.Source.NewID(0, data.KindOther), s.Source.NewID(0, data.KindOther)
	community, to := strings.ToLower(b.Community), strings.ToLower(b.To)
	active, err := s.wasActive(ctx, community, to)
	if err != nil {
		return 0, err
	}
	w := s.DB.Write()
	suspension := data.ID(0)
	if b.Suspended {
		suspension = b.Decision
	}
	recent := message.Time().Add(-sameFor)
	w.Do(begin, a.Args(data.Args{"suspension": suspension, "id": id, "community": community, "to": to, "subject": b.Subject, "about": b.About,
		"at": message.Time(), "most": OpenMax, "been": active, "long": message.Time().Add(-longPause),
		"pause": data.NewID(message.Time().Add(-pause), 0, data.KindOther, 0), "decision": b.Decision, "decider": b.Decider,
		"body": b.Text, "recent": recent, "recent_id": data.NewID(recent, 0, data.KindOther, 0), "roles": int(a.Roles), "later": s.later()}))
	w.Do(countAppeal, data.Args{"id": id})
	w.Do(say, a.Args(data.Args{"suspension": suspension, "id": id, "message": message, "body": b.Text, "note": false, "most": MessagesMax,
		"unanswered": UnansweredMax, "roles": int(a.Roles), "later": s.later()}))
	s.gatherSaid(w, id, message, b.Text)
	var begun, live, there, moderated, known, may, blocked bool
	w.Find(outcome, data.Args{"id": id, "message": message, "actor": a.UserID, "body": b.Text, "note": false, "unanswered": UnansweredMax,
		"roles": int(a.Roles), "later": s.later()}, func(r *data.Row) { begun = r.Bool() })
	w.Find(whyNot, a.Args(data.Args{"community": community, "to": to, "suspension": suspension}), func(r *data.Row) {
		live, there, moderated, known, may, blocked = r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool()
	})
	var appeal, before data.ID
	w.Find(begunBefore, data.Args{"actor": a.UserID, "community": community, "to": to, "subject": b.Subject, "about": b.About, "body": b.Text,
		"recent": recent, "recent_id": data.NewID(recent, 0, data.KindOther, 0)}, func(r *data.Row) { before = r.ID() })
	same := false
	if b.Decision != 0 {
		w.Find(appealed, data.Args{"decision": b.Decision, "actor": a.UserID, "body": b.Text}, func(r *data.Row) {
			appeal, same = r.ID(), r.Bool()
		})
	}
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	switch {
	case live && appeal != 0 && same: // the form was sent twice
		return appeal, nil
	case live && appeal != 0 && !begun:
		return 0, &data.Error{Code: data.Conflict, Message: "You have already appealed this. Please write in that conversation."}
	case begun:
		return id, nil
	case live && before != 0 && b.Decision == 0: // the form was sent twice
		return before, nil
	case !live:
		return 0, data.ErrSessionEnded
	case !there:
		return 0, data.ErrNoCommunity
	case b.To != "" && !may:
		return 0, &data.Error{Code: data.Forbidden, Message: "Only moderators can write to a member first."}
	case !known:
		return 0, &data.Error{Code: data.NotFound, Field: "user", Message: "There is no member of that name."}
	case blocked:
		return 0, &data.Error{Code: data.Forbidden, Message: "You can't write to this member."}
	case b.To != "" && b.Community != "" && !active:
		return 0, &data.Error{Code: data.Forbidden, Message: "You can write first to members who have written in your community, joined it, " +
			"reported something there or written to you."}
	case b.To != "" && b.Community != "" && moderated:
		return 0, &data.Error{Code: data.Conflict, Message: "Your community wrote to this member first within a day, or they closed such a " +
			"conversation within 30 days. Please write in that one, or wait."}
	case !moderated:
		return 0, &data.Error{Code: data.Conflict, Message: "Nobody moderates this community. Please write to the administrators of the site."}
	}
	return 0, &data.Error{Code: data.Conflict, Message: "Five of your conversations wait for an answer. Please wait, or write in one of them."}
}
