package importer

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/data/searchwords"
	"plaza/data/wire/hrana"
	"plaza/ops/exchange"
	"plaza/protocol/weburl"
	"plaza/ranking"
)

// writer writes batches into the tables.
type writer struct {
	db          *data.DB
	mayWrite    func(context.Context) error
	slots       *data.SlotMap
	now         time.Time
	batch       int
	communities map[string]*community // by key
	accounts    map[string]account    // by origin
	threads     map[string]thread     // by the post's source
	positions   map[string]position   // of comments, by source
	result      Result

	pictures     *Pictures
	pictureFacts map[string]exchange.Picture // what lines say about pictures, by sum

	waiting map[string][]*comment // by the source of their parents
	room    int                   // bytes that further waiting comments may take
	dropped int                   // comments for which there was no room
}

func newWriter(db *data.DB, o Options) *writer {
	mayWrite := func(ctx context.Context) error {
		return retry(ctx, db, func() error { return o.MayWrite(ctx) })
	}
	return &writer{db: db, mayWrite: mayWrite, slots: data.NewSlotMap(len(db.Shards())), now: o.Now, batch: o.Batch, pictures: o.Pictures,
		communities: map[string]*community{}, accounts: map[string]account{}, threads: map[string]thread{},
		positions: map[string]position{}, pictureFacts: map[string]exchange.Picture{}, waiting: map[string][]*comment{}, room: roomToWait}
}

// Rows are one JSON parameter, so the statement is as short for 500 rows as for one: the server parses every statement. 1,000 posts take
// 25 ms, and 70 ms as VALUES lists of 500.
const (
	// Unique index on source.
	presentPosts = `SELECT p.source FROM json_each(:list) j JOIN posts p ON p.source = j.value`
	// Unique index on (community_id, slug).
	takenSlugs = `SELECT p.community_id || '/' || p.slug FROM json_each(:list) j
JOIN posts p ON p.community_id = j.value ->> 0 AND p.slug = j.value ->> 1`
	insertTexts = `INSERT INTO post_texts (post_id, text, html, words)
SELECT p.id, j.value ->> 1, j.value ->> 2, j.value ->> 3 FROM json_each(:rows) j JOIN posts p ON p.id = j.value ->> 0 WHERE true
ON CONFLICT (post_id) DO NOTHING`
)

// rowsOfJSON selects the rows v of a JSON parameter. To convert each row to binary JSON first takes half the time of json_each alone.
const rowsOfJSON = `(WITH r AS MATERIALIZED (SELECT jsonb(value) AS v FROM json_each(:rows)) SELECT v FROM r)`

// Imported ups and downs have no rows in votes: base_ups and base_downs keep them, and votes add to them. Counts of comments begin at 0.
var insertPosts = `INSERT INTO posts (id, community_id, community_name, author_id, author_name, slug, kind, title, link, image, domain,
  excerpt, nsfw, spoiler, locked, base_ups, base_downs, ups, downs, score, hot, controversy, created_at, active, age, edited_at,
  pinned_at, source, link_key, status, flair_id, tags, pictures, words)
SELECT v ->> 0, v ->> 1, v ->> 2, nullif(v ->> 3, 0), v ->> 4, v ->> 5, v ->> 6, v ->> 7, v ->> 8, v ->> 9, v ->> 10,
  v ->> 11, v ->> 12, v ->> 13, v ->> 14, v ->> 15, v ->> 16, v ->> 15, v ->> 16, (v ->> 15) - (v ->> 16), v ->> 17,
  ` + ranking.ControversySQL("(v ->> 15)", "(v ->> 16)") + `,
  v ->> 18, v ->> 18, v ->> 19, v ->> 20, v ->> 21, v ->> 22, v ->> 23, v ->> 24, nullif(v ->> 25, 0), v ->> 26, v ->> 27, v ->> 28
FROM ` + rowsOfJSON + ` WHERE true
ON CONFLICT (source) WHERE source IS NOT NULL DO NOTHING`

// slugTries limits the random suffixes for a post's slug; then it gets its id as a suffix, like a post of a member.
const slugTries = 8

// write inserts the rows of a batch that do not exist yet, in one or two transactions per shard.
func (w *writer) write(ctx context.Context, b batch) error {
	if len(w.pictureFacts) > picturesInMemory {
		clear(w.pictureFacts) // pictures of these lines lose the facts that only their line has
	}
	for _, p := range b.pictures {
		w.pictureFacts[p.Sum] = p
	}
	for _, c := range b.communities {
		if err := w.addCommunity(ctx, c); err != nil {
			return err
		}
	}
	for _, p := range b.posts {
		c, err := w.community(ctx, exchange.Community{Name: p.community, CreatedAt: p.created})
		if err != nil {
			return err
		}
		if p.place, p.communityID = c, c.id; p.created.Before(c.oldest) {
			c.oldest = p.created
		}
	}
	if err := w.assignAccounts(ctx, b); err != nil {
		return err
	}
	slices.SortStableFunc(b.posts, func(a, b *post) int { return a.created.Compare(b.created) })
	for _, shard := range w.db.Shards() {
		for list := onShard(w, shard, b.posts); len(list) > 0; {
			some := list[:batchLen(list, maxStatementRows, maxStatementText)]
			list = list[len(some):]
			if err := w.writePosts(ctx, shard, some); err != nil {
				return err
			}
		}
	}
	for _, p := range b.posts { // comments may wait for it
		b.comments = append(b.comments, w.take(p.source)...)
	}
	return w.writeComments(ctx, b.comments)
}

// postOrComment is a post or a comment.
type postOrComment interface{ base() *entry }

// onShard returns the posts or comments of a list whose community is on a shard.
func onShard[T postOrComment](w *writer, shard data.Where, list []T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(item T) bool { return w.shardOf(item.base().communityID) != shard })
}

// batchLen returns how many posts or comments from the start of a list make a batch: at least one, at most maxLen, with text bytes at most.
func batchLen[T postOrComment](list []T, maxLen, text int) int {
	return batchLenOf(list, maxLen, text, func(item T) int { return item.base().textSize() })
}

// batchLenOf is batchLen for a list of other items, with their sizes.
func batchLenOf[T any](list []T, maxLen, text int, size func(T) int) int {
	for i, item := range list[:min(len(list), maxLen)] {
		if text -= size(item); i > 0 && text < 0 {
			return i
		}
	}
	return min(len(list), maxLen)
}

// newOf returns a list without repetitions, and without what is in the table: the statement present selects the sources that are.
func newOf[T postOrComment](ctx context.Context, db *data.DB, at data.Where, present string, list []T) (fresh []T, err error) {
	sources := make([]string, len(list))
	for i, item := range list {
		sources[i] = item.base().source
	}
	seen, err := textsOf(ctx, db, at, present, listOf(sources))
	for i, item := range list {
		if !seen[sources[i]] && err == nil {
			seen[sources[i]], fresh = true, append(fresh, item)
		}
	}
	return fresh, err
}

// textsOf runs a statement with :list, and returns the set of texts that it finds.
func textsOf(ctx context.Context, db *data.DB, at data.Where, sql, list string) (map[string]bool, error) {
	found := map[string]bool{}
	return found, find(ctx, db, at, sql, data.Args{"list": list}, func(row *data.Row) { found[row.Text()] = true })
}

const (
	// conflictTries bounds how often retry calls f because another writer has taken an id or slug meanwhile, or holds the lock.
	conflictTries = 6
	// outageTries bounds how often retry calls f because the database is unavailable. The pauses take a minute and a half.
	outageTries = 8
	outagePause = 30 * time.Second // the longest
)

// retry calls f, which is idempotent. It calls f again, after a pause, if f conflicts with another writer or the database is unavailable:
// an import of hours must survive a restart of the database.
func retry(ctx context.Context, db *data.DB, f func() error) error {
	for conflicts, outages := 1, 1; ; {
		err := f()
		var pause time.Duration
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case (data.IsTaken(err) || hrana.IsBusy(err)) && conflicts < conflictTries:
			pause = time.Duration(5+rand.IntN(20)) * time.Millisecond << conflicts
			conflicts++
		case hrana.IsUnavailable(err) && !hrana.IsBusy(err) && !data.IsMoving(err) && outages < outageTries:
			pause = min(time.Second<<(outages-1), outagePause)
			outages++
		default:
			return err
		}
		if err := db.Sleep()(ctx, pause); err != nil {
			return err
		}
	}
}

// writePosts writes posts of one shard.
func (w *writer) writePosts(ctx context.Context, shard data.Where, list []*post) error {
	return retry(ctx, w.db, func() error {
		fresh, err := newOf(ctx, w.db, shard, presentPosts, list)
		if err != nil {
			return err
		}
		if err := addPictures(ctx, w, fresh); err != nil {
			return err
		}
		if err := w.name(ctx, shard, fresh); err != nil {
			return err
		}
		n, err := w.insertPosts(ctx, shard, fresh)
		if err == nil {
			w.result.Posts += n
			w.result.Existing += len(list) - n
			countInserted(w, fresh)
		}
		return err
	})
}

// addPictures stores the pictures of posts or comments, before these are inserted.
func addPictures[T postOrComment](ctx context.Context, w *writer, list []T) error {
	var wants []*wanted
	for _, item := range list {
		if e := item.base(); len(e.pictures.shown) > 0 {
			e.pictures.by = &e.author
			wants = append(wants, &e.pictures)
		}
	}
	return w.storeLists(ctx, wants)
}

// countInserted counts the shortened texts and missing pictures of inserted posts or comments.
func countInserted[T postOrComment](w *writer, list []T) {
	for _, item := range list {
		w.result.Shortened += bit(item.base().cut)
		w.result.NoPictures += item.base().pictures.lost
	}
}

// name gives every post an id, and a slug that is unique in its community: the slug that it had, that of its title, or that with three
// random digits, or with its id after slugTries.
func (w *writer) name(ctx context.Context, shard data.Where, list []*post) error {
	ids, err := giveIDs(ctx, w.db, shard, takenPosts, len(list), func(i int, salt uint32) data.ID {
		return idFor(list[i].source, list[i].created, list[i].communityID.Slot(), data.KindPost, salt)
	})
	if err != nil {
		return err
	}
	used := make(map[string]bool, len(list))
	key := func(p *post) string { return p.communityID.String() + "/" + p.slug }
	for i, p := range list {
		p.id, p.slug = ids[i], ""
	}
	for unsure := list; len(unsure) > 0; {
		pairs := make([][2]any, len(unsure))
		for i, p := range unsure {
			plain := posts.Slug(p.title)
			for p.slug = cmp.Or(p.slug, p.wantedSlug, plain); used[key(p)]; p.tries++ {
				if p.slug = posts.SlugConflict(plain, rand.Uint32()); p.tries >= slugTries {
					p.slug = plain + "-" + p.id.Text()
				}
			}
			used[key(p)], pairs[i] = true, [2]any{int64(p.communityID), p.slug}
		}
		taken, err := textsOf(ctx, w.db, shard, takenSlugs, listOf(pairs))
		if err != nil {
			return err
		}
		unsure = slices.DeleteFunc(slices.Clone(unsure), func(p *post) bool { return !taken[key(p)] })
	}
	return nil
}

// insertPosts writes posts, their texts and the flairs of their authors in one transaction and returns how many posts were new.
func (w *writer) insertPosts(ctx context.Context, shard data.Where, list []*post) (int, error) {
	// The search index is far faster with rows in the order of their ids.
	list = slices.SortedFunc(slices.Values(list), func(a, b *post) int { return cmp.Compare(a.id, b.id) })
	var values, texts [][]any
	for _, p := range list {
		flair, err := w.flair(ctx, p.place, exchange.Flair{Text: p.flair}, false)
		if err != nil {
			return 0, err
		}
		kind := p.kind
		if kind == "text" && p.pictures.column != "" { // otherwise it has only a title
			kind = "image"
		}
		values = append(values, []any{int64(p.id), int64(p.communityID), p.place.name, int64(p.author.id), p.author.name, p.slug, kind, p.title,
			p.link, p.image, p.domain, p.excerpt, p.nsfw, p.spoiler, p.locked, p.ups, p.downs, p.hot, p.created.UnixMilli(),
			posts.AgeOf(p.created, w.now), milli(p.edited), milli(p.pinned), p.source, weburl.Key(cmp.Or(p.link, p.image)), p.status,
			int64(flair), p.tags, p.pictures.column, searchwords.Words(p.title)})
		if p.text != "" {
			texts = append(texts, []any{int64(p.id), p.text, p.html, searchwords.Words(p.text)})
		}
	}
	if len(values) == 0 {
		return 0, nil
	}
	t := w.db.WriteAt(shard)
	done := t.Do(insertPosts, data.Args{"rows": listOf(values)})
	doRows(t, insertTexts, texts)
	doRows(t, insertMemberFlairs, memberFlairsOf(list))
	err := t.Run(ctx)
	return int(done.Rows), err
}

// doRows adds a statement with :rows to a transaction, if there are rows.
func doRows(t *data.Write, sql string, rows [][]any) {
	if len(rows) > 0 {
		t.Do(sql, data.Args{"rows": listOf(rows)})
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// milli returns a time in milliseconds; nil for the zero time.
func milli(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}
