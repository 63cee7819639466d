package data_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/signup"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/storetest"
)

// TestTokens sends forms again that were changed in between.
func TestTokens(t *testing.T) {
	s, _ := openLosing(t, 1)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	s.Community(ann, "rustaceans")
	const token = "a-token-of-some-form"
	made := func(t *testing.T, err error) string {
		t.Helper()
		require.Equal(t, data.AlreadySent, data.ErrorCode(err), "%v", err)
		var made *data.AlreadyMade
		require.ErrorAs(t, err, &made)
		return made.URL
	}

	t.Run("a post that was changed is not made silently, nor lost", func(t *testing.T) {
		c := posts.Create{Community: "gophers", Title: "Words", Text: "as typed", Token: token}
		first, err := s.Posts.Create(storetest.Ctx, ann, c)
		require.NoError(t, err)
		for _, change := range []func(*posts.Create){
			func(c *posts.Create) { c.Title = "Other words" },
			func(c *posts.Create) { c.Text = "other" },
			func(c *posts.Create) { c.Community = "rustaceans" },
			func(c *posts.Create) { c.NSFW = true },
			func(c *posts.Create) { c.Status = posts.Draft },
		} {
			other := c
			change(&other)
			_, err := s.Posts.Create(storetest.Ctx, ann, other)
			require.Equal(t, first.URL(), made(t, err))
		}
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM posts"))
		c.Token = "another-token-of-a-form"
		_, err = s.Posts.Create(storetest.Ctx, ann, c)
		require.NoError(t, err)
		c.Token = ""
		for range 2 {
			_, err = s.Posts.Create(storetest.Ctx, ann, c)
			require.NoError(t, err)
		}
		require.Equal(t, int64(4), s.One("SELECT count(*) FROM posts"))
	})
	t.Run("a draft that was deleted since is not made again", func(t *testing.T) {
		c := posts.Create{Community: "gophers", Title: "Never mind", Status: posts.Draft, Token: "the-token-of-a-draft"}
		draft, err := s.Posts.Create(storetest.Ctx, ann, c)
		require.NoError(t, err)
		_, err = s.Posts.Delete(storetest.Ctx, ann, draft.ID)
		require.NoError(t, err)
		_, err = s.Posts.Create(storetest.Ctx, ann, c)
		require.Empty(t, made(t, err))
	})
	t.Run("of two members the tokens are two", func(t *testing.T) {
		p := s.Post(ann, "gophers", "Same token")
		for _, a := range []data.Actor{ann, ben} {
			_, _, err := s.Comments.Create(storetest.Ctx, a, comments.Create{Post: p.ID, Body: "mine", Token: token})
			require.NoError(t, err)
		}
		require.Equal(t, int64(2), s.One("SELECT count(*) FROM comments"))
	})
	t.Run("of a page one token serves all its forms", func(t *testing.T) {
		p := s.Post(ann, "gophers", "A thread")
		c := comments.Create{Post: p.ID, Body: "words", Token: token}
		root, _, err := s.Comments.Create(storetest.Ctx, ann, c)
		require.NoError(t, err)
		reply, _, err := s.Comments.Create(storetest.Ctx, ann, comments.Create{Parent: root.ID, Body: "words", Token: token})
		require.NoError(t, err)
		require.NotEqual(t, root.ID, reply.ID)
		c.Body = "other words"
		_, _, err = s.Comments.Create(storetest.Ctx, ann, c)
		require.Equal(t, p.URL()+"/"+root.ID.Text(), made(t, err))
	})
	t.Run("a community", func(t *testing.T) {
		_, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "snakes", Token: token})
		require.NoError(t, err)
		_, err = s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "lizards", Token: token})
		require.Equal(t, "/c/snakes", made(t, err))
		_, err = s.Communities.Create(storetest.Ctx, ben, communities.Create{Name: "Snakes", Token: token})
		storetest.CodeOf(t, err, data.Conflict, "already")
	})
	t.Run("an account is nobody's without its password", func(t *testing.T) {
		c := signup.Form{Username: "cid", Password: "correct horse", Token: token}
		first, err := s.Signup.SignUp(storetest.Ctx, c)
		require.NoError(t, err)
		again, err := s.Signup.SignUp(storetest.Ctx, c)
		require.NoError(t, err)
		require.Equal(t, first.UserID, again.UserID)
		require.NotEqual(t, first.SessionID, again.SessionID)
		c.Password = "wrong horse"
		a, err := s.Signup.SignUp(storetest.Ctx, c)
		require.Equal(t, "/login", made(t, err))
		require.Zero(t, a)
		c.Username = "dan"
		_, err = s.Signup.SignUp(storetest.Ctx, c)
		require.Equal(t, "/login", made(t, err))
		c.Username, c.Password, c.Token = "cid", "correct horse", ""
		_, err = s.Signup.SignUp(storetest.Ctx, c)
		storetest.CodeOf(t, err, data.Conflict, "taken")
		s.Exec("UPDATE users SET status = 'suspended' WHERE username = 'cid'")
		c.Token = token
		_, err = s.Signup.SignUp(storetest.Ctx, c)
		made(t, err)
	})
	t.Run("an ended session is told nothing", func(t *testing.T) {
		p := s.Post(ann, "gophers", "Before the end")
		c := comments.Create{Post: p.ID, Body: "mine", Token: token}
		_, _, err := s.Comments.Create(storetest.Ctx, ann, c)
		require.NoError(t, err)
		require.NoError(t, s.Sessions.End(storetest.Ctx, ann))
		_, _, err = s.Comments.Create(storetest.Ctx, ann, c)
		storetest.CodeOf(t, err, data.Unauthenticated, "logged out")
		_, err = s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "snakes", Token: token})
		storetest.CodeOf(t, err, data.Unauthenticated, "logged out")
	})
}

func TestTokensAcrossShards(t *testing.T) {
	s, _ := openLosing(t, 3)
	ann := s.Member("ann")
	var names []string // of communities on two shards
	for i := 0; len(names) < 2; i++ {
		name := fmt.Sprintf("place_%d", i)
		id, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: name})
		require.NoError(t, err)
		if id.Shard() == len(names) {
			names = append(names, name)
		}
	}
	c := posts.Create{Community: names[0], Title: "Words", Text: "typed", Token: "a-token-of-some-form"}
	first, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	c.Community = names[1]
	_, err = s.Posts.Create(storetest.Ctx, ann, c)
	var made *data.AlreadyMade
	require.ErrorAs(t, err, &made)
	require.Equal(t, first.URL(), made.URL)
}

// TestTokensBesideAShardThatIsDown has a form be sent for another community, while a third
// shard does not answer.
func TestTokensBesideAShardThatIsDown(t *testing.T) {
	s, _ := openLosing(t, 4)
	ann := s.Member("ann")
	names := make([]string, 3) // of communities, by shard
	for i := 0; slices.Contains(names, ""); i++ {
		name := fmt.Sprintf("place_%d", i)
		id, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: name})
		require.NoError(t, err)
		names[id.Shard()] = name
	}
	c := posts.Create{Community: names[0], Title: "Words", Text: "typed", Token: "a-token-of-some-form"}
	first, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	c.Community = names[1]
	third := s.DB.Write(data.HomeOf(names[2]))
	third.Do("DROP TABLE made", nil) // it can't answer
	require.NoError(t, third.Run(storetest.Ctx))
	_, err = s.Posts.Create(storetest.Ctx, ann, c)
	var made *data.AlreadyMade
	require.ErrorAs(t, err, &made)
	require.Equal(t, first.URL(), made.URL)
}

func TestPurgeMade(t *testing.T) {
	s, _ := openLosing(t, 1)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	s.Exec(`INSERT INTO made (author_id, key, digest, made_id, created_at)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) SELECT 1, 'post old-' || i, '', i, 1000 FROM n`)
	c := posts.Create{Community: "gophers", Title: "Words", Text: "typed", Token: "a-token-of-some-form"}
	first, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	*s.Clock = s.Clock.Add(23 * time.Hour)
	require.NoError(t, s.DB.PurgeMade(storetest.Ctx, s.Posts.Source))
	require.Equal(t, int64(3), s.One("SELECT count(*) FROM made"))
	again, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	*s.Clock = s.Clock.Add(2 * time.Hour)
	require.NoError(t, s.DB.PurgeMade(storetest.Ctx, s.Posts.Source))
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM made"))
}
