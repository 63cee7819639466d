package workertest

import (
	"fmt"
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"plaza/cmd/plaza/samplethread"
	"plaza/data"
)

// Thread makes a thread of n comments in a community of its own.
func (s *Site) Thread(n int, seed uint64) *samplethread.Thread {
	s.Helper()
	return s.ThreadSaying(n, seed, func(*rand.Rand, bool) (string, string) { return "x", "<p>x</p>" })
}

// ThreadSaying is Thread with comments of any length.
func (s *Site) ThreadSaying(n int, seed uint64, text func(*rand.Rand, bool) (string, string)) *samplethread.Thread {
	s.Helper()
	var authors []samplethread.Author
	for i := range 50 {
		authors = append(authors, samplethread.Author{ID: data.ID(1000 + i), Name: fmt.Sprintf("author%d", i)})
	}
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	t := samplethread.Make(samplethread.Options{
		Comments: n, Seed: seed, Community: data.ID(s.One("SELECT id FROM communities").(int64)), Name: "gophers", Authors: authors,
		Slug: "a-thread", Title: "A thread", Now: s.Now,
		Text: text,
	})
	require.NoError(s, t.Write(s.Context(), s.Sql.Home("gophers"), func(int) error { return nil }))
	return t
}
