package votes

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/posts"
)

// Case is a row of quarantines: votes on a post or comment that don't count, because they look like a brigade's, until moderators decide.
type Case struct {
	ID        data.ID
	Target    data.ID
	Direction int // 1 or -1
	Votes     int64
	Evidence  Evidence
	Status    string // open, released or dropped
	CreatedAt time.Time
	DecidedAt time.Time // zero while open
	DecidedBy string
	Post      posts.Post // its address and title alone
	Author    string     // of the target
	Score     int64      // of the target, without the votes in quarantine
}

const (
	caseColumns = `SELECT q.id, q.target_id, q.direction, q.votes, q.evidence, q.status, q.created_at, q.decided_at, q.decided_name,
  p.community_name, p.slug, p.title, coalesce(c.author_name, p.author_name), coalesce(c.ups - c.downs, p.ups - p.downs)`
	caseFrom = ` FROM quarantines q LEFT JOIN comments c ON c.id = q.target_id
  LEFT JOIN posts p ON p.id = coalesce(c.post_id, q.target_id) WHERE `
)

// scanCase reads caseColumns.
func scanCase(r *data.Row) (c Case) {
	c.ID, c.Target, c.Direction, c.Votes = r.ID(), r.ID(), int(r.Int()), r.Int()
	r.Fail(json.Unmarshal([]byte(r.Text()), &c.Evidence))
	c.Status, c.CreatedAt, c.DecidedAt, c.DecidedBy = r.Text(), r.Time(), r.Time(), r.Text()
	c.Post.Community, c.Post.Slug, c.Post.Title = r.Text(), r.Text(), r.Text()
	c.Author, c.Score = r.Text(), r.Int()
	return c
}

func scanPageCase(r *data.Row) (c Case, value float64, id data.ID) {
	c = scanCase(r)
	return c, 0, c.ID
}

const (
	// Indexes quarantines_waiting and quarantines_decided, in their order.
	openCases      = caseColumns + caseFrom + ofOneCommunity + `= 'open' AND q.id < :before ORDER BY q.id DESC LIMIT :limit`
	decidedCases   = caseColumns + caseFrom + ofOneCommunity + `<> 'open' AND q.id < :before ORDER BY q.id DESC LIMIT :limit`
	ofOneCommunity = `q.community_id = (SELECT id FROM communities WHERE name_key = :community) AND q.status `
)

// FindCases adds to r the query of a page of a community's cases: open ones or decided ones, newest first. The ids are lower than the
// argument before; 0 begins with the newest.
func (s *Store) FindCases(r *data.Read, community string, open bool, before data.ID, limit int) *data.Page[Case] {
	query := decidedCases
	if open {
		query = openCases
	}
	return data.NewPage[Case](0, limit).FindAt(r, data.In(community), query, data.Args{"community": strings.ToLower(community),
		"before": data.Below(before)}, scanPageCase)
}

// OpenCases are the undecided cases of all communities.
type OpenCases struct {
	*data.Page[Case]
	Communities []CommunityCases // with the most cases first
}

// CommunityCases is the number of open cases of a community.
type CommunityCases struct {
	Name  string
	Cases int64
}

const (
	// Index quarantines_newest, whose entries are sorted by the id.
	newestCases = caseColumns + caseFrom + `q.status = 'open' AND q.id < :before
ORDER BY q.id DESC LIMIT :limit`
	// Index community_stats_cases, from its end.
	communityCases = `SELECT s.community_id, k.name, s.cases FROM community_stats s CROSS JOIN communities k ON k.id = s.community_id
WHERE s.cases > 0 ORDER BY s.cases DESC, s.community_id DESC LIMIT :limit`
)

// FindOpenCases adds to r the queries of a page of the open cases of all shards: newest first, with ids lower than the argument before;
// 0 begins with the newest. It also reads the counts of the maxCommunities communities with the most cases. The triggers quarantines_found
// and quarantines_settled update these counts.
func (s *Store) FindOpenCases(r *data.Read, before data.ID, limit, maxCommunities int) *OpenCases {
	open := &OpenCases{Page: data.NewPage[Case](0, limit)}
	open.FindAll(r, newestCases, data.Args{"before": data.Below(before)}, scanPageCase)
	r.FindAll(communityCases, data.Args{"limit": maxCommunities}, func(row *data.Row) {
		if row.InOwnShard(row.ID()) {
			open.Communities = append(open.Communities, CommunityCases{row.Text(), row.Int()})
		}
	})
	r.After(func() {
		slices.SortStableFunc(open.Communities, func(a, b CommunityCases) int { return cmp.Compare(b.Cases, a.Cases) })
		open.Communities = open.Communities[:min(len(open.Communities), maxCommunities)]
	})
	return open
}

// VoterCase is the case of a member's vote, with the facts that the member may see. Its ID is 0 if there is none.
type VoterCase struct {
	ID, Target data.ID
	Status     string // open, released or dropped
	At         time.Time
	Post       posts.Post // its address and title alone; without them if it is hidden
}

// Primary keys. If a release is undone, a vote that was changed after it does not return to the case.
const caseOfVoter = `SELECT q.id, q.target_id, q.status, coalesce(q.decided_at, q.created_at), p.community_name,
  iif(p.status IN ('published', 'archived'), p.slug, ''), iif(p.status IN ('published', 'archived'), p.title, '')
FROM quarantined_votes m CROSS JOIN quarantines q ON q.id = m.quarantine_id
  LEFT JOIN comments c ON c.id = q.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, q.target_id)
WHERE m.quarantine_id = :case AND m.user_id = :member AND (q.status <> 'open' OR EXISTS (SELECT 1 FROM votes v
  WHERE v.target_id = q.target_id AND v.user_id = m.user_id AND v.status = ` + data.VoteQuarantinedSQL + `))`

// FindCaseOfVoter reads a member's case along with a page.
func FindCaseOfVoter(r *data.Read, id, member data.ID) *VoterCase {
	c := &VoterCase{}
	r.FindAt(id, caseOfVoter, data.Args{"case": id, "member": member}, func(row *data.Row) {
		c.ID, c.Target, c.Status, c.At = row.ID(), row.ID(), row.Text(), row.Time()
		c.Post.Community, c.Post.Slug, c.Post.Title = row.Text(), row.Text(), row.Text()
	})
	return c
}
