package votes

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/data"
	"plaza/data/hrana"
	"plaza/data/posts"
)

// Quarantine is a case for moderators: votes that were taken out of the counters of a
// post or comment because they look like a brigade's.
type Quarantine struct {
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
	quarantineColumns = `SELECT q.id, q.target_id, q.direction, q.votes, q.evidence, q.status, q.created_at, q.decided_at, q.decided_name,
  p.community_name, p.slug, p.title, coalesce(c.author_name, p.author_name), coalesce(c.score, p.score)
FROM quarantines q LEFT JOIN comments c ON c.id = q.target_id LEFT JOIN posts p ON p.id = coalesce(c.post_id, q.target_id) WHERE `
	ofOneCommunity = `q.community_id = (SELECT id FROM communities WHERE name_key = ?1) AND q.status `
	// Indexes quarantines_waiting and quarantines_decided, in their order.
	openQuarantines    = quarantineColumns + ofOneCommunity + `= 'open' AND q.id < ?2 ORDER BY q.id DESC LIMIT ?3`
	decidedQuarantines = quarantineColumns + ofOneCommunity + `<> 'open' AND q.id < ?2 ORDER BY q.id DESC LIMIT ?3`
)

// FindQuarantines reads the cases of a community along with a page, newest first: up
// to limit that are open, or that are decided; older than before (0: from the newest).
func (s *Store) FindQuarantines(r *data.Read, shard *hrana.Client, community string, open bool, before data.ID, limit int) *[]Quarantine {
	list := &[]Quarantine{}
	query := decidedQuarantines
	if open {
		query = openQuarantines
	}
	if before == 0 {
		before = 1<<63 - 1
	}
	r.OldAdd(shard, data.OldStmt(query, strings.ToLower(community), before, limit), func(res hrana.Result) error {
		return data.Each(res, func(row *data.Row) { *list = append(*list, scanQuarantine(row)) })
	})
	return list
}

// quarantine reads quarantineColumns.
func scanQuarantine(r *data.Row) Quarantine {
	q := Quarantine{ID: r.ID(), Target: r.ID(), Direction: int(r.Int()), Votes: r.Int()}
	if err := json.Unmarshal([]byte(r.Text()), &q.Evidence); err != nil && r.Err == nil {
		r.Err = err
	}
	q.Status, q.CreatedAt = r.Text(), data.Millis(r.Int())
	if ms := r.Int(); ms != 0 {
		q.DecidedAt = data.Millis(ms)
	}
	q.DecidedBy = r.Text()
	q.Post.Community, q.Post.Slug, q.Post.Title = r.Text(), r.Text(), r.Text()
	q.Author, q.Score = r.Text(), r.Int()
	return q
}

// OpenCases are the cases of all communities that wait for a decision.
type OpenCases struct {
	Cases       []Quarantine
	Communities []CommunityCases // those with most cases first
}

// CommunityCases is how many cases of a community are open.
type CommunityCases struct {
	Name  string
	Cases int64
}

const (
	// Index quarantines_newest, whose entries go by the id.
	newestQuarantines = quarantineColumns + `q.status = 'open' AND q.id < ?1 ORDER BY q.id DESC LIMIT ?2`
	// Index community_stats_cases, from its end.
	communityCases = `SELECT k.name, s.cases FROM community_stats s CROSS JOIN communities k ON k.id = s.community_id
WHERE s.cases > 0 ORDER BY s.cases DESC, s.community_id DESC LIMIT ?1`
)

// FindOpenCases reads the open cases of all shards along with a page: up to limit of them,
// newest first and older than before (0: from the newest), and how many up to limit
// communities have.
func (s *Store) FindOpenCases(r *data.Read, before data.ID, limit int) *OpenCases {
	open := &OpenCases{}
	if before == 0 {
		before = 1<<63 - 1
	}
	for _, shard := range s.DB.OldShards() {
		r.OldAdd(shard, data.OldStmt(newestQuarantines, before, limit), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) { open.Cases = append(open.Cases, scanQuarantine(row)) })
		})
		r.OldAdd(shard, data.OldStmt(communityCases, limit), func(res hrana.Result) error {
			return data.Each(res, func(row *data.Row) {
				open.Communities = append(open.Communities, CommunityCases{row.Text(), row.Int()})
			})
		})
	}
	r.OldAfter(func() {
		slices.SortFunc(open.Cases, func(a, b Quarantine) int { return cmp.Compare(b.ID, a.ID) })
		open.Cases = open.Cases[:min(len(open.Cases), limit)]
		slices.SortStableFunc(open.Communities, func(a, b CommunityCases) int { return cmp.Compare(b.Cases, a.Cases) })
		open.Communities = open.Communities[:min(len(open.Communities), limit)]
	})
	return open
}
