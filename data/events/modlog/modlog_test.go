package modlog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/test/storetest"
)

func TestAdd(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "Gophers")
	p := s.Post(ben, "gophers", "A post")
	source := s.Posts.Source
	add := func(a data.Actor, action modlog.Action, guard string) (data.ID, int64) {
		t.Helper()
		e := modlog.NewEntry{ID: source.NewID(p.ID.Slot(), data.KindOther), Community: "Gophers", Action: action, Target: p.ID, Author: ben.UserID,
			Rule: "Be kind", Note: "Please.", Until: time.UnixMilli(5)}
		var added *data.Change
		for range 2 { // like a transaction whose response was lost
			w := s.DB.WriteAt(p.ID)
			c := modlog.Add(w, a, e, guard, data.Args{"post": p.ID})
			require.NoError(t, w.Run(storetest.Ctx))
			if added == nil {
				added = c
			}
		}
		return e.ID, added.Rows
	}
	const there = "EXISTS (SELECT 1 FROM posts WHERE id = :post)"
	undoneBy := func(id data.ID) any {
		return s.Rows("SELECT undone_by FROM moderation_log WHERE id = ?1", int64(id))[0][0]
	}

	lock, n := add(ann, modlog.Lock, there)
	require.Equal(t, int64(1), n)
	require.Equal(t, []any{s.CommunityID("gophers"), "lock", int64(p.ID), int64(ben.UserID), "Be kind", "Please.", int64(5), int64(ann.UserID),
		"ann", nil},
		s.Rows(`SELECT community_id, action, target_id, author_id, rule, note, until, actor_id, actor_name, undone_by FROM moderation_log`)[0])
	_, n = add(ann, modlog.Lock, "NOT "+there)
	require.Zero(t, n, "the decision changes nothing")
	again, _ := add(ann, modlog.Lock, there)
	unlock, _ := add(ann, modlog.Unlock, there+" OR "+there)
	require.Equal(t, int64(unlock), undoneBy(again))
	require.Nil(t, undoneBy(lock), "the last one is taken back, and no other")
	nsfw, _ := add(ann, modlog.NSFW, there)
	require.Nil(t, undoneBy(nsfw))

	require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
	_, n = add(ann, modlog.NSFW, there+" OR "+there)
	require.Zero(t, n, "an ended session decides nothing")

	w := s.DB.Write()
	modlog.Add(w, ben, modlog.NewEntry{ID: source.NewID(0, data.KindOther), Action: modlog.Settings}, "true", nil)
	require.NoError(t, w.Run(storetest.Ctx))
	require.Equal(t, [][]any{{int64(0), int64(0), nil, nil}}, s.Rows("SELECT community_id, target_id, author_id, until FROM moderation_log "+
		"WHERE action = 'settings'"))
	require.NoError(t, s.Accounts.Rename(storetest.Ctx, ben, "benny"))
	_, err := s.Accounts.CopyNames(storetest.Ctx, []data.ID{ben.UserID})
	require.NoError(t, err)
	require.Equal(t, [][]any{{"benny"}}, s.Rows("SELECT actor_name FROM moderation_log WHERE action = 'settings'"), "names follow")
}
