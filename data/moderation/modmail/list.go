package modmail

import (
	"strings"
	"time"

	"plaza/data"
)

// Conversation is a conversation with its messages.
type Conversation struct {
	ID             data.ID // 0: it does not exist, or the reader may not see it
	Community      string  // "" for the administrators
	Member         string  // "" for a deleted account
	MemberID       data.ID
	Subject        string
	About          string
	Status         Status
	ClosedByMember bool    // the member has closed it
	Own            bool    // the reader is the member
	Unread         bool    // the reader was notified of a message and has not read it
	Decision       data.ID // entry of the log that it appeals against; 0 none
	Verdict        Verdict
	Messages       []Message
	saidAt         int64   // when the newest message was written
	place          data.ID // of the community; 0 for the administrators
	Refused        error   // ErrRoles or ErrAdministrators: the reader's API token lacks the roles for this conversation
}

// Message is one message.
type Message struct {
	ID     data.ID
	Side   string // "member", "moderators" or "note"
	Author string // "" for a moderator whose name the reader may not see, or for a deleted account
	Text   string
}

const (
	// Primary keys; index inbox_unread.
	found = `SELECT c.id, coalesce(k.name, ''), u.username, c.user_id, c.subject, c.about, c.status, ` + closedByMember +
		`, c.decision_id, c.verdict, c.user_id = :actor, c.community_id, c.said_at,
  EXISTS (SELECT 1 FROM inbox i WHERE i.user_id = :actor AND i.unread = 1 AND +i.post_id = c.id)
FROM conversations c LEFT JOIN communities k ON k.id = c.community_id LEFT JOIN users u ON u.id = c.user_id WHERE `
	conversation = found + `c.id = :id AND (c.user_id = :actor OR ` + mayReply + `)`
	// Index conversation_messages_of, in its order. A member does not see which moderator has written, and reads no notes.
	written = `SELECT x.id, x.side, iif(c.user_id <> :actor OR x.side = 'member', u.username, ''), x.body
FROM conversations c CROSS JOIN conversation_messages x ON x.conversation_id = c.id LEFT JOIN users u ON u.id = x.author_id WHERE `
	messages = written + `c.id = :id AND (c.user_id = :actor AND x.side <> 'note' OR ` + mayReply + `) ORDER BY x.id LIMIT :limit`

	// The same for a member's appeal, with the unique index conversations_decision.
	ofDecision         = `c.decision_id = :decision AND c.decision_id <> 0 AND c.user_id = :actor`
	appealTo           = found + ofDecision
	messagesOfAppealTo = written + ofDecision + ` AND x.side <> 'note' ORDER BY x.id LIMIT :limit`
)

func (c *Conversation) scan(row *data.Row) {
	c.ID, c.Community, c.Member, c.MemberID, c.Subject, c.About, c.Status = row.ID(), row.Text(), row.Text(), row.ID(), row.Text(), row.Text(),
		Status(row.Text())
	c.ClosedByMember, c.Decision, c.Verdict = row.Bool(), row.ID(), Verdict(row.Text())
	c.Own, c.place, c.saidAt, c.Unread = row.Bool(), row.ID(), row.Int(), row.Bool()
}

func (c *Conversation) scanMessage(row *data.Row) {
	c.Messages = append(c.Messages, Message{row.ID(), row.Text(), row.Text(), row.Text()})
}

// Find reads a conversation along with a page, if the reader is its member or one of its moderators.
func (s *Store) Find(r *data.Read, reader data.Actor, id data.ID) *Conversation {
	c := &Conversation{}
	r.Find(conversation, data.Args{"id": id, "actor": reader.UserID, "roles": int(reader.Roles), "later": s.later()}, c.scan)
	r.Find(messages, data.Args{"id": id, "actor": reader.UserID, "roles": int(reader.Roles), "limit": MessagesMax,
		"later": s.later()}, c.scanMessage)
	if reader.Roles != data.AllRoles {
		r.Find(inRoles, data.Args{"id": id, "actor": reader.UserID, "roles": int(reader.Roles), "later": s.later()},
			c.scanRefused)
	}
	return c
}

func (c *Conversation) scanRefused(row *data.Row) { c.Refused = errRoles(row.Bool()) }

// FindAppealTo reads a member's appeal against a decision along with a page, as the member may see it.
func (s *Store) FindAppealTo(r *data.Read, member, decision data.ID) *Conversation {
	c := &Conversation{}
	r.Find(appealTo, data.Args{"decision": decision, "actor": member}, c.scan)
	r.Find(messagesOfAppealTo, data.Args{"decision": decision, "actor": member, "limit": MessagesMax}, c.scanMessage)
	return c
}

// Line is a conversation in a list.
type Line struct {
	ID             data.ID
	Community      string // "" for the administrators
	Member         string // "" for a deleted account
	Subject        string
	Status         Status
	ClosedByMember bool   // the member has closed it
	TakenBy        string // the moderator with the last reply, for moderators
	SaidAt         time.Time
	Appeal         bool
	Verdict        Verdict // of an appeal
	About          string  // address of its post or comment; "" none
	Excerpt        string  // the first words of the newest message that the reader may read
	Unread         bool    // the reader was notified of the newest message of others and has not read it
}

// Order is the order of lists: by the last message, the newest first.
const Order data.Order = 'g'

const (
	lines = `SELECT c.id, coalesce(k.name, ''), u.username, c.subject, c.status, ` + closedByMember +
		`, t.username, c.said_at, c.decision_id <> 0, c.verdict, c.about,
  (SELECT substr(x.body, 1, 200) FROM conversation_messages x WHERE x.conversation_id = c.id AND (x.side <> 'note' OR c.user_id <> :actor)
  ORDER BY x.id DESC LIMIT 1),
  EXISTS (SELECT 1 FROM inbox i WHERE i.post_id = c.id AND i.user_id = :actor AND i.unread = 1 AND i.subject_id = (
  SELECT x.id FROM conversation_messages x WHERE x.conversation_id = c.id AND x.author_id <> :actor AND x.side <> 'note'
  ORDER BY x.id DESC LIMIT 1))
FROM conversations c LEFT JOIN communities k ON k.id = c.community_id LEFT JOIN users u ON u.id = c.user_id
  LEFT JOIN users t ON t.id = c.taken_by WHERE `
	before = ` AND (c.said_at, c.id) < (:value, :before COLLATE BINARY) ORDER BY c.said_at DESC, c.id DESC LIMIT :limit`
	where  = `c.community_id = iif(:community = '', 0, (SELECT o.id FROM communities o WHERE o.name_key = :community))
  AND (c.decider_id <> :actor` + elseLater + `) AND `
	// Indexes conversations_status, conversations_taken and conversations_user, in their order. For each line conversation_messages_of, from
	// its end, and the unique index inbox_subject.
	ofStatus = lines + where + `c.status = :status` + before
	ofTaken  = lines + where + `c.taken_by = :actor AND c.status <> 'closed'` + before
	ofMember = lines + `c.user_id = :actor` + before
	// Index conversations_status.
	countOpen = `SELECT count(*) FROM (SELECT 1 FROM conversations c WHERE ` + where + `c.status = 'open' LIMIT :most)`
)

func scanLine(row *data.Row) (l Line, value float64, id data.ID) {
	l = Line{row.ID(), row.Text(), row.Text(), row.Text(), Status(row.Text()), row.Bool(), row.Text(), row.Time(), row.Bool(),
		Verdict(row.Text()), row.Text(), row.Text(), row.Bool()}
	return l, float64(l.SaidAt.UnixMilli()), l.ID
}

// FindOfMember reads a page of a member's own conversations along with a page of the site.
func (s *Store) FindOfMember(r *data.Read, member data.ID, after data.Cursor, limit int) *data.Page[Line] {
	value, id := data.KeysetFrom(after)
	args := data.Args{"actor": member, "value": value, "before": id}
	return data.NewPage[Line](Order, limit).Find(r, ofMember, args, scanLine)
}

// FindOf reads a page of the conversations of a community's moderators, or of the administrators if community is "". It reads those with a
// status. If status is "", it reads the open ones in which the reader was the last moderator to reply. It doesn't check who may read them.
func (s *Store) FindOf(r *data.Read, reader data.ID, community string, status Status, after data.Cursor, limit int) *data.Page[Line] {
	value, id := data.KeysetFrom(after)
	sql, args := ofTaken, data.Args{"actor": reader, "later": s.later(), "community": strings.ToLower(community), "value": value, "before": id}
	if status != "" {
		sql, args["status"] = ofStatus, string(status)
	}
	return data.NewPage[Line](Order, limit).Find(r, sql, args, scanLine)
}

// CountMax is the highest number that CountOpen returns.
const CountMax = 100

// CountOpen reads along with a page how many open conversations of the moderators of a community FindOf would list for the reader.
func CountOpen(r *data.Read, source data.Source, reader data.ID, community string) *int64 {
	n := new(int64)
	r.Find(countOpen, data.Args{"actor": reader, "later": laterOf(source), "community": strings.ToLower(community),
		"most": CountMax}, func(row *data.Row) { *n = row.Int() })
	return n
}
