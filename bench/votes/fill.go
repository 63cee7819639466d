package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"plaza/data"
	"plaza/data/content/hot"
	"plaza/data/wire/hrana"
	"plaza/ranking"
)

const (
	memberCount = 4000
	postCount   = 10_000
	community   = "bench"
)

const (
	fillMembers = `INSERT INTO users (id, username, username_key, password_hash, created_at)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[1]'), '', ?2 FROM json_each(?1)`
	fillCommunity = `INSERT INTO communities (id, name, name_key, title, colour, created_at) VALUES (?1, ?2, ?2, ?2, '#000000', ?3)`
	fillPosts     = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, hot, created_at, active)
SELECT json_extract(value, '$[0]'), ?2, ?3, ?4, ?5, 'p' || json_extract(value, '$[0]'), 'text', 'A post', json_extract(value, '$[1]'),
  json_extract(value, '$[2]'), json_extract(value, '$[2]') FROM json_each(?1)`
)

// fill creates members who signed up half a year ago, posts of the last ten days, and the hot sets.
func (s *site) fill(ctx context.Context) error {
	now := time.Now()
	old := now.AddDate(0, -6, 0)
	var members, posts [][]any
	for i := range memberCount {
		at := old.Add(time.Duration(i) * time.Millisecond)
		a := data.Actor{UserID: data.NewID(at, 0, data.KindOther, 0), Name: fmt.Sprintf("member%d", i),
			SessionID: data.NewID(at, 0, data.KindOther, 1), IssuedAt: now.Add(-time.Hour)}
		s.members = append(s.members, a)
		members = append(members, []any{int64(a.UserID), a.Name})
	}
	for i := range postCount {
		at := now.Add(-time.Duration(i) * 10 * 24 * time.Hour / postCount).Truncate(time.Millisecond)
		id := data.NewID(at, 0, data.KindPost, 0)
		s.posts = append(s.posts, id)
		posts = append(posts, []any{int64(id), ranking.Hot(0, 0, at), at.UnixMilli()})
	}
	// The author of the posts does not vote, because own votes give no karma.
	author := int64(data.NewID(old, 0, data.KindOther, 7))
	where := int64(data.NewID(old, 0, data.KindOther, 9))
	if _, err := s.sql.Tx(ctx,
		hrana.Stmt{SQL: fillMembers, Args: []any{asJSON(members), old.UnixMilli()}},
		hrana.Stmt{SQL: fillCommunity, Args: []any{where, community, old.UnixMilli()}},
		hrana.Stmt{SQL: fillPosts, Args: []any{asJSON(posts), where, community, author, "author"}},
	); err != nil {
		return err
	}
	for _, scope := range []string{hot.SiteScope, community} {
		if err := s.hot.Rebuild(ctx, scope); err != nil {
			return err
		}
	}
	return nil
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
