package flair_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/data/lists/listings"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// site has a community of ann's with the flairs "Question" and "Answered", which only moderators give, and other communities without
// flairs.
type site struct {
	*storetest.Stores
	flairs           *flair.Store
	ann, ben         data.Actor
	question, solved data.ID
}

func open(t *testing.T) *site {
	s := &site{Stores: storetest.Open(t)}
	s.flairs = &flair.Store{Base: s.Posts.Base}
	s.ann, s.ben = s.Member("ann"), s.Member("ben")
	s.Community(s.ann, "Gophers")
	s.Community(s.ann, "Gardens")
	s.question, s.solved = s.flairs.Source.NewID(0, data.KindOther), s.flairs.Source.NewID(0, data.KindOther)
	require.NoError(t, s.save(s.ann, "Gophers", false, s.named(s.question, "Question"),
		flair.Flair{Label: flair.Label{ID: s.solved, Text: "Answered", Colour: "blue"}, Restricted: true}))
	return s
}

func (s *site) named(id data.ID, text string) flair.Flair {
	return flair.Flair{Label: flair.Label{ID: id, Text: text, Colour: "plain"}}
}

// save replaces the flairs of a community with its present revision.
func (s *site) save(a data.Actor, community string, required bool, list ...flair.Flair) error {
	_, err := s.flairs.Update(storetest.Ctx, a, community, flair.Update{Rows: rows(list), Required: required,
		Revision: s.set(community).Revision})
	return err
}

// rows returns the form's rows for these flairs: first an empty row, then the flairs, the last one first.
func rows(list []flair.Flair) (rows []flair.Row) {
	for i, f := range slices.Backward(list) {
		rows = append(rows, flair.Row{Flair: f, Place: i})
	}
	return append([]flair.Row{{}}, rows...)
}

func (s *site) set(community string) *flair.Set {
	s.Helper()
	r := s.DB.Read()
	set := s.flairs.Find(r, community)
	require.NoError(s, r.Run(storetest.Ctx))
	return set
}

// listed returns the titles of a community's posts in an order, each with its flair; flair 0 is all.
func (s *site) listed(order data.Order, of data.ID) (list []string) {
	s.Helper()
	r := s.DB.Read()
	page := s.Listings.Find(r, listings.Query{Community: "gophers", Flair: of, Order: order, Limit: 25})
	require.NoError(s, r.Run(storetest.Ctx))
	for _, p := range page.Items() {
		list = append(list, strings.TrimSpace(p.Title+" "+p.Flair.Text))
	}
	return list
}

func (s *site) create(title string, of *data.ID, status posts.Status) (*posts.Post, error) {
	return s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: "gophers", Title: title, Text: "text", Flair: of, Status: status,
		PublishAt: s.Clock.Add(1e12)})
}

// refused checks the mistake in the field.
func (s *site) refused(err error) string {
	s.Helper()
	require.Equal(s, data.Invalid, data.ErrorCode(err), "%v", err)
	require.Equal(s, "flair", data.Mistakes(err)[0].Field)
	return data.Mistakes(err)[0].Message.String()
}

func TestDefine(t *testing.T) {
	s := open(t)
	set := s.set("gophers")
	require.Equal(t, []flair.Flair{s.named(s.question, "Question"), {Label: flair.Label{ID: s.solved, Text: "Answered", Colour: "blue"},
		Restricted: true}}, set.Flairs)
	require.Equal(t, []flair.Flair{set.Flairs[0]}, set.Open())
	require.Equal(t, &flair.Set{}, s.set("gardens"))

	mistake := func(says string, required bool, list ...flair.Flair) {
		t.Helper()
		err := s.save(s.ann, "gophers", required, list...)
		require.Equal(t, data.Invalid, data.ErrorCode(err), says)
		require.Contains(t, data.Mistakes(err)[0].Message.String(), says)
	}
	mistake("no flair of this community", false, s.named(-1, "Help"))
	mistake("30 characters", false, s.named(1<<22, strings.Repeat("é", 31)))
	mistake("two flairs", false, s.named(1<<22, "Help"), s.named(2<<22, "HELP "))
	mistake("colours", false, flair.Flair{Label: flair.Label{ID: 1 << 22, Text: "Help", Colour: "red"}})
	mistake("one that authors can choose", true, set.Flairs[1])
	var many []flair.Flair
	for i := range 30 {
		many = append(many, s.named(data.ID(i+1)<<22, fmt.Sprint(i)))
	}
	mistake("at most 30", false, many...) // counting the empty row
	many = many[:29]
	require.Equal(t, data.Forbidden, data.ErrorCode(s.save(s.ben, "gophers", false, many...)))
	require.Equal(t, data.Forbidden, data.ErrorCode(s.save(s.ann, "nowhere", false)))
	require.Equal(t, set, s.set("gophers"))

	// A moderator can't take another community's flair, and two moderators don't overwrite each other's changes.
	_ = s.save(s.ann, "gardens", false, s.named(s.question, "Mine"))
	require.Equal(t, set, s.set("gophers"))
	old := flair.Update{Rows: rows(many[:2]), Revision: set.Revision}
	require.NoError(t, s.save(s.ann, "gophers", false, many...))
	now, err := s.flairs.Update(storetest.Ctx, s.ann, "gophers", old)
	require.Equal(t, data.Conflict, data.ErrorCode(err))
	require.Equal(t, many, s.set("gophers").Flairs)
	old.Revision = now
	_, err = s.flairs.Update(storetest.Ctx, s.ann, "gophers", old)
	require.NoError(t, err)
	old.Revision, old.Force, old.Rows = 0, true, rows(many[1:2])
	_, err = s.flairs.Update(storetest.Ctx, s.ann, "gophers", old)
	require.NoError(t, err)
	require.Equal(t, many[1:2], s.set("gophers").Flairs)
	require.Len(t, s.RowsOfAll("SELECT id FROM moderation_log WHERE action = 'settings' AND community_id = (SELECT id FROM communities "+
		"WHERE name_key = 'gophers')"), 4)

	// Nor a flair that was deleted there: posts never show a flair of another community.
	_, err = s.create("Old", &many[1].ID, posts.Published)
	require.NoError(t, err)
	require.NoError(t, s.save(s.ann, "gophers", false))
	require.NoError(t, s.save(s.ann, "gardens", false, s.named(many[1].ID, "Mine")))
	require.Equal(t, []string{"Old"}, s.listed(data.OrderNew, 0))
}

func TestChoose(t *testing.T) {
	s := open(t)
	none, elsewhere := data.ID(0), s.flairs.Source.NewID(0, data.KindOther)
	require.NoError(t, s.save(s.ann, "gardens", false, s.named(elsewhere, "Tomatoes")))
	p, err := s.create("Asked", &s.question, posts.Published)
	require.NoError(t, err)
	_, err = s.create("Plain", nil, posts.Published)
	require.NoError(t, err)
	for _, id := range []data.ID{s.solved, elsewhere, 1 << 40} {
		for _, status := range []posts.Status{posts.Published, posts.Scheduled} {
			_, err = s.create("Never", &id, status)
			require.Contains(t, s.refused(err), "can't be chosen")
		}
	}
	require.Equal(t, []string{"Plain", "Asked Question"}, s.listed(data.OrderNew, 0))
	for _, order := range []data.Order{data.OrderHot, data.OrderNew, data.OrderTop} {
		require.Equal(t, []string{"Asked Question"}, s.listed(order, s.question))
	}

	revision := int64(0)
	edit := func(of *data.ID) error {
		now, err := s.Posts.Edit(storetest.Ctx, s.ben, posts.Edit{ID: p.ID, Text: "text", Flair: of, Revision: revision})
		if err == nil {
			revision = now.Revision
		}
		return err
	}
	require.NoError(t, edit(&none))
	require.Empty(t, s.listed(data.OrderNew, s.question))
	require.NoError(t, edit(&s.question))
	require.NoError(t, edit(nil))
	require.Equal(t, []string{"Asked Question"}, s.listed(data.OrderNew, s.question))
	require.Contains(t, s.refused(edit(&s.solved)), "can't be chosen")

	// A flair that moderators have given stays.
	_, err = s.flairs.Give(storetest.Ctx, s.ann, "gophers", p.ID, s.solved)
	require.NoError(t, err)
	require.NoError(t, edit(nil))
	require.NoError(t, edit(&s.solved))
	require.Contains(t, s.refused(edit(&none)), "Only they")
	require.Contains(t, s.refused(edit(&s.question)), "Only they")
	require.Equal(t, []string{"Plain", "Asked Answered"}, s.listed(data.OrderNew, 0))

	// A new text shows at once everywhere; posts show no deleted flair.
	require.NoError(t, s.save(s.ann, "gophers", false, s.named(s.question, "Question"), s.named(s.solved, "Solved")))
	require.Equal(t, []string{"Plain", "Asked Solved"}, s.listed(data.OrderNew, 0))
	require.NoError(t, s.save(s.ann, "gophers", false, s.named(s.question, "Question")))
	require.Equal(t, []string{"Plain", "Asked"}, s.listed(data.OrderNew, 0))
	require.NoError(t, edit(&none))
}

// TestRequired has a community that requires flairs.
func TestRequired(t *testing.T) {
	s := open(t)
	none := data.ID(0)
	before, err := s.create("Before", nil, posts.Published)
	require.NoError(t, err)
	require.NoError(t, s.save(s.ann, "gophers", true, s.named(s.question, "Question")))
	for _, of := range []*data.ID{nil, &none} {
		for _, status := range []posts.Status{posts.Published, posts.Scheduled} {
			_, err = s.create("Never", of, status)
			require.Contains(t, s.refused(err), "need a flair")
		}
	}
	// An older post can still be changed.
	_, err = s.Posts.Edit(storetest.Ctx, s.ben, posts.Edit{ID: before.ID, Text: "other"})
	require.NoError(t, err)

	draft, err := s.create("Draft", nil, posts.Draft)
	require.NoError(t, err)
	_, err = s.Posts.PublishDraft(storetest.Ctx, s.ben, draft.ID, 0, false, rules.Verdict{})
	require.Contains(t, s.refused(err), "need a flair")
	change := posts.EditDraft{ID: draft.ID, Create: posts.Create{Community: "gophers", Title: "Draft", Text: "text"}}
	_, err = s.Posts.EditDraft(storetest.Ctx, s.ben, change)
	require.Contains(t, s.refused(err), "need a flair")
	change.Status, change.Flair = posts.Draft, &s.question
	saved, err := s.Posts.EditDraft(storetest.Ctx, s.ben, change)
	require.NoError(t, err)
	require.Equal(t, s.question, saved.Flair)
	_, err = s.Posts.PublishDraft(storetest.Ctx, s.ben, draft.ID, saved.Revision, false, rules.Verdict{})
	require.NoError(t, err)
	require.Equal(t, []string{"Draft Question", "Before"}, s.listed(data.OrderNew, 0))
	_, err = s.Posts.Delete(storetest.Ctx, s.ben, draft.ID)
	require.NoError(t, err)
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM posts WHERE flair_id IS NOT NULL"))

	// A rule's flair takes precedence over the author's choice, and satisfies the requirement. A rule with a deleted flair does nothing, and
	// a flair that only moderators give stays.
	require.NoError(t, s.save(s.ann, "gophers", true, s.named(s.question, "Question"),
		flair.Flair{Label: flair.Label{ID: s.solved, Text: "Answered", Colour: "blue"}, Restricted: true}))
	ruled := posts.Create{Community: "gophers", Title: "Ruled", Text: "text", Judged: rules.Verdict{Flair: "Gone"}}
	_, err = s.Posts.Create(storetest.Ctx, s.ben, ruled)
	require.Contains(t, s.refused(err), "need a flair")
	ruled.Judged.Flair, ruled.Flair = "Question", &s.solved
	created, err := s.Posts.Create(storetest.Ctx, s.ben, ruled)
	require.NoError(t, err)
	draft, err = s.create("Published", nil, posts.Draft)
	require.NoError(t, err)
	saved, err = s.Posts.PublishDraft(storetest.Ctx, s.ben, draft.ID, 0, false, rules.Verdict{Flair: "Question"})
	require.NoError(t, err)
	require.Equal(t, s.question, saved.Flair)
	draft, err = s.create("Changed", nil, posts.Draft)
	require.NoError(t, err)
	change = posts.EditDraft{ID: draft.ID, Create: posts.Create{Community: "gophers", Title: "Changed", Text: "text", Flair: &s.question,
		Judged: rules.Verdict{Flair: "Answered"}}}
	for range 2 { // the second time it is published already
		saved, err = s.Posts.EditDraft(storetest.Ctx, s.ben, change)
		require.NoError(t, err)
		require.Equal(t, s.solved, saved.Flair)
	}
	edit := posts.Edit{ID: created.ID, Text: "other", Flair: &s.question, Judged: rules.Verdict{Flair: "Answered"}}
	saved, err = s.Posts.Edit(storetest.Ctx, s.ben, edit)
	require.NoError(t, err)
	edit.Revision, edit.Judged.Flair = saved.Revision, "Question"
	_, err = s.Posts.Edit(storetest.Ctx, s.ben, edit)
	require.Contains(t, s.refused(err), "Only they")
	edit.Flair, edit.Text = nil, "more"
	_, err = s.Posts.Edit(storetest.Ctx, s.ben, edit)
	require.NoError(t, err)
	require.Equal(t, []string{"Changed Answered", "Published Question", "Ruled Answered"}, s.listed(data.OrderNew, 0)[:3])
}

func TestGive(t *testing.T) {
	s := open(t)
	eve := s.Member("eve")
	p := s.Post(s.ben, "gophers", "A post")
	give := func(a data.Actor, community string, of data.ID) error {
		_, err := s.flairs.Give(storetest.Ctx, a, community, p.ID, of)
		return err
	}
	require.Equal(t, data.Forbidden, data.ErrorCode(give(s.ben, "gophers", s.question)))
	require.Equal(t, data.NotFound, data.ErrorCode(give(s.ann, "gardens", s.question)))
	require.Equal(t, data.Forbidden, data.ErrorCode(give(s.ann, "nowhere", s.question)))
	s.refused(give(s.ann, "gophers", 1<<40))
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT id, ?1, 'eve', 1, 'approver' FROM communities "+
		"WHERE name_key = 'gophers'", int64(eve.UserID))
	for range 2 { // the second time changes nothing
		require.NoError(t, give(eve, "gophers", s.solved))
	}
	require.Equal(t, []string{"A post Answered"}, s.listed(data.OrderHot, s.solved))
	require.NoError(t, give(s.ann, "gophers", 0))
	require.Equal(t, []string{"A post"}, s.listed(data.OrderNew, 0))
	var log []string
	for _, row := range s.Rows("SELECT actor_name, rule, author_id FROM moderation_log WHERE action = 'flair' ORDER BY id") {
		require.Equal(t, int64(s.ben.UserID), row[2])
		log = append(log, fmt.Sprint(row[0], " ", row[1]))
	}
	require.Equal(t, []string{"eve Answered", "ann "}, log)
}
