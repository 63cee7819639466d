package modmail

import (
	"context"

	"plaza/data"
)

const (
	// Appeals are closed by their verdict.
	closeIt = `UPDATE conversations AS c SET status = 'closed', taken_by = :actor WHERE c.id = :id AND c.status <> 'closed' AND ` + mayClose +
		` AND ` + data.LiveSession
	isClosed = `SELECT c.status = 'closed', ` + data.LiveSession + ` FROM conversations c WHERE c.id = :id AND ` + mayClose
	// This restores the status that the conversation had before the actor closed it. It follows from the side that wrote last.
	reopenIt = `UPDATE conversations AS c SET status = iif((SELECT x.side FROM conversation_messages x WHERE x.conversation_id = c.id
  AND x.side <> 'note' ORDER BY x.id DESC LIMIT 1) = 'member', 'open', 'answered')
WHERE c.id = :id AND c.status = 'closed' AND c.verdict = '' AND c.taken_by = :actor AND ` + mayReply + ` AND ` + data.LiveSession
	isReopened = `SELECT c.status <> 'closed', ` + data.LiveSession + ` FROM conversations c WHERE c.id = :id AND ` + mayReply

	mayClose = `((c.decision_id = 0 OR c.verdict <> '') AND (c.user_id = :actor OR ` + mayReply + `))`
)

// Close closes a conversation, for its moderators or its member. The side that closed it can write again, which opens it. The other side
// can't. Unauthenticated, NotFound.
func (s *Store) Close(ctx context.Context, a data.Actor, conversation data.ID) error {
	return s.change(ctx, a, conversation, closeIt, isClosed)
}

// Reopen undoes the actor's own Close, for moderators. Unauthenticated, NotFound (also if another moderator or a verdict has closed it).
func (s *Store) Reopen(ctx context.Context, a data.Actor, conversation data.ID) error {
	return s.change(ctx, a, conversation, reopenIt, isReopened)
}

// change runs a statement that changes the status of a conversation. isDone reads in the same transaction whether the conversation has that
// status now.
func (s *Store) change(ctx context.Context, a data.Actor, conversation data.ID, sql, isDone string) error {
	args := data.Args{"id": conversation, "roles": int(a.Roles), "later": s.later()}
	w := s.DB.Write()
	w.Do(sql, a.Args(args))
	lacking := rolesLacking(w, a, conversation, s.later())
	err := finish(ctx, w, a, isDone, args, errNoConversation)
	if err == errNoConversation && *lacking != nil {
		return *lacking
	}
	return err
}
