package flair_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/lists/listings"
	"plaza/data/rights/bans"
	"plaza/test/storetest"
)

// offer defines flairs of members: "Gopher", and "Maintainer", which only moderators give.
func (s *site) offer(choose flair.Choice) (gopher, maintainer data.ID) {
	s.Helper()
	gopher, maintainer = s.flairs.Source.NewID(0, data.KindOther), s.flairs.Source.NewID(0, data.KindOther)
	s.offerAs(choose, flair.Flair{Label: flair.Label{ID: gopher, Text: "Gopher", Colour: "blue"}},
		flair.Flair{Label: flair.Label{ID: maintainer, Text: "Maintainer", Colour: "violet"}, Restricted: true})
	return gopher, maintainer
}

func (s *site) offerAs(choose flair.Choice, list ...flair.Flair) {
	s.Helper()
	r := s.DB.Read()
	set := s.flairs.FindOfMembers(r, "gophers")
	require.NoError(s, r.Run(storetest.Ctx))
	_, err := s.flairs.Update(storetest.Ctx, s.ann, "gophers", flair.Update{OfMembers: true, Rows: rows(list), Choose: choose,
		Revision: set.Revision})
	require.NoError(s, err)
}

// worn returns the flair that a post and its comment show, both of ben's.
func (s *site) worn(post data.ID) string {
	s.Helper()
	r := s.DB.Read()
	list := s.Listings.Find(r, listings.Query{Community: "gophers", Order: data.OrderNew, Limit: 25})
	thread := s.Comments.FindPage(r, comments.Query{Community: "gophers", Slug: "asked", Order: data.OrderBest})
	require.NoError(s, r.Run(storetest.Ctx))
	require.Len(s, list.Items(), 1)
	require.Len(s, thread.Under(0), 1)
	of, ofComment := list.Items()[0].AuthorFlair, thread.Under(0)[0].AuthorFlair
	require.Equal(s, of, ofComment)
	return strings.TrimSpace(of.Text + " " + of.Colour)
}

func (s *site) choose(a data.Actor, of flair.Selection) string {
	s.Helper()
	err := s.flairs.Choose(storetest.Ctx, a, "gophers", of)
	if err == nil {
		return ""
	}
	if list := data.Mistakes(err); len(list) > 0 {
		return list[0].Message.String()
	}
	return err.Error()
}

func TestMembers(t *testing.T) {
	s := open(t)
	p, err := s.create("Asked", nil, posts.Published)
	require.NoError(t, err)
	_, _, err = s.Comments.Create(storetest.Ctx, s.ben, comments.Create{Post: p.ID, Body: "Mine", BodyHTML: "<p>Mine</p>"})
	require.NoError(t, err)
	require.Contains(t, s.choose(s.ben, flair.Selection{ID: s.question}), "can't be chosen", "a flair of posts")
	gopher, maintainer := s.offer(flair.ChooseListed)
	require.Len(t, s.set("gophers").Flairs, 2, "those of posts are others")
	require.Empty(t, s.worn(p.ID))

	require.Empty(t, s.choose(s.ben, flair.Selection{ID: gopher}))
	require.Equal(t, "Gopher blue", s.worn(p.ID))
	for _, id := range []data.ID{maintainer, s.question, -1, 1 << 40} {
		require.Contains(t, s.choose(s.ben, flair.Selection{ID: id}), "can't be chosen")
	}
	require.Contains(t, s.choose(s.ben, flair.Selection{Text: "My own"}), "can't be chosen")
	s.offerAs(flair.ChooseOwn, flair.Flair{Label: flair.Label{ID: gopher, Text: "Go expert", Colour: "orange"}})
	require.Equal(t, "Go expert orange", s.worn(p.ID), "another text shows at once")
	require.Contains(t, s.choose(s.ben, flair.Selection{Text: strings.Repeat("é", 33)}), "32 characters")
	require.Empty(t, s.choose(s.ben, flair.Selection{Text: " My \n own "}))
	require.Equal(t, "My own plain", s.worn(p.ID))
	require.Empty(t, s.choose(s.ben, flair.Selection{}))
	require.Empty(t, s.worn(p.ID))
	require.Empty(t, s.choose(s.ben, flair.Selection{ID: gopher}))
	s.offerAs(flair.ChooseNone)
	require.Empty(t, s.worn(p.ID), "of a flair that is gone, nothing shows")

	// Members can't change a flair that moderators gave.
	gopher, maintainer = s.offer(flair.ChooseOwn)
	give := func(a data.Actor, of flair.Selection, fixed bool) error {
		return s.flairs.GiveMember(storetest.Ctx, a, flair.Assignment{Community: "gophers", Member: s.ben.UserID, Selection: of, Fixed: fixed})
	}
	require.Equal(t, data.Forbidden, data.ErrorCode(give(s.ben, flair.Selection{ID: maintainer}, true)))
	require.NoError(t, give(s.ann, flair.Selection{ID: maintainer}, true))
	require.NoError(t, give(s.ann, flair.Selection{ID: maintainer}, true))
	require.Equal(t, "Maintainer violet", s.worn(p.ID))
	require.Contains(t, s.choose(s.ben, flair.Selection{ID: gopher}), "Only they")
	require.Contains(t, s.choose(s.ben, flair.Selection{}), "Only they")
	require.NoError(t, give(s.ann, flair.Selection{Text: "Helpful", Colour: "slate"}, false))
	require.Equal(t, "Helpful slate", s.worn(p.ID))
	require.Contains(t, s.refused(give(s.ann, flair.Selection{ID: s.question}, false)), "no such flair")
	require.NoError(t, give(s.ann, flair.Selection{}, true))
	require.Empty(t, s.worn(p.ID))
	require.Contains(t, s.choose(s.ben, flair.Selection{Text: "Mine again"}), "Only they")
	require.NoError(t, give(s.ann, flair.Selection{}, false))
	require.Empty(t, s.RowsOfAll("SELECT 1 FROM member_flairs"))
	require.Empty(t, s.choose(s.ben, flair.Selection{Text: "Mine again"}))
	require.Equal(t, data.NotFound, data.ErrorCode(s.flairs.GiveMember(storetest.Ctx, s.ann, flair.Assignment{Community: "gophers", Member: 7})))
	require.Equal(t, [][]any{{"Maintainer"}, {"Helpful"}, {""}, {""}},
		s.RowsOfAll("SELECT rule FROM moderation_log WHERE action = 'member-flair' ORDER BY id"))

	// A member who may not write there can't choose a flair.
	_, err = (&bans.Store{Base: s.Posts.Base}).Decide(storetest.Ctx, s.ann, bans.Decision{Community: "gophers", Name: "ben",
		Act: modlog.Act{Action: modlog.Mute, Rule: "Spam"}})
	require.NoError(t, err)
	require.Contains(t, s.choose(s.ben, flair.Selection{ID: gopher}), "not write")
	require.Equal(t, "Mine again plain", s.worn(p.ID))
}

// TestImportedFlair: an import gives authors flairs in a community that never defined any.
func TestImportedFlair(t *testing.T) {
	s := open(t)
	current := func() *flair.MemberFlair {
		r := s.DB.Read()
		current := s.flairs.FindMemberFlair(r, "gardens", s.ben.UserID)
		require.NoError(t, r.Run(storetest.Ctx))
		return current
	}
	bring := func() {
		id := s.CommunityID("gardens")
		s.ExecAt(data.ID(id), `INSERT INTO member_flairs (user_id, community_id, text, colour, fixed) VALUES (?1, ?2, 'Gardener', 'plain', 0)`,
			int64(s.ben.UserID), id)
	}
	require.False(t, current().MayChoose())
	bring()
	require.Equal(t, flair.MemberFlair{Label: flair.Label{Text: "Gardener", Colour: "plain"}}, *current())
	require.True(t, current().MayChoose(), "it can be taken off")
	require.NoError(t, s.flairs.Choose(storetest.Ctx, s.ben, "gardens", flair.Selection{}))
	require.Equal(t, flair.MemberFlair{}, *current())
	require.Error(t, s.flairs.Choose(storetest.Ctx, s.ben, "gardens", flair.Selection{Text: "Gardener"}))

	bring()
	gift := flair.Assignment{Community: "gardens", Member: s.ben.UserID, Selection: flair.Selection{Text: "Helpful"}}
	require.NoError(t, s.flairs.GiveMember(storetest.Ctx, s.ann, gift))
	require.Equal(t, "Helpful", current().Text)
	gift.Text = ""
	require.NoError(t, s.flairs.GiveMember(storetest.Ctx, s.ann, gift))
	require.Empty(t, s.RowsOfAll("SELECT 1 FROM member_flairs"))
}
