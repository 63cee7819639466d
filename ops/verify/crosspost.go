package verify

import (
	"context"
	"maps"
	"slices"

	"plaza/data"
	"plaza/data/content/posts"
)

const (
	originals = `SELECT p.id, p.community_name, p.slug, p.title, p.author_name, p.status, p.author_id FROM json_each(:ids) j
  CROSS JOIN posts p ON p.id = j.value`
	crosspostTexts = `SELECT p.id, p.crosspost FROM json_each(:ids) j CROSS JOIN posts p ON p.id = j.value`
	// A copy that has changed since it was read stays.
	repairCrosspost = `UPDATE posts SET crosspost = json_set(iif(:removed, json_set(crosspost, '$.removed', json('true')),
  json_remove(crosspost,
  '$.removed')), '$.community', :community, '$.slug', :slug, '$.title', :title, '$.author', :author, '$.link', :link)
WHERE id = :id AND crosspost = :was`
)

// crossposts compares the crossposts on a page of posts with their originals. A crosspost whose copy has no original any more is correct:
// before a post is deleted, its crossposts are updated. For the same reason, copies that differ are read again after the originals.
func (v *verifier) crossposts(ctx context.Context, db *database, rows [][]any) error {
	copies := map[int64]*posts.Original{} // by the crosspost
	var ids []int64                       // of originals
	for _, row := range rows {
		original, isCrosspost := row[7].(int64)
		copied := posts.ParseOriginal(str(row[8]))
		if isCrosspost && copied != nil && copied.ID != 0 && copied.Title != data.DeletedTitle {
			copies[idOf(row)], ids = copied, append(ids, original)
		}
	}
	read, err := v.rowsFromShards(ctx, originals, ids)
	if err != nil {
		return err
	}
	originalOf := map[data.ID][]any{}
	var authors []int64
	for _, row := range read {
		originalOf[data.ID(idOf(row))] = row
		if author, ok := row[6].(int64); ok { // originals have copies of names, too
			authors = append(authors, author)
			delete(v.members, author)
		}
	}
	if err := v.loadMembers(ctx, authors); err != nil {
		return err
	}
	differ := map[int64]posts.Original{}
	for id, copied := range copies {
		if o := v.originalNow(*copied, originalOf[copied.ID]); o != *copied {
			differ[id] = o
		}
	}
	if len(differ) == 0 {
		return nil
	}
	now, err := db.rowsByID(ctx, crosspostTexts, slices.Collect(maps.Keys(differ)))
	if err != nil {
		return err
	}
	for _, row := range rows {
		id := idOf(row)
		o, differs := differ[id]
		if !differs || now[id] == nil || now[id][1] != row[8] {
			continue
		}
		was := copies[id]
		if err := v.reportOrRepair(ctx, db.finding("posts", id, "crosspost", text(was.URL()+" "+was.Title), text(o.URL()+" "+o.Title),
			v.by(db, repairCrosspost, named("community", o.Community), named("slug", o.Slug), named("title", o.Title), named("author", o.Author),
				named("link", o.Link), named("removed", o.Removed), named("id", id), named("was", row[8])))); err != nil {
			return err
		}
	}
	return nil
}

// originalNow returns the correct copy of the original in row; nil: the original does not exist.
func (v *verifier) originalNow(o posts.Original, row []any) posts.Original {
	if row == nil || row[5] == "deleted" {
		o.Title, o.Author, o.Link, o.Removed = data.DeletedTitle, "", "", false
		return o
	}
	was := o.Author
	o.Community, o.Slug, o.Title, o.Author, o.Removed = str(row[1]), str(row[2]), str(row[3]), str(row[4]), row[5] == "removed"
	if author, ok := row[6].(int64); ok && o.Author != "" {
		if o.Author = v.members[author].name; o.Author == changing {
			o.Author = was
		}
	}
	return o
}
