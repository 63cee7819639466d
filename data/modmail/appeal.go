package modmail

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
)

// Verdict is what became of an appeal; "" while nobody has decided.
type Verdict string

// The verdicts that there are.
const (
	Upheld     Verdict = "upheld"
	Overturned Verdict = "overturned"
)

// FirstLook is for how long an appeal is hidden from who made the decision, where somebody else can decide about it.
const FirstLook = 48 * time.Hour

// later is an id: appeals with a lower one are no longer hidden from who made the decision.
func (s *Store) later() data.ID {
	return data.NewID(s.Source.Now().Add(-FirstLook), 0, data.KindOther, 0)
}

const (
	// elseLater follows the condition that somebody did not make the decision that appeal c is against. With it, whoever did may see the
	// appeal after FirstLook, when it is decided, or if nobody else could decide about it. Primary keys; index users_admins.
	elseLater = ` OR c.verdict <> '' OR c.id < :later OR iif(c.community_id = 0, NOT EXISTS (SELECT 1 FROM users z WHERE z.admin = 1 AND z.status = 'active' AND z.id <> c.decider_id),
  NOT EXISTS (SELECT 1 FROM moderators z WHERE z.community_id = c.community_id AND z.role <> 'approver' AND z.user_id NOT IN (c.decider_id, c.user_id)))`
	// Appeals go to the administrators where nobody moderates. Unique index on name_key, primary key.
	unmoderated = `NOT EXISTS (SELECT 1 FROM moderators z WHERE z.community_id = (SELECT k.id FROM communities k WHERE k.name_key = :community) AND z.role <> 'approver' AND z.user_id <> :actor)`

	// Unique index conversations_decision; index conversation_messages_of.
	appealed = `SELECT c.id, EXISTS (SELECT 1 FROM conversation_messages x WHERE x.conversation_id = c.id AND x.side = 'member' AND x.body = :body)
FROM conversations c WHERE c.decision_id = :decision AND c.decision_id <> 0 AND c.user_id = :actor`
	ownAppeal = `SELECT c.id, c.verdict FROM conversations c WHERE c.decision_id = :decision AND c.decision_id <> 0 AND c.user_id = :actor`

	// Primary keys.
	toJudge    = `SELECT c.decision_id, c.verdict, u.username FROM conversations c LEFT JOIN users u ON u.id = c.user_id WHERE c.id = :id AND c.decision_id <> 0 AND ` + mayAnswer
	stillLive  = `SELECT ` + data.LiveSession
	sayVerdict = `INSERT INTO conversation_messages (id, conversation_id, author_id, side, body)
SELECT :message, c.id, :actor, 'moderators', :body FROM conversations c WHERE c.id = :id AND c.decision_id <> 0 AND c.verdict = '' AND ` + mayAnswer + ` AND ` + data.LiveSession + ` ON CONFLICT DO NOTHING`
	settle    = `UPDATE conversations SET verdict = :verdict, status = 'closed' WHERE id = :id AND verdict IN ('', :verdict) AND ` + verdictIn
	isSettled = `SELECT ` + verdictIn + `, ` + data.LiveSession
	verdictIn = `EXISTS (SELECT 1 FROM conversation_messages x WHERE x.id = :message)`
)

// Appeal is a member's appeal against a decision. Its ID is 0 if there is none.
type Appeal struct {
	ID      data.ID
	Verdict Verdict
}

// FindAppeal reads a member's appeal against a decision along with a page.
func (s *Store) FindAppeal(r *data.Read, member, decision data.ID) *Appeal {
	f := &Appeal{}
	r.Find(data.Directory, ownAppeal, data.Args{"actor": member, "decision": decision}, func(row *data.Row) { f.ID, f.Verdict = row.ID(), Verdict(row.Text()) })
	return f
}

// Judgement is what a moderator decides about an appeal.
type Judgement struct {
	Verdict Verdict
	Text    string // to the member; "" is a sentence that says no more than the verdict
}

// Validate checks the fields. Invalid.
func (j *Judgement) Validate() error {
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

// Appealed is what a moderator decides about.
type Appealed struct {
	Decision data.ID
	Member   string // "" when the account is gone
}

var errJudged = &data.Error{Code: data.Conflict, Message: "Somebody has decided about this appeal already."}

// Appealed returns what a conversation appeals against, for who may decide about it. Unauthenticated, NotFound, Conflict (it is decided).
func (s *Store) Appealed(ctx context.Context, a data.Actor, conversation data.ID) (*Appealed, error) {
	f, verdict, live := &Appealed{}, "", false
	w := s.DB.Write(data.Directory)
	w.Find(toJudge, data.Args{"id": conversation, "actor": a.UserID, "later": s.later()}, func(row *data.Row) { f.Decision, verdict, f.Member = row.ID(), row.Text(), row.Text() })
	w.Find(stillLive, a.Args(nil), func(r *data.Row) { live = r.Bool() })
	err := w.Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case !live:
		return nil, data.ErrSessionEnded
	case f.Decision == 0:
		return nil, errNoConversation
	case verdict != "":
		return nil, errJudged
	}
	return f, nil
}

// Settle tells the member the verdict and closes the conversation. What follows from the verdict has to be done before. Invalid,
// Unauthenticated, Conflict (it is decided).
func (s *Store) Settle(ctx context.Context, a data.Actor, conversation data.ID, j Judgement) error {
	if err := j.Validate(); err != nil {
		return err
	}
	message := s.Source.NewID(0, data.KindOther)
	w := s.DB.Write(data.Directory)
	w.Do(sayVerdict, a.Args(data.Args{"id": conversation, "message": message, "body": j.Text, "later": s.later()}))
	s.gatherSaid(w, conversation, message, j.Text)
	w.Do(settle, data.Args{"id": conversation, "message": message, "verdict": string(j.Verdict)})
	return finish(ctx, w, a, isSettled, data.Args{"message": message}, errJudged)
}
