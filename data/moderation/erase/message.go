package erase

import (
	"context"

	"plaza/data"
	"plaza/data/events/modlog"
)

// Message is a message of a conversation with moderators to erase.
type Message struct {
	ID           data.ID
	Conversation data.ID
	Subject      string // of the conversation
	Text         string
	First        bool // of the conversation, so that its subject is erased as well
}

// ErrNoMessage is returned for a message that does not exist or was erased.
var ErrNoMessage = &data.Error{Code: data.NotFound, Message: "There is no such message any more."}

// Primary keys, index conversation_messages_of. Administrators can't read an appeal against their own decision before it has a verdict,
// so not here either.
const messageToErase = `SELECT x.id, x.conversation_id, c.subject, x.body, NOT EXISTS (SELECT 1 FROM conversation_messages y
  WHERE y.conversation_id = c.id AND y.id < x.id)
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id WHERE x.id = :id AND x.body <> ''
  AND (c.decider_id <> :actor OR c.verdict <> '')`

// Primary keys.
var logMessage = modlog.Insert(modlog.Values{ID: ":entry", Community: "0", Target: "x.conversation_id",
	Action: "'" + string(modlog.MessageErase) + "'", Rule: ":rule"},
	`FROM conversation_messages x WHERE x.id = :id AND `+data.ByAdmin+` AND `+data.LiveSession)

// FindMessage reads a message along with a page. Only administrators may see it.
func (s *Store) FindMessage(r *data.Read, reader, id data.ID) *Message {
	m := &Message{}
	r.Find(messageToErase, data.Args{"id": id, "actor": reader}, func(row *data.Row) {
		*m = Message{row.ID(), row.ID(), row.Text(), row.Text(), row.Bool()}
	})
	return m
}

// EraseMessage removes the text of a message from its conversation and from inboxes permanently, on one of Grounds. The message stays
// without text. Invalid (no such ground), Unauthenticated, Forbidden (not an administrator), NotFound, Unavailable.
func (s *Store) EraseMessage(ctx context.Context, a data.Actor, id data.ID, ground string) (*Message, error) {
	r := s.DB.Read()
	m := s.FindMessage(r, a.UserID, id)
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	w := s.DB.Write()
	may := check(w, a, ground)
	if m.ID != 0 && may.known {
		subjects := []data.ID{}
		if m.First {
			subjects = append(subjects, m.Conversation)
		}
		entry := s.Source.NewID(0, data.KindOther)
		w.Do(logMessage, a.Args(data.Args{"id": id, "entry": entry, "rule": ground, "name": a.Name}))
		gatherSaid(w, entry, []data.ID{id}, subjects)
	}
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	if err := may.Err(); err != nil {
		return nil, err
	}
	if m.ID == 0 {
		return nil, ErrNoMessage
	}
	return m, nil
}
