package storetest_test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/hot"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/ranking"
	"plaza/test/storetest"
)

// modelOracle is a plain account of what the site accepted. It reads what things are
// (ids, parents, times) from the database and counts for itself.
type modelOracle struct {
	clean    []*hrana.Client // a shard each, without trouble
	posts    []data.ID
	comments []data.ID
	targets  map[data.ID]*target
}

type target struct {
	post      data.ID // of a comment
	parent    data.ID
	author    data.ID
	community string
	created   time.Time
	removed   bool
	votes     map[data.ID]int
}

func newModelOracle(clean []*hrana.Client) *modelOracle {
	return &modelOracle{clean: clean, targets: map[data.ID]*target{}}
}

// rows asks every shard.
func (o *modelOracle) rows(s *storetest.Stores, sql string, args ...any) (rows [][]any) {
	s.Helper()
	for _, shard := range o.clean {
		results, err := shard.Query(storetest.Ctx, storetest.StmtOf(sql, args...))
		require.NoError(s, err)
		rows = append(rows, results[0].Rows()...)
	}
	return rows
}

func (o *modelOracle) voted(target, user data.ID, value int) {
	votes := o.targets[target].votes
	if _, voted := votes[user]; voted || value != 0 {
		votes[user] = value
	}
}

// adoptPost takes over what has come of a post: at most one, whatever was sent again.
// It is 0 for one that did not come to be.
func (m *model) adoptPost(title string) data.ID {
	m.Helper()
	rows := m.rows(m.Stores, "SELECT id, author_id, community_name, created_at FROM posts WHERE title = ?1", title)
	require.LessOrEqual(m, len(rows), 1, "seed %d, step %d: a post was made twice", m.seed, m.step)
	if len(rows) == 0 {
		return 0
	}
	id, author := data.ID(rows[0][0].(int64)), data.ID(rows[0][1].(int64))
	m.modelOracle.posts = append(m.modelOracle.posts, id)
	m.targets[id] = &target{author: author, community: rows[0][2].(string), created: time.UnixMilli(rows[0][3].(int64)),
		votes: map[data.ID]int{author: 1}}
	return id
}

func (m *model) adoptComment(body string) data.ID {
	m.Helper()
	rows := m.rows(m.Stores, "SELECT id, author_id, post_id, parent_id, path FROM comments WHERE body = ?1", body)
	require.LessOrEqual(m, len(rows), 1, "seed %d, step %d: a comment was made twice", m.seed, m.step)
	if len(rows) == 0 {
		return 0
	}
	id, author, parent := data.ID(rows[0][0].(int64)), data.ID(rows[0][1].(int64)), data.ID(rows[0][3].(int64))
	m.modelOracle.comments = append(m.modelOracle.comments, id)
	m.targets[id] = &target{author: author, post: data.ID(rows[0][2].(int64)), parent: parent, votes: map[data.ID]int{author: 1}}
	return id
}

// unvotable says whether a vote had to be refused.
func (o *modelOracle) unvotable(id data.ID) bool {
	t := o.targets[id]
	return t.removed || t.post != 0 && o.targets[t.post].removed
}

// unanswerable says whether an answer had to be refused.
func (o *modelOracle) unanswerable(c comments.Create) bool {
	if c.Parent == 0 {
		return o.targets[c.Post].removed
	}
	depth := 0
	for id := c.Parent; id != 0; id = o.targets[id].parent {
		depth++
	}
	parent := o.targets[c.Parent]
	return parent.removed || o.targets[parent.post].removed || depth >= comments.DepthMax
}

// checkCounters compares every counter of the database with the account.
func (o *modelOracle) checkCounters(s *storetest.Stores) {
	s.Helper()
	type counted struct {
		ups, downs, score int64
		rank              float64 // hot or best
		comments          int64   // of a post; the descendants of a comment
		replies           int64
	}
	type earned struct{ posts, comments int64 }
	want, got := map[data.ID]counted{}, map[data.ID]counted{}
	wantKarma, gotKarma := map[data.ID]earned{}, map[data.ID]earned{}
	votes := 0
	for id, t := range o.targets {
		c := want[id] // its comments may have been counted before
		for user, value := range t.votes {
			votes++
			karma := wantKarma[t.author]
			switch {
			case value == 1:
				c.ups++
			case value == -1:
				c.downs++
			}
			if user != t.author {
				if id.IsComment() {
					karma.comments += int64(value)
				} else {
					karma.posts += int64(value)
				}
			}
			wantKarma[t.author] = karma
		}
		c.score = c.ups - c.downs
		if c.rank = ranking.Wilson(c.ups, c.downs); !id.IsComment() {
			c.rank = ranking.Hot(c.ups, c.downs, t.created)
		}
		want[id] = c
		if !id.IsComment() {
			continue
		}
		p := want[t.post]
		p.comments++
		want[t.post] = p
		for ancestor := t.parent; ancestor != 0; ancestor = o.targets[ancestor].parent {
			a := want[ancestor]
			a.comments++
			if ancestor == t.parent {
				a.replies++
			}
			want[ancestor] = a
		}
	}
	for _, row := range o.rows(s, `SELECT id, ups, downs, score, hot, comments, 0 FROM posts
UNION ALL SELECT id, ups, downs, score, best, descendants, replies FROM comments`) {
		got[data.ID(row[0].(int64))] = counted{row[1].(int64), row[2].(int64), row[3].(int64), row[4].(float64), row[5].(int64), row[6].(int64)}
	}
	for author, k := range wantKarma {
		if k == (earned{}) {
			delete(wantKarma, author) // no row, or one of zeros
		}
	}
	for _, row := range o.rows(s, "SELECT author_id, posts, comments FROM author_karma") {
		k := gotKarma[data.ID(row[0].(int64))]
		k.posts, k.comments = k.posts+row[1].(int64), k.comments+row[2].(int64)
		if gotKarma[data.ID(row[0].(int64))] = k; k == (earned{}) {
			delete(gotKarma, data.ID(row[0].(int64)))
		}
	}
	require.Equal(s, want, got, "counters")
	require.Equal(s, wantKarma, gotKarma, "karma")
	require.Empty(s, o.rows(s, "SELECT * FROM vote_deltas"))
	require.Empty(s, o.rows(s, "SELECT * FROM count_deltas"))
	rows := o.rows(s, "SELECT target_id, user_id, value FROM votes")
	require.Len(s, rows, votes)
	for _, row := range rows {
		require.Equal(s, int64(o.targets[data.ID(row[0].(int64))].votes[data.ID(row[1].(int64))]), row[2], "vote %v", row)
	}
}

// checkSets compares every hot set with the account, which is the database's by now.
func (o *modelOracle) checkSets(s *storetest.Stores) {
	s.Helper()
	for _, scope := range append([]string{hot.SiteScope}, modelCommunities...) {
		var want []hot.Member
		for _, id := range o.posts {
			if t := o.targets[id]; !t.removed && (scope == hot.SiteScope || t.community == scope) {
				c := map[int]int64{}
				for _, value := range t.votes {
					c[value]++
				}
				want = append(want, hot.Member{ID: id, Hot: ranking.Hot(c[1], c[-1], t.created)})
			}
		}
		slices.SortFunc(want, func(a, b hot.Member) int {
			return cmp.Or(cmp.Compare(b.Hot, a.Hot), cmp.Compare(b.ID, a.ID))
		})
		key := "hot:site"
		if scope != hot.SiteScope {
			key = "hot:c:" + strings.ToLower(scope)
		}
		reply, err := s.Redis.Do(storetest.Ctx, upstash.Cmd{"ZREVRANGE", key, 0, -1, "WITHSCORES"})
		require.NoError(s, err)
		flat, err := reply.List()
		require.NoError(s, err)
		var got []hot.Member
		for i := 0; i < len(flat); i += 2 {
			text, _, err := flat[i].Text()
			require.NoError(s, err)
			if i == 0 {
				require.Equal(s, "whole", text, "the set %s", key)
				continue
			}
			score, err := flat[i+1].Float()
			require.NoError(s, err)
			id, err := data.ParseID(text)
			require.NoError(s, err)
			got = append(got, hot.Member{ID: id, Hot: score})
		}
		require.Equal(s, want, got, "the set %s", key)
	}
}
