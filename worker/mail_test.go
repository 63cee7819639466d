package worker_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/mails"
	"plaza/protocol/mail"
	"plaza/test/workertest"
	"plaza/worker"
)

// testMail writes the letters of mails of the kind test.
func testMail(m *mails.Waiting) *mail.Content {
	if m.About["nothing"] != "" {
		return nil
	}
	return &mail.Content{Subject: "Hello " + m.Username, Parts: []mail.Part{mail.Paragraph(m.About["text"])}, Why: "A test."}
}

func enqueueMail(s *workertest.Site, m mails.Mail) data.ID {
	s.Helper()
	w := s.Config.DB.Write()
	mails.Enqueue(w, s.Config.Source, m)
	require.NoError(s, w.Run(context.Background()))
	return data.ID(s.One("SELECT max(id) FROM mails").(int64))
}

func init() { workertest.OnOpen = func(a *worker.App) { a.SetMailWriter("test", testMail) } }

func TestMails(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	s.Member("ann")
	ann := data.ID(s.One("SELECT id FROM users").(int64))
	address := s.Confirmed("ann")

	t.Run("a mail that is left is sent, once, and its row says nothing any more", func(t *testing.T) {
		id := enqueueMail(s, mails.Mail{Key: "test 1", Kind: "test", User: ann, About: map[string]string{"text": "Words"}})
		s.Deliver()
		require.NoError(t, s.Queue.Send(context.Background(), data.QueueEvents, "mail "+id.Text(), "mail "+id.Text()))
		s.Deliver()
		all := box.Mails(address)
		require.Len(t, all, 1)
		require.Equal(t, "Hello ann", all[0].Subject)
		require.Equal(t, "Plaza <plaza@plaza.example>", all[0].From)
		require.Contains(t, all[0].Text, "Words\n")
		require.Contains(t, all[0].HTML, "<p style=\"margin:0 0 16px\">Words</p>")
		require.Equal(t, "", s.One("SELECT address || about FROM mails WHERE due_at IS NULL"))
	})
	t.Run("a lost message is sent again by the retry job", func(t *testing.T) {
		enqueueMail(s, mails.Mail{Key: "test 2", Kind: "test", User: ann})
		s.Queue.Take(data.QueueEvents)
		s.Later(2 * time.Minute)
		require.Len(t, box.Mails(address), 2)
	})
	t.Run("an instance that died after sending sends it again, and the provider keeps it from arriving twice", func(t *testing.T) {
		id := enqueueMail(s, mails.Mail{Key: "test 3", Kind: "test", User: ann})
		s.Deliver()
		s.Exec(`UPDATE mails SET due_at = 0, about = '{}' WHERE id = ?1`, int64(id)) // as it was before it was ended
		s.Later(0)
		require.Len(t, box.Mails(address), 3)
		require.Equal(t, nil, s.One(`SELECT due_at FROM mails WHERE id = ?1`, int64(id)))
	})
	t.Run("many are sent a few at a time", func(t *testing.T) {
		for i := range 12 {
			enqueueMail(s, mails.Mail{Key: "many " + string(rune('a'+i)), Kind: "test", Address: "many@example.org"})
		}
		for i, n := range []int{5, 10, 12} {
			s.Deliver()
			require.Len(t, box.Mails("many@example.org"), n, i)
		}
	})
	t.Run("nothing is sent to a member without a confirmed address, nor a letter that is not written", func(t *testing.T) {
		s.Member("ben")
		ben := data.ID(s.One("SELECT id FROM users WHERE username = 'ben'").(int64))
		before := len(box.Mails(""))
		enqueueMail(s, mails.Mail{Key: "test 4", Kind: "test", User: ben})
		enqueueMail(s, mails.Mail{Key: "test 5", Kind: "test", User: ann, About: map[string]string{"nothing": "1"}})
		s.Deliver()
		require.Len(t, box.Mails(""), before)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM mails WHERE due_at IS NOT NULL"))
	})
	t.Run("the mailbox shows them on a page, as JSON, and as HTML", func(t *testing.T) {
		get := func(path string) string {
			res, err := http.Get(box.URL + path)
			require.NoError(t, err)
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			return string(body)
		}
		page := get("/")
		require.Contains(t, page, "Hello ann")
		html := regexp.MustCompile(`/mails/\d+`).FindString(page)
		require.Contains(t, get(html), "A test.")
		require.Contains(t, get("/mails.json?to="+url.QueryEscape(address)), `"subject":"Hello ann"`)
	})
}

// TestAProviderThatFails goes through what a provider may answer.
func TestAProviderThatFails(t *testing.T) {
	s := workertest.MustOpen(t)
	var status, asked atomic.Int64
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(provider.Close)
	s.MailBy(provider.URL)
	waits := func() any { return s.One("SELECT count(*) FROM mails WHERE due_at IS NOT NULL") }
	givenUp := func(key string) any { return s.One("SELECT given_up FROM mails WHERE key = ?1", key) }

	t.Run("a failing one is asked once a delivery, whatever waits, and the mails are sent later", func(t *testing.T) {
		status.Store(503)
		for i := range 4 {
			enqueueMail(s, mails.Mail{Key: "a " + string(rune('a'+i)), Kind: "test", Address: "ann@example.org"})
		}
		s.Deliver()
		require.EqualValues(t, 1, asked.Load())
		require.EqualValues(t, 4, waits())
		status.Store(200)
		s.Later(2 * time.Minute)
		require.EqualValues(t, 0, waits())
		require.EqualValues(t, 5, asked.Load())
	})
	t.Run("seven times in a day, and then no more", func(t *testing.T) {
		status.Store(500)
		asked.Store(0)
		enqueueMail(s, mails.Mail{Key: "b", Kind: "test", Address: "ann@example.org"})
		s.Deliver()
		for _, wait := range []time.Duration{1, 4, 16, 64, 256, 1024, 4096} {
			s.Later(wait*time.Minute + time.Second)
		}
		require.EqualValues(t, 7, asked.Load())
		require.EqualValues(t, 0, waits())
		require.Equal(t, []any{int64(0), int64(1)}, []any{givenUp("a a"), givenUp("b")})
	})
	t.Run("a mail that it refuses is given up, and the next one is sent", func(t *testing.T) {
		status.Store(422)
		asked.Store(0)
		enqueueMail(s, mails.Mail{Key: "c", Kind: "test", Address: "ann@example.org"})
		enqueueMail(s, mails.Mail{Key: "d", Kind: "test", Address: "ann@example.org"})
		s.Deliver()
		require.EqualValues(t, 2, asked.Load())
		require.EqualValues(t, 0, waits())
		require.Equal(t, []any{int64(1), int64(1)}, []any{givenUp("c"), givenUp("d")})
	})
	t.Run("a site without a provider gives up", func(t *testing.T) {
		s.Config.Mail = nil
		s.Restart(s.Config)
		enqueueMail(s, mails.Mail{Key: "e", Kind: "test", Address: "ann@example.org"})
		s.Deliver()
		require.EqualValues(t, 0, waits())
	})
}

// TestNoMail is about a site that sends no mail, which is what it says wherever mail would be offered.
func TestNoMail(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	none := func(b *workertest.Browser, path string) string {
		page := b.Page(path)
		require.NotContains(t, page, "Mail me a link", path)
		require.NotContains(t, page, `name="email"`, path)
		return page
	}
	require.Contains(t, none(ann, "/settings/account"), "This site sends no mail")
	require.Contains(t, none(ann, "/settings/notifications"), "This site sends no mail")
	require.NotContains(t, none(ann, "/settings/notifications"), "not confirmed")
	for _, path := range []string{"/signup", "/login"} {
		none(s.Visitor(), path)
	}
	none(ann, "/prove")
	for _, path := range []string{"/settings/account/email", "/prove/link"} {
		res := ann.Post(path, "email", "ann@example.org")
		require.Equal(t, http.StatusNotFound, res.Code, path)
		require.Contains(t, res.Body.String(), "This site sends no mail.")
	}
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM mails"))

	s.Mailbox()
	require.Contains(t, ann.Page("/settings/notifications"), "You have no email address")
	ann.MustPost("/settings/account/email", "email", "ann@example.org")
	s.Now = s.Now.Add(data.MemberCacheTTL)
	page := ann.Page("/settings/notifications")
	require.Contains(t, page, "Your address is not confirmed yet")
	require.NotContains(t, page, "You have no email address")
	s.Confirmed("ann")
	require.NotContains(t, ann.Page("/settings/notifications"), "not confirmed")
}
