package wiki_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/wiki"
	"plaza/test/storetest"
)

// site has a community of ann's, to which ben subscribes.
type site struct {
	*storetest.Stores
	pages    *wiki.Store
	ann, ben data.Actor
}

func open(t *testing.T) *site {
	s := &site{Stores: storetest.Open(t)}
	s.pages = &wiki.Store{Base: s.Posts.Base}
	s.ann, s.ben = s.Member("ann"), s.Member("ben")
	s.Community(s.ann, "Gophers")
	s.Community(s.ann, "Gardens")
	return s
}

func (s *site) create(title, text string) (string, error) {
	return s.pages.Create(storetest.Ctx, s.ann, "Gophers", wiki.NewPage{Title: title, Text: text, HTML: "<p>" + text + "</p>"})
}

func (s *site) created(title, text string) string {
	s.Helper()
	slug, err := s.create(title, text)
	require.NoError(s, err)
	return slug
}

func (s *site) save(a data.Actor, slug, title, text string, from, restored int64) (int64, error) {
	return s.pages.Save(storetest.Ctx, a, "gophers", wiki.Edit{Slug: slug, Title: title, Text: text, HTML: "<p>" + text + "</p>", Revision: from,
		Restored: restored})
}

func (s *site) find(slug string) *wiki.Page {
	s.Helper()
	r := s.DB.Read()
	p := s.pages.Find(r, "gophers", slug)
	require.NoError(s, r.Run(storetest.Ctx))
	return p
}

// history returns a line for each revision of a page, the newest first.
func (s *site) history(slug string) (list []string) {
	s.Helper()
	r := s.DB.Read()
	all := s.pages.FindRevisions(r, "Gophers", slug)
	require.NoError(s, r.Run(storetest.Ctx))
	for _, v := range *all {
		list = append(list, fmt.Sprint(v.Number, " ", v.Title, " ", v.Author, " ", v.Restored))
	}
	return list
}

// links returns the titles in the sidebar of gophers.
func (s *site) links() (titles []string) {
	s.Helper()
	r := s.DB.Read()
	c := s.Communities.FindByName(r, "gophers", 0)
	require.NoError(s, r.Run(storetest.Ctx))
	for _, p := range c.Pages {
		titles = append(titles, p.Title)
	}
	return titles
}

// logged returns the actions in the log about pages, in their order.
func (s *site) logged() (list []string) {
	for _, row := range s.Rows("SELECT action, undone_by IS NOT NULL FROM moderation_log WHERE action LIKE 'page-%' ORDER BY id") {
		list = append(list, fmt.Sprint(row[0], " ", row[1]))
	}
	return list
}

func TestWrite(t *testing.T) {
	s := open(t)
	require.Empty(t, s.links())
	slug := s.created("  Über uns, and what we do ", "# Hello")
	require.Equal(t, "uber-uns-and-what-we-do", slug)
	page := s.find(slug)
	require.Equal(t, "Über uns, and what we do", page.Title)
	require.Equal(t, "<p># Hello</p>", page.HTML)
	require.Equal(t, "ann", page.EditedBy)
	require.EqualValues(t, 1, page.Revision)
	require.Equal(t, slug, s.created("Über uns, and what we do", "# Hello"), "sending it again makes no second one")

	revision, err := s.save(s.ann, slug, "About us", "Words", 1, 0)
	require.NoError(t, err)
	require.EqualValues(t, 2, revision)
	require.Equal(t, []string{"About us"}, s.links())
	revision, err = s.save(s.ann, slug, "About us", "Words", 1, 0)
	require.NoError(t, err, "what is there already is no conflict")
	require.EqualValues(t, 2, revision)
	revision, err = s.save(s.ann, slug, "About us", "Other words", 1, 0)
	require.Equal(t, data.Conflict, data.ErrorCode(err))
	require.EqualValues(t, 2, revision)
	revision, err = s.save(s.ann, slug, "About us", "Other words", revision, 0)
	require.NoError(t, err)
	require.EqualValues(t, 3, revision)
	require.Equal(t, []string{"3 About us ann 0", "2 About us ann 0", "1 Über uns, and what we do ann 0"}, s.history(slug))

	r := s.DB.Read()
	it, before := s.pages.FindRevision(r, "gophers", slug, 2)
	first, none := s.pages.FindRevision(r, "gophers", slug, 1)
	gone, _ := s.pages.FindRevision(r, "gophers", slug, 9)
	require.NoError(t, r.Run(storetest.Ctx))
	require.Equal(t, "Words", it.Text)
	require.Equal(t, "# Hello", before.Text)
	require.EqualValues(t, 1, first.Number)
	require.Zero(t, none.Number)
	require.Zero(t, gone.Number)

	revision, err = s.save(s.ann, slug, first.Title, first.Text, 3, 1)
	require.NoError(t, err)
	require.EqualValues(t, 4, revision)
	require.Equal(t, "4 Über uns, and what we do ann 1", s.history(slug)[0])
	require.Equal(t, []string{"page-new 0", "page-edit 0", "page-edit 0", "page-restore 0"}, s.logged())
}

func TestRefusals(t *testing.T) {
	s := open(t)
	slug := s.created("Guide", "Words")
	refused := func(code data.Code, field, says string, err error) {
		t.Helper()
		require.Equal(t, code, data.ErrorCode(err), "%v", err)
		require.ErrorContains(t, err, says)
		if code == data.Invalid {
			require.Equal(t, field, data.Mistakes(err)[0].Field)
		}
	}
	for _, tt := range []struct{ title, text, field, says string }{
		{" ", "Words", "title", "needs a title"}, {strings.Repeat("é", 101), "Words", "title", "at most 100 characters"},
		{"A page", " \n", "text", "write something"}, {"A page", strings.Repeat("é", 20001), "text", "at most 20,000 characters"},
		{"GUIDE", "Words", "title", "page with this title already"},
	} {
		_, err := s.create(tt.title, tt.text)
		refused(data.Invalid, tt.field, tt.says, err)
	}
	other := s.created("Other", "Words")
	require.Equal(t, "guide-2", s.created("Guide!", "Words"), "another title has an address of its own")
	require.Equal(t, "guide-2", s.created("Guide!", "Words"))
	require.Equal(t, []string{"page", "page-2"}, []string{s.created("!?", "Words"), s.created("♥", "Words")})
	_, err := s.save(s.ann, other, "guide", "Words", 1, 0)
	refused(data.Invalid, "title", "page with this title already", err)
	_, err = s.save(s.ann, other, "", "", 1, 0)
	refused(data.Invalid, "title", "needs a title", err)
	_, err = s.save(s.ann, "nothing", "Title", "Words", 1, 0)
	refused(data.NotFound, "", "no such page", err)
	refused(data.NotFound, "", "no such page", s.pages.Delete(storetest.Ctx, s.ann, "gophers", "nothing"))
	refused(data.NotFound, "", "no such page", s.pages.Delete(storetest.Ctx, s.ann, "gardens", slug))

	before := s.logged()
	_, err = s.pages.Create(storetest.Ctx, s.ben, "gophers", wiki.NewPage{Title: "Mine", Text: "Words"})
	refused(data.Forbidden, "", "Only moderators", err)
	_, err = s.pages.Create(storetest.Ctx, s.ben, "gophers", wiki.NewPage{})
	refused(data.Forbidden, "", "Only moderators", err)
	_, err = s.save(s.ben, slug, "Mine", "Words", 1, 0)
	refused(data.Forbidden, "", "Only moderators", err)
	refused(data.Forbidden, "", "Only moderators", s.pages.Delete(storetest.Ctx, s.ben, "gophers", slug))
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT id, ?1, 'ben', 1, 'approver' FROM communities "+
		"WHERE name_key = 'gophers'", int64(s.ben.UserID))
	_, err = s.save(s.ben, slug, "Mine", "Words", 1, 0)
	refused(data.Forbidden, "", "Only moderators", err)
	require.Equal(t, before, s.logged())
	require.Equal(t, []string{"!?", "Guide", "Guide!", "Other", "♥"}, s.links())
}

func TestDeleteAndRestore(t *testing.T) {
	s := open(t)
	slug := s.created("Guide", "Words")
	for range 2 { // the second time changes nothing
		require.NoError(t, s.pages.Delete(storetest.Ctx, s.ann, "gophers", slug))
	}
	require.True(t, s.find(slug).Deleted)
	require.Empty(t, s.links())
	_, err := s.create("Guide", "Others")
	require.ErrorContains(t, err, "A deleted page has this address")
	revision, err := s.save(s.ann, slug, "Guide", "Others", 1, 0)
	require.ErrorContains(t, err, "deleted this page")
	require.EqualValues(t, 1, revision)
	revision, err = s.save(s.ann, slug, "Guide", "Words", 1, 1)
	require.NoError(t, err)
	require.EqualValues(t, 2, revision)
	require.Equal(t, []string{"Guide"}, s.links())
	require.Equal(t, []string{"page-new 0", "page-delete 1", "page-restore 0"}, s.logged())

	for n := range wiki.Max - 1 {
		s.created(fmt.Sprint("Page ", n), "Words")
	}
	_, err = s.create("One more", "Words")
	require.Equal(t, data.Conflict, data.ErrorCode(err))
	require.ErrorContains(t, err, "at most 10 pages")
	revision, err = s.save(s.ann, slug, "Guide", "Newer words", 2, 0)
	require.NoError(t, err)
	s.Exec("DELETE FROM wiki_revisions WHERE number = 1 AND page_id = (SELECT id FROM wiki_pages WHERE slug = 'guide' LIMIT 1)") // erased
	_, err = s.save(s.ann, slug, "Guide", "Words", revision, 1)
	require.Equal(t, data.Conflict, data.ErrorCode(err), "erased words don't come back by a form that was sent before")
	_, err = s.save(s.ann, slug, "Guide", "Words", revision, 2)
	require.NoError(t, err)
	require.NoError(t, s.pages.Delete(storetest.Ctx, s.ann, "gophers", slug))
	s.created("One more", "Words")
	_, err = s.save(s.ann, slug, "Guide", "Words", 4, 4)
	require.ErrorContains(t, err, "at most 10 pages")
	_, err = s.pages.Create(storetest.Ctx, s.ann, "gardens", wiki.NewPage{Title: "Guide", Text: "Words"})
	require.NoError(t, err, "another community has pages of its own")

	for n := range wiki.DeletedMax + 2 {
		slug := fmt.Sprint("page-", n%(wiki.Max-1))
		if n >= wiki.Max-1 {
			slug = s.created(fmt.Sprint("Later ", n), "Words")
		}
		require.NoError(t, s.pages.Delete(storetest.Ctx, s.ann, "gophers", slug))
	}
	require.EqualValues(t, wiki.DeletedMax, s.One("SELECT count(*) FROM wiki_pages WHERE deleted_at IS NOT NULL"))
	require.Zero(t, s.find(slug).ID, "the oldest has gone")
	require.Zero(t, s.One("SELECT count(*) FROM wiki_revisions WHERE page_id NOT IN (SELECT id FROM wiki_pages)"), "with its history")
}

// TestKept stores the last revisions of a page, and reads few rows however many there were.
func TestKept(t *testing.T) {
	s := open(t)
	slug := s.created("Guide", "Words 0")
	read := func(gather func(*data.Read)) int64 {
		ctx, meter := s.Metered()
		r := s.DB.Read()
		gather(r)
		require.NoError(t, r.Run(ctx))
		return meter.RowsRead()
	}
	rows := func() []int64 {
		return []int64{read(func(r *data.Read) { s.pages.Find(r, "gophers", slug) }), read(func(r *data.Read) { s.pages.FindAll(r, "gophers") }),
			read(func(r *data.Read) { s.pages.FindRevision(r, "gophers", slug, 1) })}
	}
	few := rows()
	for n := range wiki.RevisionsMax + 1 {
		*s.Clock = s.Clock.Add(time.Second)
		_, err := s.save(s.ann, slug, "Guide", fmt.Sprint("Words ", n+1), int64(n+1), 0)
		require.NoError(t, err)
	}
	history := s.history(slug)
	require.Len(t, history, wiki.RevisionsMax)
	require.True(t, strings.HasPrefix(history[0], "102 "))
	require.True(t, strings.HasPrefix(history[wiki.RevisionsMax-1], "3 "))
	many := rows()
	require.LessOrEqual(t, many[0], few[0])
	require.LessOrEqual(t, many[1], few[1])
	require.LessOrEqual(t, many[0], int64(12))
	t.Log(few, many)
}
