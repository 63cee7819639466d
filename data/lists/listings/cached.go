package listings

import (
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
)

// cachedPage is the part of a listing's page that is the same for every member. Pages share it, so it is never changed.
type cachedPage struct {
	pins   []listed
	posts  []listed // cut; their counters don't include votes of the viewer who read them
	end    *listed
	shards []cachedShard
}

// cachedShard are the posts of the page on one shard.
type cachedShard struct {
	shard data.Where
	ids   string // a JSON array
}

// viewerState reads the posts of :ids that the member :viewer has voted on, saved, hidden or visited, with that state. For a post with a
// vote it also reads the counters, so that the vote counts once even if it was applied after the listing was read. For other posts the
// counters are NULL. It reads a row for each post, one for each vote, save, hide and visit, and one more for each vote.
const viewerState = `SELECT p.id, t.id IS NOT NULL, t.ups, t.downs` + posts.ViewerColumns +
	` FROM (SELECT value AS id FROM json_each(:ids)) p` +
	posts.JoinViewerVote + ` LEFT JOIN posts t ON t.id = v.target_id
WHERE v.target_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM saves k WHERE k.user_id = :viewer AND k.target_id = p.id)
  OR EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer AND x.post_id = p.id)
  OR EXISTS (SELECT 1 FROM visits s WHERE s.user_id = :viewer AND s.post_id = p.id)`

// findCached fills the page from the cache and reads only the viewer's own state. If the page is not cached it returns false, and caches
// the result of the Read, if it is complete and the ids were not known before it. Visitors' pages are in the edge cache instead.
func (s *Store) findCached(r *data.Read, l *Page) bool {
	if l.query.Viewer == 0 {
		return false
	}
	cached, ok := s.cache.Get(l.cacheKey(), l.at, r.Changes.Public)
	if !ok {
		r.After(func() {
			if r.Complete() && l.ids == nil {
				s.keepCached(l, r.Lag())
			}
		})
		return false
	}
	if cached.end != nil {
		l.merge.EndAt(*cached.end)
	}
	l.posts, l.pins, l.isCut = slices.Clone(cached.posts), slices.Clone(cached.pins), true
	for _, c := range cached.shards {
		r.FindCachedAt(c.shard, c.ids, viewerState, data.Args{"viewer": l.query.Viewer, "ids": c.ids}, func(row *data.Row) {
			id := row.ID()
			is := func(p listed) bool { return p.ID == id }
			i, pin := slices.IndexFunc(l.posts, is), slices.IndexFunc(l.pins, is)
			var p posts.Post
			switch {
			case i >= 0:
				p = *l.posts[i].Post
			case pin >= 0:
				p = *l.pins[pin].Post
			default:
				return
			}
			if voted, ups, downs := row.Bool(), row.Int(), row.Int(); voted {
				p.Ups, p.Downs = ups, downs
			}
			p.ScanViewer(row)
			if i >= 0 {
				l.posts[i].Post = &p
			}
			if pin >= 0 {
				pinned := p
				pinned.Pinned = true
				l.pins[pin].Post = &pinned
			}
		})
	}
	return true
}

// cacheKey is the query without its viewer.
func (l *Page) cacheKey() Query {
	key := l.query
	key.Viewer = 0
	return key
}

// keepCached caches the page, cut, for other members. lag is how old its state may be.
func (s *Store) keepCached(l *Page, lag time.Duration) {
	l.cut()
	cached := cachedPage{posts: make([]listed, len(l.posts)), pins: make([]listed, len(l.pins)), end: l.merge.End()}
	all := append(slices.Clone(l.posts), l.pins...)
	for i, p := range all {
		neutral := p.WithoutViewer()
		neutral.Shared = &data.Shared{}
		if i < len(l.posts) {
			cached.posts[i] = listed{neutral, p.value}
		} else {
			cached.pins[i-len(l.posts)] = listed{neutral, p.value}
		}
	}
	ids := make([]data.ID, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	for shard, ids := range s.DB.Group(ids) {
		cached.shards = append(cached.shards, cachedShard{shard, data.JSONIDs(ids)})
	}
	s.cache.Put(l.cacheKey(), cached, l.at, lag)
}

// size is about how many bytes the page needs, with the HTML that pages make of it in two languages or time zones.
func (p cachedPage) size() int { return (len(p.posts) + len(p.pins)) * (5 << 10) }
