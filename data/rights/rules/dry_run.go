package rules

import (
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/rights/reputation"
)

// ByMembers is the number of reports of the row q of queue_items that members made. Rules count no other reports: a legal
// notice needs no account, so anyone could trigger rules with them. Primary key of reports; it reads a row for each legal notice about the
// target.
const ByMembers = `q.reports - (SELECT count(*) FROM reports r WHERE r.target_id = q.target_id AND r.reporter_id < 0
  AND r.created_at >= q.came_at)`

const (
	// The newest posts of a community, or of the site: indexes posts_new and posts_site_new, in their order, then primary keys. Texts are
	// truncated.
	postRows = `SELECT p.id, p.status = 'removed', p.community_name, p.slug, p.title,
  ` + ColumnsOfPost + `, substr(t.html, 1, 4000),
  p.author_id, p.created_at, k.posts + k.comments, n.posts + n.comments, ` + ByMembers + ` FROM `
	postJoins = ` LEFT JOIN post_texts t ON t.post_id = p.id LEFT JOIN author_karma k ON k.author_id = p.author_id
LEFT JOIN reputations n ON n.community_id = p.community_id AND n.user_id = p.author_id LEFT JOIN queue_items q ON q.target_id = p.id`
	triedPosts = postRows + `posts p` + postJoins + ` WHERE p.community_id = (SELECT h.id FROM communities h WHERE h.name_key = :community)
  AND p.status = 'published' ORDER BY p.created_at DESC LIMIT :limit`
	triedOfSite = postRows + `(SELECT x.id, x.status, x.community_id, x.community_name, x.slug, x.title, x.kind, x.link, x.image,
    x.pictures, x.crosspost, x.author_id, x.created_at
    FROM posts x WHERE x.status = 'published' ORDER BY x.created_at DESC LIMIT :limit) p` + postJoins
	// Comments of a community's newest threads: posts_new, then comments_path. Comments of the site: primary key.
	commentRows = `SELECT c.id, c.status = 'removed', p.community_name, p.slug, p.title,
  ` + ColumnsOfComment + `, substr(c.body_html, 1, 4000),
  c.author_id, c.created_at, k.posts + k.comments, n.posts + n.comments, ` + ByMembers + ` FROM `
	commentJoins = ` LEFT JOIN author_karma k ON k.author_id = c.author_id
LEFT JOIN reputations n ON n.community_id = p.community_id AND n.user_id = c.author_id LEFT JOIN queue_items q ON q.target_id = c.id`
	triedComments = commentRows + `(SELECT x.id, x.community_id, x.community_name, x.slug, x.title FROM posts x
  WHERE x.community_id = (SELECT h.id FROM communities h WHERE h.name_key = :community)
  AND x.status = 'published' ORDER BY x.created_at DESC LIMIT :limit) p CROSS JOIN comments c ON c.post_id = p.id
  AND c.status = 'published'` + commentJoins + ` LIMIT :limit`
	triedCommentsOfSite = commentRows + `(SELECT x.id, x.post_id, x.status, x.pictures, x.body_html, x.author_id, x.created_at FROM comments x
  WHERE x.status = 'published' ORDER BY x.id DESC LIMIT :limit) c CROSS JOIN posts p ON p.id = c.post_id` + commentJoins
	// The targets that were removed or held last, and still are. For a community index moderation_log_community, for the site the primary key,
	// both from their end, then primary keys.
	removedTargets = `(SELECT DISTINCT l.target_id FROM (SELECT x.target_id, x.action FROM moderation_log x
  WHERE x.community_id = (SELECT h.id FROM communities h WHERE h.name_key = :community) ORDER BY x.id DESC LIMIT :limit) l
  WHERE l.action IN ('remove', 'hold')) d CROSS JOIN `
	removedTargetsOfSite = `(SELECT DISTINCT l.target_id FROM (SELECT x.target_id, x.action FROM moderation_log x
  ORDER BY x.id DESC LIMIT :limit) l
  WHERE l.action IN ('remove', 'hold')) d CROSS JOIN `

	removedPost           = `posts p ON p.id = d.target_id AND p.status = 'removed'`
	removedComment        = `comments c ON c.id = d.target_id AND c.status = 'removed' CROSS JOIN posts p ON p.id = c.post_id`
	removedPosts          = postRows + removedTargets + removedPost + postJoins
	removedPostsOfSite    = postRows + removedTargetsOfSite + removedPost + postJoins
	removedComments       = commentRows + removedTargets + removedComment + commentJoins
	removedCommentsOfSite = commentRows + removedTargetsOfSite + removedComment + commentJoins
)

const (
	// TryMax is how many posts, and how many comments, a rule is tried on.
	TryMax = 1000
	// tryCost limits the cost of a pattern for all of them: its instructions times bytes of text.
	tryCost = 12 << 20
	// shownHits is how many of the hits are listed.
	shownHits = 20
)

// DryRun lists the posts, or comments, that a rule would have hit.
type DryRun struct {
	Checked int
	Hit     []Match // the first of them
	Total   int     // of hits
	Stopped bool    // its pattern was too slow
}

// Match is a post or comment that a rule would have hit.
type Match struct {
	Title, URL string
	Removed    bool // or held
}

// candidate is a post or comment on which a rule is tried.
type candidate struct {
	Match
	id, author data.ID
	at         time.Time
	matches    bool // its content matches
	karma      int64
	accepted   int64 // of its author, now
}

// attempt is the state of a dry run.
type attempt struct {
	rule     *set
	cost     int // of the pattern, so far
	list     []candidate
	posts    DryRun
	comments DryRun
}

// Try matches a rule, along with a page, against the last posts and the comments of the newest threads of a community, or of the site
// with "", and against what the last decisions there removed or held. It uses the karma that authors have now, and the age that their
// accounts had. It estimates how many visible posts and comments an author had before, and in the hour before, from the present numbers
// and from the posts and comments that it reads. The reputation excludes removals and bans.
func (s *Store) Try(r *data.Read, community string, rule *Rule) (posts, comments *DryRun) {
	rule.site = community == ""
	t := &attempt{rule: &set{rules: []*Rule{rule}, words: dictionaryOf([]*Rule{rule})}}
	args := data.Args{"limit": TryMax}
	if community == "" {
		for _, statement := range []string{triedOfSite, triedCommentsOfSite, removedPostsOfSite, removedCommentsOfSite} {
			r.FindAll(statement, args, t.scan)
		}
	} else {
		args["community"] = strings.ToLower(community)
		for _, statement := range []string{triedPosts, triedComments, removedPosts, removedComments} {
			r.FindAt(data.In(community), statement, args, t.scan)
		}
	}
	r.After(t.judge)
	return &t.posts, &t.comments
}

func (t *attempt) scan(row *data.Row) {
	c := candidate{id: row.ID()}
	if !row.InOwnShard(c.id) {
		return
	}
	c.Removed = row.Bool()
	c.URL = "/c/" + row.Text() + "/p/" + row.Text()
	c.Title = row.Text()
	thing := ScanThing(row)
	thing.Title = c.Title
	c.author, c.at, c.karma, c.accepted, thing.Reports = row.ID(), row.Time(), row.Int(), row.Int(), row.Int()
	result := &t.posts
	if thing.Kind == Comment {
		result, thing.Title = &t.comments, ""
		c.URL += "/" + c.id.Text()
	}
	if result.Stopped {
		return
	}
	x := prepare(thing)
	if r := t.rule.rules[0]; r.cost > 0 && r.may(x) {
		if t.cost += r.cost * len(x.forPatterns()); t.cost > tryCost {
			result.Stopped = true
			return
		}
	}
	c.matches = len(t.rule.matching(x)) > 0
	t.list = append(t.list, c)
}

// judge checks the authors' conditions, from the newest thing to the oldest.
func (t *attempt) judge() {
	slices.SortStableFunc(t.list, func(a, b candidate) int { return b.at.Compare(a.at) })
	times := map[data.ID][]time.Time{} // of each author's posts and comments, the newest first
	for _, c := range t.list {
		times[c.author] = append(times[c.author], c.at)
	}
	later := map[data.ID]int{}
	for _, c := range t.list {
		later[c.author]++
		result := &t.posts
		if c.id.IsComment() {
			result = &t.comments
		}
		if result.Checked >= TryMax {
			continue
		}
		result.Checked++
		n := later[c.author] // those that are not earlier, with this one
		a := Author{Karma: c.karma, Here: reputation.Reputation{Age: c.at.Sub(c.author.Time()), Posts: max(0, c.accepted-int64(n))}}
		for _, at := range times[c.author][n:] {
			if c.at.Sub(at) >= time.Hour {
				break
			}
			a.Hourly++
		}
		a.HourlyHere = a.Hourly
		if rule := t.rule.rules[0]; !c.matches || c.author == 0 && rule.asksAuthor() || !rule.fits(a) {
			continue
		}
		if result.Total++; len(result.Hit) < shownHits {
			result.Hit = append(result.Hit, c.Match)
		}
	}
}
