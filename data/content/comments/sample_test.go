package comments_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"plaza/cmd/plaza/samplethread"
	"plaza/data"
	"plaza/data/content/comments"
	"plaza/test/storetest"
)

// sample makes a thread of n comments in a community.
func sample(s *storetest.Stores, community string, n int) *samplethread.Thread {
	s.Helper()
	t := samplethread.Make(samplethread.Options{
		Comments: n, Seed: 1, Community: data.ID(s.CommunityID(community)), Name: community, Authors: authors(50),
		Slug: fmt.Sprintf("thread-%d", n), Title: "A thread", Now: *s.Clock,
		Text: func(rng *rand.Rand, _ bool) (string, string) {
			text := fmt.Sprintf("%0*d", 1+rng.IntN(200), 0)
			return text, "<p>" + text + "</p>"
		},
	})
	require.NoError(s, t.Write(storetest.Ctx, s.Home(community), func(int) error { return nil }))
	return t
}

// authors are people who wrote something, once.
func authors(n int) (list []samplethread.Author) {
	for i := range n {
		list = append(list, samplethread.Author{ID: data.ID(1000 + i), Name: fmt.Sprintf("author%d", i)})
	}
	return list
}

// pageOf reads a page of a thread.
func pageOf(s *storetest.Stores, q comments.Query) *comments.Page {
	s.Helper()
	r := s.DB.Read()
	p := s.Comments.FindPage(r, q)
	require.NoError(s, r.Run(storetest.Ctx))
	return p
}
