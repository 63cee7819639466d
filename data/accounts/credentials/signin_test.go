package credentials_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/argon2"

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

// TestPasswordsInOtherForms: a password works in each Unicode form that a keyboard may send.
func TestPasswordsInOtherForms(t *testing.T) {
	s := storetest.Open(t)
	logIn := func(name, password string) error {
		_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: name, Password: password})
		return err
	}
	for n, forms := range [][]string{
		{"größer als alle", "gro\u0308ßer als alle"}, {"crème brûlée", "cre\u0300me bru\u0302le\u0301e"}, {"Ångström 1868", "A\u030angstro\u0308m 1868", "\u212bngström 1868"},
		{"tiếng Việt nam", "tie\u0302\u0301ng Vie\u0323\u0302t nam", "tiê\u0301ng Việt nam"}, {"ёлка под окном", "е\u0308лка под окном"},
		{"йод и вода 12", "и\u0306од и вода 12"}, {"Ελλάδα και φως", "Ελλα\u0301δα και φως", "Ελλ\u1f71δα και φως"}, {"한국어비밀번호입니다", "\u1112\u1161\u11ab국어비밀번호입니다"},
		{"がぎぐげござじずぜぞ", "か\u3099き\u3099く\u3099け\u3099こ\u3099さ\u3099し\u3099す\u3099せ\u3099そ\u3099"}, {"correct horse battery", "correct\u00a0horse\u3000battery", "correct\u2003horse\u202fbattery"},
		{"naïve façade", "nai\u0308ve fac\u0327ade"}, {"señor jalapeño", "sen\u0303or jalapen\u0303o"}, {"žluťoučký kůň", "z\u030clut\u030couc\u030cky\u0301 ku\u030an\u030c"},
		{"ḍevanāgarī x", "d\u0323evana\u0304gari\u0304 x"}, {"क़लम और दवात", "\u0958लम और दवात"}, {"ṩ ṩ ṩ ṩ ṩ abc", "s\u0323\u0307 s\u0307\u0323 ṩ ṩ ṩ abc"}, {"Ω resistance", "\u2126 resistance"},
		{"K elvin degrees", "\u212a elvin degrees"}, {"أهلا وسهلا بكم", "ا\u0654هلا وسهلا بكم"}, {"zażółć gęślą", "zaz\u0307o\u0301łc\u0301 ge\u0328s\u0301la\u0328"},
		{strings.Repeat("각힣간갈감", 40), strings.Repeat("\u1100\u1161\u11a8\u1112\u1175\u11c2\u1100\u1161\u11ab\u1100\u1161\u11af\u1100\u1161\u11b7", 40)},
	} {
		for m, set := range forms {
			name := fmt.Sprintf("n%dm%d", n, m)
			_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Password: set})
			require.NoError(t, err, set)
			for _, typed := range forms {
				require.NoError(t, logIn(name, typed), "%q is %q", typed, set)
			}
			require.Error(t, logIn(name, forms[0]+"x"))
		}
	}
	for n, others := range [][2]string{{"Größer als alle", "größer als alle"}, {"groesser als alle", "größer als alle"}, {"ｆull width pass", "full width pass"},
		{"ﬁne passwords", "fine passwords"}, {"straße und weg", "strasse und weg"}, {" correct horse", "correct horse"}} {
		name := fmt.Sprint("other", n)
		_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Password: others[0]})
		require.NoError(t, err)
		require.Error(t, logIn(name, others[1]), "%q is not %q", others[1], others[0])
	}
	t.Run("one that was set as it was typed logs in as it was typed, and is stored anew", func(t *testing.T) {
		const typed = "gro\u0308ßer als alle"
		salt := []byte("sixteen bytes of")
		raw := argon2.IDKey([]byte(typed), salt, 1, 64, 1, 32)
		old := "$argon2id$v=19$m=64,t=1,p=1$" + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(raw)
		s.Exec("UPDATE users SET password_hash = ?1 WHERE username = 'n0m0'", old)
		credentialsBefore := s.One("SELECT credentials FROM users WHERE username = 'n0m0'")
		require.Error(t, logIn("n0m0", "größer als alle"), "nobody knows that it is the same")
		require.Error(t, logIn("n0m0", typed+"x"))
		require.Equal(t, old, s.One("SELECT password_hash FROM users WHERE username = 'n0m0'"))
		require.NoError(t, logIn("n0m0", typed))
		require.NotEqual(t, old, s.One("SELECT password_hash FROM users WHERE username = 'n0m0'"))
		require.Equal(t, credentialsBefore, s.One("SELECT credentials FROM users WHERE username = 'n0m0'"), "sessions and links go on")
		require.NoError(t, logIn("n0m0", "größer als alle"))
		require.NoError(t, logIn("n0m0", typed))
	})
}

// TestAddressesInOtherForms: an address is the same with its domain in Unicode and in Punycode.
func TestAddressesInOtherForms(t *testing.T) {
	s := storetest.Open(t)
	for n, forms := range [][]string{
		{"x@müller.example", "x@xn--mller-kva.example", "X@MÜLLER.EXAMPLE", "x@mu\u0308ller.example", "x@XN--MLLER-KVA.example"},
		{"y@例え.example", "y@xn--r8jz45g.example", "y@例え。example"}, {"z@straße.example", "z@xn--strae-oqa.example"},
		{"jo\u0308rg@büro.example", "jörg@xn--bro-hoa.example"},
	} {
		for m, set := range forms {
			name := fmt.Sprintf("n%dm%d", n, m)
			a, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Email: set, Password: "correct horse"})
			require.NoError(t, err, set)
			_, err = s.SQL.Tx(storetest.Ctx, storetest.StmtOf("UPDATE users SET email_confirmed_at = 1 WHERE id = ?1", int64(a.UserID)))
			require.Equal(t, m > 0, data.IsTaken(err), "%q has an owner", set)
		}
		for _, typed := range forms {
			got, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: typed, Password: "correct horse"})
			require.NoError(t, err, typed)
			require.Equal(t, fmt.Sprintf("n%dm0", n), got.Name, typed)
			require.Equal(t, credentials.Mailbox(forms[0]), credentials.Mailbox(typed), "mails to one mailbox are counted together")
			err = s.Credentials.ChangeEmail(storetest.Ctx, got, strings.Replace(typed, "X@", "x@", 1), "")
			storetest.CodeOf(t, err, data.Invalid, "your address already")
		}
	}
	_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "other", Email: "z@strasse.example", Password: "correct horse"})
	require.NoError(t, err)
	s.Exec("UPDATE users SET email_confirmed_at = 1 WHERE username = 'other'") // which is another domain
	for _, email := range []string{"x@-a.example", "x@a_b.example", "x@xn--a.example", "x@" + strings.Repeat("a", 64) + ".example",
		"x@a\u200b..example", "v@example.org?subject=x", "mailto:v@example.org", "v@example.org,w@example.org", "v <v@example.org>", "x@" + strings.Repeat("ü", 120) + ".example"} {
		require.Error(t, credentials.ValidateEmail(email), email)
	}
}

func TestStrangers(t *testing.T) {
	s := storetest.Open(t)
	refused := errors.New("refused")
	asked := ""
	try := func(login, password, network string) error {
		asked = ""
		_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: login, Password: password, Network: network,
			LimitUnknownNetwork: func(key string) error { asked = key; return refused }})
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

// TestHashesWaitForEachOther logs many members in at once. Before each hash its request pauses, alone.
func TestHashesWaitForEachOther(t *testing.T) {
	s := storetest.Open(t)
	s.Member("ann")
	var pauses, inside, most atomic.Int32
	s.Credentials.Sleep = func(ctx context.Context, d time.Duration) error {
		if d == time.Millisecond { // a pause; requests that wait for others sleep longer
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
