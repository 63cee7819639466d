package pictures_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data/content/pictures"
	"plaza/test/storetest"
)

// TestUsesOfManyPictures: however many posts show one picture of a list, the uses of the others are in the list, too.
func TestUsesOfManyPictures(t *testing.T) {
	s := storetest.Open(t)
	list := []*pictures.Listed{}
	for i, uses := range []int{600, 0, 3, 1} {
		l := &pictures.Listed{Sum: sumOf(int64(i))}
		list = append(list, l)
		for n := range uses {
			s.Exec("INSERT INTO picture_uses (sum, kind, subject_id, position) VALUES (?1, 'avatar', ?2, 0)", l.Sum, int64(n+1))
		}
	}
	r := s.DB.Read()
	(&pictures.Store{Base: s.Posts.Base}).FindUses(r, list)
	require.NoError(t, r.Run(storetest.Ctx))
	var shown []string
	for _, l := range list {
		shown = append(shown, fmt.Sprint(len(l.Uses)))
	}
	require.Equal(t, []string{"5", "0", "3", "1"}, shown)
}
