package reports_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/events/modlog"
	"plaza/data/moderation/reports"
	"plaza/data/rights/reputation"
	"plaza/test/storetest"
)

// site has the stores, and a community with a rule, a post and a comment.
type site struct {
	*storetest.Stores
	reports       *reports.Store
	ann, ben, eve data.Actor // who moderates, who writes and who reports
	post, comment data.ID
}

func open(t *testing.T) *site {
	s := &site{Stores: storetest.Open(t)}
	s.reports = &reports.Store{Base: s.Posts.Base}
	s.ann, s.ben, s.eve = s.Member("ann"), s.Member("ben"), s.Member("eve")
	s.Community(s.ann, "Gophers")
	_, err := s.Communities.Update(storetest.Ctx, s.ann, "gophers", communities.Update{Force: true,
		Settings: communities.Settings{Title: "Gophers", Colour: data.Palette[0].Hex, Rules: []communities.Rule{{Title: "Be kind"}}}})
	require.NoError(t, err)
	s.post = s.Post(s.ben, "gophers", "A post").ID
	s.comment = s.said(s.ben, s.post, "A comment")
	return s
}

// said returns the id of a new comment.
func (s *site) said(a data.Actor, post data.ID, body string) data.ID {
	return s.Stores.Comment(a, post, 0, body).ID
}

func (s *site) thing(a data.Actor, target data.ID) *reports.Thing {
	s.Helper()
	r := s.DB.Read()
	t := s.reports.FindThing(r, a.UserID, target)
	require.NoError(s, r.Run(storetest.Ctx))
	return t
}

func (s *site) report(a data.Actor, target data.ID, reason, text string) error {
	s.Helper()
	return s.reports.Report(storetest.Ctx, a, s.thing(a, target), reason, text)
}

// item returns the row of the queue: reports, status, decision, and the reasons.
func (s *site) item(target data.ID) (item []any, reasons [][]any) {
	s.Helper()
	if rows := s.Rows("SELECT reports, status, decision FROM queue_items WHERE target_id = ?1", int64(target)); len(rows) > 0 {
		item = rows[0]
	}
	return item, s.Rows("SELECT reason, reports FROM report_reasons WHERE target_id = ?1 ORDER BY reason", int64(target))
}

func TestReport(t *testing.T) {
	s := open(t)
	t.Run("shows what is reported, and the reasons", func(t *testing.T) {
		post, comment := s.thing(s.eve, s.post), s.thing(s.eve, s.comment)
		require.NoError(t, post.Err())
		require.Equal(t, "Gophers", post.Community)
		require.Equal(t, "/c/Gophers/p/a-post", post.URL)
		require.Equal(t, "ben", post.Author)
		require.Equal(t, post.URL+"/"+s.comment.Text(), comment.URL)
		require.Equal(t, "A comment", comment.Excerpt)
		rules, site := post.Reasons()
		require.Equal(t, []string{"Be kind"}, rules)
		require.Equal(t, reports.SiteReasons, site)
	})
	t.Run("is one line of the queue for all reports of a thing, with its reasons counted", func(t *testing.T) {
		for _, target := range []data.ID{s.post, s.comment} {
			require.NoError(t, s.report(s.eve, target, "Spam", " Again and again. "))
			require.NoError(t, s.report(s.eve, target, "Harassment or hate", "a second time"), "once a member and thing")
			require.NoError(t, s.report(s.ann, target, "Spam", ""))
			require.NoError(t, s.report(s.Member("m"+target.Text()), target, "Be kind", ""))
			item, reasons := s.item(target)
			require.Equal(t, []any{int64(3), "open", ""}, item)
			require.Equal(t, [][]any{{"Be kind", int64(1)}, {"Spam", int64(2)}}, reasons)
			require.True(t, s.thing(s.eve, target).Reported)
			require.Equal(t, [][]any{{"Again and again."}}, s.Rows("SELECT text FROM reports WHERE target_id = ?1 AND text <> ''", int64(target)))
		}
	})
	t.Run("asks for a reason that there is, and is short", func(t *testing.T) {
		p := s.Post(s.ben, "gophers", "Another").ID
		storetest.CodeOf(t, s.report(s.eve, p, "", ""), data.Invalid, "choose")
		storetest.CodeOf(t, s.report(s.eve, p, "A rule of elsewhere", ""), data.Invalid, "choose")
		storetest.CodeOf(t, s.report(s.eve, p, "Impersonation", ""), data.Invalid, "choose")
		storetest.CodeOf(t, s.report(s.eve, p, reports.Other, "  "), data.Invalid, "few words")
		storetest.CodeOf(t, s.report(s.eve, p, "Spam", strings.Repeat("ü", 501)), data.Invalid, "500")
		require.NoError(t, s.report(s.eve, p, "Spam", strings.Repeat("ü", 500)))
	})
	t.Run("refuses one's own, and what is not there", func(t *testing.T) {
		storetest.CodeOf(t, s.report(s.ben, s.post, "Spam", ""), data.Invalid, "your own")
		storetest.CodeOf(t, s.report(s.eve, s.post+2, "Spam", ""), data.NotFound, "gone")
		draft, err := s.Posts.Create(storetest.Ctx, s.ben, posts.Create{Community: "gophers", Title: "A draft", Text: "x", TextHTML: "<p>x</p>",
			Status: posts.Draft})
		require.NoError(t, err)
		storetest.CodeOf(t, s.report(s.eve, draft.ID, "Spam", ""), data.NotFound, "gone")
	})
	t.Run("closes what its author deletes", func(t *testing.T) {
		p := s.Post(s.ben, "gophers", "A third").ID
		c := s.said(s.ben, p, "x")
		before := s.thing(s.eve, p)
		require.NoError(t, s.report(s.ann, p, "Spam", ""))
		require.NoError(t, s.report(s.ann, c, "Spam", ""))
		_, err := s.Comments.Delete(storetest.Ctx, s.ben, c)
		require.NoError(t, err)
		_, err = s.Posts.Delete(storetest.Ctx, s.ben, p)
		require.NoError(t, err)
		for _, target := range []data.ID{p, c} {
			item, reasons := s.item(target)
			require.Equal(t, []any{int64(1), "decided", "deleted"}, item)
			require.Empty(t, reasons)
		}
		require.NoError(t, s.reports.Report(storetest.Ctx, s.eve, before, "Spam", ""))
		require.Empty(t, s.Rows("SELECT 1 FROM reports WHERE target_id = ?1 AND reporter_id = ?2", int64(p), int64(s.eve.UserID)),
			"it was gone by then")
	})
	t.Run("is refused when the session has ended", func(t *testing.T) {
		gone := s.Member("gone")
		require.NoError(t, s.Sessions.End(storetest.Ctx, gone))
		storetest.CodeOf(t, s.report(gone, s.post, "Spam", ""), data.Unauthenticated, "")
		item, _ := s.item(s.post)
		require.Equal(t, int64(3), item[0])
	})
	t.Run("weighs by the reputation of who reports", func(t *testing.T) {
		store := func(a data.Actor, accepted int64) {
			id := s.CommunityID("gophers")
			s.ExecAt(data.ID(id), "INSERT INTO reputations (community_id, user_id, posts) VALUES (?1, ?2, ?3)", id, int64(a.UserID), accepted)
		}
		trusted, known := s.Member("trusted"), s.Member("known")
		store(trusted, reputation.TrustedAccepted)
		store(known, reputation.KnownAccepted)
		*s.Clock = s.Clock.Add(reputation.TrustedAge)
		many, one := s.Post(s.ben, "gophers", "Many").ID, s.Post(s.ben, "gophers", "One").ID
		weight := func(target data.ID) any {
			return s.One("SELECT weight FROM queue_items WHERE target_id = ?1", int64(target))
		}
		for n := range 4 {
			require.NoError(t, s.report(s.Member(fmt.Sprint("young", n)), many, "Spam", ""))
		}
		for range 2 {
			require.NoError(t, s.report(trusted, one, "Spam", ""))
		}
		require.Equal(t, []any{int64(4), int64(5)}, []any{weight(many), weight(one)})
		require.Equal(t, []data.ID{one, many}, s.queue("gophers", reports.Heaviest)[:2])
		require.NoError(t, s.report(known, many, "Be kind", ""))
		require.Equal(t, int64(6), weight(many))
		decided, err := s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Approve},
			Targets: []data.ID{one}})
		require.NoError(t, err)
		require.NoError(t, decided.Err())
		require.NoError(t, s.report(known, one, "Spam", ""))
		require.Equal(t, int64(2), weight(one), "what was decided about does not count again")
	})
	t.Run("of a member is for administrators", func(t *testing.T) {
		r := s.DB.Read()
		ben, self, nobody := s.reports.FindMember(r, s.eve.UserID, "BEN"), s.reports.FindMember(r, s.eve.UserID, "eve"),
			s.reports.FindMember(r, s.eve.UserID, "nobody")
		require.NoError(t, r.Run(storetest.Ctx))
		require.NoError(t, s.reports.Report(storetest.Ctx, s.eve, ben, "Impersonation", ""))
		item, _ := s.item(s.ben.UserID)
		require.Equal(t, []any{int64(1), "open", ""}, item)
		require.Equal(t, int64(0), s.One("SELECT community_id FROM queue_items WHERE target_id = ?1", int64(s.ben.UserID)))
		storetest.CodeOf(t, s.reports.Report(storetest.Ctx, s.eve, self, "Spam", ""), data.Invalid, "your own")
		storetest.CodeOf(t, s.reports.Report(storetest.Ctx, s.eve, nobody, "Spam", ""), data.NotFound, "gone")
	})
}
