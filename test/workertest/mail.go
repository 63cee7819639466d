package workertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/protocol/mail"
	"plaza/stack"
)

// Mailbox makes the site send its mails to a mailbox of the test's own.
func (s *Site) Mailbox() *stack.Mailbox {
	s.Helper()
	box, err := stack.StartMailbox("secret")
	require.NoError(s, err)
	s.Cleanup(func() { box.Close() })
	s.MailBy(box.URL + "/emails")
	return box
}

// MailBy makes the site send its mails by a server that speaks Resend's format.
func (s *Site) MailBy(address string) {
	s.Helper()
	sender, err := mail.NewSender(mail.Options{Provider: "resend", Token: "secret", From: "Plaza <plaza@plaza.example>", URL: address,
		HTTP: http.DefaultClient})
	require.NoError(s, err)
	s.Config.Mail = sender
	s.Restart(s.Config)
}

// Confirmed gives a member an address and says that it was confirmed.
func (s *Site) Confirmed(name string) (address string) {
	s.Helper()
	address = name + "@example.org"
	s.Exec("UPDATE users SET email = ?2, email_key = ?2, email_confirmed_at = 1 WHERE username_key = ?1", name, address)
	return address
}

// Later lets some time pass, runs the job of the minute, and delivers the messages once.
func (s *Site) Later(d time.Duration) {
	s.Helper()
	s.Now = s.Now.Add(d)
	require.NoError(s, s.App.Scheduled(context.Background(), s.Now))
	s.Deliver()
}

// Pass lets some time pass, runs the job of the minute, and delivers until no messages are left.
func (s *Site) Pass(d time.Duration) {
	s.Helper()
	s.Later(d)
	s.DeliverAll()
}

func (s *Site) DeliverAll() {
	s.Helper()
	for s.Queue.Waits() {
		s.Deliver()
	}
}

func (q *MemoryQueue) Waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.Messages[data.QueueEvents])+len(q.Messages[data.QueueVotes]) > 0
}

// From is a visitor from a network of their own.
func (s *Site) From(i int) *Browser {
	b := s.Visitor()
	b.Remote = fmt.Sprintf("198.51.%d.%d:1", i/200, i%200+1)
	return b
}

// Mailed is a site with a mailbox.
type Mailed struct {
	*Site
	Box *stack.Mailbox
}

// Link returns the path of the link in the newest mail to an address whose subject contains a text, once the queues are empty.
func (s *Mailed) Link(to, subject string) string {
	s.Helper()
	for range 3 { // a delivery sends five mails, and puts the others off to the next
		s.Deliver()
	}
	all := s.Box.Mails(to)
	for len(all) > 0 && !strings.Contains(all[len(all)-1].Subject, subject) {
		all = all[:len(all)-1]
	}
	require.NotEmpty(s, all, "mail to %s about %q", to, subject)
	last := all[len(all)-1]
	link := regexp.MustCompile(`https://plaza\.example(/link\?token=\S+)`).FindStringSubmatch(last.Text)
	require.NotNil(s, link, last.Text)
	require.Contains(s, last.HTML, link[0])
	return link[1]
}

// Press opens a mailed link, twice, and presses its button.
func (s *Mailed) Press(b *Browser, link string, fields ...string) *httptest.ResponseRecorder {
	s.Helper()
	b.Page(link)
	return b.Post("/link", append(FormOf(s.T, b.Page(link), "/link"), fields...)...)
}
