package reports_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation/reports"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// walk reads all pages of a queue, with two items on each.
func (s *site) walk(order data.Order, find func(r *data.Read, after data.Cursor) *data.Page[*reports.Item]) (items []*reports.Item) {
	s.Helper()
	for after := (data.Cursor{}); ; {
		r := s.DB.Read()
		page := find(r, after)
		require.NoError(s, r.Run(storetest.Ctx))
		items = append(items, page.Items()...)
		if after = page.Next(); after.IsZero() {
			return items
		}
		again, err := data.ParseCursor(byte(order), after.String())
		require.NoError(s, err)
		require.Equal(s, after, again)
	}
}

func (s *site) queue(community string, order data.Order) (targets []data.ID) {
	for _, i := range s.walk(order, func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
		return s.reports.FindQueue(r, community, reports.Everything, order, after, 2)
	}) {
		targets = append(targets, i.Target)
	}
	return targets
}

// all returns the queue of all communities of a moderator.
func (s *site) all(m reports.Moderator, order data.Order) (targets []data.ID) {
	for _, i := range s.walk(order, func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
		return s.reports.FindAll(r, m, reports.Everything, order, after, 2)
	}) {
		targets = append(targets, i.Target)
	}
	return targets
}

func TestQueue(t *testing.T) {
	s := open(t)
	s.Community(s.ann, "Gardens")
	s.Community(s.eve, "Guitars")
	var ids []data.ID
	for i, community := range []string{"gophers", "gardens", "guitars", "gophers", "gardens"} {
		p := s.Post(s.ben, community, fmt.Sprint("Post ", i)).ID
		for n := range 1 + i%3 {
			require.NoError(t, s.report(s.Member(fmt.Sprintf("m%d_%d", i, n)), p, "Spam", fmt.Sprint("because ", n)))
		}
		ids = append(ids, p)
	}
	require.NoError(t, s.report(s.eve, s.comment, "Be kind", ""))
	r := s.DB.Read()
	ben := s.reports.FindMember(r, s.eve.UserID, "ben")
	require.NoError(t, r.Run(storetest.Ctx))
	require.NoError(t, s.reports.Report(storetest.Ctx, s.eve, ben, "Spam", ""))

	require.Equal(t, []data.ID{s.comment, ids[3], ids[0]}, s.queue("Gophers", reports.Newest))
	most := []data.ID{s.comment, ids[3], ids[0]}
	slices.SortFunc(most, func(a, b data.ID) int { return int(b - a) })
	require.Equal(t, most, s.queue("gophers", reports.Heaviest), "those with as many reports by their ids")
	require.Equal(t, []data.ID{ids[4], ids[1]}, s.queue("gardens", reports.Heaviest))

	one := len(s.All()) == 1
	moderatorOf := func(m reports.Moderator, names ...string) reports.Moderator {
		if !one { // a site with shards reads them in the directory first
			m.Communities = names
			return m
		}
		return reports.Moderator{ID: m.ID}
	}
	ann := moderatorOf(reports.Moderator{ID: s.ann.UserID}, "gophers", "gardens")
	require.Equal(t, []data.ID{s.comment, ids[4], ids[3], ids[1], ids[0]}, s.all(ann, reports.Newest))
	require.Equal(t, []data.ID{ids[4], ids[1]}, s.all(ann, reports.Heaviest)[:2])
	require.Empty(t, s.all(moderatorOf(reports.Moderator{ID: s.ben.UserID}), reports.Newest))
	root := s.Member("rita")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	all := []data.ID{ben.ID, s.comment, ids[4], ids[3], ids[2], ids[1], ids[0]}
	require.Equal(t, all, s.all(moderatorOf(reports.Moderator{ID: root.UserID, Admin: true}), reports.Newest))

	items := s.walk(reports.Newest, func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
		return s.reports.FindQueue(r, "gardens", reports.Everything, reports.Newest, after, 9)
	})
	require.Equal(t, []reports.Reason{{Title: "Spam", Reports: 2}}, items[0].Reasons)
	require.Equal(t, []string{"because 1", "because 0"}, items[0].Texts)
	require.Equal(t, "Post 4", items[0].Title)
	require.Equal(t, "/c/Gardens/p/post-4", items[0].URL())
	members := s.walk(reports.Newest, func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
		return s.reports.FindAll(r, moderatorOf(reports.Moderator{ID: root.UserID, Admin: true}), reports.Everything, reports.Newest, after, 9)
	})
	require.Equal(t, "/u/ben", members[0].URL())
	require.Equal(t, "A comment", members[1].Text)

	t.Run("is counted for the moderators", func(t *testing.T) {
		copyCounts := func() { // in a new instance, which has no slots cached yet
			store := *s.reports
			store.DB = s.Databases.Open()
			require.NoError(t, store.CopyCounts(storetest.Ctx))
		}
		copyCounts()
		waiting := func(a data.Actor) int {
			r := s.DB.Read()
			v := s.Accounts.FindViewer(r, a)
			require.NoError(t, r.Run(storetest.Ctx))
			return v.Waiting()
		}
		require.Equal(t, 5, waiting(s.ann))
		require.Equal(t, 1, waiting(s.eve))
		require.Zero(t, waiting(s.ben))
		_, err := s.reports.Decide(storetest.Ctx, s.eve, "guitars", reports.Decision{Act: modlog.Act{Action: reports.Ignore}, Targets: ids[2:3]})
		require.NoError(t, err)
		copyCounts()
		require.Zero(t, waiting(s.eve))
	})
}

// TestCountsInTheDirectory has a directory that is a shard, too. A trigger counts the waiting items of its communities, and CopyCounts
// must not change these counts, even in a new instance, which has no slots cached yet.
func TestCountsInTheDirectory(t *testing.T) {
	directory, shard := stacktest.OpenSchema(t), stacktest.OpenSchema(t)
	s := &site{Stores: storetest.On(t, data.NewDB(directory, directory, shard), storetest.DatabasesOf(t, directory, directory, shard),
		stacktest.OpenRedis(t))}
	s.reports = &reports.Store{Base: s.Posts.Base}
	ann, eve := s.Member("ann"), s.Member("eve")
	for i := range 2 {
		s.CommunityOn(i, ann, fmt.Sprint("place", i))
	}
	for i := range 2 {
		name := fmt.Sprint("place", i)
		require.Equal(t, i, s.Number(data.ID(s.CommunityID(name))))
		require.NoError(t, s.report(eve, s.Post(ann, name, "A post").ID, "Spam", ""))
	}
	for range 2 {
		store := *s.reports
		store.DB = s.Databases.Open()
		require.NoError(t, store.CopyCounts(storetest.Ctx))
		rows, err := directory.Query(storetest.Ctx, storetest.StmtOf("SELECT name FROM communities WHERE name LIKE 'place%' AND waiting <> 1"))
		require.NoError(t, err)
		require.Empty(t, rows[0].Rows(), "each has a case")
	}
}

func TestDecide(t *testing.T) {
	s := open(t)
	cat := s.Member("cat")
	s.Exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT id, ?1, 'cat', 0 FROM communities WHERE name_key = "+
		"'gophers'", int64(cat.UserID))
	decide := func(a data.Actor, d modlog.Action, rule string, targets ...data.ID) (*reports.Result, error) {
		return s.reports.Decide(storetest.Ctx, a, "gophers", reports.Decision{Act: modlog.Act{Action: d, Rule: rule, Note: "Please."},
			Targets: targets})
	}
	status := func(table string, id data.ID) any {
		return s.One("SELECT status FROM "+table+" WHERE id = ?1", int64(id))
	}
	reported := func(reason string) data.ID {
		p := s.Post(s.ben, "gophers", "Reported").ID
		require.NoError(t, s.report(s.eve, p, reason, "x"))
		return p
	}

	t.Run("removes for the rule that is chosen, never for what was reported", func(t *testing.T) {
		kind, spam := reported("Be kind"), reported("Spam")
		require.NoError(t, s.report(s.eve, s.comment, "Be kind", ""))
		harm := reported("Suicide or self-harm")
		for _, p := range []data.ID{harm, spam, kind} {
			_, err := decide(s.ann, reports.Remove, "", p)
			storetest.CodeOf(t, err, data.Invalid, "choose the rule")
			require.Equal(t, "published", status("posts", p))
		}
		require.Empty(t, s.Rows("SELECT rule FROM moderation_log WHERE rule <> ''"))
		for range 2 { // as if sent twice
			ruled, err := decide(s.ann, reports.Remove, "Be kind", kind, spam, s.comment)
			require.NoError(t, err)
			require.NoError(t, ruled.Err())
			require.ElementsMatch(t, []data.ID{kind, spam, s.comment}, ruled.Done)
		}
		require.Equal(t, "removed", status("posts", kind))
		require.Equal(t, "removed", status("posts", spam))
		require.Equal(t, "removed", status("comments", s.comment))
		require.Equal(t, [][]any{{"Be kind", "Please."}}, s.Rows("SELECT rule, note FROM moderation_log WHERE target_id = ?1", int64(kind)))
		item, reasons := s.item(kind)
		require.Equal(t, []any{int64(1), "decided", "remove"}, item)
		require.Empty(t, reasons)
		_, err := decide(s.ann, reports.Ignore, "", harm)
		require.NoError(t, err)
	})
	t.Run("lets new reports bring back what was approved, not what is ignored", func(t *testing.T) {
		approved, ignored := reported("Spam"), reported("Spam")
		_, err := decide(s.ann, reports.Approve, "", approved)
		require.NoError(t, err)
		_, err = decide(s.ann, reports.Ignore, "", ignored)
		require.NoError(t, err)
		require.Empty(t, s.queue("gophers", reports.Newest))
		for _, p := range []data.ID{approved, ignored} {
			require.Equal(t, "published", status("posts", p))
			require.NoError(t, s.report(cat, p, "Be kind", ""))
		}
		require.Equal(t, []data.ID{approved}, s.queue("gophers", reports.Newest))
		item, reasons := s.item(approved)
		require.Equal(t, []any{int64(1), "open", ""}, item)
		require.Equal(t, [][]any{{"Be kind", int64(1)}}, reasons, "those before were decided about")
		_, err = decide(s.ann, reports.Approve, "", approved)
		require.NoError(t, err)
	})
	t.Run("tells the second of two moderators who was faster", func(t *testing.T) {
		p, q := reported("Spam"), reported("Spam")
		_, err := decide(s.ann, reports.Approve, "", p)
		require.NoError(t, err)
		ruled, err := decide(cat, reports.Remove, "Spam", p, q)
		require.NoError(t, err)
		require.Equal(t, []data.ID{p}, ruled.Late)
		require.Equal(t, []data.ID{q}, ruled.Done)
		storetest.CodeOf(t, ruled.Err(), data.Conflict, "ann was faster: one of these was decided already. The others")
		require.Equal(t, "published", status("posts", p))
		require.Equal(t, "removed", status("posts", q))
	})
	t.Run("asks for a rule that there is", func(t *testing.T) {
		p, other := reported("Spam"), s.Post(s.ben, "gophers", "Other").ID
		require.NoError(t, s.report(s.eve, other, reports.Other, "odd"))
		_, err := decide(s.ann, reports.Remove, "", other)
		storetest.CodeOf(t, err, data.Invalid, "choose the rule")
		ruled, err := decide(s.ann, reports.Remove, "No such rule", p)
		require.NoError(t, err)
		storetest.CodeOf(t, ruled.Err(), data.Invalid, "no such rule")
		item, _ := s.item(p)
		require.Equal(t, "open", item[1])
		_, err = decide(s.ann, reports.Ignore, "", p, other)
		require.NoError(t, err)
	})
	t.Run("is for who moderates", func(t *testing.T) {
		s.Community(s.eve, "Guitars")
		p := reported("Spam")
		for _, d := range []modlog.Action{reports.Remove, reports.Approve, reports.Ignore} {
			_, err := decide(s.eve, d, "", p)
			storetest.CodeOf(t, err, data.Forbidden, "")
			_, err = s.reports.Decide(storetest.Ctx, s.eve, "", reports.Decision{Act: modlog.Act{Action: d}, Targets: []data.ID{p}})
			storetest.CodeOf(t, err, data.Forbidden, "")
			_, err = s.reports.Decide(storetest.Ctx, s.eve, "guitars", reports.Decision{Act: modlog.Act{Action: d}, Targets: []data.ID{p}})
			storetest.CodeOf(t, err, data.NotFound, "")
		}
		item, _ := s.item(p)
		require.Equal(t, "open", item[1])
		require.Equal(t, "published", status("posts", p))
		_, err := decide(s.ann, reports.Ignore, "", slices.Repeat([]data.ID{p}, 101)...)
		storetest.CodeOf(t, err, data.Invalid, "at most 100")
		_, err = decide(s.ann, reports.Ignore, "")
		storetest.CodeOf(t, err, data.Invalid, "select at least one")
		_, err = decide(s.ann, "burn", "", p)
		storetest.CodeOf(t, err, data.Invalid, "A decision is")
	})
	t.Run("of reports about members is for administrators", func(t *testing.T) {
		root := s.Member("rita")
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
		r := s.DB.Read()
		ben := s.reports.FindMember(r, s.eve.UserID, "ben")
		require.NoError(t, r.Run(storetest.Ctx))
		require.NoError(t, s.reports.Report(storetest.Ctx, s.eve, ben, "Impersonation", ""))
		_, err := s.reports.Decide(storetest.Ctx, s.ann, "", reports.Decision{Act: modlog.Act{Action: reports.Ignore}, Targets: []data.ID{ben.ID}})
		storetest.CodeOf(t, err, data.Forbidden, "")
		_, err = s.reports.Decide(storetest.Ctx, root, "", reports.Decision{Act: modlog.Act{Action: reports.Remove}, Targets: []data.ID{ben.ID}})
		storetest.CodeOf(t, err, data.Invalid, "Members")
		ruled, err := s.reports.Decide(storetest.Ctx, root, "", reports.Decision{Act: modlog.Act{Action: reports.Ignore},
			Targets: []data.ID{ben.ID}})
		require.NoError(t, err)
		require.Equal(t, []data.ID{ben.ID}, ruled.Done)
	})
}

// TestRowsRead has 100,000 waiting items: a page reads about as many rows as in a short queue.
func TestRowsRead(t *testing.T) {
	s := open(t)
	id := s.CommunityID("gophers")
	s.ExecAt(data.ID(id), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
INSERT INTO queue_items (target_id, community_id, reports, weight, came_at, held, hits) SELECT i * 4194304 + ((?1 >> 12) & 1023) * 4096, ?1,
  1, 1 + i % 40, i / 7, i % 2, i % 3 FROM n`, id)
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'ann'")
	for _, place := range []struct {
		filter reports.Filter
		order  data.Order
	}{{reports.Everything, reports.Newest}, {reports.Everything, reports.Heaviest}, {reports.Reported, reports.Newest},
		{reports.Held, reports.Newest}, {reports.Hit, reports.Newest}} {
		order := place.order
		for name, find := range map[string]func(r *data.Read, after data.Cursor) *data.Page[*reports.Item]{
			"of a community": func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
				return s.reports.FindQueue(r, "gophers", place.filter, order, after, 25)
			},
			"of all": func(r *data.Read, after data.Cursor) *data.Page[*reports.Item] {
				return s.reports.FindAll(r, reports.Moderator{ID: s.ann.UserID, Admin: true, Communities: []string{"gophers"}}, place.filter, order,
					after, 25)
			},
		} {
			for _, after := range []data.Cursor{{}, {Order: byte(order), Value: 20, ID: 50000 << 22}} {
				ctx, meter := s.Metered()
				r := s.DB.Read()
				page := find(r, after)
				require.NoError(t, r.Run(ctx))
				require.Len(t, page.Items(), 25, name)
				require.LessOrEqual(t, meter.RowsRead(), int64(600), "%s %v", name, place)
			}
		}
	}
}

// TestTitlesOfRulesAreDistinct: however many blocked pictures an item has, the title that their hits share is shown once.
func TestTitlesOfRulesAreDistinct(t *testing.T) {
	s := open(t)
	s.ExecAt(s.post, `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, message, queued, created_at)
SELECT p.id, i, 0, p.community_id, iif(i IN (2, 29), 'Rude', 'Blocked picture'), '', 1, 1 FROM n CROSS JOIN posts p WHERE p.id = ?1`,
		int64(s.post))
	r := s.DB.Read()
	page := s.reports.FindQueue(r, "gophers", reports.Hit, reports.Newest, data.Cursor{}, 2)
	require.NoError(t, r.Run(storetest.Ctx))
	require.Len(t, page.Items(), 1)
	require.ElementsMatch(t, []string{"Blocked picture", "Rude"}, page.Items()[0].Rules)
}
