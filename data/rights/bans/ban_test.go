package bans_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/signup"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/moderation/reports"
	"plaza/data/rights/bans"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// site has a community of ann's, to which ben subscribes and in which eve has a post.
type site struct {
	*storetest.Stores
	bans          *bans.Store
	ann, ben, eve data.Actor
	post          *posts.Post
}

func open(t *testing.T) *site {
	s := &site{Stores: storetest.Open(t)}
	s.bans = &bans.Store{Base: s.Posts.Base}
	s.ann, s.ben, s.eve = s.Member("ann"), s.Member("ben"), s.Member("eve")
	s.Community(s.ann, "Gophers")
	s.Community(s.ann, "Gardens")
	s.post = s.Post(s.eve, "gophers", "A post")
	return s
}

func (s *site) decide(a data.Actor, d bans.Decision) (*modlog.Outcome, error) {
	if d.Community == "" {
		d.Community = "gophers"
	}
	if d.Name == "" {
		d.Name = "ben"
	}
	return s.bans.Decide(storetest.Ctx, a, d)
}

func (s *site) must(d bans.Decision) *modlog.Outcome {
	s.Helper()
	done, err := s.decide(s.ann, d)
	require.NoError(s, err)
	return done
}

// own returns ben's ban.
func (s *site) own(community string) *bans.Ban {
	s.Helper()
	r := s.DB.Read()
	b := s.bans.FindOfMember(r, community, s.ben.UserID)
	require.NoError(s, r.Run(storetest.Ctx))
	return b
}

// listed returns the names of a page of the list, and the cursor of the next.
func (s *site) listed(after data.Cursor, limit int) (names []string, next data.Cursor) {
	s.Helper()
	r := s.DB.Read()
	p := s.bans.Find(r, "gophers", after, limit)
	require.NoError(s, r.Run(storetest.Ctx))
	for _, l := range p.Items() {
		names = append(names, l.Name)
	}
	return names, p.Next()
}

// log returns the actions about members, and which were undone. lastEntry returns the newest decision of the log.
func (s *site) lastEntry() data.ID {
	return data.ID(s.One("SELECT max(id) FROM moderation_log").(int64))
}

func (s *site) log() (list []string) {
	s.Helper()
	for _, row := range s.Rows("SELECT action, undone_by IS NOT NULL FROM moderation_log ORDER BY id") {
		list = append(list, fmt.Sprint(row[0], row[1]))
	}
	return list
}

// TestWrites has ben make all kinds of writes in a community: before, during and after a ban or mute.
func TestWrites(t *testing.T) {
	s := open(t)
	ben := s.ben
	n := 0
	create := func(community string, c posts.Create) (*posts.Post, error) {
		n++
		c.Community, c.Title, c.Text = community, fmt.Sprint("Ben's ", n), "text"
		return s.Posts.Create(storetest.Ctx, ben, c)
	}
	own, err := create("gophers", posts.Create{})
	require.NoError(t, err)
	draft, err := create("gophers", posts.Create{Status: posts.Draft})
	require.NoError(t, err)
	other, err := create("gophers", posts.Create{Status: posts.Draft})
	require.NoError(t, err)
	said := s.Comment(ben, s.post.ID, 0, "said")
	reporting := &reports.Store{Base: s.Posts.Base}
	hers := s.Comment(s.eve, s.post.ID, 0, "hers")

	writes := map[string]func() error{
		"post":      func() error { _, err := create("gophers", posts.Create{}); return err },
		"crosspost": func() error { _, err := create("Gophers", posts.Create{CrosspostOf: s.post.ID}); return err },
		"comment": func() error {
			_, _, err := s.Comments.Create(storetest.Ctx, ben, comments.Create{Post: s.post.ID, Body: "x"})
			return err
		},
		"answer": func() error {
			_, _, err := s.Comments.Create(storetest.Ctx, ben, comments.Create{Parent: hers.ID, Body: "x"})
			return err
		},
		"edit": func() error {
			n++
			_, err := s.Posts.Edit(storetest.Ctx, ben, posts.Edit{ID: own.ID, Text: fmt.Sprint("text ", n), Revision: s.revision("posts", own.ID)})
			return err
		},
		"edit of a comment": func() error {
			n++
			_, err := s.Comments.Edit(storetest.Ctx, ben, comments.Edit{ID: said.ID, Body: fmt.Sprint("said ", n),
				Revision: s.revision("comments", said.ID)})
			return err
		},
		"publish": func() error {
			_, err := s.Posts.PublishDraft(storetest.Ctx, ben, draft.ID, 0, true, rules.Verdict{})
			return err
		},
		"save and publish": func() error {
			_, err := s.Posts.EditDraft(storetest.Ctx, ben, posts.EditDraft{ID: other.ID, Revision: s.revision("posts", other.ID),
				Create: posts.Create{Community: "gophers", Title: "Now", Text: "text"}})
			return err
		},
	}
	takes := map[string]func() error{
		"vote":              func() error { n++; _, err := s.Votes.Cast(storetest.Ctx, ben, s.post.ID, n%2); return err },
		"vote on a comment": func() error { n++; _, err := s.Votes.Cast(storetest.Ctx, ben, hers.ID, n%2); return err },
		"report": func() error {
			r := s.DB.Read()
			thing := reporting.FindThing(r, ben.UserID, s.post.ID)
			require.NoError(s, r.Run(storetest.Ctx))
			return reporting.Report(storetest.Ctx, ben, thing, "Spam", "")
		},
	}
	all := func() string {
		return fmt.Sprint(s.Rows("SELECT id, status, excerpt FROM posts ORDER BY id"), s.Rows("SELECT id, body FROM comments ORDER BY id"),
			s.Rows("SELECT target_id, value FROM votes ORDER BY target_id, user_id"), s.Rows("SELECT * FROM reports"))
	}
	refused := func(what string, try func() error, because string) {
		t.Helper()
		before := all()
		storetest.CodeOf(t, try(), data.Forbidden, because)
		require.Equal(t, before, all(), what)
	}

	s.must(bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam", Note: "Enough.", Days: 3}})
	for what, try := range writes {
		refused(what, try, "You are banned from this community until 24 November 2026, 12:00 UTC. Rule: Spam. The moderators say: Enough.")
	}
	for what, try := range takes {
		refused(what, try, "You are banned from this community")
	}
	_, err = create("gardens", posts.Create{})
	require.NoError(t, err, "of other communities it says nothing")
	_, err = s.Comments.Delete(storetest.Ctx, ben, s.Comment(ben, s.Post(s.eve, "gardens", "There").ID, 0, "x").ID)
	require.NoError(t, err)

	s.must(bans.Decision{Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}})
	for what, try := range writes {
		refused(what, try, "You may read and vote in this community, but not write. Rule: Spam.")
	}
	for what, try := range takes {
		require.NoError(t, try(), what)
	}
	_, err = s.Comments.Delete(storetest.Ctx, ben, said.ID)
	require.NoError(t, err, "one's own can be deleted")
	said = hers // a deleted comment can't be edited
	delete(writes, "edit of a comment")

	s.must(bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam", Days: 1}})
	*s.Clock = s.Clock.Add(24*time.Hour + time.Minute)
	for what, try := range writes {
		require.NoError(t, try(), "it has ended: "+what)
	}
	for what, try := range takes {
		require.NoError(t, try(), what)
	}
	require.Equal(t, &bans.Ban{}, s.own("gophers"))
}

func (s *site) revision(table string, id data.ID) int64 {
	n, _ := s.One("SELECT coalesce(edited_at, 0) FROM "+table+" WHERE id = ?1", int64(id)).(int64)
	return n
}

// TestScheduled: a post is due after its author was banned.
func TestScheduled(t *testing.T) {
	s := open(t)
	for _, community := range []string{"gophers", "gardens"} {
		_, err := s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: community, Title: "Later", Text: "text", Status: posts.Scheduled,
			PublishAt: s.Clock.Add(time.Hour)})
		require.NoError(t, err)
	}
	s.must(bans.Decision{Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}})
	*s.Clock = s.Clock.Add(2 * time.Hour)
	due, err := s.Posts.PublishDue(storetest.Ctx)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, [][]any{{"Gophers", "draft"}}, s.Rows("SELECT community_name, status FROM posts WHERE title = 'Later' AND status <> "+
		"'published'"))
}

func TestDecide(t *testing.T) {
	s := open(t)
	t.Run("is for moderators of the community", func(t *testing.T) {
		for _, a := range []data.Actor{s.ben, s.eve} {
			_, err := s.decide(a, bans.Decision{Name: "eve", Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
			storetest.CodeOf(t, err, data.Forbidden, "moderators")
		}
		_, err := s.decide(s.ann, bans.Decision{Community: data.ProfileOf(s.ben.UserID), Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		storetest.CodeOf(t, err, data.Forbidden, "moderators")
		ended := s.ann
		ended.SessionID = 5
		require.NoError(t, s.Sessions.End(storetest.Ctx, ended))
		_, err = s.decide(ended, bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		storetest.CodeOf(t, err, data.Unauthenticated, "")
		require.Empty(t, s.log())
	})
	t.Run("says what is wrong with the form", func(t *testing.T) {
		for _, try := range []struct {
			d    bans.Decision
			code data.Code
			says string
		}{
			{bans.Decision{Act: modlog.Act{Action: "hug", Rule: "Spam"}}, data.Invalid, "A decision is"},
			{bans.Decision{Act: modlog.Act{Action: modlog.Ban}}, data.Invalid, "the rule"},
			{bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "No such"}}, data.Invalid, "no such rule"},
			{bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam", Days: -1}}, data.Invalid, "3,650"},
			{bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}, Name: "nobody"}, data.NotFound, "no member of that name"},
			{bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}, Name: "ann"}, data.Invalid, "Moderators"},
			{bans.Decision{Act: modlog.Act{Action: bans.Lift}}, data.Conflict, "neither banned nor muted"},
			{bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}, Community: "nowhere"}, data.Forbidden, "moderators"},
		} {
			_, err := s.decide(s.ann, try.d)
			storetest.CodeOf(t, err, try.code, try.says)
		}
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'eve'")
		_, err := s.decide(s.ann, bans.Decision{Name: "eve", Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		storetest.CodeOf(t, err, data.Invalid, "administrators")
		_, err = s.decide(s.eve, bans.Decision{Community: "nowhere", Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		storetest.CodeOf(t, err, data.NotFound, "")
		_, err = s.decide(s.eve, bans.Decision{Community: data.ProfileOf(s.ann.UserID), Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		storetest.CodeOf(t, err, data.NotFound, "")
		s.Exec("UPDATE users SET admin = 0 WHERE username = 'eve'")
		require.Empty(t, s.log())
	})
	t.Run("is in the log once, with its end", func(t *testing.T) {
		for range 2 {
			done := s.must(bans.Decision{Name: "u/Ben", Act: modlog.Act{Action: modlog.Ban, Rule: "Spam", Note: "Enough.", Days: 30}})
			require.Equal(t, "ben", done.Name)
			require.Equal(t, "Gophers", done.Community)
		}
		until := time.Date(2026, 12, 21, 12, 0, 0, 0, time.UTC)
		require.Equal(t, [][]any{{"ban", int64(s.ben.UserID), int64(s.ben.UserID), "Spam", "Enough.", until.UnixMilli(), "ann"}},
			s.Rows("SELECT action, target_id, author_id, rule, note, until, actor_name FROM moderation_log"))
		require.Equal(t, &bans.Ban{Kind: modlog.Ban, Until: until, Rule: "Spam", Note: "Enough.", Entry: s.lastEntry()}, s.own("GOPHERS"))
		require.Equal(t, &bans.Ban{}, s.own("gardens"))
	})
	t.Run("replaces what there was, and is lifted", func(t *testing.T) {
		s.must(bans.Decision{Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}})
		require.Equal(t, &bans.Ban{Kind: modlog.Mute, Rule: "Spam", Entry: s.lastEntry()}, s.own("gophers"))
		done := s.must(bans.Decision{Act: modlog.Act{Action: bans.Lift}})
		require.Zero(t, done.Until)
		require.Equal(t, &bans.Ban{}, s.own("gophers"))
		require.Equal(t, []string{"ban0", "mute1", "unmute0"}, s.log())
		s.must(bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		s.must(bans.Decision{Act: modlog.Act{Action: bans.Lift}})
		require.Equal(t, []string{"ban0", "mute1", "unmute0", "ban1", "unban0"}, s.log())
	})
	t.Run("names follow", func(t *testing.T) {
		s.must(bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}})
		require.NoError(t, s.Accounts.Rename(storetest.Ctx, s.ben, "benny"))
		_, err := s.Accounts.CopyNames(storetest.Ctx, []data.ID{s.ben.UserID})
		require.NoError(t, err)
		names, _ := s.listed(data.Cursor{}, 5)
		require.Equal(t, []string{"benny"}, names)
		r := s.DB.Read()
		l := s.bans.FindNamed(r, "gophers", "BENNY")
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, "ann", l.By)
		require.Equal(t, modlog.Ban, l.Kind)
	})
}

func TestList(t *testing.T) {
	s := open(t)
	for n, days := range []int{2, 0, 9, 0, 2} {
		name := fmt.Sprint("member", n)
		_, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Password: "correct horse"})
		require.NoError(t, err)
		s.must(bans.Decision{Name: name, Act: modlog.Act{Action: modlog.Ban, Rule: "Spam", Days: days}})
	}
	var all []string
	for after := (data.Cursor{}); ; {
		names, next := s.listed(after, 2)
		all = append(all, names...)
		if after = next; after.IsZero() {
			break
		}
	}
	require.Equal(t, []string{"member3", "member1", "member2", "member4", "member0"}, all)
	*s.Clock = s.Clock.Add(3 * 24 * time.Hour)
	all, _ = s.listed(data.Cursor{}, 9)
	require.Equal(t, []string{"member3", "member1", "member2"}, all, "those that have ended are not listed")
	require.NoError(t, s.bans.Purge(storetest.Ctx))
	require.Equal(t, [][]any{{"member1"}, {"member2"}, {"member3"}}, s.Rows("SELECT username FROM bans ORDER BY username"), "and are deleted")
}

// TestEntries: a decision returns its entries of the log. The member is notified of each.
func TestEntries(t *testing.T) {
	s := open(t)
	named := func(d bans.Decision, action modlog.Action) {
		t.Helper()
		done := s.must(d)
		require.Len(t, done.Entries, 1)
		require.Equal(t, done.Entries, s.Asked("decided"))
		require.Equal(t, string(action), s.One("SELECT action FROM moderation_log WHERE id = ?1", int64(done.Entries[0])))
	}
	spam := bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}}
	named(spam, modlog.Ban)
	require.Empty(t, s.must(spam).Entries, "the same form again")
	require.Empty(t, s.Asked("decided"))
	named(bans.Decision{Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}}, modlog.Mute)
	named(bans.Decision{Act: modlog.Act{Action: bans.Lift}}, modlog.Unmute)
	named(spam, modlog.Ban)
	done, err := s.bans.DecideSeveral(storetest.Ctx, s.ann, bans.Decision{Community: "gophers", Act: modlog.Act{Action: bans.Lift}},
		[]data.ID{s.ben.UserID})
	require.NoError(t, err)
	require.Len(t, done.Entries, 1)
}

// TestDecidingByASlowerClock: an instance whose clock is an hour behind reverts another instance's decision, and decides again.
func TestDecidingByASlowerClock(t *testing.T) {
	s := open(t)
	ahead := func(d bans.Decision) {
		*s.Clock = s.Clock.Add(time.Hour)
		s.must(d)
		*s.Clock = s.Clock.Add(-time.Hour)
	}
	ban := bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam"}}
	ahead(ban)
	s.must(bans.Decision{Act: modlog.Act{Action: bans.Lift}})
	require.Empty(t, s.own("gophers").Kind)
	ahead(ban)
	mute := bans.Decision{Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}}
	s.must(mute)
	require.Equal(t, modlog.Mute, s.own("gophers").Kind)
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'mute'"))
}

// TestAFormSentTwice: the second submission goes to an instance with another clock, a minute later.
func TestAFormSentTwice(t *testing.T) {
	for _, apart := range []time.Duration{time.Hour, -time.Hour, time.Minute} {
		s := open(t)
		ban := bans.Decision{Act: modlog.Act{Action: modlog.Ban, Rule: "Spam", Days: 1}, Clear: 1}
		first := s.must(ban)
		*s.Clock = s.Clock.Add(apart)
		require.Empty(t, s.must(ban).Entries, apart)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM moderation_log WHERE action = 'ban'"))
		require.Equal(t, first.Until, s.own("gophers").Until)
		*s.Clock = s.Clock.Add(3 * time.Hour)
		require.Len(t, s.must(ban).Entries, 1, "a later one is another one")
	}
}
