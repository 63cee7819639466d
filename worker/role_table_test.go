package worker_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker"
)

// TestRoleTable has everybody try every decision of moderators and administrators, and what members do in a community: what is allowed
// works, and all else is refused and changes nothing. What suspended members and visitors try elsewhere is in TestSuspendedCookie and
// TestRoutes.
func TestRoleTable(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	founder, author := s.Member("founder"), s.Member("author")
	founder.MustPost("/communities", "name", "gophers")
	other := s.Member("other")
	other.MustPost("/communities", "name", "gardens")
	root, team0, guests, old := s.Admin("rita"), newMembers(s, "staff", 4, 0), newMembers(s, "guest", 3, 0),
		newMembers(s, "old", 1, 100*24*time.Hour)
	s.Exec("UPDATE users SET karma = 500 WHERE username = 'old0'")
	roles := map[string]*workertest.Browser{"visitor": s.Visitor(), "new member": guests[0], "known member": old[0], "author": author,
		"owner": founder, "moderator": team0[0],
		"approver": team0[1], "moderator elsewhere": other, "administrator": root, "banned": guests[1], "muted": guests[2],
		"suspended moderator": team0[2]}
	moderates := func(name, role string) {
		s.Exec(`INSERT INTO moderators (community_id, user_id, username, created_at, role) SELECT k.id, u.id, u.username, 1, ?1
  FROM communities k, users u
WHERE k.name = 'gophers' AND u.username = ?2 ON CONFLICT DO UPDATE SET role = excluded.role`, role, name)
	}
	moderates("staff0", "moderator")
	moderates("staff1", "approver")
	moderates("staff2", "moderator")
	founder.MustPost("/c/gophers/mod/bans", "user", "guest1", "decision", "ban", "rule", "Spam")
	founder.MustPost("/c/gophers/mod/bans", "user", "guest2", "decision", "mute", "rule", "Spam")
	root.MustPost("/admin/users", "user", "staff2", "decision", "suspend", "rule", "Spam", "days", "1")
	team := []string{} // members of whom each is used once
	for i := range newMembers(s, "team", 60, 0) {
		team = append(team, fmt.Sprint("team", i))
	}
	// mate is a member who has a role, or whom one is offered.
	mate := func(role string, invited bool) func() string {
		return func() string {
			s.Exec("DELETE FROM moderators WHERE username LIKE 'team%'")
			name := team[0]
			team = team[1:]
			if invited {
				founder.MustPost("/c/gophers/moderators", "do", "invite", "user", name, "role", role)
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
		id := workertest.Targets(author.Page(author.MustPost("/submit", "community", "gophers", "title", fmt.Sprint("Post ", n), "text",
			"text")))[0]
		return id, workertest.MustID(t, id)
	}
	newComment := func() string {
		post, _ := newPost()
		author.MustPost("/comment", "post", post, "body", "said")
		return data.ID(s.One("SELECT max(id) FROM comments").(int64)).Text()
	}
	// prepared is a post about which a decision was made.
	prepared := func(decision ...string) func() string {
		return func() string {
			id, _ := newPost()
			founder.MustPost("/c/gophers/mod/decide", append([]string{"target", id, "decision"}, decision...)...)
			return id
		}
	}
	newMembers(s, "culprit", 1, 0)
	culprit := func(status string) func() string {
		return func() string {
			s.Exec("UPDATE users SET status = '" + status + "' WHERE username = 'culprit0'")
			return ""
		}
	}
	// banned has the author banned or muted, or neither.
	banned := func(decision string) func() string {
		return func() string {
			s.Exec("DELETE FROM bans WHERE username = 'author'")
			if decision != "" {
				founder.MustPost("/c/gophers/mod/bans", "user", "author", "decision", decision, "rule", "Spam")
			}
			return ""
		}
	}
	fresh := func() string { id, _ := newPost(); return id }
	insiders, approvers, owners := []string{"owner", "moderator", "administrator"}, []string{"owner", "moderator", "approver",
		"administrator"}, []string{"owner", "administrator"}
	talk := func() string { // between the author and the moderators
		s.Exec("UPDATE conversations SET status = 'closed'")
		return author.MustPost("/messages", "community", "gophers", "title", "A question", "text", "A question")
	}
	remover, aboutAuthor := team0[3], data.ID(s.One("SELECT id FROM users WHERE username = 'author'").(int64)).Text()
	moderates("staff3", "moderator")
	// appealed is where to decide about the author's appeal against a removal by a moderator who does not try.
	appealed := func() string {
		s.Now = s.Now.Add(time.Hour) // a member writes 30 messages an hour
		id, _ := newPost()
		remover.MustPost("/c/gophers/mod/decide", "target", id, "decision", "remove", "rule", "Spam")
		return author.MustPost(s.LastDecision("remove"), "text", "It breaks no rule.") + "/verdict"
	}
	gophers := data.ID(s.One("SELECT id FROM communities WHERE name = 'gophers'").(int64))
	// block is a picture that is blocked in a community, or with 0 on the site.
	block := func(community data.ID) func() string {
		return func() string {
			n++
			id := data.ID(n) << 22
			s.Exec("INSERT INTO picture_blocks (id, community_id, sum, target_id, rule, actor_id) VALUES (?1, ?2, ?3, 0, '', 1)", int64(id),
				int64(community), fmt.Sprintf("%064x", n))
			return id.Text()
		}
	}
	noPages := func() string { s.Exec("DELETE FROM wiki_pages"); return "" }
	// newPage is a page of the community, to which something has happened.
	newPage := func(has string) func() string {
		return func() string {
			noPages()
			founder.MustPost("/c/gophers/mod/page", "title", "Guide", "text", "text")
			switch has {
			case "delete":
				founder.MustPost("/c/gophers/mod/page/delete", "page", "guide")
			case "erase":
				s.Exec("DELETE FROM wiki_revisions")
				s.Exec("UPDATE wiki_pages SET id = ?1", 91<<22)
			}
			return ""
		}
	}
	pictured := func() string { // a post with a picture
		id, post := newPost()
		s.Sql.ExecAt(post, "UPDATE posts SET pictures = json_array(json_object('sum', ?1)) WHERE id = ?2", fmt.Sprintf("%064x", n), int64(post))
		return id
	}
	waiting := func() string { // something that waits in the queue
		n++
		id := gophers + data.ID(n)<<22
		s.Sql.ExecAt(gophers, "INSERT INTO queue_items (target_id, community_id, reports, came_at) VALUES (?1, ?2, 1, 1)", int64(id),
			int64(gophers))
		return id.Text()
	}
	quarantined := func() string {
		post, id := newPost()
		s.Sql.ExecAt(gophers, "DELETE FROM quarantines")
		s.Sql.ExecAt(gophers, "INSERT INTO quarantines (id, target_id, community_id, direction, evidence, created_at) VALUES (77, ?1, ?2, "+
			"-1, '{}', 1)", int64(id), int64(gophers))
		return post
	}
	talkers := []string{"new member", "known member", "owner", "moderator", "approver", "moderator elsewhere", "administrator"}
	voters := append(talkers[:7:7], "muted")
	actions := []struct {
		name    string
		allowed []string
		target  func() string
		path    string
		fields  []string
	}{
		{"post", append(talkers[:7:7], "author"), func() string { return "" }, "/submit", []string{"community", "gophers", "title", "Mine",
			"text", "text"}},
		{"comment", append(talkers[:7:7], "author"), fresh, "/comment", []string{"body", "said"}},
		{"vote", append(voters[:8:8], "author"), fresh, "/vote", []string{"value", "-1"}},
		{"report", voters, fresh, "/report", []string{"reason", "Spam"}},
		{"settings of a community", insiders, func() string {
			s.Exec("UPDATE communities SET title = 'As before', revision = NULL WHERE name = 'gophers'")
			return ""
		}, "/c/gophers/settings", []string{"title", "Changed", "colour", "#00695c", "revision", "0"}},
		{"decide in the queue", approvers, waiting, "/c/gophers/mod/queue", []string{"decision", "approve"}},
		{"decide in all queues", approvers, waiting, "/mod/queue", []string{"decision", "approve"}},
		{"votes in quarantine", approvers, quarantined, "/c/gophers/mod/quarantine", []string{"case", data.ID(77).Text(), "decision", "release"}},
		// Who may decide about a case may do so by the address of the site's list as well.
		{"votes in quarantine by the site's list", approvers, quarantined, "/admin/quarantine", []string{"community", "gophers", "case",
			data.ID(77).Text(), "decision", "release"}},
		{"add rules of the site", []string{"administrator"}, fresh, "/admin/rules",
			[]string{"do", "add", "text", "rule: Another rule\nwords: abcd\ndo: hold"}},
		{"a dead letter", []string{"administrator"}, func() string {
			s.Exec("INSERT INTO dead_letters (id, queue, message_id, body, failed_at, last_at) VALUES (99, 'plaza-votes', 'm', 'b', 1, 1) " +
				"ON CONFLICT DO NOTHING")
			return ""
		}, "/admin/dead-letters", []string{"id", data.ID(99).Text(), "action", "delete"}},
		{"answer a member", append(insiders[:3:3], "author"), talk, "", []string{"text", "An answer"}},
		{"note about a member", insiders, talk, "", []string{"text", "A note", "do", "note"}},
		{"close a conversation", append(insiders[:3:3], "author"), talk, "", []string{"do", "close"}},
		{"uphold", insiders, appealed, "", []string{"verdict", "upheld"}},
		{"overturn", insiders, appealed, "", []string{"verdict", "overturned"}},
		{"remove", approvers, fresh, "/c/gophers/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"remove a comment", approvers, newComment, "/c/gophers/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"erase", []string{"administrator"}, fresh, "/admin/erase", []string{"rule", "Personal data"}},
		{"approve", approvers, prepared("remove", "rule", "Spam"), "/c/gophers/mod/decide", []string{"decision", "approve"}},
		{"lock", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "lock"}},
		{"unlock", insiders, prepared("lock"), "/c/gophers/mod/decide", []string{"decision", "unlock"}},
		{"nsfw", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "nsfw"}},
		{"un-nsfw", insiders, prepared("nsfw"), "/c/gophers/mod/decide", []string{"decision", "un-nsfw"}},
		{"spoiler", insiders, fresh, "/c/gophers/mod/decide", []string{"decision", "spoiler"}},
		{"un-spoiler", insiders, prepared("spoiler"), "/c/gophers/mod/decide", []string{"decision", "un-spoiler"}},
		{"un-answer", insiders, func() string { id := fresh(); s.Exec("UPDATE posts SET auto_reply = 'x'"); return id }, "/c/gophers/mod/decide",
			[]string{"decision", "un-answer"}},
		{"define flair", insiders, fresh, "/c/gophers/mod/flair", []string{"flair-1-text", "Question"}},
		{"give flair", approvers, func() string {
			id, post := newPost()
			s.Exec("UPDATE posts SET flair_id = 5 WHERE id = ?1", int64(post))
			return id
		}, "/c/gophers/mod/give-flair", []string{"flair", ""}},
		{"unblock a picture", insiders, block(gophers), "/c/gophers/mod/pictures", nil},
		{"unblock a picture on the site", []string{"administrator"}, block(0), "/admin/blocked-pictures", nil},
		{"block any picture", []string{"administrator"}, func() string { n++; return fmt.Sprintf("%064x", n) }, "/admin/pictures", nil},
		{"remove and block", insiders, pictured, "/c/gophers/mod/decide",
			[]string{"decision", "remove", "rule", "Spam", "block", "community"}},
		{"remove and block on the site", []string{"administrator"}, pictured, "/c/gophers/mod/decide",
			[]string{"decision", "remove", "rule", "Spam", "block", "site"}},
		{"give member flair", approvers, func() string { s.Exec("DELETE FROM member_flairs"); return "" }, "/c/gophers/mod/user-flair",
			[]string{"user", aboutAuthor, "flair", "own", "text", "Helpful", "colour", "slate"}},
		{"write a page", insiders, noPages, "/c/gophers/mod/page", []string{"title", "Guide", "text", "text"}},
		{"edit a page", insiders, newPage(""), "/c/gophers/mod/page", []string{"page", "guide", "revision", "1", "title", "Guide", "text", "more"}},
		{"delete a page", insiders, newPage(""), "/c/gophers/mod/page/delete", []string{"page", "guide"}},
		{"restore a page", insiders, newPage("delete"), "/c/gophers/mod/page/restore", []string{"page", "guide", "number", "1", "revision", "1"}},
		{"erase a page", []string{"administrator"}, newPage("erase"), "/admin/erase", []string{"page", data.ID(91 << 22).Text(), "rule",
			"Personal data"}},
		{"title", insiders, fresh, "/c/gophers/mod/title", []string{"title", "Another title"}},
		{"pin", insiders, func() string { s.Exec("UPDATE posts SET pinned_at = NULL"); return fresh() }, "/c/gophers/mod/decide",
			[]string{"decision", "pin"}},
		{"unpin", insiders, func() string { s.Exec("UPDATE posts SET pinned_at = NULL"); return prepared("pin")() }, "/c/gophers/mod/decide",
			[]string{"decision", "unpin"}},
		{"invite", owners, mate("", false), "/c/gophers/moderators", []string{"do", "invite", "role", "approver"}},
		{"withdraw", owners, mate("moderator", true), "/c/gophers/moderators", []string{"do", "withdraw"}},
		{"role", owners, mate("approver", false), "/c/gophers/moderators", []string{"do", "role", "role", "moderator"}},
		{"dismiss", owners, mate("moderator", false), "/c/gophers/moderators", []string{"do", "dismiss"}},
		{"ban", insiders, banned(""), "/c/gophers/mod/bans", []string{"user", "author", "decision", "ban", "rule", "Spam"}},
		{"mute", insiders, banned(""), "/c/gophers/mod/bans", []string{"user", "author", "decision", "mute", "rule", "Spam"}},
		{"lift a ban", insiders, banned("ban"), "/c/gophers/mod/bans", []string{"user", "author", "decision", "lift"}},
		{"lift a mute", insiders, banned("mute"), "/c/gophers/mod/bans", []string{"user", "author", "decision", "lift"}},
		{"ban several", insiders, banned(""), "/c/gophers/mod/authors", []string{"member", aboutAuthor, "decision", "ban", "rule", "Spam"}},
		{"lift several bans", insiders, banned("ban"), "/c/gophers/mod/bans", []string{"member", aboutAuthor, "decision", "lift"}},
		{"ban several from another community", []string{"moderator elsewhere", "administrator"}, banned(""), "/c/gardens/mod/authors",
			[]string{"member", aboutAuthor, "decision", "ban", "rule", "Spam"}},
		{"ban from another community", []string{"moderator elsewhere", "administrator"}, banned(""), "/c/gardens/mod/bans",
			[]string{"user", "author", "decision", "ban", "rule", "Spam"}},
		{"note something about a member", approvers, func() string { s.Exec("DELETE FROM member_notes"); return aboutAuthor },
			"/c/gophers/mod/member", []string{"text", "A note"}},
		{"remove a note of another", owners, func() string {
			s.Exec("DELETE FROM member_notes")
			remover.MustPost("/c/gophers/mod/member", "user", aboutAuthor, "text", "A note")
			return aboutAuthor
		}, "/c/gophers/mod/member", []string{"do", "remove"}},
		{"write an automatic rule", insiders, fresh, "/c/gophers/mod/rule", []string{"rule", data.ID(77 << 22).Text(), "title", "A rule", "words",
			"abc", "do", "hold", "then", "save"}},
		{"add automatic rules", insiders, fresh, "/c/gophers/mod/rules", []string{"do", "add", "text", "rule: Another rule\nwords: abcd\ndo: hold"}},
		{"write a rule of the site", []string{"administrator"}, fresh, "/admin/rule", []string{"rule", data.ID(78 << 22).Text(), "title",
			"A rule", "words", "abc", "do", "hold", "then", "save"}},
		{"suspend", []string{"administrator"}, culprit("active"), "/admin/users", []string{"user", "culprit0", "decision", "suspend", "rule",
			"Spam", "days", "1"}},
		{"ban from the site", []string{"administrator"}, culprit("active"), "/admin/users", []string{"user", "culprit0", "decision", "ban-site",
			"rule", "Spam"}},
		{"restore", []string{"administrator"}, culprit("suspended"), "/admin/users", []string{"user", "culprit0", "decision", "restore"}},
		// By the address of another community, nobody decides; its own moderator is no exception.
		{"remove by another community", nil, fresh, "/c/gardens/mod/decide", []string{"decision", "remove", "rule", "Spam"}},
		{"settings of the site", []string{"administrator"}, func() string { return "" }, workertest.SiteSettings, []string{"tagline", "Changed"}},
		{"invite to the site", []string{"administrator"}, func() string {
			s.Exec("DELETE FROM site_settings")
			s.Exec("INSERT INTO site_settings (id, revision, archive, body) VALUES (1, 1, 1 << 50, '{\"sign_up\":\"invitation\"}')")
			return ""
		}, "/settings/invites", []string{"uses", "1", "days", "1"}},
		{"approve a newcomer", []string{"administrator"}, func() string {
			s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, waiting) VALUES (56, 'newcomer', 'newcomer', '', 1, " +
				"'') ON CONFLICT DO UPDATE SET waiting = ''")
			return ""
		}, "/admin/waiting", []string{"newcomer", data.ID(56).Text(), "decision", "approve"}},
		{"let somebody claim an account", []string{"administrator"}, func() string {
			s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (59, 'imported', " +
				"'imported', '', 1, 'reddit:imported', 1) ON CONFLICT DO NOTHING")
			return ""
		}, "/admin/claim", []string{"user", "imported", "proof", "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"}},
		{"decide about an invite tree", []string{"administrator"}, func() string {
			s.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, invite_id) VALUES (57, 'boss', 'boss', '', 1, " +
				"NULL), (58, 'brought', 'brought', '', 1, 57) ON CONFLICT DO NOTHING")
			s.Exec("INSERT INTO invites (id, code, user_id, uses, expires_at) VALUES (57, 'boss', 57, 1, 1) ON CONFLICT DO NOTHING")
			return ""
		}, "/admin/invites", []string{"user", "boss", "decision", "suspend", "rule", "Spam"}},
		{"page of the site", []string{"administrator"}, func() string { return "" }, "/admin/pages/about",
			[]string{"body", "Changed", "revision", "0"}},
		{"message to the administrators", []string{"administrator"}, func() string { return "" }, "/admin/messages",
			[]string{"id", data.ID(55).Text(), "action", "answered"}},
	}
	s.Exec("INSERT INTO contact_messages (id, name, member, email, body) VALUES (55, '', 0, '', 'Hello')")
	// Visitors and whoever is suspended are not known; others may not.
	refusals := map[string][]int{"visitor": {http.StatusUnauthorized}, "suspended moderator": {http.StatusUnauthorized},
		"author": {http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity}} // who can't report what is their own
	tried := map[string]bool{}
	for _, action := range actions {
		try := func(role, target string) *httptest.ResponseRecorder {
			program := &workertest.Browser{Site: s, Cookie: roles[role].Cookie, Header: http.Header{"Accept": {"application/json"}},
				Jar: map[string]string{}}
			path := cmp.Or(action.path, target)
			tried[path] = true
			fields := []string{"target", target}
			switch path {
			case "/comment":
				fields[0] = "post"
			case "/admin/pictures":
				fields[0] = "picture"
			case "/c/gophers/mod/pictures", "/admin/blocked-pictures":
				fields[0] = "block"
			case "/c/gophers/moderators":
				fields[0] = "user"
			case "/c/gophers/mod/member":
				fields[0] = "user"
				for _, row := range s.Sql.Rows("SELECT id FROM member_notes") {
					fields = append(fields, "note", data.ID(row[0].(int64)).Text())
				}
			}
			return program.Post(path, append(fields, action.fields...)...)
		}
		t.Run(action.name, func(t *testing.T) {
			s.T = t
			s.Exec("DELETE FROM outbox") // so that there is less to compare
			target := action.target()
			before := s.Everything()
			for role := range roles {
				if slices.Contains(action.allowed, role) {
					continue
				}
				res, refused := try(role, target), refusals[role]
				if refused == nil {
					refused = []int{http.StatusForbidden, http.StatusNotFound}
				}
				require.Contains(t, refused, res.Code, "%s: %s", role, res.Body.String())
			}
			if after := s.Everything(); after != before {
				require.Equal(t, changedLines(after, before), changedLines(before, after), "somebody who was refused has changed this")
			}
			for _, role := range action.allowed {
				target := action.target()
				before := s.Everything()
				res := try(role, target)
				require.Equal(t, http.StatusOK, res.Code, "%s: %s", role, res.Body.String())
				require.False(t, before == s.Everything(), "%s changes something", role)
			}
		})
	}
	s.T = t
	for _, rt := range worker.Routes() {
		if (rt.Moderator || rt.Admin) && rt.Method != http.MethodGet {
			address := regexp.MustCompile("^" + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(rt.Pattern, "[^/]+") + "$")
			require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(tried)), address.MatchString), "%s is no action of this table", rt.Pattern)
		}
	}
}

// changedLines are the lines of a text that another one does not have.
func changedLines(text, other string) (lines []string) {
	for line := range strings.Lines(text) {
		if !strings.Contains(other, line) {
			lines = append(lines, line)
		}
	}
	return lines
}
