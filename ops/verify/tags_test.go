package verify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/sitetest"
)

func TestTagsInTwoForms(t *testing.T) {
	s := sitetest.OpenFilled(t, 1)
	const apart, composed = "'e' || char(769)", "\u00e9"
	_, err := s.Shards[0].Exec(`UPDATE posts SET tags = ` + apart + ` || ' ' || char(233) WHERE id = (SELECT max(id) FROM posts
  WHERE status = 'published')`)
	require.NoError(t, err)
	_, err = s.Shards[0].Exec(`INSERT INTO tag_follows (user_id, name, created_at) SELECT min(id), ` + apart + `, 0 FROM users`)
	require.NoError(t, err)
	_, err = s.Shards[0].Exec(`INSERT INTO tag_follows (user_id, name, created_at) SELECT id, x.name, 0 FROM users, (SELECT char(233) AS name
  UNION SELECT ` + apart + `) x WHERE id = (SELECT max(id) FROM users)`)
	require.NoError(t, err)
	require.Len(t, find(t, s), 3)
	for _, d := range repair(t, s) {
		require.True(t, d.Repaired, d)
		require.Contains(t, []string{"posts", "tag_follows"}, d.Table)
	}
	require.Empty(t, find(t, s))
	for _, sql := range []string{`SELECT group_concat(DISTINCT name) || count(*) || count(DISTINCT user_id) FROM tag_follows
  WHERE name LIKE 'e%' OR name = char(233)`,
		`SELECT group_concat(k.name) || '22' FROM tag_keys k WHERE k.posts > 0 AND (k.name LIKE 'e' || char(769) OR k.name = char(233))`} {
		var got string
		require.NoError(t, s.Shards[0].QueryRow(sql).Scan(&got))
		require.Equal(t, composed+"22", got)
	}
}

// TestTheStepOfATagFits: a heat that is near enough is not written again, also if another number of the tag is.
func TestTheStepOfATagFits(t *testing.T) {
	s := sitetest.OpenFilled(t, 1)
	_, err := s.Shards[0].Exec(`UPDATE tag_keys SET posts = posts + 1, heat = heat + 2.5, heat_step = floor(heat + 2.5)
  WHERE id = (SELECT max(id) FROM tag_keys WHERE posts > 0)`)
	require.NoError(t, err)
	for _, d := range repair(t, s) {
		require.Equal(t, [2]string{"tag_keys", "posts"}, [2]string{d.Table, d.Column})
	}
	var apart int
	require.NoError(t, s.Shards[0].QueryRow(`SELECT count(*) FROM tag_keys WHERE posts > 0 AND heat_step <> floor(heat)`).Scan(&apart))
	require.Zero(t, apart)
	require.Empty(t, find(t, s))
}
