package data_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/accounts/signup"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/posts"
	"plaza/data/rights/rules"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// losing is an HTTP client that sends requests and loses the responses to the next so many.
type losing struct {
	http   *http.Client
	next   int
	before func() // runs before each request, like another request
}

func (l *losing) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if l.before != nil {
		l.before()
	}
	res, err := l.http.Do(r)
	if err != nil || l.next == 0 || !bytes.Contains(body, []byte("BEGIN IMMEDIATE")) {
		return res, err
	}
	l.next--
	_, err = io.Copy(io.Discard, res.Body) // wait for the whole response
	_ = res.Body.Close()
	if err != nil {
		return nil, err
	}
	return nil, storetest.ErrLine
}

// openLosing returns stores on as many databases, the first of which is the directory.
func openLosing(t *testing.T, databases int) (*storetest.Stores, *losing) {
	t.Helper()
	l := &losing{}
	var clients []*hrana.Client
	for range databases {
		url, client := stacktest.OpenSchemaDB(t)
		l.http = client
		c := hrana.New(hrana.Options{URL: url, HTTP: l, Sleep: func(context.Context, time.Duration) error { return nil }, Attempts: 3})
		clients = append(clients, c)
	}
	return storetest.New(t, data.NewDB(clients[0], clients[1:]...), clients[0], stacktest.OpenRedis(t)), l
}

// TestCreatedOnce loses the response to every kind of write: once, which the next attempt of the same transaction notices, and always,
// after which the same form is sent again.
func TestCreatedOnce(t *testing.T) {
	s, line := openLosing(t, 1)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	original := s.Post(ben, "gophers", "By Ben")
	root := s.Comment(ben, original.ID, 0, "By Ben")
	n := 0
	fresh := func() string { n++; return fmt.Sprintf("thing-%d", n) }
	created := func(p *posts.Post, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return p.ID.Text() + p.URL(), nil
	}
	post := func(c posts.Create) func(string, string) (string, error) {
		return func(name, token string) (string, error) {
			c.Community, c.Title, c.Token = "gophers", name, token
			return created(s.Posts.Create(storetest.Ctx, ann, c))
		}
	}
	var drafted data.ID // the draft to publish
	draft := func(name string) {
		p, err := s.Posts.Create(storetest.Ctx, ann, posts.Create{Community: "gophers", Title: name + " draft", Text: "x", Status: posts.Draft})
		require.NoError(s, err)
		drafted = p.ID
	}
	var revision int64 // the form's revision, also when it is sent again
	from := func(query string) func(string) {
		return func(string) { revision = s.One(query).(int64) }
	}
	kinds := map[string]struct {
		before func(name string)
		do     func(name, token string) (result string, err error)
		count  string // counts its rows
		want   int64
	}{
		"account": {nil, func(name, token string) (string, error) {
			a, err := s.Signup.SignUp(storetest.Ctx, signup.Form{Username: name, Email: name + "@example.org", Password: "correct horse",
				Token: token})
			return fmt.Sprint(a.UserID, a.Name), err
		}, `SELECT count(*) FROM users WHERE username = ?1`, 1},
		"community": {nil, func(name, token string) (string, error) {
			id, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: strings.ReplaceAll(name, "-", "_"), Token: token})
			return id.Text(), err
		}, `SELECT count(*) + (SELECT count(*) FROM moderators m WHERE m.community_id = c.id) + (SELECT count(*) FROM subscriptions k
  WHERE k.community_id = c.id)
			FROM communities c WHERE c.name = replace(?1, '-', '_')`, 3},
		"text": {nil, post(posts.Create{Text: "text", TextHTML: "<p>text</p>"}),
			`SELECT count(*) + (SELECT sum(value) FROM votes v WHERE v.target_id = p.id) + (SELECT count(*) FROM post_texts x WHERE x.post_id = p.id)
  FROM posts p WHERE p.title = ?1`, 3},
		"link": {nil, func(name, token string) (string, error) {
			return post(posts.Create{Link: "https://example.org/" + name})(name, token)
		}, `SELECT count(*) + (SELECT count(*) FROM outbox o WHERE o.subject_id = p.id AND o.job = 'link') FROM posts p WHERE p.title = ?1`, 2},
		"image": {nil, post(posts.Create{Image: "https://example.org/a.png", AllowRepost: true}),
			`SELECT count(*) FROM posts p WHERE p.title = ?1`, 1},
		"draft": {nil, post(posts.Create{Status: posts.Draft}), `SELECT count(*) FROM posts p WHERE p.title = ?1 AND status = 'draft'`, 1},
		"crosspost": {nil, post(posts.Create{CrosspostOf: original.ID, AllowRepost: true}),
			`SELECT count(*) FROM posts p WHERE p.title = ?1 AND crosspost IS NOT NULL`, 1},
		"scheduled": {nil, post(posts.Create{Text: "x", Status: posts.Scheduled, PublishAt: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}),
			`SELECT count(*) FROM posts p WHERE p.title = ?1 AND status = 'scheduled'`, 1},
		"published draft": {draft, func(name, token string) (string, error) {
			p, err := s.Posts.PublishDraft(storetest.Ctx, ann, drafted, 0, false, rules.Verdict{})
			if err != nil {
				return "", err
			}
			return p.ID.Text() + p.Status, nil
		}, `SELECT count(*) + (SELECT sum(value) FROM votes v WHERE v.target_id = p.id) FROM posts p WHERE p.title = ?1 || ' draft'
  AND status = 'published'`, 2},
		"draft, changed and published": {draft, func(name, token string) (string, error) {
			p, err := s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: drafted, Create: posts.Create{Community: "gophers", Title: name,
				Text: "changed"}})
			if err != nil {
				return "", err
			}
			return p.ID.Text() + p.Status, nil
		}, `SELECT count(*) + (SELECT sum(value) FROM votes v WHERE v.target_id = p.id) FROM posts p WHERE p.title = ?1 AND status = 'published'`,
			2},
		"draft, changed": {draft, func(name, token string) (string, error) {
			p, err := s.Posts.EditDraft(storetest.Ctx, ann, posts.EditDraft{ID: drafted, Create: posts.Create{Community: "gophers", Title: name,
				Status: posts.Draft}})
			if err != nil {
				return "", err
			}
			return p.ID.Text() + p.Status, nil
		}, `SELECT count(*) FROM posts p WHERE p.title = ?1 AND status = 'draft'`, 1},
		"comment": {nil, func(name, token string) (string, error) {
			c, p, err := s.Comments.Create(storetest.Ctx, ann, comments.Create{Post: original.ID, Body: name, Token: token})
			if err != nil {
				return "", err
			}
			return c.ID.Text() + p.URL(), nil
		}, `SELECT count(*) + (SELECT sum(value) FROM votes v WHERE v.target_id = c.id) FROM comments c WHERE c.body = ?1 AND parent_id = 0`, 2},
		"reply": {nil, func(name, token string) (string, error) {
			c, p, err := s.Comments.Create(storetest.Ctx, ann, comments.Create{Parent: root.ID, Body: name, Token: token})
			if err != nil {
				return "", err
			}
			return c.ID.Text() + p.URL(), nil
		}, `SELECT count(*) + (SELECT sum(value) FROM votes v WHERE v.target_id = c.id) FROM comments c WHERE c.body = ?1 AND parent_id <> 0`, 2},
		"edited post": {from(`SELECT coalesce(edited_at, 0) FROM posts WHERE title = 'By Ben'`), func(name, token string) (string, error) {
			p, err := s.Posts.Edit(storetest.Ctx, ben, posts.Edit{ID: original.ID, Text: name, TextHTML: name, Revision: revision})
			if err != nil {
				return "", err
			}
			return p.Text, nil
		}, `SELECT count(*) FROM post_texts WHERE text = ?1`, 1},
		"edited comment": {from(`SELECT coalesce(edited_at, 0) FROM comments WHERE depth = 0 AND author_name = 'ben'`),
			func(name, token string) (string, error) {
				c, err := s.Comments.Edit(storetest.Ctx, ben, comments.Edit{ID: root.ID, Body: name, BodyHTML: name, Revision: revision})
				if err != nil {
					return "", err
				}
				return c.Body, nil
			}, `SELECT count(*) FROM comments WHERE body = ?1`, 1},
		"settings": {from(`SELECT coalesce(revision, 0) FROM communities WHERE name = 'gophers'`), func(name, token string) (string, error) {
			_, err := s.Communities.Update(storetest.Ctx, ann, "gophers",
				communities.Update{Settings: communities.Settings{Title: name, Colour: data.Palette[0].Hex,
					Rules: []communities.Rule{{Title: "One"}}, Revision: revision}})
			return name, err
		}, `SELECT count(*) FROM communities WHERE title = ?1`, 1},
	}
	for kind, k := range kinds {
		t.Run(kind, func(t *testing.T) {
			before := k.before
			if before == nil {
				before = func(string) {}
			}
			t.Run("when one answer is lost", func(t *testing.T) {
				name := fresh()
				before(name)
				line.next = 1
				result, err := k.do(name, "")
				require.NoError(t, err)
				require.NotEmpty(t, result)
				require.Zero(t, line.next)
				require.Equal(t, k.want, s.One(k.count, name))
			})
			t.Run("when all answers are lost and it is sent again", func(t *testing.T) {
				name := fresh()
				sent := name + "-of-some-form"
				before(name)
				line.next = 1000
				_, err := k.do(name, sent)
				line.next = 0
				require.Equal(t, data.Unavailable, data.ErrorCode(err), "%v", err)
				require.Equal(t, k.want, s.One(k.count, name))
				result, err := k.do(name, sent)
				require.NoError(t, err)
				third, err := k.do(name, sent)
				require.NoError(t, err)
				require.Equal(t, result, third)
				require.Equal(t, k.want, s.One(k.count, name))
			})
		})
	}
}

// TestSignUpTwiceAtOnce: a form makes the account between any two requests of a second submission of the form.
func TestSignUpTwiceAtOnce(t *testing.T) {
	for between := 1; ; between++ {
		url, client := stacktest.OpenSchemaDB(t)
		line := &losing{http: client}
		sql, direct := hrana.New(hrana.Options{URL: url, HTTP: line}), hrana.New(hrana.Options{URL: url, HTTP: client})
		redis := stacktest.OpenRedis(t)
		s, elsewhere := storetest.New(t, data.NewDB(sql), sql, redis), storetest.New(t, data.NewDB(direct), direct, redis) // another instance
		elsewhere.Accounts.Source.Rand = func() uint32 { return 7 }
		c := signup.Form{Username: "ann", Password: "correct horse", Token: "a-token-of-some-form"}
		n := 0
		var first data.Actor
		line.before = func() {
			if n++; n == between {
				line.before = nil
				var err error
				first, err = elsewhere.Signup.SignUp(storetest.Ctx, c)
				require.NoError(t, err)
			}
		}
		second, err := s.Signup.SignUp(storetest.Ctx, c)
		require.NoError(t, err)
		if n < between { // there were fewer requests
			require.Greater(t, between, 2)
			return
		}
		require.Equal(t, first.UserID, second.UserID)
		require.Equal(t, int64(1), s.One("SELECT count(*) FROM users"))
	}
}

// TestTokens sends forms again that were changed in between.
func TestTokens(t *testing.T) {
	s, _ := openLosing(t, 1)
	ann, ben := s.Member("ann"), s.Member("ben")
	s.Community(ann, "gophers")
	s.Community(ann, "rustaceans")
	const token = "a-token-of-some-form"
	created := func(t *testing.T, err error) string {
		t.Helper()
		require.Equal(t, data.AlreadySent, data.ErrorCode(err), "%v", err)
		var created *data.KeyReused
		require.ErrorAs(t, err, &created)
		return created.URL
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
			require.Equal(t, first.URL(), created(t, err))
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
		require.Empty(t, created(t, err))
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
		require.Equal(t, p.URL()+"/"+root.ID.Text(), created(t, err))
	})
	t.Run("a community", func(t *testing.T) {
		_, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "snakes", Token: token})
		require.NoError(t, err)
		_, err = s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: "lizards", Token: token})
		require.Equal(t, "/c/snakes", created(t, err))
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
		require.Equal(t, "/login", created(t, err))
		require.Zero(t, a)
		c.Username = "dan"
		_, err = s.Signup.SignUp(storetest.Ctx, c)
		require.Equal(t, "/login", created(t, err))
		c.Username, c.Password, c.Token = "cid", "correct horse", ""
		_, err = s.Signup.SignUp(storetest.Ctx, c)
		storetest.CodeOf(t, err, data.Conflict, "taken")
		s.Exec("UPDATE users SET status = 'suspended' WHERE username = 'cid'")
		c.Token = token
		_, err = s.Signup.SignUp(storetest.Ctx, c)
		created(t, err)
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
		if s.DB.ShardOf(id).Shard() == len(names) {
			names = append(names, name)
		}
	}
	c := posts.Create{Community: names[0], Title: "Words", Text: "typed", Token: "a-token-of-some-form"}
	first, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	c.Community = names[1]
	_, err = s.Posts.Create(storetest.Ctx, ann, c)
	var created *data.KeyReused
	require.ErrorAs(t, err, &created)
	require.Equal(t, first.URL(), created.URL)
}

// TestTokensBesideAShardThatIsDown sends a form again for another community, while a third shard is down.
func TestTokensBesideAShardThatIsDown(t *testing.T) {
	s, _ := openLosing(t, 4)
	ann := s.Member("ann")
	names := make([]string, 3) // of communities, by shard
	for i := 0; slices.Contains(names, ""); i++ {
		name := fmt.Sprintf("place_%d", i)
		id, err := s.Communities.Create(storetest.Ctx, ann, communities.Create{Name: name})
		require.NoError(t, err)
		names[s.DB.ShardOf(id).Shard()] = name
	}
	c := posts.Create{Community: names[0], Title: "Words", Text: "typed", Token: "a-token-of-some-form"}
	first, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	c.Community = names[1]
	third := s.DB.WriteAt(data.In(names[2]))
	third.Do("DROP TABLE idempotency_keys", nil) // it fails every request
	require.NoError(t, third.Run(storetest.Ctx))
	_, err = s.Posts.Create(storetest.Ctx, ann, c)
	var created *data.KeyReused
	require.ErrorAs(t, err, &created)
	require.Equal(t, first.URL(), created.URL)
}

func TestPurgeIdempotencyKeys(t *testing.T) {
	s, _ := openLosing(t, 1)
	ann := s.Member("ann")
	s.Community(ann, "gophers")
	s.Exec(`INSERT INTO idempotency_keys (author_id, key, digest, result_id, created_at)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT 1, 'post old-' || i, '', i, 1000 FROM n`)
	c := posts.Create{Community: "gophers", Title: "Words", Text: "typed", Token: "a-token-of-some-form"}
	first, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	*s.Clock = s.Clock.Add(23 * time.Hour)
	require.NoError(t, s.DB.PurgeIdempotencyKeys(storetest.Ctx, s.Posts.Source))
	require.Equal(t, int64(3), s.One("SELECT count(*) FROM idempotency_keys"))
	again, err := s.Posts.Create(storetest.Ctx, ann, c)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	*s.Clock = s.Clock.Add(2 * time.Hour)
	require.NoError(t, s.DB.PurgeIdempotencyKeys(storetest.Ctx, s.Posts.Source))
	require.Equal(t, int64(0), s.One("SELECT count(*) FROM idempotency_keys"))
}
