package account_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/workertest"
)

func openMailed(t *testing.T) *workertest.Mailed {
	s := workertest.MustOpen(t)
	return &workertest.Mailed{Site: s, Box: s.Mailbox()}
}

// linkedMember signs somebody up whose address is confirmed.
func linkedMember(s *workertest.Mailed, name string) (*workertest.Browser, string) {
	s.Helper()
	b := s.Member(name)
	return b, s.Confirmed(name)
}

func TestAddressesAreConfirmed(t *testing.T) {
	s := openMailed(t)
	ann := s.Visitor()
	ann.MustPost("/signup", "username", "ann", "email", "Ann@home.example", "password", "correct horse")
	logIn := func() int {
		return s.Visitor().Post("/login", "login", "ann@home.example", "password", "correct horse").Code
	}
	require.Equal(t, http.StatusUnauthorized, logIn())
	link := s.Link("Ann@home.example", "Confirm your address")
	require.Equal(t, http.StatusUnauthorized, logIn(), "opening a page is not enough")

	t.Run("by the link's button, without being logged in, once", func(t *testing.T) {
		phone := s.Visitor()
		res := s.Press(phone, link)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), "Your address is confirmed")
		require.Empty(t, phone.Cookie, "it lets nobody in")
		require.Equal(t, http.StatusSeeOther, logIn())
		require.Equal(t, http.StatusNotFound, phone.Get(link).Code)
		require.Equal(t, http.StatusNotFound, phone.Post("/link", "token", link[len("/link?token="):]).Code)
		require.Equal(t, http.StatusNotFound, phone.Post("/link", "token", "nothing").Code)
	})
	t.Run("another account's link for the same address says why it does nothing", func(t *testing.T) {
		ben := s.Visitor()
		ben.MustPost("/signup", "username", "ben", "email", "ann@home.example", "password", "correct horse")
		ben.MustPost("/settings/account/email", "again", "1") // the address had its mail of a sign-up
		res := s.Press(s.Visitor(), s.Link("ann@home.example", "Confirm your address"))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Another account here has this address")
	})
}

func TestLoggingInByMail(t *testing.T) {
	s := openMailed(t)
	_, address := linkedMember(s, "ann")

	t.Run("a link logs in once, and leads back", func(t *testing.T) {
		b := s.Visitor()
		page := b.Page("/login?next=%2Fnew")
		require.Contains(t, page, `formaction="/login/link"`)
		res := b.Post("/login/link", append(workertest.FormOf(t, page, "/login"), "login", "Ann")...)
		require.Equal(t, http.StatusOK, res.Code)
		link := s.Link(address, "Log in")
		require.Equal(t, "/new", s.Press(b, link).Header().Get("Location"))
		require.NotEmpty(t, b.Cookie)
		require.Contains(t, b.Page("/new"), `href="/u/ann"`)
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(link).Code)
	})
	t.Run("a form that is sent twice asks for one mail", func(t *testing.T) {
		before := len(s.Box.Mails(address))
		b := s.Visitor()
		form := workertest.FormOf(t, b.Page("/login/link"), "/login/link")
		for range 2 {
			require.Equal(t, http.StatusOK, b.Post("/login/link", append(form, "login", address)...).Code)
		}
		s.Deliver()
		require.Len(t, s.Box.Mails(address), before+1)
	})
	t.Run("the form, sent again with another name, asks for that one's mail", func(t *testing.T) {
		b := s.Visitor()
		form := workertest.FormOf(t, b.Page("/login/link"), "/login/link")
		b.Post("/login/link", append(form, "login", "annn")...)
		s.Deliver()
		before := len(s.Box.Mails(address))
		b.Post("/login/link", append(form, "login", "ann")...)
		s.Deliver()
		require.Len(t, s.Box.Mails(address), before+1)
	})
	t.Run("it works for half an hour", func(t *testing.T) {
		b := s.Visitor()
		b.Post("/login/link", "login", "ann")
		link := s.Link(address, "Log in")
		b.Page(link)
		s.Now = s.Now.Add(31 * time.Minute)
		require.Equal(t, http.StatusNotFound, b.Get(link).Code)
		require.Equal(t, http.StatusNotFound, b.Post("/link", "token", link[len("/link?token="):]).Code)
		require.Empty(t, b.Cookie)
	})
	t.Run("a mail that could not be sent in time is not sent", func(t *testing.T) {
		before := len(s.Box.Mails(""))
		s.Visitor().Post("/login/link", "login", "ann")
		s.Queue.Take(data.QueueEvents)
		s.Later(time.Hour)
		require.Len(t, s.Box.Mails(""), before)
	})
	t.Run("a name or an address has to be typed", func(t *testing.T) {
		for _, path := range []string{"/login/link", "/reset"} {
			for _, login := range []string{"", " ", strings.Repeat("x", 300)} {
				res := s.Visitor().Post(path, "login", login)
				require.Equal(t, http.StatusUnprocessableEntity, res.Code)
				require.Contains(t, res.Body.String(), "Please type your username or email address.")
			}
		}
	})
}

// TestNobodyLearnsWhoHasAnAccount compares what is answered, and what is asked of the servers, with and without an account.
func TestNobodyLearnsWhoHasAnAccount(t *testing.T) {
	s := openMailed(t)
	linkedMember(s, "ann")
	s.Member("cid")
	s.Exec("UPDATE users SET email = 'cid@example.org', email_key = 'cid@example.org' WHERE username = 'cid'")
	random := regexp.MustCompile(`name="token" value="[^"]*"|[0-9a-f]{16}`)
	for _, path := range []string{"/login/link", "/reset", "/signup"} {
		t.Run(path, func(t *testing.T) {
			responses := map[string][]string{}
			for _, login := range []string{"ann@example.org", "cid@example.org", "not@example.org", "ann", "cid", "eve"} {
				fields := "login=" + login
				if path == "/signup" {
					if !strings.Contains(login, "@") {
						continue
					}
					fields = "username=new" + login[:3] + "&email=" + login + "&password=correct+horse"
				}
				r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(fields))
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				r.Header.Set("Sec-Fetch-Site", "same-origin")
				ctx, redis := upstash.WithMeter(r.Context())
				ctx, sql := hrana.WithMeter(ctx)
				res := s.Visitor().Send(r.WithContext(ctx))
				body := random.ReplaceAllString(strings.ReplaceAll(res.Body.String(), login, "LOGIN"), "")
				response := []string{http.StatusText(res.Code), body, res.Header().Get("Location"), string(rune('0' + sql.Requests())),
					string(rune('0' + redis.Requests()))}
				kind := "address"
				if !strings.Contains(login, "@") {
					kind = "name"
				}
				if responses[kind] == nil {
					responses[kind] = response
				}
				require.Equal(t, responses[kind], response, login)
			}
		})
	}
	for range 4 { // a few at a time
		s.Deliver()
	}
	require.Len(t, s.Box.Mails("not@example.org"), 1, "the confirmation of the sign-up alone")
	require.Len(t, s.Box.Mails("cid@example.org"), 1, "nor does an address get mail that was not confirmed")
	require.Len(t, s.Box.Mails("ann@example.org"), 5, "a link for each of two forms, name and address, and the confirmation of the "+
		"other account")
}

func TestResettingPasswords(t *testing.T) {
	s := openMailed(t)
	ann, address := linkedMember(s, "ann")
	b := s.Visitor()
	require.Contains(t, b.Page("/login"), `formaction="/reset"`)
	require.Equal(t, http.StatusOK, b.Post("/reset", "login", address).Code)
	link := s.Link(address, "A new password")

	res := s.Press(b, link, "password", "short")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "at least 10 characters")
	require.NotContains(t, res.Body.String(), "short")
	require.Equal(t, http.StatusSeeOther, s.Press(b, link, "password", "battery staple").Code)
	require.NotEmpty(t, b.Cookie)
	require.Contains(t, b.Page("/settings/account"), address)
	require.Equal(t, http.StatusSeeOther, ann.Get("/settings").Code, "all other sessions are over")
	require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", "ann", "password", "correct horse").Code)
	require.Equal(t, http.StatusSeeOther, s.Visitor().Post("/login", "login", "ann", "password", "battery staple").Code)
	require.Equal(t, http.StatusNotFound, b.Get(link).Code)
	s.Deliver()
	all := s.Box.Mails(address)
	require.Contains(t, all[len(all)-1].Subject, "was changed")
}

// TestLimitsOfAnAccount comes from many networks.
func TestLimitsOfAnAccount(t *testing.T) {
	s := openMailed(t)
	ann, _ := linkedMember(s, "ann")
	s.Strict(s.Redis)
	from := func(n int) *workertest.Browser {
		return &workertest.Browser{Site: s.Site, Header: http.Header{}, Remote: "198.51.100." + strconv.Itoa(n) + ":1"}
	}
	for n, login := range []string{"ann", "nobody", "nobody@example.org"} {
		stranger := from(100 + n)
		for _, want := range []int{200, 200, 200, 200, 200, 429, 429} {
			require.Equal(t, want, stranger.Post("/reset", "login", login).Code, login)
		}
		require.Equal(t, 200, from(0).Post("/reset", "login", strings.ToUpper(login)).Code, "one stranger can't use up a member's mails")
		for i := range 9 {
			require.Equal(t, 200, from(2+i%7).Post("/login/link", "login", login).Code, login)
		}
		require.Equal(t, 429, from(9).Post("/login/link", "login", login).Code, "but many can't fill a mailbox")
	}
	for i := range 11 {
		want := http.StatusUnprocessableEntity
		if i == 10 {
			want = http.StatusTooManyRequests
		}
		ann.Remote = from(i % 10).Remote
		require.Equal(t, want, ann.Post("/prove", "password", "wrong horse").Code)
	}
}

// TestALinkThatIsVoidMeanwhile has a member press a link that is used up by another press after this one has read it. The browser stays
// logged in: the other press may have sent it a new cookie by now.
func TestALinkThatIsVoidMeanwhile(t *testing.T) {
	s := openMailed(t)
	b, address := linkedMember(s, "ann")
	s.Visitor().Post("/login/link", "login", "ann")
	link := s.Link(address, "Log in")
	s.Exec(`CREATE TRIGGER pressed BEFORE UPDATE ON mail_links BEGIN SELECT raise(IGNORE); END`)
	res := b.Post("/link", "token", link[len("/link?token="):])
	require.Equal(t, http.StatusNotFound, res.Code, res.Body.String())
	require.NotContains(t, strings.Join(res.Header().Values("Set-Cookie"), "\n"), "__Host-session")
	s.Exec(`DROP TRIGGER pressed`)
	require.Contains(t, b.Page("/settings/account"), "ann")

	old := *b
	require.Equal(t, http.StatusSeeOther, b.Post("/link", "token", link[len("/link?token="):]).Code)
	require.NotEqual(t, old.Cookie, b.Cookie)
	require.Contains(t, b.Page("/settings/account"), "ann")
	require.Equal(t, http.StatusUnauthorized, old.Post("/settings", "theme", "dark").Code, "the session whose cookie was replaced is ended")
}

// TestALinkOfBefore has links that were mailed before the site let people log in by providers alone.
func TestALinkOfBefore(t *testing.T) {
	s := openMailed(t)
	was, address := linkedMember(s, "ann")
	b := s.Visitor()
	var links []string
	for path, subject := range map[string]string{"/login/link": "Log in", "/reset": "A new password"} {
		b.Post(path, "login", "ann")
		links = append(links, s.Link(address, subject))
	}
	s.Config.SSOOnly = true
	s.Restart(s.Config)
	for _, link := range links {
		require.Equal(t, http.StatusForbidden, b.Post("/link", "token", link[len("/link?token="):], "password", "battery staple").Code)
		require.Empty(t, b.Cookie)
	}
	require.NotContains(t, was.Page("/settings/account"), `type="password"`)
	require.NotContains(t, was.Page("/prove"), `type="password"`)
	require.Equal(t, http.StatusForbidden, was.Post("/prove", "password", "correct horse").Code)
	s.Config.SSOOnly = false
	s.Restart(s.Config)
	require.Equal(t, http.StatusSeeOther, s.Press(b, links[0], "password", "battery staple").Code)
}

func TestASiteWithoutMail(t *testing.T) {
	s := workertest.MustOpen(t)
	page := s.Visitor().Page("/login")
	require.NotContains(t, page, "/login/link")
	require.NotContains(t, page, "/reset")
	for _, path := range []string{"/login/link", "/reset"} {
		require.Equal(t, http.StatusNotFound, s.Visitor().Get(path).Code)
		require.Equal(t, http.StatusNotFound, s.Visitor().Post(path, "login", "ann").Code)
	}
	ann := s.Member("ann")
	require.NotContains(t, ann.Page("/settings/account"), "Mail me a link")
	require.Equal(t, http.StatusNotFound, ann.Post("/settings/account/email", "email", "ann@example.org").Code)
}

func TestWhatAVisitorTypesIsThereAfterALink(t *testing.T) {
	s := openMailed(t)
	ann, address := linkedMember(s, "ann")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	const typed = "\n  First & <b>second</b>\nthird \"line\""
	for by, subject := range map[string]string{"/login/link": "Log in", "/reset": "A new password"} {
		t.Run(by, func(t *testing.T) {
			b := s.Visitor()
			res := b.Post("/comment", "post", post, "body", typed)
			form := append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "ann")
			if by == "/reset" { // whose button leads to a page that asks
				res = b.Post(by, append(form, "show", "1")...)
				form = append(workertest.FormOf(t, res.Body.String(), by), "login", "ann")
			}
			res = b.Post(by, form...)
			require.Contains(t, res.Body.String(), "What you wrote is kept")
			waiting := workertest.FormOf(t, res.Body.String(), "/login/continue")

			res = b.Post("/login/continue", waiting...)
			require.Equal(t, http.StatusUnauthorized, res.Code)
			require.Contains(t, res.Body.String(), "You are not logged in yet.")
			require.Equal(t, waiting, workertest.FormOf(t, res.Body.String(), "/login/continue"))

			// in another tab
			require.Equal(t, "/login/done", s.Press(b, s.Link(address, subject), "password", "battery staple").Header().Get("Location"))
			require.Contains(t, b.Page("/login/done"), "Go back to it")
			res = b.Post("/login/continue", waiting...)
			require.Equal(t, http.StatusOK, res.Code)
			fields := workertest.FormOf(t, res.Body.String(), "/comment")
			require.Contains(t, fields, typed)
			b.MustPost("/comment", fields...)
			require.Equal(t, strings.TrimSpace(typed), strings.TrimSpace(s.One("SELECT body FROM comments ORDER BY id DESC LIMIT 1").(string)))
		})
	}
}
