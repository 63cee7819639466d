package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSavingAndHiding(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post to keep", "text", "text")
	other := ann.mustPost("/submit", "community", "gophers", "title", "Another post", "text", "text")
	id := targets(ann.page(address))[0]
	place := ann.mustPost("/comment", "post", id, "body", "Words to keep")
	comment := place[strings.LastIndex(place, "#c-")+3:]
	s.deliver()

	t.Run("buttons are for members", func(t *testing.T) {
		for _, path := range []string{address, "/c/gophers"} {
			require.NotContains(t, s.visitor().page(path), `action="/save?target=`)
			require.Contains(t, ben.page(path), `action="/save?target=`)
		}
	})
	t.Run("leads back to where it was", func(t *testing.T) {
		require.Equal(t, address, ben.mustPost("/save", "target", id, "on", "1"))
		ben.header.Set("Referer", "https://plaza.example/c/gophers/new?after=x")
		require.Equal(t, "/c/gophers/new?after=x#p-"+id, ben.mustPost("/save", "target", id, "on", "1"))
		require.Equal(t, "/c/gophers/new?after=x#c-"+comment, ben.mustPost("/save", "target", comment, "on", "1"))
		require.Equal(t, "/hidden", ben.mustPost("/save", "target", id, "on", "1", "return", "/hidden"))
		ben.header.Set("Referer", "https://evil.example/x")
		require.Equal(t, address, ben.mustPost("/save", "target", id, "on", "1"))
		ben.header.Del("Referer")
	})
	t.Run("a vote leads back in the same way, and by the login page", func(t *testing.T) {
		require.Equal(t, address, ben.mustPost("/vote", "target", id, "value", "1"))
		require.Equal(t, address+"/"+comment, ben.mustPost("/vote", "target", comment, "value", "1"))
		visitor := s.visitor()
		require.Equal(t, "/login?next=%2F", visitor.mustPost("/vote", "target", id, "value", "1"))
		for _, b := range []*browser{ben, visitor} {
			b.header.Set("Referer", "https://plaza.example/c/gophers/new?after=x")
			defer b.header.Del("Referer")
		}
		require.Equal(t, "/c/gophers/new?after=x#p-"+id, ben.mustPost("/vote", "target", id, "value", "1"))
		require.Equal(t, "/c/gophers/new?after=x#c-"+comment, ben.mustPost("/vote", "target", comment, "value", "1"))
		require.Equal(t, "/login?next=%2Fc%2Fgophers%2Fnew%3Fafter%3Dx%23c-"+comment, visitor.mustPost("/vote", "target", comment, "value", "1"))
	})
	t.Run("lists what was saved, and shows it where it stands", func(t *testing.T) {
		require.Contains(t, ben.page("/saved"), "A post to keep")
		require.NotContains(t, ben.page("/saved"), "Another post")
		require.Contains(t, ben.page("/saved/comments"), "Words to keep")
		require.Equal(t, 2, strings.Count(ben.page(address), "Unsave"))
		require.NotContains(t, ann.page("/saved"), "A post to keep")
		ben.mustPost("/save", "target", comment, "on", "0")
		require.NotContains(t, ben.page("/saved/comments"), "Words to keep")
	})
	t.Run("in place, it answers with the buttons", func(t *testing.T) {
		ben.header.Set("HX-Request", "true")
		defer ben.header.Del("HX-Request")
		res := ben.post("/hide", "target", id, "on", "1")
		require.Equal(t, http.StatusOK, res.Code)
		require.Contains(t, res.Body.String(), ">Unhide<")
		require.Contains(t, res.Body.String(), ">Unsave<")
		require.NotContains(t, res.Body.String(), "<html")
	})
	t.Run("hidden is out of listings, and on its page and in its list", func(t *testing.T) {
		for _, path := range []string{"/", "/new", "/hot", "/c/gophers", "/c/gophers/new", "/c/gophers/rising", "/c/gophers/top"} {
			require.NotContains(t, ben.page(path), "A post to keep", path)
			require.Contains(t, ben.page(path), "Another post", path)
			require.Contains(t, ann.page(path), "A post to keep", path)
		}
		require.Contains(t, ben.page(address), ">Unhide<")
		require.Contains(t, ben.page("/hidden"), "A post to keep")
		ben.mustPost("/hide", "target", id, "on", "0")
		require.Contains(t, ben.page("/c/gophers"), "A post to keep")
		require.NotContains(t, ben.page("/hidden"), "A post to keep")
	})
	t.Run("programs get JSON, and what is wrong", func(t *testing.T) {
		ben.header.Set("Accept", "application/json")
		defer ben.header.Del("Accept")
		require.Contains(t, ben.postBody("/save", "application/json", `{"target":"`+id+`","on":true}`).Body.String(), `"saved":true`)
		require.Contains(t, ben.postBody("/hide", "application/json", `{"target":"`+id+`","on":false}`).Body.String(), `"hidden":false`)
		for body, status := range map[string]int{
			`{"target":"` + id + `"}`:                        422,
			`{"target":"x","on":true}`:                       422,
			`{"target":"00000000000zw","on":true}`:           404,
			`{"target":"` + comment + `","on":true,"x":"y"}`: 422,
		} {
			require.Equal(t, status, ben.postBody("/hide", "application/json", body).Code, body)
		}
	})
	t.Run("a page of hidden posts shows what follows", func(t *testing.T) {
		for i := range 30 {
			ann.mustPost("/submit", "community", "gophers", "title", fmt.Sprintf("Newer %d", i), "text", "x")
		}
		ben.mustPost("/vote", "target", id, "value", "0") // what was voted up above would lead the page
		s.deliver()
		s.exec("INSERT INTO hides (user_id, post_id, created_at) SELECT ?1, id, 1 FROM posts WHERE title LIKE 'Newer%'", s.one("SELECT id FROM users WHERE username = 'ben'"))
		ben.mustPost("/save", "target", id, "on", "0") // so that this device asks anew
		for _, path := range []string{"/new", "/c/gophers/new", "/c/gophers"} {
			page := ben.page(path)
			require.Contains(t, page, other, path)
			require.NotContains(t, page, "Newer", path)
		}
		require.Contains(t, ben.page("/hidden"), "Next page")
	})
}
