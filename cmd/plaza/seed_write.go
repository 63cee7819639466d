package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/content/searchwords"
	"plaza/protocol/weburl"
	"plaza/render/markdown"
	"plaza/tools/importer"
)

// Each statement takes its rows as one JSON parameter. The triggers on comments and votes note the changes of counters, as for other
// writes.
const (
	seedUsers = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, bio, bio_html, created_at, words)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
  json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'),
  json_extract(value, '$[7]'), json_extract(value, '$[8]') FROM json_each(?)`
	seedPosts = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, domain, excerpt, hot,
  created_at, active, link_key, words)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
  json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'), json_extract(value, '$[7]'),
  json_extract(value, '$[8]'), json_extract(value, '$[9]'), json_extract(value, '$[10]'), json_extract(value, '$[11]'),
  json_extract(value, '$[12]'), json_extract(value, '$[12]'), json_extract(value, '$[13]'),
  json_extract(value, '$[14]') FROM json_each(?)`
	seedTexts = `INSERT INTO post_texts (post_id, text, html, words)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]') FROM json_each(?)`
	seedComments = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, body, body_html, created_at, op,
  words)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'),
  json_extract(value, '$[4]'), json_extract(value, '$[5]'), json_extract(value, '$[6]'), json_extract(value, '$[7]'),
  json_extract(value, '$[8]'), json_extract(value, '$[9]'),
  json_extract(value, '$[5]') IS (SELECT author_id FROM posts WHERE id = json_extract(value, '$[1]')),
  json_extract(value, '$[10]') FROM json_each(?)`
	seedVotes = `INSERT INTO votes (target_id, user_id, value, updated_at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]')
FROM json_each(?)`
	seedSubscriptions = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)`
)

// rows are the rows of one database.
type rows struct {
	users, entries, texts, comments, votes, subs [][]any
	written                                      []int64 // ids of comments
}

// write writes everything in one transaction for each database. It commits the first when the statements of all have succeeded.
func (s *seeder) write(ctx context.Context, db importer.Databases) error {
	for _, t := range s.targets {
		if _, ok := s.slots.Of(t.id.Slot()); !ok {
			return errors.New("a post is on a shard of which no address was given")
		}
	}
	var open []*sql.Tx
	defer func() {
		for _, tx := range open {
			_ = tx.Rollback()
		}
	}()
	of := s.rowsOf(db)
	for one, r := range of {
		tx, err := one.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		open = append(open, tx)
		if err := r.write(ctx, tx); err != nil {
			return err
		}
	}
	if s.o.mayWrite != nil {
		if err := s.o.mayWrite(ctx); err != nil {
			return err
		}
	}
	for _, tx := range open {
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf returns the rows of a database: members and subscriptions belong to the directory, everything else to the shard of its id.
func (s *seeder) rowsOf(db importer.Databases) map[*sql.DB]*rows {
	of := map[*sql.DB]*rows{db.Directory: {}}
	for _, shard := range db.Shards {
		if of[shard] == nil {
			of[shard] = &rows{}
		}
	}
	on := func(id data.ID) *rows {
		n, _ := s.slots.Of(id.Slot()) // write has checked that it is known
		return of[db.Shards[n]]
	}
	d := of[db.Directory]
	for _, m := range s.members {
		d.users = append(d.users, []any{int64(m.id), m.name, m.key, m.key + "@plaza.example", m.hash, m.bio, m.bioHTML, m.since.UnixMilli(),
			searchwords.Words(m.bio)})
	}
	for _, sub := range s.subs {
		d.subs = append(d.subs, []any{int64(sub[0]), int64(sub[1]), s.o.now.UnixMilli()})
	}
	for _, p := range s.posts {
		r := on(p.id)
		r.entries = append(r.entries, []any{int64(p.id), int64(p.communityID), p.community, int64(p.author.id), p.author.name, p.slug,
			p.kind, p.title, p.link, weburl.Domain(p.link), markdown.PlainExcerpt(p.text, posts.ExcerptLen), p.hot(), p.created.UnixMilli(),
			weburl.Key(p.link), searchwords.Words(p.title)})
		r.texts = append(r.texts, []any{int64(p.id), p.text, p.html, searchwords.Words(p.text)})
	}
	for _, c := range s.comments {
		r := on(c.id)
		r.comments = append(r.comments, []any{int64(c.id), int64(c.post), int64(c.parent), c.path, c.depth, int64(c.author.id),
			c.author.name, c.body, c.html, c.created.UnixMilli(), searchwords.Words(c.body)})
		r.written = append(r.written, int64(c.id))
	}
	for _, v := range s.votes {
		r := on(v.target)
		r.votes = append(r.votes, []any{int64(v.target), int64(v.user), v.value, v.at.UnixMilli()})
	}
	return of
}

func (r *rows) write(ctx context.Context, tx *sql.Tx) error {
	for _, step := range []struct {
		what, query string
		rows        [][]any
	}{
		{"members", seedUsers, r.users},
		{"posts", seedPosts, r.entries},
		{"texts", seedTexts, r.texts},
		{"comments", seedComments, r.comments},
		{"votes", seedVotes, r.votes},
		{"subscriptions", seedSubscriptions, r.subs},
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
	if len(r.written) == 0 {
		return nil
	}
	list, err := json.Marshal(r.written)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, comments.RankQuestions, sql.Named("targets", string(list))); err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}
