package reputation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/rights/reputation"
	"plaza/test/storetest"
)

// TestCard covers what a member's card shows besides the reputation: notes, strikes, and recent posts and comments.
func TestCard(t *testing.T) {
	s := storetest.Open(t)
	ann, ben, cat, eve := s.Member("ann"), s.Member("ben"), s.Member("cat"), s.Member("eve")
	s.Community(ann, "Gophers")
	s.Community(eve, "Gardens")
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT id, ?1, 'cat', 0, 'approver' FROM communities "+
		"WHERE name_key = 'gophers'", int64(cat.UserID))
	notes := &reputation.Notes{Base: s.Posts.Base}
	ctx := storetest.Ctx
	about := func(community string, viewer data.Actor) (list []string) {
		t.Helper()
		r := s.DB.Read()
		found := notes.Find(r, community, ben.UserID, viewer.UserID)
		require.NoError(t, r.Run(ctx))
		for _, n := range *found {
			list = append(list, n.By+": "+n.Text)
		}
		return list
	}
	first := func() data.ID {
		return data.ID(s.One("SELECT min(id) FROM member_notes").(int64))
	}

	t.Run("notes are kept by moderators, once each", func(t *testing.T) {
		for range 2 {
			require.NoError(t, notes.Add(ctx, ann, "GOPHERS", ben.UserID, " Means well. "))
		}
		require.NoError(t, notes.Add(ctx, cat, "gophers", ben.UserID, "Warned him."))
		require.Equal(t, []string{"cat: Warned him.", "ann: Means well."}, about("Gophers", cat))
		require.Empty(t, about("gardens", eve))
		require.Empty(t, about("gophers", ben), "whom they are about")
		for _, a := range []data.Actor{ben, eve} {
			storetest.CodeOf(t, notes.Add(ctx, a, "gophers", cat.UserID, "x"), data.Forbidden, "moderators")
			storetest.CodeOf(t, notes.Remove(ctx, a, "gophers", ben.UserID, first()), data.Forbidden, "moderators")
		}
		storetest.CodeOf(t, notes.Add(ctx, ann, "gophers", ben.UserID, " "), data.Invalid, "write something")
		storetest.CodeOf(t, notes.Add(ctx, ann, "gophers", ben.UserID, strings.Repeat("ü", 1001)), data.Invalid, "1,000")
		storetest.CodeOf(t, notes.Add(ctx, cat, "gophers", cat.UserID, "x"), data.Invalid, "about yourself")
		storetest.CodeOf(t, notes.Add(ctx, ann, "gophers", 77, "x"), data.NotFound, "no such member")
		require.Error(t, notes.Add(ctx, ann, "nowhere", ben.UserID, "x"))
	})
	t.Run("their authors and the owner remove them", func(t *testing.T) {
		storetest.CodeOf(t, notes.Remove(ctx, cat, "gophers", ben.UserID, first()), data.Forbidden, "Only its author")
		require.NoError(t, notes.Remove(ctx, eve, "gardens", ben.UserID, first()))
		require.Len(t, about("gophers", ann), 2, "by another community's address")
		id := first()
		for range 2 {
			require.NoError(t, notes.Remove(ctx, ann, "gophers", ben.UserID, id))
		}
		require.Equal(t, []string{"cat: Warned him."}, about("gophers", ann))
		s.Exec("DELETE FROM moderators WHERE username = 'cat'")
		require.Equal(t, []string{": Warned him."}, about("gophers", ann))
		require.NoError(t, notes.Remove(ctx, ann, "gophers", ben.UserID, first()))
	})
	t.Run("there are 50 at most", func(t *testing.T) {
		id := s.CommunityID("gophers")
		s.ExecAt(data.ID(id), `INSERT INTO member_notes (id, community_id, user_id, author_id, body)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT i, ?1, ?2, ?3, 'Note ' || i FROM n`, id,
			int64(ben.UserID), int64(ann.UserID))
		storetest.CodeOf(t, notes.Add(ctx, ann, "gophers", ben.UserID, "One more"), data.Conflict, "50")
		require.NoError(t, notes.Add(ctx, ann, "gophers", ben.UserID, "Note 7"), "that is there")
	})
	t.Run("strikes are those of a year that stand", func(t *testing.T) {
		id := s.CommunityID("gophers")
		for n, action := range []string{"remove", "remove", "ban", "mute", "lock", "remove"} {
			s.ExecAt(data.ID(id), "INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name, undone_by) "+
				"VALUES (?1, ?2, ?3, 1, ?4, 1, 'x', ?5)",
				int64(data.NewID(*s.Clock, 0, data.KindOther, uint32(n))), id, action, int64(ben.UserID), map[bool]any{true: int64(1)}[n == 5])
		}
		find := func() reputation.Strikes {
			r := s.DB.Read()
			found := reputation.FindStrikes(r, s.Posts.Source, "Gophers", ben.UserID)
			require.NoError(t, r.Run(ctx))
			return *found
		}
		require.Equal(t, reputation.Strikes{Removals: 2, Mutes: 1, Bans: 1}, find())
		*s.Clock = s.Clock.Add(reputation.StrikesMemory + time.Hour)
		require.Zero(t, find())
	})
	t.Run("what was written in the community last", func(t *testing.T) {
		post := s.Post(ben, "gophers", "Here")
		s.Comment(ben, post.ID, 0, "said here")
		there := s.Post(ben, "gardens", "There")
		s.Comment(ben, there.ID, 0, "said there")
		s.Comment(eve, post.ID, 0, "somebody else's")
		find := func(limit int) (list []string) {
			r := s.DB.Read()
			found := reputation.FindWritten(r, "gophers", ben.UserID, "Ben", limit)
			require.NoError(t, r.Run(ctx))
			for _, w := range *found {
				list = append(list, fmt.Sprint(w.Title, "|", w.Excerpt, "|", w.URL() == post.URL()))
			}
			return list
		}
		require.ElementsMatch(t, []string{"Here||true", "Here|said here|false"}, find(10))
		require.Len(t, find(1), 1)
	})
}
