package communities_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/communities"
	"plaza/data/people"
	"plaza/data/storetest"
)

func TestCommunity(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gophers")
	find := func(name string, viewer data.ID) *communities.Community {
		r := s.DB.Read()
		c := s.Communities.FindByName(r, name, viewer)
		require.NoError(t, r.Run(storetest.Ctx))
		return c
	}

	t.Run("its creator moderates it and takes part", func(t *testing.T) {
		c := find("gophers", ann.UserID)
		require.Equal(t, "Gophers", c.Name)
		require.Equal(t, int64(1), c.Members)
		require.True(t, c.Subscribed && c.Moderator)
		require.Equal(t, []string{"ann"}, c.Moderators)
	})

	t.Run("members are counted once, however often they join or leave", func(t *testing.T) {
		for _, step := range []struct {
			on   bool
			want int64
		}{{true, 2}, {true, 2}, {false, 1}, {false, 1}, {true, 2}} {
			require.NoError(t, s.Communities.Subscribe(storetest.Ctx, ben, "GOPHERS", step.on))
			require.Equal(t, step.want, find("gophers", ben.UserID).Members)
			require.Equal(t, step.on, find("gophers", ben.UserID).Subscribed)
		}
	})

	t.Run("a name is taken in any case", func(t *testing.T) {
		_, err := s.Communities.Create(storetest.Ctx, ben, communities.Create{Name: "GOPHERS"})
		require.Equal(t, data.Conflict, data.ErrorCode(err))
	})

	t.Run("there is none of another name", func(t *testing.T) {
		require.Zero(t, find("nowhere", 0).ID)
		require.Equal(t, data.NotFound, data.ErrorCode(s.Communities.Subscribe(storetest.Ctx, ben, "nowhere", true)))
	})

	for name, c := range map[string]communities.Create{
		"short": {Name: "ab"}, "long": {Name: "abcdefghijklmnopqrstuv"}, "spaced": {Name: "a b c"}, "foreign": {Name: "größe"}, "empty": {},
	} {
		t.Run("refuses a name that is "+name, func(t *testing.T) {
			_, err := s.Communities.Create(storetest.Ctx, ann, c)
			require.Equal(t, data.Invalid, data.ErrorCode(err))
		})
	}
}

func TestUser(t *testing.T) {
	s := storetest.Open(t)
	_, err := s.Users.CreateUser(storetest.Ctx, people.CreateUser{Username: "Ann", Email: "Ann@Example.org", Password: "correct horse"})
	require.NoError(t, err)

	for _, login := range []string{"ann", "ANN", "ann@example.org", " Ann "} {
		t.Run("logs in as "+login, func(t *testing.T) {
			a, err := s.Users.LogIn(storetest.Ctx, people.LogIn{Login: login, Password: "correct horse"})
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
			_, err := s.Users.LogIn(storetest.Ctx, people.LogIn{Login: test.login, Password: test.password})
			require.Equal(t, test.code, data.ErrorCode(err))
		})
	}
	for name, test := range map[string]struct {
		user  people.CreateUser
		field string
	}{
		"a taken name":     {people.CreateUser{Username: "aNN", Password: "correct horse"}, "username"},
		"a reserved name":  {people.CreateUser{Username: "Admin", Password: "correct horse"}, "username"},
		"a short password": {people.CreateUser{Username: "bob", Password: "short"}, "password"},
		"no address":       {people.CreateUser{Username: "bob", Email: "not an address", Password: "correct horse"}, "email"},
		"an odd name":      {people.CreateUser{Username: "b b", Password: "correct horse"}, "username"},
	} {
		t.Run("does not sign up with "+name, func(t *testing.T) {
			_, err := s.Users.CreateUser(storetest.Ctx, test.user)
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
