package worker_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker/request"
)

func TestSubscribeInPlace(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/communities", "name", "cooks")
	for _, community := range []string{"gophers", "cooks"} {
		ann.mustPost("/submit", "community", community, "title", "A post in "+community, "text", "x")
	}
	ben.mustPost("/subscribe", "community", "cooks", "on", "1")
	s.deliver()
	require.NotContains(t, ben.page("/"), "A post in gophers")

	ben.header.Set("HX-Request", "true")
	for _, step := range []struct{ on, next, label string }{{"1", "0", "Subscribed"}, {"0", "1", "Subscribe"}, {"1", "0", "Subscribed"}} {
		res := ben.post("/subscribe", "community", "gophers", "on", step.on, "return", "/c/gophers")
		require.Equal(t, http.StatusOK, res.Code)
		body := res.Body.String()
		require.True(t, strings.HasPrefix(body, "<form"), body)
		for _, says := range []string{`name="on" value="` + step.next + `"`, ">" + step.label + "<", `name="return" value="/c/gophers"`, `hx-post="/subscribe"`} {
			require.Contains(t, body, says)
		}
		require.NotContains(t, body, "<html")
	}
	require.Equal(t, http.StatusNotFound, ben.post("/subscribe", "community", "nowhere", "on", "1").Code)
	res := s.visitor().withHeader("HX-Request", "true").post("/subscribe", "community", "gophers", "on", "1", "return", "/c/gophers")
	require.Equal(t, "/login?next=%2Fc%2Fgophers", res.Header().Get("HX-Redirect"))
	ben.header.Del("HX-Request")

	t.Run("and the front page follows at once", func(t *testing.T) {
		require.Contains(t, ben.page("/"), "A post in gophers")
		ben.mustPost("/subscribe", "community", "gophers", "on", "0")
		require.NotContains(t, ben.page("/"), "A post in gophers")
	})
	t.Run("members are counted, and the new ones of a week, which the scheduled job lets pass", func(t *testing.T) {
		ben.mustPost("/subscribe", "community", "gophers", "on", "1")
		page := ben.page("/c/gophers")
		require.Contains(t, page, `2 <span class="grown">+2 this week</span>`)
		require.Contains(t, page, `1 <span class="grown">+1 this week</span>`)
		s.now = s.now.AddDate(0, 0, 8)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		s.queue.take(request.QueueVotes)
		page = ben.page("/c/gophers")
		require.NotContains(t, page, "this week")
		require.Contains(t, page, "<dd>2</dd>")
	})
}
