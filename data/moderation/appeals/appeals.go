// Package appeals begins members' appeals against decisions and applies the verdicts, in the name of the moderator who gave them. An
// appeal is a conversation (package modmail) about an entry of the log (package modlog). A verdict either upholds the decision, which
// adds an entry to the log, or reverses it.
//
// A transaction in the directory stores the verdict, notifies the member and enqueues outbox.JobVerdict. If two moderators give a verdict
// at once, the second is refused. The job starts at once and applies the verdict. It either reverses the decision, by the same functions as
// elsewhere, or adds the entry uphold to the log. After an error or a crash in between, the retry job sends its message again. Nothing is
// changed if the decision has been reversed meanwhile, or if the moderator has lost the right to decide.
package appeals

import (
	"context"
	"log/slog"

	"plaza/data"
	"plaza/data/accounts/suspensions"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/moderation/modmail"
	"plaza/data/rights/bans"
)

// Store begins appeals and decides them.
type Store struct {
	data.Base
	Modmail     *modmail.Store
	Moderation  *moderation.Store
	Bans        *bans.Store
	Suspensions *suspensions.Store
	Log         *slog.Logger
}

var (
	// ErrNoDecision is returned for a decision that does not exist or is not about the actor. NotFound.
	ErrNoDecision = &data.Error{Code: data.NotFound, Message: "There is no such decision about anything of yours."}
	errTakenBack  = &data.Error{Code: data.Conflict, Message: "You can't appeal this. It may have been undone already."}
)

// Subject returns the subject of an appeal against a decision; "" for a decision without an author.
type Subject func(*modlog.Entry) string

// Begin begins the appeal of the actor against a decision about them, and returns the conversation. NotFound (ErrNoDecision), Conflict
// (no appeal is possible), and the errors of modmail.Store.Begin.
func (s *Store) Begin(ctx context.Context, a data.Actor, decision data.ID, subject Subject, text string) (conversation data.ID, err error) {
	r := s.DB.Read()
	d := modlog.FindEntry(r, s.DB, decision)
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	switch {
	case d.Author != a.UserID, subject(d) == "":
		return 0, ErrNoDecision
	case !d.Appealable():
		return 0, errTakenBack
	}
	b := modmail.NewConversation{Community: d.Community, Subject: subject(d), About: d.URL(), Text: text, Decision: d.ID, Decider: d.Decider}
	if data.IsProfile(d.Community) { // administrators moderate it
		b.Community = ""
	}
	return s.Modmail.Begin(ctx, a, b)
}

// BeginSuspended begins a suspended member's appeal against the suspension, or adds a message to it. It returns the conversation. The
// caller has checked that the request is from that member. NotFound (ErrNoDecision), and the errors of modmail.
func (s *Store) BeginSuspended(ctx context.Context, member, decision data.ID, subject Subject,
	text string) (conversation data.ID, err error) {
	r := s.DB.Read()
	d, appeal := modlog.FindEntry(r, s.DB, decision), s.Modmail.FindAppeal(r, member, decision)
	if err := r.Run(ctx); err != nil {
		return 0, err
	}
	if d.Author != member || !d.Action.Suspends() {
		return 0, ErrNoDecision
	}
	if appeal.ID != 0 {
		return appeal.ID, s.Modmail.SaySuspended(ctx, member, d.ID, appeal.ID, text)
	}
	return s.Modmail.Begin(ctx, data.Actor{UserID: member}, modmail.NewConversation{Subject: subject(d), Text: text, Decision: d.ID,
		Decider:   d.Decider,
		Suspended: true})
}

// Decide stores the verdict about an appeal, notifies the member, and applies the verdict. If applying it fails, the job outbox.JobVerdict
// does it later. Invalid, Unauthenticated, NotFound, Conflict (it is decided).
func (s *Store) Decide(ctx context.Context, a data.Actor, conversation data.ID, j modmail.AppealDecision) error {
	if err := s.Modmail.MayDecide(ctx, a, conversation); err != nil {
		return err
	}
	message, err := s.Modmail.DecideAppeal(ctx, a, conversation, j)
	if err != nil {
		return err
	}
	if err := s.CarryOut(ctx, message); err != nil {
		s.Log.WarnContext(ctx, "verdict not carried out yet", "message", message.Text(), "error", err)
	}
	return nil
}

// CarryOut applies the verdict of a message once. It logs that the decision is upheld, or reverses the decision. It may be stopped at any
// point and repeated. Unavailable.
func (s *Store) CarryOut(ctx context.Context, message data.ID) error {
	carry, err := s.Modmail.Claim(ctx, message)
	if err != nil || carry == nil {
		return err
	}
	r := s.DB.Read()
	d := modlog.FindEntry(r, s.DB, carry.Decision)
	if err := r.Run(ctx); err != nil {
		return err
	}
	follow := s.takeBack
	if carry.Verdict == modmail.Upheld {
		follow = s.uphold
	}
	if err := follow(ctx, carry, d); data.ErrorCode(err) == data.NotFound || data.ErrorCode(err) == data.Conflict {
		// Another decision has replaced it, or its target is deleted.
		s.Log.WarnContext(ctx, "nothing follows from a verdict", "message", message.Text(), "error", err)
	} else if err != nil {
		return err
	}
	return s.Modmail.Finish(ctx, carry)
}

// takeBack reverses the decision of an appeal, unless that was done before.
func (s *Store) takeBack(ctx context.Context, carry *modmail.VerdictJob, d *modlog.Entry) error {
	switch {
	case d.ID == 0:
		return ErrNoDecision
	case d.Undone, !d.Until.IsZero() && !d.Until.After(s.Source.Now()): // already reversed or expired
		return nil
	case d.Action == modlog.Remove:
		_, err := s.Moderation.Decide(ctx, carry.Decider, moderation.Decision{Community: d.Community, Act: modlog.Act{Action: modlog.Approve}},
			d.Target)
		return err
	case d.Action.Suspends():
		return s.Suspensions.TakeBack(ctx, carry.Decider, d.Author, d.ID)
	default:
		_, err := s.Bans.Decide(ctx, carry.Decider, bans.Decision{Community: d.Community, Name: carry.Member, Act: modlog.Act{Action: bans.Lift},
			Only: carry.Decision})
		return err
	}
}

// uphold logs that a decision is upheld.
func (s *Store) uphold(ctx context.Context, carry *modmail.VerdictJob, d *modlog.Entry) error {
	if d.ID == 0 {
		return ErrNoDecision
	}
	w := s.DB.WriteAt(data.AtOrIn(d.ID, d.Community))
	modlog.AddUphold(w, s.Source, carry.Decider, d)
	return w.Run(ctx)
}
