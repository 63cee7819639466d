package shards_test

import (
	"bytes"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/ops/shards"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// nobody is a client whose calls all fail.
type nobody struct{}

func (nobody) Do(*http.Request) (*http.Response, error) { return nil, errors.New("it is unavailable") }

// TestLook compares its result with the rows of a site's databases.
func TestLook(t *testing.T) {
	s := sitetest.OpenFilled(t, 2)
	s.ApplyDeltas()
	first := hrana.New(hrana.Options{URL: s.URLs[0]})
	second := hrana.New(hrana.Options{URL: s.URLs[1]})
	list, err := shards.Read(t.Context(), data.NewDB(first, first, second), data.SystemSource(), true)
	require.NoError(t, err)
	require.Len(t, list, 2)
	for i, shard := range list {
		of := func(sql string) (n int64) {
			require.NoError(t, s.Shards[i].QueryRow(sql).Scan(&n))
			return n
		}
		require.Equal(t, i, shard.Number)
		require.True(t, shard.Available)
		require.Positive(t, shard.CommentsPerHour)
		require.Greater(t, shard.Bytes, int64(100_000))
		require.Equal(t, of("SELECT count(DISTINCT community_id) FROM posts p JOIN communities c ON c.id = p.community_id WHERE c.kind = 'community'"),
			shard.Communities)
		require.Equal(t, of("SELECT count(*) FROM posts WHERE status = 'published'"), shard.Posts)
		require.Equal(t, of("SELECT count(*) FROM comments"), shard.Comments)
		require.Equal(t, of("SELECT count(*) FROM votes"), shard.Votes)
		require.Positive(t, shard.Posts*shard.Comments*shard.Votes*shard.Communities)
	}
	require.True(t, list[0].Next || list[1].Next)

	unavailable := hrana.New(hrana.Options{URL: s.URLs[1], HTTP: nobody{}, Attempts: 1})
	list, err = shards.Read(t.Context(), data.NewDB(first, first, unavailable), data.SystemSource(), false)
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{list[0].Available, list[1].Available})
	var out bytes.Buffer
	require.NoError(t, shards.Write(&out, list))
	require.Contains(t, out.String(), "does not answer")
	require.Contains(t, out.String(), "The next community goes to shard 0.\n")
}

// firstOnly is a client whose calls fail after the first.
type firstOnly struct{ calls atomic.Int32 }

func (f *firstOnly) Do(r *http.Request) (*http.Response, error) {
	if f.calls.Add(1) > 1 {
		return nil, errors.New("it is unavailable")
	}
	return http.DefaultClient.Do(r)
}

func TestAShardThatFailsBetweenTheReadsGetsNoCommunity(t *testing.T) {
	s := sitetest.OpenFilled(t, 2)
	first := hrana.New(hrana.Options{URL: s.URLs[0]})
	for n := range 2 {
		clients := []*hrana.Client{first, hrana.New(hrana.Options{URL: s.URLs[1]})}
		clients[n] = hrana.New(hrana.Options{URL: s.URLs[n], HTTP: &firstOnly{}, Attempts: 1})
		list, err := shards.Read(t.Context(), data.NewDB(hrana.New(hrana.Options{URL: s.URLs[0]}), clients...), data.SystemSource(), false)
		require.NoError(t, err)
		require.False(t, list[n].Available)
		require.False(t, list[n].Next)
		require.True(t, list[1-n].Next, "the next community goes to the other")
	}
}
