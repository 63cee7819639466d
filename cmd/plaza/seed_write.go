package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// Each statement takes its rows as one JSON parameter. The triggers on comments and votes note what is to be counted, as
// they do for everybody.
const (
	seedUsers = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, bio, bio_html, created_at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
  json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'),
  json_extract(value, '$[7]') FROM json_each(?)`
	seedPosts = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, domain, excerpt, hot, created_at, link_key)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
  json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'), json_extract(value, '$[7]'),
  json_extract(value, '$[8]'), json_extract(value, '$[9]'), json_extract(value, '$[10]'), json_extract(value, '$[11]'),
  json_extract(value, '$[12]'), json_extract(value, '$[13]') FROM json_each(?)`
	seedTexts = `INSERT INTO post_texts (post_id, text, html)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)`
	seedComments = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, body, body_html, created_at, op)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
  json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'), json_extract(value, '$[7]'),
  json_extract(value, '$[8]'), json_extract(value, '$[9]'),
  json_extract(value, '$[5]') IS (SELECT author_id FROM posts WHERE id = json_extract(value, '$[1]')) FROM json_each(?)`
	seedVotes = `INSERT INTO votes (target_id, user_id, value, updated_at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]')
FROM json_each(?)`
	seedSubscriptions = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)`
)

// write puts everything into the tables in one transaction.
func (s *seeder) write(ctx context.Context, db *sql.DB) error {
	var users, entries, texts, comments, votes, subs [][]any
	var written []int64 // ids of comments
	for _, m := range s.members {
		users = append(users, []any{int64(m.id), m.name, m.key, m.key + "@plaza.example", m.hash, m.bio, m.bioHTML, m.since.UnixMilli()})
	}
	for _, p := range s.posts {
		entries = append(entries, []any{int64(p.id), int64(p.communityID), p.community, int64(p.author.id), p.author.name, p.slug,
			p.kind, p.title, p.link, posts.Domain(p.link), render.PlainExcerpt(p.text, posts.ExcerptLen), p.hot(), p.created.UnixMilli(), posts.URLKey(p.link)})
		texts = append(texts, []any{int64(p.id), p.text, p.html})
	}
	for _, c := range s.comments {
		comments = append(comments, []any{int64(c.id), int64(c.post), int64(c.parent), c.path, c.depth, int64(c.author.id),
			c.author.name, c.body, c.html, c.created.UnixMilli()})
		written = append(written, int64(c.id))
	}
	for _, v := range s.votes {
		votes = append(votes, []any{int64(v.target), int64(v.user), v.value, v.at.UnixMilli()})
	}
	for _, sub := range s.subs {
		subs = append(subs, []any{int64(sub[0]), int64(sub[1]), s.o.now.UnixMilli()})
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, step := range []struct {
		what, query string
		rows        [][]any
	}{
		{"members", seedUsers, users},
		{"posts", seedPosts, entries},
		{"texts", seedTexts, texts},
		{"comments", seedComments, comments},
		{"votes", seedVotes, votes},
		{"subscriptions", seedSubscriptions, subs},
	} {
		if len(step.rows) == 0 {
			continue
		}
		list, err := json.Marshal(step.rows)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, step.query, string(list)); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	list, err := json.Marshal(written)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, threads.RankQuestions, sql.Named("targets", string(list))); err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return tx.Commit()
}
