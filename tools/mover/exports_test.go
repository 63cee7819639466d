package mover_test

import (
	"context"
	"html"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
	"plaza/tools/mover"
)

// TestExportsDuringAMove has a member take files of an export before and after a community of theirs moves to the shard from which they come
// next, and to the one from which they came first. The export says that it has to begin again. Others go on.
func TestExportsDuringAMove(t *testing.T) {
	stacktest.ByNight(t, liveMove)
	directory := stacktest.OpenSchema(t)
	sql := storetest.DatabasesOf(t, directory, directory, stacktest.OpenSchema(t))
	s := workertest.OpenSite(t, sql, stacktest.OpenRedisIfAny(t), 1000)
	s.FirstShard = true
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/submit", "community", "gophers", "title", "A burrow", "text", "deep")
	s.Deliver()
	slot := data.ID(sql.Rows("SELECT id FROM communities WHERE name_key = 'gophers'")[0][0].(int64)).Slot()
	next := func(path string) string {
		res := ann.Get(path)
		require.Equal(t, http.StatusOK, res.Code, res.Body.String())
		return regexp.MustCompile(`<https://plaza.example([^>]+)>`).FindStringSubmatch(res.Header().Get("Link"))[1]
	}
	refused := func(code int, path, why string) {
		t.Helper()
		res := ann.Get(path)
		require.Equal(t, code, res.Code)
		require.Equal(t, code == http.StatusServiceUnavailable, res.Header().Get("Retry-After") == "5")
		require.Contains(t, html.UnescapeString(res.Body.String()), why)
	}
	m := &mover.Move{Directory: sql.Directory, Shards: sql.Shards, Sleep: func(context.Context, time.Duration) error { return nil }}
	var begun, part string
	waited := false
	for _, to := range []int{1, 0} {
		begun = next("/settings/export/posts")
		part = html.UnescapeString(regexp.MustCompile(`href="(/settings/export/posts[^"]+)"`).FindStringSubmatch(ann.Page("/settings/export"))[1])
		ann.MustPost("/communities", "name", "others"+string(rune('0'+to))) // its slot has an epoch, too
		require.Equal(t, http.StatusOK, ann.Get(begun).Code)
		require.Equal(t, http.StatusOK, ann.Get(part).Code)
		follows := ann.Get("/settings/export/follows")
		require.Equal(t, http.StatusOK, follows.Code)
		m.After = func(step string, whole bool) error {
			switch {
			case step == mover.StepSwitch && whole:
				for _, path := range []string{begun, part, "/settings/export/posts", "/settings/export"} {
					refused(http.StatusServiceUnavailable, path, "A community is moving to another database. That usually takes seconds. Please try again in a moment.")
				}
				for _, path := range []string{"/settings/export/account", "/settings/export/follows", "/settings/export?kind=follows"} {
					require.Equal(t, http.StatusOK, ann.Get(path).Code, path) // they come from one database
				}
			case step == mover.StepSwitch: // the directory does not name the new shard yet
				waited = true
				for _, path := range []string{begun, part, "/settings/export/posts", "/settings/export"} {
					require.Equal(t, http.StatusOK, ann.Get(path).Code, path)
				}
			case whole || step == mover.StepRemove:
				res := ann.Get(next("/settings/export/posts")) // a new one is well in all other steps
				require.Equal(t, http.StatusOK, res.Code, step)
			}
			return nil
		}
		require.NoError(t, m.Run(t.Context(), slot, to))
		require.True(t, waited)
		for _, path := range []string{begun, part} {
			refused(http.StatusConflict, path, "A community has moved to another database since this export began. Please begin again at /settings/export.")
		}
	}
}
