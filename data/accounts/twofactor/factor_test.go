package twofactor_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/onetime"
	"plaza/data/accounts/twofactor"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestRecoveryCodes(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql, line := hrana.New(hrana.Options{URL: url, HTTP: client}),
		hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}})
	s := storetest.New(t, data.NewDB(sql, sql), sql, stacktest.OpenRedis(t))
	ann := s.Member("ann")
	here, there := &twofactor.Store{Base: s.Accounts.Base}, &twofactor.Store{Base: data.Base{DB: data.NewDB(line, line), Source: s.Accounts.Source}}
	token := func(text string) onetime.Token { return onetime.New("test", text, s.Clock.Add(time.Hour)) }
	require.NoError(t, here.TurnOn(storetest.Ctx, ann, "secret", token("first"), []string{"a", "b"}))
	use := func(trouble *storetest.Trouble, hash string) bool {
		t.Helper()
		ok, err := there.UseRecoveryCode(storetest.With(storetest.Ctx, storetest.ToSQL, trouble), ann.UserID, hash, token(hash))
		require.NoError(t, err)
		return ok
	}

	t.Run("are taken once, also when the answer gets lost", func(t *testing.T) {
		require.True(t, use(&storetest.Trouble{Plan: []storetest.Fault{storetest.Lose}}, "a"))
		require.False(t, use(nil, "a"))
		require.False(t, use(nil, "never made"))
	})
	t.Run("are not taken any more from the moment on when there are others", func(t *testing.T) {
		for n := 1; n <= 3; n++ {
			require.NoError(t, here.RenewCodes(storetest.Ctx, ann, []string{"b"}))
			requests := 0
			ok := use(&storetest.Trouble{Hook: func() {
				if requests++; requests == n {
					require.NoError(t, here.RenewCodes(storetest.Ctx, ann, []string{"c"}))
				}
			}}, "b")
			if requests >= n {
				require.False(t, ok, "before request %d", n)
			}
			s.Exec("DELETE FROM used_nonces")
		}
	})
}
