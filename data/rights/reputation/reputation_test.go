package reputation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/rights/reputation"
	"plaza/test/storetest"
)

func TestLevel(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		reputation.Reputation
		want reputation.Level
	}{
		"of nobody":                        {reputation.Reputation{Age: 999 * day}, reputation.New},
		"of a young account":               {reputation.Reputation{Age: 6 * day, Posts: 90}, reputation.New},
		"with too little":                  {reputation.Reputation{Age: 90 * day, Posts: 2, Comments: 2}, reputation.New},
		"with enough":                      {reputation.Reputation{Age: 7 * day, Posts: 2, Comments: 3}, reputation.Known},
		"with too much that was removed":   {reputation.Reputation{Age: 90 * day, Posts: 5, Removals: 2}, reputation.New},
		"who was banned":                   {reputation.Reputation{Age: 90 * day, Posts: 500, Bans: 1}, reputation.Known},
		"after two months":                 {reputation.Reputation{Age: 60 * day, Posts: 10, Comments: 40}, reputation.Trusted},
		"with a removal in twenty":         {reputation.Reputation{Age: 60 * day, Comments: 57, Removals: 3}, reputation.Trusted},
		"with more than one in twenty":     {reputation.Reputation{Age: 60 * day, Comments: 56, Removals: 3}, reputation.Known},
		"with little, but for a long time": {reputation.Reputation{Age: 600 * day, Comments: 49}, reputation.Known},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.Level()) })
	}
}

// TestFind follows a member's reputation in a community through all changes of posts and comments.
func TestFind(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gophers")
	s.Community(ben, "Gardens")
	store := &moderation.Store{Base: s.Posts.Base}
	knows := func(posts, comments, removals int64) {
		t.Helper()
		s.ApplyAll()
		r := s.DB.Read()
		found := reputation.Find(r, s.Posts.Source, "gophers", ben.UserID)
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, []int64{posts, comments, removals}, []int64{found.Posts, found.Comments, found.Removals})
		require.GreaterOrEqual(t, found.Age, time.Duration(0))
	}
	decide := func(action modlog.Action, target data.ID) {
		t.Helper()
		d := moderation.Decision{Community: "gophers", Act: modlog.Act{Action: action}}
		if action == modlog.Remove {
			d.Rule = "Spam"
		}
		_, err := store.Decide(storetest.Ctx, ann, d, target)
		require.NoError(t, err)
	}
	knows(0, 0, 0)
	post := s.Post(ben, "gophers", "A post")
	first, second := s.Comment(ben, post.ID, 0, "one").ID, s.Comment(ben, post.ID, 0, "two").ID
	s.Post(ben, "gardens", "Elsewhere")
	s.Comment(ann, post.ID, 0, "somebody else's")
	knows(1, 2, 0)
	knows(1, 2, 0)
	decide(modlog.Remove, first)
	decide(modlog.Remove, post.ID)
	knows(0, 1, 2)
	decide(modlog.Approve, first)
	decide(modlog.Approve, post.ID)
	knows(1, 2, 0)
	_, err := s.Comments.Delete(storetest.Ctx, ben, second)
	require.NoError(t, err)
	knows(1, 1, 0)
	decide(modlog.Remove, first)
	_, err = s.Comments.Delete(storetest.Ctx, ben, first)
	require.NoError(t, err)
	knows(1, 0, 1) // a deletion does not make the removal undone
	third := s.Comment(ben, post.ID, 0, "removed before it is applied").ID
	decide(modlog.Remove, third)
	knows(1, 0, 2)

	t.Run("what is held counts when it is shown", func(t *testing.T) {
		held := s.Comment(ben, post.ID, 0, "held").ID
		s.ApplyAll()
		s.ExecAt(post.ID, "UPDATE comments SET status = 'removed', held = 1 WHERE id = ?1", int64(held))
		knows(1, 0, 2)
	})
	*s.Clock = s.Clock.Add(reputation.Memory + time.Hour)
	knows(1, 0, 0)
}
