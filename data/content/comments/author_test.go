package comments_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/storetest"
)

// TestTopOfAuthor reads all pages of an author's comments, the highest score first. Most have one point.
func TestTopOfAuthor(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	p := s.Post(ann, "gophers", "A post")
	for i := range 60 {
		c := s.Comment(ben, p.ID, 0, fmt.Sprint("comment ", i))
		s.Exec("UPDATE comments SET score = ?1 WHERE id = ?2", []int64{1, 1, 1, 1, 7, -2, 0, 2}[i*i%8], int64(c.ID))
	}
	for _, limit := range []int{1, 7, 60, 100} {
		var found []any
		for after := (data.Cursor{}); ; {
			ctx, meter := s.Metered()
			r := s.DB.Read()
			page := s.Comments.FindByAuthor(r, "ben", "", data.OrderTop, after, limit, ann.UserID)
			require.NoError(t, r.Run(ctx))
			require.LessOrEqual(t, meter.RowsRead(), int64(6*limit+30))
			for _, c := range page.Items() {
				found = append(found, int64(c.ID))
			}
			if after = page.Next(); after.IsZero() {
				break
			}
		}
		var want []any
		for _, row := range s.Rows("SELECT id FROM comments ORDER BY score DESC, id DESC") {
			want = append(want, row[0])
		}
		require.Equal(t, want, found, "pages of %d", limit)
	}
}
