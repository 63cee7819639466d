package ledger

import (
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

const (
	changedPassword = "battery staple horse"
	// usedUp is why a secret that is good for one time is refused.
	usedUp = "its secret was used"
)

// sees is "in" or "out": whether a browser is logged in.
func sees(who who) step {
	return func(w *FaultySite, f *form) {
		b := who(w, f)
		f.there = func() []string {
			if b.Cookie != "" && copyOf(b).Get("/saved").Code == http.StatusOK {
				return []string{"in"}
			}
			return []string{"out"}
		}
	}
}

// otherSession is a second session of the member.
func otherSession(w *FaultySite, f *form) *workertest.Browser { return w.LogIn(f.values["name"], "") }

// password finds with which of two passwords the member logs in.
func password(w *FaultySite, f *form) {
	name := f.values["name"]
	f.there = func() (list []string) {
		for _, password := range []string{"correct horse", changedPassword} {
			if w.Visitor().Post("/login", "login", name, "password", password).Code == http.StatusSeeOther {
				list = append(list, password)
			}
		}
		return list
	}
}

// mailed finds whether a mail came to an address.
func mailed(address, subject string) step {
	return func(w *FaultySite, f *form) {
		address := f.fill(address)
		f.there = func() []string {
			for _, m := range w.Box.Mails(address) {
				if strings.Contains(m.Subject, subject) {
					return []string{"mailed"}
				}
			}
			return nil
		}
	}
}

func confirmed(w *FaultySite, f *form) { w.Confirmed(f.values["name"]) }

// mailedLink asks for a link by mail and takes the form behind it.
func mailedLink(path, subject string) step {
	return func(w *FaultySite, f *form) {
		name := f.values["name"]
		address := w.Confirmed(name)
		require.Equal(w, http.StatusOK, w.Visitor().Post(path, "login", name).Code)
		w.drain()
		link := (&workertest.Mailed{Site: w.Site, Box: w.Box}).Link(address, subject)
		f.fields = workertest.FormOf(w.T, w.Visitor().Page(link), "/link")
	}
}

var (
	hiddenID    = regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`)
	shownSecret = regexp.MustCompile(`name="secret" value="([A-Z2-7]{32})"`)
)

// token makes a token of the member.
func token(list ...string) step {
	return func(w *FaultySite, f *form) {
		f.by.WithHeader("Accept", "application/json").Post("/settings/tokens", list...)
		f.by.Header.Del("Accept")
		f.values["id"] = f.find("/settings/tokens", hiddenID)
	}
}

// passkey makes a passkey that no account has yet, and takes the fields of a form with it.
func passkey(w *FaultySite, f *form) {
	f.by.Jar = map[string]string{}
	challenge, _ := f.by.Challenge("add")
	p := webauthntest.New(workertest.PasskeySite, webauthn.ES256)
	f.values["passkey"] = workertest.B64(p.ID)
	f.fields = workertest.Created(p, challenge, "name", f.values["name"])
}

// passkeyOnly signs up by a passkey.
func passkeyOnly(w *FaultySite, f *form) {
	f.by.Jar = map[string]string{}
	f.passkey = webauthntest.New(workertest.PasskeySite, webauthn.ES256)
	require.Equal(w, http.StatusSeeOther, f.by.SignUpWith(f.passkey, f.values["name"]).Code)
	f.values["passkey"] = workertest.B64(f.passkey.ID)
	f.setUser(w)
	f.values["was"] = w.One("SELECT name FROM passkeys WHERE user_id = ?1", w.userID(f.values["name"])).(string)
}

// device takes the fields of a form that adds a device.
func device(_ *FaultySite, f *form) {
	f.fields = append(workertest.DeviceFields[2:len(workertest.DeviceFields):len(workertest.DeviceFields)],
		"endpoint", "https://push.service.org/"+f.values["name"])
}

var accountActs = []Act{
	act("sign up", "POST /signup", visitor, "username={name}&password=correct horse", nil,
		"SELECT username FROM users WHERE username = '{name}'", "{name}"),
	act("log in", "POST /login", visitor, "login={name}&password=correct horse", steps{member, sees(self)}, "", "out -> in"),
	act("log in by a passkey", "POST /login/passkey", visitor, "", steps{passkeyOnly, func(w *FaultySite, f *form) {
		f.by.MustPost("/logout") // signing up has made a session by the passkey, too
		challenge, _ := f.by.Challenge("login")
		f.fields = workertest.Signed(f.passkey, challenge)
	}}, "SELECT DISTINCT 'in' FROM sessions WHERE user_id = {user} AND way = 'passkey'", "in").late().again(usedUp),
	act("log in by a mailed link", "POST /link", visitor, "", steps{member, mailedLink("/login/link", "")},
		"SELECT DISTINCT 'in' FROM sessions WHERE user_id = {user} AND way = 'mail'", "in").late().again("its link has logged them in"),
	act("log out", "POST /logout", newMember, "", steps{sees(window)}, "", "in -> out"),
	act("ask for a mailed link", "POST /login/link", visitor, "login={name}", steps{member, confirmed, mailed("{name}@example.org", "")},
		"", "mailed").late(),
	act("ask for a new password", "POST /reset", visitor, "login={name}",
		steps{member, confirmed, mailed("{name}@example.org", "A new password")}, "", "mailed").late(),
	act("a new password by a mailed link", "POST /link", visitor, "password="+changedPassword,
		steps{member, mailedLink("/reset", "A new password"), password}, "", "correct horse -> "+changedPassword).late().again(usedUp),
	act("change the password", "POST /settings/account/password", newMember, "password="+changedPassword, steps{password}, "",
		"correct horse -> "+changedPassword).late().endsSession(),
	act("change the address", "POST /settings/account/email", newMember, "email={name}@new.example", steps{func(w *FaultySite, f *form) {
		f.fields = workertest.FormOf(w.T, f.by.Page("/settings/account"), "/settings/account/email")
	}, mailed("{name}@new.example", "Confirm")}, "", "mailed").late(),
	act("change the name", "POST /settings/account/name", newMember, "username={name}_2", nil,
		"SELECT username FROM users WHERE id = {user}", "{name} -> {name}_2"),
	act("delete the account", "POST /settings/account/delete", newMember, "content=keep&alone=1", nil,
		"SELECT content FROM account_deletions WHERE user_id = {user}", "keep").late().again("the session has ended"),
	act("profile", "POST /settings", newMember, "bio={name}", nil, "SELECT bio FROM users WHERE username = '{name}'", "{name}"),
	act("avatar", "POST /settings", newMember, "colour="+data.Palette[0].Hex+"&letter=Q", nil,
		"SELECT avatar FROM users WHERE username = '{name}'", data.Palette[0].Hex+"Q"),
	act("time zone", "POST /settings/zone", newMember, "zone=Asia/Calcutta", nil,
		"SELECT coalesce(choices ->> 'zone', '') FROM users WHERE username = '{name}' AND choices <> ''", "Asia/Kolkata"),
	act("filter", "POST /settings/filters", newMember, "kind=words&value={name}", nil,
		"SELECT j.value ->> 'value' FROM users u, json_each(u.filters) j WHERE u.username = '{name}' AND u.filters <> ''", "{name}"),
	act("choices of mails", "POST /settings/notifications", newMember, "replies=digest&mentions=none&threads=none&days=7", steps{confirmed},
		"SELECT replies, mentions, threads, days FROM mail_choices WHERE user_id = {user}", "digest none none 7"),
	act("add a device", "POST /settings/devices", newMember, "", steps{device},
		"SELECT endpoint FROM devices WHERE user_id = {user}", "https://push.service.org/{name}"),
	act("remove a device", "POST /settings/devices/remove", newMember, "id={id}",
		steps{device, first(self, "/settings/devices", ""), idOf("SELECT id FROM devices WHERE user_id = {user}")},
		"SELECT count(*) FROM devices WHERE user_id = {user}", "1 -> 0"),
	act("what devices show", "POST /settings/devices/choices", newMember, "mentions=1", nil,
		"SELECT replies, mentions, threads FROM push_choices WHERE user_id = {user}", "0 1 0"),
	act("make a token", "POST /settings/tokens", newMember, "name={name}&read=1", nil,
		"SELECT name FROM tokens WHERE user_id = {user}", "{name}").late(),
	act("renew a private feed", "POST /settings/tokens/renew", newMember, "id={id}",
		steps{token("name", "Feed", "feed", "1"), func(w *FaultySite, f *form) {
			f.values["was"] = w.One(f.fill("SELECT hex(hash) FROM tokens WHERE user_id = {user}")).(string)
		}}, "SELECT iif(hex(hash) = '{was}', 'as before', 'renewed') FROM tokens WHERE user_id = {user}", "as before -> renewed").late().
		again("the feed has another address"),
	act("end a token", "POST /settings/tokens/end", newMember, "id={id}", steps{token("name", "Program", "read", "1")},
		"SELECT count(*) FROM tokens WHERE user_id = {user}", "1 -> 0"),
	act("turn an authenticator app on", "POST /settings/totp", newMember, "secret={id}&code={code}", steps{func(w *FaultySite, f *form) {
		f.values["id"] = f.find("/settings/totp", shownSecret)
		secret, err := totp.Parse(f.values["id"])
		require.NoError(w, err)
		f.values["code"] = totp.Code(secret, totp.Step(w.clock.read()))
	}}, "SELECT 'on' FROM totp WHERE user_id = {user}", "on").late().again("there is an app already"),
	act("turn an authenticator app off", "POST /settings/totp/off", newMember, "code={code}", steps{func(w *FaultySite, f *form) {
		w.Now = w.clock.read()
		_, codes := w.Authenticator(f.by)
		f.values["code"] = codes[0]
	}}, "SELECT count(*) FROM totp WHERE user_id = {user}", "1 -> 0").late().again(usedUp),
	act("add a passkey", "POST /settings/passkeys", newMember, "", steps{passkey},
		"SELECT name FROM passkeys WHERE user_id = {user}", "{name}").late().again(usedUp),
	act("name a passkey", "POST /settings/passkeys/name", visitor, "id={passkey}&name=Key {name}", steps{passkeyOnly},
		"SELECT name FROM passkeys WHERE user_id = {user}", "{was} -> Key {name}"),
	act("remove a passkey", "POST /settings/passkeys/remove", newMember, "id={passkey}",
		steps{passkey, first(self, "/settings/passkeys", "")}, "SELECT count(*) FROM passkeys WHERE user_id = {user}", "1 -> 0").late(),
	act("end a session", "POST /settings/sessions/end", newMember, "id={id}", steps{func(w *FaultySite, f *form) {
		f.values["id"] = strings.Split(otherSession(w, f).Cookie, ".")[1]
	}}, "SELECT count(*) FROM sessions WHERE user_id = {user}", "2 -> 1"),
	act("end all other sessions", "POST /settings/sessions/end-others", newMember, "", steps{sees(otherSession)}, "", "in -> out").
		endsSession(),
	act("prove who one is", "POST /prove", newMember, "password=correct horse", steps{sees(self)}, "", "in -> in").endsSession(),
	act("write to the administrators", "POST /contact", visitor, "name=Eve&body={name}", nil,
		"SELECT body FROM contact_messages WHERE body = '{name}'", "{name}"),
}
