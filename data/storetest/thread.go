package storetest

import (
	"fmt"
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/threads"
	"plaza/samplethread"
)

// thread makes a thread of n comments in a community.
func (s *Stores) Thread(community string, n int, seed uint64) *samplethread.Thread {
	s.Helper()
	t := samplethread.Make(samplethread.Options{
		Comments: n, Seed: seed, Community: data.ID(s.CommunityID(community)), Name: community, Authors: authors(50),
		Slug: fmt.Sprintf("thread-%d-%d", n, seed), Title: "A thread", Now: *s.Clock,
		Text: func(rng *rand.Rand, _ bool) (string, string) {
			text := fmt.Sprintf("%0*d", 1+rng.IntN(200), 0)
			return text, "<p>" + text + "</p>"
		},
	})
	require.NoError(s, t.Write(Ctx, s.SQL, func(int) {}))
	return t
}

// authors are people who wrote something, once.
func authors(n int) (list []samplethread.Author) {
	for i := range n {
		list = append(list, samplethread.Author{ID: data.ID(1000 + i), Name: fmt.Sprintf("author%d", i)})
	}
	return list
}

// page reads a page of a thread.
func (s *Stores) Page(q threads.ThreadQuery) *threads.Thread {
	s.Helper()
	r := s.DB.Read()
	t := s.Comments.FindThread(r, s.SQL, q)
	require.NoError(s, r.Run(Ctx))
	return t
}
