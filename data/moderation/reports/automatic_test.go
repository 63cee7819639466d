package reports_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/events/modlog"
	"plaza/data/moderation"
	"plaza/data/moderation/legalnotices"
	"plaza/data/moderation/reports"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

// TestRulesActOnReports has rules that require a number of reports.
func TestRulesActOnReports(t *testing.T) {
	s := open(t)
	moderating := &moderation.Store{Base: s.Posts.Base}
	rule := func(id data.ID, text string) *rules.Rule {
		list, err := rules.ParseAll(fmt.Sprint("rule: Rule ", int64(id), "\n", text))
		require.NoError(t, err)
		list[0].ID = id
		return list[0]
	}
	n := 0
	// report makes so many members report an item, which some rules hit, and returns how many entries of the log that has added.
	report := func(target data.ID, times int, judged ...*rules.Rule) int {
		t.Helper()
		before := len(s.RowsOfAll("SELECT 1 FROM moderation_log"))
		for range times {
			n++
			a := s.Member(fmt.Sprint("member", n))
			thing := s.thing(a, target)
			thing.RulesHit = judged
			require.NoError(t, s.reports.Report(storetest.Ctx, a, thing, "Spam", ""))
		}
		return len(s.RowsOfAll("SELECT 1 FROM moderation_log")) - before
	}
	queued := func(target data.ID) []any {
		return s.Rows("SELECT reports, status, decision, held, hits FROM queue_items WHERE target_id = ?1", int64(target))[0]
	}
	logged := func(target data.ID) [][]any {
		return s.Rows("SELECT action, rule, actor_id, undone_by IS NOT NULL FROM moderation_log WHERE target_id = ?1 ORDER BY id", int64(target))
	}
	status := func(target data.ID) []any {
		table := "posts"
		if target.IsComment() {
			table = "comments"
		}
		return s.Rows("SELECT status, held, created_at FROM "+table+" WHERE id = ?1", int64(target))[0]
	}
	holdRule := rule(7, "reports at least: 3\ndo: hold\nanswer: Please wait.")

	for name, target := range map[string]data.ID{"post": s.post, "comment": s.comment} {
		t.Run("hide a "+name+" when there are enough, until a moderator approves it, once", func(t *testing.T) {
			before := status(target)
			require.Zero(t, report(target, 2, holdRule))
			require.Equal(t, before, status(target))
			late := s.thing(s.eve, target)
			require.Equal(t, 1, report(target, 1, holdRule))
			require.Equal(t, []any{"removed", int64(0), before[2]}, status(target))
			require.Equal(t, []any{int64(3), "open", "", int64(1), int64(1)}, queued(target))
			require.Equal(t, [][]any{{"hold", "", int64(0), int64(0)}}, logged(target))
			require.NotEmpty(t, s.Rows("SELECT 1 FROM outbox WHERE subject_id = ?1 AND job = 'update'", int64(target)))
			late.RulesHit = []*rules.Rule{holdRule}
			require.NoError(t, s.reports.Report(storetest.Ctx, s.eve, late, "Spam", "who had the form open"))
			require.Len(t, logged(target), 1)

			ruled, err := s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Approve},
				Targets: []data.ID{target}})
			require.NoError(t, err)
			require.Equal(t, []data.ID{target}, ruled.Done)
			require.Equal(t, before, status(target), "it is where it was")
			require.Equal(t, [][]any{{"hold", "", int64(0), int64(1)}, {"approve", "", int64(s.ann.UserID), int64(0)}}, logged(target))
			require.Zero(t, report(target, 4, holdRule), "a moderator has decided")
			require.Equal(t, before, status(target))
		})
	}
	t.Run("let a moderator remove what they have hidden", func(t *testing.T) {
		for _, target := range []data.ID{s.Post(s.ben, "gophers", "Another").ID, s.said(s.ben, s.post, "Another")} {
			require.Equal(t, 1, report(target, 3, holdRule))
			ruled, err := s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Remove, Rule: "Spam"},
				Targets: []data.ID{target}})
			require.NoError(t, err)
			require.NoError(t, ruled.Err())
			require.Equal(t, []any{int64(3), "decided", "remove"}, queued(target)[:3])
			require.Equal(t, []any{"remove", "Spam", int64(s.ann.UserID), int64(0)}, logged(target)[1])
			_, err = moderating.Decide(storetest.Ctx, s.ann, moderation.Decision{Community: "gophers", Act: modlog.Act{Action: modlog.Approve}},
				target)
			require.NoError(t, err)
			require.Equal(t, "published", status(target)[0])
		}
	})
	t.Run("remove for a reason, and lock and mark, in the log", func(t *testing.T) {
		p, c := s.Post(s.ben, "gophers", "A third").ID, s.said(s.ben, s.post, "A third")
		act := rule(8, "reports at least: 2\ndo: remove, lock, nsfw\nreason: Spam\nanswer: Stop it.")
		other := rule(9, "reports at least: 2\ndo: report")
		require.Equal(t, 3, report(p, 2, act, other))
		require.Equal(t, 1, report(c, 2, act))
		require.Equal(t, [][]any{{"remove", "Spam", int64(0), int64(0)}, {"lock", "", int64(0), int64(0)}, {"nsfw", "", int64(0), int64(0)}},
			logged(p))
		require.Equal(t, []any{int64(1), int64(1)}, s.Rows("SELECT locked, nsfw FROM posts WHERE id = ?1", int64(p))[0])
		for _, target := range []data.ID{p, c} {
			require.Equal(t, "removed", status(target)[0])
			require.Equal(t, []any{"decided", "remove"}, queued(target)[1:3])
			require.NotEmpty(t, s.Rows("SELECT 1 FROM outbox WHERE subject_id = ?1 AND job = 'reported'", int64(target)), "reporters are told")
		}
	})
	t.Run("see all that is read", func(t *testing.T) {
		judge := &rules.Store{Base: s.Posts.Base, HTML: func(text string) string { return text }}
		require.NoError(t, judge.Save(storetest.Ctx, s.ann, "gophers", rule(20, "words: casino\nreports at least: 1\ndo: hold"),
			rule(21, "pictures at least: 2\nreports at least: 1\ndo: hold")))
		s.Exec("UPDATE rules SET active = 1")
		p, c := s.Post(s.ben, "gophers", "Fine").ID, s.said(s.ben, s.post, "Fine")
		hits := func(target data.ID) (list []string) {
			thing := s.thing(s.eve, target)
			judged, err := judge.Reported(storetest.Ctx, thing.AuthorID, target, thing.Content)
			require.NoError(t, err)
			for _, r := range judged {
				list = append(list, r.Title)
			}
			return list
		}
		require.Empty(t, hits(p))
		require.Empty(t, hits(c))
		for _, table := range []string{"posts", "comments"} {
			s.Exec("UPDATE "+table+` SET pictures = '[{"sum":"a"},{"sum":"b","alt":"A casino\u0022"}]' WHERE id IN (?1, ?2)`, int64(p), int64(c))
		}
		require.ElementsMatch(t, []string{"Rule 20", "Rule 21"}, hits(p))
		require.ElementsMatch(t, []string{"Rule 20", "Rule 21"}, hits(c))
		s.Exec(`UPDATE posts SET pictures = '', crosspost = '{"title":"Casino"}' WHERE id = ?1`, int64(p))
		require.Equal(t, []string{"Rule 20"}, hits(p))
	})
	t.Run("answer below it, and hide it", func(t *testing.T) {
		reply := rule(10, "reports at least: 2\ndo: answer\nanswer: Be kind.")
		both := rule(11, "reports at least: 3\ndo: answer, hold\nanswer: Wait.")
		reply.ReplyHTML, both.ReplyHTML = "<p>Be kind.</p>", "<p>Wait.</p>"
		for table, target := range map[string]data.ID{"posts": s.Post(s.ben, "gophers", "Answered").ID,
			"comments": s.said(s.ben, s.post, "Answered")} {
			autoReply := func() any { return s.One("SELECT auto_reply FROM "+table+" WHERE id = ?1", int64(target)) }
			require.Zero(t, report(target, 1, reply, both))
			require.Empty(t, autoReply())
			require.Zero(t, report(target, 1, reply, both))
			require.Equal(t, "<p>Be kind.</p>", autoReply())
			s.Exec("UPDATE "+table+" SET auto_reply = '' WHERE id = ?1", int64(target)) // a moderator removes it
			require.Equal(t, 1, report(target, 1, reply, both))
			require.Equal(t, "<p>Wait.</p>", autoReply())
			require.Equal(t, "removed", status(target)[0])
		}
	})
	t.Run("count members alone, because a notice needs no account", func(t *testing.T) {
		given := &legalnotices.Store{Base: s.Posts.Base}
		for i, test := range []struct {
			legalNotices, objections, members int
			removed                           bool
		}{{2, 0, 1, false}, {3, 0, 1, false}, {12, 0, 2, false}, {1, 1, 2, false}, {5, 0, 3, true}, {0, 0, 3, true}, {1, 1, 3, true}} {
			for _, target := range []data.ID{s.Post(s.ben, "gophers", fmt.Sprint("Noticed ", i)).ID, s.said(s.ben, s.post, fmt.Sprint("Noticed ", i))} {
				for k := range test.legalNotices {
					n, err := given.Send(storetest.Ctx, legalnotices.Notice{Kind: legalnotices.Rights, Text: fmt.Sprint("Copy ", k), Name: "Eve",
						Email: "eve@example.org"}, legalnotices.Place{ID: target}, "", "")
					require.NoError(t, err)
					require.NoError(t, given.Confirm(storetest.Ctx, n.ID))
					if k < test.objections {
						_, err = s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Ignore},
							Targets: []data.ID{target}})
						require.NoError(t, err)
						*s.Clock = s.Clock.Add(time.Minute)
						require.NoError(t, given.FinishDecided(storetest.Ctx))
						require.NoError(t, given.Object(storetest.Ctx, n.ID, "No."))
					}
				}
				report(target, test.members, holdRule)
				require.Equal(t, test.removed, status(target)[0] == "removed", "%+v", test)
				require.EqualValues(t, test.members+max(test.legalNotices-test.objections, test.objections), queued(target)[0], "they are in the queue: %+v", test)
			}
		}
	})
	t.Run("leave alone what a moderator has said to ignore reports of", func(t *testing.T) {
		p := s.Post(s.ben, "gophers", "Ignored").ID
		require.Zero(t, report(p, 2, holdRule))
		_, err := s.reports.Decide(storetest.Ctx, s.ann, "gophers", reports.Decision{Act: modlog.Act{Action: reports.Ignore},
			Targets: []data.ID{p}})
		require.NoError(t, err)
		require.Zero(t, report(p, 3, holdRule))
		require.Equal(t, "published", status(p)[0])
	})
}
