package data_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/threads"
)

// thread makes a thread of n comments in a community.
func (s *stores) thread(community string, n int, seed uint64) *threads.Thread {
	s.Helper()
	t := threads.Make(threads.Options{
		Comments: n, Seed: seed, Community: data.ID(s.communityID(community)), Name: community, Authors: authors(50),
		Slug: fmt.Sprintf("thread-%d-%d", n, seed), Title: "A thread", Now: *s.clock,
		Text: func(rng *rand.Rand, _ bool) (string, string) {
			text := fmt.Sprintf("%0*d", 1+rng.IntN(200), 0)
			return text, "<p>" + text + "</p>"
		},
	})
	require.NoError(s, t.Write(ctx, s.sql, func(int) {}))
	return t
}

// authors are people who wrote something, once.
func authors(n int) (list []threads.Author) {
	for i := range n {
		list = append(list, threads.Author{ID: data.ID(1000 + i), Name: fmt.Sprintf("author%d", i)})
	}
	return list
}

// page reads a page of a thread.
func (s *stores) page(q data.ThreadQuery) *data.Thread {
	s.Helper()
	r := s.db.Read()
	t := s.comments.FindThread(r, s.sql, q)
	require.NoError(s, r.Run(ctx))
	return t
}
