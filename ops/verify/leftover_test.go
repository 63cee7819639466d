package verify_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/ops/verify"
	"plaza/test/sitetest"
)

// TestLeftovers has a deleted account with two stored forms.
func TestLeftovers(t *testing.T) {
	s := sitetest.OpenFilled(t, 1)
	for _, sql := range []string{
		`INSERT INTO users (id, username, username_key, password_hash, status, created_at) VALUES (77, '', '~77', '', 'suspended', 1)`,
		`INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) SELECT 77, 'comment y', '', min(id), 5 FROM comments`,
		`INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) VALUES (0, 'signup z', '', 77, 5)`,
		`INSERT INTO account_deletions (user_id, username, name_key, content, asked_at, begin_at, left_at, due_at)
  VALUES (77, 'x', 'x', 'keep', 1, 1, 1, 1)`,
	} {
		_, err := s.Shards[0].Exec(sql)
		require.NoError(t, err)
	}
	of := func() (keys []string) {
		for _, d := range find(t, s) {
			if d.Table == "idempotency_keys" {
				keys = append(keys, d.Key)
			}
		}
		return keys
	}
	require.Empty(t, of(), "the deletion is under way")
	_, err := s.Shards[0].Exec(`UPDATE account_deletions SET due_at = NULL`)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"77, comment y", "0, signup z"}, of())
	repair(t, s)
	require.Empty(t, of())
}

// TestForgetting has a deleted post whose crossposts on other shards are not updated yet. Until then, it keeps the key that finds them.
func TestForgetting(t *testing.T) {
	s := sitetest.OpenFilled(t, 3)
	var id int64
	require.NoError(t, s.Shards[1].QueryRow(`SELECT max(id) FROM posts WHERE status = 'published' AND author_id IS NOT NULL`).Scan(&id))
	_, err := s.Posts.Delete(ctx, s.AuthorOf(data.ID(id)), data.ID(id))
	require.NoError(t, err)
	of := func(found []verify.Difference) (columns []string) {
		for _, d := range found {
			if d.Key == fmt.Sprint(id) {
				columns = append(columns, d.Table+"."+d.Column)
			}
		}
		return columns
	}
	require.NotContains(t, of(find(t, s)), "posts.link_key", "its crossposts were told at once")
	_, err = s.Shards[1].Exec(`UPDATE posts SET link_key = 'post:' || id WHERE id = ?1`, id) // as if a shard had been unavailable
	require.NoError(t, err)
	require.NotContains(t, of(find(t, s)), "posts.link_key", "the work is left")
	_, err = s.Shards[1].Exec(`DELETE FROM outbox WHERE subject_id = ?1`, id)
	require.NoError(t, err)
	require.Contains(t, of(find(t, s)), "posts.link_key")
	require.Contains(t, of(repair(t, s)), "posts.link_key")
	require.NotContains(t, of(find(t, s)), "posts.link_key")
}
