package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// poison has the database refuse every change of a row's counters.
func poison(s *workertest.Site, table string, id data.ID) {
	s.Helper()
	s.Exec(fmt.Sprintf("CREATE TRIGGER poison_%[1]s_%[2]d BEFORE UPDATE ON %[1]s WHEN new.id = %[2]d BEGIN SELECT RAISE(ABORT, "+
		"'poisoned'); END", table, int64(id)))
}

// voteOn has somebody vote as a transaction would, and returns the nudge.
func voteOn(s *workertest.Site, id data.ID, user int) queue.Message {
	s.Helper()
	s.Exec("INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (?1, ?2, 1, ?3)", int64(id), user, s.Now.UnixMilli())
	return queue.Message{ID: id.Text(), Body: "vote " + id.Text(), Attempts: 1}
}

func bulkPost(s *workertest.Site, n int) data.ID {
	s.Helper()
	id := data.NewID(s.Now, 0, data.KindPost, uint32(2*n))
	s.Exec(`INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
  VALUES (?1, 1, 'bulk', '', ?2, 'text', 'A post', 0, ?3)`,
		int64(id), fmt.Sprint("p", n), s.Now.UnixMilli())
	return id
}

func TestOnePoisonedPost(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ctx := context.Background()
	const n, bad = 100, 37
	var ids []data.ID
	for i := range n {
		ids = append(ids, bulkPost(s, i))
	}
	poison(s, "posts", ids[bad])
	vote := func(user int) (batch []queue.Message) {
		for _, id := range ids {
			batch = append(batch, voteOn(s, id, user))
		}
		return batch
	}
	counted := func(want int64) {
		t.Helper()
		require.Equal(t, int64(n-1), s.One("SELECT count(*) FROM posts WHERE ups = ?1", want))
		require.Equal(t, int64(0), s.One("SELECT ups FROM posts WHERE id = ?1", int64(ids[bad])))
		require.Equal(t, want, s.One("SELECT count(*) FROM vote_deltas"), "only its own wait")
	}

	t.Run("comes again alone, and everything else is counted at once", func(t *testing.T) {
		require.NoError(t, s.Config.DB.ReadSlots(ctx))
		metered, meter := hrana.WithMeter(ctx)
		retry, err := s.App.Consume(metered, data.QueueVotes, vote(1))
		require.NoError(t, err)
		require.Equal(t, []int{bad}, retry)
		counted(1)
		require.LessOrEqual(t, meter.Requests(), int64(15), "one, and two for each halving of 100")
	})
	t.Run("so it is when the retry job puts all beside it", func(t *testing.T) {
		vote(2) // whose messages are lost
		s.Now = s.Now.Add(61 * time.Second)
		require.NoError(t, s.App.Scheduled(ctx, s.Now))
		batch := s.Queue.Take(data.QueueVotes)
		require.Len(t, batch, n)
		retry, err := s.App.Consume(ctx, data.QueueVotes, batch)
		require.NoError(t, err)
		require.Len(t, retry, 1)
		require.Equal(t, "vote "+ids[bad].Text(), batch[retry[0]].Body)
		counted(2)
	})
	t.Run("until it is a dead letter, one however often the retry job finds it", func(t *testing.T) {
		for range 3 {
			s.Now = s.Now.Add(61 * time.Second)
			require.NoError(t, s.App.Scheduled(ctx, s.Now))
			batch := s.Queue.Take(data.QueueVotes)
			require.Len(t, batch, 1)
			batch[0].ID = s.Now.String()
			for batch[0].Attempts = 1; batch[0].Attempts <= 6; batch[0].Attempts++ {
				retry, err := s.App.Consume(ctx, data.QueueVotes, batch)
				require.NoError(t, err)
				require.Equal(t, []int{0}, retry)
			}
			_, err := s.App.Consume(ctx, data.QueueVotes+"-dead", batch)
			require.NoError(t, err)
		}
		require.Equal(t, "vote "+ids[bad].Text(), s.One("SELECT group_concat(body) FROM dead_letters"))
	})
	t.Run("and is counted when it is repaired", func(t *testing.T) {
		s.Exec(fmt.Sprintf("DROP TRIGGER poison_posts_%d", int64(ids[bad])))
		require.NoError(t, s.App.Scheduled(ctx, s.Now.Add(61*time.Second)))
		s.Deliver()
		require.Equal(t, int64(n), s.One("SELECT count(*) FROM posts WHERE ups = 2"))
	})
}

func TestManyPoisonedTargets(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	s.LosesMessages = true
	ctx := context.Background()
	const n = 100
	var batch []queue.Message
	var want []int
	for i := range n {
		id := bulkPost(s, i)
		batch = append(batch, voteOn(s, id, 1))
		if i%5 == 2 {
			poison(s, "posts", id)
			want = append(want, i)
		}
	}
	remaining := batch
	for delivery := 0; ; delivery++ {
		require.Less(t, delivery, 40, "deliveries until only the poisoned are left")
		metered, meter := hrana.WithMeter(ctx)
		retry, err := s.App.Consume(metered, data.QueueVotes, remaining)
		require.NoError(t, err)
		require.LessOrEqual(t, meter.Requests(), int64(35), "a delivery has 50 requests")
		var again []queue.Message
		for _, i := range retry {
			again = append(again, remaining[i])
		}
		if remaining = again; len(remaining) == len(want) {
			break
		}
	}
	for _, i := range want {
		require.True(t, slices.Contains(remaining, batch[i]))
	}
	require.Equal(t, int64(n-len(want)), s.One("SELECT count(*) FROM posts WHERE ups = 1"))
}

func TestPoisonedComments(t *testing.T) {
	s := workertest.MustOpen(t)
	s.LosesMessages = true
	ctx := context.Background()
	var posts []data.ID
	var batch []queue.Message
	for i := range 6 {
		post := bulkPost(s, i)
		posts = append(posts, post)
		id := data.NewID(s.Now, 0, data.KindComment, uint32(2*i+1))
		s.Exec("INSERT INTO comments (id, post_id, path, depth, author_name, body, body_html, created_at) VALUES (?1, ?2, ?3, 0, '', '', '', 1)",
			int64(id), int64(post), id.Text())
		batch = append(batch, voteOn(s, id, 1), queue.Message{Body: "count " + post.Text(), Attempts: 1})
		if i == 2 {
			poison(s, "comments", id)
		}
	}
	poison(s, "posts", posts[4])
	retry, err := s.App.Consume(ctx, data.QueueVotes, batch)
	require.NoError(t, err)
	slices.Sort(retry)
	require.Equal(t, []int{4, 9}, retry, "the votes of one comment and the count of one post")
	require.Equal(t, int64(5), s.One("SELECT sum(ups) FROM comments"))
	require.Equal(t, int64(5), s.One("SELECT sum(comments) FROM posts"))
}

// TestABrigadeThatCantBeQuarantined has the database refuse one case of two.
func TestABrigadeThatCantBeQuarantined(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ctx := context.Background()
	var batch []queue.Message
	var ids []data.ID
	for i := range 3 {
		id := bulkPost(s, i)
		ids = append(ids, id)
		batch = append(batch, queue.Message{Body: "vote " + id.Text(), Attempts: 1})
		if i == 2 {
			voteOn(s, id, 1)
			continue
		}
		for user := range 60 { // accounts of this minute, from one network
			account := int64(data.NewID(s.Now, 0, data.KindOther, uint32(user)))
			s.Exec("INSERT INTO votes (target_id, user_id, value, updated_at) VALUES (?1, ?2, 1, ?3)", int64(id), account, s.Now.UnixMilli())
			s.Exec("INSERT INTO vote_origins (part, target_id, created_at, user_id, value, network, referrer) VALUES (?3 / 43200000, ?1, ?3, ?2, 1, "+
				"'192.0.2.0/24', 'evil.example')",
				int64(id), account, s.Now.UnixMilli())
		}
	}
	s.Exec(fmt.Sprintf("CREATE TRIGGER refuses BEFORE INSERT ON quarantines WHEN new.target_id = %d BEGIN SELECT RAISE(ABORT, 'refused'); END",
		int64(ids[0])))
	retry, err := s.App.Consume(ctx, data.QueueVotes, batch)
	require.NoError(t, err)
	require.Equal(t, []int{0}, retry)
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM quarantines"), "the other one is quarantined")
	require.Equal(t, int64(1), s.One("SELECT ups FROM posts WHERE id = ?1", int64(ids[2])))
	require.Equal(t, int64(60), s.One("SELECT ups FROM posts WHERE id = ?1", int64(ids[0])), "counted until it is quarantined")
}

// TestADatabaseThatIsUnavailable delivers a batch while the database can't be reached.
func TestADatabaseThatIsUnavailable(t *testing.T) {
	url, client := stacktest.OpenSchemaDB(t)
	transport := &storetest.Transport{Http: client}
	noWait := func(context.Context, time.Duration) error { return nil }
	sql := hrana.New(hrana.Options{URL: url, HTTP: transport, Sleep: noWait, Attempts: 3, ReadTime: stacktest.ReadTime})
	s := workertest.OpenOn(t, sql, stacktest.OpenRedis(t), 100)
	var batch []queue.Message
	for i := range 8 {
		batch = append(batch, voteOn(s, bulkPost(s, i), 1))
	}
	transport.Cut.Store(true)
	metered, meter := hrana.WithMeter(context.Background())
	retry, err := s.App.Consume(metered, data.QueueVotes, batch)
	require.NoError(t, err)
	require.Len(t, retry, 8)
	require.Equal(t, int64(3), meter.Requests(), "the tries of one transaction: nothing is halved")

	for i := range batch {
		batch[i].Attempts = 5
	}
	retry, err = s.App.Consume(context.Background(), data.QueueVotes, batch)
	require.NoError(t, err)
	require.Empty(t, retry, "in time the retry job is left to it, and there are no dead letters")

	transport.Cut.Store(false)
	s.Now = s.Now.Add(61 * time.Second)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	s.Deliver()
	require.Equal(t, int64(8), s.One("SELECT sum(ups) FROM posts"))
}

// TestWithoutRedis has votes come in while Redis is unavailable.
func TestWithoutRedis(t *testing.T) {
	t.Parallel()
	sql := stacktest.OpenSchema(t)
	redisURL, token := stacktest.OpenRedisURL(t)
	transport := &storetest.Transport{Http: http.DefaultClient}
	s := workertest.OpenOn(t, sql, upstash.New(upstash.Options{URL: redisURL, Token: token, HTTP: transport, Limit: 5 * time.Second}), 100)
	ctx := context.Background()
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "First", "text", "words")
	ann.MustPost("/submit", "community", "gophers", "title", "Second", "text", "words")
	s.Deliver()
	s.Visitor().Page("/c/gophers")
	s.Visitor().Page("/")
	s.Deliver() // the sets are made
	first := data.ID(s.One("SELECT id FROM posts WHERE title = 'First'").(int64))
	places := func() []string {
		t.Helper()
		s.Now = s.Now.Add(data.ListingLife)
		return workertest.Targets(s.Member(fmt.Sprint("reader", s.Now.UnixMilli())).Page("/c/gophers"))
	}
	require.NotEqual(t, first.Text(), places()[0])

	transport.Cut.Store(true)
	for user := range 30 {
		message := voteOn(s, first, 1000+user)
		message.Attempts = 1 + user%6
		retry, err := s.App.Consume(ctx, data.QueueVotes, []queue.Message{message})
		require.NoError(t, err)
		require.Empty(t, retry, "its delta run is committed")
	}
	require.Equal(t, int64(31), s.One("SELECT ups FROM posts WHERE id = ?1", int64(first)))

	transport.Cut.Store(false)
	second := data.ID(s.One("SELECT id FROM posts WHERE title = 'Second'").(int64))
	_, err := s.App.Consume(ctx, data.QueueVotes, []queue.Message{{Body: "vote " + second.Text()}})
	require.NoError(t, err)
	require.Equal(t, first.Text(), places()[0], "what missed the votes is not shown")
	s.Deliver()
	require.Equal(t, first.Text(), places()[0], "and is made anew")
}
