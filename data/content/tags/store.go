package tags

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"plaza/data"
)

// Tag is a tag and how many published posts have it.
type Tag struct {
	Name  string
	Posts int64
	heat  float64 // the column tag_keys.heat
}

// Store reads the tags. Each shard counts the tags of its own posts (the triggers post_tags_made, post_tags_changed, and
// tag_counters_moved and tag_counters_counted, which write the changes), so a page reads all shards concurrently.
type Store struct{ data.Base }

const (
	// Index tag_keys_heat, from its end: the first :limit tags, and the tags with the same heat_step as the last of these, at most nine
	// times as many.
	trending = `SELECT k.name, k.posts, k.heat FROM tag_keys k WHERE k.digits > 0 AND k.heat_step >= (SELECT min(f.heat_step) FROM (
  SELECT n.heat_step FROM tag_keys n WHERE n.digits > 0 ORDER BY n.heat_step DESC LIMIT :limit) f)
ORDER BY k.heat_step DESC LIMIT 10 * :limit`
	// Index tag_keys_begin: the tags from :from up to :end whose number of posts has nine digits, then eight, and so on. It reads a row for
	// each tag and one for each number of digits. SQLite keeps the order of loops in CROSS JOIN, and so the order of rows.
	beginning = `SELECT k.name, k.posts, k.heat FROM json_each('[9,8,7,6,5,4,3,2,1]') d CROSS JOIN tag_keys k
WHERE k.digits > 0 AND k.digits = d.value AND k.name >= :from AND k.name < :end LIMIT :limit`
)

// FindTrending reads, along with a page, the most used tags of the last days: a post counts less the older it is.
func (s *Store) FindTrending(r *data.Read, limit int) *Tags {
	return s.find(r, trending, data.Args{"limit": limit}, limit, func(a, b Tag) int { return cmp.Compare(b.heat, a.heat) })
}

// FindByPrefix reads, along with a page, tags with a prefix, the most used first. Of tags whose numbers of posts have equally many
// digits, it finds the alphabetically first.
func (s *Store) FindByPrefix(r *data.Read, prefix string, limit int) *Tags {
	return s.find(r, beginning, data.Args{"from": prefix, "end": prefix + "\U0010FFFF", "limit": limit}, limit,
		func(a, b Tag) int { return cmp.Compare(b.Posts, a.Posts) })
}

func (s *Store) find(r *data.Read, sql string, args data.Args, limit int, order func(a, b Tag) int) *Tags {
	t := &Tags{limit: limit, order: order}
	r.FindAll(sql, args, t.scan)
	return t
}

// Tags is a list of tags. Read it after Run.
type Tags struct {
	limit int
	order func(a, b Tag) int
	list  []Tag
}

// scan reads a tag, and adds its counts to those of other shards.
func (t *Tags) scan(r *data.Row) {
	tag := Tag{r.Text(), r.Int(), r.Float()}
	i := slices.IndexFunc(t.list, func(other Tag) bool { return other.Name == tag.Name })
	if i < 0 {
		t.list = append(t.list, tag)
		return
	}
	other := &t.list[i]
	other.Posts += tag.Posts
	high, low := max(other.heat, tag.heat), min(other.heat, tag.heat)
	other.heat = high + math.Log1p(math.Exp(low-high))
}

// Items are the tags in their order.
func (t *Tags) Items() []Tag {
	slices.SortFunc(t.list, func(a, b Tag) int { return cmp.Or(t.order(a, b), strings.Compare(a.Name, b.Name)) })
	return t.list[:min(len(t.list), t.limit)]
}
