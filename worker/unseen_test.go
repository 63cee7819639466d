package worker_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnseen asks for a draft and for a removed post at every address that takes an id,
// and with forms that are refused: nobody is told what they say.
func TestUnseen(t *testing.T) {
	s := mustOpen(t)
	ann, ben := s.member("ann"), s.member("ben")
	ann.mustPost("/communities", "name", "gophers")
	sealed := ann.mustPost("/submit", "community", "gophers", "title", "Sealed letter", "text", "nothing to be seen", "status", "draft")
	draft := targets(ann.page(sealed))[0]
	open := ann.mustPost("/submit", "community", "gophers", "title", "Unmasked words", "text", "nothing to be seen")
	removed := targets(ann.page(open))[0]
	ben.mustPost("/comment", "post", removed, "body", "I say")
	said := targets(s.visitor().page("/u/ben/comments"))[0]
	ben.mustPost("/save", "target", said, "on", "1")
	s.deliver()
	s.exec("UPDATE posts SET status = 'removed' WHERE title = 'Unmasked words'")
	const missing = "0000000000aba"

	paths := []string{"/reply?to=", "/edit?target=", "/delete?target=", "/draft?target=", "/submit?crosspost=", "/discussions?post=", "/img/", "/p/"}
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
	for name, who := range map[string]*browser{"member": ben, "visitor": s.visitor()} {
		for _, id := range []string{draft, removed} {
			for _, path := range paths {
				unseen(who.get(path+id).Body.String(), name+" GET "+path+id)
			}
			for path, fields := range forms {
				unseen(who.post(path, fields(id)...).Body.String(), name+" POST "+path+" "+id)
			}
		}
		for _, path := range []string{open, open + "/" + said, "/u/ben/comments"} {
			unseen(who.page(path), name+" GET "+path)
		}
	}
	for _, path := range []string{"/saved/comments", "/edit?target=" + said, "/delete?target=" + said} {
		unseen(ben.get(path).Body.String(), path)
	}
	// What can be done with a published post says of a draft what it says of nothing.
	for _, path := range []string{"/comment", "/vote", "/save", "/hide", "/submit"} {
		res, none := ben.post(path, forms[path](draft)...), ben.post(path, forms[path](missing)...)
		assert.Equal(t, http.StatusNotFound, none.Code, path)
		assert.Equal(t, none.Code, res.Code, path)
	}
}
