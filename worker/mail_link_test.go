package worker_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
	"plaza/data/upstash"
	"plaza/worker/request"
)

func openMailed(t *testing.T) *mailed {
	s := mustOpen(t)
	return &mailed{s, s.mailbox()}
}

// linkedMember signs somebody up whose address is confirmed.
func (s *mailed) linkedMember(name string) (*browser, string) {
	s.Helper()
	b := s.member(name)
	return b, s.confirmed(name)
}

func TestAddressesAreConfirmed(t *testing.T) {
	s := openMailed(t)
	ann := s.visitor()
	ann.mustPost("/signup", "username", "ann", "email", "Ann@home.example", "password", "correct horse")
	logIn := func() int {
		return s.visitor().post("/login", "login", "ann@home.example", "password", "correct horse").Code
	}
	require.Equal(t, http.StatusUnauthorized, logIn())
	link := s.link("Ann@home.example", "Confirm your address")
	require.Equal(t, http.StatusUnauthorized, logIn(), "opening a page is not enough")

	t.Run("by the link's button, without being logged in, once", func(t *testing.T) {
		phone := s.visitor()
		res := s.press(phone, link)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		require.Contains(t, res.Body.String(), "Your address is confirmed")
		require.Empty(t, phone.cookie, "it lets nobody in")
		require.Equal(t, http.StatusSeeOther, logIn())
		require.Equal(t, http.StatusNotFound, phone.get(link).Code)
		require.Equal(t, http.StatusNotFound, phone.post("/link", "token", link[len("/link?token="):]).Code)
		require.Equal(t, http.StatusNotFound, phone.post("/link", "token", "nothing").Code)
	})
	t.Run("another account's link for the same address says why it does nothing", func(t *testing.T) {
		ben := s.visitor()
		ben.mustPost("/signup", "username", "ben", "email", "ann@home.example", "password", "correct horse")
		ben.mustPost("/settings/account/email", "again", "1") // the address had its mail of a sign-up
		res := s.press(s.visitor(), s.link("ann@home.example", "Confirm your address"))
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Another account here has this address")
	})
}

func TestLoggingInByMail(t *testing.T) {
	s := openMailed(t)
	_, address := s.linkedMember("ann")

	t.Run("a link logs in once, and leads back", func(t *testing.T) {
		b := s.visitor()
		page := b.page("/login?next=%2Fnew")
		require.Contains(t, page, `formaction="/login/link"`)
		res := b.post("/login/link", append(formOf(t, page, "/login"), "login", "Ann")...)
		require.Equal(t, http.StatusOK, res.Code)
		link := s.link(address, "Log in")
		require.Equal(t, "/new", s.press(b, link).Header().Get("Location"))
		require.NotEmpty(t, b.cookie)
		require.Contains(t, b.page("/new"), `href="/u/ann"`)
		require.Equal(t, http.StatusNotFound, s.visitor().get(link).Code)
	})
	t.Run("a form that is sent twice asks for one mail", func(t *testing.T) {
		before := len(s.box.Mails(address))
		b := s.visitor()
		form := formOf(t, b.page("/login/link"), "/login/link")
		for range 2 {
			require.Equal(t, http.StatusOK, b.post("/login/link", append(form, "login", address)...).Code)
		}
		s.deliver()
		require.Len(t, s.box.Mails(address), before+1)
	})
	t.Run("the form, sent again with another name, asks for that one's mail", func(t *testing.T) {
		b := s.visitor()
		form := formOf(t, b.page("/login/link"), "/login/link")
		b.post("/login/link", append(form, "login", "annn")...)
		s.deliver()
		before := len(s.box.Mails(address))
		b.post("/login/link", append(form, "login", "ann")...)
		s.deliver()
		require.Len(t, s.box.Mails(address), before+1)
	})
	t.Run("it works for half an hour", func(t *testing.T) {
		b := s.visitor()
		b.post("/login/link", "login", "ann")
		link := s.link(address, "Log in")
		b.page(link)
		s.now = s.now.Add(31 * time.Minute)
		require.Equal(t, http.StatusNotFound, b.get(link).Code)
		require.Equal(t, http.StatusNotFound, b.post("/link", "token", link[len("/link?token="):]).Code)
		require.Empty(t, b.cookie)
	})
	t.Run("a mail that could not be sent in time is not sent", func(t *testing.T) {
		before := len(s.box.Mails(""))
		s.visitor().post("/login/link", "login", "ann")
		s.queue.take(request.QueueEvents)
		s.later(time.Hour)
		require.Len(t, s.box.Mails(""), before)
	})
	t.Run("a name or an address has to be typed", func(t *testing.T) {
		for _, path := range []string{"/login/link", "/reset"} {
			for _, login := range []string{"", " ", strings.Repeat("x", 300)} {
				res := s.visitor().post(path, "login", login)
				require.Equal(t, http.StatusUnprocessableEntity, res.Code)
				require.Contains(t, res.Body.String(), "Please type your username or email address.")
			}
		}
	})
}

// TestNobodyLearnsWhoHasAnAccount compares what is answered, and what is asked of the servers, with and without an account.
func TestNobodyLearnsWhoHasAnAccount(t *testing.T) {
	s := openMailed(t)
	s.linkedMember("ann")
	s.member("cid")
	s.exec("UPDATE users SET email = 'cid@example.org', email_key = 'cid@example.org' WHERE username = 'cid'")
	random := regexp.MustCompile(`name="token" value="[^"]*"|[0-9a-f]{16}`)
	for _, path := range []string{"/login/link", "/reset", "/signup"} {
		t.Run(path, func(t *testing.T) {
			answers := map[string][]string{}
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
				res := s.visitor().send(r.WithContext(ctx))
				body := random.ReplaceAllString(strings.ReplaceAll(res.Body.String(), login, "LOGIN"), "")
				answer := []string{http.StatusText(res.Code), body, res.Header().Get("Location"), string(rune('0' + sql.Requests())), string(rune('0' + redis.Requests))}
				kind := "address"
				if !strings.Contains(login, "@") {
					kind = "name"
				}
				if answers[kind] == nil {
					answers[kind] = answer
				}
				require.Equal(t, answers[kind], answer, login)
			}
		})
	}
	for range 4 { // a few at a time
		s.deliver()
	}
	require.Len(t, s.box.Mails("not@example.org"), 1, "the confirmation of the sign-up alone")
	require.Len(t, s.box.Mails("cid@example.org"), 1, "nor does an address get mail that was not confirmed")
	require.Len(t, s.box.Mails("ann@example.org"), 5, "a link for each of two forms, name and address, and the confirmation of the other account")
}

func TestResettingPasswords(t *testing.T) {
	s := openMailed(t)
	ann, address := s.linkedMember("ann")
	b := s.visitor()
	require.Contains(t, b.page("/login"), `formaction="/reset"`)
	require.Equal(t, http.StatusOK, b.post("/reset", "login", address).Code)
	link := s.link(address, "A new password")

	res := s.press(b, link, "password", "short")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "at least 10 characters")
	require.NotContains(t, res.Body.String(), "short")
	require.Equal(t, http.StatusSeeOther, s.press(b, link, "password", "battery staple").Code)
	require.NotEmpty(t, b.cookie)
	require.Contains(t, b.page("/settings/account"), address)
	require.Equal(t, http.StatusSeeOther, ann.get("/settings").Code, "all other sessions are over")
	require.Equal(t, http.StatusUnauthorized, s.visitor().post("/login", "login", "ann", "password", "correct horse").Code)
	require.Equal(t, http.StatusSeeOther, s.visitor().post("/login", "login", "ann", "password", "battery staple").Code)
	require.Equal(t, http.StatusNotFound, b.get(link).Code)
	s.deliver()
	all := s.box.Mails(address)
	require.Contains(t, all[len(all)-1].Subject, "was changed")
}

// TestLimitsOfAnAccount comes from many networks.
func TestLimitsOfAnAccount(t *testing.T) {
	s := openMailed(t)
	ann, _ := s.linkedMember("ann")
	s.strict(s.redis)
	from := func(n int) *browser {
		return &browser{site: s.site, header: http.Header{}, remote: "198.51.100." + strconv.Itoa(n) + ":1"}
	}
	for n, login := range []string{"ann", "nobody", "nobody@example.org"} {
		stranger := from(100 + n)
		for _, want := range []int{200, 200, 200, 200, 200, 429, 429} {
			require.Equal(t, want, stranger.post("/reset", "login", login).Code, login)
		}
		require.Equal(t, 200, from(0).post("/reset", "login", strings.ToUpper(login)).Code, "one stranger can't use up a member's mails")
		for i := range 9 {
			require.Equal(t, 200, from(2+i%7).post("/login/link", "login", login).Code, login)
		}
		require.Equal(t, 429, from(9).post("/login/link", "login", login).Code, "but many can't fill a mailbox")
	}
	for i := range 11 {
		want := http.StatusUnprocessableEntity
		if i == 10 {
			want = http.StatusTooManyRequests
		}
		ann.remote = from(i % 10).remote
		require.Equal(t, want, ann.post("/prove", "password", "wrong horse").Code)
	}
}

// TestALinkOfBefore has links that were mailed before the site let people log in by providers alone.
func TestALinkOfBefore(t *testing.T) {
	s := openMailed(t)
	was, address := s.linkedMember("ann")
	b := s.visitor()
	var links []string
	for path, subject := range map[string]string{"/login/link": "Log in", "/reset": "A new password"} {
		b.post(path, "login", "ann")
		links = append(links, s.link(address, subject))
	}
	s.config.SSOOnly = true
	s.restart(s.config)
	for _, link := range links {
		require.Equal(t, http.StatusForbidden, b.post("/link", "token", link[len("/link?token="):], "password", "battery staple").Code)
		require.Empty(t, b.cookie)
	}
	require.NotContains(t, was.page("/settings/account"), `type="password"`)
	require.NotContains(t, was.page("/prove"), `type="password"`)
	require.Equal(t, http.StatusForbidden, was.post("/prove", "password", "correct horse").Code)
	s.config.SSOOnly = false
	s.restart(s.config)
	require.Equal(t, http.StatusSeeOther, s.press(b, links[0], "password", "battery staple").Code)
}

func TestASiteWithoutMail(t *testing.T) {
	s := mustOpen(t)
	page := s.visitor().page("/login")
	require.NotContains(t, page, "/login/link")
	require.NotContains(t, page, "/reset")
	for _, path := range []string{"/login/link", "/reset"} {
		require.Equal(t, http.StatusNotFound, s.visitor().get(path).Code)
		require.Equal(t, http.StatusNotFound, s.visitor().post(path, "login", "ann").Code)
	}
	ann := s.member("ann")
	require.NotContains(t, ann.page("/settings/account"), "Mail me a link")
	require.Equal(t, http.StatusNotFound, ann.post("/settings/account/email", "email", "ann@example.org").Code)
}

func TestWhatAVisitorTypesIsThereAfterALink(t *testing.T) {
	s := openMailed(t)
	ann, address := s.linkedMember("ann")
	ann.mustPost("/communities", "name", "gophers")
	post := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	const typed = "\n  First & <b>second</b>\nthird \"line\""
	for by, subject := range map[string]string{"/login/link": "Log in", "/reset": "A new password"} {
		t.Run(by, func(t *testing.T) {
			b := s.visitor()
			res := b.post("/comment", "post", post, "body", typed)
			form := append(formOf(t, res.Body.String(), "/login"), "login", "ann")
			if by == "/reset" { // whose button leads to a page that asks
				res = b.post(by, append(form, "show", "1")...)
				form = append(formOf(t, res.Body.String(), by), "login", "ann")
			}
			res = b.post(by, form...)
			require.Contains(t, res.Body.String(), "What you have written is kept")
			waiting := formOf(t, res.Body.String(), "/login/continue")

			res = b.post("/login/continue", waiting...)
			require.Equal(t, http.StatusUnauthorized, res.Code)
			require.Contains(t, res.Body.String(), "You are not logged in yet.")
			require.Equal(t, waiting, formOf(t, res.Body.String(), "/login/continue"))

			require.Equal(t, "/login/done", s.press(b, s.link(address, subject), "password", "battery staple").Header().Get("Location")) // in another tab
			require.Contains(t, b.page("/login/done"), "Go back to it")
			res = b.post("/login/continue", waiting...)
			require.Equal(t, http.StatusOK, res.Code)
			fields := formOf(t, res.Body.String(), "/comment")
			require.Contains(t, fields, typed)
			b.mustPost("/comment", fields...)
			require.Equal(t, strings.TrimSpace(typed), strings.TrimSpace(s.one("SELECT body FROM comments ORDER BY id DESC LIMIT 1").(string)))
		})
	}
}
