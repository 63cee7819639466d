package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/searchwords"
	"plaza/data/wire/hrana"
	"plaza/ops/backup"
	"plaza/protocol/weburl"
	"plaza/render/markdown"
)

// Each statement gets its rows as one JSON parameter. Triggers on comments and votes write deltas, as for other writes.
const (
	seedUsers = `INSERT INTO users (id, username, username_key, email, email_key, password_hash, bio, bio_html, created_at, words)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8
FROM json_each(:rows)`
	seedPosts = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, domain, excerpt, hot,
  created_at, active, link_key, words)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
  value ->> 10, value ->> 11, value ->> 12, value ->> 12, value ->> 13, value ->> 14 FROM json_each(:rows)`
	seedTexts = `INSERT INTO post_texts (post_id, text, html, words)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:rows)`
	seedComments = `INSERT INTO comments (id, post_id, parent_id, path, depth, author_id, author_name, body, body_html, created_at, op,
  words)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
  value ->> 5 IS (SELECT author_id FROM posts WHERE id = value ->> 1), value ->> 10 FROM json_each(:rows)`
	seedVotes = `INSERT INTO votes (target_id, user_id, value, updated_at)
SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3 FROM json_each(:rows) j`
	seedSubscriptions = `INSERT INTO subscriptions (user_id, community_id, created_at)
SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:rows)`
)

// rows are the rows of one database.
type rows struct {
	users, entries, texts, comments, votes, subs [][]any
	commentIDs                                   []data.ID
}

// write writes everything, in a transaction of each database. None commits before all have run their statements.
func (s *seeder) write(ctx context.Context, db *data.DB, site backup.Site) error {
	for _, t := range s.targets {
		if _, err := db.Locate(ctx, t.id); data.ErrorCode(err) == data.NotFound {
			return errors.New("a post is on a shard of which no address was given")
		} else if err != nil {
			return err
		}
	}
	var open []*hrana.Stream
	defer func() {
		for _, tx := range open {
			tx.Close(context.WithoutCancel(ctx))
		}
	}()
	for one, r := range s.rowsOf(db, site) {
		tx := one.Stream()
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
		if _, err := tx.Last(ctx, hrana.Stmt{SQL: "COMMIT"}); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf returns the rows of each database: members and subscriptions go to the directory, others to the shard of their id.
func (s *seeder) rowsOf(db *data.DB, site backup.Site) map[*hrana.Client]*rows {
	byDB := map[*hrana.Client]*rows{site.Directory: {}}
	for _, shard := range site.Shards {
		if byDB[shard] == nil {
			byDB[shard] = &rows{}
		}
	}
	on := func(id data.ID) *rows { return byDB[site.Shards[db.ShardOf(id).Shard()]] } // write has checked that it exists
	d := byDB[site.Directory]
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
		r.commentIDs = append(r.commentIDs, c.id)
	}
	for _, v := range s.votes {
		r := on(v.target)
		r.votes = append(r.votes, []any{int64(v.target), int64(v.user), v.value, v.at.UnixMilli()})
	}
	return byDB
}

// write begins a transaction and writes the rows.
func (r *rows) write(ctx context.Context, tx *hrana.Stream) error {
	if _, err := tx.Run(ctx, hrana.Stmt{SQL: "BEGIN IMMEDIATE"}); err != nil {
		return err
	}
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
		if err == nil {
			_, err = tx.Run(ctx, hrana.Stmt{SQL: step.query, Named: []hrana.Named{{Name: "rows", Value: string(list)}}})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	_, err := tx.Run(ctx, hrana.Stmt{SQL: comments.RankQuestions, Named: []hrana.Named{{Name: "targets", Value: data.JSONIDs(r.commentIDs)}}})
	if err != nil {
		return fmt.Errorf("questions: %w", err)
	}
	return nil
}
