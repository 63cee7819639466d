package worker_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

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
	roles := map[string]*browser{"visitor": s.visitor(), "member": s.member("member"), "author": author, "owner": founder, "moderator": s.member("moderator1"),
		"approver": s.member("approver1"), "moderator elsewhere": other, "administrator": s.admin("rita")}
	moderates := func(name, role string) {
		s.exec(`INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT k.id, u.id, u.username, 1, ?1 FROM communities k, users u
WHERE k.name = 'gophers' AND u.username = ?2 ON CONFLICT DO UPDATE SET role = excluded.role`, role, name)
	}
	moderates("moderator1", "moderator")
	moderates("approver1", "approver")
	team := []string{}
	for i := range 60 { // members of whom each is used once
		team = append(team, fmt.Sprint("team", i))
		s.exec(`INSERT INTO users (id, username, username_key, email, password_hash, created_at) VALUES (?1, ?2, ?2, '', '', 1)`, 1000+i, team[i])
	}
	// mate is a member who has a role, or whom one is offered.
	mate := func(role string, invited bool) func() string {
		return func() string {
			s.exec("DELETE FROM moderators WHERE username LIKE 'team%'")
			name := team[0]
			team = team[1:]
			if invited {
				founder.mustPost("/c/gophers/moderators", "do", "invite", "user", name, "role", role)
			} else if role != "" {
				moderates(name, role)
			}
			return name
		}
	}
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
	s.member("culprit")
	culprit := func(status string) func() string {
		return func() string {
			s.exec("UPDATE users SET status = '" + status + "' WHERE username = 'culprit'")
			return ""
		}
	}
	// banned has the author banned or muted, or neither.
	banned := func(decision string) func() string {
		return func() string {
			s.exec("DELETE FROM bans")
			if decision != "" {
				founder.mustPost("/c/gophers/mod/bans", "user", "author", "decision", decision, "rule", "Spam")
			}
			return ""
		}
	}
	fresh := func() string { id, _ := newPost(); return id }
	insiders, approvers, owners := []string{"owner", "moderator", "administrator"}, []string{"owner", "moderator", "approver", "administrator"}, []string{"owner", "administrator"}
	talk := func() string { // between the author and the moderators
		s.exec("UPDATE conversations SET status = 'closed'")
		return author.mustPost("/messages", "community", "gophers", "title", "A question", "text", "A question")
	}
	remover := s.member("moderator2")
	moderates("moderator2", "moderator")
	// appealed is where to decide about the author's appeal against a removal by a moderator who does not try.
	appealed := func() string {
		s.now = s.now.Add(time.Hour) // a member writes 30 messages an hour
		id, _ := newPost()
		remover.mustPost("/c/gophers/mod/decide", "target", id, "decision", "remove", "rule", "Spam")
		return author.mustPost(s.lastDecision("remove"), "text", "It breaks no rule.") + "/verdict"
	}
	actions := []struct {
		name    string
		allowed []string
		target  func() string
		path    string
		fields  []string
	}{
		{"answer a member", append(insiders[:3:3], "author"), talk, "", []string{"text", "An answer"}},
		{"note about a member", insiders, talk, "", []string{"text", "A note", "do", "note"}},
		{"close a conversation", append(insiders[:3:3], "author"), talk, "", []string{"do", "close"}},
		{"uphold", insiders, appealed, "", []string{"verdict", "upheld"}},
		{"overturn", insiders, appealed, "", []string{"verdict", "overturned"}},
		{"remove", approvers, fresh, "/c/gophers/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"remove a comment", approvers, newComment, "/c/gophers/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"approve", approvers, prepared("remove", "rule", "Spam"), "/c/gophers/mod/decide", []string{"decision", "approve"}},
		{"lock", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "lock"}},
		{"unlock", insiders, prepared("lock"), "/c/gophers/mod/decide", []string{"decision", "unlock"}},
		{"nsfw", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "nsfw"}},
		{"un-nsfw", insiders, prepared("nsfw"), "/c/gophers/mod/decide", []string{"decision", "un-nsfw"}},
		{"spoiler", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "spoiler"}},
		{"un-spoiler", insiders, prepared("spoiler"), "/c/gophers/mod/decide", []string{"decision", "un-spoiler"}},
		{"un-answer", insiders, func() string { id := fresh(); s.exec("UPDATE posts SET answer = 'x'"); return id }, "/c/gophers/mod/decide", []string{"decision", "un-answer"}},
		{"pin", insiders, func() string { s.exec("UPDATE posts SET pinned_at = NULL"); return fresh() }, "/c/gophers/mod/decide", []string{"decision", "pin"}},
		{"unpin", insiders, func() string { s.exec("UPDATE posts SET pinned_at = NULL"); return prepared("pin")() }, "/c/gophers/mod/decide", []string{"decision", "unpin"}},
		{"invite", owners, mate("", false), "/c/gophers/moderators", []string{"do", "invite", "role", "approver"}},
		{"withdraw", owners, mate("moderator", true), "/c/gophers/moderators", []string{"do", "withdraw"}},
		{"role", owners, mate("approver", false), "/c/gophers/moderators", []string{"do", "role", "role", "moderator"}},
		{"dismiss", owners, mate("moderator", false), "/c/gophers/moderators", []string{"do", "dismiss"}},
		{"ban", insiders, banned(""), "/c/gophers/mod/bans", []string{"user", "author", "decision", "ban", "rule", "Spam"}},
		{"mute", insiders, banned(""), "/c/gophers/mod/bans", []string{"user", "author", "decision", "mute", "rule", "Spam"}},
		{"lift a ban", insiders, banned("ban"), "/c/gophers/mod/bans", []string{"user", "author", "decision", "lift"}},
		{"lift a mute", insiders, banned("mute"), "/c/gophers/mod/bans", []string{"user", "author", "decision", "lift"}},
		{"ban from another community", []string{"moderator elsewhere", "administrator"}, banned(""), "/c/gardens/mod/bans", []string{"user", "author", "decision", "ban", "rule", "Spam"}},
		{"write an automatic rule", insiders, fresh, "/c/gophers/mod/rule", []string{"rule", data.ID(77 << 22).Text(), "title", "A rule", "words", "abc", "do", "hold", "then", "save"}},
		{"add automatic rules", insiders, fresh, "/c/gophers/mod/rules", []string{"do", "add", "text", "rule: A rule\nwords: abc\ndo: hold"}},
		{"write a rule of the site", []string{"administrator"}, fresh, "/admin/rule", []string{"rule", data.ID(78 << 22).Text(), "title", "A rule", "words", "abc", "do", "hold", "then", "save"}},
		{"suspend", []string{"administrator"}, culprit("active"), "/admin/users", []string{"user", "culprit", "decision", "suspend", "rule", "Spam", "days", "1"}},
		{"ban from the site", []string{"administrator"}, culprit("active"), "/admin/users", []string{"user", "culprit", "decision", "ban-site", "rule", "Spam"}},
		{"restore", []string{"administrator"}, culprit("suspended"), "/admin/users", []string{"user", "culprit", "decision", "restore"}},
		// By the address of another community, nobody decides; its own moderator is no exception.
		{"remove by another community", nil, fresh, "/c/gardens/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"settings of the site", []string{"administrator"}, func() string { return "" }, siteSettings, []string{"tagline", "Changed"}},
		{"invite to the site", []string{"administrator"}, func() string {
			s.exec("DELETE FROM site_settings")
			s.exec("INSERT INTO site_settings (id, revision, archive, body) VALUES (1, 1, 1 << 50, '{\"sign_up\":\"invitation\"}')")
			return ""
		}, "/settings/invites", []string{"uses", "1", "days", "1"}},
		{"approve a newcomer", []string{"administrator"}, func() string {
			s.exec("INSERT INTO users (id, username, username_key, password_hash, created_at, waiting) VALUES (56, 'newcomer', 'newcomer', '', 1, '') ON CONFLICT DO UPDATE SET waiting = ''")
			return ""
		}, "/admin/waiting", []string{"newcomer", data.ID(56).Text(), "decision", "approve"}},
		{"decide about a branch", []string{"administrator"}, func() string {
			s.exec("INSERT INTO users (id, username, username_key, password_hash, created_at, invite_id) VALUES (57, 'boss', 'boss', '', 1, NULL), (58, 'brought', 'brought', '', 1, 57) ON CONFLICT DO NOTHING")
			s.exec("INSERT INTO invites (id, code, user_id, uses, expires_at) VALUES (57, 'boss', 57, 1, 1) ON CONFLICT DO NOTHING")
			return ""
		}, "/admin/invites", []string{"user", "boss", "decision", "suspend", "rule", "Spam"}},
		{"page of the site", []string{"administrator"}, func() string { return "" }, "/admin/pages/about", []string{"body", "Changed", "revision", "0"}},
		{"message to the administrators", []string{"administrator"}, func() string { return "" }, "/admin/messages", []string{"id", data.ID(55).Text(), "action", "answered"}},
	}
	s.exec("INSERT INTO contact_messages (id, name, member, email, body) VALUES (55, '', 0, '', 'Hello')")
	for _, action := range actions {
		for role, b := range roles {
			t.Run(action.name+" by a "+role, func(t *testing.T) {
				s.T = t
				s.exec("DELETE FROM bans")
				target := action.target()
				before := s.everything()
				program := &browser{site: s, cookie: b.cookie, header: http.Header{"Accept": {"application/json"}}, jar: map[string]string{}}
				path := cmp.Or(action.path, target)
				res := program.post(path, append([]string{"target", target, "user", target}, action.fields...)...)
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
