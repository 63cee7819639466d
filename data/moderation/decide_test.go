package moderation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/lists/listings"
	"plaza/data/moderation"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// kit is a community that ann moderates, with a post and a comment of ben's.
type kit struct {
	*storetest.Stores
	store         *moderation.Store
	ann, ben, cid data.Actor
	post          *posts.Post
	comment       data.ID
}

func open(t *testing.T) *kit {
	s := storetest.Open(t)
	k := &kit{Stores: s, store: &moderation.Store{Base: s.Posts.Base}, ann: s.Member("ann"), ben: s.Member("ben"),
		cid: s.Member("cid")}
	s.Community(k.ann, "Gophers")
	_, err := s.Communities.Update(storetest.Ctx, k.ann, "gophers",
		communities.Update{Force: true, Settings: communities.Settings{Title: "Gophers",
			Colour: data.Palette[0].Hex, Rules: []communities.Rule{{Title: "Be kind"}}}})
	require.NoError(t, err)
	k.post = s.Post(k.ben, "gophers", "A post")
	k.comment = s.Comment(k.ben, k.post.ID, 0, "a comment").ID
	return k
}

func (k *kit) decide(a data.Actor, action modlog.Action, target data.ID) error {
	d := moderation.Decision{Community: "GOPHERS", Act: modlog.Act{Action: action}}
	if action == modlog.Remove {
		d.Rule, d.Note = "Be kind", "Please."
	}
	_, err := k.store.Decide(storetest.Ctx, a, d, target)
	return err
}

func (k *kit) entries() int64 {
	return k.One("SELECT count(*) FROM moderation_log WHERE action <> 'settings'").(int64)
}

// lastEntry is the newest decision of the log.
func (k *kit) lastEntry() data.ID {
	return data.ID(k.One("SELECT max(id) FROM moderation_log").(int64))
}

func TestDecide(t *testing.T) {
	k := open(t)
	status := func() any { return k.One("SELECT status FROM posts WHERE id = ?1", int64(k.post.ID)) }
	said := func() any { return k.One("SELECT status FROM comments WHERE id = ?1", int64(k.comment)) }

	t.Run("is for moderators and administrators", func(t *testing.T) {
		for _, action := range moderation.OnPosts {
			storetest.CodeOf(t, k.decide(k.cid, action, k.post.ID), data.Forbidden, "moderators")
		}
		storetest.CodeOf(t, k.decide(k.ben, modlog.Remove, k.comment), data.Forbidden, "moderators")
		require.Zero(t, k.entries())
		k.Exec("UPDATE users SET admin = 1 WHERE username = 'cid'")
		require.NoError(t, k.decide(k.cid, modlog.Lock, k.post.ID))
		require.NoError(t, k.decide(k.cid, modlog.Unlock, k.post.ID))
		k.Exec("UPDATE users SET admin = 0 WHERE username = 'cid'")
		k.Exec("DELETE FROM moderation_log")
	})
	t.Run("removes by a rule, and the first decision stays", func(t *testing.T) {
		bad := func(d moderation.Decision, field string) {
			t.Helper()
			d.Community = "gophers"
			_, err := k.store.Decide(storetest.Ctx, k.ann, d, k.post.ID)
			require.Equal(t, data.Invalid, data.ErrorCode(err), "%v", err)
			require.Equal(t, field, data.Mistakes(err)[0].Field)
		}
		bad(moderation.Decision{Act: modlog.Act{Action: "remove"}}, "rule")
		bad(moderation.Decision{Act: modlog.Act{Action: "remove", Rule: "Be tall"}}, "rule")
		bad(moderation.Decision{Act: modlog.Act{Action: "ban"}}, "decision")
		bad(moderation.Decision{Act: modlog.Act{Action: "remove", Rule: "Spam", Note: strings.Repeat("x", 1001)}}, "text")
		storetest.CodeOf(t, k.decide(k.ann, modlog.Lock, k.comment), data.Invalid, "can't be made")
		require.Zero(t, k.entries())

		require.NoError(t, k.decide(k.ann, modlog.Remove, k.post.ID))
		require.Equal(t, "removed", status())
		require.NoError(t, k.decide(k.ann, modlog.Remove, k.post.ID), "again changes nothing")
		require.Equal(t, int64(1), k.entries())
		k.Exec("UPDATE users SET admin = 1 WHERE username = 'cid'")
		storetest.CodeOf(t, k.decide(k.cid, modlog.Remove, k.post.ID), data.Conflict, "ann was faster")
		k.Exec("UPDATE users SET admin = 0 WHERE username = 'cid'")
		require.Equal(t, int64(0), k.One("SELECT posts FROM community_stats WHERE community_id = ?1", k.CommunityID("gophers")))
		require.Equal(t, modlog.Removal{Rule: "Be kind", Note: "Please.", Entry: k.lastEntry()}, k.Find(k.post.ID, 0).Removal)

		require.NoError(t, k.decide(k.ann, modlog.Remove, k.comment))
		require.Equal(t, "removed", said())
	})
	t.Run("approves, which takes that back", func(t *testing.T) {
		require.NoError(t, k.decide(k.ann, modlog.Approve, k.post.ID))
		require.NoError(t, k.decide(k.ann, modlog.Approve, k.comment))
		require.Equal(t, "published", status())
		require.Equal(t, "published", said())
		require.Equal(t, int64(2), k.One("SELECT count(*) FROM moderation_log WHERE action = 'remove' AND undone_by IS NOT NULL"))
		require.Equal(t, int64(1), k.One("SELECT posts FROM community_stats WHERE community_id = ?1", k.CommunityID("gophers")))
		require.Equal(t, modlog.Removal{}, k.Find(k.post.ID, 0).Removal)
	})
	t.Run("a held comment that is approved is counted at once", func(t *testing.T) {
		held, _, err := k.Comments.Create(storetest.Ctx, k.ben, comments.Create{Post: k.post.ID, Body: "Held", BodyHTML: "<p>Held</p>",
			Judged: rules.Verdict{Held: data.Held}})
		require.NoError(t, err)
		k.Asked(data.WordCount)
		require.NoError(t, k.decide(k.ann, modlog.Approve, held.ID))
		require.Equal(t, []data.ID{k.post.ID}, k.Asked(data.WordCount))
		k.Exec("DELETE FROM moderation_log WHERE target_id = ?1", int64(held.ID))
	})
	t.Run("marks and locks, and undoes that", func(t *testing.T) {
		for _, x := range []struct {
			do, undo modlog.Action
			column   string
		}{{modlog.Lock, modlog.Unlock, "locked"}, {modlog.NSFW, modlog.NotNSFW, "nsfw"}, {modlog.Spoiler, modlog.NoSpoiler, "spoiler"},
			{modlog.Pin, modlog.Unpin, "pinned_at IS NOT NULL"}} {
			is := func() any { return k.One("SELECT "+x.column+" FROM posts WHERE id = ?1", int64(k.post.ID)) }
			require.NoError(t, k.decide(k.ann, x.do, k.post.ID))
			require.Equal(t, int64(1), is(), x.do)
			require.NoError(t, k.decide(k.ann, x.undo, k.post.ID))
			require.Equal(t, int64(0), is(), x.undo)
			require.Equal(t, int64(1), k.One("SELECT count(*) FROM moderation_log WHERE action = ?1 AND undone_by IS NOT NULL", string(x.do)))
		}
	})
	t.Run("an author can't take a moderator's mark away", func(t *testing.T) {
		require.NoError(t, k.decide(k.ann, modlog.NSFW, k.post.ID))
		p, err := k.Posts.Edit(storetest.Ctx, k.ben, posts.Edit{ID: k.post.ID, Text: "changed", TextHTML: "<p>changed</p>"})
		require.NoError(t, err)
		require.True(t, p.NSFW)
		require.NoError(t, k.decide(k.ann, modlog.NotNSFW, k.post.ID))
		p, err = k.Posts.Edit(storetest.Ctx, k.ben, posts.Edit{ID: k.post.ID, Text: "again", TextHTML: "<p>again</p>", Revision: p.Revision})
		require.NoError(t, err)
		require.False(t, p.NSFW)
	})
	t.Run("pins two, which a listing begins with", func(t *testing.T) {
		var all []*posts.Post
		for _, title := range []string{"One", "Two", "Three"} {
			all = append(all, k.Post(k.ben, "gophers", title))
		}
		require.NoError(t, k.decide(k.ann, modlog.Pin, all[1].ID))
		require.NoError(t, k.decide(k.ann, modlog.Pin, k.post.ID))
		storetest.CodeOf(t, k.decide(k.ann, modlog.Pin, all[2].ID), data.Conflict, "Two posts are pinned")
		for range 2 { // the second time from memory
			_, ids := k.List(listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 10, Viewer: k.cid.UserID, Pins: true})
			require.Equal(t, []data.ID{all[1].ID, k.post.ID, all[2].ID, all[0].ID}, ids)
		}
		require.NoError(t, k.decide(k.ann, modlog.Remove, all[1].ID))
		_, ids := k.List(listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 10, Pins: true})
		require.Equal(t, []data.ID{k.post.ID, all[2].ID, all[0].ID}, ids)
	})
	t.Run("nothing else", func(t *testing.T) {
		k.Community(k.cid, "elsewhere")
		other := k.Post(k.cid, "elsewhere", "Not theirs")
		storetest.CodeOf(t, k.decide(k.ann, modlog.Remove, other.ID), data.NotFound, "no such post")
		draft, err := k.Posts.Create(storetest.Ctx, k.ben, posts.Create{Community: "gophers", Title: "A draft", Status: posts.Draft})
		require.NoError(t, err)
		storetest.CodeOf(t, k.decide(k.ann, modlog.Remove, draft.ID), data.NotFound, "no such post")
		gone := k.Post(k.ben, "gophers", "Deleted")
		_, err = k.Posts.Delete(storetest.Ctx, k.ben, gone.ID)
		require.NoError(t, err)
		storetest.CodeOf(t, k.decide(k.ann, modlog.Remove, gone.ID), data.NotFound, "no such post")
		before := k.entries()
		require.NoError(t, k.Sessions.End(storetest.Ctx, k.ann))
		storetest.CodeOf(t, k.decide(k.ann, modlog.Lock, k.post.ID), data.Unauthenticated, "logged out")
		require.Equal(t, before, k.entries())
	})
}

func TestLog(t *testing.T) {
	k := open(t)
	require.NoError(t, k.decide(k.ann, modlog.Remove, k.post.ID))
	require.NoError(t, k.decide(k.ann, modlog.Remove, k.comment))
	require.NoError(t, k.decide(k.ann, modlog.Approve, k.post.ID))
	page := func(before data.ID, limit int) []modlog.Line {
		r := k.DB.Read()
		lines := modlog.Find(r, "gophers", before, limit)
		require.NoError(t, r.Run(storetest.Ctx))
		return lines.Items()
	}
	all := page(0, 10)
	require.Len(t, all, 4)
	require.Equal(t, []modlog.Action{"approve", "remove", "remove", "settings"}, []modlog.Action{all[0].Action, all[1].Action, all[2].Action,
		all[3].Action})
	require.Equal(t, modlog.Line{ID: all[1].ID, Action: "remove", Rule: "Be kind", Actor: "ann", Post: k.post.ID, Community: "Gophers",
		Slug: "a-post", Comment: k.comment}, all[1])
	require.True(t, all[2].Undone)
	require.Equal(t, all[1:], page(all[0].ID, 10))
	require.Len(t, page(0, 2), 2)
}

// TestCrossposts has two communities, which may be on different shards.
func TestCrossposts(t *testing.T) {
	k := open(t)
	k.Community(k.cid, "elsewhere")
	again, err := k.Posts.Create(storetest.Ctx, k.cid, posts.Create{Community: "elsewhere", Title: "Again", CrosspostOf: k.post.ID,
		AllowRepost: true})
	require.NoError(t, err)
	amend := func() { // in a new instance, which has no slots cached yet
		store := moderation.Store{Base: data.Base{DB: k.Databases.Open(), Source: k.Posts.Source}}
		require.NoError(t, store.UpdateCrossposts(storetest.Ctx, []data.ID{k.post.ID, k.comment}))
	}
	shown := func() posts.Original { return *k.Find(again.ID, 0).Original }
	amend()
	require.False(t, shown().Removed)
	for _, title := range []string{"once", "twice"} {
		require.NoError(t, k.decide(k.ann, modlog.Remove, k.post.ID))
		amend()
		amend()
		require.True(t, shown().Removed, title)
		require.NoError(t, k.decide(k.ann, modlog.Approve, k.post.ID))
		amend()
		require.False(t, shown().Removed, title)
		require.Equal(t, "A post", shown().Title)
	}
}
