package worker_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/samplethread"
)

// thread makes a thread of n comments in a community of its own.
func (s *site) thread(n int, seed uint64) *samplethread.Thread {
	s.Helper()
	return s.threadSaying(n, seed, func(*rand.Rand, bool) (string, string) { return "x", "<p>x</p>" })
}

// threadSaying is thread with comments of any length.
func (s *site) threadSaying(n int, seed uint64, text func(*rand.Rand, bool) (string, string)) *samplethread.Thread {
	s.Helper()
	var authors []samplethread.Author
	for i := range 50 {
		authors = append(authors, samplethread.Author{ID: data.ID(1000 + i), Name: fmt.Sprintf("author%d", i)})
	}
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	t := samplethread.Make(samplethread.Options{
		Comments: n, Seed: seed, Community: data.ID(s.one("SELECT id FROM communities").(int64)), Name: "gophers", Authors: authors,
		Slug: "a-thread", Title: "A thread", Now: s.now,
		Text: text,
	})
	require.NoError(s, t.Write(s.Context(), s.sql.Home("gophers"), func(int) {}))
	return t
}
