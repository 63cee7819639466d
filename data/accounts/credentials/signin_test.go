package credentials_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/signup"
	"plaza/data/pace/deadline"
	"plaza/data/pace/semaphore"
	"plaza/test/storetest"
)

func TestEmailAddresses(t *testing.T) {
	s := storetest.Open(t)
	signUp := func(name, email, password string) int64 {
		t.Helper()
		meterCtx, meter := s.Metered()
		_, err := s.Signup.SignUp(meterCtx, signup.Form{Username: name, Email: email, Password: password})
		require.NoError(t, err, "whoever has the address")
		return meter.Requests()
	}
	logIn := func(login, password string) (string, error) {
		a, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: login, Password: password})
		return a.Name, err
	}
	fresh := signUp("ann", "ann@example.org", "correct horse")
	s.Exec("UPDATE users SET email_confirmed_at = 1")
	require.Equal(t, fresh, signUp("ben", "ANN@example.org", "battery staple"), "as many requests for an address that has an account")
	signUp("cid", "cid@example.org", "paper clip chain")

	t.Run("a confirmed one signs its member in, and nobody else", func(t *testing.T) {
		name, err := logIn("ann@Example.org", "correct horse")
		require.NoError(t, err)
		require.Equal(t, "ann", name)
		for _, password := range []string{"battery staple", "wrong horse"} {
			_, err = logIn("ann@example.org", password)
			require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		}
		name, err = logIn("ben", "battery staple")
		require.NoError(t, err)
		require.Equal(t, "ben", name)
	})
	t.Run("one that nobody has confirmed signs nobody in", func(t *testing.T) {
		_, err := logIn("cid@example.org", "paper clip chain")
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
	})
	t.Run("one is an address alone, of characters that can be seen", func(t *testing.T) {
		for _, email := range []string{"ann@example.org\nBcc: ben@example.org", "ann@example.org, ben@example.org", "Ann <ann@example.org>",
			`"a b"@example.org`, "ann@[127.0.0.1]",
			"ann@b..c", "ann@example", "ann@.org", "ann(x)@example.org", "\u202eann@example.org", "ann@b\u200b.example", "a\x00@example.org",
			"ann@" + strings.Repeat("x", 250) + ".org"} {
			_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "dora", Email: email, Password: "correct horse"})
			require.Equal(t, data.Invalid, data.ErrorCode(err), "%q", email)
		}
	})
	t.Run("a wrong password takes as many requests whether or not the address has an account", func(t *testing.T) {
		requests := map[string]int64{}
		for _, email := range []string{"ann@example.org", "cid@example.org", "nobody@example.org"} {
			meterCtx, meter := s.Metered()
			_, err := s.Credentials.LogIn(meterCtx, credentials.LogIn{Login: email, Password: "wrong horse"})
			require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
			requests[email] = meter.Requests()
		}
		require.Equal(t, requests["ann@example.org"], requests["nobody@example.org"])
		require.Equal(t, requests["ann@example.org"], requests["cid@example.org"])
	})
	t.Run("a hash that nobody can read lets nobody in", func(t *testing.T) {
		s.Exec("INSERT INTO users (id, username, username_key, email_key, email_confirmed_at, password_hash, created_at) VALUES (2, 'odd', " +
			"'odd', 'odd@example.org', 1, '', 0)")
		for _, login := range []string{"odd", "odd@example.org"} {
			_, err := logIn(login, "anything at all")
			require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		}
	})
	t.Run("a database of before, in which several accounts have one, takes the step", func(t *testing.T) {
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM users WHERE email_key = 'ann@example.org'"))
		_, err := s.SQL.Tx(storetest.Ctx, storetest.StmtOf("UPDATE users SET email_confirmed_at = 1 WHERE username = 'ben'"))
		require.True(t, data.IsTaken(err), "only one of them can confirm it")
	})
}

func TestStrangers(t *testing.T) {
	s := storetest.Open(t)
	refused := errors.New("refused")
	asked := ""
	try := func(login, password, network string) error {
		asked = ""
		_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: login, Password: password, Network: network,
			Stranger: func(key string) error { asked = key; return refused }})
		return err
	}
	_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "Ann", Email: "ann@example.org", Password: "correct horse",
		Network: "home"})
	require.NoError(t, err)

	require.NoError(t, try("Ann", "correct horse", "home"), "where the account was made is known")
	require.ErrorIs(t, try(" ANN ", "correct horse", "work"), refused)
	require.Equal(t, "ann", asked)
	require.ErrorIs(t, try("Nobody", "correct horse", "work"), refused)
	require.Equal(t, "nobody", asked)
	require.ErrorIs(t, try("ann@example.org", "correct horse", "home"), refused, "anybody may give the address")
	s.Exec("UPDATE users SET email_confirmed_at = 1")
	require.NoError(t, try("ann@example.org", "correct horse", "home"))
	require.ErrorIs(t, try("ann", "correct horse", ""), refused)

	_, err = s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: "wrong horse", Network: "work"})
	require.Error(t, err)
	require.ErrorIs(t, try("ann", "correct horse", "work"), refused, "a wrong password makes nothing known")
	_, err = s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "ann", Password: "correct horse", Network: "work"})
	require.NoError(t, err)
	require.NoError(t, try("ann", "correct horse", "work"))

	*s.Clock = s.Clock.Add(170 * 24 * time.Hour)
	require.NoError(t, try("ann", "correct horse", "work"))
	*s.Clock = s.Clock.Add(20 * 24 * time.Hour)
	require.NoError(t, s.Sessions.PurgeNetworks(storetest.Ctx))
	require.NoError(t, try("ann", "correct horse", "work"), "was used of late")
	require.ErrorIs(t, try("ann", "correct horse", "home"), refused, "was not")
}

func TestPasswords(t *testing.T) {
	s := storetest.Open(t)
	for name, test := range map[string]struct{ password, says string }{
		"short":                            {"nine char", "at least 10 characters"},
		"two emoji of many bytes":          {"👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "at least 10 characters"},
		"ten letters with invisible ones":  {"a\u200bb\u200bc\u200bd\u200be\u200b", "at least 10 characters"},
		"longer than 200":                  {strings.Repeat("longer ", 29), "at most 200 characters"},
		"common":                           {"1q2w3e4r5t", "others try first"},
		"common in capitals":               {"QwertyUIOP", "others try first"},
		"a common word with digits":        {"Password123!", "others try first"},
		"a common word between signs":      {"!!!password!!!", "others try first"},
		"one character again and again":    {"aaaaaaaaaaaa", "others try first"},
		"the name":                         {"hortensia_w", "your name or address"},
		"the name with digits":             {"Hortensia_W1987", "your name or address"},
		"the name twice":                   {"hortensia_whortensia_w", "your name or address"},
		"the address":                      {"rosebush@example.org", "your name or address"},
		"the address up to the at, and so": {"rosebush2026", "your name or address"},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "Hortensia_W", Email: "rosebush@example.org", Password: test.password})
			require.Equal(t, data.Invalid, data.ErrorCode(err))
			require.ErrorContains(t, err, test.says)
		})
	}
	for name, password := range map[string]string{
		"words": "correct horse", "ten characters": "gx7!kvq2ze", "a script of its own": "пароль из слов",
		"200 of four bytes": strings.Repeat("𐌰𐌱𐌲𐌳𐌴", 40),
	} {
		t.Run("takes "+name+", and logs in", func(t *testing.T) {
			user := "u" + data.ID(len(name)).Text()
			_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: user, Password: password})
			require.NoError(t, err)
			_, err = s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: user, Password: password})
			require.NoError(t, err)
		})
	}
	t.Run("cost a guesser what is recommended, unless the store is told otherwise", func(t *testing.T) {
		strong, signups := *s.Credentials, *s.Signup
		strong.HashCost = credentials.HashCost{}
		signups.Credentials = &strong
		_, err := signups.SignUp(storetest.Ctx, signup.Form{Username: "costly", Password: "several plain words"})
		require.NoError(t, err)
		require.Contains(t, s.One("SELECT password_hash FROM users WHERE username = 'costly'"), "$argon2id$v=19$m=7168,t=5,p=1$")
	})
	t.Run("old short passwords still log in", func(t *testing.T) {
		s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (2, 'old', 'old', ?1, 0)",
			credentials.SafeHashCost.Hash("password", []byte("0123456789abcdef")))
		_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: "old", Password: "password"})
		require.NoError(t, err)
	})
	t.Run("takes nearly all that chance makes", func(t *testing.T) {
		refused := 0
		for i := range 20000 {
			if credentials.IsCommon(data.ID(int64(i)*7919_000_003).Text() + " plain words") {
				refused++
			}
		}
		require.LessOrEqual(t, refused, 3)
	})
}

// TestHashesWaitForEachOther signs many in at once. Before each hash its request pauses, alone.
func TestHashesWaitForEachOther(t *testing.T) {
	s := storetest.Open(t)
	s.Member("ann")
	var pauses, inside, most atomic.Int32
	s.Credentials.Sleep = func(ctx context.Context, d time.Duration) error {
		if d == time.Millisecond { // a pause; who waits for the others sleeps longer
			pauses.Add(1)
			if now := inside.Add(1); now > most.Load() {
				most.Store(now)
			}
			defer inside.Add(-1)
		}
		return deadline.DefaultSleep(ctx, d)
	}
	s.Credentials.Hashes = &semaphore.Semaphore{Places: 1, Sleep: s.Credentials.Sleep}
	done := make(chan error)
	for _, login := range []string{"ann", "ann", "ann", "nobody", "nobody", "nobody@example.org"} {
		go func() {
			_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: login, Password: "correct horse"})
			if data.ErrorCode(err) == data.Unauthenticated && login != "ann" {
				err = nil
			}
			done <- err
		}()
	}
	for range 6 {
		require.NoError(t, <-done)
	}
	require.EqualValues(t, 6, pauses.Load())
	require.EqualValues(t, 1, most.Load())
}
