package worker_test

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
	"plaza/data/mails"
	"plaza/mail"
	"plaza/stack"
	"plaza/worker/request"
)

// mailbox has the site send its mails to a mailbox of the test's own.
func (s *site) mailbox() *stack.Mailbox {
	s.Helper()
	box, err := stack.StartMailbox("secret")
	require.NoError(s, err)
	s.Cleanup(func() { box.Close() })
	s.mailBy(box.URL + "/emails")
	return box
}

// mailBy has the site send its mails by a server that speaks Resend's format.
func (s *site) mailBy(address string) {
	s.Helper()
	sender, err := mail.NewSender(mail.Options{Provider: "resend", Token: "secret", From: "Plaza <plaza@plaza.example>", URL: address, HTTP: http.DefaultClient})
	require.NoError(s, err)
	s.config.Mail = sender
	s.restart(s.config)
}

// confirmed gives a member an address and says that it was confirmed.
func (s *site) confirmed(name string) (address string) {
	s.Helper()
	address = name + "@example.org"
	s.exec("UPDATE users SET email = ?2, email_key = ?2, email_confirmed_at = 1 WHERE username_key = ?1", name, address)
	return address
}

// leaveMail leaves a mail.
func (s *site) leaveMail(m mails.Mail) data.ID {
	s.Helper()
	w := s.config.DB.Write(data.Directory)
	mails.Leave(w, s.config.Source, m)
	require.NoError(s, w.Run(context.Background()))
	return data.ID(s.one("SELECT max(id) FROM mails").(int64))
}

// later is what the job of each minute does after some time, and what comes of it.
func (s *site) later(d time.Duration) {
	s.Helper()
	s.now = s.now.Add(d)
	require.NoError(s, s.app.Scheduled(context.Background(), s.now))
	s.deliver()
}

// pass lets some time pass, has the job of the minute run, and delivers until no messages are left.
func (s *site) pass(d time.Duration) {
	s.Helper()
	s.now = s.now.Add(d)
	require.NoError(s, s.app.Scheduled(context.Background(), s.now))
	s.deliverAll()
}

func (s *site) deliverAll() {
	s.Helper()
	for s.queue.waits() {
		s.deliver()
	}
}

func (q *memoryQueue) waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.messages[request.QueueEvents])+len(q.messages[request.QueueVotes]) > 0
}

// from is a visitor from a network of their own.
func (s *site) from(i int) *browser {
	b := s.visitor()
	b.remote = fmt.Sprintf("198.51.%d.%d:1", i/200, i%200+1)
	return b
}

// mailed is a site with a mailbox.
type mailed struct {
	*site
	box *stack.Mailbox
}

// link is the address, on this site, of the link in the newest mail about something to somebody, once the queues are empty.
func (s *mailed) link(to, subject string) string {
	s.Helper()
	for range 3 { // a delivery sends five mails, and puts the others off to the next
		s.deliver()
	}
	all := s.box.Mails(to)
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

// press opens a mailed link, twice, and presses its button.
func (s *mailed) press(b *browser, link string, fields ...string) *httptest.ResponseRecorder {
	s.Helper()
	b.page(link)
	return b.post("/link", append(formOf(s.T, b.page(link), "/link"), fields...)...)
}
