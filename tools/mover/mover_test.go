package mover_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/pace/deadline"
	"plaza/test/sitetest"
	"plaza/test/stacktest"
	"plaza/tools/mover"
	"plaza/tools/verify"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

// liveMove is why tests of moves belong to the night.
const liveMove = "the live move: operators move a community rarely, and TestPlainMove moves one by day"

var errStopped = errors.New("stopped")

func noSleep(context.Context, time.Duration) error { return nil }

// idOf is the id of a community.
func idOf(s *sitetest.Site, name string) (id data.ID) {
	s.Helper()
	require.NoError(s, s.Directory.QueryRow(`SELECT id FROM communities WHERE name = ?`, name).Scan((*int64)(&id)))
	return id
}

// verified requires that plaza verify finds nothing.
func verified(s *sitetest.Site) {
	s.Helper()
	var found []string
	_, err := verify.Run(s.Context(), verify.Options{Directory: s.Clients[0], Shards: s.Clients, Hot: s.Hot,
		Wait: func(context.Context) error { return nil }, Found: func(d verify.Difference) { found = append(found, d.String()) }})
	require.NoError(s, err)
	require.Empty(s, found)
}

// rowsOf are all rows that a shard has of a slot, by their table.
func rowsOf(s *sitetest.Site, shard, slot int) map[string][]string {
	s.Helper()
	all := map[string][]string{}
	for name, sql := range mover.Moved(slot) {
		rows, err := s.Shards[shard].Query(sql)
		require.NoError(s, err)
		columns, err := rows.Columns()
		require.NoError(s, err)
		all[name] = []string{}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			require.NoError(s, rows.Scan(into...))
			all[name] = append(all[name], fmt.Sprint(values...))
		}
		require.NoError(s, rows.Err())
		slices.Sort(all[name])
	}
	return all
}

// TestPlainMove moves a community from one shard to another. All rows are the same, and nothing differs.
func TestPlainMove(t *testing.T) {
	s := sitetest.OpenFilled(t, 2)
	slot := idOf(s, "Beta").Slot()
	before := rowsOf(s, 1, slot)
	require.NotEmpty(t, before["posts"])
	require.NotEmpty(t, before["comments"])
	require.NotEmpty(t, before["votes"])
	m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: noSleep}
	require.NoError(t, m.Run(t.Context(), slot, 0))
	require.Equal(t, before, rowsOf(s, 0, slot))
	for name, rows := range rowsOf(s, 1, slot) {
		require.Empty(t, rows, name)
	}
	verified(s)
}

// TestMove moves a community from a shard to another one, then to the directory, and from the directory. Each move is ended after each of its
// transactions. In the end all rows are the same, and nothing differs.
func TestMove(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 3)
	everyTable(s, idOf(s, "Beta"))
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
	slot := idOf(s, "Beta").Slot()
	before := rowsOf(s, 1, slot)
	for name, rows := range before {
		assert.NotEmpty(t, rows, name)
	}
	from := 1
	for _, to := range []int{2, 0, 1} {
		runs := moveInParts(s, slot, to)
		t.Log(from, "to", to, "in", runs, "runs")
		require.Greater(t, runs, 40)
		after := rowsOf(s, to, slot)
		delete(after, "link_previews")
		for name, rows := range after {
			require.Equal(t, before[name], rows, name)
		}
		for name, rows := range rowsOf(s, from, slot) {
			if name != "link_previews" {
				require.Empty(t, rows, name)
			}
		}
		verified(s)
		from = to
	}
}

// moveInParts moves a slot. It ends the move each time that it has come further, and where it begins a step anew, the first run after one
// transaction, the second after two, and so on.
func moveInParts(s *sitetest.Site, slot, to int) (runs int) {
	s.Helper()
	step, most := "", 0
	reached := map[string]bool{}
	for {
		runs++
		calls := 0
		m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Sleep: noSleep, Scanned: 150, After: func(name string, whole bool) error {
			if name != step {
				step, most, calls = name, 1, 0
			}
			var place string
			require.NoError(s, s.Directory.QueryRow(`SELECT place FROM slot_moves`).Scan(&place))
			calls++
			switch further := name + place; {
			case place != "" && !reached[further]:
				reached[further] = true
			case calls == most:
				most++
			default:
				return nil
			}
			return errStopped
		}}
		err := m.Run(s.Context(), slot, to)
		if err == nil {
			return runs
		}
		require.ErrorIs(s, err, errStopped)
		require.Less(s, runs, 2000)
	}
}

// everyTable has every table that is moved have rows of a community on shard 1.
func everyTable(s *sitetest.Site, community data.ID) {
	s.Helper()
	post := s.Post(s.Members[1], "Beta", "A text", "")
	s.Fold()
	_, err := s.Votes.Cast(s.Context(), s.Members[3], post.ID, 1) // to be counted
	require.NoError(s, err)
	comment := s.Comment(s.Members[2], post.ID, 0, "to be counted")
	at := time.Now() // once, because rows refer to each other
	other := func(n int) int64 {
		return int64(data.NewID(at, community.Slot(), data.KindPost, uint32(4000+n)))
	}
	key := func(n int) int64 { return int64(data.NewID(at, 0, data.KindOther, uint32(n))) }
	c, p, ann := int64(community), int64(post.ID), int64(s.Members[1].UserID)
	now := at.UnixMilli()
	for sql, args := range map[string][]any{
		`INSERT INTO flairs (id, community_id, place, text, colour, restricted) VALUES (?, ?, 0, 'news', '#00695c', 0)`:                        {key(1), c},
		`INSERT INTO flair_sets (community_id, revision, required) VALUES (?, 1, 0)`:                                                           {c},
		`INSERT INTO member_flairs (user_id, community_id, text, colour, fixed) VALUES (?, ?, 'reader', '#00695c', 0)`:                         {ann, c},
		`INSERT INTO link_previews (url, title, fetched_at) SELECT link, 'A page', 1 FROM posts WHERE community_id = ? AND link <> '' LIMIT 1`: {c},
		`INSERT INTO comment_sources (source, comment_id) VALUES ('elsewhere', ?)`:                                                             {int64(comment.ID)},
		`INSERT INTO rules (id, community_id, title, text, active, changed_by, changed_at) VALUES (?, ?, 'A rule', '', 0, ?, 1)`:               {key(2), c, ann},
		`INSERT INTO rule_hits (target_id, rule_id, site, community_id, title, answer, queued, created_at) VALUES (?1, ?2, 0, ?3, 'A rule', '', 0, ?4),
  (?1, 7, 1, ?3, 'One of the site', '', 0, ?4)`: {p, key(2), c, now},
		`INSERT INTO hides (user_id, post_id, created_at) VALUES (?, ?, 1)`:                                                                    {ann, p},
		`INSERT INTO saves (user_id, target_id, created_at) VALUES (?, ?, 1)`:                                                                  {ann, p},
		`INSERT INTO visits (user_id, post_id, seen_at) VALUES (?, ?, 1)`:                                                                      {ann, p},
		`INSERT INTO mentions (subject_id, name_key) VALUES (?, 'member1') ON CONFLICT DO NOTHING`:                                             {p},
		`INSERT INTO deleted_drafts (post_id, author_id, community_name, deleted_at) VALUES (?, ?, 'Beta', 1)`:                                 {other(1), ann},
		`INSERT INTO member_notes (id, community_id, user_id, author_id, body) VALUES (?, ?, ?, ?, 'a note')`:                                  {key(3), c, ann, ann},
		`INSERT INTO report_outcomes (target_id, decided_at, decision, came_at) VALUES (?, 1, 'ignore', 1)`:                                    {p},
		`UPDATE moderation_log SET undone_by = 5 WHERE id = (SELECT min(id) FROM moderation_log WHERE community_id = ? AND undone_by IS NULL)`: {c},
	} {
		if strings.Contains(sql, "rule_hits") { // after the rule
			defer exec(s, sql, args...)
			continue
		}
		exec(s, sql, args...)
	}
}

func exec(s *sitetest.Site, sql string, args ...any) {
	s.Helper()
	_, err := s.Shards[1].Exec(sql, args...)
	require.NoError(s, err, sql)
}

// TestMembersGoOn has members vote and comment all the time while their community moves, and what they wrote is counted all the time. Each
// answer that they were given holds afterwards.
func TestMembersGoOn(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	s := sitetest.OpenFilled(t, 3)
	verified(s)
	slot := idOf(s, "Beta").Slot()
	var posts []data.ID
	for _, shard := range s.Shards {
		rows, err := shard.Query(`SELECT id FROM posts WHERE status = 'published' AND locked = 0 AND community_name IN ('Alpha', 'Beta', 'Gamma') AND source IS NULL`)
		require.NoError(t, err)
		for rows.Next() {
			var id data.ID
			require.NoError(t, rows.Scan((*int64)(&id)))
			posts = append(posts, id)
		}
		require.NoError(t, rows.Err())
	}
	require.Greater(t, len(posts), 6)

	var all sync.WaitGroup
	stop := make(chan struct{})
	going := func() bool {
		select {
		case <-stop:
			return false
		default:
			return true
		}
	}
	type vote struct{ member, target data.ID }
	voted, said := make([]map[vote]int, 4), make([][]string, 4)
	for n := range 4 {
		voted[n] = map[vote]int{}
		a, random := s.Members[n+1], rand.New(rand.NewPCG(3, uint64(n)))
		all.Go(func() {
			last := map[data.ID]data.ID{}
			for i := 0; going(); i++ {
				post, ctx := posts[random.IntN(len(posts))], deadline.ForRequest(t.Context())
				a.Origin = data.Origin{Network: fmt.Sprintf("10.%d.0.0/24", random.IntN(200))}
				if i%3 == 0 {
					body := fmt.Sprintf("said %d by %d", i, n)
					c, _, err := s.Comments.Create(ctx, a, comments.Create{Post: post, Body: body, BodyHTML: body})
					if data.ErrorCode(err) == data.Forbidden { // muted
						continue
					}
					if !assert.NoError(t, err) {
						return
					}
					said[n], last[post] = append(said[n], body), c.ID
					continue
				}
				target, value := post, []int{1, -1, 0}[random.IntN(3)]
				if i%3 == 1 && last[post] != 0 {
					target = last[post]
				}
				if _, err := s.Votes.Cast(ctx, a, target, value); !assert.NoError(t, err) {
					return
				}
				voted[n][vote{a.UserID, target}] = value
			}
		})
	}
	all.Go(func() {
		for going() {
			if p, err := s.Votes.FindPending(t.Context(), 0); assert.NoError(t, err) {
				_, _ = s.Votes.Fold(t.Context(), p) // what is refused while the slot is closed waits
			}
		}
	})
	from := 1
	for _, to := range []int{2, 0, 1} {
		m := &mover.Move{Directory: s.Clients[0], Shards: s.Clients, Scanned: 500,
			Sleep: func(context.Context, time.Duration) error { return s.DB.ReadSlots(t.Context()) },
			After: func(step string, whole bool) error {
				if step == "copy" || step == "remove" {
					time.Sleep(20 * time.Millisecond) // others write meanwhile
				}
				return nil
			}}
		require.NoError(t, m.Run(t.Context(), slot, to))
		for name, rows := range rowsOf(s, from, slot) {
			if name != "link_previews" {
				require.Empty(t, rows, name)
			}
		}
		from = to
	}
	close(stop)
	all.Wait()
	s.Fold()
	require.NoError(t, s.Accounts.CopyKarma(t.Context()))
	verified(s)
	votes := 0
	for n := range 4 {
		for v, value := range voted[n] {
			var stored int
			require.NoError(t, s.ShardOf(v.target).QueryRow(`SELECT coalesce((SELECT value FROM votes WHERE target_id = ? AND user_id = ?), 0)`, int64(v.target), int64(v.member)).Scan(&stored))
			require.Equal(t, value, stored)
			votes++
		}
		for _, body := range said[n] {
			var there int
			for _, shard := range s.Shards {
				var count int
				require.NoError(t, shard.QueryRow(`SELECT count(*) FROM comments WHERE body = ?`, body).Scan(&count))
				there += count
			}
			require.Equal(t, 1, there, body)
		}
		require.Greater(t, len(said[n]), 10)
	}
	require.Greater(t, votes, 100)
	t.Log(votes, "votes on different targets,", len(slices.Concat(said...)), "comments")
}
