package worker_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

func TestArchive(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	ann.mustPost("/comment", "post", post, "body", "said")
	comment := targets(ann.page(address))[1]
	s.deliver()
	s.exec("UPDATE posts SET created_at = ?1", s.now.Add(time.Minute-180*24*time.Hour).UnixMilli())
	ben.mustPost("/vote", "target", post, "value", "1")
	ben.mustPost("/comment", "parent", comment, "body", "answered")
	s.exec("UPDATE posts SET created_at = ?1", s.now.Add(-time.Minute-180*24*time.Hour).UnixMilli())
	before := s.rows()
	for _, target := range []string{post, comment} {
		res := ben.post("/vote", "target", target, "value", "-1")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "archived: no new votes")
	}
	for _, field := range [][]string{{"post", post}, {"parent", comment}} {
		res := ben.post("/comment", append(field, "body", "late")...)
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "archived: no new comments")
	}
	require.Equal(t, before, s.rows())
	page := ben.page(address)
	require.Contains(t, page, "This thread is archived")
	require.NotContains(t, page, "/reply?to=")
	require.Contains(t, ben.page("/c/gophers/new"), "A post", "it stays in listings")

	root := s.admin("rita")
	settings := func(days string) {
		t.Helper()
		require.Equal(t, siteSettings+"?saved", root.mustPost(siteSettings, "archive", days))
		s.now = s.now.Add(data.OwnLife + time.Second)
	}
	settings("0")
	ben.mustPost("/vote", "target", post, "value", "-1")
	require.NotContains(t, ben.page(address), "This thread is archived")
	settings("2")
	s.exec("UPDATE posts SET created_at = ?1", s.now.Add(-49*time.Hour).UnixMilli())
	require.Equal(t, http.StatusForbidden, ben.post("/vote", "target", post, "value", "1").Code)
	require.Equal(t, http.StatusForbidden, ben.post("/comment", "post", post, "body", "late").Code)
	require.Contains(t, ben.page(address), "This thread is archived")
	s.restart(s.config)
	require.Contains(t, s.visitor().page(address), "This thread is archived", "an instance that has just begun")
}
