package post_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

func TestSavingAndHiding(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post to keep", "text", "text")
	other := ann.MustPost("/submit", "community", "gophers", "title", "Another post", "text", "text")
	id := workertest.Targets(ann.Page(address))[0]
	place := ann.MustPost("/comment", "post", id, "body", "Words to keep")
	comment := place[strings.LastIndex(place, "#c-")+3:]
	s.Deliver()

	t.Run("buttons are for members", func(t *testing.T) {
		for _, path := range []string{address, "/c/gophers"} {
			require.NotContains(t, s.Visitor().Page(path), `action="/save?target=`)
			require.Contains(t, ben.Page(path), `action="/save?target=`)
		}
	})
	t.Run("leads back to where it was", func(t *testing.T) {
		require.Equal(t, address, ben.MustPost("/save", "target", id, "on", "1"))
		ben.Header.Set("Referer", "https://plaza.example/c/gophers/new?after=x")
		require.Equal(t, "/c/gophers/new?after=x#p-"+id, ben.MustPost("/save", "target", id, "on", "1"))
		require.Equal(t, "/c/gophers/new?after=x#c-"+comment, ben.MustPost("/save", "target", comment, "on", "1"))
		require.Equal(t, "/hidden", ben.MustPost("/save", "target", id, "on", "1", "return", "/hidden"))
		ben.Header.Set("Referer", "https://evil.example/x")
		require.Equal(t, address, ben.MustPost("/save", "target", id, "on", "1"))
		ben.Header.Del("Referer")
	})
	t.Run("a vote leads back in the same way, and by the login page", func(t *testing.T) {
		require.Equal(t, address, ben.MustPost("/vote", "target", id, "value", "1"))
		require.Equal(t, address+"/"+comment, ben.MustPost("/vote", "target", comment, "value", "1"))
		visitor := s.Visitor()
		require.Equal(t, "/login?next=%2F", visitor.MustPost("/vote", "target", id, "value", "1"))
		for _, b := range []*workertest.Browser{ben, visitor} {
			b.Header.Set("Referer", "https://plaza.example/c/gophers/new?after=x")
			defer b.Header.Del("Referer")
		}
		require.Equal(t, "/c/gophers/new?after=x#p-"+id, ben.MustPost("/vote", "target", id, "value", "1"))
		require.Equal(t, "/c/gophers/new?after=x#c-"+comment, ben.MustPost("/vote", "target", comment, "value", "1"))
		require.Equal(t, "/login?next=%2Fc%2Fgophers%2Fnew%3Fafter%3Dx%23c-"+comment, visitor.MustPost("/vote", "target", comment, "value", "1"))
	})
	t.Run("lists what was saved, and shows it where it stands", func(t *testing.T) {
		require.Contains(t, ben.Page("/saved"), "A post to keep")
		require.NotContains(t, ben.Page("/saved"), "Another post")
		require.Contains(t, ben.Page("/saved/comments"), "Words to keep")
		require.Equal(t, 2, strings.Count(ben.Page(address), "Unsave"))
		require.NotContains(t, ann.Page("/saved"), "A post to keep")
		ben.MustPost("/save", "target", comment, "on", "0")
		require.NotContains(t, ben.Page("/saved/comments"), "Words to keep")
	})
	t.Run("in place, it answers with the buttons", func(t *testing.T) {
		ben.Header.Set("HX-Request", "true")
		defer ben.Header.Del("HX-Request")
		res := ben.Post("/hide", "target", id, "on", "1")
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), ">Unhide<")
		require.Contains(t, res.Body.String(), ">Unsave<")
		require.NotContains(t, res.Body.String(), "<html")
	})
	t.Run("hidden is out of listings, and on its page and in its list", func(t *testing.T) {
		for _, path := range []string{"/", "/new", "/hot", "/c/gophers", "/c/gophers/new", "/c/gophers/rising", "/c/gophers/top"} {
			require.NotContains(t, ben.Page(path), "A post to keep", path)
			require.Contains(t, ben.Page(path), "Another post", path)
			require.Contains(t, ann.Page(path), "A post to keep", path)
		}
		require.Contains(t, ben.Page(address), ">Unhide<")
		require.Contains(t, ben.Page("/hidden"), "A post to keep")
		ben.MustPost("/hide", "target", id, "on", "0")
		require.Contains(t, ben.Page("/c/gophers"), "A post to keep")
		require.NotContains(t, ben.Page("/hidden"), "A post to keep")
	})
	t.Run("programs get JSON, and what is wrong", func(t *testing.T) {
		ben.Header.Set("Accept", "application/json")
		defer ben.Header.Del("Accept")
		require.Contains(t, ben.PostBody("/save", "application/json", `{"target":"`+id+`","on":true}`).Body.String(), `"saved":true`)
		require.Contains(t, ben.PostBody("/hide", "application/json", `{"target":"`+id+`","on":false}`).Body.String(), `"hidden":false`)
		for body, status := range map[string]int{
			`{"target":"` + id + `"}`:                        422,
			`{"target":"x","on":true}`:                       422,
			`{"target":"00000000000zw","on":true}`:           404,
			`{"target":"` + comment + `","on":true,"x":"y"}`: 422,
		} {
			require.Equal(t, status, ben.PostBody("/hide", "application/json", body).Code, body)
		}
	})
	t.Run("a page of hidden posts shows what follows", func(t *testing.T) {
		for i := range 30 {
			ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprintf("Newer %d", i), "text", "x")
		}
		ben.MustPost("/vote", "target", id, "value", "0") // what was voted up above would lead the page
		s.Deliver()
		s.Exec("INSERT INTO hides (user_id, post_id, created_at) SELECT ?1, id, 1 FROM posts WHERE title LIKE 'Newer%'",
			s.One("SELECT id FROM users WHERE username = 'ben'"))
		ben.MustPost("/save", "target", id, "on", "0") // so that this device asks anew
		for _, path := range []string{"/new", "/c/gophers/new", "/c/gophers"} {
			page := ben.Page(path)
			require.Contains(t, page, other, path)
			require.NotContains(t, page, "Newer", path)
		}
		require.Contains(t, ben.Page("/hidden"), "Next page")
	})
}

// What visitors press leads to the login page. It is done when they have logged in there, on every way and once, and nowhere else.
func TestWhatVisitorsPressIsDoneAfterLoggingIn(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text", "tags", "go")
	id := workertest.Targets(ann.Page(address))[0]
	s.Member("cal")
	for _, it := range []struct {
		path   string
		fields []string
		done   string // how many rows there are of it
	}{
		{"/vote", []string{"target", id, "value", "-1"}, `SELECT count(*) FROM votes WHERE value = -1`},
		{"/save", []string{"target", id, "on", "1"}, `SELECT count(*) FROM saves`},
		{"/watch", []string{"target", id, "watch", "follow"}, `SELECT count(*) FROM watches WHERE muted = 0`},
		{"/subscribe", []string{"community", "gophers", "on", "1"}, `SELECT count(*) - 1 FROM subscriptions`},
		{"/follow", []string{"user", "ann", "on", "1"}, `SELECT count(*) FROM follows`},
		{"/tags/follow", []string{"tag", "go", "on", "1"}, `SELECT count(*) FROM tag_follows`},
	} {
		t.Run(it.path, func(t *testing.T) {
			visitor := s.Visitor()
			visitor.Jar = map[string]string{}
			press := func() {
				require.Equal(t, "/login?next=%2Fc%2Fgophers", visitor.MustPost(it.path, append(it.fields, "return", "/c/gophers")...))
			}
			logIn := func(next string) string {
				return visitor.MustPost("/login", "login", "cal", "password", "correct horse", "next", next)
			}
			press()
			require.Equal(t, http.StatusUnauthorized, visitor.Post("/login", "login", "cal", "password", "wrong horse", "next", "/c/gophers").Code)
			require.EqualValues(t, 0, s.One(it.done))
			require.Equal(t, "/inbox", logIn("/inbox"), "logging in has begun elsewhere")
			require.EqualValues(t, 0, s.One(it.done))
			require.Equal(t, "/c/gophers", logIn("/c/gophers"))
			require.EqualValues(t, 1, s.One(it.done))
			require.NotContains(t, visitor.Jar, "__Host-wanted", "it is done once")
		})
	}
	t.Run("by a newcomer who signs up, and by the script's button", func(t *testing.T) {
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		visitor.Header.Set("HX-Request", "true")
		require.Equal(t, "/login?next=%2Fc%2Fgophers", visitor.Post("/vote", "target", id, "value", "1", "return", "/c/gophers").Header().Get("HX-Redirect"))
		visitor.Header.Del("HX-Request")
		require.Equal(t, "/c/gophers", visitor.MustPost("/signup", "username", "dan", "password", "correct horse", "next", "/c/gophers"))
		require.Contains(t, visitor.Page(address), `class="up" name="value" value="0" aria-pressed="true"`)
	})
	t.Run("what can't be done says why", func(t *testing.T) {
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		visitor.MustPost("/vote", "target", id, "value", "5", "return", "/c/gophers")
		res := visitor.Post("/login", "login", "cal", "password", "correct horse", "next", "/c/gophers")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "A vote is 1, -1 or 0.")
		require.NotEmpty(t, visitor.Page("/inbox"), "and they are logged in")
	})
	t.Run("what can't be done now can be tried again, as that and not as a login", func(t *testing.T) {
		s.Exec("CREATE TRIGGER moving BEFORE INSERT ON tag_follows BEGIN SELECT RAISE(ABORT, '" + data.SlotFrozen + "'); END")
		defer s.Exec("DROP TRIGGER moving")
		s.Exec("DELETE FROM tag_follows")
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		visitor.MustPost("/tags/follow", "tag", "go", "on", "1", "return", "/c/gophers")
		res := visitor.Post("/login", "login", "cal", "password", "correct horse", "next", "/c/gophers")
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		form, _, _ := strings.Cut(res.Body.String()[strings.Index(res.Body.String(), `<form class="next"`):], "</form>")
		require.Contains(t, form, `action="/tags/follow"`)
		require.Contains(t, form, `name="tag" value="go"`)
	})
	t.Run("nothing else is done unasked, and no forged cookie counts", func(t *testing.T) {
		visitor := s.Visitor()
		visitor.Jar = map[string]string{}
		visitor.MustPost("/delete", "target", id, "return", "/c/gophers")
		require.NotContains(t, visitor.Jar, "__Host-wanted")
		visitor.Jar["__Host-wanted"] = "eyJ4Ijp7fX0.forged"
		require.Equal(t, "/c/gophers", visitor.MustPost("/login", "login", "cal", "password", "correct horse", "next", "/c/gophers"))
	})
}
