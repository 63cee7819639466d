package modmail

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/events/outbox"
	"plaza/data/moderation/transparency"
)

// Verdict is the verdict about an appeal; "" while it is open.
type Verdict string

// The verdicts.
const (
	Upheld     Verdict = "upheld"
	Overturned Verdict = "overturned"
)

// FirstLook is how long an appeal is hidden from the moderator who made the decision, if another one can decide about it.
const FirstLook = 48 * time.Hour

// later returns an id: appeals with a lower one are no longer hidden from the moderator who made the decision.
func (s *Store) later() data.ID { return laterOf(s.Source) }

func laterOf(source data.Source) data.ID {
	return data.NewID(source.Now().Add(-FirstLook), 0, data.KindOther, 0)
}

const (
	// elseLater is the condition under which a moderator may see appeal c against their own decision: it has a verdict, it is older than
	// FirstLook, or no other moderator could decide about it. In a statement it follows the condition that another moderator made the
	// decision. It reads the index users_admins.
	elseLater = ` OR c.verdict <> '' OR c.id < :later OR iif(c.community_id = 0, NOT EXISTS (SELECT 1 FROM users z WHERE z.admin = 1
  AND z.status = 'active' AND z.id <> c.decider_id),
  NOT EXISTS (SELECT 1 FROM moderators z WHERE z.community_id = c.community_id AND z.role <> 'approver'
  AND z.user_id NOT IN (c.decider_id, c.user_id)))`
	// Administrators get the appeals of a community without moderators. Unique index on name_key, primary key.
	unmoderated = `NOT EXISTS (SELECT 1 FROM moderators z WHERE z.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community)
  AND z.role <> 'approver' AND z.user_id <> :actor)`

	// Unique index conversations_decision; index conversation_messages_of.
	appealed = `SELECT c.id, EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = c.id AND x.side = 'member'
  AND x.body = :body)
FROM conversations c WHERE c.decision_id = :decision AND c.decision_id <> 0 AND c.user_id = :actor`
	appealOfMember = `SELECT c.id, c.verdict FROM conversations c WHERE c.decision_id = :decision AND c.decision_id <> 0
  AND c.user_id = :actor`

	toDecide   = `SELECT c.decision_id, c.verdict FROM conversations c WHERE c.id = :id AND c.decision_id <> 0 AND ` + mayReply
	stillLive  = `SELECT ` + data.LiveSession
	sayVerdict = `INSERT INTO conversation_messages (id, conversation_id, author_id, side, body)
SELECT :message, c.id, :actor, 'moderators', :body FROM conversations c WHERE c.id = :id AND c.decision_id <> 0 AND c.verdict = '' AND ` +
		mayReply + ` AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	closeAppeal = `UPDATE conversations SET verdict = :verdict, status = 'closed' WHERE id = :id AND verdict IN ('', :verdict) AND ` +
		verdictIn
	isDecided = `SELECT ` + verdictIn + `, ` + data.LiveSession
	verdictIn = `EXISTS (SELECT 1 FROM conversation_messages x WHERE x.id = :message)`
)

// These count for /transparency. They must follow the statement that begins an appeal, or stores its verdict, directly: changes() is how
// many rows it wrote. Primary key.
var (
	countAppeal = transparency.Counting(`SELECT 'appeal' AS what, '' AS kind, '' AS ground, '' AS found, (c.id >> 22) + 1767225600000 AS at,
  NULL AS took FROM conversations c WHERE c.id = :id AND c.decision_id <> 0 AND changes() > 0`)
	countVerdict = transparency.Counting(`SELECT 'appeal' AS what, :verdict AS kind, '' AS ground, '' AS found,
  (:message >> 22) + 1767225600000 AS at, (:message >> 22) - (:id >> 22) AS took WHERE changes() > 0`)
)

// Appeal is a member's appeal against a decision. Its ID is 0 if there is none.
type Appeal struct {
	ID      data.ID
	Verdict Verdict
}

// FindAppeal reads a member's appeal against a decision along with a page.
func (s *Store) FindAppeal(r *data.Read, member, decision data.ID) *Appeal {
	f := &Appeal{}
	r.Find(appealOfMember, data.Args{"actor": member, "decision": decision}, func(row *data.Row) {
		f.ID, f.Verdict = row.ID(), Verdict(row.Text())
	})
	return f
}

// AppealDecision is a moderator's decision about an appeal.
type AppealDecision struct {
	Verdict Verdict
	Text    string // to the member; "" is replaced by a sentence with the verdict
}

// Validate checks the fields. Invalid.
func (j *AppealDecision) Validate() error {
	j.Text = strings.TrimSpace(j.Text)
	if j.Text == "" {
		j.Text = "We have looked at it again. The decision stands."
		if j.Verdict == Overturned {
			j.Text = "We have looked at it again, and have taken the decision back."
		}
	}
	return data.AllMistakes(
		data.MistakeIf(j.Verdict != Upheld && j.Verdict != Overturned, "verdict", "A verdict is upheld or overturned."),
		data.MistakeIf(utf8.RuneCountInString(j.Text) > TextMax, "text", "A message has at most 2,000 characters."))
}

var errDecided = &data.Error{Code: data.Conflict, Message: "Somebody has already decided this appeal."}

// MayDecide returns nil if the actor may decide about an appeal. Unauthenticated, NotFound, Conflict (it is decided).
func (s *Store) MayDecide(ctx context.Context, a data.Actor, conversation data.ID) error {
	decision, verdict, live := data.ID(0), "", false
	w := s.DB.Write()
	w.Find(toDecide, data.Args{"id": conversation, "actor": a.UserID, "roles": int(a.Roles), "later": s.later()},
		func(row *data.Row) { decision, verdict = row.ID(), row.Text() })
	w.Find(stillLive, a.Args(nil), func(r *data.Row) { live = r.Bool() })
	err := w.Run(ctx)
	switch {
	case err != nil:
		return err
	case !live:
		return data.ErrSessionEnded
	case decision == 0:
		return errNoConversation
	case verdict != "":
		return errDecided
	}
	return nil
}

// DecideAppeal sends the member the verdict and closes the conversation. If several moderators decide at once, one wins. message is the
// message with the verdict, for outbox.JobVerdict. Invalid, Unauthenticated, Conflict (it is decided).
func (s *Store) DecideAppeal(ctx context.Context, a data.Actor, conversation data.ID, j AppealDecision) (message data.ID, err error) {
	if err := j.Validate(); err != nil {
		return 0, err
	}
	message = s.Source.NewID(0, data.KindOther)
	w := s.DB.Write()
	w.Do(sayVerdict, a.Args(data.Args{"id": conversation, "message": message, "body": j.Text, "roles": int(a.Roles), "later": s.later()}))
	w.Do(countVerdict, data.Args{"id": conversation, "message": message, "verdict": string(j.Verdict)})
	s.gatherSaid(w, conversation, message, j.Text)
	w.Do(closeAppeal, data.Args{"id": conversation, "message": message, "verdict": string(j.Verdict)})
	outbox.EnqueueVerdict(w, s.Source, message)
	return message, finish(ctx, w, a, isDecided, data.Args{"message": message}, errDecided)
}

// VerdictJob is the job to apply a verdict, in the name of the moderator who gave it.
type VerdictJob struct {
	Decision data.ID
	Member   string // "" for a deleted account
	Verdict  Verdict
	Decider  data.Actor
	message  data.ID
	queued   int64
}

const toCarryOut = `SELECT c.decision_id, u.username, c.verdict, x.author_id, n.username
FROM conversation_messages x CROSS JOIN conversations c ON c.id = x.conversation_id LEFT JOIN users u ON u.id = c.user_id
  LEFT JOIN users n ON n.id = x.author_id WHERE x.id = :message`

// Claim claims the job outbox.JobVerdict for the message of a verdict. It returns nil if there is no such job, or if another consumer has
// claimed it.
func (s *Store) Claim(ctx context.Context, message data.ID) (*VerdictJob, error) {
	f := &VerdictJob{message: message, Decider: data.Actor{Decided: true}}
	w := s.DB.Write()
	outbox.Claim(w, s.Source, outbox.JobVerdict, []data.ID{message}, func(c outbox.Claimed) { f.queued = c.QueuedAt })
	w.Find(toCarryOut, data.Args{"message": message}, func(row *data.Row) {
		f.Decision, f.Member, f.Verdict, f.Decider.UserID, f.Decider.Name = row.ID(), row.Text(), Verdict(row.Text()), row.ID(), row.Text()
	})
	if err := w.Run(ctx); err != nil || f.queued == 0 {
		return nil, err
	}
	return f, nil
}

// Finish ends the job that Claim has returned.
func (s *Store) Finish(ctx context.Context, f *VerdictJob) error {
	w := s.DB.Write()
	outbox.Done(w, f.message, outbox.JobVerdict, f.queued)
	return w.Run(ctx)
}
