package request

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/events/mails"
	"plaza/data/moderation/legalnotices"
)

// Anybody can make this site mail a stranger, by typing their address. So one mailbox gets only so many of these mails in 24 hours, however
// many networks and accounts request them. The consumer that sends mails counts them, and sends no more than that. So the page shows the
// same, and takes the same time, whether or not a mail is sent.

// mailBound is how many mails of a kind one mailbox gets in mails.BoundPer.
type mailBound struct {
	Name     string
	Kind     mails.Kind
	Asks     string // who requests them, for the docs
	Most     int
	Familiar int // a separate bound for requests from a network where the member has logged in; 0 for no difference
	// OfOne is how many of them one network or account can request, so that it can't use up those of others (mails.Bound); 0 for all.
	OfOne int
}

// MailLimits has a bound for each kind of mail that a form requests. Of MailConfirm, sign-up is for the address of a new account.
var MailLimits = []mailBound{
	{"sign-up", credentials.MailConfirm, "anybody who signs up, with any address", 1, 0, 0},
	{"confirm", credentials.MailConfirm, "a member for their own account, with any address", 6, 0, 3},
	{"log-in", credentials.MailLogIn, "anybody, by a name or address of an account", 10, 20, 0},
	{"reset", credentials.MailReset, "anybody, by a name or address of an account", 5, 10, 0},
	{"prove", credentials.MailForReauth, "a member for their own account", 20, 0, 0},
	{"notice", legalnotices.MailConfirm, "anybody, with any address", 20, 0, 5},
}

// boundOf returns the bound of a mail; nil if its kind has none.
func boundOf(m *mails.Waiting) *mailBound {
	i := slices.IndexFunc(MailLimits, func(b mailBound) bool {
		return b.Kind == m.Kind && (b.Kind != credentials.MailConfirm || (b.Name == "sign-up") == (m.About["sign-up"] != ""))
	})
	if i < 0 {
		return nil
	}
	return &MailLimits[i]
}

// AllowMail counts a mail to a member, and reports whether it may be sent. Unavailable.
func (s *Server) AllowMail(ctx context.Context, m *mails.Waiting, member data.ID) (bool, error) {
	b := boundOf(m)
	if b == nil {
		return true, nil
	}
	maxMails, name := b.Most, b.Name
	if network := m.About["network"]; b.Familiar > 0 && network != "" {
		known, err := s.Sessions.LogsInFrom(ctx, member, network)
		if err != nil {
			return false, err
		}
		if known { // counted apart, so that strangers can't use it up
			maxMails, name = b.Familiar, name+" from home"
		}
	}
	bound := mails.Bound{For: name + " " + s.Key.Hash("mailbox", credentials.Mailbox(m.To)), Max: maxMails, MaxPerRequester: b.OfOne}
	if b.OfOne > 0 {
		bound.By = s.Key.Hash("asks", cmp.Or(m.About["network"], m.User.Text())+" "+bound.For)
	}
	ok, err := s.Mails.Count(ctx, m, bound)
	if err == nil && !ok {
		s.Log.InfoContext(ctx, "mail not sent: its mailbox is over its limit", "mail", m.ID.Text(), "kind", strings.Fields(name)[0])
	}
	return ok, err
}
