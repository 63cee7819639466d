package worker_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
)

// TestRoleTable has everybody try every decision of moderators and administrators: what is allowed works, and all else is refused and
// changes nothing.
func TestRoleTable(t *testing.T) {
	s := mustOpen(t)
	founder, author := s.member("founder"), s.member("author")
	founder.mustPost("/communities", "name", "gophers")
	other := s.member("other")
	other.mustPost("/communities", "name", "gardens")
	roles := map[string]*browser{"visitor": s.visitor(), "member": s.member("member"), "author": author, "moderator": founder,
		"moderator elsewhere": other, "administrator": s.admin("rita")}
	// newPost is a post of the author's, and its id as statements have it.
	n := 0
	newPost := func() (string, data.ID) {
		n++
		id := targets(author.page(author.mustPost("/submit", "community", "gophers", "title", fmt.Sprint("Post ", n), "text", "text")))[0]
		return id, mustID(t, id)
	}
	newComment := func() string {
		post, _ := newPost()
		author.mustPost("/comment", "post", post, "body", "said")
		return data.ID(s.one("SELECT max(id) FROM comments").(int64)).Text()
	}
	// prepared is a post about which a decision was made.
	prepared := func(decision ...string) func() string {
		return func() string {
			id, _ := newPost()
			founder.mustPost("/c/gophers/mod/decide", append([]string{"target", id, "decision"}, decision...)...)
			return id
		}
	}
	fresh := func() string { id, _ := newPost(); return id }
	insiders := []string{"moderator", "administrator"}
	actions := []struct {
		name    string
		allowed []string
		target  func() string
		path    string
		fields  []string
	}{
		{"remove", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"remove a comment", insiders, newComment, "/c/gophers/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"approve", insiders, prepared("remove", "rule", "Spam"), "/c/gophers/mod/decide", []string{"decision", "approve"}},
		{"lock", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "lock"}},
		{"unlock", insiders, prepared("lock"), "/c/gophers/mod/decide", []string{"decision", "unlock"}},
		{"nsfw", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "nsfw"}},
		{"un-nsfw", insiders, prepared("nsfw"), "/c/gophers/mod/decide", []string{"decision", "un-nsfw"}},
		{"spoiler", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "spoiler"}},
		{"un-spoiler", insiders, prepared("spoiler"), "/c/gophers/mod/decide", []string{"decision", "un-spoiler"}},
		{"pin", insiders, func() string { s.exec("UPDATE posts SET pinned_at = NULL"); return fresh() }, "/c/gophers/mod/decide", []string{"decision", "pin"}},
		{"unpin", insiders, func() string { s.exec("UPDATE posts SET pinned_at = NULL"); return prepared("pin")() }, "/c/gophers/mod/decide", []string{"decision", "unpin"}},
		// By the address of another community, nobody decides; its own moderator is no exception.
		{"remove by another community", nil, fresh, "/c/gardens/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
	}
	for _, action := range actions {
		for role, b := range roles {
			t.Run(action.name+" by a "+role, func(t *testing.T) {
				s.T = t
				target := action.target()
				before := s.everything()
				program := &browser{site: s, cookie: b.cookie, header: http.Header{"Accept": {"application/json"}}, jar: map[string]string{}}
				res := program.post(action.path, append([]string{"target", target}, action.fields...)...)
				if slices.Contains(action.allowed, role) {
					require.Equal(t, http.StatusOK, res.Code, res.Body.String())
					require.NotEqual(t, before, s.everything())
					return
				}
				refused := []int{http.StatusForbidden, http.StatusNotFound}
				if role == "visitor" {
					refused = []int{http.StatusUnauthorized}
				}
				require.Contains(t, refused, res.Code, res.Body.String())
				require.Equal(t, before, s.everything())
			})
		}
	}
	s.T = t
}
