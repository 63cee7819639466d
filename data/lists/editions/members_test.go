package editions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/lists/editions"
	"plaza/test/storetest"
)

// kit has a site with three communities and members who read some of them.
type kit struct {
	*storetest.Stores
	store *editions.Store
	ann   data.Actor // who writes everything
}

func openKit(t *testing.T) *kit {
	s := storetest.Open(t)
	*s.Clock = time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)
	k := &kit{s, &editions.Store{Base: s.Posts.Base}, s.Member("ann")}
	for i, name := range []string{"gophers", "birds", "cooks"} {
		s.CommunityOn(i%len(s.Shards), k.ann, name)
	}
	return k
}

// reader is a member of communities who was here some time ago.
func (k *kit) reader(name string, ago time.Duration, communities ...string) data.Actor {
	k.Helper()
	a := k.Member(name)
	for _, community := range communities {
		require.NoError(k, k.Communities.Subscribe(storetest.Ctx, a, community, true))
	}
	k.Exec("UPDATE users SET seen_at = ?1 WHERE id = ?2", k.Clock.Add(-ago).UnixMilli(), int64(a.UserID))
	return a
}

// write writes posts to a community.
func (k *kit) write(community string, n int) (ids []data.ID) {
	k.Helper()
	for i := range n {
		ids = append(ids, k.Post(k.ann, community, fmt.Sprintf("About %s %d at %s", community, i, k.Clock.Format(time.TimeOnly))).ID)
	}
	return ids
}

// publish makes the editions that are due at an hour of November.
func (k *kit) publish(day, hour int) {
	k.Helper()
	*k.Clock = time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC)
	require.NoError(k, k.store.Make(storetest.Ctx, twice))
	require.NoError(k, k.store.MakeForMembers(storetest.Ctx, twice))
}

func (k *kit) own(number editions.Number, viewer data.Actor) *editions.Edition {
	k.Helper()
	r := k.DB.Read()
	e, err := k.store.Find(storetest.Ctx, r, number, viewer.UserID, true)
	require.NoError(k, err)
	require.NoError(k, r.Run(storetest.Ctx))
	return e
}

func TestMembersHaveTheirOwn(t *testing.T) {
	k := openKit(t)
	gophers, birds, cooks := k.write("gophers", 6), k.write("birds", 6), k.write("cooks", 6)
	ben := k.reader("ben", time.Hour, "gophers", "birds")
	cid := k.reader("cid", time.Hour, "cooks")
	away := k.reader("away", 8*24*time.Hour, "cooks")
	alone := k.reader("alone", time.Hour)
	quote := k.Comment(ben, cooks[5], 0, strings.Repeat("Worth quoting. ", 5))
	k.Vote(k.ann, quote.ID, 1)
	k.ApplyAll()
	k.publish(21, 6)

	first := k.own(0, ben)
	require.True(t, first.Own)
	require.ElementsMatch(t, append(gophers, birds...), storetest.IdsOf(first.Posts()))
	own := k.own(0, cid)
	require.Equal(t, cooks[5], own.Lead().ID)
	require.Equal(t, quote.ID, own.Quote.ID, "of the post that leads")
	require.Subset(t, cooks, storetest.IdsOf(own.Posts()))
	require.Equal(t, first.Number, own.Number)
	for _, other := range []data.Actor{away, alone} {
		e := k.own(0, other)
		require.False(t, e.Own)
		require.Equal(t, first.Number, e.Number, "without one it is the site's")
		require.Zero(t, k.own(first.Number, other).Number, "but not at the address of an own one")
	}
	before := k.One("SELECT group_concat(user_id || posts) FROM member_editions")
	require.NoError(t, k.store.MakeForMembers(storetest.Ctx, twice))
	require.Equal(t, before, k.One("SELECT group_concat(user_id || posts) FROM member_editions"), "it does not change")

	*k.Clock = k.Clock.Add(time.Hour)
	k.Exec("UPDATE users SET seen_at = ?1 WHERE username = 'away'", k.Clock.UnixMilli())
	require.NoError(t, k.store.MakeForMembers(storetest.Ctx, twice))
	require.True(t, k.own(0, away).Own, "whoever comes back gets one, too")

	k.write("cooks", 5)
	more := k.write("birds", 5)
	k.publish(21, 16)
	second := k.own(0, ben)
	require.True(t, second.Own)
	require.ElementsMatch(t, more, storetest.IdsOf(second.Posts()), "without the posts of the edition before")
	require.Equal(t, first.Number, second.Earlier)
	require.True(t, second.OwnNeighbours)
	require.Equal(t, second.Number, k.own(first.Number, ben).Later)
	k.write("gophers", 5)
	k.publish(22, 6)
	third := k.own(0, cid)
	require.False(t, third.Own, "nothing is new in the member's communities")
	require.Equal(t, second.Number, third.Earlier)
	require.True(t, third.OwnNeighbours, "theirs before it")

	k.Exec("UPDATE users SET username = '' WHERE username = 'away'")
	k.Exec("DELETE FROM member_editions WHERE user_id = ?1", int64(away.UserID))
	k.write("cooks", 5)
	k.publish(22, 16)
	require.Zero(t, k.One("SELECT count(*) FROM member_editions WHERE user_id = ?1", int64(away.UserID)), "nothing for a deleted account")

	require.NoError(t, k.store.Purge(storetest.Ctx))
	require.NotZero(t, k.One("SELECT count(*) FROM member_editions"))
	*k.Clock = k.Clock.Add(32 * 24 * time.Hour)
	require.NoError(t, k.store.Purge(storetest.Ctx))
	require.Zero(t, k.One("SELECT count(*) FROM member_editions"))
}

// What a member follows is in their edition: posts of members and with tags, each once, not those on profiles and not what is hidden.
func TestFollowedInAnEdition(t *testing.T) {
	k := openKit(t)
	cid := k.Member("cid")
	posts := k.write("gophers", 4)
	tagged := k.write("cooks", 2)
	var theirs []data.ID
	for i := range 3 {
		theirs = append(theirs, k.Post(cid, "birds", fmt.Sprintf("By cid %d", i)).ID)
	}
	hidden := k.write("gophers", 2)
	k.ExecAt(hidden[0], "UPDATE posts SET nsfw = 1 WHERE id = ?1", int64(hidden[0]))
	k.ExecAt(hidden[1], "UPDATE posts SET status = 'removed' WHERE id = ?1", int64(hidden[1]))
	for _, id := range append(tagged, posts[0]) {
		k.ExecAt(id, "UPDATE posts SET tags = 'go' WHERE id = ?1", int64(id))
	}
	ben := k.reader("ben", time.Hour, "gophers")
	k.Exec("INSERT INTO follows (follower_id, followee_id, created_at) VALUES (?1, ?2, 1)", int64(ben.UserID), int64(cid.UserID))
	k.Exec("INSERT INTO tag_follows (user_id, name, created_at) VALUES (?1, 'go', 1)", int64(ben.UserID))
	k.publish(21, 6)
	e := k.own(0, ben)
	require.True(t, e.Own)
	require.ElementsMatch(t, append(append(posts, tagged...), theirs...), storetest.IdsOf(e.Posts()))
}

// The job does many members in steps of which each has its bounds, and goes on where it was.
func TestManyMembers(t *testing.T) {
	k := openKit(t)
	k.write("gophers", 9)
	k.write("birds", 9)
	k.publish(21, 6)
	k.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at, seen_at)
SELECT value, 'm' || value, 'm' || value, '', 1, ?1 + value / 3 FROM generate_series(1, 2500)`, k.Clock.UnixMilli())
	k.Exec(`INSERT INTO subscriptions (user_id, community_id, created_at) SELECT value, id, 1 FROM generate_series(1, 2500), communities
WHERE name IN ('gophers', 'birds')`)
	run := func() (requests, rows int64) {
		metered, meter := k.Metered()
		require.NoError(t, k.store.MakeForMembers(metered, twice))
		return meter.Requests(), meter.RowsRead()
	}
	made := func() int64 { return k.One("SELECT count(*) FROM member_editions WHERE user_id <= 2500").(int64) }
	requests, rows := run()
	require.Equal(t, int64(1000), made())
	require.LessOrEqual(t, requests, int64(5*(3+len(k.Shards)*2)))
	require.LessOrEqual(t, rows, int64(1000*12), "a few rows for each member")
	t.Log("rows of a run:", rows, "requests:", requests)
	run()
	require.Equal(t, int64(2000), made())
	run()
	require.Equal(t, int64(2500), made())
	requests, idle := run()
	require.Equal(t, int64(1), requests, "there is nothing to do")
	require.LessOrEqual(t, idle, int64(10), "members whom the job has passed are not read")

	// The same again among many posts, members who were not here, and editions.
	k.Exec("DELETE FROM member_editions WHERE user_id <= 1000")
	k.Exec("UPDATE editions SET members_seen = 0, members_last = 0")
	k.Exec("INSERT INTO member_editions (user_id, number, posts) SELECT ?1 + value % 100, value, '[]' FROM generate_series(1000, 20000)", int64(1<<40))
	k.Exec(`INSERT INTO users (id, username, username_key, password_hash, created_at) SELECT value, 'm' || value, 'm' || value, '', 1
FROM generate_series(3000, 9000)`)
	k.Exec("UPDATE users SET seen_at = 1 WHERE id = ?1", int64(k.ann.UserID))
	for _, community := range []string{"gophers", "birds"} {
		k.ExecAt(data.ID(k.CommunityID(community)), `INSERT INTO posts (id, community_id, community_name, author_name, slug, kind, title, hot, created_at)
SELECT (?1 + value) << 22, c.id, c.name, '', 's' || value, 'text', 't', -1, 1 FROM generate_series(1, 3000), communities c WHERE c.name = ?2`,
			10000*len(community), community)
	}
	_, again := run()
	require.LessOrEqual(t, again, rows+rows/10)
}
