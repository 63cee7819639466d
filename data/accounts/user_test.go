package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/credentials"
	"plaza/data/accounts/signup"
	"plaza/test/storetest"
)

func TestUser(t *testing.T) {
	s := storetest.Open(t)
	_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: "Ann", Email: "Ann@Example.org", Password: "correct horse"})
	require.NoError(t, err)
	s.Exec("UPDATE users SET email_confirmed_at = 1")

	for _, login := range []string{"ann", "ANN", "ann@example.org", " Ann "} {
		t.Run("logs in as "+login, func(t *testing.T) {
			a, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: login, Password: "correct horse"})
			require.NoError(t, err)
			require.Equal(t, "Ann", a.Name)
		})
	}
	for name, test := range map[string]struct {
		login, password string
		code            data.Code
	}{
		"wrong password": {"ann", "wrong horse", data.Unauthenticated}, "nobody": {"nobody", "correct horse", data.Unauthenticated},
		"no login": {"", "x", data.Invalid}, "no password": {"ann", "", data.Invalid},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			_, err := s.Credentials.LogIn(storetest.Ctx, credentials.LogIn{Login: test.login, Password: test.password})
			require.Equal(t, test.code, data.ErrorCode(err))
		})
	}
	for name, test := range map[string]struct {
		user  signup.Form
		field string
	}{
		"a taken name":     {signup.Form{Username: "aNN", Password: "correct horse"}, "username"},
		"a reserved name":  {signup.Form{Username: "Admin", Password: "correct horse"}, "username"},
		"a short password": {signup.Form{Username: "bob", Password: "short"}, "password"},
		"no address":       {signup.Form{Username: "bob", Email: "not an address", Password: "correct horse"}, "email"},
		"an odd name":      {signup.Form{Username: "b b", Password: "correct horse"}, "username"},
	} {
		t.Run("does not sign up with "+name, func(t *testing.T) {
			_, err := s.Signup.SignUp(storetest.Ctx, test.user)
			var e *data.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, test.field, e.Field)
		})
	}

	t.Run("two people without an address get along", func(t *testing.T) {
		s.Member("cid")
		s.Member("dan")
	})
}
