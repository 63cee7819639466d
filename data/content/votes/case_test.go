package votes_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestOpenCases reads the cases of all communities, on two shards.
func TestOpenCases(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := storetest.New(t, data.NewDB(directory, directory, shard), directory, stacktest.OpenRedis(t))
	s.Votes.Limits = ranking.DefaultThresholds()
	s.Votes.Limits.MinVotes = 4
	ann := s.Member("ann")
	var want []data.ID
	cases, shards := map[string]int64{}, map[int]bool{}
	for i := range 6 {
		name := fmt.Sprintf("club%d", i)
		s.Community(ann, name)
		for range i {
			p := s.Post(ann, name, "brigaded")
			voteAll(s, s.Actors(5, storetest.Old, storetest.OneNetwork), p.ID, -1)
			s.ApplyDeltas(p.ID)
			want = append(want, p.ID)
			cases[name]++
			shards[s.DB.ShardOf(p.ID).Shard()] = true
		}
	}
	require.Len(t, shards, 2)
	find := func(before data.ID, limit int) *votes.OpenCases {
		r := s.DB.Read()
		open := s.Votes.FindOpenCases(r, before, limit, limit)
		require.NoError(t, r.Run(storetest.Ctx))
		return open
	}

	t.Run("newest first, page by page, each once", func(t *testing.T) {
		var got []data.ID
		before := data.ID(0)
		for {
			page := find(before, 4).Items()
			if len(page) == 0 {
				break
			}
			for _, q := range page {
				require.Equal(t, int64(5), q.Votes)
				got = append([]data.ID{q.Target}, got...)
			}
			before = page[len(page)-1].ID
		}
		require.Equal(t, want, got)
	})

	t.Run("with how many each community has, most first", func(t *testing.T) {
		counts := map[string]int64{}
		last := int64(100)
		for _, c := range find(0, 50).Communities {
			counts[c.Name] = c.Cases
			require.LessOrEqual(t, c.Cases, last)
			last = c.Cases
		}
		require.Equal(t, cases, counts)
	})

	t.Run("a decision takes one out, its undoing puts it back", func(t *testing.T) {
		q := find(0, 1).Items()[0]
		for _, step := range []struct {
			decision votes.Decision
			less     int64
		}{{votes.Drop, 1}, {votes.Drop, 1}, {votes.Undo, 0}, {votes.Undo, 0}, {votes.Release, 1}} {
			_, err := s.Votes.Decide(storetest.Ctx, ann, q.Post.Community, q.ID, step.decision)
			require.NoError(t, err)
			open := find(0, 50)
			require.Len(t, open.Items(), len(want)-int(step.less))
			require.Contains(t, open.Communities, votes.CommunityCases{Name: "club5", Cases: 5 - step.less})
		}
	})

	t.Run("what is read does not grow with what was decided", func(t *testing.T) {
		read := func() int64 {
			counted, meter := s.Metered()
			r := s.DB.Read()
			s.Votes.FindOpenCases(r, 0, 50, 50)
			require.NoError(t, r.Run(counted))
			require.Equal(t, int64(2), meter.Requests())
			return meter.RowsRead()
		}
		before := read()
		for range 400 {
			*s.Clock = s.Clock.Add(time.Minute)
			id := data.NewID(*s.Clock, 0, data.KindOther, 0)
			s.Exec(`INSERT INTO quarantines (id, target_id, community_id, direction, evidence, status, created_at)
  VALUES (?1, 2, 2, 1, '{}', 'dropped', 0)`, int64(id))
		}
		require.Equal(t, before, read())
	})
}

// TestExactScoreOfCase shows moderators the exact points of a post, not the score that listings sort by.
func TestExactScoreOfCase(t *testing.T) {
	s := storetest.Open(t)
	s.Votes.Limits = ranking.DefaultThresholds()
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	giveHistory(s, ann, "gophers")
	p := s.Post(ann, "gophers", "Popular")
	voteAll(s, s.Actors(40, storetest.Old, storetest.Anywhere), p.ID, 1)
	s.ApplyDeltas(p.ID)
	voteAll(s, s.Actors(25, time.Hour, storetest.OneNetwork), p.ID, -1)
	s.ApplyDeltas(p.ID)
	s.Vote(s.Member("ben"), p.ID, 1)
	s.ApplyDeltas(p.ID)
	require.Equal(t, []any{int64(42), int64(41)}, s.Rows("SELECT ups - downs, score FROM posts WHERE id = ?1", int64(p.ID))[0])
	require.Equal(t, int64(42), s.Cases("gophers", true)[0].Score)
	counted(s)
}
