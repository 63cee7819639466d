package admin_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestRobots has administrators decide what robots.txt tells crawlers that gather texts to train AI. Other crawlers read the same text in
// both cases.
func TestRobots(t *testing.T) {
	s := workertest.MustOpen(t)
	root := s.Admin("georgia")
	read := func() string {
		res := s.Visitor().Get("/robots.txt")
		require.Equal(t, http.StatusOK, res.Code)
		return res.Body.String()
	}
	usual := read()
	require.NotContains(t, usual, "GPTBot")
	require.NotContains(t, usual, "Disallow: /\n")
	require.Equal(t, http.StatusUnprocessableEntity, root.Post("/admin/settings", "ai_crawlers", "perhaps").Code)
	root.MustPost("/admin/settings", "ai_crawlers", "refused")
	s.Now = s.Now.Add(time.Minute)
	refused := read()
	before, group, ok := strings.Cut(refused, "User-agent: AI2Bot\n")
	require.True(t, ok)
	names, after, ok := strings.Cut(group, "\nDisallow: /\n\n")
	require.True(t, ok)
	require.Equal(t, usual, before+after)
	require.Contains(t, names, "User-agent: GPTBot\nUser-agent: ")
	require.NotContains(t, names, "*")
	root.MustPost("/admin/settings", "ai_crawlers", "allowed")
	s.Now = s.Now.Add(time.Minute)
	require.Equal(t, usual, read())
}

func TestSecurityText(t *testing.T) {
	s := workertest.MustOpen(t)
	require.Equal(t, http.StatusNotFound, s.Visitor().Get("/.well-known/security.txt").Code)
	for contact, shown := range map[string]string{
		"security@plaza.example": "mailto:security@plaza.example", "https://plaza.example/contact": "https://plaza.example/contact",
		" a@b.c\nExpires: never ": "a@b.cExpires:never", // one line, whatever the setting
	} {
		c := s.Config
		c.SecurityContact = contact
		s.Restart(c)
		res := s.Visitor().Get("/.well-known/security.txt")
		require.Equal(t, http.StatusOK, res.Code)
		require.Equal(t, "text/plain; charset=utf-8", res.Header().Get("Content-Type"))
		expires := s.Now.UTC().AddDate(0, 0, 180).Format("2006-01-02") + "T00:00:00Z"
		require.Equal(t, "Contact: "+shown+"\nExpires: "+expires+"\nPreferred-Languages: en\nCanonical: "+
			"https://plaza.example/.well-known/security.txt\n", res.Body.String())
	}
}
