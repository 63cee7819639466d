package community_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestSubscribeInPlace(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "cooks")
	for _, community := range []string{"gophers", "cooks"} {
		ann.MustPost("/submit", "community", community, "title", "A post in "+community, "text", "x")
	}
	ben.MustPost("/subscribe", "community", "cooks", "on", "1")
	s.Deliver()
	require.NotContains(t, ben.Page("/"), "A post in gophers")

	ben.Header.Set("HX-Request", "true")
	for _, step := range []struct{ on, next, label string }{{"1", "0", "Joined"}, {"0", "1", "Join"}, {"1", "0", "Joined"}} {
		res := ben.Post("/subscribe", "community", "gophers", "on", step.on, "return", "/c/gophers")
		require.Equal(t, http.StatusOK, res.Code)
		body := res.Body.String()
		require.True(t, strings.HasPrefix(body, "<form"), body)
		for _, says := range []string{`name="on" value="` + step.next + `"`, ">" + step.label + "<", `name="return" value="/c/gophers"`,
			`hx-post="/subscribe"`} {
			require.Contains(t, body, says)
		}
		require.NotContains(t, body, "<html")
	}
	require.Equal(t, http.StatusNotFound, ben.Post("/subscribe", "community", "nowhere", "on", "1").Code)
	res := s.Visitor().WithHeader("HX-Request", "true").Post("/subscribe", "community", "gophers", "on", "1", "return", "/c/gophers")
	require.Equal(t, "/login?next=%2Fc%2Fgophers", res.Header().Get("HX-Redirect"))
	ben.Header.Del("HX-Request")

	t.Run("and the front page follows at once", func(t *testing.T) {
		require.Contains(t, ben.Page("/"), "A post in gophers")
		ben.MustPost("/subscribe", "community", "gophers", "on", "0")
		require.NotContains(t, ben.Page("/"), "A post in gophers")
	})
	t.Run("members are counted, and the new ones of a week, which the scheduled job lets pass", func(t *testing.T) {
		ben.MustPost("/subscribe", "community", "gophers", "on", "1")
		page := ben.Page("/c/gophers")
		require.Contains(t, page, `2 <span class="grown">+2 this week</span>`)
		require.Contains(t, page, `1 <span class="grown">+1 this week</span>`)
		s.Now = s.Now.AddDate(0, 0, 8)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		s.Queue.Take(data.QueueVotes)
		page = ben.Page("/c/gophers")
		require.NotContains(t, page, "this week")
		require.Contains(t, page, "<dd>2</dd>")
	})
}
