package importer

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/content/searchwords"
	"plaza/protocol/weburl"
	"plaza/ranking"
	"plaza/tools/exchange"
)

// writer writes batches into the tables.
type writer struct {
	mayWrite    func(context.Context) error
	directory   *sql.DB
	shards      []*sql.DB // by number
	slots       *data.SlotMap
	all         []*sql.DB // each once
	now         time.Time
	batch       int
	communities map[string]*community // by key
	accounts    map[string]account    // by origin
	threads     map[string]thread     // by the post's source
	written     recent                // comments
	result      Result

	pictures     *Pictures
	pictureFacts map[string]exchange.Picture // what lines say about pictures, by sum

	waiting    map[string][]*comment // by the source of their parents
	room       int                   // bytes of further comments for which there is room
	passedOver int                   // comments for which there was no room
}

// Rows are one JSON parameter, so the statement is as short for 500 rows as for one: the client lexes every statement it sends, and the
// server parses it. So 1,000 posts take 25 ms, and 70 ms as VALUES lists of 500.
const (
	// Unique index on source.
	presentSources = `SELECT p.source FROM json_each(?) j JOIN posts p ON p.source = j.value`
	// Unique index on (community_id, slug).
	takenSlugs = `SELECT p.community_id || '/' || p.slug FROM json_each(?) j
JOIN posts p ON p.community_id = json_extract(j.value, '$[0]') AND p.slug = json_extract(j.value, '$[1]')`
	insertTexts = `INSERT INTO post_texts (post_id, text, html, words)
SELECT p.id, json_extract(j.value, '$[1]'), json_extract(j.value, '$[2]'), json_extract(j.value, '$[3]')
FROM json_each(?) j JOIN posts p ON p.id = json_extract(j.value, '$[0]') WHERE true
ON CONFLICT (post_id) DO NOTHING`
)

// rowsOfJSON are the rows v of a JSON parameter. Converted to binary JSON once for each row, they take half the time that json_each alone
// takes.
const rowsOfJSON = `(WITH r AS MATERIALIZED (SELECT jsonb(value) AS v FROM json_each(?)) SELECT v FROM r)`

// ups and downs have no rows in votes: they are the base that votes add to. comments is the number of rows in comments, which is 0 now.
var insertPosts = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, image, domain,
  excerpt, nsfw, spoiler, locked, base_ups, base_downs, ups, downs, score, hot, controversy, created_at, active, age, edited_at,
  pinned_at, source,
  link_key, status, flair_id, tags, pictures, words)
SELECT v ->> 0, v ->> 1, v ->> 2, v ->> 3, v ->> 4, v ->> 5, v ->> 6, v ->> 7, v ->> 8, v ->> 9, v ->> 10,
  v ->> 11, v ->> 12, v ->> 13, v ->> 14, v ->> 15, v ->> 16, v ->> 15, v ->> 16, (v ->> 15) - (v ->> 16), v ->> 17,
  ` + ranking.ControversySQL("(v ->> 15)", "(v ->> 16)") + `,
  v ->> 18, v ->> 18, v ->> 19, v ->> 20, v ->> 21, v ->> 22, v ->> 23, v ->> 24, v ->> 25, v ->> 26, v ->> 27,
  v ->> 28
FROM ` + rowsOfJSON + ` WHERE true
ON CONFLICT (source) WHERE source IS NOT NULL DO NOTHING`

// slugTries limits the random suffixes for a post's slug; then it gets its id as a suffix, like a post of a member.
const slugTries = 8

// conflictTries limits how often a batch is written again after another writer took an id or slug in between.
const conflictTries = 6

// write inserts the new items of a batch, in one or two transactions on each shard.
func (w *writer) write(ctx context.Context, b batch) error {
	err := w.writePosts(ctx, b)
	if err == nil {
		comments := append(b.comments, w.freed(b.posts)...)
		err = w.writeComments(ctx, comments)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", b.progress.File, err)
	}
	return nil
}

// writePosts writes the communities, authors and posts of a batch.
func (w *writer) writePosts(ctx context.Context, b batch) error {
	w.remember(b.pictures)
	for _, c := range b.communities {
		if err := w.found(ctx, c); err != nil {
			return err
		}
	}
	if err := w.place(ctx, b.posts); err != nil {
		return err
	}
	if err := w.enrol(ctx, b); err != nil {
		return err
	}
	slices.SortStableFunc(b.posts, func(a, b *post) int { return a.created.Compare(b.created) })
	byShard := make([][]*post, len(w.shards))
	for _, p := range b.posts {
		n := w.shardOf(p.place.id)
		byShard[n] = append(byShard[n], p)
	}
	for n, list := range byShard {
		for len(list) > 0 {
			some := list[:together(list, rowsTogether, textTogether)]
			list = list[len(some):]
			if err := w.writeTo(ctx, w.shards[n], some); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeTo is write for the posts of one shard.
func (w *writer) writeTo(ctx context.Context, shard *sql.DB, list []*post) error {
	var err error
	for try := range conflictTries {
		var fresh []*post
		if fresh, err = w.fresh(ctx, shard, list); err != nil {
			return err
		}
		if len(fresh) == 0 {
			w.result.Present += len(list)
			return nil
		}
		if err = w.illustrate(ctx, fresh); err != nil {
			return err
		}
		if err = w.number(ctx, shard, fresh); err != nil {
			return err
		}
		if err = w.name(ctx, shard, fresh); err != nil {
			return err
		}
		var n int
		if n, err = w.insert(ctx, shard, fresh); err == nil {
			w.result.Posts += n
			w.result.Present += len(list) - n
			var worn [][3]any
			for _, p := range fresh {
				w.result.Cut += bit(p.cut)
				w.result.NoPictures += p.pictures.lost
				if p.worn != "" && p.author.id != 0 {
					worn = append(worn, [3]any{int64(p.author.id), int64(p.place.id), p.worn})
				}
			}
			return wear(ctx, shard, worn)
		}
		if !isConflict(err) {
			break
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
	return err
}

// illustrate stores the pictures of posts. A post that loses all of its pictures and has nothing else becomes a post with only a title.
func (w *writer) illustrate(ctx context.Context, list []*post) error {
	var wants []*wanted
	for _, p := range list {
		if len(p.pictures.shown) > 0 {
			p.pictures.by = &p.author
			wants = append(wants, &p.pictures)
		}
	}
	if err := w.bring(ctx, wants); err != nil {
		return err
	}
	for _, p := range list {
		if p.kind == "text" && p.pictures.column != "" {
			p.kind = "image"
		}
	}
	return nil
}

// pause waits before a batch is written again, longer after each attempt.
func pause(ctx context.Context, try int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(10+rand.IntN(40)) * time.Millisecond << try):
		return nil
	}
}

// isConflict reports whether an error will not recur when the batch is written again.
func isConflict(err error) bool {
	s := err.Error()
	return strings.Contains(s, "UNIQUE constraint failed") || strings.Contains(s, "database is locked") ||
		strings.Contains(s, "SQLITE_BUSY")
}

// fresh removes posts that are in the table and duplicates within the batch.
func (w *writer) fresh(ctx context.Context, shard *sql.DB, list []*post) ([]*post, error) {
	keys := make([]string, len(list))
	for i, p := range list {
		keys[i] = p.source
	}
	seen, err := set(ctx, shard, presentSources, keys)
	if err != nil {
		return nil, err
	}
	var fresh []*post
	for _, p := range list {
		if !seen[p.source] {
			seen[p.source] = true
			fresh = append(fresh, p)
		}
	}
	return fresh, nil
}

// number assigns every post a unique id.
func (w *writer) number(ctx context.Context, shard *sql.DB, list []*post) error {
	var given numbers
	return given.give(ctx, shard, takenPosts, len(list), func(i int, salt uint32) data.ID {
		return idFor(list[i].source, list[i].created, list[i].place.id.Slot(), data.KindPost, salt)
	}, func(i int, id data.ID) { list[i].id = id })
}

// name gives every post a slug that no other in its community has: its slug on the other site, or the title's, or one with three random
// digits, or with its id if these are all taken.
func (w *writer) name(ctx context.Context, shard *sql.DB, list []*post) error {
	used := make(map[string]bool, len(list))
	key := func(p *post, slug string) string { return p.place.id.String() + "/" + slug }
	choose := func(p *post, slug string) {
		for plain := posts.Slug(p.title); used[key(p, slug)]; p.tries++ {
			if slug = posts.SlugConflict(plain, rand.Uint32()); p.tries >= slugTries {
				slug = plain + "-" + p.id.Text()
			}
		}
		p.slug = slug
		used[key(p, slug)] = true
	}
	for _, p := range list {
		choose(p, cmp.Or(p.wanted, posts.Slug(p.title)))
	}
	for unsure := list; len(unsure) > 0; {
		var pairs [][2]any
		for _, p := range unsure {
			pairs = append(pairs, [2]any{int64(p.place.id), p.slug})
		}
		taken, err := set(ctx, shard, takenSlugs, pairs)
		if err != nil {
			return err
		}
		var again []*post
		for _, p := range unsure {
			if taken[key(p, p.slug)] {
				choose(p, p.slug)
				again = append(again, p)
			}
		}
		unsure = again
	}
	return nil
}

// set runs a query over a list and returns the texts that it finds.
func set(ctx context.Context, db *sql.DB, query string, keys any) (map[string]bool, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, query, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		found[s] = true
	}
	return found, rows.Err()
}

// insert writes the posts and their texts in one transaction and returns how many posts were new.
func (w *writer) insert(ctx context.Context, shard *sql.DB, list []*post) (int, error) {
	// Rows in the order of their ids are far faster for the search index.
	list = slices.SortedFunc(slices.Values(list), func(a, b *post) int { return cmp.Compare(a.id, b.id) })
	var values, texts [][]any
	for _, p := range list {
		flair, err := w.flair(ctx, p.place, p.flair)
		if err != nil {
			return 0, err
		}
		values = append(values, []any{int64(p.id), int64(p.place.id), p.place.name, p.author.column(), p.author.name, p.slug, p.kind, p.title,
			p.link, p.image, p.domain,
			p.excerpt, bit(p.nsfw), bit(p.spoiler), bit(p.locked), p.ups, p.downs, p.hot, p.created.UnixMilli(), posts.AgeOf(p.created, w.now),
			milli(p.edited),
			milli(p.pinned), p.source, weburl.Key(cmp.Or(p.link, p.image)), p.status, flair, p.tags, p.pictures.column,
			searchwords.Words(p.title)})
		if p.text != "" {
			texts = append(texts, []any{int64(p.id), p.text, p.html, searchwords.Words(p.text)})
		}
	}
	postList, err := json.Marshal(values)
	if err != nil {
		return 0, err
	}
	textList, err := json.Marshal(texts)
	if err != nil {
		return 0, err
	}
	tx, err := shard.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	done, err := tx.ExecContext(ctx, insertPosts, string(postList))
	if err != nil {
		return 0, err
	}
	if len(texts) > 0 {
		if _, err := tx.ExecContext(ctx, insertTexts, string(textList)); err != nil {
			return 0, err
		}
	}
	n, err := done.RowsAffected()
	if err != nil {
		return 0, err
	}
	return int(n), tx.Commit()
}

// column returns the column of an account's id: NULL for none.
func (a account) column() any {
	if a.id == 0 {
		return nil
	}
	return int64(a.id)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// milli returns a column of a time: NULL for the zero time.
func milli(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}
