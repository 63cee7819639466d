package listings

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/posts"
	"plaza/ranking"
)

// Shape of a member's front page.
const (
	// frontCommunities is how many subscriptions a walk through a front page draws on. Of a member who has more, it
	// takes those of the last day and a sample of the others.
	frontCommunities = 50
	frontSampled     = 10 * time.Minute // for how long new walks have the same sample
	frontJoined      = 24 * time.Hour   // how long a new subscription is sure to be in it
	// frontSilence: a community that was silent is measured from the hot score of a fresh post of this age
	// (ranking.Top).
	frontSilence = 48 * time.Hour
)

// Front is a page of what a member's communities talk about, without what the member hides. It is the merge of their
// hot listings by ranking.Weight. Read it after Run.
//
// What posts are measured from, and of which communities they come, stays the same for a whole walk from page to
// page: the cursor carries it. So a post whose hot score does not change is shown exactly once in a walk, whatever is
// posted, voted on or joined meanwhile, and pages after the first need nothing but their cursor.
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

// The statements of a front page begin with the table mine. Each of its rows is a community, its top (what its posts
// are measured from; NULL until that is known), and the hot score and id after which its next post comes. :viewer is
// the member.
const (
	// Subscriptions by primary key: first those since :joined, then the others in an order that :seed shuffles.
	frontSample = ` FROM subscriptions s WHERE s.user_id = :viewer
  ORDER BY s.created_at < :joined, ((s.community_id % 1000003) * :seed) % 1000003, s.community_id LIMIT :communities`
	frontSubscribed = `WITH RECURSIVE mine (community_id, top, hot, id) AS MATERIALIZED (
  SELECT s.community_id, NULL, 9e15, 4611686018427387904` + frontSample + `)`

	// The pages after the first. :given is a JSON array of pairs: a community and its ranking.TopUnits, or null.
	// :weight, :hot, :id and :community are of the last post of the page before.
	//
	// The community of that post goes on right after it. Another one goes on a little before the place where its
	// posts have that weight; frontHeads passes over those that the page before has shown.
	frontGiven = `WITH RECURSIVE given (community_id, top) AS MATERIALIZED (
  SELECT json_extract(j.value, '$[0]'), json_extract(j.value, '$[1]') / 1024.0 FROM json_each(:given) j),
mine (community_id, top, hot, id) AS MATERIALIZED (
  SELECT community_id, top, CASE WHEN top IS NULL THEN 9e15 WHEN community_id = :community THEN :hot
      WHEN :weight < 0.0 THEN top + :weight + 1e-6 ELSE max(top, :hot) + 1e-6 END,
    iif(community_id = :community, :id, 4611686018427387904) FROM given)`

	frontVisible = ` AND NOT EXISTS (SELECT 1 FROM hides x WHERE x.user_id = :viewer AND x.post_id = f.id)`

	// Primary key of subscriptions by prefix.
	subscribedCommunities = `SELECT s.community_id` + frontSample
)

var (
	// The next post of each community: a seek in posts_hot. :floor is what a silent community is measured from.
	frontHeads = `, heads (community_id, top, id, hot) AS MATERIALIZED (
  SELECT m.community_id, coalesce(m.top, ` + ranking.TopSQL("p.hot", ":floor") + `), p.id, p.hot FROM mine m CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.community_id = m.community_id AND f.status = 'published' AND (f.hot, f.id) < (m.hot, m.id COLLATE BINARY)
      AND (:weight, :hot, :id) > (coalesce(` + ranking.WeightSQL("f.hot", "m.top") + `, 0.0), f.hot, f.id)` + frontVisible + `
    ORDER BY f.hot DESC, f.id DESC LIMIT 1))`

	// The merge. The queue of the recursion holds the next post of each community. The best one is taken out, and the
	// one after it in its community is put in, which is a seek in posts_hot. The first row of the result has the
	// communities and their tops, too.
	frontMerged = `, merged (community_id, top, id, hot, weight) AS (
  SELECT h.community_id, h.top, h.id, h.hot, ` + ranking.WeightSQL("h.hot", "h.top") + ` FROM heads h
  UNION ALL
  SELECT g.community_id, g.top, p.id, p.hot, ` + ranking.WeightSQL("p.hot", "g.top") + ` FROM merged g CROSS JOIN posts p ON p.id = (
    SELECT f.id FROM posts f WHERE f.community_id = g.community_id AND f.status = 'published' AND (f.hot, f.id) < (g.hot, +g.id COLLATE BINARY)` + frontVisible + `
    ORDER BY f.hot DESC, f.id DESC LIMIT 1)
  ORDER BY 5 DESC, 4 DESC, 3 DESC LIMIT :limit)
SELECT ` + posts.Columns + posts.Own + `, g.weight, g.community_id,
  iif(g.id = (SELECT h.id FROM heads h ORDER BY ` + ranking.WeightSQL("h.hot", "h.top") + ` DESC, h.hot DESC, h.id DESC LIMIT 1),
    (SELECT json_group_array(json_array(h.community_id, CAST(h.top * 1024 AS INTEGER))) FROM heads h), NULL)
FROM merged g CROSS JOIN posts p ON p.id = g.id` + posts.OwnVote

	frontOfMember = frontSubscribed + frontHeads + frontMerged
	frontOfGiven  = frontGiven + frontHeads + frontMerged
)

// FindFront reads a page of a member's front page along with a page of the site. If it has no posts, nothing was
// posted where the member takes part. An instance remembers the first page for the member (Read.FindOwn). Where
// communities live in other databases than subscriptions, the first page asks the directory first, unless the answer
// is remembered.
func (s *Store) FindFront(ctx context.Context, r *data.Read, member data.ID, after FrontCursor, limit int) (*Front, error) {
	f := &Front{limit: limit}
	now := s.Source.Now()
	floor := ranking.Hot(1, 0, now.Add(-frontSilence))
	given := after.communities
	if after.IsZero() {
		after.Weight = 1 // every weight is smaller
		sample := data.Args{"viewer": member, "seed": now.Unix()/int64(frontSampled/time.Second)%1000000 + 1,
			"joined": now.Add(-frontJoined), "communities": frontCommunities}
		if shards := s.DB.Shards(); len(shards) == 1 && s.DB.Same(data.Directory, shards[0]) {
			maps.Copy(sample, data.Args{"floor": floor, "limit": limit + 1, "weight": after.Weight, "hot": after.Hot, "id": after.ID})
			r.FindOwn(data.Directory, strconv.Itoa(limit), frontOfMember, sample, f.scan)
			return f, nil
		}
		before := s.DB.Read()
		before.For(r.Member, r.Marker, r.Changed, r.Now)
		before.FindOwn(data.Directory, "", subscribedCommunities, sample, func(row *data.Row) {
			given = append(given, frontCommunity{id: row.ID()})
		})
		if err := before.Run(ctx); err != nil {
			return nil, err
		}
	}
	byShard := map[data.Where][]frontCommunity{}
	for _, c := range given {
		home := data.HomeOfID(c.id)
		byShard[home] = append(byShard[home], c)
	}
	for shard, list := range byShard {
		pairs := jsonCommunities(list)
		args := data.Args{"viewer": member, "given": pairs, "floor": floor, "limit": limit + 1,
			"weight": after.Weight, "hot": after.Hot, "id": after.ID, "community": after.community}
		if after.IsZero() {
			r.FindOwn(shard, strconv.Itoa(limit)+pairs, frontOfGiven, args, f.scan)
		} else {
			r.Find(shard, frontOfGiven, args, f.scan)
		}
	}
	return f, nil
}

// jsonCommunities returns the argument :given.
func jsonCommunities(list []frontCommunity) string {
	pairs := make([][2]any, len(list))
	for i, c := range list {
		pairs[i][0] = int64(c.id)
		if c.known {
			pairs[i][1] = c.top
		}
	}
	text, _ := json.Marshal(pairs) // integers and nulls can always be encoded
	return string(text)
}

// scan reads a row of frontMerged.
func (f *Front) scan(row *data.Row) {
	p := frontPost{Post: &posts.Post{}}
	p.Scan(row)
	p.weight, p.community = row.Float(), row.ID()
	f.posts = append(f.posts, p)
	if text := row.Text(); text != "" {
		var pairs [][2]int64
		row.Fail(json.Unmarshal([]byte(text), &pairs))
		for _, pair := range pairs {
			f.communities = append(f.communities, frontCommunity{data.ID(pair[0]), pair[1], true})
		}
	}
}

// sorted returns all that was read, in the order of the page. Each shard has given as many posts as a page has.
func (f *Front) sorted() []frontPost {
	slices.SortFunc(f.posts, func(a, b frontPost) int { return ranking.CompareItems(a.item(), b.item()) })
	return f.posts
}

// Items is the page in its order.
func (f *Front) Items() []*posts.Post {
	list := make([]*posts.Post, min(len(f.posts), f.limit))
	for i, p := range f.sorted()[:len(list)] {
		list[i] = p.Post
	}
	return list
}

// Next is the cursor of the following page; zero on the last.
func (f *Front) Next() FrontCursor {
	if len(f.posts) <= f.limit {
		return FrontCursor{}
	}
	last := f.sorted()[f.limit-1]
	return FrontCursor{Weight: last.weight, Hot: last.Hot, ID: last.ID, community: last.community, communities: f.communities}
}
