package storetest_test

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/content/hot"
	"plaza/data/content/votes"
	"plaza/test/storetest"
)

// deliver brings some messages, in any order, to the consumer. What it could not
// handle comes again, and so, now and then, does what it could.
func (m *model) deliver() {
	m.Helper()
	m.rng.Shuffle(len(m.queue), func(i, j int) { m.queue[i], m.queue[j] = m.queue[j], m.queue[i] })
	n := 0
	if len(m.queue) > 0 {
		n = 1 + m.rng.IntN(min(len(m.queue), 20))
	}
	batch := slices.Clone(m.queue[:n])
	toDB, toSets := storetest.RandomTrouble(m.rng, 0.25), storetest.RandomTrouble(m.rng, 0.25)
	planned := len(toDB.Plan)+len(toSets.Plan) > 0
	unapplied, err := m.Stores.Votes.ApplyDeltas(storetest.With(storetest.With(storetest.Ctx, storetest.ToSQL, toDB), storetest.ToRedis, toSets),
		pendingOf(batch))
	m.failed(err, planned || m.down >= 0)
	require.Empty(m, unapplied.Refused)
	if !planned {
		for _, id := range append(unapplied.Rest.Targets, unapplied.Rest.Posts...) {
			require.Equal(m, m.down, m.DB.ShardOf(id).Shard(), "what is on other shards is applied")
		}
	}
	if len(unapplied.Rest.Targets)+len(unapplied.Rest.Posts) > 0 {
		for i := range m.queue[:n] {
			m.queue[i].redeliver = true
		}
		return
	}
	if m.rng.IntN(8) > 0 {
		m.queue = slices.Delete(m.queue, 0, n)
	}
}

// pendingOf is what worker.consumeVotes makes of a batch, repetitions included.
func pendingOf(batch []message) (p votes.Pending) {
	for _, msg := range batch {
		if msg.count {
			p.Posts = append(p.Posts, msg.id)
		} else {
			p.Targets = append(p.Targets, msg.id)
		}
	}
	return p
}

func (m *model) loseMessages() {
	m.queue = slices.DeleteFunc(m.queue, func(msg message) bool { return !msg.redeliver && m.rng.IntN(2) == 0 })
}

// retry nudges for what has waited for a while.
func (m *model) retry() {
	m.Helper()
	t := storetest.RandomTrouble(m.rng, 0.2)
	planned := len(t.Plan) > 0
	p, err := m.Stores.Votes.FindPending(storetest.With(storetest.Ctx, storetest.ToSQL, t), time.Duration(m.rng.IntN(300))*time.Millisecond)
	if m.failed(err, planned || m.down >= 0) && planned {
		return
	}
	for _, id := range p.Targets {
		m.send(id, false)
	}
	for _, id := range p.Posts {
		m.send(id, true)
	}
}

func (m *model) scope() string {
	if m.rng.IntN(2) == 0 {
		return hot.SiteScope
	}
	return pick(m.rng, modelCommunities)
}

// rebuild makes a set anew, while the votes consumer may be at work between any two of
// its requests.
func (m *model) rebuild() {
	m.Helper()
	m.expireLocks() // time flies
	toDB, toSets := storetest.RandomTrouble(m.rng, 0.2), storetest.RandomTrouble(m.rng, 0.2)
	planned := len(toDB.Plan)+len(toSets.Plan) > 0
	toSets.Hook = func() {
		if m.rng.IntN(3) == 0 {
			m.counts["delta runs within a rebuild"]++
			m.castVote()
			m.deliver()
		}
	}
	scope := m.scope()
	down := m.down >= 0 && (scope == hot.SiteScope || m.isDown(scope))
	m.failed(m.Hot.Rebuild(storetest.With(storetest.With(storetest.Ctx, storetest.ToSQL, toDB), storetest.ToRedis, toSets), scope), planned ||
		down)
}

// flush makes Redis lose everything, one set, or what makes a set trusted.
func (m *model) flush() {
	m.Helper()
	scope := "hot:c:" + pick(m.rng, modelCommunities)
	if m.rng.IntN(2) == 0 {
		scope = "hot:site"
	}
	_, err := m.Redis.Do(storetest.Ctx, pick(m.rng, [][]any{{"FLUSHALL"}, {"DEL", scope}, {"ZREM", scope, "whole"}}))
	require.NoError(m, err)
}

func (m *model) expireLocks() {
	m.Helper()
	keys := []any{"DEL", "rebuild:hot:site"}
	for _, name := range modelCommunities {
		keys = append(keys, "rebuild:hot:c:"+name)
	}
	_, err := m.Redis.Do(storetest.Ctx, keys)
	require.NoError(m, err)
}

// drain lets the queue and the retry job come to an end without trouble, has the sets
// made anew where they are lost, and compares everything with the oracle.
func (m *model) drain() {
	m.Helper()
	m.doing = "settle"
	m.restoreShard()
	if m.rng.IntN(2) == 0 {
		m.queue = slices.DeleteFunc(m.queue, func(msg message) bool { return !msg.redeliver }) // the retry job alone must do
	}
	m.ApplyOnly(pendingOf(m.queue))
	m.queue = nil
	for range 100 {
		p, err := m.Stores.Votes.FindPending(storetest.Ctx, 0)
		require.NoError(m, err)
		if len(p.Targets)+len(p.Posts) == 0 {
			break
		}
		m.ApplyOnly(p)
	}
	m.expireLocks()
	require.NoError(m, m.Hot.Invalidate(storetest.Ctx))
	for _, scope := range append([]string{hot.SiteScope}, modelCommunities...) {
		require.NoError(m, m.Hot.Rebuild(storetest.Ctx, scope))
	}
	m.checkCounters(m.Stores)
	m.checkOrders(m.Stores)
	m.checkSets(m.Stores)
}
