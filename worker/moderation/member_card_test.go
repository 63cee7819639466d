package moderation_test

import (
	"html"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// TestNotesOfACard presses the buttons of the page, with the fields that it has and no others.
func TestNotesOfACard(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	s.Member("bob")
	bob := data.ID(s.One("SELECT id FROM users WHERE username = 'bob'").(int64)).Text()
	card := "/c/gophers/mod/member?user=" + bob + "&name=bob"
	press := func(page, form string, typed ...string) {
		t.Helper()
		found := regexp.MustCompile(`(?s)<form class="` + form + `" method="post" action="([^"]*)">(.*?)</form>`).FindStringSubmatch(page)
		require.NotNil(t, found, page)
		for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(found[2], -1) {
			typed = append(typed, m[1], html.UnescapeString(m[2]))
		}
		res := ann.Post(html.UnescapeString(found[1]), typed...)
		require.Equal(t, http.StatusSeeOther, res.Code, res.Body.String())
		require.Equal(t, card, res.Header().Get("Location"))
	}
	press(ann.Page(card), "case", "text", "Sells pills.")
	page := ann.Page(card)
	require.Contains(t, page, "Sells pills.")
	press(page, "decide", "do", "remove")
	require.NotContains(t, ann.Page(card), "Sells pills.")
}
