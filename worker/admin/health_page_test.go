package admin_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// newest is the newest row of the table of a chart.
func newest(t *testing.T, page, title string) string {
	t.Helper()
	_, chart, found := strings.Cut(page, ">"+title+"</h2>")
	require.True(t, found, title)
	_, body, _ := strings.Cut(chart, "<tbody>")
	row, _, _ := strings.Cut(body, "</tr>")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(row, " "))[1:], " ")
}

func TestTheHealthPageShowsWhatWasCounted(t *testing.T) {
	url, _ := stacktest.OpenSchemaDB(t)
	s := workertest.OpenOn(t, hrana.New(hrana.Options{URL: url, HTTP: stacktest.Apart()}), nil, 100)
	root := s.Admin("rita")
	synctest.Test(t, func(t *testing.T) { countedAndShown(t, s, root) }) // within the same five minutes
}

func countedAndShown(t *testing.T, s *workertest.Site, root *workertest.Browser) {
	s.T = t
	s.Config.MetricsNow = time.Now // the bubble's
	s.Restart(s.Config)            // the next instance has counted nothing
	r := s.Visitor().Request("/new")
	r.Header.Set("X-Plaza-Counts", "visitor.cached=50 visitor.stale=2 picture.cached=4 visitor.failed=1")
	s.Visitor().Send(r)
	r = s.Visitor().Request("/new")
	r.Header.Set("X-Plaza-Renewal", "1") // it is one of the 50
	s.Visitor().Send(r)
	s.Visitor().Get("/new.atom")
	s.Visitor().Get("/new.json")
	s.Visitor().Get("/nowhere")
	root.Get("/new")
	root.Post("/follow", "user", "nobody")
	page := root.Page("/admin/health")
	assert.Equal(t, "50 1 1 1 2 5", newest(t, page, "Requests"), "pictures and other: four, and the address that is no page")
	assert.Equal(t, "94 %", newest(t, page, "Answered by the edge cache"), "50 of 53")
	assert.Equal(t, "0 0 1 0", newest(t, page, "Errors"))
	assert.NotRegexp(t, `^0 0 0 `, newest(t, page, "Rows read"))
	assert.Contains(t, page, "Look again in ten minutes.", "nothing is known of the job yet")
	assert.NotContains(t, page, "has not run in this time")

	// Also what other instances have written, in the time to which it belongs.
	hour := time.Now().UTC().Truncate(time.Hour)
	add := func(span string, at time.Time, handled string) {
		s.Exec(`INSERT INTO metrics (span, at, instance, body) VALUES (?1, ?2, 7, ?3)`, span, at.UnixMilli(),
			`{"classes":{"member":{"made":`+handled+`}}}`)
	}
	add("instance", time.Now().Truncate(5*time.Minute), "100")
	assert.NotContains(t, root.Page("/admin/health"), "has not run in this time")
	add("instance", time.Now().Truncate(5*time.Minute).Add(-3*time.Hour), "0")
	assert.Contains(t, root.Page("/admin/health"), "has not run in this time", "also where nothing came for hours before")
	add("instance", time.Now().Truncate(5*time.Minute).Add(-10*time.Minute), "1")
	assert.Contains(t, root.Page("/admin/health"), "has not run in this time")
	add("hour", hour.Add(-3*time.Hour), "9000")
	add("day", hour.Truncate(24*time.Hour).Add(-10*24*time.Hour), "70000")
	assert.Regexp(t, `^50 1 10\d `, newest(t, root.Page("/admin/health"), "Requests"))
	assert.NotContains(t, root.Page("/admin/health"), ">9k<")
	assert.Contains(t, root.Page("/admin/health?span=day"), ">9k<")
	assert.NotContains(t, root.Page("/admin/health?span=day"), ">70k<")
	assert.Contains(t, root.Page("/admin/health?span=month"), ">70k<")

	// And how long messages wait, and when the job ran: not before the end of the time in which it was counted.
	s.Exec(`INSERT INTO metrics (span, at, instance, body) VALUES ('instance', ?1, 8, '{"classes":{"cron":{"made":5}}}')`,
		time.Now().Truncate(5*time.Minute).Add(-5*time.Minute).UnixMilli())
	ran := regexp.MustCompile(`Job of each minute.*?<time datetime="([^"]*)"`).FindStringSubmatch(root.Page("/admin/health"))
	require.NotNil(t, ran)
	assert.Equal(t, time.Now().UTC().Truncate(5*time.Minute).Format(time.RFC3339), ran[1])
	_, err := s.App.Consume(t.Context(), data.QueueVotes, []queue.Message{{ID: "a", Body: "vote 038e7wy8g02zr", Attempts: 1,
		SentAt: time.Now().Add(-3 * time.Second)}})
	require.NoError(t, err)
	require.NoError(t, s.App.Scheduled(t.Context(), s.Now))
	page = root.Page("/admin/health")
	assert.Regexp(t, `^\d,\d{3} ms –$`, newest(t, page, "Wait in queues, 99th percentile"))
	assert.NotContains(t, page, "has not run in this time")
}

func TestResponsesToMembersSayHowLongTheyTook(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	timing := func(b *workertest.Browser, path string) string { return b.Get(path).Header().Get("Server-Timing") }
	assert.Regexp(t, `^db;dur=\d+\.\d, redis;dur=\d+\.\d, render;dur=\d+\.\d, total;dur=\d+\.\d$`, timing(ann, "/new"))
	res := ann.Post("/follow", "user", "nobody")
	assert.NotEmpty(t, res.Header().Get("Server-Timing"))
	for _, path := range []string{"/new", "/login", "/nowhere"} {
		assert.Empty(t, timing(s.Visitor(), path), "an answer that the edge may keep, and one that tells strangers something: %s", path)
	}
	assert.Equal(t, http.StatusOK, ann.Get("/new").Code)
}
