package listings

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/ranking"
)

// Limits of a member's front page.
const (
	// frontCommunities is how many subscriptions a front page uses. If a member has more, it uses those of the last day and a sample of the
	// others.
	frontCommunities = 50
	frontSampled     = 10 * time.Minute // how long new walks have the same sample
	frontJoined      = 24 * time.Hour   // how long a new subscription is always included
	// frontQuiet: the lowest top of a community is the hot score of a post with one vote and this age (ranking.Top).
	frontQuiet = 48 * time.Hour
)

// Front is a page of the posts of a member's communities, without what the member hides. It merges their hot listings by ranking.Weight.
// Read it after Run.
//
// The communities and their tops stay the same for a whole walk, from page to page: they are in the cursor. So a post whose hot score does
// not change is shown exactly once in a walk, in spite of new posts, votes and subscriptions, and pages after the first need nothing but
// their cursor.
type Front struct {
	limit       int
	read        *data.Read
	given       map[data.Where][]frontCommunity // the communities read from each shard
	posts       []frontPost
	end         *frontPost       // how far all databases have read; nil if they have read to the end
	communities []frontCommunity // that have posts from this page on
}

type frontPost struct {
	*posts.Post
	weight    float64
	community data.ID
}

func compareFront(a, b frontPost) int { return ranking.CompareItems(a.item(), b.item()) }

func (p frontPost) item() ranking.Item {
	return ranking.Item{Entry: ranking.Entry{ID: int64(p.ID), Hot: p.Hot}, Weight: p.weight}
}

// The statements of a front page have three parts: the table mine, then the table heads, then the merge. :viewer is the member.
//
// A row of mine is a community, its top (which its posts are measured against; NULL until it is known), and the hot score and id after
// which its next post comes. 9e15 and 4611686018427387904 (1<<62) are above all scores and ids: the next post is the community's first.
const (
	// frontSample ends a statement over the member's subscriptions: first those since :joined, then the others in an
	// order that :seed shuffles (1000003 is a prime). Primary key of subscriptions by prefix.
	frontSample = `
  FROM subscriptions own
  WHERE own.user_id = :viewer
  ORDER BY own.created_at < :joined, ((own.community_id % 1000003) * :seed) % 1000003, own.community_id
  LIMIT :communities`

	// subscribedCommunities reads the communities of a walk, if communities are in other databases than subscriptions.
	subscribedCommunities = `SELECT own.community_id` + frontSample

	// frontSubscribed makes mine for the first page, if communities are in the database of subscriptions.
	frontSubscribed = `WITH RECURSIVE mine (community_id, top, hot, id) AS MATERIALIZED (
  SELECT own.community_id, NULL, 9e15, 4611686018427387904` + frontSample + `)`

	// frontVisible leaves out what the member hides.
	frontVisible = ` AND NOT EXISTS (SELECT 1 FROM hides hidden WHERE hidden.user_id = :viewer AND hidden.post_id = next.id)`
)

var (
	// frontGiven makes mine from given communities: for the pages after the first, and for a first page over several databases. :given is a
	// JSON array of pairs: a community and its ranking.TopUnits, which are 1024 to one, or null. :weight, :hot, :id and :community belong to
	// the last post of the page before.
	//
	// On a page after the first, null means that the community's shard was missing on all pages before. Then its first post determines its
	// top, as on a first page. That is a seek in posts_hot.
	//
	// The community of the last post continues right after it. Another one continues a little before the place where its posts have that
	// weight; frontHeads skips posts that the page before has shown.
	frontGiven = `WITH RECURSIVE given (community_id, top) AS MATERIALIZED (
  SELECT json_extract(pair.value, '$[0]'), coalesce(json_extract(pair.value, '$[1]') / 1024.0, iif(:weight <= 0.0, (
    SELECT ` + ranking.TopSQL("next.hot", ":floor") + ` FROM posts next
    WHERE next.community_id = json_extract(pair.value, '$[0]') AND next.status = 'published'` + frontVisible + `
    ORDER BY next.hot DESC, next.id DESC LIMIT 1), NULL))
  FROM json_each(:given) pair),
mine (community_id, top, hot, id) AS MATERIALIZED (
  SELECT community_id, top,
    CASE WHEN top IS NULL THEN 9e15
      WHEN community_id = :community THEN :hot
      WHEN :weight < 0.0 THEN top + :weight + 1e-6
      ELSE max(top, :hot) + 1e-6 END,
    iif(community_id = :community, :id, 4611686018427387904)
  FROM given)`

	// frontHeads makes heads: the next post of each community in mine, a seek in posts_hot. That post determines a top that is not known yet.
	// :floor is the lowest top. On pages after the first, the post comes after :weight, :hot and :id in the order of the page.
	frontHeads = `,
heads (community_id, top, id, hot) AS MATERIALIZED (
  SELECT mine.community_id, coalesce(mine.top, ` + ranking.TopSQL("p.hot", ":floor") + `), p.id, p.hot
  FROM mine CROSS JOIN posts p ON p.id = (
    SELECT next.id FROM posts next
    WHERE next.community_id = mine.community_id AND next.status = 'published' AND (next.hot, next.id) < (mine.hot, mine.id COLLATE BINARY)
      AND (:weight, :hot, :id) > (coalesce(` + ranking.WeightSQL("next.hot", "mine.top") + `, 0.0), next.hot, next.id)` + frontVisible + `
    ORDER BY next.hot DESC, next.id DESC LIMIT 1)), `

	// frontMerged is the merge. The queue of the recursion has the next post of each community. Each step removes the best one and adds the
	// next of its community, which is a seek in posts_hot. Posts by primary key. The first row of the result also has the communities and
	// their tops, as the argument :given of the pages that follow.
	frontMerged = `(community_id, top, id, hot, weight) AS (
  SELECT head.community_id, head.top, head.id, head.hot, ` + ranking.WeightSQL("head.hot", "head.top") + `
  FROM heads head
  UNION ALL
  SELECT best.community_id, best.top, p.id, p.hot, ` + ranking.WeightSQL("p.hot", "best.top") + `
  FROM merged best CROSS JOIN posts p ON p.id = (
    SELECT next.id FROM posts next
    WHERE next.community_id = best.community_id AND next.status = 'published'
      AND (next.hot, next.id) < (best.hot, +best.id COLLATE BINARY)` + frontVisible + `
    ORDER BY next.hot DESC, next.id DESC LIMIT 1)
  ORDER BY 5 DESC, 4 DESC, 3 DESC LIMIT :walk)`
	frontShown = `SELECT ` + posts.Columns + posts.ViewerColumns + `, best.weight, best.community_id, iif(`
	// frontFirst is the condition of the first row, and frontFirstUnseen the same if seen posts are left out.
	frontFirst = `best.id = (SELECT head.id FROM heads head ORDER BY ` + ranking.WeightSQL("head.hot", "head.top") +
		` DESC, head.hot DESC, head.id DESC LIMIT 1)`
	frontFirstUnseen = `iif(best.ends, NOT EXISTS (SELECT 1 FROM unseen), best.id = (SELECT first.id FROM unseen first LIMIT 1))`
	frontTops        = `,
    (SELECT json_group_array(json_array(head.community_id, CAST(head.top * 1024 AS INTEGER))) FROM heads head), NULL), best.ends
FROM shown best CROSS JOIN posts p ON p.id = best.id` + posts.JoinViewerVote
)

// frontSQL returns the statement of a front page of the communities in mine (frontSubscribed or frontGiven).
func frontSQL(mine string, unseen bool) string {
	first := frontFirst
	if unseen {
		first = frontFirstUnseen
	}
	return walkSQL(unseen, mine+frontHeads, frontMerged, frontShown+first+frontTops)
}

// FindFront reads a page of a member's front page along with a page of the site; unseen leaves out seen posts. It is empty if the member's
// communities have no posts. An instance caches the first page for the member (Read.FindCached). If communities are in other databases than
// subscriptions, the first page reads the directory first, unless the result is cached.
func (s *Store) FindFront(ctx context.Context, r *data.Read, member data.ID, unseen bool, after FrontCursor, limit int) (*Front, error) {
	f := &Front{limit: limit, read: r, given: map[data.Where][]frontCommunity{}}
	now := s.Source.Now()
	floor := ranking.Hot(1, 0, now.Add(-frontQuiet))
	given := after.communities
	if after.IsZero() {
		after.Weight = 1 // every weight is lower
		sample := frontSampleOf(member, now)
		if !s.DB.HasShards() {
			maps.Copy(sample, data.Args{"floor": floor, "weight": after.Weight, "hot": after.Hot, "id": after.ID})
			r.FindCached(aboutPage(limit, unseen), frontSQL(frontSubscribed, unseen), walk(sample, unseen, limit+1), f.scan)
			return f, nil
		}
		ids, err := s.findSample(ctx, r, sample)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			given = append(given, frontCommunity{id: id})
		}
	} else if err := s.DB.RecentSlots(ctx); err != nil && s.DB.KnowSlots(ctx) != nil { // for ShardOf; the first page reads them along
		return nil, err
	}
	for _, c := range given {
		home := s.DB.ShardOf(c.id)
		f.given[home] = append(f.given[home], c)
	}
	for shard, list := range f.given {
		pairs := jsonCommunities(list)
		args := walk(data.Args{"viewer": member, "given": pairs, "floor": floor,
			"weight": after.Weight, "hot": after.Hot, "id": after.ID, "community": after.community}, unseen, limit+1)
		if after.IsZero() {
			r.FindCachedAt(shard, aboutPage(limit, unseen)+pairs, frontSQL(frontGiven, unseen), args, f.scan)
		} else {
			r.FindAt(shard, frontSQL(frontGiven, unseen), args, f.scan)
		}
	}
	return f, nil
}

// aboutPage returns the part of a first page's cache key after its member.
func aboutPage(limit int, unseen bool) string {
	return strconv.Itoa(limit) + " " + strconv.FormatBool(unseen) + " "
}

// frontSampleOf returns the parameters of frontSample.
func frontSampleOf(member data.ID, now time.Time) data.Args {
	return data.Args{"viewer": member, "seed": now.Unix()/int64(frontSampled/time.Second)%1000000 + 1,
		"joined": now.Add(-frontJoined), "communities": frontCommunities}
}

// findSample reads the communities of a walk from the directory.
func (s *Store) findSample(ctx context.Context, r *data.Read, sample data.Args) (ids []data.ID, err error) {
	before := r.More()
	before.FindCached("", subscribedCommunities, sample, func(row *data.Row) { ids = append(ids, row.ID()) })
	return ids, before.Run(ctx)
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
	text, _ := json.Marshal(pairs) // encoding integers and nulls can't fail
	return string(text)
}

// scan reads a row of frontMerged.
func (f *Front) scan(row *data.Row) {
	p := frontPost{Post: &posts.Post{}}
	p.Scan(row)
	p.weight, p.community = row.Float(), row.ID()
	text := row.Text()
	if row.Bool() {
		f.end = earlier(f.end, p, compareFront)
	} else {
		f.posts = append(f.posts, p)
	}
	if text != "" {
		var pairs [][2]int64
		row.Fail(json.Unmarshal([]byte(text), &pairs))
		for _, pair := range pairs {
			f.communities = append(f.communities, frontCommunity{data.ID(pair[0]), pair[1], true})
		}
	}
}

// sorted returns all that was read, in the order of the page. Each shard has returned as many posts as a page has.
func (f *Front) sorted() []frontPost {
	f.posts = until(f.posts, f.end, compareFront)
	return f.posts
}

// Items returns the page in its order.
func (f *Front) Items() []*posts.Post {
	sorted := f.sorted()
	list := make([]*posts.Post, min(len(sorted), f.limit))
	for i, p := range sorted[:len(list)] {
		list[i] = p.Post
	}
	return list
}

// OnShards reports whether posts of the member's communities were read from a shard. It is false if the site has one database.
func (f *Front) OnShards() bool { return len(f.given) > 0 }

// Next returns the cursor of the following page; zero on the last.
func (f *Front) Next() FrontCursor {
	last, more := lastOf(f.read, f.sorted(), f.end, f.limit)
	if !more {
		return FrontCursor{}
	}
	c := FrontCursor{Weight: last.weight, Hot: last.Hot, ID: last.ID, community: last.community, communities: slices.Clone(f.communities)}
	for _, shard := range f.read.Missing() {
		for _, given := range f.given[shard] { // the cached tops of the shard may lack this community
			if !slices.ContainsFunc(c.communities, func(known frontCommunity) bool { return known.id == given.id }) {
				c.communities = append(c.communities, given)
			}
		}
	}
	return c
}
