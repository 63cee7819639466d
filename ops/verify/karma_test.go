package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/ops/verify"
	"plaza/test/sitetest"
)

// TestKarmaInGroups: of authors in one group, each who has wrong karma is found, also where their differences add up to 0.
func TestKarmaInGroups(t *testing.T) {
	s := sitetest.OpenFilled(t, 1)
	for _, groups := range []int64{1, 3, 200_003} {
		back := verify.SetKarmaGroups(groups)
		defer back()
		require.Empty(t, find(t, s))
		_, err := s.Directory.Exec(`UPDATE author_karma SET posts = posts + iif(author_id = (SELECT min(author_id) FROM author_karma), 7, -7)
  WHERE author_id IN (SELECT min(author_id) FROM author_karma UNION SELECT max(author_id) FROM author_karma)`)
		require.NoError(t, err)
		for _, d := range repair(t, s) {
			require.Contains(t, []string{"author_karma", "users"}, d.Table)
			require.True(t, d.Repaired, d)
		}
		require.Empty(t, find(t, s))
	}
}
