package worker_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatAVisitorTypesIsThereAfterSigningIn(t *testing.T) {
	s := mustOpen(t)
	ann := s.member("ann")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	ann.mustPost("/comment", "post", post, "body", "words")
	comment := targets(ann.page(address))[1]
	const typed = "\n  First & <b>second</b>\nthird \"line\""

	signIn := map[string]func(*testing.T, *browser, string) *httptest.ResponseRecorder{
		"logging in": func(t *testing.T, b *browser, page string) *httptest.ResponseRecorder {
			res := b.post("/login", append(formOf(t, page, "/login"), "login", "ann", "password", "wrong")...)
			require.Equal(t, http.StatusUnauthorized, res.Code)
			return b.post("/login", append(formOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
		},
		"signing up": func(t *testing.T, b *browser, page string) *httptest.ResponseRecorder {
			require.Contains(t, page, `formaction="/signup"`)
			res := b.post("/signup", append(formOf(t, page, "/login"), "show", "1")...)
			require.Equal(t, http.StatusOK, res.Code)
			require.NotRegexp(t, `-error"|wrong whole`, res.Body.String(), "no field is wrong yet")
			name := "new" + strings.ToLower(t.Name()[len(t.Name())-3:])
			return b.post("/signup", append(formOf(t, res.Body.String(), "/signup"), "username", name, "password", "correct horse")...)
		},
	}
	for by, enter := range signIn {
		for name, field := range map[string][2]string{"a comment": {"post", post}, "a reply": {"parent", comment}} {
			t.Run(by+" with "+name, func(t *testing.T) {
				visitor := s.visitor()
				before := s.one("SELECT count(*) FROM comments")
				res := visitor.post("/comment", field[0], field[1], "body", typed)
				require.Equal(t, http.StatusUnauthorized, res.Code)
				require.Contains(t, res.Body.String(), "What you have written is kept")
				require.NotContains(t, res.Body.String(), "next=%2Fcomment")
				res = enter(t, visitor, res.Body.String())
				require.Equal(t, http.StatusOK, res.Code, res.Body.String())
				require.NotEmpty(t, visitor.cookie)
				require.Contains(t, res.Body.String(), "A post")
				fields := formOf(t, res.Body.String(), "/comment")
				require.Contains(t, fields, typed)
				require.Equal(t, before, s.one("SELECT count(*) FROM comments"), "nothing is sent that its author hasn't seen again")
				visitor.mustPost("/comment", fields...)
				require.Equal(t, strings.TrimSpace(typed), strings.TrimSpace(s.one("SELECT body FROM comments ORDER BY id DESC LIMIT 1").(string)))
			})
		}
	}

	t.Run("a post, a draft and an edit", func(t *testing.T) {
		draft := targets(ann.page(ann.mustPost("/c/gophers/submit", "title", "A draft", "status", "draft")))[0]
		for path, form := range map[string]string{
			"/c/gophers/submit": "/c/gophers/submit", "/draft?target=" + draft: "/publish", "/edit?target=" + post: "/edit", "/communities": "/communities",
		} {
			b := s.visitor()
			res := b.post(path, "title", "Typed title", "text", typed, "description", typed, "name", "typed")
			require.Equal(t, http.StatusUnauthorized, res.Code, path)
			res = b.post("/login", append(formOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
			require.Equal(t, http.StatusOK, res.Code, path)
			fields := formOf(t, res.Body.String(), form)
			require.Contains(t, fields, typed, path)
		}
	})

	t.Run("what can't be answered any more", func(t *testing.T) {
		b := s.visitor()
		res := b.post("/comment", "parent", comment, "body", typed)
		s.exec("UPDATE posts SET locked = 1")
		defer s.exec("UPDATE posts SET locked = 0")
		res = b.post("/login", append(formOf(t, res.Body.String(), "/login"), "login", "ann", "password", "correct horse")...)
		require.NotEmpty(t, b.cookie)
		require.Contains(t, res.Body.String(), "This thread is locked")
		require.Contains(t, formOf(t, res.Body.String(), "/comment"), typed)
	})

	t.Run("whose session was ended elsewhere", func(t *testing.T) {
		ben := s.member("ben")
		copied := &browser{site: s, cookie: ben.cookie, header: http.Header{}}
		ben.mustPost("/logout")
		res := copied.post("/comment", "post", post, "body", typed)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), "You are logged out")
		res = copied.post("/login", append(formOf(t, res.Body.String(), "/login"), "login", "ben", "password", "correct horse")...)
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, formOf(t, res.Body.String(), "/comment"), typed)
	})

	t.Run("an address can't fill in a form", func(t *testing.T) {
		require.NotContains(t, s.visitor().page("/login?again=reply&post="+post+"&body=planted"), "planted")
	})

	t.Run("programs get their error", func(t *testing.T) {
		b := s.visitor()
		b.header.Set("Accept", "application/json")
		res := b.post("/comment", "post", post, "body", typed)
		require.Equal(t, http.StatusUnauthorized, res.Code)
		require.Contains(t, res.Body.String(), `"code":"unauthenticated"`)
	})
}

func TestWaysToSignInLeadBack(t *testing.T) {
	s := mustOpen(t)
	for path, next := range map[string]string{
		"/":                              "",
		"/communities?sort=new":          "/communities?sort=new",
		"/login":                         "",
		"/login?next=%2Fc%2Fgophers":     "/c/gophers",
		"/signup?next=%2Fc%2Fgophers":    "/c/gophers",
		"/login?next=https://evil.org/x": "",
	} {
		page := s.visitor().page(path)
		want := "/login"
		if next != "" {
			want += "?next=" + url.QueryEscape(next)
		}
		require.Contains(t, page, `<a href="`+html.EscapeString(want)+`">Log in</a>`, path)
		require.NotContains(t, page, "next=%2Flogin", path)
		require.NotContains(t, page, "next=%2Fsignup", path)
	}
	b := s.visitor()
	b.header.Set("Referer", "https://plaza.example/login?next=%2Fc%2Fgophers")
	res := b.post("/login", "login", "nobody", "password", "wrong", "next", "/c/gophers")
	require.Contains(t, res.Body.String(), `<a href="/login?next=%2Fc%2Fgophers">Log in</a>`)
}
