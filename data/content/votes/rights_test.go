package votes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/votes"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func TestVotersLearnWhatTheyModerate(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	for name, db := range map[string]*data.DB{
		"one database":            data.NewDB(stacktest.OpenSchema(t)),
		"directory and shard":     data.NewDB(directory, shard),
		"shards beside directory": data.NewDB(stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t)),
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.New(t, db, nil, stacktest.OpenRedis(t))
			ann, ben := s.Member("ann"), s.Member("ben")
			s.Community(ann, "gophers")
			s.Community(ben, "cooks")
			for _, c := range []struct {
				community string
				by        data.Actor
				moderates bool
			}{{"gophers", ann, true}, {"gophers", ben, false}, {"cooks", ann, false}, {"cooks", ben, true}} {
				p := s.Post(ann, c.community, "By "+c.by.Name)
				m := s.Comment(ben, p.ID, 0, "And below")
				require.Equal(t, c.moderates, s.Vote(c.by, p.ID, -1).Moderated, "%s in %s", c.by.Name, c.community)
				require.Equal(t, c.moderates, s.Vote(c.by, m.ID, -1).Moderated, "%s in %s", c.by.Name, c.community)
			}
		})
	}
}

// Without the right, a member gets the same error whether or not the community exists, with any number of databases.
func TestRightsAreAskedBeforeWhetherACommunityExists(t *testing.T) {
	for name, d := range map[string]*storetest.Databases{
		"one database":            storetest.DatabasesOf(t, stacktest.OpenSchema(t)),
		"shards beside directory": storetest.DatabasesOf(t, stacktest.OpenSchema(t), stacktest.OpenSchema(t), stacktest.OpenSchema(t)),
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.On(t, d.Open(), d, stacktest.OpenRedis(t))
			eve, root := s.Member("eve"), s.Member("rita")
			s.Exec("UPDATE users SET admin = 1 WHERE id = ?1", int64(root.UserID))
			s.Community(root, "gophers")
			for _, community := range []string{"gophers", "nowhere", ""} {
				decide := func(a data.Actor) data.Code {
					_, err := s.Votes.Decide(storetest.Ctx, a, community, data.ID(1)<<22, votes.Drop)
					return data.ErrorCode(err)
				}
				require.Equal(t, data.Forbidden, decide(eve), community)
				require.Equal(t, data.NotFound, decide(root), community)
			}
			require.NoError(t, s.Sessions.End(storetest.Ctx, root))
			_, err := s.Votes.Decide(storetest.Ctx, root, "nowhere", data.ID(1)<<22, votes.Drop)
			require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		})
	}
}
