package credentials_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/sessions"
	"plaza/data/accounts/signup"
	"plaza/data/events/mails"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// linked is a site with members who have addresses.
type linked struct {
	*storetest.Stores
	n int
}

func (s *linked) member(name string, confirmed bool) data.Actor {
	s.Helper()
	a, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Email: name + "@example.org", Password: "correct horse"})
	require.NoError(s, err)
	if confirmed {
		s.Exec("UPDATE users SET email_confirmed_at = 1 WHERE id = ?1", int64(a.UserID))
	}
	return a
}

// link makes a link, like that of a mail.
func (s *linked) link(kind mails.Kind, user data.ID, about ...string) *credentials.MailLink {
	s.Helper()
	s.n++
	m := &mails.Waiting{Mail: mails.Mail{Kind: kind, User: user, About: map[string]string{}}}
	for i := 0; i < len(about); i += 2 {
		m.About[about[i]] = about[i+1]
	}
	l, err := s.Credentials.MakeLink(storetest.Ctx, m, "hash"+data.ID(s.n).Text(), credentials.LinkLife)
	require.NoError(s, err)
	return l
}

func (s *linked) works(l *credentials.MailLink) bool {
	s.Helper()
	_, err := s.Credentials.MailLink(storetest.Ctx, l.Hash)
	return err == nil
}

func TestMailedLinks(t *testing.T) {
	s := &linked{Stores: storetest.Open(t)}
	ann := s.member("ann", true)
	s.member("cid", false)

	t.Run("are made for a name or a confirmed address, and for nobody else", func(t *testing.T) {
		for login, found := range map[string]bool{"ann": true, "ANN": true, "Ann@example.org": true, "nobody": false, "cid": false,
			"cid@example.org": false, "x@y.example": false} {
			l := s.link(credentials.MailLogIn, 0, "login", login)
			require.Equal(t, found, l != nil, login)
			if found {
				require.Equal(t, []any{"ann", "ann@example.org", ann.UserID}, []any{l.Username, l.Email, l.User})
			}
		}
	})
	t.Run("work once", func(t *testing.T) {
		l := s.link(credentials.MailLogIn, 0, "login", "ann")
		a, err := s.Credentials.LogInByLink(storetest.Ctx, l, "home")
		require.NoError(t, err)
		require.Equal(t, ann.UserID, a.UserID)
		require.NotEqual(t, ann.SessionID, a.SessionID)
		_, err = s.Credentials.LogInByLink(storetest.Ctx, l, "home")
		require.ErrorIs(t, err, credentials.ErrLinkInvalid)
		require.False(t, s.works(l))
	})
	t.Run("work for half an hour", func(t *testing.T) {
		l := s.link(credentials.MailLogIn, 0, "login", "ann")
		*s.Clock = s.Clock.Add(29 * time.Minute)
		require.True(t, s.works(l))
		*s.Clock = s.Clock.Add(time.Minute)
		require.False(t, s.works(l))
		_, err := s.Credentials.LogInByLink(storetest.Ctx, l, "")
		require.ErrorIs(t, err, credentials.ErrLinkInvalid)
		require.NoError(t, s.Credentials.PurgeLinks(storetest.Ctx))
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM mail_links WHERE hash = ?1", l.Hash))
	})
	t.Run("do what they are for and nothing else", func(t *testing.T) {
		l := s.link(credentials.MailForReauth, ann.UserID, "session", ann.SessionID.Text())
		_, err := s.Credentials.LogInByLink(storetest.Ctx, l, "")
		require.ErrorIs(t, err, credentials.ErrLinkInvalid)
		_, err = s.Credentials.ResetPassword(storetest.Ctx, l, "another horse", "elsewhere")
		require.ErrorIs(t, err, credentials.ErrLinkInvalid)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM sign_in_networks WHERE network = 'elsewhere'"), "nobody has logged in from there")
		require.ErrorIs(t, s.Credentials.ConfirmEmail(storetest.Ctx, l), credentials.ErrLinkInvalid)
		other := ann
		other.SessionID++
		require.ErrorIs(t, s.Credentials.ReauthByLink(storetest.Ctx, other, l), credentials.ErrOtherSession)
		require.NoError(t, s.Credentials.ReauthByLink(storetest.Ctx, ann, l))
		require.ErrorIs(t, s.Credentials.ReauthByLink(storetest.Ctx, ann, l), credentials.ErrLinkInvalid)
		require.Equal(t, int64(0), s.One("SELECT count(*) FROM mails WHERE kind = 'password-changed'"))
	})
	t.Run("are void once the password was changed", func(t *testing.T) {
		logIn, reset := s.link(credentials.MailLogIn, 0, "login", "ann"), s.link(credentials.MailReset, 0, "login", "ann")
		next, err := s.Credentials.ChangePassword(storetest.Ctx, ann, "another horse")
		require.NoError(t, err)
		require.False(t, s.works(logIn))
		require.False(t, s.works(reset))
		ann = next
	})
	t.Run("while the member is suspended, those to log in lead to why, and others are void", func(t *testing.T) {
		logIn, reset := s.link(credentials.MailLogIn, 0, "login", "ann"), s.link(credentials.MailReset, 0, "login", "ann")
		require.NoError(t, s.Suspensions.Suspend(storetest.Ctx, "ann"))
		require.False(t, s.works(reset))
		require.Nil(t, s.link(credentials.MailReset, 0, "login", "ann@example.org"))
		require.NotNil(t, s.link(credentials.MailLogIn, 0, "login", "ann@example.org"))
		actor, err := s.Credentials.LogInByLink(storetest.Ctx, logIn, "")
		require.NoError(t, err)
		_, err = s.Sessions.Start(storetest.Ctx, actor, sessions.SignIn{Method: "mail"})
		storetest.CodeOf(t, err, data.Forbidden, "This account is suspended.")
		require.NoError(t, s.Suspensions.Restore(storetest.Ctx, "ann"))
	})
	t.Run("of the same mail, sent again, are the same", func(t *testing.T) {
		m := &mails.Waiting{Mail: mails.Mail{Kind: credentials.MailLogIn, About: map[string]string{"login": "ann"}}}
		for range 2 {
			l, err := s.Credentials.MakeLink(storetest.Ctx, m, "again", credentials.LinkLife)
			require.NoError(t, err)
			require.NotNil(t, l)
		}
		l, err := s.Credentials.MailLink(storetest.Ctx, "again")
		require.NoError(t, err)
		_, err = s.Credentials.LogInByLink(storetest.Ctx, l, "")
		require.NoError(t, err)
		l, err = s.Credentials.MakeLink(storetest.Ctx, m, "again", credentials.LinkLife)
		require.NoError(t, err)
		require.Nil(t, l, "one that was used is not made again")
	})
	t.Run("log in by the transaction that uses them up", func(t *testing.T) {
		l := s.link(credentials.MailLogIn, 0, "login", "ann")
		actor, link := s.Credentials.BeginByLink(l, "home")
		start := func(actor data.Actor, link *sessions.Link) error {
			_, err := s.Sessions.Start(storetest.Ctx, actor, sessions.SignIn{Method: "mail", Link: link})
			return err
		}
		s.Exec("CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END")
		require.Error(t, start(actor, link))
		s.Exec("DROP TRIGGER full")
		require.True(t, s.works(l), "it is not used up where no session begins")
		for range 2 {
			require.NoError(t, start(actor, link), "the same transaction may be sent twice")
		}
		require.False(t, s.works(l))
		actor, link = s.Credentials.BeginByLink(l, "elsewhere")
		require.ErrorIs(t, start(actor, link), credentials.ErrLinkInvalid)
		require.Zero(t, s.One("SELECT count(*) FROM sessions WHERE id = ?1", int64(actor.SessionID)))
		require.Zero(t, s.One("SELECT count(*) FROM sign_in_networks WHERE network = 'elsewhere'"))
	})
	t.Run("of many at once, one is used", func(t *testing.T) {
		l := s.link(credentials.MailLogIn, 0, "login", "ann")
		won := make(chan bool, 8)
		for range cap(won) {
			go func() {
				_, err := s.Credentials.LogInByLink(storetest.Ctx, l, "")
				won <- err == nil
			}()
		}
		n := 0
		for range cap(won) {
			if <-won {
				n++
			}
		}
		require.Equal(t, 1, n)
	})
}

func TestConfirmingAddresses(t *testing.T) {
	s := &linked{Stores: storetest.Open(t)}
	ann, ben := s.member("ann", false), s.member("ben", false)
	s.Exec("UPDATE users SET email = 'ANN@example.org', email_key = 'ann@example.org' WHERE username = 'ben'")

	t.Run("signing up leaves the mail that confirms, once", func(t *testing.T) {
		require.Equal(t, []any{"confirm", "ann@example.org", `{"address":"ann@example.org","credentials":"0","sign-up":"1"}`},
			s.Rows("SELECT kind, address, about FROM mails WHERE user_id = ?1", int64(ann.UserID))[0])
		form := signup.Form{Username: "dee", Email: "dee@example.org", Password: "correct horse", Token: "a-token-of-a-sign-up"}
		for range 2 {
			_, err := s.Signup.SignUp(storetest.Ctx, form)
			require.NoError(t, err)
		}
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM mails WHERE address = 'dee@example.org'"))
	})
	t.Run("of two accounts the first that confirms has the address", func(t *testing.T) {
		mine, other := s.link(credentials.MailConfirm, ann.UserID, "address", "ann@example.org"), s.link(credentials.MailConfirm, ben.UserID, "address",
			"ANN@example.org")
		require.NoError(t, s.Credentials.ConfirmEmail(storetest.Ctx, mine))
		require.ErrorIs(t, s.Credentials.ConfirmEmail(storetest.Ctx, mine), credentials.ErrLinkInvalid)
		require.Equal(t, data.Conflict, data.ErrorCode(s.Credentials.ConfirmEmail(storetest.Ctx, other)))
		require.True(t, s.works(other), "what was refused is not used up")
	})
	t.Run("a new address takes effect when it is confirmed, and the old one is told", func(t *testing.T) {
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@new.example", "token-1"))
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@new.example", "token-1"), "the form, sent again")
		require.Equal(t, "ann@example.org", s.One("SELECT email FROM users WHERE username = 'ann'"))
		require.Equal(t, [][]any{{"confirm", "ann@new.example"}, {"address-changing", "ann@example.org"}},
			s.Rows("SELECT kind, address FROM mails WHERE user_id = ?1 AND about LIKE '%new.example%' ORDER BY id", int64(ann.UserID)))
		l := s.link(credentials.MailConfirm, ann.UserID, "address", "ann@new.example")
		require.NoError(t, s.Credentials.ConfirmEmail(storetest.Ctx, l))
		require.Equal(t, "ann@new.example", s.One("SELECT email FROM users WHERE username = 'ann'"))
		require.Equal(t, "ann@new.example", s.One("SELECT email_key FROM users WHERE username = 'ann'"))
	})
	// waiting returns the text of the newest mail to an address.
	waiting := func(address string) *mails.Waiting {
		t.Helper()
		row := s.Rows("SELECT user_id, about FROM mails WHERE kind = 'confirm' AND address = ?1 ORDER BY id DESC LIMIT 1", address)[0]
		m := &mails.Waiting{Mail: mails.Mail{Kind: credentials.MailConfirm, User: data.ID(row[0].(int64)), Address: address}}
		require.NoError(t, json.Unmarshal([]byte(row[1].(string)), &m.About))
		return m
	}
	t.Run("the form, sent again after its mail came, leaves the link as it is", func(t *testing.T) {
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@pressed.example", "token-twice"))
		l, err := s.Credentials.MakeLink(storetest.Ctx, waiting("ann@pressed.example"), "pressed", credentials.ConfirmLife)
		require.NoError(t, err)
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@pressed.example", "token-twice"))
		require.True(t, s.works(l))
	})
	t.Run("the form, sent again with another address, mails that one", func(t *testing.T) {
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@typo.example", "token-back"))
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@right.example", "token-back"))
		l, err := s.Credentials.MakeLink(storetest.Ctx, waiting("ann@right.example"), "right", credentials.ConfirmLife)
		require.NoError(t, err)
		require.True(t, s.works(l))
	})
	t.Run("a mail that is sent late has no link to an address that was given up", func(t *testing.T) {
		l, err := s.Credentials.MakeLink(storetest.Ctx, waiting("ann@typo.example"), "typo", credentials.ConfirmLife)
		require.NoError(t, err)
		require.Nil(t, l)
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "thief@late.example", ""))
		late := waiting("thief@late.example")
		_, err = s.Credentials.ResetPassword(storetest.Ctx, s.link(credentials.MailReset, 0, "login", "ann"), "owner's new horse", "")
		require.NoError(t, err)
		l, err = s.Credentials.MakeLink(storetest.Ctx, late, "late", credentials.ConfirmLife)
		require.NoError(t, err)
		require.Nil(t, l, "a new password stops the change, also where its mail was not sent yet")
		ann = s.Sessions.Begin(ann.UserID, ann.Name)
	})
	t.Run("letters of other alphabets are nobody's small letters", func(t *testing.T) {
		dot, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "dot", Email: "n\u0130ck@example.org", Password: "correct horse"}) // İ
		require.NoError(t, err)
		require.NoError(t, s.Credentials.ConfirmEmail(storetest.Ctx, s.link(credentials.MailConfirm, dot.UserID, "address", "n\u0130ck@example.org")))
		nick := s.member("nick", false)
		require.NoError(t, s.Credentials.ConfirmEmail(storetest.Ctx, s.link(credentials.MailConfirm, nick.UserID, "address", "NICK@example.org")))
		for login, name := range map[string]string{"nick@example.org": "nick", "N\u0130CK@example.org": "dot", "n\u0130ck@EXAMPLE.org": "dot"} {
			require.Equal(t, name, s.link(credentials.MailLogIn, 0, "login", login).Username)
			a, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: login, Password: "correct horse"})
			require.NoError(t, err, login)
			require.Equal(t, name, a.Name)
		}
	})
	t.Run("a later change voids the one before, and so does a new password", func(t *testing.T) {
		first := s.link(credentials.MailConfirm, ann.UserID, "address", "thief@example.org")
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "ann@third.example", ""))
		require.False(t, s.works(first))
		second := s.link(credentials.MailConfirm, ann.UserID, "address", "ann@third.example")
		_, err := s.Credentials.ResetPassword(storetest.Ctx, s.link(credentials.MailReset, 0, "login", "ann"), "another horse", "")
		require.NoError(t, err)
		require.ErrorIs(t, s.Credentials.ConfirmEmail(storetest.Ctx, second), credentials.ErrLinkInvalid)
	})
	t.Run("an ended session changes nothing and mails nobody", func(t *testing.T) {
		before := s.One("SELECT count(*) FROM mails")
		require.ErrorIs(t, s.Credentials.ChangeEmail(storetest.Ctx, ann, "thief@example.org", ""), data.ErrSessionEnded, "the reset ended it")
		require.Equal(t, before, s.One("SELECT count(*) FROM mails"))
		_, err := s.Credentials.ChangePassword(storetest.Ctx, ann, "a thief's horse")
		require.ErrorIs(t, err, data.ErrSessionEnded)
		require.Error(t, s.Credentials.DropPassword(storetest.Ctx, ann))
	})
	t.Run("who has none yet has the new one, unconfirmed", func(t *testing.T) {
		require.NoError(t, s.Credentials.ChangeEmail(storetest.Ctx, ben, "ben@new.example", ""))
		require.Equal(t, []any{"ben@new.example", nil}, s.Rows("SELECT email, email_confirmed_at FROM users WHERE username = 'ben'")[0])
	})
}

func TestChangingPasswords(t *testing.T) {
	s := &linked{Stores: storetest.Open(t)}
	ann := s.member("ann", true)
	live := func(a data.Actor) bool {
		t.Helper()
		r := s.DB.Read()
		v := s.Accounts.FindViewer(r, a)
		require.NoError(t, r.Run(storetest.Ctx))
		writes := true
		for _, where := range s.DB.Databases() {
			r := s.DB.Read()
			r.FindAt(where, "SELECT "+data.LiveSession, a.Args(nil), func(row *data.Row) { writes = row.Bool() && writes })
			require.NoError(t, r.Run(storetest.Ctx))
		}
		require.Equal(t, v.Live, writes)
		return v.Live
	}
	logIn := func(password string) (data.Actor, error) {
		return s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: password})
	}
	t.Run("a change ends all other sessions", func(t *testing.T) {
		other, err := logIn("correct horse")
		require.NoError(t, err)
		next, err := s.Credentials.ChangePassword(storetest.Ctx, ann, "battery staple")
		require.NoError(t, err)
		require.False(t, live(ann))
		require.False(t, live(other))
		require.True(t, live(next))
		ann = next
		_, err = logIn("correct horse")
		require.Error(t, err)
		_, err = logIn("battery staple")
		require.NoError(t, err)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM mails WHERE kind = 'password-changed'"))
	})
	t.Run("a password that is changed while somebody logs in by it lets nobody in", func(t *testing.T) {
		var next data.Actor
		thief, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: "battery staple", LimitUnknownNetwork: func(string) (err error) {
			next, err = s.Credentials.ChangePassword(storetest.Ctx, ann, "battery staple two") // after the old one was read
			return err
		}})
		require.NoError(t, err)
		_, err = s.Sessions.Start(storetest.Ctx, thief, sessions.SignIn{Method: "password"})
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		require.False(t, live(thief))
		_, err = s.Sessions.Start(storetest.Ctx, next, sessions.SignIn{Method: "password"})
		require.NoError(t, err)
		ann = next
	})
	t.Run("nor where the instance that checks it has a clock that is ahead", func(t *testing.T) {
		*s.Clock = s.Clock.Add(time.Hour)
		thief, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: "battery staple two"})
		require.NoError(t, err)
		*s.Clock = s.Clock.Add(-time.Hour)
		next, err := s.Credentials.ChangePassword(storetest.Ctx, ann, "battery staple three")
		require.NoError(t, err)
		_, err = s.Sessions.Start(storetest.Ctx, thief, sessions.SignIn{Method: "password"})
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		require.Zero(t, s.One("SELECT count(*) FROM sessions WHERE id = ?1", int64(thief.SessionID)))
		_, err = s.Sessions.Start(storetest.Ctx, next, sessions.SignIn{Method: "password"})
		require.NoError(t, err)
		ann = next
	})
	t.Run("so does a reset", func(t *testing.T) {
		next, err := s.Credentials.ResetPassword(storetest.Ctx, s.link(credentials.MailReset, 0, "login", "ann@example.org"), "paper clip chain", "home")
		require.NoError(t, err)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM sign_in_networks WHERE network = 'home'"))
		require.False(t, live(ann))
		require.True(t, live(next))
		ann = next
		_, err = logIn("paper clip chain")
		require.NoError(t, err)
	})
	t.Run("a new one has to be good", func(t *testing.T) {
		l := s.link(credentials.MailReset, 0, "login", "ann")
		for _, password := range []string{"short", "ann@example.org", "password123"} {
			_, err := s.Credentials.ChangePassword(storetest.Ctx, ann, password)
			require.Equal(t, data.Invalid, data.ErrorCode(err), password)
			_, err = s.Credentials.ResetPassword(storetest.Ctx, l, password, "")
			require.Equal(t, data.Invalid, data.ErrorCode(err), password)
		}
		require.True(t, s.works(l), "a refused password uses nothing up")
	})
	t.Run("the own password is a proof", func(t *testing.T) {
		require.NoError(t, s.Credentials.CheckOwnPassword(storetest.Ctx, ann, "paper clip chain"))
		require.Equal(t, data.Invalid, data.ErrorCode(s.Credentials.CheckOwnPassword(storetest.Ctx, ann, "correct horse")))
		require.Equal(t, data.Invalid, data.ErrorCode(s.Credentials.CheckOwnPassword(storetest.Ctx, ann, "")))
	})
	t.Run("who has another way in may do without, and choose one again", func(t *testing.T) {
		require.NoError(t, s.Credentials.DropPassword(storetest.Ctx, ann))
		for _, password := range []string{"paper clip chain", "", "x"} {
			_, err := logIn(password)
			require.Error(t, err)
			require.Error(t, s.Credentials.CheckOwnPassword(storetest.Ctx, ann, password))
		}
		require.True(t, live(ann))
		next, err := s.Credentials.ChangePassword(storetest.Ctx, ann, "correct horse")
		require.NoError(t, err)
		ann = next
		s.Exec("UPDATE users SET email_confirmed_at = NULL")
		require.Equal(t, data.Conflict, data.ErrorCode(s.Credentials.DropPassword(storetest.Ctx, ann)))
		s.Exec("INSERT INTO passkeys (id, user_id, name, public_key, sign_count, created_at) VALUES ('x', ?1, 'x', 'x', 0, 0)", int64(ann.UserID))
		require.NoError(t, s.Credentials.DropPassword(storetest.Ctx, ann))
	})
}

// TestSigningInWhileThePasswordIsChanged logs a member in by the old password before each request of the change.
func TestSigningInWhileThePasswordIsChanged(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}})
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	ann := s.Member("ann")
	other := &credentials.Store{Base: data.Base{DB: data.NewDB(line, line), Source: s.Accounts.Source}, Sessions: s.Sessions, Salt: s.Credentials.Salt}
	var thieves []data.Actor
	next, err := other.ChangePassword(storetest.With(storetest.Ctx, storetest.ToSQL, &storetest.Trouble{Hook: func() {
		if thief, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: "correct horse"}); err == nil {
			thieves = append(thieves, thief)
		}
	}}), ann, "battery staple")
	require.NoError(t, err)
	require.Len(t, thieves, 2, "before the address is read, and before the change is written")
	for _, thief := range thieves {
		_, err := s.Sessions.Start(storetest.Ctx, thief, sessions.SignIn{Method: "password"})
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
	}
	_, err = s.Sessions.Start(storetest.Ctx, next, sessions.SignIn{Method: "password"})
	require.NoError(t, err)
}

// TestPasswordsWhileResponsesGetLost: the transaction is sent again, and detects that it has already committed.
func TestPasswordsWhileResponsesGetLost(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}})
	s := &linked{Stores: storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))}
	ann := s.member("ann", true)
	other := &credentials.Store{Base: data.Base{DB: data.NewDB(line, line), Source: s.Accounts.Source}, Sessions: s.Sessions, Salt: s.Credentials.Salt}
	for n := range 6 {
		lost := storetest.With(storetest.Ctx, storetest.ToSQL, &storetest.Trouble{Plan: append(make([]storetest.Fault, n%3), storetest.Lose)})
		password := fmt.Sprint("paper clip chain ", n)
		var err error
		if n < 3 {
			ann, err = other.ChangePassword(lost, ann, password)
		} else {
			ann, err = other.ResetPassword(lost, s.link(credentials.MailReset, 0, "login", "ann"), password, "home")
		}
		require.NoError(t, err, n)
		_, err = s.Sessions.Start(storetest.Ctx, ann, sessions.SignIn{Method: "password"})
		require.NoError(t, err, n)
		_, err = s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: password})
		require.NoError(t, err, n)
	}
}
