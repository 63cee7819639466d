package worker

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/data/mails"
	"plaza/data/people"
)

// Anybody can make this site mail a stranger, by typing their address. So one mailbox gets only so many of these mails in 24 hours, however
// many networks and accounts ask for them. The consumer that sends mails counts them, and leaves out the others. So the page shows the
// same, and takes the same time, whether or not a mail is sent.

// mailBound says how many mails of a kind one mailbox gets in mails.BoundPer.
type mailBound struct {
	name     string
	kind     mails.Kind
	asks     string // who asks for them, for the docs
	most     int
	familiar int // how many more, if they are asked for from a network where the member has logged in; 0 for no difference
}

// mailBounds are all kinds of mails that are sent to a typed address. Of two of a kind, the first is for addresses of a new account.
var mailBounds = []mailBound{
	{"sign-up", people.MailConfirm, "anybody who signs up, with any address", 1, 0},
	{"confirm", people.MailConfirm, "a member for their own account, with any address", 3, 0},
	{"log-in", people.MailLogIn, "anybody, by a name or address of an account", 10, 20},
	{"reset", people.MailReset, "anybody, by a name or address of an account", 5, 10},
	{"prove", people.MailProve, "a member for their own account", 20, 0},
}

// boundOf returns the bound of a mail; nil for mails that only their own member can cause.
func boundOf(m *mails.Waiting) *mailBound {
	i := slices.IndexFunc(mailBounds, func(b mailBound) bool {
		return b.kind == m.Kind && (b.kind != people.MailConfirm || (b.name == "sign-up") == (m.About["sign-up"] != ""))
	})
	if i < 0 {
		return nil
	}
	return &mailBounds[i]
}

// withinBound counts a mail to a member, and tells whether it may go out. Unavailable.
func (a *App) withinBound(ctx context.Context, m *mails.Waiting, member data.ID) (bool, error) {
	b := boundOf(m)
	if b == nil {
		return true, nil
	}
	most, name := b.most, b.name
	if network := m.About["network"]; b.familiar > 0 && network != "" {
		known, err := a.users.LogsInFrom(ctx, member, network)
		if err != nil {
			return false, err
		}
		if known { // what strangers ask for uses up nothing of the member's
			most, name = b.familiar, name+" from home"
		}
	}
	ok, err := a.mails.Count(ctx, m, mails.Bound{For: name + " " + a.secretKey("mailbox", people.Mailbox(m.To)), Most: most})
	if err == nil && !ok {
		a.Log.InfoContext(ctx, "a mail is left out: its mailbox got enough today", "mail", m.ID.Text(), "kind", strings.Fields(name)[0])
	}
	return ok, err
}
