package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestSitePages(t *testing.T) {
	s := workertest.MustOpen(t)
	root, ann, visitor := s.Admin("rita"), s.Member("ann"), s.Visitor()
	t.Run("first texts", func(t *testing.T) {
		for address, says := range map[string]string{"/about": "moderators and its own rules", "/rules": "rules of its own",
			"/privacy": "no trackers", "/terms": "stays yours", "/contact": "administrators of this site"} {
			page := visitor.Page(address)
			require.Contains(t, page, says)
			require.NotContains(t, page, "Edit this page")
			require.Contains(t, visitor.Page("/new"), `href="`+address+`"`)
			require.Contains(t, root.Page(address), "/admin/pages"+address)
		}
		require.Equal(t, http.StatusNotFound, root.Get("/admin/pages/nothing").Code)
		require.Equal(t, http.StatusNotFound, root.Post("/admin/pages/nothing", "body", "x").Code)
	})
	t.Run("written anew", func(t *testing.T) {
		const edit = "/admin/pages/terms"
		form := root.Page(edit)
		require.Contains(t, form, "What you write stays yours.")
		require.Equal(t, "/terms", root.MustPost(edit, "revision", workertest.RevisionIn(t, form), "body", "Be *kind* <script>"))
		require.Contains(t, visitor.Page("/terms"), "<p>Be <em>kind</em> &lt;script&gt;</p>")
		res := root.Post(edit, "revision", "0", "body", "Mine")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Somebody else changed this page")
		require.Equal(t, "/terms", root.MustPost(edit, "revision", workertest.RevisionIn(t, res.Body.String()), "body", "Mine"))
		before := s.Everything()
		require.Equal(t, http.StatusUnprocessableEntity, root.Post(edit, "revision", "2", "body", " ").Code)
		require.Equal(t, http.StatusUnprocessableEntity, root.Post(edit, "revision", "2", "body", strings.Repeat("x", 40001)).Code)
		require.Equal(t, http.StatusForbidden, ann.Post(edit, "revision", "2", "body", "Ann's").Code)
		require.Equal(t, before, s.Everything())
	})
	t.Run("the site's rules", func(t *testing.T) {
		root.MustPost(workertest.SiteSettings, "rule-1-title", "No <cats>", "rule-1-text", "Nor dogs.")
		require.Contains(t, root.Page("/rules"), "<strong>No &lt;cats&gt;</strong>")
		s.Now = s.Now.Add(2 * data.MemberCacheTTL)
		require.Contains(t, visitor.Page("/rules"), "Nor dogs.")
	})
}

func TestContact(t *testing.T) {
	s := workertest.MustOpen(t)
	root, ann, visitor := s.Admin("rita"), s.Member("ann"), s.Visitor()
	const messages = "/admin/messages"
	require.Contains(t, root.Page(messages), "No messages.")
	form := []string{"name", "Eve", "email", "eve@example.org", "body", "I can't <log> in.", "token", "0123456789abcdef0123"}
	for range 2 { // sent again
		require.Equal(t, "/contact?sent", visitor.MustPost("/contact", form...))
	}
	require.Contains(t, visitor.Page("/contact?sent"), "Your message was sent")
	ann.MustPost("/contact", "name", "rita", "body", "From a member")
	page := root.Page(messages)
	require.Equal(t, 2, strings.Count(page, `class="case"`))
	require.Contains(t, page, "&lt;log&gt;")
	require.Contains(t, page, "mailto:eve@example.org")
	require.Contains(t, page, `href="/u/ann"`, "a member can't write under another's name")
	require.Contains(t, root.Page("/admin"), "2 open")

	id := data.ID(s.One("SELECT max(id) FROM contact_messages").(int64)).Text()
	for range 2 {
		root.MustPost(messages, "id", id, "action", "answered")
	}
	require.NotContains(t, root.Page(messages), "From a member")
	require.Contains(t, root.Page(messages+"?answered"), "From a member")
	root.MustPost(messages, "id", id, "action", "open")
	require.Contains(t, root.Page(messages), "From a member")

	require.Equal(t, http.StatusForbidden, ann.Get(messages).Code)
	before := s.Everything()
	for _, fields := range [][]string{{"body", " "}, {"body", strings.Repeat("x", 5001)}, {"body", "x", "email", "nowhere"}, {"body", "x", "email", "eve@example.org?bcc=v@example.org"},
		{"body", "x", "name", strings.Repeat("x", 101)}} {
		require.Equal(t, http.StatusUnprocessableEntity, visitor.Post("/contact", fields...).Code)
	}
	require.Equal(t, http.StatusForbidden, ann.Post(messages, "id", id, "action", "answered").Code)
	require.Equal(t, http.StatusUnprocessableEntity, root.Post(messages, "id", id, "action", "burn").Code)
	require.Equal(t, http.StatusNotFound, root.Post(messages, "id", data.ID(8).Text(), "action", "answered").Code)
	require.Equal(t, before, s.Everything())

	s.Exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO contact_messages (id, name, member, " +
		"email, body) SELECT i, '', 0, '', 'flood' FROM n")
	require.Equal(t, http.StatusTooManyRequests, visitor.Post("/contact", "body", "one more").Code)
	require.Contains(t, root.Page("/admin"), "1,000 or more open")
	s.Exec("UPDATE contact_messages SET answered_at = 1 WHERE body = 'flood'")
	visitor.MustPost("/contact", "body", "one more")
}
