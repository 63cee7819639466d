package worker_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// deliverMails empties the queues: a delivery sends five mails, and puts the others off to the next.
func (s *mailed) deliverMails(most int) {
	for range most/5 + 2 {
		s.deliver()
	}
}

// TestAStrangersAddressAtSignUp: thirty sign-ups from thirty networks with one address send one mail, and no page tells.
func TestAStrangersAddressAtSignUp(t *testing.T) {
	s := openMailed(t)
	s.strict(s.redis)
	spellings := []string{"victim@example.org", "Victim@Example.org", "VICTIM@example.org", "victim+a@example.org", "victim+b+c@example.org"}
	pages := map[string]int{}
	secret := regexp.MustCompile(`user\d+|[A-Za-z0-9_-]{20,}`)
	for i := range 30 {
		b := s.from(i)
		res := b.post("/signup", "username", fmt.Sprint("user", i), "email", spellings[i%len(spellings)], "password", "correct horse")
		require.Equal(t, http.StatusSeeOther, res.Code)
		pages[res.Header().Get("Location")+secret.ReplaceAllString(res.Body.String(), "")]++
	}
	s.deliverMails(30)
	require.Len(t, s.box.Mails(""), 1)
	require.Len(t, pages, 1, "whether there was a mail can't be seen")
	require.EqualValues(t, 30, s.one("SELECT count(*) FROM users WHERE email_key LIKE 'victim%'"))
	require.EqualValues(t, 0, s.one("SELECT count(*) FROM mails WHERE due_at IS NOT NULL"), "none waits for tomorrow")

	t.Run("other mailboxes get theirs", func(t *testing.T) {
		s.from(40).mustPost("/signup", "username", "other", "email", "victim@example.com", "password", "correct horse")
		s.deliverMails(1)
		require.Len(t, s.box.Mails("victim@example.com"), 1)
	})
	t.Run("who signed up in earnest asks for the mail again, a few times", func(t *testing.T) {
		s.T = t
		before := len(s.box.Mails(""))
		b := s.from(50)
		b.mustPost("/signup", "username", "victim", "email", "victim@example.org", "password", "correct horse")
		for i := range 5 {
			require.Equal(t, "/settings/account?mailed", b.mustPost("/settings/account/email", "again", "1"))
			s.deliverMails(1) // each makes the links of before void
			if i == 0 {
				require.Contains(t, s.visitor().page(s.link("victim@example.org", "Confirm your address")), "the account victim")
			}
		}
		require.Len(t, s.box.Mails(""), before+3)
	})
	t.Run("all accounts together get no more of them for one address", func(t *testing.T) {
		s.T = t
		before := len(s.box.Mails(""))
		for i := range 8 {
			b := s.from(60 + i)
			b.mustPost("/signup", "username", fmt.Sprint("again", i), "password", "correct horse")
			require.Equal(t, "/settings/account?mailed", b.mustPost("/settings/account/email", "email", "stranger@example.org"))
		}
		s.deliverMails(8)
		require.Len(t, s.box.Mails(""), before+3)
	})
	t.Run("a day later there is another", func(t *testing.T) {
		s.T = t
		before := len(s.box.Mails("victim@example.org"))
		s.now = s.now.Add(24*time.Hour + time.Minute)
		s.from(70).mustPost("/signup", "username", "later", "email", "victim@example.org", "password", "correct horse")
		s.deliverMails(1)
		require.Len(t, s.box.Mails("victim@example.org"), before+1)
	})
	t.Run("a mail that failed is tried again, although it was counted", func(t *testing.T) {
		s.T = t
		good := s.config.Mail
		s.mailBy("http://127.0.0.1:1/emails")
		s.from(71).mustPost("/signup", "username", "unlucky", "email", "unlucky@example.org", "password", "correct horse")
		s.deliver()
		require.EqualValues(t, 1, s.one("SELECT count(*) FROM mails WHERE due_at IS NOT NULL AND counted_for <> ''"))
		s.config.Mail = good
		s.restart(s.config)
		s.later(2 * time.Minute)
		require.Len(t, s.box.Mails("unlucky@example.org"), 1)
	})
}

// TestMailedLinksOfADay: strangers can have a member mailed so many links, and use up none of those that the member asks for.
func TestMailedLinksOfADay(t *testing.T) {
	s := openMailed(t)
	_, address := s.linkedMember("ann")
	ask := func(b *browser, path string) {
		res := b.post(path, "login", "ann")
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	}
	for path, most := range map[string]int{"/login/link": 10, "/reset": 5} {
		before := len(s.box.Mails(address))
		for i := range 30 {
			ask(s.from(i), path)
		}
		s.deliverMails(30)
		require.Len(t, s.box.Mails(address), before+most, path)
		home := s.visitor()
		home.remote = "192.0.2.200:9"
		home.mustPost("/login", "login", "ann", "password", "correct horse")
		ask(home, path)
		s.deliverMails(1)
		require.Len(t, s.box.Mails(address), before+most+1, "from a network where ann has logged in")
	}
}
