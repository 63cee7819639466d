package worker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/modlog"
	"plaza/data/votes"
	"plaza/ranking"
	"plaza/worker/request"
)

// bans shows who is banned, more than a page of them, and what they see.
// authors bans two spammers, who share a network and a domain, in one act.
func (e *everything) authors() {
	const address = "/c/gardens/mod/authors?domain=pills.example&younger=7"
	for _, name := range []string{"spam1", "spam2"} {
		offer := e.member(name).mustPost("/submit", "community", "gardens", "title", "Offer of "+name, "text", "https://pills.example/x")
		e.reader.mustPost("/report", "target", targets(e.founder.page(offer))[0], "reason", "Spam")
	}
	ticked := boxesOf(e.founder.page(address), address)["member"]
	require.Len(e, ticked, 2)
	fields := []string{"member", ticked[0], "member", ticked[1], "decision", "ban", "rule"}
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(address, append(fields, "No such rule")...).Code)
	e.founder.page(e.founder.mustPost(address, append(fields, "Be kind")...))
	e.exec(`INSERT OR IGNORE INTO queue_items (target_id, community_id, reports, came_at)
SELECT c.id, (SELECT k.id FROM communities k WHERE k.name = 'gardens'), 1, 1 FROM comments c LIMIT 300`)
	e.founder.page("/c/gardens/mod/authors") // more wait than are looked at
	e.exec("DELETE FROM queue_items WHERE came_at = 1 AND target_id IN (SELECT c.id FROM comments c)")
}

func (e *everything) bans() {
	const address = "/c/gardens/mod/bans"
	e.exec(`INSERT INTO bans (id, community_id, user_id, kind, username, until)
SELECT DISTINCT c.id, p.community_id, c.id, 'mute', 'x' || c.id, 1 << 52 FROM posts p, comments c WHERE p.slug = 'everything' LIMIT 51`)
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(address, "user", "reader", "decision", "ban", "text", "Enough.").Code)
	draft := e.reader.mustPost("/submit", "community", "gardens", "title", "A reader's draft", "status", "draft")
	e.founder.mustPost(address, "user", "reader", "decision", "ban", "rule", "Be kind", "days", "3000", "text", "Enough.")
	e.reader.page("/draft?target=" + targets(e.reader.page(draft))[0])
	e.next(e.founder, address)
	e.founder.page(address + "?user=reader")
	e.now = e.now.Add(data.OwnLife + time.Second)
	e.reader.page("/c/gardens/p/everything")
	e.founder.page("/u/reader")
	e.numbers()
	e.visitor().page("/c/gardens/log")
	e.founder.mustPost(address, "user", "reader", "decision", "lift")
	e.invitations()
	e.root.page("/admin/users")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/admin/users", "user", "reader", "decision", "suspend", "text", "Enough.").Code)
	e.exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) 
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 51) SELECT i + 4000, 'y' || i, 'y' || i, '', 1 FROM n`)
	e.next(e.root, "/admin/users")
	e.exec("UPDATE users SET avatar = '#00695cK', karma = 7 WHERE username = (SELECT max(username) FROM users WHERE username LIKE 'y%')")
	e.root.page("/admin/users")
	e.root.mustPost("/admin/users", "user", e.one("SELECT max(username) FROM users WHERE username LIKE 'y%'").(string), "decision", "suspend", "rule", "Spam", "days", "7", "text", "Enough.")
	e.root.page("/admin/users?status=suspended")
	e.outside()
}

// numbers shows how much was decided in the months before and after.
func (e *everything) numbers() {
	for month, id := range map[string]data.ID{"earlier": data.NewID(e.now.AddDate(0, -2, 0), 0, data.KindOther, 0), "later": data.NewID(e.now.AddDate(0, 2, 0), 0, data.KindOther, 0)} {
		e.exec("INSERT INTO moderation_log (id, community_id, action, target_id, actor_id, actor_name, rule) SELECT ?1, k.id, 'remove', 1, iif(?2 = 'later', 0, 7), '', '' FROM communities k WHERE k.name_key = 'gardens'", int64(id), month)
	}
	e.exec("UPDATE moderation_log SET undone_by = 1 WHERE id = (SELECT max(id) FROM moderation_log WHERE actor_name <> '' AND community_id = (SELECT id FROM communities WHERE name_key = 'gardens'))")
	e.visitor().page("/c/gardens/log/numbers")
	e.visitor().page("/c/gardens/log/numbers?month=" + modlog.MonthOf(e.now.AddDate(0, 2, 0)).String())
	e.visitor().page("/log/numbers")
	e.exec("UPDATE moderation_log SET undone_by = NULL WHERE undone_by = 1")
	e.exec("DELETE FROM moderation_log WHERE target_id = 1")
}

// invitations shows who may sign up, and by whom they were invited.
func (e *everything) invitations() {
	e.root.mustPost("/admin/settings", "sign_up", "invitation")
	e.root.mustPost("/settings/invites", "uses", "2", "days", "7")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/settings/invites", "uses", "0", "days", "7").Code)
	e.root.page("/settings/invites")
	e.visitor().page("/signup?invite=" + e.one("SELECT code FROM invites").(string))
	e.exec(`INSERT INTO users (id, username, username_key, password_hash, created_at, status, invite_id) SELECT 70 + i.value, 'i' || i.value, 'i' || i.value, '', 1, 'suspended', (SELECT id FROM invites) FROM json_each('[1,2]') i`)
	e.exec("INSERT INTO invites (id, code, user_id, uses, expires_at) VALUES (5, 'x', 71, 1, 1)")
	e.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO users (id, username, username_key, password_hash, created_at, invite_id) SELECT 100 + i, 'j' || i, 'j' || i, '', 1, 5 FROM n`)
	e.next(e.root, "/admin/invites")
	e.root.page("/settings/invites")
	e.exec("UPDATE users SET admin = 1, status = 'banned' WHERE username = 'j5'")
	e.exec("UPDATE users SET status = 'suspended' WHERE username = 'j6'")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/admin/invites", "user", "i1", "decision", "suspend", "text", "Enough.").Code)
	e.root.mustPost("/admin/invites", "user", "i1", "decision", "restore")
	e.root.page("/admin/invites")
	e.exec("DELETE FROM branch_decisions")
	e.exec("DELETE FROM branch_members")
	e.root.page("/admin/invites?user=j7")
	e.root.page("/admin/invites?user=rita")
	e.root.mustPost("/admin/settings", "sign_up", "approval", "question", "Why?")
	e.visitor().page("/signup")
	e.exec("UPDATE users SET waiting = 'Because.', status = 'active' WHERE invite_id IS NOT NULL")
	e.next(e.root, "/admin/waiting")
	e.root.mustPost("/admin/settings", "sign_up", "open")
	e.exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', 'imported', '', 1, 'reddit:there', 1)")
	e.visitor().page("/u/imported")
	e.visitor().page("/claim?user=imported")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/admin/claim", "user", "imported", "proof", "x").Code)
	e.exec("DELETE FROM users WHERE id = 60")
	e.exec("DELETE FROM users WHERE invite_id IS NOT NULL")
}

func (e *everything) moderation() {
	evidence, err := json.Marshal(votes.Evidence{Votes: 22, Seconds: 60, Before: 3, BeforeSeconds: 3600, Signals: []ranking.Evidence{
		{Signal: ranking.SignalNetwork, Value: "192.0.2.0/24", Votes: 20, Of: 22, Share: .9, Baseline: .05, Suspicious: true}}})
	require.NoError(e, err)
	insert := func(n int, status, from string) {
		e.exec(`INSERT INTO quarantines (id, target_id, community_id, direction, evidence, votes, status, created_at, decided_at, decided_by, decided_name)
SELECT ?1, x.id, x.community_id, 1, ?2, 22, ?3, 1, 2, 3, 'founder' FROM `+from+` x LIMIT 1`, int64(n)<<22, string(evidence), status)
	}
	for i := range 51 { // of comments of one thread, more than a page
		insert(100+i, "open", fmt.Sprintf("(SELECT c.id, p.community_id FROM comments c, posts p WHERE p.slug = 'everything' LIMIT 1 OFFSET %d)", i))
	}
	for i := range 21 {
		insert(200+i, "released", "(SELECT id, community_id FROM posts WHERE slug = 'everything')")
	}
	for i := range 22 { // of more communities than are listed
		garden := fmt.Sprint("garden_", i)
		e.founder.mustPost("/submit", "community", garden, "title", "A post", "text", "x")
		insert(300+i, "open", "(SELECT id, community_id FROM posts WHERE community_name = '"+garden+"')")
	}
	e.exec(`INSERT INTO queue_items (target_id, community_id, reports, came_at) SELECT p.id, p.community_id, 1, 1 FROM posts p WHERE p.community_name = 'gardens' AND p.title LIKE 'Post %'`)
	e.exec(`INSERT INTO queue_items (target_id, community_id, reports, came_at) SELECT c.id, p.community_id, 1, 2 FROM posts p, comments c WHERE c.post_id = p.id AND p.slug = 'everything' LIMIT 1`)
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Held", "words", "held*", "pattern", "(?i)held", "kinds", "text", "do", "hold", "answer", "Please wait.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Held comments", "words", "held*", "kinds", "comment", "do", "hold", "answer", "Please wait.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Removed", "words", "removed", "do", "remove", "reason", "Be kind", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Answered", "words", "answered", "do", "answer", "answer", "Please *wait*.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Reported", "reports", "1", "do", "hold", "active", "1")
	answered := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Answered", "text", "x")))[0]
	said := e.reader.mustPost("/comment", "post", answered, "body", "Answered")
	e.founder.page("/c/gardens/p/answered")
	for _, target := range []string{regexp.MustCompile(`[^/#-]+$`).FindString(said), answered} {
		e.root.mustPost("/report", "target", target, "reason", "Spam")
	}
	e.founder.page("/c/gardens/p/answered")
	e.reader.mustPost("/submit", "community", "gardens", "title", "Removed", "text", "x")
	e.founder.mustPost("/c/gardens/mod/flair", "flair-1-text", "Flowers", "flair-1-colour", "blue", "required", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/flair", "flair-1-text", "Weeds", "flair-1-colour", "red").Code)
	flair := data.ID(e.one("SELECT id FROM flairs").(int64)).Text()
	flaired := targets(e.founder.page(e.founder.mustPost("/c/gardens/submit", "title", "With flair", "text", "x", "flair", flair, "tags", "Tulips spring")))[0]
	e.founder.mustPost("/tags/follow", "tag", "tulips", "on", "1")
	for _, address := range []string{"/c/gardens/mod/flair", "/c/gardens/mod/give-flair?target=" + flaired, "/c/gardens?flair=" + flair, "/c/gardens/submit", "/edit?target=" + flaired, "/tag/tulips", "/tag/spring+tulips", "/tags?q=tu"} {
		e.founder.page(address)
	}
	e.exec("UPDATE flair_sets SET required = 0")
	e.founder.page("/c/gardens/log")
	e.founder.page("/c/gardens/mod/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/rules", "do", "add", "text", "x").Code)
	id := regexp.MustCompile(`/c/gardens/mod/rule\?rule=(\w+)`).FindStringSubmatch(e.founder.page("/c/gardens/mod/rules"))[1]
	e.founder.page("/c/gardens/mod/rule?rule=" + id)
	e.founder.post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "pattern", "Post", "kinds", "link", "do", "hold", "then", "try")
	wasHere := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Was here", "text", "x")))[0]
	e.founder.mustPost("/c/gardens/mod/decide", "target", wasHere, "decision", "remove", "rule", "Be kind")
	e.founder.post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "words", "was here", "do", "hold", "then", "try")
	e.exec("UPDATE comments SET body = replace(hex(zeroblob(1000)), '00', 'ab')")
	e.root.post("/admin/rule", "rule", id, "title", "Costly", "pattern", "[a-c]{150}x", "do", "hold", "then", "try")
	held := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Held", "text", "x")))[0]
	e.reader.mustPost("/comment", "post", targets(e.founder.page("/c/gardens/p/everything"))[0], "body", "Held as well")
	e.reader.page("/c/gardens/p/held")
	e.reader.page("/drafts/removed")
	e.reader.page("/c/gardens/p/everything")
	require.Equal(e, http.StatusNotFound, e.visitor().get("/c/gardens/p/held").Code)
	e.reader.mustPost("/submit", "community", "gardens", "title", "Removable", "text", "x")
	removable := e.founder.page("/c/gardens/p/removable")
	e.founder.mustPost("/c/gardens/mod/decide", "target", targets(removable)[0], "decision", "remove", "rule", "Spam", "text", "Please don't.")
	e.founder.post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "pattern", "Removable", "do", "hold", "then", "try")
	gone, err := data.ParseID(targets(removable)[0])
	require.NoError(e, err)
	e.sql.ExecAt(gone, `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name) SELECT id + 1, community_id, 'ban', author_id, author_id, 1, '' FROM moderation_log
WHERE note = 'Please don''t.' AND action = 'remove'`)
	e.exec("UPDATE standings SET comments = 3 WHERE user_id = (SELECT author_id FROM posts WHERE slug = 'removable')")
	e.sql.ExecAt(gone, `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name) SELECT id + 2, community_id, 'mute', author_id, author_id, 1, '' FROM moderation_log
WHERE note = 'Please don''t.' AND action = 'remove'`)
	card, about, _ := strings.Cut(regexp.MustCompile(`/c/gardens/mod/member\?user=[0-9a-z]{13}`).FindString(removable), "?user=")
	e.founder.mustPost(card, "user", about, "text", "A note")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(card, "user", about, "name", "reader", "text", "").Code)
	e.founder.mustPost("/c/gardens/moderators", "do", "invite", "user", "reader", "role", "approver")
	e.reader.page("/inbox")
	e.reader.page("/c/gardens/moderators")
	e.founder.page("/c/gardens/moderators")
	e.reader.mustPost("/c/gardens/moderators/own", "do", "accept", "role", "approver")
	e.reader.page("/c/gardens/p/everything")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.post("/c/gardens/moderators", "user", "nobody", "role", "owner").Code)
	e.reader.page("/c/gardens/log")
	e.reader.mustPost("/c/gardens/moderators/own", "do", "resign")
	e.founder.page("/c/gardens/mod/queue")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/queue", "one", "remove "+held, "text-"+held, "A word").Code)
	e.founder.mustPost("/c/gardens/mod/queue", "one", "approve "+held)
	e.next(e.founder, "/mod/queue")
	post := targets(e.founder.page("/c/gardens/p/everything"))[0]
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post("/c/gardens/mod/queue", "target", post, "decision", "remove", "rule", "No such rule", "text", "A word").Code)
	e.founder.mustPost("/c/gardens/mod/queue", "one", "approve "+post)
	e.reader.page("/report?target=" + post)
	e.authors()
	e.bans()
	for range 3 { // more than a page
		e.exec(`INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at)
SELECT (SELECT coalesce(max(o.id), 0) FROM conversations o) + row_number() OVER (), k.id, u.id, 'Hello', '', 'open', 1 FROM users u, communities k WHERE u.username = 'reader' AND k.name LIKE 'garden_%'`)
	}
	e.exec("UPDATE conversations SET community_id = (SELECT id FROM communities WHERE name = 'gardens')")
	e.next(e.founder, "/c/gardens/mod/mail")
	e.next(e.reader, "/messages")
	e.reader.page("/messages/new?community=gardens&target=" + post)
	e.founder.page("/messages/new?community=gardens&user=reader")
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.post("/messages", "community", "gardens", "target", post, "title", "Why?", "text", "").Code)
	e.exec("UPDATE conversations SET status = 'closed'")
	e.exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users u WHERE k.name = 'gardens' AND u.username = 'root'")
	own := targets(e.reader.page(e.reader.mustPost("/submit", "community", "gardens", "title", "Taken down", "text", "text")))[0]
	e.founder.mustPost("/c/gardens/mod/decide", "target", own, "decision", "remove", "rule", "Be kind")
	appealed := e.lastDecision("remove")
	e.reader.page(appealed)
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.post(appealed, "text", "").Code)
	appeal := e.reader.mustPost(appealed, "text", "It is kind.")
	e.root.page(appeal)
	e.root.page(appealed)
	e.root.mustPost(appeal+"/verdict", "verdict", "overturned")
	e.reader.page(appeal)
	e.reader.page(appealed)
	e.reader.page("/messages")
	e.deliver()
	e.reader.page(e.lastDecision("approve"))
	e.exec("DELETE FROM moderators WHERE username = 'root'")
	left := e.reader.mustPost("/messages", "title", "A remark", "text", "That is all.")
	e.reader.mustPost(left, "do", "close")
	e.reader.page(left)
	e.reader.page("/messages")
	talk := e.reader.mustPost("/messages", "community", "gardens", "target", post, "title", "Why?", "text", "Why?")
	e.founder.mustPost(talk, "text", "Because.")
	e.founder.page(talk)
	e.reader.page(talk)
	e.reader.page("/messages")
	e.founder.page("/c/gardens/mod/mail?show=mine")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.post(talk, "text", strings.Repeat("x", 3000)).Code)
	e.founder.page("/c/gardens/mod/quarantine")
	e.next(e.founder, "/c/gardens/mod/quarantine")
	e.next(e.root, "/admin/quarantine")

	var batch []request.Message
	for i := range 51 {
		batch = append(batch, request.Message{ID: fmt.Sprint("m", i), Body: fmt.Sprint("letter ", i)})
	}
	_, err = e.app.Consume(e.Context(), request.QueueVotes+"-dead", batch)
	require.NoError(e, err)
	m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(e.root.page("/admin/dead-letters"))
	e.queue.fail = http.ErrHandlerTimeout
	require.Equal(e, http.StatusServiceUnavailable, e.root.post("/admin/dead-letters", "id", m[1], "action", "replay").Code)
	e.queue.fail = nil
	e.root.mustPost("/admin/dead-letters", "id", m[1], "action", "replay")
	e.next(e.root, "/admin/dead-letters")
}
