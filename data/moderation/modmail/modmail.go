// Package modmail stores conversations between a member and the moderators of a community, or the administrators. All of it is in the
// directory, where the lists of moderators and the inboxes are. Messages never change: the trigger conversation_messages_stay refuses
// updates.
//
// A conversation is a row of conversations and its rows of conversation_messages. So one transaction adds a message, notes whether a reply
// is due (status) and notifies the others. The community_id of a conversation with the administrators is 0. The statements that read or
// write have the condition that the actor is the member or one of the moderators. Messages are plain text.
//
// # Appeals
//
// An appeal is a conversation with a decision_id and a decider_id: the entry of the log, and the moderator who made that decision. A unique
// index allows one appeal for each decision. For 48 hours the decider can't read, list or answer the appeal, unless nobody else could
// answer it. Every statement has that condition (elseLater in appeal.go). Package appeals begins and decides them.
package modmail

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/delivery/inbox"
	"plaza/data/moderation/reputation"
)

// Store keeps conversations.
type Store struct {
	DB     *data.DB
	Source data.Source
}

const (
	// TextMax is how long a message may be, in characters.
	TextMax = 2000
	// SubjectMax is how long a subject may be, in characters.
	SubjectMax = 150
	// MessagesMax is how many messages a conversation has at most.
	MessagesMax = 200
	// OpenMax is how many conversations a member may have with the same moderators that wait for an answer.
	OpenMax = 5
	// UnansweredMax is how many messages the moderators of a community may write in a row, until the member answers.
	UnansweredMax = 5
	// pause is how long moderators wait before they begin another conversation with the same member, and longPause is the same after the
	// member has closed one that they had begun.
	pause, longPause = 24 * time.Hour, 30 * 24 * time.Hour
	// notifiedMax bounds how many moderators are told of a message.
	notifiedMax = 100
	// excerptMax is how many characters of a message an inbox shows.
	excerptMax = 200
)

// Status says who is to write next.
type Status string

// The states of a conversation.
const (
	Open     Status = "open" // moderators are to answer
	Answered Status = "answered"
	Closed   Status = "closed" // the other side can't write any more; who has closed it can, which opens it
)

// Begin is a new conversation.
type Begin struct {
	Community string // "" for the administrators
	To        string // the member, where a moderator begins; "" for a member's own
	Subject   string
	About     string // address of a post or comment; "" none
	Text      string
	Decision  data.ID // entry of the log that it appeals against; 0 none. The actor has to be who it is about.
	Decider   data.ID // who has decided that; 0 is an automatic rule
	Suspended bool    // the actor is suspended by that decision, has no session, and has shown who they are otherwise
}

// Validate checks the fields. Invalid.
func (b *Begin) Validate() error {
	b.Subject, b.Text, b.To = data.Line(strings.TrimSpace(b.Subject)), strings.TrimSpace(b.Text), strings.TrimSpace(b.To)
	return data.AllMistakes(
		data.MistakeIf(b.Subject == "", "title", "Please say in a few words what it is about."),
		data.MistakeIf(utf8.RuneCountInString(b.Subject) > SubjectMax, "title", "A subject has at most 150 characters."),
		mistakeInText(b.Text))
}

func mistakeInText(text string) error {
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return data.Mistake("text", "Please write something.")
	case n > TextMax:
		return data.Mistake("text", "A message has at most 2,000 characters.")
	}
	return nil
}

const (
	// mayAnswer is a condition: the actor answers for the moderators of conversation c. :roles are those that the actor may use.
	mayAnswer = `((:roles = 0 OR :roles = 1 AND c.community_id <> 0) AND ` + answers + `)`
	// answers is the same in all of the member's roles.
	answers = `(c.user_id <> :actor AND (EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.community_id AND m.user_id = :actor
  AND m.role <> 'approver') OR ` + accounts.ByAdmin + `)
  AND (c.decider_id <> :actor` + elseLater + `))`

	// unwanted is a condition: the member of conversation c blocks the actor. Administrators write all the same.
	unwanted = `(c.community_id <> 0 AND EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = c.user_id AND b.blocked_id = :actor))`
	// left is a condition: the member of conversation c has closed it. Then taken_by is the member.
	left = `(c.status = 'closed' AND c.taken_by IS c.user_id)`

	// pressed is a condition: the moderators of conversation c, which is new, have begun another with the member less than :pause ago, or one
	// that the member has closed since :long. Index conversations_user; index conversation_messages_of.
	pressed = `EXISTS (SELECT 1 FROM conversations o WHERE o.user_id = c.user_id AND o.said_at > :long AND o.community_id = c.community_id
  AND (o.id > :pause OR o.status = 'closed' AND o.taken_by IS o.user_id)
  AND (SELECT x.side FROM conversation_messages x WHERE x.conversation_id = o.id ORDER BY x.id LIMIT 1) = 'moderators')`
	// unanswered is a condition: the moderators of a community have written as much in conversation c as they may before the member answers.
	// Index conversation_messages_of.
	unanswered = `(c.community_id <> 0 AND (SELECT count(*) FROM conversation_messages y WHERE y.conversation_id = c.id
  AND y.side = 'moderators' AND y.id > coalesce((SELECT max(z.id) FROM conversation_messages z WHERE z.conversation_id = c.id
  AND z.side = 'member'), 0)) >= :unanswered)`

	// liveOrSuspended is a condition: the actor's session is live. Where :suspension is given, it is another: the actor is suspended by that
	// entry of the log.
	liveOrSuspended = `iif(:suspension = 0, ` + data.LiveSession + `, EXISTS (SELECT 1 FROM users s WHERE s.id = :actor
  AND s.suspension = :suspension AND s.status <> 'active'))`
	// acts is the same for conversation c: without a session, a member writes in the appeal against that suspension alone.
	acts = `(` + liveOrSuspended + ` AND (:suspension = 0 OR c.user_id = :actor AND c.decision_id = :suspension))`

	// Unique indexes, primary keys; index conversations_status. A moderator begins one with somebody else, whom they are not blocked by.
	begin = `INSERT INTO conversations (id, community_id, user_id, subject, about, status, taken_by, said_at, decision_id, decider_id)
SELECT c.id, c.community_id, c.user_id, :subject, :about, iif(c.user_id = :actor, 'open', 'answered'), iif(c.user_id = :actor, NULL,
  :actor), :at, c.decision_id, c.decider_id
FROM (SELECT :id AS id, :decision AS decision_id, :decider AS decider_id, '' AS verdict, iif(:community = '' OR :decision <> 0 AND ` +
		unmoderated + `, 0, (SELECT k.id FROM communities k WHERE k.name_key = :community)) AS community_id,
  iif(:to = '', :actor, (SELECT u.id FROM users u WHERE u.username_key = :to)) AS user_id) c
WHERE c.community_id IS NOT NULL AND c.user_id IS NOT NULL AND (c.user_id = :actor OR ` + mayAnswer + ` AND NOT ` + unwanted +
		` AND (c.community_id = 0 OR :been AND NOT ` + pressed + `))
  AND (c.community_id = 0 OR EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.community_id AND m.role <> 'approver'))
  AND (c.user_id <> :actor OR c.decision_id <> 0 OR (SELECT count(*) FROM conversations o WHERE o.user_id = :actor
  AND o.community_id = c.community_id AND o.status = 'open') < :most)
  AND ` + acts + ` ON CONFLICT DO NOTHING`

	// Primary keys, index conversation_messages_of. The same text twice in a row is sent by accident; a note that is then sent to the member
	// is not.
	say = `INSERT INTO conversation_messages (id, conversation_id, author_id, side, body)
SELECT :message, c.id, :actor, ` + side + `, :body FROM conversations c
WHERE c.id = :id AND ` + mayWrite + ` AND NOT EXISTS (SELECT 1 FROM conversation_messages x WHERE ` + lastOfAll +
		` AND x.author_id = :actor AND x.body = :body AND x.side = ` + side + `)
  AND (SELECT count(*) FROM conversation_messages y WHERE y.conversation_id = c.id) < :most AND ` + acts + ` ON CONFLICT DO NOTHING`
	mayWrite = `(c.user_id = :actor AND (c.status <> 'closed' OR ` + left + `) AND NOT :note OR ` + mayAnswer +
		` AND (:note OR c.decision_id <> 0 OR NOT ` + left + ` AND NOT ` + unwanted + ` AND NOT ` + unanswered + `))`
	side      = `iif(c.user_id = :actor, 'member', iif(:note, 'note', 'moderators'))`
	lastOfAll = `x.id = (SELECT max(y.id) FROM conversation_messages y WHERE y.conversation_id = c.id)`
	said      = `UPDATE conversations SET said_at = :at, status = CASE x.side WHEN 'member' THEN 'open' WHEN 'moderators' THEN 'answered'
  ELSE status END, taken_by = CASE x.side WHEN 'member' THEN nullif(taken_by, user_id) WHEN 'moderators' THEN x.author_id
  ELSE iif(taken_by IS user_id, taken_by, x.author_id) END FROM conversation_messages x WHERE conversations.id = :id AND x.id = :message`

	// Unique indexes, primary keys; index conversations_user, all of the member's.
	known = `SELECT u.id, u.username, k.id, EXISTS (SELECT 1 FROM subscriptions s WHERE s.user_id = u.id AND s.community_id = k.id)
  OR EXISTS (SELECT 1 FROM conversations o WHERE o.user_id = u.id AND o.community_id = k.id
    AND EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = o.id AND x.side = 'member'))
FROM users u CROSS JOIN communities k ON k.name_key = :community WHERE u.username_key = :to`

	// Primary keys; index users_admins. Notes are told to nobody.
	notifyMember = `INSERT INTO inbox (user_id, kind, notice, subject_id, post_id, community_name, slug, title, excerpt, created_at)
SELECT c.user_id, 'thread', 'from-moderators', x.id, c.id, coalesce(k.name, ''), '', c.subject, :excerpt, ` + data.DatabaseNow + `
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id LEFT JOIN communities k ON k.id = c.community_id
WHERE x.id = :message AND x.side = 'moderators' ON CONFLICT DO NOTHING`
	notifyModerators = `INSERT INTO inbox (user_id, kind, notice, subject_id, post_id, community_name, slug, title, author_id, excerpt,
  created_at)
SELECT m.user_id, 'thread', 'to-moderators', x.id, c.id, k.name, '', c.subject, x.author_id, :excerpt, ` + data.DatabaseNow + `
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id CROSS JOIN communities k ON k.id = c.community_id
  CROSS JOIN moderators m ON m.community_id = c.community_id
WHERE x.id = :message AND x.side = 'member' AND m.user_id <> x.author_id AND m.role <> 'approver'
  AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = m.user_id AND b.blocked_id = x.author_id) AND (c.decider_id <> m.user_id` +
		elseLater + `) LIMIT :told ON CONFLICT DO NOTHING`
	notifyAdmins = `INSERT INTO inbox (user_id, kind, notice, subject_id, post_id, community_name, slug, title, author_id, excerpt, created_at)
SELECT a.id, 'thread', 'to-moderators', x.id, c.id, '', '', c.subject, x.author_id, :excerpt, ` + data.DatabaseNow + `
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id CROSS JOIN users a ON a.admin = 1
  AND a.status = 'active'
WHERE x.id = :message AND c.community_id = 0 AND x.side = 'member' AND a.id <> x.author_id AND (c.decider_id <> a.id` + elseLater +
		`) LIMIT :told ON CONFLICT DO NOTHING`

	// What became of it.
	outcome = `SELECT EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = c.id AND x.author_id = :actor AND x.body = :body
  AND x.side = ` + side + ` AND ` + lastOfAll + `),
  c.user_id = :actor, ` + mayAnswer + `, c.status = 'closed', ` + left + `, ` + unwanted + `, ` + unanswered +
		` FROM conversations c WHERE c.id = :id`
	whyNot = `SELECT ` + liveOrSuspended + `, :community = '' OR EXISTS (SELECT 1 FROM communities k WHERE k.name_key = :community),
  :community = '' OR EXISTS (SELECT 1 FROM communities k CROSS JOIN moderators m ON m.community_id = k.id AND m.role <> 'approver'
  WHERE k.name_key = :community), :to = '' OR EXISTS (SELECT 1 FROM users u WHERE u.username_key = :to),
  ` + accounts.ByAdmin + ` OR EXISTS (SELECT 1 FROM communities k CROSS JOIN moderators m ON m.community_id = k.id AND m.user_id = :actor
  AND m.role <> 'approver' WHERE k.name_key = :community),
  :to <> '' AND :community <> '' AND EXISTS (SELECT 1 FROM users u CROSS JOIN blocks b ON b.blocker_id = u.id AND b.blocked_id = :actor
  WHERE u.username_key = :to)`
)

// gatherSaid gathers what follows from a message that was gathered just before.
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
	w.Do(notifyModerators, args(data.Args{"told": notifiedMax, "later": s.later()}))
	w.Do(notifyAdmins, args(data.Args{"told": notifiedMax, "later": s.later()}))
	inbox.LeaveMessageMail(w, s.Source, conversation, message)
}

// been tells whether a member has been in a community: has written there, subscribed, reported something, or written to its moderators.
// Moderators write first to nobody else. Without a community or a member it is false.
func (s *Store) been(ctx context.Context, community, to string) (bool, error) {
	if community == "" || to == "" {
		return false, nil
	}
	var member, place data.ID
	name, there := "", false
	r := s.DB.Read()
	r.Find(data.Directory, known, data.Args{"community": community, "to": to}, func(row *data.Row) {
		member, name, place, there = row.ID(),
			row.Text(), row.ID(), row.Bool()
	})
	if err := r.Run(ctx); err != nil || member == 0 || there {
		return there, err
	}
	r = s.DB.Read()
	been := reputation.FindBeen(r, data.HomeOfID(place), place, member, name)
	err := r.Run(ctx)
	return been.Wrote || been.Reported, err
}

func excerpt(text string) string {
	line := []rune(data.Line(text))
	return string(line[:min(len(line), excerptMax)])
}

// Begin begins a conversation and returns its id. Invalid, Unauthenticated, Forbidden (only moderators write to a member first, and not to
// one who blocks them), NotFound (no such community or member) and Conflict (too many wait for an answer; nobody moderates the community).
func (s *Store) Begin(ctx context.Context, a data.Actor, b Begin) (data.ID, error) {
	if err := b.Validate(); err != nil {
		return 0, err
	}
	if b.To != "" && !a.Roles.May(b.Community) {
		return 0, errRoles(b.Community != "")
	}
	id, message := s.Source.NewID(0, data.KindOther), s.Source.NewID(0, data.KindOther)
	community, to := strings.ToLower(b.Community), strings.ToLower(b.To)
	been, err := s.been(ctx, community, to)
	if err != nil {
		return 0, err
	}
	w := s.DB.Write(data.Directory)
	suspension := data.ID(0)
	if b.Suspended {
		suspension = b.Decision
	}
	w.Do(begin, a.Args(data.Args{"suspension": suspension, "id": id, "community": community, "to": to, "subject": b.Subject, "about": b.About,
		"at": message.Time(), "most": OpenMax, "been": been, "long": message.Time().Add(-longPause),
		"pause": data.NewID(message.Time().Add(-pause), 0, data.KindOther, 0), "decision": b.Decision, "decider": b.Decider,
		"roles": int(a.Roles), "later": s.later()}))
	w.Do(say, a.Args(data.Args{"suspension": suspension, "id": id, "message": message, "body": b.Text, "note": false, "most": MessagesMax,
		"unanswered": UnansweredMax, "roles": int(a.Roles), "later": s.later()}))
	s.gatherSaid(w, id, message, b.Text)
	var begun, live, there, moderated, known, may, blocked bool
	w.Find(outcome, data.Args{"id": id, "actor": a.UserID, "body": b.Text, "note": false, "unanswered": UnansweredMax, "roles": int(a.Roles),
		"later": s.later()}, func(r *data.Row) { begun = r.Bool() })
	w.Find(whyNot, a.Args(data.Args{"community": community, "to": to, "suspension": suspension}), func(r *data.Row) {
		live, there, moderated, known, may, blocked = r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool()
	})
	var appeal data.ID
	same := false
	if b.Decision != 0 {
		w.Find(appealed, data.Args{"decision": b.Decision, "actor": a.UserID, "body": b.Text}, func(r *data.Row) {
			appeal, same = r.ID(),
				r.Bool()
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
	case b.To != "" && b.Community != "" && !been:
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

var (
	// ErrRoles is returned to a program that would act for the moderators of a community with a token that may not moderate.
	ErrRoles error = &data.Error{Code: data.Forbidden, Message: "This needs a token that may moderate."}
	// ErrAdministrators is returned to a program that would act for the administrators.
	ErrAdministrators error = &data.Error{Code: data.Forbidden, Message: "No token may act for the administrators."}
)

// errRoles returns the error for a program that may not act for the moderators of a community (communal) or for the administrators.
func errRoles(communal bool) error {
	if communal {
		return ErrRoles
	}
	return ErrAdministrators
}

// inRoles finds a conversation that the actor could answer as a moderator or administrator, but not in the roles that their token allows.
// The column says whether it is with the moderators of a community.
const inRoles = `SELECT c.community_id <> 0 FROM conversations c WHERE c.id = :id AND ` + answers + ` AND NOT ` + mayAnswer

// rolesLacking reads, along with a transaction, why a program's token may not answer for the moderators of a conversation. The error is nil
// when the token is not the reason.
func rolesLacking(w *data.Write, a data.Actor, conversation, later data.ID) *error {
	refused := new(error)
	if a.Roles != data.AllRoles {
		w.Find(inRoles, data.Args{"id": conversation, "actor": a.UserID, "roles": int(a.Roles), "later": later},
			func(r *data.Row) { *refused = errRoles(r.Bool()) })
	}
	return refused
}

var errNoConversation = &data.Error{Code: data.NotFound, Message: "There is no such conversation of yours."}

// Say adds a message to a conversation: of its member, of its moderators, or a note that only they read. Saying the same again adds
// nothing. Invalid, Unauthenticated, NotFound, Forbidden (the member blocks the moderator) and Conflict (it is closed, or full).
func (s *Store) Say(ctx context.Context, a data.Actor, conversation data.ID, text string, note bool) error {
	return s.say(ctx, a, 0, conversation, text, note)
}

// SaySuspended is Say for the member of the appeal against a suspension, who is suspended by it, has no session, and has shown who they are
// otherwise. Unauthenticated when they are not suspended by it any more.
func (s *Store) SaySuspended(ctx context.Context, member, suspension, conversation data.ID, text string) error {
	return s.say(ctx, data.Actor{UserID: member}, suspension, conversation, text, false)
}

func (s *Store) say(ctx context.Context, a data.Actor, suspension, conversation data.ID, text string, note bool) error {
	text = strings.TrimSpace(text)
	if mistake := mistakeInText(text); mistake != nil {
		return mistake
	}
	message := s.Source.NewID(0, data.KindOther)
	w := s.DB.Write(data.Directory)
	w.Do(say, a.Args(data.Args{"suspension": suspension, "id": conversation, "message": message, "body": text, "note": note,
		"most": MessagesMax, "unanswered": UnansweredMax, "roles": int(a.Roles), "later": s.later()}))
	s.gatherSaid(w, conversation, message, text)
	var done, member, moderator, closed, left, unwanted, unanswered, live bool
	w.Find(outcome, data.Args{"id": conversation, "actor": a.UserID, "body": text, "note": note, "unanswered": UnansweredMax,
		"roles": int(a.Roles), "later": s.later()}, func(r *data.Row) {
		done, member, moderator, closed, left, unwanted, unanswered = r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool()
	})
	lacking := rolesLacking(w, a, conversation, s.later())
	w.Find(isLiveOrSuspended, a.Args(data.Args{"suspension": suspension}), func(r *data.Row) { live = r.Bool() })
	if err := w.Run(ctx); err != nil {
		return err
	}
	switch {
	case !live:
		return data.ErrSessionEnded
	case *lacking != nil:
		return *lacking
	case done:
		return nil
	case !member && !moderator, member && note:
		return errNoConversation
	case closed && member && !left:
		return &data.Error{Code: data.Conflict, Message: "The moderators have closed this conversation. You can begin another one."}
	case moderator && left:
		return &data.Error{Code: data.Conflict, Message: "The member has closed this conversation. You can still add a note."}
	case moderator && unwanted:
		return &data.Error{Code: data.Forbidden, Message: "They block you. Another moderator can answer, and you can still add a note."}
	}
	if moderator && unanswered && !note {
		return &data.Error{Code: data.Conflict, Message: "You have written five messages in a row. Please wait until they answer; you can " +
			"still add a note."}
	}
	return &data.Error{Code: data.Conflict, Message: "This conversation has 200 messages. Please begin another one."}
}

const (
	isLiveOrSuspended = `SELECT ` + liveOrSuspended
	// Appeals are closed by their verdict.
	closeIt = `UPDATE conversations AS c SET status = 'closed', taken_by = :actor WHERE c.id = :id AND c.status <> 'closed' AND ` + mayClose +
		` AND ` + data.LiveSession
	isClosed = `SELECT c.status = 'closed', ` + data.LiveSession + ` FROM conversations c WHERE c.id = :id AND ` + mayClose
	// This restores the status from before the actor closed it, which follows from the side that wrote last.
	reopenIt = `UPDATE conversations AS c SET status = iif((SELECT x.side FROM conversation_messages x WHERE x.conversation_id = c.id
  AND x.side <> 'note' ORDER BY x.id DESC LIMIT 1) = 'member', 'open', 'answered')
WHERE c.id = :id AND c.status = 'closed' AND c.verdict = '' AND c.taken_by = :actor AND ` + mayAnswer + ` AND ` + data.LiveSession
	isReopened = `SELECT c.status <> 'closed', ` + data.LiveSession + ` FROM conversations c WHERE c.id = :id AND ` + mayAnswer

	mayClose = `((c.decision_id = 0 OR c.verdict <> '') AND (c.user_id = :actor OR ` + mayAnswer + `))`
)

// Close ends a conversation, for its moderators or its member. The side that closed it can write again, which opens it. The other side
// can't. Unauthenticated, NotFound.
func (s *Store) Close(ctx context.Context, a data.Actor, conversation data.ID) error {
	return s.change(ctx, a, conversation, closeIt, isClosed)
}

// Reopen undoes the actor's own Close, for moderators. Unauthenticated, NotFound (also if another moderator or a verdict has closed it).
func (s *Store) Reopen(ctx context.Context, a data.Actor, conversation data.ID) error {
	return s.change(ctx, a, conversation, reopenIt, isReopened)
}

// change sends a statement that changes the status of a conversation. isSo asks in the same transaction whether the conversation now has
// that status.
func (s *Store) change(ctx context.Context, a data.Actor, conversation data.ID, sql, isSo string) error {
	args := data.Args{"id": conversation, "roles": int(a.Roles), "later": s.later()}
	w := s.DB.Write(data.Directory)
	w.Do(sql, a.Args(args))
	lacking := rolesLacking(w, a, conversation, s.later())
	err := finish(ctx, w, a, isSo, args, errNoConversation)
	if err == errNoConversation && *lacking != nil {
		return *lacking
	}
	return err
}

// finish sends a transaction. sql asks behind it whether it is done, and whether the session stands. refused is returned when it is not
// done.
func finish(ctx context.Context, w *data.Write, a data.Actor, sql string, args data.Args, refused error) error {
	done, live := false, true
	w.Find(sql, a.Args(args), func(r *data.Row) { done, live = r.Bool(), r.Bool() })
	err := w.Run(ctx)
	switch {
	case err != nil:
		return err
	case !live:
		return data.ErrSessionEnded
	case !done:
		return refused
	}
	return nil
}

// At is when a message was written, by its id.
func (m *Message) At() time.Time { return m.ID.Time() }
