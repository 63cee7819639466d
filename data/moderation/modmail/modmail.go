// Package modmail stores conversations between a member and the moderators of a community, or the administrators (community_id 0). All of
// it is in the directory, where the lists of moderators and the inboxes are. Each statement checks that the actor is the member or a
// moderator. Messages are plain text and never change. An appeal is a conversation about an entry of the log.
//
// Begin with Store.Begin (begin.go) and Store.Find (list.go); appeal.go hides an appeal from the decider for 48 hours. Package appeals
// applies the verdicts.
package modmail

import (
	"context"
	"time"
	"unicode/utf8"

	"plaza/data"
)

// Store stores conversations.
type Store struct{ data.Base }

const (
	// TextMax is the longest message, in characters.
	TextMax = 2000
	// SubjectMax is the longest subject, in characters.
	SubjectMax = 150
	// MessagesMax is the maximum number of messages of a conversation.
	MessagesMax = 200
	// OpenMax is how many conversations of a member with the same moderators may wait for a reply.
	OpenMax = 5
	// UnansweredMax is how many messages the moderators of a community may write in a row, until the member replies.
	UnansweredMax = 5
	// pause is how long moderators wait before they begin another conversation with the same member, and longPause is the same after the
	// member has closed one that they had begun.
	pause, longPause = 24 * time.Hour, 30 * 24 * time.Hour
	// notifiedMax limits how many moderators are notified of a message.
	notifiedMax = 100
	// excerptMax is how many characters of a message an inbox shows.
	excerptMax = 200
)

// Status says which side has to write next.
type Status string

// The states of a conversation.
const (
	Open     Status = "open" // the moderators
	Answered Status = "answered"
	Closed   Status = "closed" // the other side can't write any more; the side that closed it can, which opens it
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
	// mayReply is the condition that the actor may reply for the moderators of conversation c. :roles are the roles that the actor may use.
	mayReply = `((:roles = 0 OR :roles = 1 AND c.community_id <> 0) AND ` + mayReplyAtAll + `)`
	// mayReplyAtAll is the same with all roles of the member.
	mayReplyAtAll = `(c.user_id <> :actor AND (EXISTS (SELECT 1 FROM moderators m WHERE m.community_id = c.community_id AND m.user_id = :actor
  AND m.role <> 'approver') OR ` + data.ByAdmin + `)
  AND (c.decider_id <> :actor` + elseLater + `))`

	// unwanted is the condition that the member of conversation c blocks the actor. Administrators can write nevertheless.
	unwanted = `(c.community_id <> 0 AND EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = c.user_id AND b.blocked_id = :actor))`
	// closedByMember is the condition that the member of conversation c has closed it. Then taken_by is the member.
	closedByMember = `(c.status = 'closed' AND c.taken_by IS c.user_id)`

	// pressed is the condition that the moderators of the new conversation c have begun another with the member less than :pause ago, or one
	// that the member has closed since :long. Index conversations_user; index conversation_messages_of.
	pressed = `EXISTS (SELECT 1 FROM conversations o WHERE o.user_id = c.user_id AND o.said_at > :long AND o.community_id = c.community_id
  AND (o.id > :pause OR o.status = 'closed' AND o.taken_by IS o.user_id)
  AND (SELECT x.side FROM conversation_messages x WHERE x.conversation_id = o.id ORDER BY x.id LIMIT 1) = 'moderators')`
	// unanswered is the condition that the moderators of a community have written as many messages in conversation c as they may before the
	// member replies. Index conversation_messages_of.
	unanswered = `(c.community_id <> 0 AND (SELECT count(*) FROM conversation_messages y WHERE y.conversation_id = c.id
  AND y.side = 'moderators' AND y.id > coalesce((SELECT max(z.id) FROM conversation_messages z WHERE z.conversation_id = c.id
  AND z.side = 'member'), 0)) >= :unanswered)`

	// liveOrSuspended is the condition that the actor's session is live or, with :suspension, that the actor is suspended by that entry of
	// the log.
	liveOrSuspended = `iif(:suspension = 0, ` + data.LiveSession + `, EXISTS (SELECT 1 FROM users s WHERE s.id = :actor
  AND s.suspension = :suspension AND s.status <> 'active'))`
	// acts is the same for conversation c: without a session, a member can write only in the appeal against that suspension.
	acts = `(` + liveOrSuspended + ` AND (:suspension = 0 OR c.user_id = :actor AND c.decision_id = :suspension))`
)

var (
	// ErrRoles is returned for a request on behalf of a community's moderators with an API token that may not moderate.
	ErrRoles error = &data.Error{Code: data.Forbidden, Message: "This needs a token that may moderate."}
	// ErrAdministrators is returned for a request on behalf of the administrators with an API token.
	ErrAdministrators error = &data.Error{Code: data.Forbidden, Message: "No token may act for the administrators."}
)

// errRoles returns the error for an API token that may not act for the moderators of a community (communal) or for the administrators.
func errRoles(communal bool) error {
	if communal {
		return ErrRoles
	}
	return ErrAdministrators
}

// inRoles finds a conversation in which the actor could reply as a moderator or administrator, but not with the roles of their token. The
// column says whether it is with the moderators of a community.
const inRoles = `SELECT c.community_id <> 0 FROM conversations c WHERE c.id = :id AND ` + mayReplyAtAll + ` AND NOT ` + mayReply

// rolesLacking reads, along with a transaction, why a token may not reply for the moderators of a conversation. The error is nil if the
// token is not the reason.
func rolesLacking(w *data.Write, a data.Actor, conversation, later data.ID) *error {
	refused := new(error)
	if a.Roles != data.AllRoles {
		w.Find(inRoles, data.Args{"id": conversation, "actor": a.UserID, "roles": int(a.Roles), "later": later},
			func(r *data.Row) { *refused = errRoles(r.Bool()) })
	}
	return refused
}

var errNoConversation = &data.Error{Code: data.NotFound, Message: "There is no such conversation of yours."}

// finish runs a transaction. At its end, sql reads whether the change is made and the session live. refused is the error without a change.
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

// At returns when a message was written, from its id.
func (m *Message) At() time.Time { return m.ID.Time() }
