// Command search fills the site of bench/search.mjs: it copies the posts of an import many times, and writes comments from their texts. It
// keeps existing rows, so it can be run again.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/lists/search"
	"plaza/data/wire/hrana"
)

// batch is how many posts or comments are written at once.
const batch = 150

func main() {
	posts := flag.Int64("posts", 500_000, "number of posts at the end")
	comments := flag.Int64("comments", 200_000, "number of comments at the end")
	flag.Parse()
	f := &filler{db: hrana.New(hrana.Options{URL: os.Getenv("LIBSQL_URL"), Token: os.Getenv("LIBSQL_AUTH_TOKEN")})}
	if err := f.fill(context.Background(), *posts, *comments); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

type filler struct {
	db *hrana.Client
}

const (
	countAll = `SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM comments)`
	// realPosts are posts of an import, which have a source; copies have none.
	realPosts = `SELECT p.source, p.id, coalesce(nullif(substr(t.text, 1, 5000), ''), p.title) FROM posts p
  LEFT JOIN post_texts t ON t.post_id = p.id
WHERE p.source > :after AND p.status = 'published' ORDER BY p.source LIMIT :limit`
	// copyPosts copies :ids with an earlier time: by :round shares of :share milliseconds, and a part of the next share.
	copyPosts = `INSERT OR IGNORE INTO posts (id, community_id, community_name, author_name, slug, kind, title, link, image, domain, excerpt,
  nsfw, base_ups, base_downs, ups, downs, score, hot, controversy, created_at, age, words)
SELECT p.id - ((:round * :share + p.id / 4096 % :share) << 22), p.community_id, p.community_name, '', p.slug || '-' || :round, p.kind,
  p.title, p.link, p.image, p.domain, p.excerpt, p.nsfw,
  p.base_ups, p.base_downs, p.ups, p.downs, p.score, p.hot - (:round * :share + p.id / 4096 % :share) / 45000000.0, p.controversy,
  p.created_at - (:round * :share + p.id / 4096 % :share), 5, p.words
FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`
	copyTexts = `INSERT OR IGNORE INTO post_texts (post_id, text, html, words)
SELECT p.id - ((:round * :share + p.id / 4096 % :share) << 22), t.text, t.html, t.words FROM json_each(:ids) j
  CROSS JOIN posts p ON p.id = j.value CROSS JOIN post_texts t ON t.post_id = p.id`
	writeComments = `INSERT OR IGNORE INTO comments (id, post_id, path, depth, author_name, body, body_html, ups, score, created_at)
SELECT value ->> 0, value ->> 1, value ->> 2, 0, '', value ->> 3, '<p>' || (value ->> 3) || '</p>', value ->> 4, value ->> 4, value ->> 5
  FROM json_each(:comments)`
)

// realPost is a post of the import.
type realPost struct {
	id   data.ID
	text string
}

func (f *filler) fill(ctx context.Context, posts, comments int64) error {
	var list []realPost
	for after := ""; ; {
		found, err := f.db.Query(ctx, hrana.Stmt{SQL: realPosts, Named: []hrana.Named{{Name: "after", Value: after},
			{Name: "limit", Value: batch}}})
		if err != nil {
			return err
		}
		for _, row := range found[0].Rows() {
			after = strings.Clone(row[0].(string))
			list = append(list, realPost{data.ID(row[1].(int64)), strings.Clone(row[2].(string))})
		}
		if found[0].Count < batch {
			break
		}
	}
	slices.SortFunc(list, func(a, b realPost) int { return cmp.Compare(a.id, b.id) })
	if len(list) == 0 {
		return fmt.Errorf("there are no posts to copy")
	}
	if err := f.copy(ctx, list, posts); err != nil {
		return err
	}
	if err := f.write(ctx, list, comments); err != nil {
		return err
	}
	return (&search.Store{Base: data.Base{DB: data.NewDB(f.db), Source: data.SystemSource()}}).CountCommon(ctx, false)
}

// numbers returns the numbers of posts and comments.
func (f *filler) numbers(ctx context.Context) (posts, comments int64, err error) {
	rows, err := f.db.Query(ctx, hrana.Stmt{SQL: countAll})
	if err != nil {
		return 0, 0, err
	}
	return rows[0].Rows()[0][0].(int64), rows[0].Rows()[0][1].(int64), nil
}

// copy copies posts until there are n.
func (f *filler) copy(ctx context.Context, list []realPost, n int64) error {
	have, _, err := f.numbers(ctx)
	if err != nil {
		return err
	}
	rounds := n/int64(len(list)) + 2
	share := list[0].id.Time().Sub(data.Epoch).Milliseconds() / rounds
	if share < 1000 {
		return fmt.Errorf("ids begin with %s, so there is no time for copies before the first post", data.Epoch.Format("2006-01-02"))
	}
	for round := have / int64(len(list)); have < n; round++ {
		for i := 0; i < len(list) && have < n; i += batch {
			var ids []int64
			for _, p := range list[i:min(i+batch, len(list))] {
				ids = append(ids, int64(p.id))
			}
			args := []hrana.Named{{Name: "ids", Value: asJSON(ids)}, {Name: "round", Value: round}, {Name: "share", Value: share}}
			if err := f.tx(ctx, hrana.Stmt{SQL: copyPosts, Named: args}, hrana.Stmt{SQL: copyTexts, Named: args}); err != nil {
				return err
			}
			have += int64(len(ids))
		}
		fmt.Fprintf(os.Stderr, "%d posts\n", have)
	}
	return nil
}

// tx runs idempotent statements, with retries: on a busy machine, transactions fail now and then.
func (f *filler) tx(ctx context.Context, stmts ...hrana.Stmt) (err error) {
	for try := range 10 {
		if _, err = f.db.Tx(ctx, stmts...); err == nil {
			return nil
		}
		time.Sleep(time.Duration(try) * time.Second)
	}
	return err
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
