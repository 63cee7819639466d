package storetest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/data/pace/deadline"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/stacktest"
	"plaza/test/storetest"
)

// TestModel does random things to posts, comments and votes while messages are lost,
// doubled, late and out of order, requests and answers get lost before and after the
// commit, and Redis forgets; every now and then it lets things settle and compares all
// counters and sets with a plain account of what was accepted (modelOracle). With several shards (PLAZA_SHARDS), one of them
// is down for a while, again and again: what belongs to the others must succeed.
//
// A failure names its seed. PLAZA_MODEL_SEED=n runs that seed alone;
// PLAZA_MODEL_STEPS=n does n steps a seed, however long they take.
func TestModel(t *testing.T) {
	const budget = 3 * time.Second // a seed, unless PLAZA_MODEL_STEPS says how far to go
	steps, bounded := 1500, true
	if n, err := strconv.Atoi(os.Getenv("PLAZA_MODEL_STEPS")); err == nil {
		steps, bounded = n, false
	}
	seeds := []uint64{1, uint64(time.Now().UnixNano() % 1e9)}
	if n, err := strconv.ParseUint(os.Getenv("PLAZA_MODEL_SEED"), 10, 64); err == nil {
		seeds = []uint64{n}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			m := newModel(t, seed)
			began := time.Now()
			for m.step = 1; m.step <= steps; m.step++ {
				if m.rng.IntN(25) == 0 {
					m.breakOrRestore()
				}
				m.random()
				if m.step%250 == 0 || m.step == steps {
					m.drain()
					if bounded && time.Since(began) > budget {
						break
					}
				}
			}
			t.Logf("seed %d: %d steps in %v: %v", seed, min(m.step, steps), time.Since(began).Round(time.Millisecond), m.counts)
		})
	}
}

// model is a small site, the messages under way in it, and the oracle.
type model struct {
	*storetest.Stores
	*modelOracle
	transports []*transport // to the shards
	down       int          // the shard that is down; -1 for none
	rng        *rand.Rand
	seed       uint64
	step       int
	doing      string
	users      []data.Actor
	queue      []message
	counts     map[string]int
}

// message is a nudge on its way. One that a consumer has seen and failed is delivered again: the
// queue brings it again until it succeeds. Others may get lost before they were sent.
type message struct {
	id        data.ID
	count     bool // "count", else "vote"
	redeliver bool
}

const modelUsers = 12

var modelCommunities = []string{"red", "green", "blue"}

func newModel(t *testing.T, seed uint64) *model {
	t.Helper()
	// However long they want to wait; but who waits for others must let time pass.
	noWait := func(ctx context.Context, d time.Duration) error {
		return deadline.DefaultSleep(ctx, min(d, time.Millisecond))
	}
	var clients, clean []*hrana.Client
	var transports []*transport
	open := func() {
		url, client := stacktest.OpenSchemaDB(t)
		way := &transport{host: strings.TrimPrefix(url, "http://"), next: storetest.Line{Name: storetest.ToSQL, Http: client}}
		// A database that is down is asked often in vain, but not for as long as a member would wait.
		clients, transports = append(clients, hrana.New(hrana.Options{URL: url, HTTP: way, Sleep: noWait, Attempts: 20})), append(transports, way)
		clean = append(clean, hrana.New(hrana.Options{URL: url, HTTP: client}))
	}
	shards := stacktest.Shards(t)
	if shards == 1 {
		shards = 1 + int(seed%2) // one database for all, or a directory that is also the first of two shards
	} else {
		open() // a directory besides the shards
	}
	for range shards {
		open()
	}
	directory, own := clients[0], len(clients)-shards
	url, token := stacktest.OpenRedisURL(t)
	redis := upstash.New(upstash.Options{URL: url, Token: token, HTTP: storetest.Line{Name: storetest.ToRedis, Http: http.DefaultClient}})
	m := &model{
		Stores:     storetest.On(t, data.NewDB(directory, clients[own:]...), storetest.DatabasesOf(t, clean[0], clean[own:]...), redis),
		transports: transports[own:], down: -1, rng: rand.New(rand.NewPCG(seed, 0)), seed: seed, counts: map[string]int{},
	}
	m.Hot.Cap = 10_000 // the sets hold all there is
	m.modelOracle = newModelOracle(clean[own:])
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d, step %d (%s); again with PLAZA_MODEL_SEED=%d PLAZA_MODEL_STEPS=%d go test ./test/storetest -run %s",
				seed, m.step, m.doing, seed, m.step, t.Name())
		}
	})
	for i := range modelUsers {
		m.users = append(m.users, m.modelMember(i))
	}
	for i, name := range modelCommunities {
		m.CommunityOn(i%shards, m.users[i], name)
		m.Stores.Post(m.users[i], name, "the first of "+name)
		m.adoptPost("the first of " + name)
	}
	return m
}

// transport is the connection to a database, which may be cut.
type transport struct {
	host string
	cut  atomic.Bool
	next storetest.Line
}

func (r *transport) Do(req *http.Request) (*http.Response, error) {
	if r.cut.Load() {
		return nil, storetest.ErrLine
	}
	return r.next.Do(req)
}

// breakOrRestore takes one of several shards down, or brings back the one that is.
func (m *model) breakOrRestore() {
	switch {
	case m.down >= 0:
		m.restoreShard()
	case len(m.transports) > 2:
		m.down = m.rng.IntN(len(m.transports))
		m.transports[m.down].cut.Store(true)
		m.counts["shards down"]++
	}
}

func (m *model) restoreShard() {
	if m.down >= 0 {
		m.transports[m.down].cut.Store(false)
	}
	m.down = -1
}

// isDown tells that a community's shard is down.
func (m *model) isDown(community string) bool {
	return slices.Index(modelCommunities, community)%len(m.transports) == m.down
}

// modelMember is somebody of long standing. Nothing here logs in, so the password,
// which takes long to hash, is none.
func (m *model) modelMember(i int) data.Actor {
	m.Helper()
	now := m.Clock.Add(-time.Hour)
	a := data.Actor{UserID: data.NewID(now, 0, data.KindOther, uint32(i)), Name: fmt.Sprintf("user%d", i),
		SessionID: data.NewID(now, 0, data.KindOther, uint32(100+i)), IssuedAt: now}
	m.Exec("INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (?1, ?2, ?2, '', ?3)",
		int64(a.UserID), a.Name, now.AddDate(-1, 0, 0).UnixMilli())
	return a
}

// random does one thing.
func (m *model) random() {
	m.Helper()
	actions := []struct {
		weight int
		name   string
		do     func()
	}{
		{43, "vote", m.castVote},
		{4, "post", m.newPost},
		{10, "comment", m.newComment},
		{5, "remove or restore", m.changeStatus},
		{22, "deliver", m.deliver},
		{4, "lose messages", m.loseMessages},
		{4, "retry", m.retry},
		{5, "rebuild", m.rebuild},
		{1, "flush", m.flush},
	}
	n := m.rng.IntN(98)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			m.doing = a.name
			m.counts[a.name]++
			a.do()
			return
		}
	}
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// recent picks from the end of a list most of the time: people look at what is new.
func recent[T any](rng *rand.Rand, list []T) T {
	if rng.IntN(3) > 0 {
		list = list[max(0, len(list)-6):]
	}
	return pick(rng, list)
}

// failed checks an error against the trouble there was: only trouble excuses it.
func (m *model) failed(err error, excused bool) bool {
	m.Helper()
	if err == nil {
		return false
	}
	m.counts["calls that failed"]++
	require.True(m, excused, "seed %d, step %d, %s: %v", m.seed, m.step, m.doing, err)
	return true
}

// send puts a nudge into the queue, most of the time.
func (m *model) send(id data.ID, count bool) {
	switch n := m.rng.IntN(10); {
	case n == 0: // lost
	case n == 1:
		m.queue = append(m.queue, message{id: id, count: count}, message{id: id, count: count})
	default:
		m.queue = append(m.queue, message{id: id, count: count})
	}
}

func (m *model) castVote() {
	a, value := pick(m.rng, m.users), pick(m.rng, []int{1, 1, 1, -1, -1, 0})
	target := recent(m.rng, m.modelOracle.posts)
	if m.rng.IntN(2) == 0 && len(m.modelOracle.comments) > 0 {
		target = recent(m.rng, m.modelOracle.comments)
	}
	t := storetest.RandomTrouble(m.rng, 0.2)
	planned := len(t.Plan) > 0 || m.DB.ShardOf(target).Shard() == m.down
	state, err := m.Stores.Votes.Cast(storetest.With(storetest.Ctx, storetest.ToSQL, t), a, target, value)
	removed := m.unvotable(target)
	if data.ErrorCode(err) == data.Forbidden {
		require.True(m, removed, "seed %d, step %d: %v", m.seed, m.step, err)
		return
	}
	failed := m.failed(err, planned)
	if removed {
		require.Error(m, err)
		return
	}
	if t.Reached(m.transports[m.DB.ShardOf(target).Shard()].host) > 0 {
		m.voted(target, a.UserID, value)
	}
	if !failed {
		require.Equal(m, value, state.Mine)
		m.send(target, false)
	}
}

func (m *model) newPost() {
	title := fmt.Sprintf("post of step %d", m.step)
	t := storetest.RandomTrouble(m.rng, 0.3)
	// No more: a lost answer is made good by a look-up, and a post is made twice where
	// that fails with all its retries, too.
	t.Plan = t.Plan[:min(len(t.Plan), 5)]
	author, community := pick(m.rng, m.users), pick(m.rng, modelCommunities)
	planned := len(t.Plan) > 0 || m.isDown(community)
	p, err := m.Stores.Posts.Create(storetest.With(storetest.Ctx, storetest.ToSQL, t), author,
		posts.Create{Community: community, Title: title, Text: "text", TextHTML: "<p>text</p>"})
	failed := m.failed(err, planned)
	id := m.adoptPost(title)
	if !failed {
		require.Equal(m, id, p.ID, "the post of step %d", m.step)
		m.send(id, false)
	}
}

func (m *model) newComment() {
	body := fmt.Sprintf("comment of step %d", m.step)
	c := comments.Create{Body: body, BodyHTML: body}
	if m.rng.IntN(3) > 0 && len(m.modelOracle.comments) > 0 {
		c.Parent = recent(m.rng, m.modelOracle.comments)
	} else {
		c.Post = recent(m.rng, m.modelOracle.posts)
	}
	t := storetest.RandomTrouble(m.rng, 0.3)
	planned := len(t.Plan) > 0 || m.DB.ShardOf(max(c.Parent, c.Post)).Shard() == m.down
	created, _, err := m.Stores.Comments.Create(storetest.With(storetest.Ctx, storetest.ToSQL, t), pick(m.rng, m.users), c)
	if data.ErrorCode(err) == data.Forbidden || data.ErrorCode(err) == data.Invalid {
		require.True(m, m.unanswerable(c), "seed %d, step %d: %v", m.seed, m.step, err)
		return
	}
	failed := m.failed(err, planned)
	id := m.adoptComment(body)
	if !failed {
		require.Equal(m, id, created.ID, "the comment of step %d", m.step)
		m.send(id, false)
		m.send(created.PostID, true)
	}
}

// changeStatus removes something or brings it back. The sets learn of it by a nudge
// like any other, which whoever removes must make sure is sent: no delta remembers it.
func (m *model) changeStatus() {
	id := recent(m.rng, m.modelOracle.posts)
	table := "posts"
	if m.rng.IntN(3) == 0 && len(m.modelOracle.comments) > 0 {
		id, table = recent(m.rng, m.modelOracle.comments), "comments"
	}
	target := m.targets[id]
	target.removed = !target.removed
	status := map[bool]string{true: "removed", false: "published"}[target.removed]
	_, err := m.clean[m.DB.ShardOf(id).Shard()].Tx(storetest.Ctx, storetest.StmtOf("UPDATE "+table+" SET status = ?2 WHERE id = ?1", int64(id), status))
	require.NoError(m, err)
	m.queue = append(m.queue, message{id: id, redeliver: true})
}
