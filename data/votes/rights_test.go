package votes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/storetest"
	"plaza/stack/stacktest"
)

func TestVotersAreToldWhatTheyModerate(t *testing.T) {
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
