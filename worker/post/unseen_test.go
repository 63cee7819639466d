package post_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"plaza/test/workertest"
)

// TestUnseen asks for a draft and for a removed post at every address that takes an id,
// and with forms that are refused: nobody is told what they say.
func TestUnseen(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	sealed := ann.MustPost("/submit", "community", "gophers", "title", "Sealed letter", "text", "nothing to be seen", "status", "draft")
	draft := workertest.Targets(ann.Page(sealed))[0]
	open := ann.MustPost("/submit", "community", "gophers", "title", "Unmasked words", "text", "nothing to be seen")
	removed := workertest.Targets(ann.Page(open))[0]
	ben.MustPost("/comment", "post", removed, "body", "I say")
	said := workertest.Targets(s.Visitor().Page("/u/ben/comments"))[0]
	ben.MustPost("/save", "target", said, "on", "1")
	s.Deliver()
	s.Exec("UPDATE posts SET status = 'removed' WHERE title = 'Unmasked words'")
	const missing = "0000000000aba"

	paths := []string{"/reply?to=", "/edit?target=", "/delete?target=", "/draft?target=", "/submit?crosspost=", "/discussions?post=", "/img/",
		"/p/"}
	forms := map[string]func(id string) []string{
		"/comment": func(id string) []string { return []string{"post", id, "body", "x"} },
		"/vote":    func(id string) []string { return []string{"target", id, "value", "1"} },
		"/save":    func(id string) []string { return []string{"target", id, "on", "1"} },
		"/hide":    func(id string) []string { return []string{"target", id, "on", "1"} },
		"/edit":    func(id string) []string { return []string{"target", id, "text", "x"} },
		"/draft":   func(id string) []string { return []string{"target", id, "title", "x"} },
		"/publish": func(id string) []string { return []string{"target", id} },
		"/delete":  func(id string) []string { return []string{"target", id} },
		"/submit":  func(id string) []string { return []string{"community", "gophers", "title", "again", "crosspost", id} },
		"/preview": func(id string) []string { return []string{"preview", "reply", "post", id, "body", "x"} },
	}
	unseen := func(body, what string) {
		t.Helper()
		for _, secret := range []string{"Sealed letter", "sealed-letter", "Unmasked words", "nothing to be seen"} {
			assert.NotContains(t, body, secret, what)
		}
	}
	for name, who := range map[string]*workertest.Browser{"member": ben, "visitor": s.Visitor()} {
		for _, id := range []string{draft, removed} {
			for _, path := range paths {
				unseen(who.Get(path+id).Body.String(), name+" GET "+path+id)
			}
			for path, fields := range forms {
				unseen(who.Post(path, fields(id)...).Body.String(), name+" POST "+path+" "+id)
			}
		}
		for _, path := range []string{open, open + "/" + said, "/u/ben/comments"} {
			unseen(who.Page(path), name+" GET "+path)
		}
	}
	for _, path := range []string{"/saved/comments", "/edit?target=" + said, "/delete?target=" + said} {
		unseen(ben.Get(path).Body.String(), path)
	}
	// What can be done with a published post says of a draft what it says of nothing.
	for _, path := range []string{"/comment", "/vote", "/save", "/hide", "/submit"} {
		res, none := ben.Post(path, forms[path](draft)...), ben.Post(path, forms[path](missing)...)
		assert.Equal(t, http.StatusNotFound, none.Code, path)
		assert.Equal(t, none.Code, res.Code, path)
	}
}
