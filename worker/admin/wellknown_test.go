package admin_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/worker/workertest"
)

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
