package account_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestOwnSettings(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	good := []string{"group", "profile", "revision", "0", "colour", "#6a3fb5", "letter", "é", "bio", "I keep **bees**", "link-1-label", "My <notes>", "link-1-url",
		"https://example.org/notes",
		"link-3-url", "https://www.example.net/"}
	with := func(changes ...string) []string { return append(append([]string{}, good...), changes...) }

	t.Run("are for members", func(t *testing.T) {
		require.Equal(t, "/login?next=%2Fsettings", s.Visitor().Get("/settings").Header().Get("Location"))
		require.Contains(t, ann.Page("/u/ann"), `href="/settings/profile"`)
		require.NotContains(t, ben.Page("/u/ann"), "Edit your profile")
	})
	t.Run("show once saved, on one's profile and in the form", func(t *testing.T) {
		require.Equal(t, "/settings/profile?saved", ann.MustPost("/settings", good...))
		page := ben.Page("/u/ann")
		for _, says := range []string{`<rect fill="#6a3fb5">`, "<text>É</text>", "I keep <strong>bees</strong>", "My &lt;notes&gt;",
			`href="https://example.org/notes" rel="me nofollow ugc"`, ">www.example.net<"} {
			require.Contains(t, page, says)
		}
		page = ann.Page("/settings/profile?saved")
		for _, says := range []string{"Your settings are saved.", `value="#6a3fb5" required checked`, `value="É"`, "I keep **bees**",
			`name="revision" value="1"`, `value="https://www.example.net/"`} {
			require.Contains(t, page, says)
		}
		require.Contains(t, ann.Page("/communities"), `<rect fill="#6a3fb5"></rect><text>É</text>`, "the header's own")
	})
	for name, test := range map[string]struct {
		changes []string
		says    string
	}{
		"two letters":           {[]string{"letter", "AB"}, "Please type one letter or digit."},
		"a sign for a letter":   {[]string{"letter", "<"}, "Please type one letter or digit."},
		"a colour of its own":   {[]string{"colour", "red"}, "Please choose one of the colours."},
		"a long bio":            {[]string{"bio", strings.Repeat("x", 2001)}, "This text has at most 2,000 characters."},
		"a link that runs code": {[]string{"link-2-url", "javascript:alert(1)"}, "begins with http:// or https://"},
		"a link to nowhere":     {[]string{"link-2-label", "Somewhere"}, "Please type the address of this link."},
		"a link's long name":    {[]string{"link-1-label", strings.Repeat("x", 41)}, "A link&#39;s name has at most 40 characters."},
	} {
		t.Run("are refused with "+name+", which is named, and what was typed stays", func(t *testing.T) {
			const all = "SELECT group_concat(bio || links || avatar || revision) FROM users"
			before := s.One(all)
			res := ann.Post("/settings", with(append(test.changes, "link-5-label", "typed", "revision", "1")...)...)
			require.Equal(t, http.StatusUnprocessableEntity, res.Code)
			for _, says := range []string{test.says, `value="typed"`, `name="revision" value="1"`} {
				require.Contains(t, res.Body.String(), says)
			}
			require.Equal(t, before, s.One(all))
		})
	}
	t.Run("that another device changed meanwhile are not overwritten unawares", func(t *testing.T) {
		res := ann.Post("/settings", with("bio", "typed bio")...) // revision 0, while 1 is stored
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		for _, says := range []string{"changed elsewhere in the meantime", "typed bio", `name="revision" value="1"`} {
			require.Contains(t, res.Body.String(), says)
		}
		ann.MustPost("/settings", with("bio", "typed bio", "revision", "1")...)
		require.Contains(t, ben.Page("/u/ann"), "typed bio")
		require.Equal(t, "/settings/profile?saved", ann.MustPost("/settings", with("bio", "typed bio", "revision", "1")...), "sent twice")
	})
	t.Run("are saved by group, and all others stay", func(t *testing.T) {
		revision := func(page string) string {
			return regexp.MustCompile(`name="revision" value="(\d+)"`).FindStringSubmatch(ann.Page(page))[1]
		}
		require.Equal(t, "/settings?saved", ann.MustPost("/settings", "group", "reading", "revision", revision("/settings"), "theme", "dark"))
		require.Contains(t, ben.Page("/u/ann"), "typed bio")
		require.Contains(t, ann.Page("/settings"), `<option value="dark" selected>`)
		ann.MustPost("/settings", with("bio", "a new bio", "revision", revision("/settings/profile"))...)
		require.Contains(t, ann.Page("/settings"), `<option value="dark" selected>`)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/settings", "group", "profil", "theme", "light").Code, "not all of them")
		require.Contains(t, ben.Page("/u/ann"), "a new bio")
		res := ann.Post("/settings", "group", "reading", "revision", "1", "theme", "light")
		require.Contains(t, res.Body.String(), "changed elsewhere in the meantime")
		require.Contains(t, res.Body.String(), `<option value="light" selected>`)
		ann.MustPost("/settings", with("bio", "typed bio", "revision", revision("/settings/profile"))...)
	})
	t.Run("are not changed by an ended session", func(t *testing.T) {
		old := ann.Cookie
		ann.MustPost("/logout")
		ann.Cookie = old
		res := ann.Post("/settings", with("bio", "of a thief", "revision", "2")...)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.NotContains(t, ben.Page("/u/ann"), "of a thief")
	})
}
