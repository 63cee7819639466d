package listings

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/posts"
	"plaza/ranking"
)

// Shape of a member's front page.
const (
	// FrontCommunities is how many subscriptions a walk through a front page draws on; of
	// more, those of the last day and a sample of the others.
	FrontCommunities = 50
	frontSampled     = 10 * time.Minute // how long new walks have the same sample
	frontJoined      = 24 * time.Hour   // how long a subscription is surely in it
	// frontSilence is the age of the fresh post that silent communities are measured
	// from (ranking.Top).
	frontSilence = 48 * time.Hour
)

// Front is a page of what a member's communities talk about; read it after the Read
// ran. It is the normalised merge of their hot listings (ranking.Weight), without what
// the member hides.
//
// What posts are measured from and of which communities they come stays for a whole walk: the
// cursor carries it. So a post whose hot score does not change is shown exactly once
// in a walk, whatever is posted, voted on or joined meanwhile, and pages after the first
// need nothing but their cursor.
type Front struct {
	limit       int
	posts       []frontPost
	communities []frontCommunity // that have posts from this page on
}

type frontPost struct {
	*posts.Post
	weight    float64
	community data.ID
}

func (p frontPost) item() ranking.Item {
	return ranking.Item{Entry: ranking.Entry{ID: int64(p.ID), Hot: p.Hot}, Weight: p.weight}
}

// The communities of a page. Each row is a community, what it is measured from (NULL
// until that is known), and the hot score and id of which its next post comes after.
const (
	// Subscriptions by primary key: first those after ?9, then in an order that ?2 shuffles.
	frontSample = ` FROM subscriptions s WHERE s.user_id = ?1
  ORDER BY s.created_at < ?9, ((s.community_id % 1000003) * ?2) % 1000003, s.community_id LIMIT ?8`
	frontSubscribed = `WITH RECURSIVE mine (community_id, top, hot, id) AS MATERIALIZED (
  SELECT s.community_id, NULL, 9e15, 4611686018427387904` + frontSample + `)`

	// ?2 is a JSON array of pairs, a community and its ranking.TopUnits or null; ?5 ?6 ?7 ?8
	// weight, hot score, id and community of the last post before. The last post's own
	// community goes on right after it. Of the others, the place is where posts of that
	// weight begin, and a little before: frontHeads passes over what is too early.
	frontGiven = `WITH RECURSIVE given (community_id, top) AS MATERIALIZED (
  SELECT json_extract(j.value, '$[0]'), json_extract(j.value, '$[1]') / 1024.0 FROM json_each(?2) j),
mine (community_id, top, hot, id) AS MATERIALIZED (
  SELECT community_id, top, CASE WHEN top IS NULL THEN 9e15 WHEN community_id = ?8 THEN ?6
      WHEN ?5 < 0.0 THEN top + ?5 + 1e-6 ELSE max(top, ?6) + 1e-6 END,
    iif(community_id = ?8, ?7, 4611686018427387904) FROM given)`
)

const frontVisible = ` AND NOT EXISTS (SELECT 1 FROM hides x WHERE x.user_id = ?1 AND x.post_id = f.id)`

var (
	// The next post of each community: a seek in posts_hot. ?3 is the floor.
	frontHeads = `, heads (community_id, top, id, hot) AS MATERIALIZED (
  SELECT m.community_id, coalesce(m.top, ` + ranking.TopSQL("p.hot", "?3") + `), p.id, p.hot FROM mine m CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.community_id = m.community_id AND f.status = 'published' AND (f.hot, f.id) < (m.hot, m.id COLLATE BINARY)
      AND (?5, ?6, ?7) > (coalesce(` + ranking.WeightSQL("f.hot", "m.top") + `, 0.0), f.hot, f.id)` + frontVisible + `
    ORDER BY f.hot DESC, f.id DESC LIMIT 1))`

	// The merge. The queue of the recursion holds the next post of each community; the best
	// is taken out, and the one after it in its community put in: a seek in posts_hot again.
	frontMerged = `, merged (community_id, top, id, hot, weight) AS (
  SELECT h.community_id, h.top, h.id, h.hot, ` + ranking.WeightSQL("h.hot", "h.top") + ` FROM heads h
  UNION ALL
  SELECT g.community_id, g.top, p.id, p.hot, ` + ranking.WeightSQL("p.hot", "g.top") + ` FROM merged g CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.community_id = g.community_id AND f.status = 'published' AND (f.hot, f.id) < (g.hot, +g.id COLLATE BINARY)` + frontVisible + `
    ORDER BY f.hot DESC, f.id DESC LIMIT 1)
  ORDER BY 5 DESC, 4 DESC, 3 DESC LIMIT ?4)
SELECT ` + posts.PostColumns + posts.PostMine + `, g.weight, g.community_id,
  iif(g.id = (SELECT h.id FROM heads h ORDER BY ` + ranking.WeightSQL("h.hot", "h.top") + ` DESC, h.hot DESC, h.id DESC LIMIT 1),
    (SELECT json_group_array(json_array(h.community_id, CAST(h.top * 1024 AS INTEGER))) FROM heads h), NULL)
FROM merged g CROSS JOIN posts p ON p.id = g.id` + posts.PostVote

	frontOfMember = frontSubscribed + frontHeads + frontMerged
	frontOfGiven  = frontGiven + frontHeads + frontMerged
)

// Primary key of subscriptions by prefix.
const subscribedCommunities = `SELECT s.community_id` + frontSample

// FindFront reads a page of a member's front page along with a page; none of its posts
// means that the member takes part nowhere where something was posted. The first page is
// kept as the member's own. Where communities live in other databases than subscriptions,
// the first page asks the directory at once, unless it did so of late.
func (s *Store) FindFront(ctx context.Context, r *data.Read, user data.ID, after FrontCursor, limit int) (*Front, error) {
	f := &Front{limit: limit}
	now := s.Source.Now()
	floor := ranking.Hot(1, 0, now.Add(-frontSilence))
	seed := now.Unix()/int64(frontSampled/time.Second)%1000000 + 1
	joined := now.Add(-frontJoined).UnixMilli()
	given := after.communities
	last := []any{after.Weight, after.Hot, after.ID, after.community}
	if after.IsZero() {
		last = []any{1.0, 0.0, 0, 0} // every weight is smaller
		if s.DB.OldSingle() {
			r.OldAddOwn(s.DB.OldDirectory(), 0, "front", data.OldStmt(frontOfMember, user, seed, floor, limit+1, 1.0, 0.0, 0, FrontCommunities, joined), f.scan)
			return f, nil
		}
		sample := s.DB.Read()
		sample.Member, sample.Marker, sample.Changed, sample.Now = r.Member, r.Marker, r.Changed, r.Now
		sample.OldAddOwn(s.DB.OldDirectory(), 0, "", data.OldStmt(subscribedCommunities, user, seed, nil, nil, nil, nil, nil, FrontCommunities, joined), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) { given = append(given, frontCommunity{id: row.ID()}) })
		})
		if err := sample.Run(ctx); err != nil {
			return nil, err
		}
	}
	byShard := map[*hrana.Client][]frontCommunity{}
	for _, c := range given {
		if shard := s.DB.OldShard(c.id); shard != nil {
			byShard[shard] = append(byShard[shard], c)
		}
	}
	for shard, list := range byShard {
		asked := data.OldStmt(frontOfGiven, append([]any{user, jsonCommunities(list), floor, limit + 1}, last...)...)
		if after.IsZero() {
			r.OldAddOwn(shard, 0, asked.Args[1].(string), asked, f.scan)
		} else {
			r.OldAdd(shard, asked, f.scan)
		}
	}
	return f, nil
}

// jsonCommunities is ?2 of frontGiven.
func jsonCommunities(list []frontCommunity) string {
	pairs := make([][2]any, len(list))
	for i, c := range list {
		pairs[i][0] = int64(c.id)
		if c.known {
			pairs[i][1] = c.top
		}
	}
	text, _ := json.Marshal(pairs) // integers
	return string(text)
}

func (f *Front) scan(res hrana.Result) error {
	var broken error
	err := data.Each(res, func(row *data.Row) {
		p := frontPost{Post: &posts.Post{}}
		posts.ScanPost(row, p.Post)
		p.weight, p.community = row.Float(), row.ID()
		f.posts = append(f.posts, p)
		if text := row.Text(); text != "" {
			var pairs [][2]int64
			if broken = json.Unmarshal([]byte(text), &pairs); broken != nil {
				return
			}
			for _, pair := range pairs {
				f.communities = append(f.communities, frontCommunity{data.ID(pair[0]), pair[1], true})
			}
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(f.posts, func(a, b frontPost) int { return ranking.CompareItems(a.item(), b.item()) })
	return broken
}

// Items is the page in its order.
func (f *Front) Items() []*posts.Post {
	list := make([]*posts.Post, min(len(f.posts), f.limit))
	for i := range list {
		list[i] = f.posts[i].Post
	}
	return list
}

// Next is the cursor of the following page; zero on the last.
func (f *Front) Next() FrontCursor {
	if len(f.posts) <= f.limit {
		return FrontCursor{}
	}
	last := f.posts[f.limit-1]
	return FrontCursor{Weight: last.weight, Hot: last.Hot, ID: last.ID, community: last.community, communities: f.communities}
}
