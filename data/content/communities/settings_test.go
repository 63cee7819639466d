package communities_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

func settings(title, colour string) communities.Update {
	return communities.Update{
		Settings: communities.Settings{Title: title, Description: "About it", Sidebar: "*Read* this.", Colour: colour,
			Rules: []communities.Rule{{Title: " Be  kind "}, {}, {Title: "Stay on it", Text: "Please. "}}},
		SidebarHTML: "<p><em>Read</em> this.</p>", Force: true,
	}
}

func TestCommunitySettings(t *testing.T) {
	s := storetest.Open(t)
	ann, ben, eve := s.Member("ann"), s.Member("ben"), s.Member("eve")
	s.Community(ann, "Gophers")
	s.Community(eve, "other")

	find := func() *communities.Settings {
		t.Helper()
		r := s.DB.Read()
		set := s.Communities.FindSettings(r, "GOPHERS")
		require.NoError(t, r.Run(storetest.Ctx))
		return set
	}
	t.Run("begin as founded", func(t *testing.T) {
		require.Equal(t, &communities.Settings{Title: "Gophers", Colour: communities.DefaultColour("gophers"), Rules: []communities.Rule{}},
			find())
	})
	t.Run("are changed by a moderator, tidied, and shown", func(t *testing.T) {
		revision, err := s.Communities.Update(storetest.Ctx, ann, "gophers", settings(" About   gophers ", "#00695c"))
		require.NoError(t, err)
		require.Equal(t, int64(1), revision)
		rules := []communities.Rule{{Title: "Be kind"}, {Title: "Stay on it", Text: "Please."}}
		require.Equal(t, &communities.Settings{Title: "About gophers", Description: "About it", Sidebar: "*Read* this.", Colour: "#00695c",
			Rules: rules, Revision: 1}, find())
		c := findCommunity(s, "gophers", 0)
		require.Equal(t, "About gophers", c.Title)
		require.Equal(t, "<p><em>Read</em> this.</p>", c.SidebarHTML)
		require.Equal(t, rules, c.Rules)
		require.Equal(t, "#00695c", c.Colour)
	})
	t.Run("of two moderators who write at once the second is told", func(t *testing.T) {
		u := settings("First", "#b3261e")
		u.Force, u.Revision = false, 1
		revision, err := s.Communities.Update(storetest.Ctx, ann, "gophers", u)
		require.NoError(t, err)
		u.Title = "Second"
		now, err := s.Communities.Update(storetest.Ctx, ann, "gophers", u)
		require.Equal(t, data.Conflict, data.ErrorCode(err))
		require.Equal(t, revision, now)
		require.Equal(t, "First", find().Title)
		u.Revision = now
		_, err = s.Communities.Update(storetest.Ctx, ann, "gophers", u)
		require.NoError(t, err)
		require.Equal(t, "Second", find().Title)
	})
	t.Run("are an administrator's to change, too", func(t *testing.T) {
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'ben'")
		_, err := s.Communities.Update(storetest.Ctx, ben, "gophers", settings("Ben's", "#b3261e"))
		require.NoError(t, err)
		s.Exec("UPDATE users SET admin = 0 WHERE username = 'ben'")
	})
	before := find()
	t.Run("are nobody else's, a moderator of another community included", func(t *testing.T) {
		for _, who := range []data.Actor{ben, eve} {
			_, err := s.Communities.Update(storetest.Ctx, who, "gophers", settings("Mine", "#b3261e"))
			require.Equal(t, data.Forbidden, data.ErrorCode(err))
		}
		require.Equal(t, before, find())
	})
	t.Run("are refused a session that was ended", func(t *testing.T) {
		require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
		_, err := s.Communities.Update(storetest.Ctx, ann, "gophers", settings("Gone", "#b3261e"))
		require.Equal(t, data.Unauthenticated, data.ErrorCode(err))
		require.Equal(t, before, find())
	})
	t.Run("of nothing are not there", func(t *testing.T) {
		_, err := s.Communities.Update(storetest.Ctx, eve, "nowhere", settings("x", "#b3261e"))
		require.Equal(t, data.NotFound, data.ErrorCode(err))
	})

	for name, test := range map[string]struct {
		field  string
		change func(*communities.Update)
	}{
		"no title":             {"title", func(u *communities.Update) { u.Title = " " }},
		"a long title":         {"title", func(u *communities.Update) { u.Title = strings.Repeat("x", 101) }},
		"a long description":   {"description", func(u *communities.Update) { u.Description = strings.Repeat("x", 501) }},
		"a long sidebar":       {"sidebar", func(u *communities.Update) { u.Sidebar = strings.Repeat("x", 10001) }},
		"a colour of no name":  {"colour", func(u *communities.Update) { u.Colour = "#ffffff" }},
		"no colour":            {"colour", func(u *communities.Update) { u.Colour = "" }},
		"a rule without title": {"rule-2-title", func(u *communities.Update) { u.Rules[1].Text = "x" }},
		"a rule's long title":  {"rule-3-title", func(u *communities.Update) { u.Rules[2].Title = strings.Repeat("x", 101) }},
		"a rule's long text":   {"rule-3-text", func(u *communities.Update) { u.Rules[2].Text = strings.Repeat("x", 501) }},
		"sixteen rules":        {"rule-15-title", func(u *communities.Update) { u.Rules = make([]communities.Rule, 16) }},
	} {
		t.Run("are not changed to "+name, func(t *testing.T) {
			u := settings("Title", "#b3261e")
			test.change(&u)
			_, err := s.Communities.Update(storetest.Ctx, eve, "other", u)
			var e *data.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, data.Invalid, e.Code)
			require.Equal(t, test.field, e.Field)
		})
	}
}

func TestCommunitySettingsReachTheShardsCopy(t *testing.T) {
	open := func() *hrana.Client {
		c := stacktest.OpenSchema(t)
		return c
	}
	directory, shard := open(), open()
	s := storetest.New(t, data.NewDB(directory, shard), directory, stacktest.OpenRedis(t))
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	copied := func() (title string, revision int64) {
		t.Helper()
		results, err := shard.Query(storetest.Ctx, storetest.StmtOf("SELECT title, revision FROM communities WHERE name = 'gophers'"))
		require.NoError(t, err)
		require.Len(t, results[0].Rows(), 1)
		revision, _ = results[0].Rows()[0][1].(int64)
		return results[0].Rows()[0][0].(string), revision
	}
	for i, title := range []string{"One", "Two"} {
		_, err := s.Communities.Update(storetest.Ctx, ann, "gophers", settings(title, "#b3261e"))
		require.NoError(t, err)
		got, revision := copied()
		require.Equal(t, title, got)
		require.Equal(t, int64(i+1), revision)
	}
	t.Run("also one that is missing, so that posts can be written", func(t *testing.T) {
		_, err := shard.Tx(storetest.Ctx, storetest.StmtOf("DELETE FROM communities"))
		require.NoError(t, err)
		_, err = s.Communities.Update(storetest.Ctx, ann, "gophers", settings("Three", "#b3261e"))
		require.NoError(t, err)
		got, _ := copied()
		require.Equal(t, "Three", got)
		s.Post(ann, "gophers", "A post")
		require.Equal(t, int64(1), findCommunity(s, "gophers", 0).Posts)
	})
	t.Run("and one that founding or a change did not reach, by the retry job", func(t *testing.T) {
		down := &communities.Store{Base: data.Base{DB: data.NewDB(directory, hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1})),
			Source: s.Communities.Source}}
		id, err := down.Create(storetest.Ctx, ann, communities.Create{Name: "late"})
		require.NoError(t, err, "it is founded")
		u := settings("Four", "#b3261e")
		u.Force = true
		_, err = down.Update(storetest.Ctx, ann, "gophers", u)
		require.NoError(t, err, "it is changed")
		require.NoError(t, down.Copy(storetest.Ctx, []data.ID{id}), "it was just tried")
		ids := []data.ID{id, findCommunity(s, "gophers", 0).ID}
		enqueued := func() int { return len(s.Rows("SELECT 1 FROM outbox WHERE job = 'community'")) }
		for range 20 { // however long the shard is down
			*s.Clock = s.Clock.Add(2 * time.Minute)
			require.Equal(t, data.Unavailable, data.ErrorCode(down.Copy(storetest.Ctx, ids)))
		}
		require.Equal(t, 2, enqueued())
		*s.Clock = s.Clock.Add(2 * time.Minute)
		for range 2 { // as often as it likes
			require.NoError(t, s.Communities.Copy(storetest.Ctx, ids))
			require.Zero(t, enqueued())
			results, err := shard.Query(storetest.Ctx, storetest.StmtOf("SELECT name, title FROM communities ORDER BY name"))
			require.NoError(t, err)
			require.Equal(t, [][]any{{"gophers", "Four"}, {"late", "late"}}, results[0].Rows())
		}
		s.Post(ann, "late", "A post")
	})
	t.Run("and a late copy does not undo a later one", func(t *testing.T) {
		_, err := shard.Tx(storetest.Ctx, storetest.StmtOf("UPDATE communities SET title = 'Later', revision = 100 WHERE name = 'gophers'"))
		require.NoError(t, err)
		_, err = s.Communities.Update(storetest.Ctx, ann, "gophers", settings("Earlier", "#b3261e"))
		require.NoError(t, err)
		got, _ := copied()
		require.Equal(t, "Later", got)
	})
}

func TestColoursThatWereChosen(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	for i := range 5 {
		s.Community(ann, fmt.Sprintf("place%d", i))
	}
	other := &communities.Store{Base: s.Communities.Base} // of another instance
	follow := func(c *communities.Store) (rowsRead int64) {
		t.Helper()
		metered, meter := s.Metered()
		r := s.DB.Read()
		c.FindColourChanges(r)
		require.NoError(t, r.Run(metered))
		return meter.RowsRead()
	}
	choose := func(name, hex string) {
		t.Helper()
		_, err := s.Communities.Update(storetest.Ctx, ann, name, settings("x", hex))
		require.NoError(t, err)
	}
	t.Run("are by the name until then", func(t *testing.T) {
		require.LessOrEqual(t, follow(s.Communities), int64(1))
		require.Equal(t, communities.DefaultColour("PLACE1"), s.Communities.Colour("place1"))
	})
	t.Run("are on the next page of every instance, in any case of the name", func(t *testing.T) {
		for _, hex := range []string{"#b3261e", "#455a64", "#00695c"} {
			choose("place1", hex)
			for _, c := range []*communities.Store{s.Communities, other} {
				require.LessOrEqual(t, follow(c), int64(2))
				require.Equal(t, hex, c.Colour("Place1"))
			}
		}
		require.Equal(t, communities.DefaultColour("place2"), other.Colour("place2"))
	})
	t.Run("cost nothing while nobody chooses", func(t *testing.T) {
		require.LessOrEqual(t, follow(other), int64(1))
	})
}
