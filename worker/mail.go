package worker

import (
	"context"
	"errors"
	"net/url"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/deletion"
	"plaza/data/accounts/sessions"
	"plaza/data/events/inbox"
	"plaza/data/events/mails"
	"plaza/data/moderation/legalnotices"
	"plaza/protocol/mail"
)

// mails.Enqueue enqueues a mail, in the transaction that writes what the mail is about. The events consumer writes its text and sends it.

// newMailWriters returns the functions that write mails, by kind. A function returns nil for a mail that is not to be sent any more, and an
// error for one to be tried again later. A mail that is tried again should have the same content. A function may set m.To.
func (a *App) newMailWriters() map[mails.Kind]mailWriter {
	return map[mails.Kind]mailWriter{
		credentials.MailConfirm:         a.account.ConfirmMail,
		credentials.MailLogIn:           a.account.LogInMail,
		credentials.MailReset:           a.account.ResetMail,
		credentials.MailForReauth:       a.account.ReauthMail,
		credentials.MailPasswordChanged: a.account.PasswordChangedMail,
		credentials.MailAddressChanging: a.account.AddressChangingMail,
		sessions.MailMethodChanged:      a.account.MethodChangedMail,
		inbox.MailOfThread:              a.inbox.InboxMail,
		inbox.MailOfAll:                 a.inbox.InboxMail,
		legalnotices.MailConfirm:        a.moderation.LegalNoticeMail,
		legalnotices.MailDecided:        a.moderation.LegalNoticeDecidedMail,
		deletion.MailAccountDeletion:    a.account.DeletionMail,
	}
}

type mailWriter = func(context.Context, *mails.Waiting) (*mail.Content, error)

// retryMails sends the messages of mails that are due: they were not sent in time, or sending them failed before.
func (a *App) retryMails(ctx context.Context) error {
	due, err := a.stores.mails.FindDue(ctx)
	if err != nil || len(due) == 0 {
		return err
	}
	return a.Queue.Send(ctx, data.QueueEvents, data.Messages(mails.Word, due...)...)
}

// mailsAtOnce is how many mails a batch of the queue sends, one after the other. Each may need two requests, and those that its
// text needs, of the 50 that the free plan allows for a batch; and providers allow a few mails a second.
const mailsAtOnce = 5

// consumeMails sends mails. Those that are too many for one batch go back into the queue as new messages. It
// returns the mails whose messages are to be delivered again.
//
// A mail is claimed, sent and marked as sent. If the instance dies before it was sent, the retry job finds the mail. If it dies
// before the mail was marked, the mail is sent again, with the same key.
func (a *App) consumeMails(ctx context.Context, ids []data.ID) (again []data.ID, err error) {
	if len(ids) > mailsAtOnce {
		if err = a.Queue.Send(ctx, data.QueueEvents, data.Messages(mails.Word, ids[mailsAtOnce:]...)...); err != nil {
			again = append(again, ids[mailsAtOnce:]...)
		}
		ids = ids[:mailsAtOnce]
	}
	claimed, failed := a.stores.mails.Claim(ctx, ids)
	if failed != nil {
		return append(again, ids...), errors.Join(err, failed)
	}
	for i, m := range claimed {
		if a.sendMail(ctx, m) {
			continue
		}
		// The others would fail as well, and each may take seconds.
		var rest []data.ID
		for _, m := range claimed[i+1:] {
			rest = append(rest, m.ID)
		}
		if len(rest) > 0 {
			err = errors.Join(err, a.stores.mails.Return(ctx, rest))
		}
		break
	}
	return again, err
}

// sendMail sends a mail, or gives it up. It returns false if the mail has to be sent again for a reason that concerns
// other mails as well.
func (a *App) sendMail(ctx context.Context, m mails.Waiting) bool {
	mailContent, err := a.mailContent(ctx, &m)
	if err == nil && mailContent != nil {
		to, _ := mails.WithASCIIDomain(m.To)
		err = a.Mail.Send(ctx, mail.Message{To: to, Key: a.mailKey(m.ID), Content: *mailContent})
	}
	if err == nil {
		if err = a.stores.mails.Sent(ctx, m.ID); err != nil {
			a.Log.WarnContext(ctx, "a mail was sent and will be sent again", "mail", m.ID.Text(), "kind", m.Kind, "error", err)
		}
		return true
	}
	var failure *mail.Failure
	final := errors.As(err, &failure) && failure.Final
	if !final && !m.LastTry {
		a.Log.WarnContext(ctx, "a mail was not sent and is tried again", "mail", m.ID.Text(), "kind", m.Kind, "error", err)
		return false
	}
	a.Log.ErrorContext(ctx, "a mail is given up", "mail", m.ID.Text(), "kind", m.Kind, "error", err)
	if err := a.stores.mails.GiveUp(ctx, m.ID); err != nil {
		a.Log.WarnContext(ctx, "a mail that is given up will be tried again", "mail", m.ID.Text(), "error", err)
	}
	return final
}

// mailContent writes a mail; it returns nil if the mail is not to be sent.
func (a *App) mailContent(ctx context.Context, m *mails.Waiting) (*mail.Content, error) {
	write := a.mailWriters[m.Kind]
	switch {
	case m.TooOld:
		return nil, &mail.Failure{Reason: "it is too old, or was begun too often without an outcome", Final: true}
	case a.Mail == nil:
		return nil, &mail.Failure{Reason: "this site sends no mail: MAIL_PROVIDER is not set", Final: true}
	case write == nil:
		return nil, &mail.Failure{Reason: "this version knows no mail of this kind"}
	}
	_ = a.stores.settings.Refresh(ctx) // for the site's name
	mailContent, err := write(ctx, m)
	if m.To == "" {
		mailContent = nil
	}
	return mailContent, err
}

// mailKey identifies a mail among all that this site, and others with the same account at the provider, have sent.
func (a *App) mailKey(id data.ID) string {
	host := a.SiteURL
	if u, err := url.Parse(a.SiteURL); err == nil {
		host = u.Host
	}
	return host + "/" + id.Text()
}
