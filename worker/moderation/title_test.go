package moderation_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// TestTitle changes titles: by the author at first, by moderators always. The address stays.
func TestTitle(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, cid := s.Member("ann"), s.Member("ben"), s.Member("cid")
	ann.MustPost("/communities", "name", "gophers")
	address := ben.MustPost("/submit", "community", "gophers", "title", "Teh first", "text", "Weighty")
	post := workertest.Targets(ben.Page(address))[0]
	cid.MustPost("/submit", "community", "gophers", "crosspost", post, "title", "Shown again")
	edit := func(title string) (code int, says string) {
		form := ben.Page("/edit?target=" + post)
		res := ben.Post("/edit", "target", post, "title", title, "text", "Weighty", "revision", workertest.RevisionIn(t, form))
		return res.Code, res.Body.String()
	}

	require.Contains(t, ben.Page("/edit?target="+post), `value="Teh first"`)
	code, _ := edit("The first")
	require.Equal(t, http.StatusSeeOther, code)
	require.Contains(t, s.Visitor().Page(address), "The first</h1>")
	require.Contains(t, s.Visitor().Page("/c/gophers/p/shown-again"), "The first", "crossposts show it")
	code, says := edit(strings.Repeat("x", 301))
	require.Equal(t, http.StatusUnprocessableEntity, code)
	require.Contains(t, says, "at most 300")

	s.Exec("UPDATE posts SET created_at = created_at - 700000")
	ben.Now = ben.Now.Add(11 * time.Minute)
	require.NotContains(t, ben.Page("/edit?target="+post), `name="title"`, "after ten minutes it stays")
	code, says = edit("Another")
	require.Equal(t, http.StatusUnprocessableEntity, code)
	require.Contains(t, says, "for ten minutes after posting")
	code, _ = edit("The first")
	require.Equal(t, http.StatusSeeOther, code, "programs may send what it is")

	const form = "/c/gophers/mod/title"
	require.Contains(t, ann.Page(address), form+"?target="+post)
	require.NotContains(t, cid.Page(address), form)
	require.Contains(t, ann.Page(form+"?target="+post), `value="The first"`)
	res := ann.Post(form, "target", post, "title", " ", "text", "Why")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "A post needs a title.")
	require.Contains(t, res.Body.String(), ">Why</textarea>", "what was typed is still there")
	require.Equal(t, http.StatusForbidden, cid.Post(form, "target", post, "title", "Mine").Code)
	for range 2 { // the second time changes nothing
		require.Equal(t, address, ann.MustPost(form, "target", post, "title", "Quite another", "text", "It named somebody."))
	}
	s.DeliverAll()
	require.Contains(t, s.Visitor().Page(address), "Quite another</h1>")
	require.Contains(t, s.Visitor().Page("/c/gophers/p/shown-again"), "Quite another")
	log := s.Visitor().Page("/c/gophers/log")
	require.Equal(t, 1, strings.Count(log, "changed the title of"))
	require.NotContains(t, log, "The first")
	inboxPage := ben.Page("/inbox/moderation")
	require.Contains(t, inboxPage, "Moderators changed the title of your post")
	require.Contains(t, inboxPage, "“The first” → “Quite another” · It named somebody.")
	s.Exec("UPDATE posts SET created_at = created_at + 700000")
	code, _ = edit("The first")
	require.Equal(t, http.StatusUnprocessableEntity, code, "what a moderator has chosen stays")
}
