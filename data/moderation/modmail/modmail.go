// Package modmail stores conversations between a member and the moderators of a community, or the administrators (community_id 0). All of
// it is in the directory, where the lists of moderators and the inboxes are. Each statement checks that the actor is the member or a
// moderator. Messages are plain text and never change. An appeal is a conversation about an entry of the log.
//
// Begin with Store.Begin (begin.go) and Store.Find (list.go); appeal.go keeps the decider out for 48 hours. Package appeals carries out the
// verdicts.
package modmail

import (
	"context"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/accounts"
)

// Store keeps conversations.
type Store struct{ data.Base }

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
)

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
