package modmail

import (
	"context"
	"errors"
	"strings"

	"plaza/data"
	"plaza/data/events/inbox"
)

const (
	// Primary keys, index conversation_messages_of. The same text twice in a row is not added, except a note that is then sent to the member.
	say = `INSERT INTO conversation_messages (id, conversation_id, author_id, side, body)
SELECT :message, c.id, :actor, ` + side + `, :body FROM conversations c
WHERE c.id = :id AND ` + mayWrite + ` AND NOT EXISTS (SELECT 1 FROM conversation_messages x WHERE ` + lastOfAll +
		` AND x.author_id = :actor AND x.body = :body AND x.side = ` + side + `)
  AND (SELECT count(*) FROM conversation_messages y WHERE y.conversation_id = c.id) < :most AND :message > ` + last +
		` AND ` + acts + ` ON CONFLICT DO NOTHING`
	mayWrite = `(c.user_id = :actor AND (c.status <> 'closed' OR ` + closedByMember + `) AND NOT :note OR ` + mayReply +
		` AND (:note OR c.decision_id <> 0 OR NOT ` + closedByMember + ` AND NOT ` + unwanted + ` AND NOT ` + unanswered + `))`
	side      = `iif(c.user_id = :actor, 'member', iif(:note, 'note', 'moderators'))`
	last      = `(SELECT coalesce(max(y.id), 0) FROM conversation_messages y WHERE y.conversation_id = c.id)`
	lastOfAll = `x.id = ` + last
	said      = `UPDATE conversations SET said_at = :at, status = CASE x.side WHEN 'member' THEN 'open' WHEN 'moderators' THEN 'answered'
  ELSE status END, taken_by = CASE x.side WHEN 'member' THEN nullif(taken_by, user_id) WHEN 'moderators' THEN x.author_id
  ELSE iif(taken_by IS user_id, taken_by, x.author_id) END FROM conversation_messages x WHERE conversations.id = :id AND x.id = :message
  AND x.id = (SELECT max(y.id) FROM conversation_messages y WHERE y.conversation_id = :id)`

	// Primary keys; index users_admins. Notes notify no member.
	notifyMember = `INSERT INTO inbox (user_id, kind, event, subject_id, post_id, community_name, slug, title, excerpt, created_at)
SELECT c.user_id, 'thread', 'from-moderators', x.id, c.id, coalesce(k.name, ''), '', c.subject, :excerpt, ` + data.DatabaseNow + `
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id LEFT JOIN communities k ON k.id = c.community_id
WHERE x.id = :message AND x.side = 'moderators' ON CONFLICT DO NOTHING`
	notifyModerators = `INSERT INTO inbox (user_id, kind, event, subject_id, post_id, community_name, slug, title, author_id, excerpt,
  created_at)
SELECT m.user_id, 'thread', 'to-moderators', x.id, c.id, k.name, '', c.subject, x.author_id, :excerpt, ` + data.DatabaseNow + `
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id CROSS JOIN communities k ON k.id = c.community_id
  CROSS JOIN moderators m ON m.community_id = c.community_id
WHERE x.id = :message AND x.side = 'member' AND m.user_id <> x.author_id AND m.role <> 'approver'
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = m.user_id AND b.blocked_id = x.author_id) AND (c.decider_id <> m.user_id` +
		elseLater + `) LIMIT :notified ON CONFLICT DO NOTHING`
	notifyAdmins = `INSERT INTO inbox (user_id, kind, event, subject_id, post_id, community_name, slug, title, author_id, excerpt, created_at)
SELECT a.id, 'thread', 'to-moderators', x.id, c.id, '', '', c.subject, x.author_id, :excerpt, ` + data.DatabaseNow + `
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id CROSS JOIN users a ON a.admin = 1
  AND a.status = 'active'
WHERE x.id = :message AND c.community_id = 0 AND x.side = 'member' AND a.id <> x.author_id AND (c.decider_id <> a.id` + elseLater +
		`) LIMIT :notified ON CONFLICT DO NOTHING`

	// The result.
	outcome = `SELECT EXISTS (SELECT 1 FROM conversation_messages x WHERE x.id = :message AND x.conversation_id = c.id
  AND x.author_id = :actor)
  OR EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = c.id AND x.author_id = :actor AND x.body = :body
  AND x.side = ` + side + ` AND ` + lastOfAll + `),
  c.user_id = :actor, ` + mayReply + `, c.status = 'closed', ` + closedByMember + `, ` + unwanted + `, ` + unanswered +
		`, ` + last + ` FROM conversations c WHERE c.id = :id`

	isLiveOrSuspended = `SELECT ` + liveOrSuspended
)

// Say adds a message to a conversation: of its member, of its moderators, or a note that only they read. A repetition adds nothing.
// Invalid, Unauthenticated, NotFound, Forbidden (the member blocks the moderator) and Conflict (it is closed, or full).
func (s *Store) Say(ctx context.Context, a data.Actor, conversation data.ID, text string, note bool) error {
	return s.say(ctx, a, 0, conversation, text, note)
}

// SaySuspended is Say for the member of the appeal against a suspension, who is suspended by it, has no session, and was authenticated in
// another way. Unauthenticated when the suspension has ended.
func (s *Store) SaySuspended(ctx context.Context, member, suspension, conversation data.ID, text string) error {
	return s.say(ctx, data.Actor{UserID: member}, suspension, conversation, text, false)
}

func (s *Store) say(ctx context.Context, a data.Actor, suspension, conversation data.ID, text string, note bool) error {
	text = strings.TrimSpace(text)
	if mistake := mistakeInText(text); mistake != nil {
		return mistake
	}
	message := s.Source.NewID(0, data.KindOther)
	for range 3 {
		last, err := s.add(ctx, a, suspension, conversation, message, text, note)
		if last == 0 {
			return err
		}
		message = s.Source.NewIDAfter(last, data.KindOther) // the clock of the instance that has added the last one is ahead
	}
	return data.UnavailableBecause(errOthersWrite)
}

var errOthersWrite = errors.New("others write to the conversation at the same time")

// add adds a message with an id. The messages of a conversation are in the order of their ids. So if there is one with a later id, it adds
// nothing and returns that id.
func (s *Store) add(ctx context.Context, a data.Actor, suspension, conversation, message data.ID, text string, note bool) (later data.ID,
	err error) {
	w := s.DB.Write()
	w.Do(say, a.Args(data.Args{"suspension": suspension, "id": conversation, "message": message, "body": text, "note": note,
		"most": MessagesMax, "unanswered": UnansweredMax, "roles": int(a.Roles), "later": s.later()}))
	s.gatherSaid(w, conversation, message, text)
	var done, member, moderator, closed, closedByMember, unwanted, unanswered, live bool
	var last data.ID
	w.Find(outcome, data.Args{"id": conversation, "message": message, "actor": a.UserID, "body": text, "note": note,
		"unanswered": UnansweredMax, "roles": int(a.Roles), "later": s.later()}, func(r *data.Row) {
		done, member, moderator, closed, closedByMember, unwanted, unanswered = r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(),
			r.Bool()
		last = r.ID()
	})
	lacking := rolesLacking(w, a, conversation, s.later())
	w.Find(isLiveOrSuspended, a.Args(data.Args{"suspension": suspension}), func(r *data.Row) { live = r.Bool() })
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	switch {
	case !live:
		return 0, data.ErrSessionEnded
	case *lacking != nil:
		return 0, *lacking
	case done:
		return 0, nil
	case !member && !moderator, member && note:
		return 0, errNoConversation
	case closed && member && !closedByMember:
		return 0, &data.Error{Code: data.Conflict, Message: "The moderators have closed this conversation. You can begin another one."}
	case moderator && closedByMember:
		return 0, &data.Error{Code: data.Conflict, Message: "The member has closed this conversation. You can still add a note."}
	case moderator && unwanted:
		return 0, &data.Error{Code: data.Forbidden, Message: "They block you. Another moderator can answer, and you can still add a note."}
	}
	if moderator && unanswered && !note {
		return 0, &data.Error{Code: data.Conflict, Message: "You have written five messages in a row. Please wait until they answer; you can " +
			"still add a note."}
	}
	if last > message {
		return last, nil
	}
	return 0, &data.Error{Code: data.Conflict, Message: "This conversation has 200 messages. Please begin another one."}
}

// gatherSaid adds the statements that must follow a new message: the conversation's state, inbox entries and a mail.
func (s *Store) gatherSaid(w *data.Write, conversation, message data.ID, text string) {
	w.Do(said, data.Args{"id": conversation, "message": message, "at": message.Time()})
	args := func(more data.Args) data.Args {
		all := data.Args{"message": message, "excerpt": excerpt(text), "now": s.Source.DatabaseNow()}
		for name, v := range more {
			all[name] = v
		}
		return all
	}
	w.Do(notifyMember, args(nil))
	w.Do(notifyModerators, args(data.Args{"notified": notifiedMax, "later": s.later()}))
	w.Do(notifyAdmins, args(data.Args{"notified": notifiedMax, "later": s.later()}))
	inbox.EnqueueMessageMail(w, s.Source, conversation, message)
}

func excerpt(text string) string {
	line := []rune(data.Line(text))
	return string(line[:min(len(line), excerptMax)])
}
