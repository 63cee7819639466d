package data_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/stack/stacktest"
)

func settings(title, colour string) data.UpdateCommunity {
	return data.UpdateCommunity{
		CommunitySettings: data.CommunitySettings{Title: title, Description: "About it", Sidebar: "*Read* this.", Colour: colour,
			Rules: []data.Rule{{Title: " Be  kind "}, {}, {Title: "Stay on it", Text: "Please. "}}},
		SidebarHTML: "<p><em>Read</em> this.</p>", Force: true,
	}
}

func (s *stores) findCommunity(name string, viewer data.ID) *data.Community {
	s.Helper()
	shard, err := s.db.ShardOf(ctx, name)
	require.NoError(s, err)
	r := s.db.Read()
	c := s.communities.FindByName(r, shard, name, viewer)
	require.NoError(s, r.Run(ctx))
	return c
}

func TestCommunitySettings(t *testing.T) {
	s := mustOpen(t)
	ann, ben, eve := s.member("ann"), s.member("ben"), s.member("eve")
	s.community(ann, "Gophers")
	s.community(eve, "other")

	find := func() *data.CommunitySettings {
		t.Helper()
		r := s.db.Read()
		set := s.communities.FindSettings(r, "GOPHERS")
		require.NoError(t, r.Run(ctx))
		return set
	}
	t.Run("begin as founded", func(t *testing.T) {
		require.Equal(t, &data.CommunitySettings{Title: "Gophers", Colour: data.CommunityColour("gophers"), Rules: []data.Rule{}}, find())
	})
	t.Run("are changed by a moderator, tidied, and shown", func(t *testing.T) {
		revision, err := s.communities.UpdateCommunity(ctx, ann, "gophers", settings(" About   gophers ", "#00695c"))
		require.NoError(t, err)
		require.Equal(t, int64(1), revision)
		rules := []data.Rule{{Title: "Be kind"}, {Title: "Stay on it", Text: "Please."}}
		require.Equal(t, &data.CommunitySettings{Title: "About gophers", Description: "About it", Sidebar: "*Read* this.", Colour: "#00695c",
			Rules: rules, Revision: 1}, find())
		c := s.findCommunity("gophers", 0)
		require.Equal(t, "About gophers", c.Title)
		require.Equal(t, "<p><em>Read</em> this.</p>", c.SidebarHTML)
		require.Equal(t, rules, c.Rules)
		require.Equal(t, "#00695c", c.Colour)
	})
	t.Run("of two moderators who write at once the second is told", func(t *testing.T) {
		u := settings("First", "#b3261e")
		u.Force, u.Revision = false, 1
		revision, err := s.communities.UpdateCommunity(ctx, ann, "gophers", u)
		require.NoError(t, err)
		u.Title = "Second"
		now, err := s.communities.UpdateCommunity(ctx, ann, "gophers", u)
		require.Equal(t, data.Conflict, data.ErrorCode(err))
		require.Equal(t, revision, now)
		require.Equal(t, "First", find().Title)
		u.Revision = now
		_, err = s.communities.UpdateCommunity(ctx, ann, "gophers", u)
		require.NoError(t, err)
		require.Equal(t, "Second", find().Title)
	})
	t.Run("are an administrator's to change, too", func(t *testing.T) {
		s.exec("UPDATE users SET admin = 1 WHERE username = 'ben'")
		_, err := s.communities.UpdateCommunity(ctx, ben, "gophers", settings("Ben's", "#b3261e"))
		require.NoError(t, err)
		s.exec("UPDATE users SET admin = 0 WHERE username = 'ben'")
	})
	before := find()
	t.Run("are nobody else's, a moderator of another community included", func(t *testing.T) {
		for _, who := range []data.Actor{ben, eve} {
			_, err := s.communities.UpdateCommunity(ctx, who, "gophers", settings("Mine", "#b3261e"))
			require.Equal(t, data.Forbidden, data.ErrorCode(err))
		}
		require.Equal(t, before, find())
	})
	t.Run("are refused a session that was ended", func(t *testing.T) {
		require.NoError(t, s.sessions.End(ctx, ann))
		_, err := s.communities.UpdateCommunity(ctx, ann, "gophers", settings("Gone", "#b3261e"))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		require.Equal(t, before, find())
	})
	t.Run("of nothing are not there", func(t *testing.T) {
		_, err := s.communities.UpdateCommunity(ctx, eve, "nowhere", settings("x", "#b3261e"))
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	})

	for name, test := range map[string]struct {
		field  string
		change func(*data.UpdateCommunity)
	}{
		"no title":             {"title", func(u *data.UpdateCommunity) { u.Title = " " }},
		"a long title":         {"title", func(u *data.UpdateCommunity) { u.Title = strings.Repeat("x", 101) }},
		"a long description":   {"description", func(u *data.UpdateCommunity) { u.Description = strings.Repeat("x", 501) }},
		"a long sidebar":       {"sidebar", func(u *data.UpdateCommunity) { u.Sidebar = strings.Repeat("x", 10001) }},
		"a colour of no name":  {"colour", func(u *data.UpdateCommunity) { u.Colour = "#ffffff" }},
		"no colour":            {"colour", func(u *data.UpdateCommunity) { u.Colour = "" }},
		"a rule without title": {"rule-2-title", func(u *data.UpdateCommunity) { u.Rules[1].Text = "x" }},
		"a rule's long title":  {"rule-3-title", func(u *data.UpdateCommunity) { u.Rules[2].Title = strings.Repeat("x", 101) }},
		"a rule's long text":   {"rule-3-text", func(u *data.UpdateCommunity) { u.Rules[2].Text = strings.Repeat("x", 501) }},
		"sixteen rules":        {"rule-15-title", func(u *data.UpdateCommunity) { u.Rules = make([]data.Rule, 16) }},
	} {
		t.Run("are not changed to "+name, func(t *testing.T) {
			u := settings("Title", "#b3261e")
			test.change(&u)
			_, err := s.communities.UpdateCommunity(ctx, eve, "other", u)
			var e *data.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, data.Invalid, e.Code)
			require.Equal(t, test.field, e.Field)
		})
	}
}

func TestCommunitySettingsReachTheShardsCopy(t *testing.T) {
	open := func() *hrana.Client {
		c := stacktest.OpenHrana(t)
		stacktest.ApplySchema(t, c)
		return c
	}
	directory, shard := open(), open()
	s := newStores(t, data.NewDB(directory, shard), directory, stacktest.OpenRedis(t))
	ann := s.member("ann")
	s.community(ann, "gophers")
	copied := func() (title string, revision int64) {
		t.Helper()
		results, err := shard.Query(ctx, stmtOf("SELECT title, revision FROM communities WHERE name = 'gophers'"))
		require.NoError(t, err)
		require.Len(t, results[0].Rows, 1)
		revision, _ = results[0].Rows[0][1].(int64)
		return results[0].Rows[0][0].(string), revision
	}
	for i, title := range []string{"One", "Two"} {
		_, err := s.communities.UpdateCommunity(ctx, ann, "gophers", settings(title, "#b3261e"))
		require.NoError(t, err)
		got, revision := copied()
		require.Equal(t, title, got)
		require.Equal(t, int64(i+1), revision)
	}
	t.Run("also one that is missing, so that posts can be written", func(t *testing.T) {
		_, err := shard.Tx(ctx, stmtOf("DELETE FROM communities"))
		require.NoError(t, err)
		_, err = s.communities.UpdateCommunity(ctx, ann, "gophers", settings("Three", "#b3261e"))
		require.NoError(t, err)
		got, _ := copied()
		require.Equal(t, "Three", got)
		s.post(ann, "gophers", "A post")
		require.Equal(t, int64(1), s.findCommunity("gophers", 0).Posts)
	})
	t.Run("and one that founding did not reach, within a minute", func(t *testing.T) {
		s.community(ann, "late")
		_, err := shard.Tx(ctx, stmtOf("DELETE FROM communities WHERE name = 'late'"))
		require.NoError(t, err)
		for range 2 { // as often as it likes
			require.NoError(t, s.communities.CopyFounded(ctx))
			results, err := shard.Query(ctx, stmtOf("SELECT title, revision FROM communities ORDER BY name"))
			require.NoError(t, err)
			require.Len(t, results[0].Rows, 2)
			require.Equal(t, []any{"Three", int64(3)}, results[0].Rows[0], "the other is as it was")
		}
		s.post(ann, "late", "A post")
		*s.clock = s.clock.Add(time.Hour)
		_, err = shard.Tx(ctx, stmtOf("DELETE FROM communities WHERE name = 'late'"))
		require.NoError(t, err)
		require.NoError(t, s.communities.CopyFounded(ctx))
		results, err := shard.Query(ctx, stmtOf("SELECT count(*) FROM communities"))
		require.NoError(t, err)
		require.Equal(t, int64(1), results[0].Rows[0][0], "what is old is not read each minute")
		_, err = s.communities.UpdateCommunity(ctx, ann, "gophers", settings("Three", "#b3261e"))
		require.NoError(t, err)
	})
	t.Run("and a late copy does not undo a later one", func(t *testing.T) {
		_, err := shard.Tx(ctx, stmtOf("UPDATE communities SET title = 'Later', revision = 100"))
		require.NoError(t, err)
		_, err = s.communities.UpdateCommunity(ctx, ann, "gophers", settings("Earlier", "#b3261e"))
		require.NoError(t, err)
		got, _ := copied()
		require.Equal(t, "Later", got)
	})
}

func TestColoursThatWereChosen(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	for i := range 5 {
		s.community(ann, fmt.Sprintf("place%d", i))
	}
	other := &data.CommunityStore{DB: s.db, Source: s.communities.Source} // of another instance
	follow := func(c *data.CommunityStore) (rowsRead int64) {
		t.Helper()
		metered, meter := hrana.WithMeter(ctx)
		r := s.db.Read()
		c.FollowColours(r)
		require.NoError(t, r.Run(metered))
		return meter.RowsRead()
	}
	choose := func(name, hex string) {
		t.Helper()
		_, err := s.communities.UpdateCommunity(ctx, ann, name, settings("x", hex))
		require.NoError(t, err)
	}
	t.Run("are by the name until then", func(t *testing.T) {
		require.LessOrEqual(t, follow(s.communities), int64(1))
		require.Equal(t, data.CommunityColour("PLACE1"), s.communities.Colour("place1"))
	})
	t.Run("are on the next page of every instance, in any case of the name", func(t *testing.T) {
		for _, hex := range []string{"#b3261e", "#455a64", "#00695c"} {
			choose("place1", hex)
			for _, c := range []*data.CommunityStore{s.communities, other} {
				require.LessOrEqual(t, follow(c), int64(2))
				require.Equal(t, hex, c.Colour("Place1"))
			}
		}
		require.Equal(t, data.CommunityColour("place2"), other.Colour("place2"))
	})
	t.Run("cost nothing while nobody chooses", func(t *testing.T) {
		require.LessOrEqual(t, follow(other), int64(1))
	})
}
