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
	"plaza/data/content/votes"
	"plaza/data/events/modlog"
	"plaza/data/moderation/transparency"
	"plaza/ranking"
	"plaza/test/workertest"
	"plaza/worker/queue"
)

// bans shows who is banned, more than a page of them, and what they see.
// authors bans two spammers, who share a network and a domain, in one act.
func (e *everything) authors() {
	const address = "/c/gardens/mod/authors?domain=pills.example&younger=7"
	for _, name := range []string{"spam1", "spam2"} {
		offer := e.Member(name).MustPost("/submit", "community", "gardens", "title", "Offer of "+name, "text", "https://pills.example/x")
		e.reader.MustPost("/report", "target", workertest.Targets(e.founder.Page(offer))[0], "reason", "Spam")
	}
	ticked := regexp.MustCompile(`name="member" value="(\w+)"[^>]* checked`).FindAllStringSubmatch(e.founder.Page(address), -1)
	require.Len(e, ticked, 2)
	fields := []string{"member", ticked[0][1], "member", ticked[1][1], "decision", "ban", "rule"}
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(address, append(fields, "No such rule")...).Code)
	e.founder.Page(e.founder.MustPost(address, append(fields, "Be kind")...))
	e.Exec(`INSERT OR IGNORE INTO queue_items (target_id, community_id, reports, came_at)
SELECT c.id, (SELECT k.id FROM communities k WHERE k.name = 'gardens'), 1, 1 FROM comments c LIMIT 300`)
	e.founder.Page("/c/gardens/mod/authors") // more wait than are looked at
	e.Exec("DELETE FROM queue_items WHERE came_at = 1 AND target_id IN (SELECT c.id FROM comments c)")
}

func (e *everything) bans() {
	const address = "/c/gardens/mod/bans"
	e.Exec(`INSERT INTO bans (id, community_id, user_id, kind, username, until)
SELECT DISTINCT c.id, p.community_id, c.id, 'mute', 'x' || c.id, 1 << 52 FROM posts p, comments c WHERE p.slug = 'everything' LIMIT 51`)
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(address, "user", "reader", "decision", "ban", "text", "Enough.").Code)
	draft := e.reader.MustPost("/submit", "community", "gardens", "title", "A reader's draft", "status", "draft")
	e.founder.MustPost(address, "user", "reader", "decision", "ban", "rule", "Be kind", "days", "3000", "text", "Enough.")
	e.reader.Page("/draft?target=" + workertest.Targets(e.reader.Page(draft))[0])
	e.next(e.founder, address)
	e.founder.Page(address + "?user=reader")
	e.Now = e.Now.Add(data.MemberCacheTTL + time.Second)
	post := workertest.Targets(e.reader.Page("/c/gardens/p/everything"))[0]
	require.Equal(e, http.StatusForbidden, e.reader.Get("/c/gardens/submit").Code)
	require.Equal(e, http.StatusForbidden, e.reader.Post("/comment", "post", post, "body", "x").Code)
	e.founder.Page("/u/reader")
	e.numbers()
	e.Visitor().Page("/c/gardens/log")
	e.founder.MustPost(address, "user", "reader", "decision", "lift")
	e.invitations()
	e.root.Page("/admin/users")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/users", "user", "reader", "decision", "suspend", "text",
		"Enough.").Code)
	e.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) 
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 51) SELECT i + 4000, 'y' || i, 'y' || i, '', 1 FROM n`)
	e.next(e.root, "/admin/users")
	e.Exec("UPDATE users SET avatar = '#00695cK', karma = 7 WHERE username = (SELECT max(username) FROM users WHERE username LIKE 'y%')")
	e.root.Page("/admin/users")
	e.root.MustPost("/admin/users", "user", e.One("SELECT max(username) FROM users WHERE username LIKE 'y%'").(string), "decision", "suspend",
		"rule", "Spam", "days", "7", "text", "Enough.")
	e.root.Page("/admin/users?status=suspended")
	e.outside()
}

// numbers shows how much was decided in the months before and after.
func (e *everything) numbers() {
	for month, id := range map[string]data.ID{"earlier": data.NewID(e.Now.AddDate(0, -2, 0), 0, data.KindOther, 0),
		"later": data.NewID(e.Now.AddDate(0, 2, 0), 0, data.KindOther, 0)} {
		e.Exec("INSERT INTO moderation_log (id, community_id, action, target_id, actor_id, actor_name, rule) SELECT ?1, k.id, 'remove', 1, "+
			"iif(?2 = 'later', 0, 7), '', '' FROM communities k WHERE k.name_key = 'gardens'", int64(id), month)
	}
	e.Exec("UPDATE moderation_log SET undone_by = 1 WHERE id = (SELECT max(id) FROM moderation_log WHERE actor_name <> '' AND community_id " +
		"= (SELECT id FROM communities WHERE name_key = 'gardens'))")
	e.Visitor().Page("/c/gardens/log/numbers")
	e.Visitor().Page("/c/gardens/log/numbers?month=" + modlog.MonthOf(e.Now.AddDate(0, 2, 0)).String())
	e.Visitor().Page("/log/numbers")
	require.NoError(e, transparency.Recount(e.Context(), e.Config.DB, e.Config.Source))
	e.Visitor().Page("/transparency")
	e.Exec("INSERT OR IGNORE INTO transparency SELECT 20261, what, kind, ground, found, within, n, undone FROM transparency")
	e.Exec("INSERT OR IGNORE INTO transparency (half, what, kind, ground, found, within, n) VALUES (20262, 'decision', " +
		"'erase', 'Illegal content', 'notice', 0, 1), (20262, 'objection', 'approve', 'illegal', '', 4, 1), (20271, 'notice', '', 'illegal', '', 0, 3), " +
		"(20262, 'notice', '', 'illegal', '', 0, 9), (20262, 'notice', 'approve', 'illegal', '', 4, 2), (20262, 'notice', 'remove', 'illegal', " +
		"'', 4, 5), (20262, 'notice', 'deleted', 'illegal', '', 4, 1), (20262, 'appeal', 'upheld', '', '', 4, 2), (20262, 'appeal', " +
		"'overturned', '', '', 8, 1)")
	e.Visitor().Page("/transparency?half=2026-2")
	e.Visitor().Page("/transparency?half=2026-1")
	e.Exec("UPDATE moderation_log SET undone_by = NULL WHERE undone_by = 1")
	e.Exec("DELETE FROM moderation_log WHERE target_id = 1")
}

// invitations shows who may sign up, and by whom they were invited.
func (e *everything) invitations() {
	e.root.MustPost("/admin/settings", "sign_up", "invitation")
	e.root.MustPost("/settings/invites", "uses", "2", "days", "7")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/settings/invites", "uses", "0", "days", "7").Code)
	e.root.Page("/settings/invites")
	e.Visitor().Page("/signup?invite=" + e.One("SELECT code FROM invites").(string))
	e.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at, status, invite_id)
  SELECT 70 + i.value, 'i' || i.value, 'i' || i.value, '', 1, 'suspended', (SELECT id FROM invites) FROM json_each('[1,2]') i`)
	e.Exec("INSERT INTO invites (id, code, user_id, uses, expires_at) VALUES (5, 'x', 71, 1, 1)")
	e.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO users (id, username, username_key, password_hash, created_at, invite_id) SELECT 100 + i, 'j' || i, 'j' || i, '', 1, 5 FROM n`)
	e.next(e.root, "/admin/invites")
	e.root.Page("/settings/invites")
	e.Exec("UPDATE users SET admin = 1, status = 'banned' WHERE username = 'j5'")
	e.Exec("UPDATE users SET status = 'suspended' WHERE username = 'j6'")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/invites", "user", "i1", "decision", "suspend", "text",
		"Enough.").Code)
	e.root.MustPost("/admin/invites", "user", "i1", "decision", "restore")
	e.root.Page("/admin/invites")
	e.Exec("DELETE FROM branch_decisions")
	e.Exec("DELETE FROM branch_members")
	e.root.Page("/admin/invites?user=j7")
	e.root.Page("/admin/invites?user=rita")
	e.root.MustPost("/admin/settings", "sign_up", "approval", "question", "Why?")
	e.Visitor().Page("/signup")
	e.Exec("UPDATE users SET waiting = 'Because.', status = 'active' WHERE invite_id IS NOT NULL")
	e.next(e.root, "/admin/waiting")
	e.root.MustPost("/admin/settings", "sign_up", "open")
	e.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at, origin, unclaimed) VALUES (60, 'imported', " +
		"'imported', '', 1, 'reddit:there', 1)")
	e.Visitor().Page("/u/imported")
	e.Visitor().Page("/claim?user=imported")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/claim", "user", "imported", "proof", "x").Code)
	e.Exec("DELETE FROM users WHERE id = 60")
	e.Exec("DELETE FROM users WHERE invite_id IS NOT NULL")
}

func (e *everything) moderation() {
	evidence, err := json.Marshal(votes.Evidence{Votes: 22, Seconds: 60, Before: 3, BeforeSeconds: 3600, Signals: []ranking.Evidence{
		{Signal: ranking.SignalNetwork, Value: "192.0.2.0/24", Votes: 20, Of: 22, Share: .9, Baseline: .05, Suspicious: true}}})
	require.NoError(e, err)
	insert := func(n int, status, from string) {
		e.Exec(`INSERT INTO quarantines (id, target_id, community_id, direction, evidence, votes, status, created_at, decided_at, decided_by,
  decided_name)
SELECT ?1, x.id, x.community_id, 1, ?2, 22, ?3, 1, 2, 3, 'founder' FROM `+from+` x LIMIT 1`, int64(n)<<22, string(evidence), status)
	}
	for i := range 51 { // of comments of one thread, more than a page
		insert(100+i, "open", fmt.Sprintf("(SELECT c.id, p.community_id FROM comments c, posts p WHERE p.slug = 'everything' LIMIT 1 OFFSET %d)",
			i))
	}
	for i := range 21 {
		insert(200+i, "released", "(SELECT id, community_id FROM posts WHERE slug = 'everything')")
	}
	for i := range 22 { // of more communities than are listed
		garden := fmt.Sprint("garden_", i)
		e.founder.MustPost("/submit", "community", garden, "title", "A post", "text", "x")
		insert(300+i, "open", "(SELECT id, community_id FROM posts WHERE community_name = '"+garden+"')")
	}
	e.Exec(`INSERT INTO queue_items (target_id, community_id, reports, came_at) SELECT p.id, p.community_id, 1, 1 FROM posts p
  WHERE p.community_name = 'gardens' AND p.title LIKE 'Post %'`)
	e.Exec(`INSERT INTO queue_items (target_id, community_id, reports, came_at) SELECT c.id, p.community_id, 1, 2 FROM posts p, comments c
  WHERE c.post_id = p.id AND p.slug = 'everything' LIMIT 1`)
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Held", "words", "held*", "pattern", "(?i)held", "kinds", "text", "do", "hold",
		"answer", "Please wait.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Held comments", "words", "held*", "kinds", "comment", "do", "hold", "answer",
		"Please wait.", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Removed", "words", "removed", "do", "remove", "reason", "Be kind", "active", "1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Answered", "words", "answered", "do", "answer", "answer", "Please *wait*.", "active",
		"1")
	newRule(e.founder, "/c/gardens/mod/rule", "title", "Reported", "reports", "1", "do", "hold", "active", "1")
	autoReplied := workertest.Targets(e.reader.Page(e.reader.MustPost("/submit", "community", "gardens", "title", "Answered", "text", "x")))[0]
	said := e.reader.MustPost("/comment", "post", autoReplied, "body", "Answered")
	e.founder.Page("/c/gardens/p/answered")
	for _, target := range []string{regexp.MustCompile(`[^/#-]+$`).FindString(said), autoReplied} {
		e.root.MustPost("/report", "target", target, "reason", "Spam")
	}
	e.founder.Page("/c/gardens/p/answered")
	e.reader.MustPost("/submit", "community", "gardens", "title", "Removed", "text", "x")
	e.founder.MustPost("/c/gardens/mod/flair", "flair-1-text", "Flowers", "flair-1-colour", "blue", "required", "1")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/c/gardens/mod/flair", "flair-1-text", "Weeds", "flair-1-colour",
		"red").Code)
	flair := data.ID(e.One("SELECT id FROM flairs").(int64)).Text()
	founder := data.ID(e.One("SELECT id FROM users WHERE username = 'founder'").(int64)).Text()
	e.founder.MustPost("/c/gardens/mod/flair", "of", "members", "choose", "own", "flair-1-text", "Gardener", "flair-1-colour", "blue")
	e.founder.MustPost("/c/gardens/flair", "flair", "own", "text", "Likes tulips")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/c/gardens/mod/user-flair", "user", founder, "flair", flair).Code)
	flaired := workertest.Targets(e.founder.Page(e.founder.MustPost("/c/gardens/submit", "title", "With flair", "text", "x", "flair", flair,
		"tags", "Tulips spring")))[0]
	e.founder.MustPost("/tags/follow", "tag", "tulips", "on", "1")
	for _, address := range []string{"/c/gardens/mod/flair", "/c/gardens/mod/give-flair?target=" + flaired,
		"/c/gardens/mod/flair?of=members", "/c/gardens/flair", "/c/gardens/mod/user-flair?user=" + founder,
		"/c/gardens/mod/member?user=" + founder, "/c/gardens",
		"/c/gardens/mod/title?target=" + flaired, "/c/gardens?flair=" + flair,
		"/c/gardens/submit", "/edit?target=" + flaired, "/tag/tulips", "/tag/spring+tulips", "/tags?q=tu", "/search"} {
		e.founder.Page(address)
	}
	e.wiki()
	e.Exec("UPDATE flair_sets SET required = 0")
	e.founder.Page("/c/gardens/log")
	e.founder.Page("/c/gardens/log/numbers")
	waiting := regexp.MustCompile(`id="q-(\w{13})"`).FindAllStringSubmatch(e.founder.Page("/c/gardens/mod/queue"), 2)
	done, _, _ := strings.Cut(e.founder.MustPost("/c/gardens/mod/queue", "one", "ignore "+waiting[0][1]), "#")
	e.founder.Page(done) // which offers to undo it
	e.founder.WithHeader("HX-Request", "true").Post("/c/gardens/mod/queue", "one", "ignore "+waiting[1][1])
	e.founder.Header.Del("HX-Request")
	e.founder.Page("/c/gardens/mod/rules")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/c/gardens/mod/rules", "do", "add", "text", "x").Code)
	id := regexp.MustCompile(`/c/gardens/mod/rule\?rule=(\w+)`).FindStringSubmatch(e.founder.Page("/c/gardens/mod/rules"))[1]
	e.founder.Page("/c/gardens/mod/rule?rule=" + id)
	e.founder.Page("/c/gardens/mod/rule?like=domains")
	e.founder.Post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "pattern", "Post", "kinds", "link", "do", "hold", "then", "try")
	wasHere := workertest.Targets(e.reader.Page(e.reader.MustPost("/submit", "community", "gardens", "title", "Was here", "text", "x")))[0]
	e.founder.MustPost("/c/gardens/mod/decide", "target", wasHere, "decision", "remove", "rule", "Be kind")
	e.founder.Post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "words", "was here", "do", "hold", "then", "try")
	e.Exec("UPDATE comments SET body_html = replace(hex(zeroblob(2000)), '00', 'ab')")
	e.root.Post("/admin/rule", "rule", id, "title", "Costly", "pattern", "[a-c]{150}x", "do", "hold", "then", "try")
	held := workertest.Targets(e.reader.Page(e.reader.MustPost("/submit", "community", "gardens", "title", "Held", "text", "x")))[0]
	e.reader.MustPost("/comment", "post", workertest.Targets(e.founder.Page("/c/gardens/p/everything"))[0], "body", "Held as well")
	e.reader.Page("/c/gardens/p/held")
	e.reader.Page("/drafts/removed")
	e.reader.Page("/c/gardens/p/everything")
	require.Equal(e, http.StatusNotFound, e.Visitor().Get("/c/gardens/p/held").Code)
	e.reader.MustPost("/submit", "community", "gardens", "title", "Removable", "text", "x")
	removable := e.founder.Page("/c/gardens/p/removable")
	e.founder.MustPost("/c/gardens/mod/decide", "target", workertest.Targets(removable)[0], "decision", "remove", "rule", "Spam", "text",
		"Please don't.")
	e.founder.Post("/c/gardens/mod/rule", "rule", id, "title", "Posts", "pattern", "Removable", "do", "hold", "then", "try")
	gone, err := data.ParseID(workertest.Targets(removable)[0])
	require.NoError(e, err)
	e.Sql.ExecAt(gone, `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name)
  SELECT id + 1, community_id, 'ban', author_id, author_id, 1, '' FROM moderation_log
WHERE note = 'Please don''t.' AND action = 'remove'`)
	e.Exec("UPDATE reputations SET comments = 3 WHERE user_id = (SELECT author_id FROM posts WHERE slug = 'removable')")
	e.Sql.ExecAt(gone, `INSERT INTO moderation_log (id, community_id, action, target_id, author_id, actor_id, actor_name)
  SELECT id + 2, community_id, 'mute', author_id, author_id, 1, '' FROM moderation_log
WHERE note = 'Please don''t.' AND action = 'remove'`)
	card, about, _ := strings.Cut(regexp.MustCompile(`/c/gardens/mod/member\?user=[0-9a-z]{13}`).FindString(removable), "?user=")
	e.founder.MustPost(card, "user", about, "text", "A note")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(card, "user", about, "name", "reader", "text", "").Code)
	e.founder.MustPost("/c/gardens/moderators", "do", "invite", "user", "reader", "role", "approver")
	e.reader.Page("/inbox")
	e.reader.Page("/c/gardens/moderators")
	e.founder.Page("/c/gardens/moderators")
	e.reader.MustPost("/c/gardens/moderators/own", "do", "accept", "role", "approver")
	e.reader.Page("/c/gardens/p/everything")
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/c/gardens/moderators", "user", "nobody", "role", "owner").Code)
	e.reader.Page("/c/gardens/log")
	e.reader.MustPost("/c/gardens/moderators/own", "do", "resign")
	e.founder.Page("/c/gardens/mod/queue")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/c/gardens/mod/queue", "one", "remove "+held, "text-"+held,
		"A word").Code)
	e.founder.MustPost("/c/gardens/mod/queue", "one", "approve "+held)
	e.next(e.founder, "/mod/queue")
	post := workertest.Targets(e.founder.Page("/c/gardens/p/everything"))[0]
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post("/c/gardens/mod/queue", "target", post, "decision", "remove", "rule",
		"No such rule", "text", "A word").Code)
	e.founder.MustPost("/c/gardens/mod/queue", "one", "approve "+post)
	e.reader.Page("/report?target=" + post)
	e.authors()
	e.bans()
	for range 3 { // more than a page
		e.Exec(`INSERT INTO conversations (id, community_id, user_id, subject, about, status, said_at)
SELECT (SELECT coalesce(max(o.id), 0) FROM conversations o) + row_number() OVER (), k.id, u.id, 'Hello', '', 'open', 1
  FROM users u, communities k WHERE u.username = 'reader' AND k.name LIKE 'garden_%'`)
	}
	e.Exec("UPDATE conversations SET community_id = (SELECT id FROM communities WHERE name = 'gardens')")
	e.next(e.founder, "/c/gardens/mod/mail")
	e.next(e.reader, "/messages")
	e.reader.Page("/messages/new?community=gardens&target=" + post)
	e.founder.Page("/messages/new?community=gardens&user=reader")
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.Post("/messages", "community", "gardens", "target", post, "title", "Why?",
		"text", "").Code)
	e.Exec("UPDATE conversations SET status = 'closed'")
	e.Exec("INSERT INTO moderators (community_id, user_id, username, created_at) SELECT k.id, u.id, u.username, 1 FROM communities k, users " +
		"u WHERE k.name = 'gardens' AND u.username = 'root'")
	own := workertest.Targets(e.reader.Page(e.reader.MustPost("/submit", "community", "gardens", "title", "Taken down", "text", "text")))[0]
	e.founder.MustPost("/c/gardens/mod/decide", "target", own, "decision", "remove", "rule", "Be kind", "text", "Please.")
	appealed := e.LastDecision("remove")
	e.reader.Page(appealed)
	require.Equal(e, http.StatusUnprocessableEntity, e.reader.Post(appealed, "text", "").Code)
	appeal := e.reader.MustPost(appealed, "text", "It is kind.")
	e.root.Page(appeal)
	e.root.Page(appealed)
	e.founder.MustPost("/c/gardens/mod/bans", "user", "reader", "decision", "mute", "rule", "Be kind", "days", "300", "text", "Enough.")
	e.root.Page(appeal)
	e.root.Page(e.reader.MustPost(e.LastDecision("mute"), "text", "It is too long."))
	e.root.Page(card + "?user=" + about + "&name=reader")
	e.founder.MustPost("/c/gardens/mod/bans", "user", "reader", "decision", "lift")
	e.root.Page(e.root.MustPost(appeal+"/verdict", "verdict", "overturned", "onward", "/c/gardens/mod/mail"))
	e.root.Page(appeal)
	e.reader.Page(appeal)
	e.reader.Page(appealed)
	e.reader.Page("/messages")
	e.Deliver()
	e.reader.Page(e.LastDecision("approve"))
	e.Exec("DELETE FROM moderators WHERE username = 'root'")
	remaining := e.reader.MustPost("/messages", "title", "A remark", "text", "That is all.")
	e.reader.MustPost(remaining, "do", "close")
	e.reader.Page(remaining)
	e.reader.Page("/messages")
	talk := e.reader.MustPost("/messages", "community", "gardens", "target", post, "title", "Why?", "text", "Why?")
	first := data.ID(e.One("SELECT max(id) FROM conversation_messages").(int64)).Text()
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/erase", "message", first, "rule", "x").Code)
	e.founder.Page(e.founder.MustPost(talk, "do", "close", "onward", "/c/gardens/mod/mail"))
	e.founder.Page(e.founder.MustPost(talk, "do", "close", "onward", talk))
	e.founder.MustPost(talk, "do", "reopen")
	e.reader.MustPost("/comment", "post", post, "body", "It waits")
	comment := data.ID(e.One("SELECT max(id) FROM comments WHERE body = 'It waits'").(int64))
	e.Sql.ExecAt(comment, "UPDATE comments SET status = 'removed', held = 1 WHERE body = 'It waits'")
	e.founder.Page(e.reader.MustPost("/messages", "community", "gardens", "target", comment.Text(), "title", "How long?", "text", "How long?"))
	e.founder.MustPost(talk, "text", "Because.")
	e.founder.Page(talk)
	e.reader.Page(talk)
	e.reader.Page("/messages")
	e.founder.Page("/c/gardens/mod/mail?show=mine")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(talk, "text", strings.Repeat("x", 3000)).Code)
	e.founder.Page("/c/gardens/mod/quarantine")
	e.next(e.founder, "/c/gardens/mod/quarantine")
	e.next(e.root, "/admin/quarantine")

	var batch []queue.Message
	for i := range 51 {
		batch = append(batch, queue.Message{ID: fmt.Sprint("m", i), Body: fmt.Sprint("letter ", i)})
	}
	_, err = e.App.Consume(e.Context(), data.QueueVotes+"-dead", batch)
	require.NoError(e, err)
	m := regexp.MustCompile(`name="id" value="([0-9a-z]{13})"`).FindStringSubmatch(e.root.Page("/admin/dead-letters"))
	e.Queue.Fail = http.ErrHandlerTimeout
	require.Equal(e, http.StatusServiceUnavailable, e.root.Post("/admin/dead-letters", "id", m[1], "action", "replay").Code)
	e.Queue.Fail = nil
	e.root.MustPost("/admin/dead-letters", "id", m[1], "action", "replay")
	e.next(e.root, "/admin/dead-letters")
}

// pictures shows a post with pictures that were uploaded.
func (e *everything) pictures() {
	e.root.MustPost("/admin/settings", "uploads", "nobody")
	e.reader.Page("/settings/profile")
	e.root.MustPost("/admin/settings", "uploads", "everybody")
	e.reader.MustPost("/settings", "group", "profile", "picture", e.reader.Upload(13))
	e.founder.MustPost("/c/gardens/settings", "title", "Gardens", "colour", "#00695c", "icon", e.founder.Upload(14), "banner",
		e.founder.Upload(15))
	address := e.reader.MustPost("/submit", "community", "gardens", "title", "Pictures", "picture-1", e.reader.Upload(1), "alt-1", "A rose",
		"picture-2", e.reader.Upload(2), "alt-2", "A bee")
	e.root.MustPost("/admin/settings", "comment_pictures", "everybody")
	post := workertest.Targets(e.reader.Page(address))[0]
	e.reader.MustPost("/comment", "post", post, "picture-1", e.reader.Upload(1), "alt-1", "A rose")
	e.reader.Page("/reply?to=" + post)
	e.root.MustPost("/admin/settings", "comment_pictures", "trusted")
	e.Member("nell").Page("/reply?to=" + post) // who is too new to add pictures
	e.Visitor().Page(address)
	e.Visitor().Page("/c/gardens/new")
	for _, page := range []string{"/", "/communities", "/search/suggest?q=gard", "/search?q=quokka&type=comments"} {
		e.founder.Page(page)
	}
	zoe := e.Member("zoe")
	zoe.MustPost("/subscribe", "community", "gardens", "on", "1")
	zoe.Page("/c/gardens/new")
}

// blockedPictures removes a post and blocks its picture, which waits where it is already, and shows the lists.
func (e *everything) blockedPictures() {
	e.root.MustPost("/admin/settings", "uploads", "everybody")
	post := func(title, sum string) string {
		return workertest.Targets(e.founder.Page(e.reader.MustPost("/submit", "community", "gardens", "title", title, "picture-1", sum)))[0]
	}
	sum := e.reader.Upload(3)
	first, second, third := post("A picture", sum), post("The same picture", sum), post("Another picture", e.reader.Upload(4))
	e.founder.MustPost("/report", "target", first, "reason", "Spam")
	e.root.Page("/c/gardens/mod/decide?target=" + third)
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/c/gardens/mod/decide", "target", third, "decision", "remove", "rule", "Spam",
		"block", "somewhere").Code)
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/c/gardens/mod/queue", "one", "remove "+first+" No such rule", "block-"+first,
		"site").Code)
	e.founder.MustPost("/c/gardens/mod/queue", "one", "remove "+first+" Spam", "block-"+first, "community")
	e.root.Page("/c/gardens/mod/queue")
	e.root.MustPost("/c/gardens/mod/queue", "one", "remove "+second+" Spam", "block-"+second, "site")
	e.Exec(`INSERT INTO picture_blocks (id, community_id, sum, target_id, rule, actor_id)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 51)
SELECT n.i, k.id, 'x' || n.i, 0, '', 1 FROM n, communities k WHERE k.name = 'gardens'`)
	e.next(e.founder, "/c/gardens/mod/pictures")
	e.root.Page("/admin/blocked-pictures")
	e.Exec(`INSERT INTO pictures (sum, type, width, height, bytes, small, colour, user_id, created_at, state)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
SELECT printf('f%063x', n.i), 'image/webp', 3, 2, 1000000 + n.i, 0, '', u.id, ?1, 'stored' FROM n, users u WHERE u.username = 'reader'`, e.Now.UnixMilli())
	e.Exec("UPDATE picture_totals SET bytes = 1 << 30")
	e.next(e.root, "/admin/pictures")
	e.root.Page("/admin/pictures?user=reader")
	e.root.Page("/admin/pictures?like=" + workertest.Sum(1))
	e.Exec("DELETE FROM pictures WHERE sum LIKE 'f000000000%'")
	e.root.Page("/admin/pictures")
}

// wiki has moderators write pages, change them at the same time, delete and restore them, and an administrator erase one.
func (e *everything) wiki() {
	const form = "/c/gardens/mod/page"
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(form, "title", "", "text", "").Code)
	e.founder.Page(form)
	guide := e.founder.MustPost(form, "title", "Planting", "text", "Water\n\nthem.")
	e.founder.MustPost(form, "page", "planting", "revision", "1", "title", "Planting tulips", "text", "Water\n\nthem\n\ndaily.")
	e.founder.Page(form + "?page=planting")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(form, "page", "planting", "revision", "1", "title", "Planting", "text",
		"Mine").Code)
	e.founder.MustPost(form, "title", "Seeds", "text", "Sow them.")
	e.founder.MustPost(form+"/restore", "page", "planting", "number", "1", "revision", "2")
	e.founder.MustPost(form+"/delete", "page", "seeds")
	for _, b := range []*workertest.Browser{e.founder, e.root, e.Visitor()} {
		for _, address := range []string{"/c/gardens", "/c/gardens/pages", "/c/gardens/pages.json", guide, guide + ".json", guide + "/history",
			guide + "/history/2", guide + "/history/3", "/c/gardens/log", "/c/gardens/log.json"} {
			b.Page(address)
		}
	}
	e.root.Page("/c/gardens/pages/seeds/history")
	require.Equal(e, http.StatusUnprocessableEntity, e.founder.Post(form+"/restore", "page", "planting", "number", "2", "revision", "1").Code)
	id := data.ID(e.One("SELECT id FROM wiki_pages WHERE slug = 'planting'").(int64)).Text()
	e.root.Page("/admin/erase?page=" + id)
	e.root.Page("/admin/erase?revision=2&page=" + id)
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/erase", "page", id, "rule", "").Code)
	require.Equal(e, http.StatusConflict, e.root.Get("/admin/erase?revision=3&page="+id).Code)
}

// erased asks about a comment and a post, which goes although its cached copies stay: nothing answers at the address of their owner.
func (e *everything) erased() {
	e.Config.PurgeZone, e.Config.PurgeToken = "zone", "token"
	e.Restart(e.Config)
	address := e.founder.MustPost("/submit", "community", "gardens", "title", "To be erased", "text", "Somebody's address")
	id := workertest.Targets(e.founder.Page(address))[0]
	e.reader.MustPost("/comment", "post", id, "body", "Their telephone")
	e.Deliver()
	shown := workertest.Targets(e.root.Page(address))
	e.root.Page("/admin/erase?target=" + shown[1])
	e.root.Page("/admin/erase?target=" + id)
	require.Equal(e, http.StatusUnprocessableEntity, e.root.Post("/admin/erase", "target", id, "rule", "").Code)
	e.founder.MustPost("/delete", "target", id)
	e.Deliver()
	e.root.Page("/admin/erase?target=" + id)
}

// legalNotices shows a notice of what is illegal, before and after it was decided.
func (e *everything) legalNotices() {
	box := e.Mailbox()
	address := e.founder.MustPost("/submit", "community", "gardens", "title", "A copied book", "text", "Copied")
	e.Visitor().Page("/notice")
	fields := []string{"url", "https://plaza.example" + address, "kind", "rights", "text", "It is a copy of my book.", "name", "Eve",
		"email", "eve@example.org", "faith", "1"}
	require.Equal(e, http.StatusUnprocessableEntity, e.Visitor().Post("/notice", fields[2:]...).Code)
	e.Visitor().MustPost("/notice", fields...)
	e.Deliver()
	mails := box.Mails("eve@example.org")
	require.NotEmpty(e, mails)
	link := regexp.MustCompile(`/notice/\S+`).FindString(mails[len(mails)-1].Text)
	fields[5] = "So is the second chapter."
	e.Visitor().MustPost("/notice", fields...)
	e.Visitor().Page(link)
	e.Visitor().MustPost(link, "do", "confirm")
	e.founder.PostBody("/c/gardens/mod/queue", "application/x-www-form-urlencoded", "decision=ignore&target="+
		workertest.Targets(e.founder.Page(address))[0])
	e.Pass(time.Minute)
	e.Visitor().Page(link)
	require.Equal(e, http.StatusUnprocessableEntity, e.Visitor().Post(link, "do", "object", "text", "").Code)
}
