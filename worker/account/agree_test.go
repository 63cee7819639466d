package account_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// later moves the clock, so that instances forget the settings and members that they have cached.
func later(s *workertest.Site) { s.Now = s.Now.Add(31 * time.Second) }

func TestMembersAcceptTheTerms(t *testing.T) {
	s := workertest.MustOpen(t)
	admin, ann := s.Admin("rita"), s.Member("ann")
	admin.MustPost("/communities", "name", "gophers")
	program := workertest.Program(s, ann.NewToken("read", "write"))
	submit := []string{"community", "gophers", "title", "A title", "text", "words that I typed"}
	admin.MustPost(workertest.SiteSettings, "terms", "3", "changed", "Pictures <are> new.")
	later(s)

	require.Contains(t, ann.Page("/"), `">See what is needed</a>`)
	res := ann.Post("/submit", submit...)
	require.Equal(t, http.StatusForbidden, res.Code)
	require.Contains(t, res.Body.String(), "words that I typed", "what was typed is not lost")
	require.Contains(t, res.Body.String(), `href="/agree"`)
	require.Equal(t, http.StatusForbidden, program.Post("/submit", submit...).Code)
	require.Equal(t, "/agree?next=%2F", ann.MustPost("/vote", "target", "0000000000001", "value", "1"), "a button leads to the page")
	ann.MustPost("/inbox/read", "newest", "1000")
	require.Zero(t, s.One("SELECT count(*) FROM posts"))

	page := ann.Page("/agree?next=/submit")
	require.Contains(t, page, "Pictures &lt;are&gt; new.")
	require.NotContains(t, page, `name="born"`)
	require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/agree", "next", "/submit").Code)
	require.Equal(t, "/submit", ann.MustPost("/agree", "terms", "1", "next", "/submit"))
	require.Equal(t, int64(3), s.One("SELECT terms FROM users WHERE username = 'ann'"))
	require.Equal(t, s.Now.UnixMilli(), s.One("SELECT terms_at FROM users WHERE username = 'ann'"))
	require.Equal(t, http.StatusSeeOther, ann.Get("/agree?next=/submit").Code, "nothing is required any more")
	ann.MustPost("/submit", submit...)
	require.Equal(t, http.StatusOK, program.Post("/submit", "community", "gophers", "title", "Another", "text", "words").Code)

	t.Run("a session elsewhere learns of it by its next page", func(t *testing.T) {
		other := s.LogIn("ann", "")
		other.MustPost("/submit", "community", "gophers", "title", "A third", "text", "words")
	})
	t.Run("another version is accepted anew, and reading stays", func(t *testing.T) {
		admin.MustPost("/agree", "terms", "1")
		admin.MustPost(workertest.SiteSettings, "terms", "4")
		later(s)
		require.Contains(t, ann.Page("/"), "The terms of this site have changed.")
		require.Equal(t, http.StatusForbidden, ann.Post("/submit", submit...).Code)
		require.Contains(t, ann.Page("/agree"), "The terms have changed since you accepted them.")
		admin.MustPost(workertest.SiteSettings, "terms", "3")
		later(s)
		ann.MustPost("/submit", "community", "gophers", "title", "A fourth", "text", "words")
	})
	t.Run("newcomers accept them when they sign up", func(t *testing.T) {
		visitor := s.Visitor()
		require.Contains(t, visitor.Page("/signup"), `name="terms"`)
		res := visitor.Post("/signup", "username", "ben", "password", "correct horse")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Please read the terms and accept them.")
		visitor.MustPost("/signup", "username", "ben", "password", "correct horse", "terms", "1")
		require.Equal(t, int64(3), s.One("SELECT terms FROM users WHERE username = 'ben'"))
		visitor.MustPost("/submit", "community", "gophers", "title", "A fifth", "text", "words")
	})
	ann.MustPost("/prove", "password", "correct horse", "next", "/")
	require.Contains(t, ann.Get("/settings/export/account").Body.String(), `"terms":3`)
}

func TestMembersAreOfAnAge(t *testing.T) {
	s := workertest.MustOpen(t)
	admin, ann, dan := s.Admin("rita"), s.Member("ann"), s.Member("dan")
	admin.MustPost("/communities", "name", "gophers")
	admin.MustPost(workertest.SiteSettings, "min_age", "16")
	later(s)
	require.Equal(t, 2026, s.Now.Year())
	signUp := func(b *workertest.Browser, name, born string) (int, string) {
		res := b.Post("/signup", "username", name, "password", "correct horse", "born", born)
		return res.Code, res.Body.String()
	}
	browser := func() *workertest.Browser {
		b := s.Visitor()
		b.Jar = map[string]string{}
		return b
	}
	for _, born := range []string{"", "x", "90", "1890", "2027", "-1"} {
		b := browser()
		code, page := signUp(b, "eve", born)
		require.Equal(t, http.StatusUnprocessableEntity, code, born)
		require.Contains(t, page, "Please type the year in which you were born", born)
		require.Empty(t, b.Jar["__Host-young"])
	}
	for _, born := range []string{"2010", "2016", "2026"} { // somebody born in 2010 may still be 15
		b := browser()
		code, page := signUp(b, "eve", born)
		require.Equal(t, http.StatusUnprocessableEntity, code, born)
		require.Contains(t, page, "at least 16 years old")
		require.NotContains(t, page, `name="born"`, "no form is offered")
		require.NotContains(t, b.Page("/signup"), `name="born"`, "also by going back")
		code, _ = signUp(b, "eve", "1990")
		require.Equal(t, http.StatusUnprocessableEntity, code, "nor is another year taken")
	}
	require.Zero(t, s.One("SELECT count(*) FROM users WHERE username = 'eve'"))
	code, _ := signUp(browser(), "eve", "2009")
	require.Equal(t, http.StatusSeeOther, code)
	require.Equal(t, int64(2009), s.One("SELECT birth_year FROM users WHERE username = 'eve'"))

	t.Run("members from before are asked once", func(t *testing.T) {
		require.Contains(t, ann.Page("/"), "This site asks for your age before you write.")
		require.Equal(t, http.StatusForbidden, ann.Post("/submit", "community", "gophers", "title", "A title", "text", "words").Code)
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/agree", "born", "1800").Code)
		require.Equal(t, "/", ann.MustPost("/agree", "born", "1990"))
		ann.MustPost("/submit", "community", "gophers", "title", "A title", "text", "words")
		ann.MustPost("/agree", "born", "1970")
		require.Equal(t, int64(1990), s.One("SELECT birth_year FROM users WHERE username = 'ann'"))
	})
	t.Run("a member who is too young reads, and leaves", func(t *testing.T) {
		require.Equal(t, "/agree", dan.MustPost("/agree", "born", "2015"))
		require.Contains(t, dan.Page("/agree"), "You can read, but not write")
		require.Equal(t, http.StatusForbidden, dan.Post("/submit", "community", "gophers", "title", "A title", "text", "words").Code)
		dan.Page("/settings/export")
		dan.MustPost("/settings/account/delete", "content", "keep", "alone", "1")
	})
	t.Run("an administrator can change what they set", func(t *testing.T) {
		admin.MustPost(workertest.SiteSettings, "min_age", "0")
		later(s)
		s.Member("gus").MustPost("/submit", "community", "gophers", "title", "A second", "text", "words")
	})
}

func TestASiteIsClosedToPlaces(t *testing.T) {
	s := workertest.MustOpen(t)
	admin, ann := s.Admin("rita"), s.Member("ann")
	admin.MustPost("/communities", "name", "gophers")
	from := func(b *workertest.Browser, place string) *workertest.Browser {
		return b.WithHeader("X-Plaza-Place", place)
	}
	for _, wrong := range []string{"France", "F", "US-", "US-MISS", "US MS-"} {
		require.Equal(t, http.StatusUnprocessableEntity, admin.Post(workertest.SiteSettings, "closed", wrong).Code, wrong)
	}
	require.Equal(t, "-", ann.Get("/").Header().Get("X-Plaza-Closed"))
	res := from(admin, "FR-IDF").Post(workertest.SiteSettings, "closed", "cn, fr")
	require.Equal(t, http.StatusUnprocessableEntity, res.Code)
	require.Contains(t, res.Body.String(), "You are in FR-IDF yourself")
	from(admin, "DE").MustPost(workertest.SiteSettings, "closed", " us-ms, cn CN", "reason", "The law of <there> asks for more than we can do.")
	for _, row := range s.Sql.Rows("SELECT body ->> 'closed' FROM site_settings") { // the directory's, and what shards copy of it
		require.Equal(t, `["CN","US-MS"]`, row[0])
	}
	later(s)

	require.Equal(t, "CN US-MS", s.Visitor().Get("/").Header().Get("X-Plaza-Closed"))
	for _, place := range []string{"CN", "CN-BJ", "US-MS"} {
		for _, b := range []*workertest.Browser{from(s.Visitor(), place), from(&workertest.Browser{Site: s, Cookie: ann.Cookie, Header: http.Header{}}, place)} {
			for _, path := range []string{"/", "/c/gophers", "/new.json", "/new.atom", "/search?q=x", "/signup", "/nothing", "/picture/x"} {
				res := b.Get(path)
				require.Equal(t, http.StatusUnavailableForLegalReasons, res.Code, path)
				require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"))
				require.Contains(t, res.Body.String(), "more than we can do", path)
				require.NotContains(t, res.Body.String(), "<there>")
			}
			require.Equal(t, http.StatusUnavailableForLegalReasons, b.Post("/vote", "target", "0000000000001", "value", "1").Code)
			require.Equal(t, http.StatusUnavailableForLegalReasons, b.Post("/submit", "community", "gophers", "title", "A title").Code)
			for _, path := range []string{"/privacy", "/terms", "/rules", "/contact", "/notice"} {
				b.Page(path)
			}
		}
	}
	member := from(&workertest.Browser{Site: s, Cookie: ann.Cookie, Header: http.Header{}}, "CN")
	member.Page("/settings/export")
	res = from(s.Visitor(), "CN").WithHeader("Accept", "application/json").Get("/")
	require.Contains(t, res.Body.String(), `"code":"closed_there"`)
	for _, place := range []string{"", "US", "US-CA", "FR"} {
		from(s.Visitor(), place).Page("/")
	}
	t.Run("an instance that has not read the settings learns of it with the page", func(t *testing.T) {
		s.Restart(s.Config)
		require.Equal(t, http.StatusUnavailableForLegalReasons, from(s.Visitor(), "CN").Get("/c/gophers").Code)
		s.Restart(s.Config)
		require.Equal(t, http.StatusUnavailableForLegalReasons, from(s.Visitor(), "CN").Post("/signup", "username", "eve").Code)
	})
}
