package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"plaza/data"
	"plaza/data/content/posts"
)

// deletedTitle is the title of a post that its author has deleted.
const deletedTitle = "[deleted]"

// original is posts.crosspost.
type original struct {
	posts.Original
	Number json.Number `json:"id"`
}

func parseOriginal(text string) (*posts.Original, bool) {
	var o original
	if text == "" || json.Unmarshal([]byte(text), &o) != nil {
		return nil, false
	}
	id, err := data.ParseID(o.Number.String())
	if err != nil {
		return nil, false
	}
	o.Original.ID = id
	return &o.Original, true
}

const (
	originals = `SELECT p.id, p.community_name, p.slug, p.title, p.author_name, p.status, p.author_id FROM json_each(:ids) j
  CROSS JOIN posts p ON p.id = j.value`
	crosspostTexts = `SELECT p.id, p.crosspost FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`
	// A copy that has changed since stays.
	repairCrosspost = `UPDATE posts SET crosspost = json_set(iif(:removed, json_set(crosspost, '$.removed', json('true')),
  json_remove(crosspost,
  '$.removed')), '$.community', :community, '$.slug', :slug, '$.title', :title, '$.author', :author, '$.link', :link)
WHERE id = :id AND crosspost = :was`
)

// crossposts compares the copies of originals in crossposts. The deletion of a post updates its crossposts first, so a crosspost without
// its original's data is correct.
func (v *verifier) crossposts(ctx context.Context, db *database, rows [][]any) error {
	type crosspost struct {
		id     int64
		text   string
		copied *posts.Original
	}
	var list []crosspost
	ids := map[int][]int64{} // by shard
	for _, row := range rows {
		of, isCrosspost := row[5].(int64)
		copied, hasCopy := parseOriginal(str(row[6]))
		if !isCrosspost || !hasCopy || copied.Title == deletedTitle {
			continue
		}
		list = append(list, crosspost{row[0].(int64), str(row[6]), copied})
		if shard, ok := v.slots.Of(data.ID(of).Slot()); ok {
			ids[shard] = append(ids[shard], of)
		}
	}
	originalOf := map[data.ID][]any{}
	for shard, of := range ids {
		rows, err := rowsOf(ctx, v.Shards[shard], originals, named("ids", jsonOf(of)))
		if err != nil {
			return fmt.Errorf("shard %d: %w", shard, err)
		}
		for _, row := range rows {
			originalOf[data.ID(row[0].(int64))] = row[1:]
		}
	}
	if err := v.newNames(ctx, originalOf); err != nil {
		return fmt.Errorf("directory: %w", err)
	}
	differ := map[int64]Difference{}
	expected := map[int64]posts.Original{}
	for _, c := range list {
		o := *c.copied
		o.Title, o.Author, o.Link, o.Removed = deletedTitle, "", "", false
		if row := originalOf[o.ID]; row != nil && row[4] != "deleted" {
			o.Community, o.Slug, o.Title, o.Author, o.Link = str(row[0]), str(row[1]), str(row[2]), str(row[3]), c.copied.Link
			o.Removed = row[4] == "removed"
			if author, ok := row[5].(int64); ok && o.Author != "" {
				if o.Author = v.people.members[author].name; o.Author == changing {
					o.Author = c.copied.Author
				}
			}
		}
		if o != *c.copied {
			expected[c.id] = o
			differ[c.id] = Difference{Database: db.name, Table: "posts", Key: fmt.Sprint(c.id), Column: "crosspost",
				Stored: text(c.copied.URL() + " " + c.copied.Title), Computed: text(o.URL() + " " + o.Title), Repaired: v.Repair}
		}
	}
	if len(differ) == 0 {
		return nil
	}
	now, err := v.crosspostsNow(ctx, db, slices.Collect(maps.Keys(differ)))
	if err != nil {
		return err
	}
	for _, c := range list {
		d, differs := differ[c.id]
		if !differs || now[c.id] != c.text {
			continue
		}
		if o := expected[c.id]; v.Repair {
			if _, err := v.write(ctx, db.Client, repairCrosspost, named("community", o.Community), named("slug", o.Slug), named("title", o.Title),
				named("author", o.Author), named("link", o.Link), named("removed", o.Removed), named("id", c.id), named("was", c.text)); err != nil {
				return err
			}
		}
		v.report(d)
	}
	return nil
}

// crosspostsNow reads crossposts after their originals: the deletion of an original changes the copies first.
func (v *verifier) crosspostsNow(ctx context.Context, db *database, ids []int64) (map[int64]string, error) {
	now := map[int64]string{}
	rows, err := rowsOf(ctx, db.Client, crosspostTexts, named("ids", jsonOf(ids)))
	for _, row := range rows {
		now[row[0].(int64)] = str(row[1])
	}
	return now, err
}

// newNames reads the names of the authors of originals from the directory again. Their names in the originals follow the directory as
// well.
func (v *verifier) newNames(ctx context.Context, originals map[data.ID][]any) error {
	var authors []int64
	for _, row := range originals {
		if author, ok := row[5].(int64); ok {
			authors = append(authors, author)
			delete(v.people.members, author)
		}
	}
	return v.people.learn(ctx, authors)
}
