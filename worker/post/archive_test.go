package post_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestArchive(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/comment", "post", post, "body", "said")
	comment := workertest.Targets(ann.Page(address))[1]
	s.Deliver()
	s.Exec("UPDATE posts SET created_at = ?1", s.Now.Add(time.Minute-180*24*time.Hour).UnixMilli())
	ben.MustPost("/vote", "target", post, "value", "1")
	ben.MustPost("/comment", "parent", comment, "body", "answered")
	s.Exec("UPDATE posts SET created_at = ?1", s.Now.Add(-time.Minute-180*24*time.Hour).UnixMilli())
	before := s.Rows()
	for _, target := range []string{post, comment} {
		res := ben.Post("/vote", "target", target, "value", "-1")
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "archived: no new votes")
	}
	for _, field := range [][]string{{"post", post}, {"parent", comment}} {
		res := ben.Post("/comment", append(field, "body", "late")...)
		require.Equal(t, http.StatusForbidden, res.Code)
		require.Contains(t, res.Body.String(), "archived: no new comments")
	}
	require.Equal(t, before, s.Rows())
	page := ben.Page(address)
	require.Contains(t, page, "This thread is archived")
	require.NotContains(t, page, "/reply?to=")
	require.Contains(t, ben.Page("/c/gophers/new"), "A post", "it stays in listings")

	root := s.Admin("rita")
	settings := func(days string) {
		t.Helper()
		require.Equal(t, workertest.SiteSettings+"?saved", root.MustPost(workertest.SiteSettings, "archive", days))
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
	}
	settings("0")
	ben.MustPost("/vote", "target", post, "value", "-1")
	require.NotContains(t, ben.Page(address), "This thread is archived")
	settings("2")
	s.Exec("UPDATE posts SET created_at = ?1", s.Now.Add(-49*time.Hour).UnixMilli())
	require.Equal(t, http.StatusForbidden, ben.Post("/vote", "target", post, "value", "1").Code)
	require.Equal(t, http.StatusForbidden, ben.Post("/comment", "post", post, "body", "late").Code)
	require.Contains(t, ben.Page(address), "This thread is archived")
	s.Restart(s.Config)
	require.Contains(t, s.Visitor().Page(address), "This thread is archived", "an instance that has just begun")
}
