package account

import (
	"context"
	"net/http"

	"plaza/data"
	"plaza/data/accounts/deletion"
	"plaza/data/events/mails"
	"plaza/locale"
	"plaza/protocol/mail"
	pages "plaza/render/account"
	"plaza/render/ui"
	"plaza/worker/queue"
	"plaza/worker/request"
	"plaza/worker/request/session"
)

// ShowDeleteAccount is the page on which members delete their account.
func (h *Handlers) ShowDeleteAccount(c *request.Call) error {
	if _, kept := c.R.URL.Query()["kept"]; kept {
		c.Flash = "You are logged in, and your account will not be deleted."
	}
	return h.deleteAccountPage(c, http.StatusOK, c.Typed("content", "alone"))
}

func (h *Handlers) deleteAccountPage(c *request.Call, status int, f ui.Form) error {
	r := c.Read()
	alone := h.Deletion.FindOnlyModerated(r, *c.Actor)
	if err := c.Run(r); err != nil {
		return err
	}
	p := pages.DeleteAccountPage{Frame: c.Frame("Delete your account"), Form: f, Alone: *alone}
	return request.Show(c, status, pages.DeleteAccount, p)
}

// DeleteAccount begins the deletion of the member's account: all sessions end, and a mail says so.
func (h *Handlers) DeleteAccount(c *request.Call) error {
	err := h.Deletion.Request(c.R.Context(), *c.Actor, c.Value("content"), c.Flag("alone"))
	if err == nil {
		err = h.Sessions.EndAll(c.R.Context(), c.Actor.UserID)
	}
	if err != nil {
		return h.RefuseDeleteAccount(c, err)
	}
	c.DropCookie(session.CookieName)
	return c.Done("/login?left", map[string]any{"ok": true})
}

func (h *Handlers) RefuseDeleteAccount(c *request.Call, err error) error {
	return request.RefuseMember(c, err, h.deleteAccountPage, []string{"content", "alone"})
}

// DeletionMail notifies a member that the account is to be deleted, and says how to keep it.
func (h *Handlers) DeletionMail(_ context.Context, m *mails.Waiting) (*mail.Content, error) {
	say, until := m.Language.Say, locale.Day(m.QueuedAt.Add(deletion.Grace).UTC())
	return &mail.Content{
		Language: m.Language.Tag,
		Subject:  say(locale.With("Your account at {} will be deleted", h.SiteName())),
		Parts: []mail.Part{
			mail.Paragraph(say(locale.With("Somebody who was logged in as {} has asked for the deletion of this account. It is logged out "+
				"everywhere, and will be deleted on {}.", m.Username, until))),
			mail.Paragraph(say("To keep it, log in before that day. If it was not you who asked, choose a new password as well.")),
			mail.Button{Label: say("Log in and keep the account"), URL: h.SiteURL + "/login"},
		},
		Why: h.whyOfAccount(m),
	}, nil
}

// RetryDeletions sends messages of account deletions whose time has come, or whose message may be lost.
func (h *Handlers) RetryDeletions(ctx context.Context) error {
	due, err := h.Deletion.FindDue(ctx)
	if err != nil || len(due) == 0 {
		return err
	}
	return h.Queue.Send(ctx, data.QueueEvents, data.Messages(queue.DeleteAccountWord, due...)...)
}

// ConsumeDeleteAccount continues one account deletion. What is left to do is sent as new messages, because a message
// that only waits must not become a dead letter. If such a message is lost, the retry job sends it again.
func (h *Handlers) ConsumeDeleteAccount(ctx context.Context, ids []data.ID) ([]data.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	more, err := h.Deletion.Continue(ctx, ids[0])
	rest := ids[1:]
	if err != nil {
		rest = ids
	}
	bodies := data.Messages(queue.DeleteAccountWord, ids[1:]...)
	if more && err == nil {
		bodies = append(bodies, data.Message(queue.DeleteAccountWord, ids[0]))
	}
	if len(bodies) > 0 && h.Queue.Send(ctx, data.QueueEvents, bodies...) != nil {
		return rest, err // the retry job continues the first one if err is nil
	}
	if err != nil {
		return ids[:1], err
	}
	return nil, nil
}
