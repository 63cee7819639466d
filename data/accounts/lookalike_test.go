package accounts_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"plaza/data"
	"plaza/data/accounts/signup"
	"plaza/data/names"
	"plaza/test/storetest"
)

// TestLookInSQL: the index has the same values as Go.
func TestLookInSQL(t *testing.T) {
	s := storetest.Open(t)
	s.Member("ann")
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-zA-Z0-9_rnvw-]{1,20}`).Draw(t, "name")
		s.Exec("UPDATE users SET username_key = lower(?1)", name)
		require.Equal(t, names.SkeletonOf(name), s.One("SELECT "+names.SkeletonOfUser+" FROM users u"))
	})
}

func TestNamesThatLookLikeThoseOfTheTrusted(t *testing.T) {
	s := storetest.Open(t)
	mira, ann := s.Member("mira"), s.Member("ann")
	s.Community(mira, "gophers")
	signUp := func(name string) error {
		_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Password: "correct horse"})
		return err
	}
	alike := []string{"m1ra", "rnira", "mi_ra", "m--ira", "M_I_R_A", "mlra", "MlRA", "m1r4", "r-nira"}
	refused := func(t *testing.T) {
		t.Helper()
		for _, name := range alike {
			for about, err := range map[string]error{"sign-up": signUp(name), "asked before": s.Signup.CheckName(storetest.Ctx, name, ""),
				"rename": s.Accounts.Rename(storetest.Ctx, ann, name)} {
				require.Equal(t, data.Conflict, data.ErrorCode(err), "%s: %s: %v", about, name, err)
				require.ErrorContains(t, err, "looks too much like", "%s: %s", about, name)
			}
		}
		require.NoError(t, s.Signup.CheckName(storetest.Ctx, "miro", ""))
	}
	require.NoError(t, s.Signup.CheckName(storetest.Ctx, "m1ra", ""), "mira is nobody special")

	t.Run("an administrator, from the moment on when they are one", func(t *testing.T) {
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'mira'")
		refused(t)
		s.Exec("UPDATE users SET admin = 0")
		require.NoError(t, s.Signup.CheckName(storetest.Ctx, "m1ra", ""))
	})
	t.Run("who had such a name before may change the case of its letters", func(t *testing.T) {
		older := s.Member("mir_a")
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'mira'")
		require.NoError(t, s.Accounts.Rename(storetest.Ctx, older, "mir_a"), "the name that they have")
		require.NoError(t, s.Accounts.Rename(storetest.Ctx, older, "Mir_A"))
		s.Exec("UPDATE users SET admin = 0")
	})
	t.Run("a moderator, from the moment on when the community is large", func(t *testing.T) {
		s.Exec("UPDATE communities SET members = 99 WHERE id = ?1", s.CommunityID("gophers"))
		require.NoError(t, s.Signup.CheckName(storetest.Ctx, "m1ra", ""))
		s.Exec("UPDATE communities SET members = 100 WHERE id = ?1", s.CommunityID("gophers"))
		refused(t)
		s.Exec("DELETE FROM moderators")
		require.NoError(t, s.Signup.CheckName(storetest.Ctx, "m1ra", ""))
	})
	t.Run("they may write their own name otherwise", func(t *testing.T) {
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'mira'")
		require.NoError(t, s.Accounts.Rename(storetest.Ctx, mira, "M1ra"))
		s.Exec("UPDATE users SET admin = 0")
	})
	t.Run("nobody, when there are too many alike to look through", func(t *testing.T) {
		s.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
INSERT INTO users (id, username, username_key, password_hash, created_at)
  SELECT 1000000 + 2 * i, 'crowd' || i, 'crowd' || replace(hex(zeroblob(i)), '0', '_'), '', 1 FROM n`)
		require.ErrorContains(t, s.Signup.CheckName(storetest.Ctx, "cr0wd", ""), "looks too much like")
		s.Exec("DELETE FROM users WHERE id = 1000002")
		require.NoError(t, s.Signup.CheckName(storetest.Ctx, "cr0wd", ""))
	})
}

// TestWhatASignUpReads: however many names look alike, a look-up reads a few rows.
func TestWhatASignUpReads(t *testing.T) {
	s := storetest.Open(t)
	read := func(others int) int64 {
		s.Exec(fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
INSERT INTO users (id, username, username_key, password_hash, created_at) SELECT 1000000 + 2 * i, 'u' || i, 'u' || replace(hex(zeroblob(i)),
  '0', '_') || 'u', '', 1 FROM n`, others))
		ctx, meter := s.Metered()
		require.ErrorContains(t, s.Signup.CheckName(ctx, "u-u", ""), "looks too much like")
		return meter.RowsRead()
	}
	require.LessOrEqual(t, read(4000), int64(130))
}
