package account_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data/accounts/deletion"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// drain delivers messages, and lets the retry job send those that are due, until nothing is left.
func drain(s *workertest.Site) {
	s.Helper()
	for range 100 {
		require.NoError(s, s.App.Scheduled(context.Background(), s.Now))
		s.Deliver()
		s.Deliver()
		if s.One("SELECT count(*) FROM account_deletions WHERE left_at IS NOT NULL AND due_at IS NOT NULL") == int64(0) &&
			s.One("SELECT count(*) FROM outbox WHERE job <> 'forget'") == int64(0) {
			return
		}
		s.Now = s.Now.Add(2 * time.Minute)
	}
	require.Fail(s, "it does not end")
}

// activeMember writes, votes, saves, joins and follows as somebody who has been here for a while.
func activeMember(s *workertest.Site, name string) (*workertest.Browser, string) {
	s.Helper()
	b, other := s.Member(name), s.Member(name+"_friend")
	place := name + "_place"
	b.MustPost("/settings", "letter", "Q", "bio", "My Secret life")
	b.MustPost("/communities", "name", place)
	post := b.MustPost("/submit", "community", place, "title", "Written by somebody", "link", "https://example.org/"+name)
	id := workertest.Targets(b.Page(post))[0]
	for i := range 5 {
		b.MustPost("/comment", "post", id, "body", fmt.Sprint("said ", i))
	}
	ids := workertest.Targets(b.Page(post))
	other.MustPost("/comment", "parent", ids[1], "body", "an answer")
	b.MustPost("/comment", "parent", workertest.Targets(b.Page(post))[2], "body", "and back")
	for _, target := range ids {
		other.MustPost("/vote", "target", target, "value", "1")
	}
	b.MustPost("/submit", "community", place, "title", "A draft", "status", "draft")
	b.MustPost("/contact", "body", "Hello, administrators")
	other.MustPost("/communities", "name", name+"_third")
	b.MustPost(b.MustPost("/messages", "community", name+"_third", "title", "Secret subject", "text", "Secret words"), "text",
		"More Secret words")
	bad := other.MustPost("/submit", "community", name+"_third", "title", "To be reported", "text", "x")
	b.MustPost("/report", "target", workertest.Targets(b.Page(bad))[0], "reason", "Spam", "text", "Secret reason")
	gone := workertest.Targets(b.Page(b.MustPost("/submit", "community", place, "title", "Deleted long ago", "text", "x")))[0]
	b.MustPost("/delete", "target", gone)
	other.MustPost("/communities", "name", name+"_two")
	other.MustPost("/submit", "community", name+"_two", "title", "Shown again", "crosspost", id, "link", "")
	b.MustPost("/save", "target", id, "on", "1")
	b.MustPost("/hide", "target", workertest.Targets(other.Page("/c/" + name + "_two"))[0], "on", "1")
	b.MustPost("/follow", "user", name+"_friend", "on", "1")
	b.MustPost("/tags/follow", "tag", "go", "on", "1")
	other.MustPost("/follow", "user", name, "on", "1")
	drain(s)
	s.Verified()
	return b, post
}

func TestAccountDeletion(t *testing.T) {
	for _, content := range []string{deletion.Keep, deletion.Delete} {
		t.Run(content, func(t *testing.T) {
			s := workertest.MustOpen(t)
			ann, post := activeMember(s, "ann")
			copied := copyOf(ann)
			require.Equal(t, int64(6), s.One("SELECT count(*) FROM comments WHERE author_avatar = 'Q'"))
			require.Equal(t, int64(2), s.One("SELECT count(*) FROM posts WHERE author_avatar = 'Q'"), "what is deleted has none")
			votes := s.One("SELECT count(*) FROM votes")
			s.Exec(`INSERT INTO moderators (community_id, user_id, username, created_at, role)
SELECT m.community_id, u.id, u.username, 5, 'moderator' FROM moderators m, users u WHERE m.username = 'ann' AND u.username = 'ann_friend'`)
			score := s.One("SELECT score FROM posts WHERE title = 'Written by somebody'")
			require.Equal(t, "/login?left", ann.MustPost("/settings/account/delete", "content", content, "alone", "1"))
			require.False(t, signedIn(copied))

			// Until the grace is over, all of it is there.
			s.Now = s.Now.Add(deletion.Grace - time.Hour)
			drain(s)
			require.Contains(t, s.Visitor().Page("/u/ann"), "Written by somebody")

			// Forms are remembered for a day at least. Those of a purge that is late go with the account.
			s.Exec(`INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at) SELECT id, 'avatar x', '', id, ?1 FROM users
  WHERE username = 'ann'
UNION ALL SELECT 0, 'signup x', '', id, created_at FROM users WHERE username = 'ann'`, s.Now.UnixMilli())

			s.Exec("INSERT INTO member_editions (user_id, number, posts) SELECT id, 41000, '[]' FROM users WHERE username = 'ann'")

			s.Now = s.Now.Add(2 * time.Hour)
			drain(s)
			require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", "ann", "password", "correct horse").Code)
			require.Equal(t, http.StatusNotFound, s.Visitor().Get("/u/ann").Code)
			require.Contains(t, s.Visitor().Page(post[:strings.Index(post, "/p/")]+"/log"),
				`href="/u/ann_friend">ann_friend</a> became the owner, because`)
			for what, sql := range map[string]string{
				"posts": "posts WHERE author_name = 'ann'", "comments": "comments WHERE author_name = 'ann'",
				"copies":  "posts WHERE crosspost LIKE '%\"ann\"%'",
				"avatars": "avatars", "avatars of posts": "posts WHERE author_avatar <> ''",
				"avatars of comments": "comments WHERE author_avatar <> ''",
				"moderators":          "moderators WHERE username = 'ann'", "karma": "author_karma WHERE name_key = 'ann'",
				"drafts": "posts WHERE status = 'draft'",
				"names":  "users WHERE username = 'ann' OR username_key = 'ann'", "passwords": "users WHERE username = '' AND password_hash <> ''",
				"messages to the administrators": "contact_messages WHERE name <> '' OR user_id <> 0",
				"what forms have made": "idempotency_keys WHERE author_id IN (SELECT id FROM users WHERE username = '') OR result_id IN (SELECT id FROM users " +
					"WHERE username = '')",
				"own editions": "member_editions",
				"saves":        "saves", "hides": "hides", "follows": "follows", "tags": "tag_follows",
				"sessions": "sessions WHERE user_id NOT IN (SELECT id FROM users WHERE username <> '')",
			} {
				require.Zero(t, s.One("SELECT count(*) FROM "+sql), what)
			}
			nothingRemains(s, t, "ann", s.One("SELECT id FROM users WHERE username = ''").(int64))
			require.Equal(t, int64(1), s.One("SELECT count(*) FROM contact_messages WHERE member = 1"))
			require.Equal(t, int64(1), s.One("SELECT members FROM communities WHERE name = 'ann_two'"))
			require.Equal(t, votes, s.One("SELECT count(*) FROM votes"), "votes stay counted")
			page := s.Visitor().Page(post)
			require.NotContains(t, page, "/u/ann\"")
			require.Contains(t, page, "an answer")
			require.Equal(t, content == deletion.Keep, strings.Contains(page, "said 1"))
			if content == deletion.Keep {
				require.Equal(t, score, s.One("SELECT score FROM posts WHERE title = 'Written by somebody'"))
			}
			s.Verified()

			// Votes that come later find nothing odd, and the name is kept for 90 days.
			friend := s.LogIn("ann_friend", "x")
			friend.MustPost("/vote", "target", workertest.Targets(friend.Page("/c/ann_two"))[0], "value", "-1")
			if content == deletion.Keep {
				for _, target := range workertest.Targets(friend.Page(post)) {
					friend.MustPost("/vote", "target", target, "value", "-1")
				}
			}
			drain(s)
			s.Verified()
			require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/signup", "username", "Ann", "password", "correct horse").Code)
			s.Now = s.Now.Add(deletion.Reserved + time.Hour)
			require.NoError(t, s.App.Scheduled(context.Background(), s.Now.Truncate(time.Hour)))
			s.Member("Ann")
		})
	}
}

func TestKeepingAnAccount(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	require.Contains(t, ann.Page("/settings/account/delete"), `href="/c/gophers">c/gophers</a>`)
	refused := ann.Post("/settings/account/delete", "content", "delete")
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "You are the only moderator of c/gophers.")
	require.True(t, signedIn(ann))
	ann.MustPost("/settings/account/delete", "content", "delete", "alone", "1")
	s.Now = s.Now.Add(deletion.Grace - time.Minute)
	back := s.Visitor()
	require.Equal(t, "/settings/account/delete?kept", back.MustPost("/login", "login", "ann", "password", "correct horse"))
	require.Contains(t, back.Page("/settings/account/delete?kept"), "your account will not be deleted")
	s.Now = s.Now.Add(time.Hour)
	drain(s)
	require.Contains(t, back.Page("/c/gophers"), "gophers")
	require.True(t, signedIn(back))
}

// TestAccountDeletionIsResumed has every second message fail in the middle, and two handled at once, of somebody who has taken
// another name that no copy has yet.
func TestAccountDeletionIsResumed(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, post := activeMember(s, "ann")
	require.Equal(t, "/settings/account?renamed", ann.MustPost("/settings/account/name", "username", "Anna"))
	s.Queue.Take("plaza-events")
	ann.MustPost("/settings/account/delete", "content", "keep", "alone", "1")
	s.Now = s.Now.Add(deletion.Grace + time.Hour)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	messages := s.Queue.Take("plaza-events")
	for range 2 {
		dead, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := s.App.Consume(dead, "plaza-events", messages)
		require.NoError(t, err)
	}
	for range 2 {
		_, err := s.App.Consume(context.Background(), "plaza-events", messages)
		require.NoError(t, err)
	}
	drain(s)
	for _, table := range []string{"posts", "comments"} {
		require.Zero(t, s.One("SELECT count(*) FROM "+table+" WHERE author_name <> '' AND author_name NOT LIKE '%friend'"), table)
	}
	for _, row := range s.Sql.RowsOfAll("SELECT count(*) FROM names") {
		require.Equal(t, int64(0), row[0])
	}
	require.NotContains(t, s.Visitor().Page(post), `"/u/ann"`)
	require.NotContains(t, s.Visitor().Page(post), "/u/Anna")
	friend := s.LogIn("ann_friend", "x")
	for _, name := range []string{"ann", "anna"} {
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/u/"+name).Code)
		require.Equal(t, http.StatusUnauthorized, s.Visitor().Post("/login", "login", name, "password", "correct horse").Code)
		require.Equal(t, http.StatusUnprocessableEntity, friend.Post("/settings/account/name", "username", name).Code)
		require.Equal(t, http.StatusUnprocessableEntity, s.Visitor().Post("/signup", "username", name, "password", "correct horse").Code)
	}
	s.Verified()
	s.Now = s.Now.Add(deletion.Reserved + time.Hour)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now.Truncate(time.Hour)))
	require.Zero(t, s.One("SELECT count(*) FROM former_names"))
	s.Member("Ann")
}

// staysByID are the columns in which the id of a deleted account stays, and why.
var staysByID = map[string]string{
	"users.id": "an id is never unknown", "account_deletions.user_id": "for 90 days, in which nobody can take the name",
	"posts.author_id": "their own votes and karma are counted as before", "comments.author_id": "the same",
	"author_karma.author_id": "the same",
	"reputations.user_id":    "the same", "votes.user_id": "they are in the counters", "vote_origins.user_id": "goes within 48 hours",
	"reports.reporter_id": "the queue counts reports", "conversations.user_id": "the answers stay",
	"communities.creator_id":  "who has founded it",
	"moderation_log.actor_id": "decisions stay", "moderation_log.author_id": "the same", "moderation_log.target_id": "the same",
	"mails.user_id": "goes within a week", "mail_links.user_id": "goes when it runs out, and is void",
	"inbox.author_id": "what others were told goes after 180 days", "revocations.subject": "sessions and tokens stay void until they " +
		"have run out",
}

// nothingRemains fails where a column of any table has the id or the name of a deleted account for no reason.
func nothingRemains(s *workertest.Site, t *testing.T, name string, id int64) {
	t.Helper()
	for column, n := range s.Traces([]int64{id})[id] {
		assert.NotEmpty(t, staysByID[column], "%d rows of %s have the id", n, column)
	}
	const columns = `SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
  AND m.sql NOT LIKE '%VIRTUAL%' AND upper(c.type) = 'TEXT'`
	for _, db := range s.Sql.All() {
		results, err := db.Query(context.Background(), hrana.Stmt{SQL: columns})
		require.NoError(t, err)
		for _, row := range results[0].Rows() {
			column := fmt.Sprintf("%s.%s", row[0], row[1])
			if column == "account_deletions.username" || column == "account_deletions.name_key" || column == "former_names.name_key" {
				continue // for 90 days
			}
			found, err := db.Query(context.Background(), hrana.Stmt{SQL: fmt.Sprintf(`SELECT count(*) FROM "%[1]s" WHERE lower("%[2]s") = ?1
  OR instr("%[2]s", 'Secret') > 0`, row[0], row[1]), Args: []any{name}})
			require.NoError(t, err)
			assert.Zero(t, found[0].Rows()[0][0], column)
		}
	}
}

// TestAccountDeletionDeletesPictures: the pictures of comments stay or go with them, and the picture of the member goes.
func TestAccountDeletionDeletesPictures(t *testing.T) {
	for _, content := range []string{deletion.Keep, deletion.Delete} {
		t.Run(content, func(t *testing.T) {
			s := workertest.MustOpen(t)
			root, ann, ben := s.Admin("rita"), s.Member("ann"), s.Member("ben")
			root.MustPost("/admin/settings", "uploads", "everybody", "comment_pictures", "everybody")
			ben.MustPost("/communities", "name", "gophers")
			post := ben.MustPost("/submit", "community", "gophers", "title", "Show me", "text", "Please.")
			said, face, other := ann.Upload(1), ann.Upload(2), ben.Upload(3)
			for b, picture := range map[*workertest.Browser]string{ann: said, ben: other} {
				b.MustPost("/comment", "post", workertest.Targets(b.Page(post))[0], "body", "Here", "picture-1", picture)
			}
			ann.MustPost("/settings", "group", "profile", "picture", face)
			drain(s)
			uses := func(sum string) int { return len(s.Sql.RowsOfAll("SELECT 1 FROM picture_uses WHERE sum = ?1", sum)) }
			require.Equal(t, []int{1, 1, 1}, []int{uses(said), uses(face), uses(other)})

			ann.MustPost("/settings/account/delete", "content", content, "alone", "1")
			s.Now = s.Now.Add(deletion.Grace + time.Hour)
			drain(s)
			stays := 0
			if content == deletion.Keep {
				stays = 1
			}
			require.Equal(t, []int{stays, 0, 1}, []int{uses(said), uses(face), uses(other)})
			require.EqualValues(t, 1+stays, s.One("SELECT count(*) FROM comments WHERE pictures <> ''"))
			require.Equal(t, stays == 1, strings.Contains(s.Visitor().Page(post), said))
			require.Contains(t, s.Visitor().Page(post), other)
			require.Empty(t, s.Sql.RowsOfAll("SELECT 1 FROM pictures WHERE sum IN (?1, ?2) AND user_id IS NOT NULL", said, face))
			s.Verified()
		})
	}
}
