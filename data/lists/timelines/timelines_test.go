package timelines_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts"
	"plaza/data/content/posts"
	"plaza/data/events/outbox"
	"plaza/data/rights/rules"
	"plaza/test/storetest"
)

func TestAuthorsOfAnySize(t *testing.T) {
	k := open(t)
	small, middle, large := k.Member("small"), k.Member("middle"), k.Member("large")
	k.Community(small, "gophers")
	k.addFollowers(100, 3, small)
	k.addFollowers(10_000, 3000, middle)
	k.addFollowers(100_000, 30_000, large)

	cost := func(p *posts.Post) (requests, written int64) {
		ctx, meter := k.Metered()
		rest, err := k.Timelines.FanOut(ctx, []data.ID{p.ID})
		require.NoError(t, err)
		require.Empty(t, rest)
		return meter.Requests(), meter.RowsWritten()
	}
	var titles []string
	for _, of := range []struct {
		author              data.Actor
		entries             int64
		requests, rowsAbove int64
	}{{small, 3, 6, 20}, {middle, 3000, 9, 20}, {large, 0, 12, 61_000}} {
		p := k.Post(of.author, "gophers", "First of "+of.author.Name)
		p.Title = "First of " + of.author.Name
		requests, written := cost(p)
		require.LessOrEqual(t, requests, of.requests, of.author.Name)
		require.LessOrEqual(t, written, of.entries+of.rowsAbove, of.author.Name)
		require.Equal(t, of.entries, k.One("SELECT count(*) FROM timeline WHERE post_id = ?1", int64(p.ID)))
		titles = append(titles, p.Title)
	}
	p := k.Post(large, "gophers", "Second of large")
	p.Title = "Second of large"
	requests, written := cost(p)
	require.LessOrEqual(t, requests, int64(4), "an author known to be above the threshold")
	require.LessOrEqual(t, written, int64(20))
	k.drain()

	for first, want := range map[int][]string{100: {titles[0]}, 102: {titles[0]}, 10_000: {titles[1]}, 12_999: {titles[1]},
		100_000: {p.Title, titles[2]}, 129_999: {p.Title, titles[2]}} {
		got, rows := k.home(fan(first), 25)
		require.Equal(t, want, got, first)
		require.LessOrEqual(t, rows[0], int64(60))
	}
	require.Equal(t, int64(3003), k.One("SELECT count(*) FROM timeline"), "each follower once")
	require.Equal(t, int64(30_000), k.One("SELECT count(*) FROM follows WHERE on_read = 1 AND followee_id = ?1", int64(large.UserID)),
		"each of these merges the posts")

	t.Run("who follows an author above the threshold now sees the posts as well", func(t *testing.T) {
		late := k.present("late")
		k.follow(late, "large", true)
		k.follow(late, "small", true)
		k.drain()
		got, _ := k.home(late, 25)
		require.Equal(t, []string{"Second of large", "First of large", "First of small"}, got)
		k.follow(late, "large", false)
		got, _ = k.home(late, 25)
		require.Equal(t, []string{"First of small"}, got)
	})
	t.Run("pages about many followers and followees read what they show", func(t *testing.T) {
		reader := k.present("reader")
		k.Exec("INSERT INTO follows (follower_id, followee_id, created_at, on_read) SELECT ?1, id, id, 1 FROM users WHERE id BETWEEN 100000 "+
			"AND 109999", int64(reader.UserID))
		got, rows := k.home(reader, 25)
		require.Empty(t, got)
		require.LessOrEqual(t, rows[0], int64(350*len(k.All())), "of 10,000 who are above the threshold, 100 are asked for posts")
		for _, q := range []accounts.PeopleQuery{{Name: "large", Limit: 25, Viewer: reader.UserID}, {Name: "reader", Followees: true, Limit: 25,
			Viewer: reader.UserID}} {
			ctx, meter := k.Metered()
			r := k.DB.Read()
			list := k.Accounts.FindPeople(r, q)
			k.Accounts.FindViewer(r, reader)
			require.NoError(t, r.Run(ctx))
			require.Len(t, list.Items(), 25)
			require.LessOrEqual(t, meter.RowsRead(), int64(120), q.Name)
		}
	})
	t.Run("an author exceeds the threshold, and what was written before shows once", func(t *testing.T) {
		k.addFollowers(20_000, 2100, middle)
		second := k.title(middle, "Second of middle")
		k.drain()
		got, _ := k.home(fan(10_000), 25)
		require.Equal(t, []string{second, titles[1]}, got)
		got, _ = k.home(fan(20_000), 1)
		require.Equal(t, []string{second, titles[1]}, got)
	})
	t.Run("an author whom half as many follow becomes quiet again, and nothing gets lost", func(t *testing.T) {
		k.Exec("DELETE FROM follows WHERE follower_id BETWEEN 20000 AND 29999 OR follower_id BETWEEN 10100 AND 19999")
		third := k.title(middle, "Third of middle")
		want := []string{third, "Second of middle", titles[1]}
		due := k.due()
		require.Len(t, due, 1)
		k.do(due[0])
		got, _ := k.home(fan(10_000), 25)
		require.Equal(t, want, got, "before it is filled in")
		*k.Clock = k.Clock.Add(time.Hour)
		k.drain()
		got, _ = k.home(fan(10_099), 25)
		require.Equal(t, want, got)
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM follows WHERE followee_id = ?1 AND (on_read = 1 OR backfill = 1)",
			int64(middle.UserID)))
		require.Nil(t, k.One("SELECT on_read_to FROM users WHERE id = ?1", int64(middle.UserID)))
	})
}

func TestFollowingAndUnfollowing(t *testing.T) {
	k := open(t)
	ann, ben, eve := k.present("ann"), k.present("ben"), k.present("eve")
	k.Community(ann, "gophers")
	var all []string
	for i := range 30 {
		all = append([]string{k.title(ann, fmt.Sprint("Post ", i))}, all...)
	}
	k.drain()
	k.follow(ben, "ann", true)
	k.drain()
	got, _ := k.home(ben, 7)
	require.Equal(t, all[:20], got, "the newest twenty")
	got, _ = k.home(eve, 25)
	require.Empty(t, got)
	got, _ = k.home(ann, 25)
	require.Equal(t, all, got, "one's own")

	k.Post(ann, "gophers", "Another")
	k.drain()
	got, _ = k.home(ben, 25)
	require.Equal(t, append([]string{"Another"}, all[:20]...), got)
	k.follow(ben, "ann", false)
	got, _ = k.home(ben, 25)
	require.Empty(t, got)
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM timeline"))

	t.Run("a fan-out that comes after the end writes nothing, and so does a fill", func(t *testing.T) {
		k.follow(ben, "ann", true)
		k.Post(ann, "gophers", "Too late")
		k.follow(ben, "ann", false)
		k.drain()
		require.Equal(t, int64(0), k.One("SELECT count(*) FROM timeline"))
	})
	t.Run("what is deleted or hidden is not shown", func(t *testing.T) {
		k.follow(ben, "ann", true)
		k.drain()
		p := k.Post(ann, "gophers", "Gone soon")
		q := k.Post(ann, "gophers", "Hidden soon")
		k.drain()
		got, _ := k.home(ben, 2)
		require.Equal(t, []string{"Hidden soon", "Gone soon", "Too late", "Another"}, got[:4])
		_, err := k.Posts.Delete(storetest.Ctx, ann, p.ID)
		require.NoError(t, err)
		_, err = k.Saves.Hide(storetest.Ctx, ben, q.ID, true)
		require.NoError(t, err)
		got, _ = k.home(ben, 2)
		require.Equal(t, []string{"Too late", "Another"}, got[:2])
	})
}

func TestScheduledPostsStandWhereTheyWerePublished(t *testing.T) {
	k := open(t)
	ann, ben := k.present("ann"), k.present("ben")
	k.Community(ann, "gophers")
	k.follow(ben, "ann", true)
	_, err := k.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "Scheduled", Text: "x", TextHTML: "x",
		Status: posts.Scheduled, PublishAt: k.Clock.Add(time.Hour)})
	require.NoError(t, err)
	draft, err := k.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: "Draft", Text: "x", TextHTML: "x",
		Status: posts.Draft})
	require.NoError(t, err)
	k.Post(ann, "gophers", "Between")
	k.drain()
	*k.Clock = k.Clock.Add(2 * time.Hour)
	_, err = k.Posts.PublishDue(storetest.Ctx)
	require.NoError(t, err)
	k.drain()
	_, err = k.Posts.PublishDraft(storetest.Ctx, ann, draft.ID, 0, false, rules.Verdict{})
	require.NoError(t, err)
	k.drain()
	got, _ := k.home(ben, 1)
	require.Equal(t, []string{"Draft", "Scheduled", "Between"}, got)
}

func TestInactiveMembersGetARebuiltTimeline(t *testing.T) {
	k := open(t)
	ann, ben, eve := k.present("ann"), k.present("ben"), k.present("eve")
	k.Community(ann, "gophers")
	for _, who := range []data.Actor{ben, eve} {
		k.follow(who, "ann", true)
		k.follow(ben, "eve", true)
	}
	k.Post(ann, "gophers", "Before")
	k.drain()
	written := k.One("SELECT count(*) FROM timeline")
	*k.Clock = k.Clock.Add(40 * 24 * time.Hour)
	var want []string
	for i := range 60 {
		author := ann
		if i%3 == 0 {
			author = eve
		}
		want = append([]string{k.title(author, fmt.Sprint("Meanwhile ", i))}, want...)
	}
	for range 3 {
		k.drain()
	}
	require.Equal(t, written, k.One("SELECT count(*) FROM timeline"), "nothing is written for who is inactive")
	for _, want := range [][]data.ID{{ben.UserID}, nil} { // once a day
		require.NoError(t, k.Timelines.RecordVisit(storetest.Ctx, ben.UserID))
		require.Equal(t, want, k.Asked(string(outbox.JobRebuild)))
	}
	k.drain()
	got, _ := k.home(ben, 25)
	require.Equal(t, append(want, "Before"), got)
}

func TestDoubledAndReorderedMessages(t *testing.T) {
	k := open(t)
	ann, ben := k.present("ann"), k.present("ben")
	k.Community(ann, "gophers")
	k.follow(ben, "ann", true)
	var want []string
	for i := range 5 {
		want = append([]string{k.title(ann, fmt.Sprint("Post ", i))}, want...)
	}
	list := k.due()
	require.NotEmpty(t, list)
	slices.Reverse(list)
	for range 3 {
		for _, d := range list {
			k.do(d)
		}
	}
	k.do(outbox.Due{Job: outbox.JobRebuild, Subject: ben.UserID}) // a message without work
	got, _ := k.home(ben, 25)
	require.Equal(t, want, got)
	require.Equal(t, int64(5), k.One("SELECT count(*) FROM timeline"))
	require.Empty(t, k.due())
}

func TestTimelinesAreTrimmed(t *testing.T) {
	k := open(t)
	ann, ben := k.present("ann"), k.present("ben")
	k.Community(ann, "gophers")
	k.follow(ben, "ann", true)
	k.drain()
	now := k.Clock.UnixMilli()
	k.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
INSERT INTO timeline (user_id, posted_at, post_id, author_id) SELECT ?1, ?2 - i, i, ?3 FROM n`, int64(ben.UserID), now, int64(ann.UserID))
	for i := range 300 { // each is trimmed with a probability of one in fifty
		p := k.Post(ann, "gophers", fmt.Sprint("Post ", i))
		_, err := k.Timelines.FanOut(storetest.Ctx, []data.ID{p.ID})
		require.NoError(t, err)
		if k.One("SELECT count(*) FROM timeline").(int64) < 1000 {
			break
		}
	}
	n := k.One("SELECT count(*) FROM timeline").(int64)
	require.LessOrEqual(t, n, int64(900))
	require.GreaterOrEqual(t, n, int64(800))
	require.Equal(t, int64(0), k.One("SELECT count(*) FROM timeline WHERE posted_at < ?1", now-1000), "the oldest went")
}

func TestPagesStayFlat(t *testing.T) {
	k := open(t)
	ann, ben := k.present("ann"), k.present("ben")
	k.Community(ann, "gophers")
	k.follow(ben, "ann", true)
	k.drain()
	for range 80 {
		k.Post(ann, "gophers", "A post")
	}
	k.drain()
	for i := range 10 { // authors above the threshold with posts of their own
		onRead := k.Member(fmt.Sprint("popular", i))
		k.Exec("UPDATE users SET on_read_to = 4611686018427387904 WHERE id = ?1", int64(onRead.UserID))
		k.follow(ben, onRead.Name, true)
		k.Post(onRead, "gophers", "Popular")
	}
	titles, rows := k.home(ben, 25)
	require.Len(t, titles, 90)
	for _, n := range rows {
		require.LessOrEqual(t, n, int64(350*len(k.All())))
	}
	t.Log("rows read by page:", rows)
}

// TestKilledConsumer stops the consumer before each of its requests.
func TestKilledConsumer(t *testing.T) {
	k, other := openTwo(t)
	ann, onRead, reader := k.present("ann"), k.present("popular"), k.present("reader")
	k.Community(ann, "gophers")
	k.addFollowers(100, 3, onRead)
	k.Timelines.Threshold, other.Threshold = 2, 2
	before := k.title(ann, "Before")
	k.drain()
	for n := range 11 {
		ctx := storetest.With(storetest.Ctx, storetest.ToSQL, &storetest.Trouble{
			Plan: slices.Concat(make([]storetest.Fault, n), slices.Repeat([]storetest.Fault{storetest.Drop}, 20))})
		k.follow(reader, "ann", true)
		_, failed := other.Backfill(ctx, []data.ID{reader.UserID})
		title := fmt.Sprint("After ", n)
		after, second := k.Post(ann, "gophers", title), k.Post(onRead, "gophers", "Popular")
		k.Exec("UPDATE users SET on_read_to = NULL WHERE id = ?1", int64(onRead.UserID))
		k.Exec("UPDATE follows SET on_read = 0 WHERE followee_id = ?1", int64(onRead.UserID))
		_, fanned := other.FanOut(ctx, []data.ID{after.ID, second.ID})
		require.True(t, failed != nil || fanned != nil, "they make eleven requests, and one of the first %d failed", n+1)
		k.drain()
		got, _ := k.home(reader, 25)
		require.Equal(t, []string{title, before}, got[:2], n)
		got, _ = k.home(fan(102), 25)
		require.Equal(t, "Popular", got[0])
		k.follow(reader, "ann", false)
		before = title
	}
	require.Empty(t, k.due())
}

// TestFollowedAgainWhileBackfilled has a member unfollow and follow again between the requests of a fill.
func TestFollowedAgainWhileBackfilled(t *testing.T) {
	k, other := openTwo(t)
	ann, ben := k.present("ann"), k.present("ben")
	k.Community(ann, "gophers")
	for at := range 6 {
		k.follow(ben, "ann", true)
		requests, title := 0, fmt.Sprint("Post ", at)
		between := &storetest.Trouble{Hook: func() {
			if requests++; requests == at {
				p := k.Post(ann, "gophers", title)
				_, err := k.Timelines.FanOut(storetest.Ctx, []data.ID{p.ID})
				require.NoError(t, err)
				k.follow(ben, "ann", false)
				k.follow(ben, "ann", true)
			}
		}}
		_, err := other.Backfill(storetest.With(storetest.Ctx, storetest.ToSQL, between), []data.ID{ben.UserID})
		require.NoError(t, err)
		k.drain()
		got, _ := k.home(ben, 25)
		require.Equal(t, requests >= at && at > 0, slices.Contains(got, title), at)
		k.follow(ben, "ann", false)
	}
}
