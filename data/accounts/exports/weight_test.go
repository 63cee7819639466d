package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/accounts/exports"
	"plaza/data/content/pictures"
	"plaza/test/storetest"
)

// TestAFileIsBoundedWithPictures reads posts, drafts and comments with little text and the maximum of pictures.
func TestAFileIsBoundedWithPictures(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.CommunityOn(0, ann, "gophers")
	p := s.Post(ann, "gophers", "Pictures")
	shown := func(n int) string {
		var list []pictures.Picture
		for i := range n {
			list = append(list, pictures.Picture{Sum: fmt.Sprintf("%064d", i), Width: 9, Height: 9, Alt: strings.Repeat("😀", pictures.AltMax)})
		}
		return pictures.Encode(list)
	}
	const many = `WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 600) `
	for i, status := range []string{"published", "removed"} {
		s.ExecAt(p.ID, many+`INSERT INTO comments (id, post_id, path, depth, author_id, author_name, body, body_html, created_at, status, pictures)
SELECT 2 * (v + 1000 * ?5) + 1, ?1, printf('%013d', v + 1000 * ?5), 0, ?2, 'ann', 'x', '', 1, ?3, ?4 FROM n`,
			int64(p.ID), int64(ann.UserID), status, shown(pictures.MaxOfComment), int64(i))
	}
	for i, status := range []string{"published", "draft"} {
		s.ExecAt(p.ID, many+`INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, hot, created_at,
  status, pictures)
SELECT 2 * (v + 1000 * ?4), 1, 'gophers', ?1, 'ann', ?2 || v, 'image', 'T', 0, v, ?2, ?3 FROM n WHERE v <= 200`,
			int64(ann.UserID), status, shown(pictures.MaxOfPost), int64(i+5))
	}
	store := &exports.Store{DB: s.DB}
	for _, name := range []string{"posts", "drafts", "comments", "removed-comments"} {
		kind, is := exports.Named(name)
		require.True(t, is, name)
		r := s.DB.Read()
		f := store.FindFile(r, ann, kind, exports.Cursor{}, exports.Cursor{}.End())
		require.NoError(t, r.Run(storetest.Ctx))
		require.True(t, f.More, name)
		require.Greater(t, len(f.Lines), 500_000, name)
		require.Less(t, len(f.Lines), 1_300_000, name)
		require.NotZero(t, f.Next, name)
	}
}
