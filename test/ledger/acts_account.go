package ledger

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/protocol/totp"
	"plaza/protocol/webauthn"
	"plaza/test/webauthntest"
	"plaza/test/workertest"
)

// comesIn tells whether a browser is logged in, after it has sent its form.
func comesIn(b *workertest.Browser) func() []string {
	return func() []string {
		if b.Cookie == "" || copyOf(b).Get("/saved").Code != http.StatusOK {
			return nil
		}
		return []string{"in"}
	}
}

// entersWith tells whether a member logs in with one of two passwords.
func (w *World) entersWith(name, before, after string) func() []string {
	return func() (list []string) {
		for _, password := range []string{before, after} {
			if w.Visitor().Post("/login", "login", name, "password", password).Code == http.StatusSeeOther {
				list = append(list, password)
			}
		}
		return list
	}
}

// mailed tells whether a mail came to an address.
func (w *World) mailed(address, subject string) func() []string {
	return func() []string {
		for _, m := range w.Box.Mails(address) {
			if strings.Contains(m.Subject, subject) {
				return []string{"mailed"}
			}
		}
		return nil
	}
}

var hiddenID = regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`)

// newToken is a token of a member's, and its id.
func (w *World) newToken(b *workertest.Browser, fields ...string) string {
	w.Helper()
	b.WithHeader("Accept", "application/json").Post("/settings/tokens", fields...)
	b.Header.Del("Accept")
	m := hiddenID.FindStringSubmatch(b.Page("/settings/tokens"))
	require.NotNil(w, m)
	return m[1]
}

// withPasskey is a member who has one.
func (w *World) withPasskey(name string) (*workertest.Browser, *webauthntest.Passkey) {
	w.Helper()
	b := w.Visitor()
	b.Jar = map[string]string{}
	p := webauthntest.New(workertest.PasskeySite, webauthn.ES256)
	require.Equal(w, http.StatusSeeOther, b.SignUpWith(p, name).Code)
	return b, p
}

// pressing is the form behind the link of a mail to a member.
func (w *World) pressing(name, path, subject string, more ...string) (address string, fields []string) {
	w.Helper()
	address = w.Confirmed(name)
	require.Equal(w, http.StatusOK, w.Visitor().Post(path, "login", name).Code)
	w.settle()
	link := (&workertest.Mailed{Site: w.Site, Box: w.Box}).Link(address, subject)
	return address, append(workertest.FormOf(w.T, w.Visitor().Page(link), "/link"), more...)
}

// usedUp is why a secret that is good for one time is refused.
const usedUp = "its secret was used"

const changedPassword = "battery staple horse"

var accountActs = []Act{
	{Name: "sign up", Route: "POST /signup", make: func(w *World, name string) form {
		return form{by: w.Visitor(), path: "/signup", fields: fields("username", name, "password", "correct horse"),
			there: w.rows("SELECT username FROM users WHERE username = ?1", name), want: name}
	}},
	{Name: "log in", Route: "POST /login", make: func(w *World, name string) form {
		w.Member(name)
		b := w.Visitor()
		return form{by: b, path: "/login", fields: fields("login", name, "password", "correct horse"), there: comesIn(b), want: "in"}
	}},
	{Name: "log in by a passkey", skippedWhenLate: true, Route: "POST /login/passkey", make: func(w *World, name string) form {
		b, p := w.withPasskey(name)
		b.MustPost("/logout") // signing up has made a session by the passkey, too
		challenge, _ := b.Challenge("login")
		return form{by: b, path: "/login/passkey", fields: workertest.Signed(p, challenge), want: "in",
			there: w.rows("SELECT DISTINCT 'in' FROM sessions WHERE user_id = ?1 AND way = 'passkey'", w.userID(name)), refusedAgain: usedUp}
	}},
	{Name: "log in by a mailed link", skippedWhenLate: true, Route: "POST /link", make: func(w *World, name string) form {
		w.Member(name)
		_, list := w.pressing(name, "/login/link", "")
		return form{by: w.Visitor(), path: "/link", fields: list, want: "in", refusedAgain: "its link has logged them in",
			there: w.rows("SELECT DISTINCT 'in' FROM sessions WHERE user_id = ?1 AND way = 'mail'", w.userID(name))}
	}},
	{Name: "log out", Route: "POST /logout", make: func(w *World, name string) form {
		b := w.Member(name)
		was := copyOf(b)
		return form{by: b, path: "/logout", was: "in", want: "out", there: func() []string {
			if copyOf(was).Get("/saved").Code == http.StatusOK {
				return []string{"in"}
			}
			return []string{"out"}
		}}
	}},
	{Name: "ask for a mailed link", skippedWhenLate: true, Route: "POST /login/link", make: func(w *World, name string) form {
		w.Member(name)
		return form{by: w.Visitor(), path: "/login/link", fields: fields("login", name), there: w.mailed(w.Confirmed(name), ""), want: "mailed"}
	}},
	{Name: "ask for a new password", skippedWhenLate: true, Route: "POST /reset", make: func(w *World, name string) form {
		w.Member(name)
		return form{by: w.Visitor(), path: "/reset", fields: fields("login", name), there: w.mailed(w.Confirmed(name), "A new password"),
			want: "mailed"}
	}},
	{Name: "a new password by a mailed link", skippedWhenLate: true, Route: "POST /link", make: func(w *World, name string) form {
		w.Member(name)
		_, list := w.pressing(name, "/reset", "A new password", "password", changedPassword)
		return form{by: w.Visitor(), path: "/link", fields: list, there: w.entersWith(name, "correct horse", changedPassword),
			was:  "correct horse",
			want: changedPassword, refusedAgain: usedUp}
	}},
	{Name: "change the password", skippedWhenLate: true, Route: "POST /settings/account/password", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/settings/account/password", fields: fields("password", changedPassword),
			there: w.entersWith(name, "correct horse", changedPassword), was: "correct horse", want: changedPassword, logsInAgain: true}
	}},
	{Name: "change the address", skippedWhenLate: true, Route: "POST /settings/account/email", make: func(w *World, name string) form {
		b := w.Member(name)
		list := workertest.FormOf(w.T, b.Page("/settings/account"), "/settings/account/email")
		return form{by: b, path: "/settings/account/email", fields: append(list, "email", name+"@new.example"),
			there: w.mailed(name+"@new.example", "Confirm"), want: "mailed"}
	}},
	{Name: "change the name", Route: "POST /settings/account/name", make: func(w *World, name string) form {
		b := w.Member(name)
		return form{by: b, path: "/settings/account/name", fields: fields("username", name+"_2"),
			there: w.rows("SELECT username FROM users WHERE id = ?1", w.userID(name)), was: name, want: name + "_2"}
	}},
	{Name: "delete the account", skippedWhenLate: true, Route: "POST /settings/account/delete", make: func(w *World, name string) form {
		b := w.Member(name)
		return form{by: b, path: "/settings/account/delete", fields: fields("content", "keep", "alone", "1"),
			there: w.rows("SELECT content FROM departures WHERE user_id = ?1", w.userID(name)), want: "keep",
			refusedAgain: "the session has ended"}
	}},
	{Name: "profile", Route: "POST /settings", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/settings", fields: fields("bio", name),
			there: w.rows("SELECT bio FROM users WHERE username = ?1", name), was: "", want: name}
	}},
	{Name: "avatar", Route: "POST /settings", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/settings", fields: fields("colour", data.Palette[0].Hex, "letter", "Q"),
			there: w.rows("SELECT avatar FROM users WHERE username = ?1", name), was: "", want: data.Palette[0].Hex + "Q"}
	}},
	{Name: "time zone", Route: "POST /settings/zone", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/settings/zone", fields: fields("zone", "Asia/Calcutta"),
			there: w.rows("SELECT coalesce(choices ->> 'zone', '') FROM users WHERE username = ?1 AND choices <> ''", name), want: "Asia/Kolkata"}
	}},
	{Name: "filter", Route: "POST /settings/filters", make: func(w *World, name string) form {
		return form{by: w.Member(name), path: "/settings/filters", fields: fields("kind", "words", "value", name),
			there: w.rows("SELECT j.value ->> 'value' FROM users u, json_each(u.filters) j WHERE u.username = ?1 AND u.filters <> ''", name),
			want:  name}
	}},
	{Name: "choices of mails", Route: "POST /settings/notifications", make: func(w *World, name string) form {
		b := w.Member(name)
		w.Confirmed(name)
		return form{by: b, path: "/settings/notifications", fields: fields("answers", "digest", "mentions", "none", "threads", "none", "days",
			"7"),
			there: w.rows("SELECT answers, mentions, threads, days FROM mail_choices WHERE user_id = ?1", w.userID(name)),
			want:  "digest none none 7"}
	}},
	{Name: "add a device", Route: "POST /settings/devices", make: func(w *World, name string) form {
		b := w.Member(name)
		list := append(fields(workertest.DeviceFields...), "endpoint", "https://push.service.org/"+name)
		return form{by: b, path: "/settings/devices", fields: list[2:],
			there: w.rows("SELECT endpoint FROM devices WHERE user_id = ?1", w.userID(name)), want: "https://push.service.org/" + name}
	}},
	{Name: "remove a device", Route: "POST /settings/devices/remove", make: func(w *World, name string) form {
		b := w.Member(name)
		list := append(fields(workertest.DeviceFields...), "endpoint", "https://push.service.org/"+name)
		b.MustPost("/settings/devices", list[2:]...)
		device := data.ID(w.One("SELECT id FROM devices WHERE user_id = ?1", w.userID(name)).(int64))
		return form{by: b, path: "/settings/devices/remove", fields: fields("id", device.Text()),
			there: w.rows("SELECT count(*) FROM devices WHERE user_id = ?1", w.userID(name)), was: "1", want: "0"}
	}},
	{Name: "what devices show", Route: "POST /settings/devices/choices", make: func(w *World, name string) form {
		b := w.Member(name)
		return form{by: b, path: "/settings/devices/choices", fields: fields("mentions", "1"),
			there: w.rows("SELECT answers, mentions, threads FROM push_choices WHERE user_id = ?1", w.userID(name)), want: "0 1 0"}
	}},
	{Name: "make a token", skippedWhenLate: true, Route: "POST /settings/tokens", make: func(w *World, name string) form {
		b := w.Member(name)
		return form{by: b, path: "/settings/tokens", fields: fields("name", name, "read", "1"),
			there: w.rows("SELECT name FROM tokens WHERE user_id = ?1", w.userID(name)), want: name}
	}},
	{Name: "renew a private feed", skippedWhenLate: true, Route: "POST /settings/tokens/renew", make: func(w *World, name string) form {
		b := w.Member(name)
		id := w.newToken(b, "name", "Feed", "feed", "1")
		was := w.One("SELECT hash FROM tokens WHERE user_id = ?1", w.userID(name))
		return form{by: b, path: "/settings/tokens/renew", fields: fields("id", id),
			there: w.rows("SELECT iif(hash = ?2, 'as before', 'renewed') FROM tokens WHERE user_id = ?1", w.userID(name), was), was: "as before",
			want: "renewed", refusedAgain: "the feed has another address"}
	}},
	{Name: "end a token", Route: "POST /settings/tokens/end", make: func(w *World, name string) form {
		b := w.Member(name)
		return form{by: b, path: "/settings/tokens/end", fields: fields("id", w.newToken(b, "name", name, "read", "1")),
			there: w.rows("SELECT count(*) FROM tokens WHERE user_id = ?1", w.userID(name)), was: "1", want: "0"}
	}},
	{Name: "turn an authenticator app on", skippedWhenLate: true, Route: "POST /settings/totp", make: func(w *World, name string) form {
		b := w.Member(name)
		m := regexp.MustCompile(`name="secret" value="([A-Z2-7]{32})"`).FindStringSubmatch(b.Page("/settings/totp"))
		require.NotNil(w, m)
		secret, err := totp.Parse(m[1])
		require.NoError(w, err)
		return form{by: b, path: "/settings/totp", fields: fields("secret", m[1], "code", totp.Code(secret, totp.Step(w.clock.read()))),
			there: w.rows("SELECT 'on' FROM totp WHERE user_id = ?1", w.userID(name)), want: "on",
			refusedAgain: "there is an app already"}
	}},
	{Name: "turn an authenticator app off", skippedWhenLate: true, Route: "POST /settings/totp/off", make: func(w *World, name string) form {
		b := w.Member(name)
		w.Now = w.clock.read()
		_, codes := w.Authenticator(b)
		return form{by: b, path: "/settings/totp/off", fields: fields("code", codes[0]), refusedAgain: usedUp,
			there: w.rows("SELECT count(*) FROM totp WHERE user_id = ?1", w.userID(name)), was: "1", want: "0"}
	}},
	{Name: "add a passkey", skippedWhenLate: true, Route: "POST /settings/passkeys", make: func(w *World, name string) form {
		b := w.Member(name)
		b.Jar = map[string]string{}
		challenge, _ := b.Challenge("add")
		return form{by: b, path: "/settings/passkeys", there: w.rows("SELECT name FROM passkeys WHERE user_id = ?1", w.userID(name)), want: name,
			fields: workertest.Created(webauthntest.New(workertest.PasskeySite, webauthn.ES256), challenge, "name", name), refusedAgain: usedUp}
	}},
	{Name: "name a passkey", Route: "POST /settings/passkeys/name", make: func(w *World, name string) form {
		b, p := w.withPasskey(name)
		was := fmt.Sprint(w.One("SELECT name FROM passkeys WHERE user_id = ?1", w.userID(name)))
		return form{by: b, path: "/settings/passkeys/name", fields: fields("id", workertest.B64(p.ID), "name", "Key "+name),
			there: w.rows("SELECT name FROM passkeys WHERE user_id = ?1", w.userID(name)), was: was, want: "Key " + name}
	}},
	{Name: "remove a passkey", skippedWhenLate: true, Route: "POST /settings/passkeys/remove", make: func(w *World, name string) form {
		b := w.Member(name)
		b.Jar = map[string]string{}
		challenge, _ := b.Challenge("add")
		p := webauthntest.New(workertest.PasskeySite, webauthn.ES256)
		b.MustPost("/settings/passkeys", workertest.Created(p, challenge, "name", name)...)
		return form{by: b, path: "/settings/passkeys/remove", fields: fields("id", workertest.B64(p.ID)),
			there: w.rows("SELECT count(*) FROM passkeys WHERE user_id = ?1", w.userID(name)), was: "1", want: "0"}
	}},
	{Name: "end a session", Route: "POST /settings/sessions/end", make: func(w *World, name string) form {
		b := w.Member(name)
		other := w.LogIn(name, "")
		return form{by: b, path: "/settings/sessions/end", fields: fields("id", strings.Split(other.Cookie, ".")[1]),
			there: w.rows("SELECT count(*) FROM sessions WHERE user_id = ?1", w.userID(name)), was: "2", want: "1"}
	}},
	{Name: "end all other sessions", Route: "POST /settings/sessions/end-others", make: func(w *World, name string) form {
		b := w.Member(name)
		other := w.LogIn(name, "")
		return form{by: b, path: "/settings/sessions/end-others", was: "in", want: "out", logsInAgain: true, there: func() []string {
			if copyOf(other).Get("/saved").Code == http.StatusOK {
				return []string{"in"}
			}
			return []string{"out"}
		}}
	}},
	{Name: "prove who one is", Route: "POST /prove", make: func(w *World, name string) form {
		b := w.Member(name)
		return form{by: b, path: "/prove", fields: fields("password", "correct horse"), there: comesIn(b), want: "in", was: "in",
			logsInAgain: true}
	}},
	{Name: "write to the administrators", Route: "POST /contact", make: func(w *World, name string) form {
		return form{by: w.Visitor(), path: "/contact", fields: fields("name", "Eve", "body", name),
			there: w.rows("SELECT body FROM contact_messages WHERE body = ?1", name), want: name}
	}},
}
