package inbox_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestInboxMails(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann, bob := s.Member("ann"), s.Member("bob")
	address := s.Confirmed("ann")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	say := func(body string) string {
		to := bob.MustPost("/comment", "post", post, "body", body)
		s.DeliverAll()
		return to
	}

	say("First *words*")
	t.Run("an answer is mailed at once, with a link and a way to end it", func(t *testing.T) {
		mails := box.Mails(address)
		require.Len(t, mails, 1)
		require.Equal(t, "bob replied to you: A post", mails[0].Subject)
		require.Contains(t, mails[0].Text, "> First words")
		require.Contains(t, mails[0].Text, "https://plaza.example/c/gophers/p/a-post/")
		require.Equal(t, "List-Unsubscribe=One-Click", mails[0].Headers["List-Unsubscribe-Post"])
	})
	t.Run("of one thread there is one mail in ten minutes, with all that came meanwhile and was not read", func(t *testing.T) {
		say("Second")
		read := say("Third")
		say("Fourth")
		s.Pass(time.Minute)
		require.Len(t, box.Mails(address), 1)
		ann.Page("/c/gophers/p/a-post/" + strings.TrimPrefix(read[strings.LastIndexAny(read, "/-")+1:], "c-"))
		s.Pass(10 * time.Minute)
		mails := box.Mails(address)
		require.Len(t, mails, 2)
		require.Equal(t, "2 new in: A post", mails[1].Subject)
		require.Contains(t, mails[1].Text, "Second")
		require.Contains(t, mails[1].Text, "Fourth")
		require.NotContains(t, mails[1].Text, "Third")
		require.NotContains(t, mails[1].Text, "First")
		s.Pass(time.Hour)
		require.Len(t, box.Mails(address), 2, "none is repeated")
	})
	t.Run("nobody is mailed who has not confirmed an address, or who reads first", func(t *testing.T) {
		bob.Page("/")
		s.Exec("UPDATE users SET email = 'bob@example.org', email_key = 'bob@example.org' WHERE username_key = 'bob'")
		ann.MustPost("/comment", "post", post, "body", "hello @bob")
		s.DeliverAll()
		require.Empty(t, box.Mails("bob@example.org"))
		s.Queue.Fail = nil
		before := len(box.Mails(""))
		bob.MustPost("/comment", "post", post, "body", "Fifth")
		ann.MustPost("/inbox/read", "newest", "1000000")
		s.Deliver()
		ann.MustPost("/inbox/read", "newest", "1000000")
		s.DeliverAll()
		require.Len(t, box.Mails(""), before)
	})
	t.Run("a digest comes once a day, if there is something new", func(t *testing.T) {
		ann.MustPost("/settings/notifications", "replies", "digest", "mentions", "none", "threads", "none", "days", "1")
		require.Contains(t, ann.Page("/settings/notifications?saved"), "Your choices are saved.")
		before := len(box.Mails(address))
		say("Sixth")
		say("Seventh")
		s.Pass(time.Hour)
		require.Len(t, box.Mails(address), before)
		s.Pass(24 * time.Hour)
		mails := box.Mails(address)[before:]
		require.Len(t, mails, 1)
		require.Equal(t, "News from your inbox at Plaza", mails[0].Subject)
		require.Contains(t, mails[0].Text, "Seventh")
		s.Pass(25 * time.Hour)
		require.Len(t, box.Mails(address), before+1, "nothing new")
	})
	t.Run("the link in a mail ends such mails without logging in", func(t *testing.T) {
		mails := box.Mails(address)
		for i, n := range []int{0, len(mails) - 1} { // of a thread, and a digest
			link := strings.TrimPrefix(strings.Trim(mails[n].Headers["List-Unsubscribe"], "<>"), "https://plaza.example")
			require.Contains(t, s.Visitor().Page(link), "Stop these mails")
			require.Equal(t, int64(1), s.One("SELECT count(*) FROM mail_choices WHERE replies = 'digest'"), "opening it ends nothing")
			for _, bad := range []string{strings.Replace(link, "key=", "key=x", 1), strings.Replace(link, "kind=", "kind=x", 1)} {
				require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post(bad).Code)
				require.Contains(t, s.Visitor().Page(bad), "This link is incomplete")
			}
			// As a mail program does (RFC 8058): no cookie, no origin, one field.
			r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+link,
				strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n"))
			r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
			require.Equal(t, http.StatusOK, s.Visitor().Send(r).Code)
			require.Equal(t, http.StatusOK, s.Visitor().Post(link, "List-Unsubscribe", "One-Click").Code, "twice is as good")
			if i == 0 {
				s.Exec("UPDATE mail_choices SET replies = 'digest'")
			}
		}
		require.Equal(t, "none none none", s.One("SELECT replies || ' ' || mentions || ' ' || threads FROM mail_choices"))
		require.Nil(t, s.One("SELECT digest_at FROM mail_choices"))
		before := len(box.Mails(address))
		say("Eighth")
		s.Pass(48 * time.Hour)
		require.Len(t, box.Mails(address), before)
	})
}
