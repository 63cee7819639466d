package rules_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/pace/deadline"
	"plaza/data/rights/rules"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// counts returns how many items each rule has hit, by its id.
func counts(s *storetest.Stores) map[int64]int64 {
	s.Helper()
	found := map[int64]int64{}
	for _, row := range s.Rows("SELECT rule_id, hits FROM rule_counts") {
		found[row[0].(int64)] += row[1].(int64)
	}
	return found
}

// TestHitsAreNotLost has forty rules hit 250 posts, eight writers at a time, while requests and responses get lost: before the commit,
// and after it. After an error, the writer retries. Each hit counts once.
func TestHitsAreNotLost(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	sql := hrana.New(hrana.Options{URL: url, HTTP: storetest.Line{Name: storetest.ToSQL, Http: client}, Attempts: 4, WorkTime: time.Minute,
		Sleep: func(ctx context.Context, d time.Duration) error {
			return deadline.DefaultSleep(ctx, min(d, time.Millisecond))
		}})
	s := storetest.New(t, data.NewDB(sql), sql, stacktest.OpenRedisIfAny(t))
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	first := s.Post(ann, "gophers", "One")
	const things, together, writers = 250, 5, 8
	created := make([]storetest.Bulk, things)
	for i := range created {
		created[i] = storetest.Bulk{ID: int64(first.ID) + int64(i+1)*2, Community: s.CommunityID("gophers"), Name: "gophers",
			Created: s.Clock.UnixMilli()}
	}
	s.Insert(created)
	var hits []rules.Hit
	want := map[int64]int64{}
	for i := range 40 {
		hits = append(hits, rules.Hit{Rule: data.ID(70 + i), Title: "A rule", Queued: true})
		want[int64(70+i)] = things
	}
	verdict := rules.Verdict{Hits: hits}
	batches := make(chan []storetest.Bulk, things)
	for i := 0; i < things; i += together {
		batches <- created[i : i+together]
	}
	close(batches)
	var all sync.WaitGroup
	var failed atomic.Int64
	for n := range writers {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			for list := range batches {
				for try := 0; ; try++ {
					w := s.DB.WriteAt(first.ID)
					for _, x := range list {
						verdict.Record(w, s.Posts.Source, data.ID(x.ID), false)
					}
					chance := 0.5
					if try > 20 {
						chance = 0
					}
					if w.Run(storetest.With(context.Background(), storetest.ToSQL, storetest.RandomTrouble(rng, chance))) == nil {
						break
					}
					failed.Add(1)
				}
			}
		})
	}
	all.Wait()
	require.NotZero(t, failed.Load(), "nothing got lost")
	require.Equal(t, want, counts(s))
	require.Equal(t, [][]any{{int64(things), int64(things * len(hits))}},
		s.Rows("SELECT count(*), sum(hits) FROM queue_items GROUP BY community_id"))
}

// TestHitsOfChanges follows hits through edits, drafts and scheduled posts.
func TestHitsOfChanges(t *testing.T) {
	s := storetest.Open(t)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	hit := func(rule data.ID, queued bool) rules.Verdict {
		return rules.Verdict{Hits: []rules.Hit{{Rule: rule, Title: "A rule", Queued: queued}}, ReplyHTML: "<p>Rule " + rule.Text() + "</p>"}
	}
	autoReply := func(id data.ID) string {
		table := "posts"
		if id.IsComment() {
			table = "comments"
		}
		return s.Rows("SELECT auto_reply FROM "+table+" WHERE id = ?1", int64(id))[0][0].(string)
	}
	post := s.Post(ann, "gophers", "One")
	comment := s.Comment(ann, post.ID, 0, "Said")

	t.Run("an edit counts, and is answered, with the transaction that saves it", func(t *testing.T) {
		edit := posts.Edit{ID: post.ID, Text: "Changed", TextHTML: "<p>Changed</p>", Judged: hit(7, true)}
		for range 2 { // the response was lost, and the author retries
			_, err := s.Posts.Edit(storetest.Ctx, ann, edit)
			require.NoError(t, err)
		}
		_, err := s.Posts.Edit(storetest.Ctx, ann, posts.Edit{ID: post.ID, Text: "Somebody's older form", TextHTML: "<p>x</p>", Revision: 1,
			Judged: hit(8, true)})
		require.Error(t, err)
		_, err = s.Comments.Edit(storetest.Ctx, ann, comments.Edit{ID: comment.ID, Body: "Changed", BodyHTML: "<p>Changed</p>",
			Judged: hit(7, true)})
		require.NoError(t, err)
		_, err = s.Comments.Edit(storetest.Ctx, ann, comments.Edit{ID: comment.ID, Body: "Older", BodyHTML: "<p>x</p>", Revision: 1,
			Judged: hit(8, true)})
		require.Error(t, err)
		require.Equal(t, map[int64]int64{7: 2}, counts(s))
		require.Equal(t, [][]any{{int64(2)}}, s.Rows("SELECT sum(hits) FROM queue_items GROUP BY community_id"))
		require.Equal(t, "<p>Rule "+data.ID(7).Text()+"</p>", autoReply(post.ID))
		require.Equal(t, "<p>Rule "+data.ID(7).Text()+"</p>", autoReply(comment.ID))
	})
	t.Run("a scheduled post counts, and waits, from its publication on, by what was judged last", func(t *testing.T) {
		due := s.Clock.Add(time.Hour)
		create := posts.Create{Community: "gophers", Title: "Later", Text: "x", TextHTML: "<p>x</p>", Status: posts.Scheduled, PublishAt: due,
			Judged: hit(20, true)}
		later, err := s.Posts.Create(storetest.Ctx, ann, create)
		require.NoError(t, err)
		create.Title = "Withdrawn"
		withdrawn, err := s.Posts.Create(storetest.Ctx, ann, create)
		require.NoError(t, err)
		create.Text, create.Judged = "y", hit(21, true)
		for _, id := range []data.ID{later.ID, withdrawn.ID} {
			_, err := s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: id, Create: create})
			require.NoError(t, err)
		}
		source := func(id data.ID) int64 {
			return s.Rows("SELECT edited_at FROM posts WHERE id = ?1", int64(id))[0][0].(int64)
		}
		create.Status = posts.Draft
		_, err = s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: withdrawn.ID, Revision: source(withdrawn.ID), Create: create})
		require.NoError(t, err)
		require.Equal(t, map[int64]int64{7: 2}, counts(s))
		require.Empty(t, s.Rows("SELECT 1 FROM queue_items WHERE target_id = ?1", int64(later.ID)))
		*s.Clock = due.Add(time.Hour)
		for range 2 {
			_, err := s.Posts.PublishDue(storetest.Ctx)
			require.NoError(t, err)
		}
		require.Equal(t, map[int64]int64{7: 2, 21: 1}, counts(s))
		require.Equal(t, [][]any{{int64(1), "open"}}, s.Rows("SELECT hits, status FROM queue_items WHERE target_id = ?1", int64(later.ID)))
		require.Equal(t, "<p>Rule "+data.ID(21).Text()+"</p>", autoReply(later.ID))
		require.Empty(t, autoReply(withdrawn.ID))
		require.Empty(t, s.Rows("SELECT 1 FROM rule_hits WHERE later = 1"))
		_, err = s.Posts.PublishDraft(storetest.Ctx, ann, withdrawn.ID, source(withdrawn.ID), true, hit(22, false))
		require.NoError(t, err)
		require.Equal(t, map[int64]int64{7: 2, 21: 1, 22: 1}, counts(s))
	})
}

// TestTry tries rules on posts and comments whose authors' facts are estimated.
func TestTry(t *testing.T) {
	s := storetest.Open(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	post := s.Post(ben, "gophers", "The first casino")
	for range 3 {
		s.Comment(ben, post.ID, 0, "A casino again")
	}
	s.Post(ann, "gophers", "Something else")
	*s.Clock = s.Clock.Add(2 * time.Hour)
	s.Post(ben, "gophers", "Casino, the last time")
	s.ApplyAll()
	s.Exec("UPDATE posts SET author_id = NULL WHERE title = 'Something else'") // imported
	store := &rules.Store{Base: s.Posts.Base}
	tried := func(community, text string) string {
		t.Helper()
		list, err := rules.ParseAll("rule: x\n" + text + "\ndo: hold")
		require.NoError(t, err)
		r := s.DB.Read()
		p, c := store.Try(r, community, list[0])
		require.NoError(t, r.Run(storetest.Ctx))
		require.Equal(t, []int{3, 3}, []int{p.Checked, c.Checked})
		all, _ := json.Marshal([]int{p.Total, c.Total})
		return string(all)
	}
	for text, want := range map[string]string{
		"words: casino": "[2,3]", "words: casin*\nkinds: comment": "[0,3]", "pattern: (?i)^casino": "[1,0]", "links at least: 1": "[0,0]",
		"words: else": "[1,0]", "words: else\nkarma below: 9": "[0,0]",
		"accepted below: 1": "[1,0]", "accepted below: 3\nwords: casino": "[1,2]", "standing: known, trusted": "[0,0]", "standing: new": "[2,3]",
		"in an hour more than: 2": "[0,1]", "reports at least: 1": "[0,0]",
	} {
		require.Equal(t, want, tried("gophers", text), text)
		require.Equal(t, want, tried("", text), "of the site: "+text)
	}
	s.Exec(`UPDATE posts SET pictures = '[{"sum":"a","alt":"A hidden roulette"},{"sum":"b","alt":"and \u0022more\u0022"}]', image = 'https://a.example/x.png' WHERE id = (SELECT min(id) FROM posts)`)
	require.Equal(t, "[1,0]", tried("gophers", "pictures at least: 3"))
	require.Equal(t, "[0,0]", tried("gophers", "pictures at least: 4"))
	s.Exec(`UPDATE comments SET pictures = '[{"sum":"a"},{"sum":"b","alt":"Roulette"}]' WHERE id = (SELECT min(id) FROM comments)`)
	for _, place := range []string{"gophers", ""} {
		require.Equal(t, "[1,1]", tried(place, "words: roulette"), "descriptions of pictures")
		require.Equal(t, "[1,0]", tried(place, `pattern: and "more"`), "descriptions of pictures")
	}
	s.Exec(`UPDATE posts SET crosspost = '{"title":"Blackjack","link":"https://cards.example/"}' WHERE id = (SELECT max(id) FROM posts)`)
	for _, place := range []string{"gophers", ""} {
		require.Equal(t, "[1,0]", tried(place, "words: blackjack\ndomains: cards.example"), "what a crosspost shows")
	}
	s.Exec(`INSERT INTO reports (target_id, reporter_id, community_id, reason, text, created_at)
SELECT p.id, j.value, p.community_id, 'Spam', '', 1 FROM posts p, json_each('[-8, -6, 7]') j WHERE p.id = (SELECT min(id) FROM posts)`)
	require.Equal(t, "[1,0]", tried("gophers", "reports at least: 1"))
	require.Equal(t, "[0,0]", tried("", "reports at least: 2"), "notices don't count")
}
