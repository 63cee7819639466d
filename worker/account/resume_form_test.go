package account_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestWhatAVisitorTypesIsThereAfterSigningIn(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	ann.MustPost("/comment", "post", post, "body", "words")
	comment := workertest.Targets(ann.Page(address))[1]
	const typed = "\n  First & <b>second</b>\nthird \"line\""

	signIn := map[string]func(*testing.T, *workertest.Browser, string) *httptest.ResponseRecorder{
		"logging in": func(t *testing.T, b *workertest.Browser, page string) *httptest.ResponseRecorder {
			res := b.Post("/login", append(workertest.FormOf(t, page, "/login"), "login", "ann", "password", "wrong")...)
			require.Equal(t, http.StatusUnauthorized, res.Code)
			return b.Post("/login", append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
		},
		"signing up": func(t *testing.T, b *workertest.Browser, page string) *httptest.ResponseRecorder {
			require.Contains(t, page, `formaction="/signup"`)
			res := b.Post("/signup", append(workertest.FormOf(t, page, "/login"), "show", "1")...)
			require.Equal(t, http.StatusOK, res.Code)
			require.NotRegexp(t, `-error"|wrong whole`, res.Body.String(), "no field is wrong yet")
			name := "new" + strings.ToLower(t.Name()[len(t.Name())-3:])
			return b.Post("/signup", append(workertest.FormOf(t, res.Body.String(), "/signup"), "username", name, "password", "correct horse")...)
		},
	}
	for by, enter := range signIn {
		for name, field := range map[string][2]string{"a comment": {"post", post}, "a reply": {"parent", comment}} {
			t.Run(by+" with "+name, func(t *testing.T) {
				visitor := s.Visitor()
				before := s.One("SELECT count(*) FROM comments")
				res := visitor.Post("/comment", field[0], field[1], "body", typed)
				require.Equal(t, http.StatusUnauthorized, res.Code)
				require.Contains(t, res.Body.String(), "What you wrote is kept")
				require.NotContains(t, res.Body.String(), "next=%2Fcomment")
				res = enter(t, visitor, res.Body.String())
				require.Equal(t, http.StatusOK, res.Code, res.Body.String())
				require.NotEmpty(t, visitor.Cookie)
				require.Contains(t, res.Body.String(), "A post")
				fields := workertest.FormOf(t, res.Body.String(), "/comment")
				require.Contains(t, fields, typed)
				require.Equal(t, before, s.One("SELECT count(*) FROM comments"), "nothing is sent that its author hasn't seen again")
				visitor.MustPost("/comment", fields...)
				require.Equal(t, strings.TrimSpace(typed), strings.TrimSpace(s.One("SELECT body FROM comments ORDER BY id DESC LIMIT 1").(string)))
			})
		}
	}

	t.Run("a post, a draft and an edit", func(t *testing.T) {
		draft := workertest.Targets(ann.Page(ann.MustPost("/c/gophers/submit", "title", "A draft", "status", "draft")))[0]
		for path, form := range map[string]string{
			"/c/gophers/submit": "/c/gophers/submit", "/draft?target=" + draft: "/publish", "/edit?target=" + post: "/edit",
			"/communities": "/communities",
		} {
			b := s.Visitor()
			res := b.Post(path, "title", "Typed title", "text", typed, "description", typed, "name", "typed")
			require.Equal(t, http.StatusUnauthorized, res.Code, path)
			res = b.Post("/login", append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
			require.Equal(t, http.StatusOK, res.Code, path)
			fields := workertest.FormOf(t, res.Body.String(), form)
			require.Contains(t, fields, typed, path)
		}
	})

	t.Run("what can't be answered any more", func(t *testing.T) {
		b := s.Visitor()
		res := b.Post("/comment", "parent", comment, "body", typed)
		s.Exec("UPDATE posts SET locked = 1")
		defer s.Exec("UPDATE posts SET locked = 0")
		res = b.Post("/login", append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
		require.NotEmpty(t, b.Cookie)
		require.Contains(t, res.Body.String(), "This thread is locked")
		require.Contains(t, workertest.FormOf(t, res.Body.String(), "/comment"), typed)
	})

	t.Run("whose session was ended elsewhere", func(t *testing.T) {
		ben := s.Member("ben")
		copied := &workertest.Browser{Site: s, Cookie: ben.Cookie, Header: http.Header{}}
		ben.MustPost("/logout")
		res := copied.Post("/comment", "post", post, "body", typed)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "You are logged out")
		res = copied.Post("/login", append(workertest.FormOf(t, res.Body.String(), "/login"), "login", "ben", "password", "correct horse")...)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, workertest.FormOf(t, res.Body.String(), "/comment"), typed)
	})

	t.Run("an address can't fill in a form", func(t *testing.T) {
		require.NotContains(t, s.Visitor().Page("/login?again=reply&post="+post+"&body=planted"), "planted")
	})

	t.Run("programs get their error", func(t *testing.T) {
		b := s.Visitor()
		b.Header.Set("Accept", "application/json")
		res := b.Post("/comment", "post", post, "body", typed)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), `"code":"unauthenticated"`)
	})
}

func TestWaysToSignInReturn(t *testing.T) {
	s := workertest.MustOpen(t)
	for path, next := range map[string]string{
		"/":                              "",
		"/communities?sort=new":          "/communities?sort=new",
		"/login":                         "",
		"/login?next=%2Fc%2Fgophers":     "/c/gophers",
		"/signup?next=%2Fc%2Fgophers":    "/c/gophers",
		"/login?next=https://evil.org/x": "",
	} {
		page := s.Visitor().Page(path)
		want := "/login"
		if next != "" {
			want += "?next=" + url.QueryEscape(next)
		}
		require.Contains(t, page, `<a href="`+html.EscapeString(want)+`">Log in</a>`, path)
		require.NotContains(t, page, "next=%2Flogin", path)
		require.NotContains(t, page, "next=%2Fsignup", path)
	}
	b := s.Visitor()
	b.Header.Set("Referer", "https://plaza.example/login?next=%2Fc%2Fgophers")
	res := b.Post("/login", "login", "nobody", "password", "wrong", "next", "/c/gophers")
	require.Contains(t, res.Body.String(), `<a href="/login?next=%2Fc%2Fgophers">Log in</a>`)
}
