package account_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// deliverMails empties the queues: a delivery sends five mails, and puts the others off to the next.
func deliverMails(s *workertest.Mailed, most int) {
	for range most/5 + 2 {
		s.Deliver()
	}
}

// TestAStrangersAddressAtSignUp: thirty sign-ups from thirty networks with one address send one mail, and no page tells.
func TestAStrangersAddressAtSignUp(t *testing.T) {
	s := openMailed(t)
	s.Strict(s.Redis)
	spellings := []string{"victim@example.org", "Victim@Example.org", "VICTIM@example.org", "victim+a@example.org", "victim+b+c@example.org"}
	pages := map[string]int{}
	secret := regexp.MustCompile(`user\d+|[A-Za-z0-9_-]{20,}`)
	for i := range 30 {
		b := s.From(i)
		res := b.Post("/signup", "username", fmt.Sprint("user", i), "email", spellings[i%len(spellings)], "password", "correct horse")
		require.Equal(t, http.StatusSeeOther, res.Code)
		pages[res.Header().Get("Location")+secret.ReplaceAllString(res.Body.String(), "")]++
	}
	deliverMails(s, 30)
	require.Len(t, s.Box.Mails(""), 1)
	require.Len(t, pages, 1, "whether there was a mail can't be seen")
	require.EqualValues(t, 30, s.One("SELECT count(*) FROM users WHERE email_key LIKE 'victim%'"))
	require.EqualValues(t, 0, s.One("SELECT count(*) FROM mails WHERE due_at IS NOT NULL"), "none waits for tomorrow")

	t.Run("other mailboxes get theirs", func(t *testing.T) {
		s.From(40).MustPost("/signup", "username", "other", "email", "victim@example.com", "password", "correct horse")
		deliverMails(s, 1)
		require.Len(t, s.Box.Mails("victim@example.com"), 1)
	})
	t.Run("who signed up in earnest asks for the mail again, a few times", func(t *testing.T) {
		s.T = t
		before := len(s.Box.Mails(""))
		b := s.From(50)
		b.MustPost("/signup", "username", "victim", "email", "victim@example.org", "password", "correct horse")
		for i := range 5 {
			require.Equal(t, "/settings/account?mailed", b.MustPost("/settings/account/email", "again", "1"))
			deliverMails(s, 1) // each makes the links of before void
			if i == 0 {
				require.Contains(t, s.Visitor().Page(s.Link("victim@example.org", "Confirm your address")), "the account victim")
			}
		}
		require.Len(t, s.Box.Mails(""), before+3)
	})
	t.Run("all accounts together get no more of them for one address", func(t *testing.T) {
		s.T = t
		before := len(s.Box.Mails(""))
		for i := range 8 {
			b := s.From(60 + i)
			b.MustPost("/signup", "username", fmt.Sprint("again", i), "password", "correct horse")
			require.Equal(t, "/settings/account?mailed", b.MustPost("/settings/account/email", "email", "stranger@example.org"))
		}
		deliverMails(s, 8)
		require.Len(t, s.Box.Mails(""), before+6)
	})
	t.Run("what one account asks for leaves the others theirs", func(t *testing.T) {
		s.T = t
		b := s.From(80)
		b.MustPost("/signup", "username", "claims", "email", "owner@example.org", "password", "correct horse")
		for range 5 {
			b.MustPost("/settings/account/email", "again", "1")
			deliverMails(s, 1)
		}
		holder := s.From(90)
		holder.MustPost("/signup", "username", "holder", "email", "owner@example.org", "password", "correct horse")
		before := len(s.Box.Mails("owner@example.org"))
		holder.MustPost("/settings/account/email", "again", "1")
		deliverMails(s, 1)
		require.Len(t, s.Box.Mails("owner@example.org"), before+1)
		require.Contains(t, s.Visitor().Page(s.Link("owner@example.org", "Confirm your address")), "the account holder")
	})
	t.Run("a day later there is another", func(t *testing.T) {
		s.T = t
		before := len(s.Box.Mails("victim@example.org"))
		s.Now = s.Now.Add(24*time.Hour + time.Minute)
		s.From(70).MustPost("/signup", "username", "later", "email", "victim@example.org", "password", "correct horse")
		deliverMails(s, 1)
		require.Len(t, s.Box.Mails("victim@example.org"), before+1)
	})
	t.Run("a mail that failed is tried again, although it was counted", func(t *testing.T) {
		s.T = t
		good := s.Config.Mail
		s.MailBy("http://127.0.0.1:1/emails")
		s.From(71).MustPost("/signup", "username", "unlucky", "email", "unlucky@example.org", "password", "correct horse")
		s.Deliver()
		require.EqualValues(t, 1, s.One("SELECT count(*) FROM mails WHERE due_at IS NOT NULL AND counted_for <> ''"))
		s.Config.Mail = good
		s.Restart(s.Config)
		s.Later(2 * time.Minute)
		require.Len(t, s.Box.Mails("unlucky@example.org"), 1)
	})
}

// TestMailedLinksOfADay: strangers can have a member mailed so many links, and use up none of those that the member asks for.
func TestMailedLinksOfADay(t *testing.T) {
	s := openMailed(t)
	_, address := linkedMember(s, "ann")
	ask := func(b *workertest.Browser, path string) {
		res := b.Post(path, "login", "ann")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	}
	for path, most := range map[string]int{"/login/link": 10, "/reset": 5} {
		before := len(s.Box.Mails(address))
		for i := range 30 {
			ask(s.From(i), path)
		}
		deliverMails(s, 30)
		require.Len(t, s.Box.Mails(address), before+most, path)
		home := s.Visitor()
		home.Remote = "192.0.2.200:9"
		home.MustPost("/login", "login", "ann", "password", "correct horse")
		ask(home, path)
		deliverMails(s, 1)
		require.Len(t, s.Box.Mails(address), before+most+1, "from a network where ann has logged in")
	}
}
