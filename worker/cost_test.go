package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/site/metrics"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ranking"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// rowsWritten is how many rows something writes, its consumers and the job of a minute included.
func rowsWritten(s *workertest.Site, b *workertest.Browser, path string, fields ...string) (rows int64) {
	s.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	ctx, meter := hrana.WithMeter(context.Background())
	r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(form.Encode())).WithContext(ctx)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res := b.Send(r)
	require.Equal(s, http.StatusSeeOther, res.Code, res.Body.String())
	for range 3 { // consumers leave messages for others
		for _, queue := range []string{data.QueueVotes, data.QueueEvents} {
			_, err := s.App.Consume(ctx, queue, s.Queue.Take(queue))
			require.NoError(s, err)
		}
	}
	return meter.RowsWritten()
}

// TestMetricsCostNobodysRequest: the page after which an instance writes its metrics costs what others cost.
func TestMetricsCostNobodysRequest(t *testing.T) {
	s := workertest.MustOpen(t)
	require.Equal(t, http.StatusOK, s.Visitor().Get("/new").Code)
	s.App.Recorder().Add(s.Config.MetricsNow().Add(metrics.Span), func(b *metrics.Batch) { b.Of(metrics.Visitor).Handled++ })
	before := s.One("SELECT count(*) FROM metrics")
	ctx, meter := hrana.WithMeter(context.Background())
	res := s.Visitor().Send(httptest.NewRequest(http.MethodGet, "https://plaza.example/new", nil).WithContext(ctx))
	require.Equal(t, http.StatusOK, res.Code)
	require.Greater(t, s.One("SELECT count(*) FROM metrics"), before)
	assert.LessOrEqual(t, meter.Requests(), s.MaxPageRequests())
	assert.Zero(t, meter.RowsWritten())
}

// TestRowsWritten bounds the rows and index entries that a vote, a post and a comment write, as they are billed. Rows that are written only
// the first time, such as a row of reputations, are there before it measures.
func TestRowsWritten(t *testing.T) {
	s := workertest.OpenOn(t, stacktest.OpenSchema(t), stacktest.OpenRedis(t), 10000)
	ann, ben, cleo := s.Member("ann"), s.Member("ben"), s.Member("cleo")
	ann.MustPost("/communities", "name", "gophers")
	// Budgets are what was measured: whoever makes one of these dearer changes its number here. A post with five tags has 25 rows of post_tags.
	for _, of := range []struct {
		name, tags string
		budget     map[string]int64
	}{
		{"no tag", "", map[string]int64{"post": 25, "comment": 25, "comment on a large thread": 21, "reply": 27, "upvote": 14, "downvote": 14, "again": 11, "upvote of a popular post": 7,
			"vote on an answered comment": 13, "vote on a comment": 10, "vote on a popular comment": 7}},
		{"five tags", "one two three four five",
			map[string]int64{"post": 55, "post with new tags": 115, "comment": 25, "comment on a large thread": 21, "reply": 27, "upvote": 12, "downvote": 14, "again": 11, "upvote of a popular post": 7, "vote on an answered comment": 11,
				"vote on a comment": 10, "vote on a popular comment": 7}},
	} {
		t.Run(of.name, func(t *testing.T) {
			name, tags := of.name, of.tags
			newPost := func(title string) (string, int64) {
				written := rowsWritten(s, ann, "/submit", "community", "gophers", "title", title, "text", "x", "tags", tags)
				return data.ID(s.One("SELECT id FROM posts WHERE title = ?1", title).(int64)).Text(), written
			}
			first, withNewTags := newPost("First of " + name) // the days, too
			rowsWritten(s, ben, "/comment", "post", first, "body", "First")
			post, written := newPost("Second of " + name)
			got := map[string]int64{"post": written, "post with new tags": withNewTags}
			s.Now = s.Now.Add(time.Hour) // a comment of the post's own minute does not move it in the order "active"
			got["comment"] = rowsWritten(s, ben, "/comment", "post", post, "body", "A comment")
			comment := workertest.Targets(ann.Page("/c/gophers/p/" + s.One("SELECT slug FROM posts WHERE title = ?1",
				"Second of "+name).(string)))[1]
			got["reply"] = rowsWritten(s, ann, "/comment", "parent", comment, "body", "A reply")
			id, _ := data.ParseID(post)
			s.Exec("UPDATE posts SET comments = 100, comments_step = 100 WHERE id = ?1", int64(id))
			got["comment on a large thread"] = rowsWritten(s, ben, "/comment", "post", post, "body", "Another") // in the same minute
			got["upvote"] = rowsWritten(s, ben, "/vote", "target", post, "value", "1")
			got["downvote"] = rowsWritten(s, ben, "/vote", "target", post, "value", "-1")
			got["again"] = rowsWritten(s, ben, "/vote", "target", post, "value", "0")
			s.Exec("UPDATE posts SET base_ups = 99, ups = ups + 99, score = ups - downs + 99 WHERE id = ?1", int64(id))
			got["upvote of a popular post"] = rowsWritten(s, cleo, "/vote", "target", post, "value", "1")
			got["vote on an answered comment"] = rowsWritten(s, ann, "/vote", "target", comment, "value", "1")
			thread, _ := data.ParseID(first)
			unanswered := data.ID(s.One("SELECT id FROM comments WHERE post_id = ?1", int64(thread)).(int64)).Text()
			got["vote on a comment"] = rowsWritten(s, ann, "/vote", "target", unanswered, "value", "1")
			id, _ = data.ParseID(unanswered)
			s.Exec("UPDATE comments SET base_ups = 99, ups = 100, score = 100, best = ?2, qa = ?2 WHERE id = ?1", int64(id), ranking.Wilson(100, 0))
			got["vote on a popular comment"] = rowsWritten(s, cleo, "/vote", "target", unanswered, "value", "1")
			for what, most := range of.budget {
				t.Logf("%s: %s writes %d of %d", name, what, got[what], most)
				assert.LessOrEqual(t, got[what], most, "%s: %s", name, what)
			}
		})
	}
}

// TestTheFirstViewOfAThread makes a member open a thread for the first time. The page is one request to the database; the view is noted
// after the answer.
func TestTheFirstViewOfAThread(t *testing.T) {
	s := workertest.OpenOn(t, stacktest.OpenSchema(t), stacktest.OpenRedis(t), 100)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "x")
	var after []func(context.Context)
	s.Config.Background = func(_ context.Context, task func(context.Context)) { after = append(after, task) }
	s.Restart(s.Config)
	ben.Page("/home") // that they are here is noted once a day
	for _, task := range after {
		task(context.Background())
	}
	after = nil
	for n, noted := range []int64{1, 0} { // the first view, and the second one
		ctx, meter := hrana.WithMeter(context.Background())
		require.Equal(t, http.StatusOK, ben.Send(ben.Request(address).WithContext(ctx)).Code)
		require.LessOrEqual(t, meter.Requests(), int64(1), "view %d", n+1)
		require.Zero(t, meter.RowsWritten())
		later, meter := hrana.WithMeter(context.Background())
		for _, task := range after {
			task(later)
		}
		after = nil
		require.Equal(t, noted, meter.Requests(), "view %d is noted after the answer", n+1)
	}
	require.Equal(t, int64(1), s.One("SELECT count(*) FROM visits"))
}

// TestRedisCommands counts the Redis commands of the most frequent requests, as they are billed: a pipeline of three commands is three.
// Each vote and comment is a batch of its own, as on a quiet site. On a busy site the votes of a batch share the commands of their sets.
func TestRedisCommands(t *testing.T) {
	s := workertest.OpenOn(t, stacktest.OpenSchema(t), stacktest.OpenRedis(t), 100)
	ann, ben, visitor := s.Member("ann"), s.Member("ben"), s.Visitor()
	visitor.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	ann.MustPost("/communities", "name", "gophers")
	for i := range 30 {
		ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Post ", i), "text", "x")
	}
	s.Deliver()
	s.Now = s.Now.Add(3 * time.Hour) // the limit of posts is an hour's
	s.Strict(s.Redis)
	for _, path := range []string{"/hot", "/c/gophers"} { // has the sets made
		ben.Page(path)
		s.Deliver()
	}
	address := "/c/gophers/p/" + s.One("SELECT slug FROM posts WHERE title = 'Post 7'").(string)
	post := data.ID(s.One("SELECT id FROM posts WHERE title = 'Post 7'").(int64)).Text()
	var ctx context.Context
	send := func(b *workertest.Browser, code int, path string, fields ...string) *httptest.ResponseRecorder {
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		r := b.Request(path)
		if len(fields) > 0 {
			r = httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
		res := b.Send(r.WithContext(ctx))
		require.Equal(t, code, res.Code, "%s: %s", path, res.Body.String())
		return res
	}
	page := func(b *workertest.Browser, path string) func() {
		return func() { send(b, http.StatusOK, path) }
	}
	consume := func(queues ...string) {
		for _, queue := range queues {
			_, err := s.App.Consume(ctx, queue, s.Queue.Take(queue))
			require.NoError(t, err)
		}
	}
	next := regexp.MustCompile(`/c/gophers/hot\?after=[^"]+`).FindString(ben.Page("/c/gophers"))
	require.NotEmpty(t, next)
	mark := regexp.MustCompile(`data-view="([^"]+)"`).FindStringSubmatch(visitor.Page(address))[1]
	for _, of := range []struct {
		name string
		most int
		do   func()
	}{
		{"a member's front page", 0, page(ben, "/")},
		{"a member's list of all posts", 1, page(ben, "/hot")},
		{"a member's page of a community", 1, page(ben, "/c/gophers")},
		{"its second page", 0, page(ben, next)},
		{"a visitor's front page", 1, page(visitor, "/")},
		{"a visitor's page of a community", 1, page(visitor, "/c/gophers")},
		{"a member's first view of a thread in a week", 2, page(ben, address)},
		{"a member's next view of it", 0, page(ben, address)},
		{"a visitor's thread", 0, page(visitor, address)},
		{"what its script says of a view", 2, func() { send(visitor, http.StatusNoContent, "/view", "of", mark) }},
		{"a member's search", 0, page(ben, "/search?q=post")},
		{"a vote", 0, func() { send(ben, http.StatusSeeOther, "/vote", "target", post, "value", "1") }},
		{"its delta run", 2, func() { consume(data.QueueVotes) }},
		{"a comment", 0, func() { send(ben, http.StatusSeeOther, "/comment", "post", post, "body", "A comment") }},
		{"its consumers", 0, func() { consume(data.QueueVotes, data.QueueEvents) }},
		{"a post", 0, func() {
			send(ann, http.StatusSeeOther, "/submit", "community", "gophers", "title", "Another", "text", "x")
		}},
		{"its consumers", 6, func() { consume(data.QueueVotes, data.QueueEvents) }},
		{"logging in", 3, func() {
			send(s.Visitor(), http.StatusSeeOther, "/login", "login", "ann", "password", "correct horse")
		}},
		{"the job of a minute", 0, func() { require.NoError(t, s.App.Scheduled(ctx, s.Now.Truncate(time.Hour).Add(time.Minute))) }},
		{"the job of each fifth minute", 6, func() { require.NoError(t, s.App.Scheduled(ctx, s.Now.Truncate(time.Hour).Add(5*time.Minute))) }},
	} {
		s.Now = s.Now.Add(10 * time.Second) // instances remember lists for a moment
		var meter *upstash.Meter
		ctx, meter = upstash.WithMeter(context.Background())
		of.do()
		t.Logf("%s: %d commands in %d requests", of.name, meter.Commands(), meter.Requests())
		assert.Equal(t, of.most, meter.Commands(), of.name)
	}
}
