package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/verify/sitetest"
)

// TestLeftovers has an account that was deleted, and of which two forms are remembered.
func TestLeftovers(t *testing.T) {
	s := sitetest.Open(t, 1)
	s.Fill()
	for _, sql := range []string{
		`INSERT INTO users (id, username, username_key, password_hash, status, created_at) VALUES (77, '', '~77', '', 'suspended', 1)`,
		`INSERT INTO made (author_id, key, digest, made_id, created_at) SELECT 77, 'comment y', '', min(id), 5 FROM comments`,
		`INSERT INTO made (author_id, key, digest, made_id, created_at) VALUES (0, 'signup z', '', 77, 5)`,
		`INSERT INTO departures (user_id, username, name_key, content, asked_at, begin_at, left_at, due_at) VALUES (77, 'x', 'x', 'keep', 1, 1, 1, 1)`,
	} {
		_, err := s.Shards[0].Exec(sql)
		require.NoError(t, err)
	}
	of := func() (keys []string) {
		for _, d := range find(t, s) {
			if d.Table == "made" {
				keys = append(keys, d.Key)
			}
		}
		return keys
	}
	require.Empty(t, of(), "the deletion is under way")
	_, err := s.Shards[0].Exec(`UPDATE departures SET due_at = NULL`)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"77, comment y", "0, signup z"}, of())
	repair(t, s)
	require.Empty(t, of())
}
