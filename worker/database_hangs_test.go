package worker_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/test/stacktest"
	"plaza/test/storetest"
	"plaza/test/workertest"
)

// deed is something that somebody does, and what the site answers.
type deed struct {
	what string
	do   func() int
	code int
}

// together does all of them at the same time, and returns how long each took.
func together(t *testing.T, deeds []deed) []time.Duration {
	t.Helper()
	took := make([]time.Duration, len(deeds))
	var all sync.WaitGroup
	for i, d := range deeds {
		all.Go(func() {
			began := time.Now()
			assert.Equal(t, d.code, d.do(), d.what)
			took[i] = time.Since(began)
		})
	}
	all.Wait()
	for i, d := range deeds {
		t.Log(took[i].Round(10*time.Millisecond), d.what)
	}
	return took
}

// openHanging is a site of ann, who moderates gophers on the shard that fails and gardens on another one, and of a post in each.
func openHanging(t *testing.T) (a *outageSite, ann *workertest.Browser, far, near data.ID) {
	a = openOutage(t)
	ann = a.Member("ann")
	for i, name := range []string{"gophers", "gardens"} {
		a.chosen = uint32(i)
		ann.MustPost("/communities", "name", name)
	}
	a.chosen = 3
	far, near = a.post(ann, "gophers", "Far"), a.post(ann, "gardens", "Near")
	a.consume()
	return a, ann, far, near
}

// post publishes a post.
func (a *outageSite) post(b *workertest.Browser, community, title string) data.ID {
	a.Helper()
	b.MustPost("/submit", "community", community, "title", title, "text", "x")
	return data.ID(a.One("SELECT id FROM posts WHERE title = ?1", title).(int64))
}

// briefly is the longest that a member waits for a shard that hangs: for one try to read, and up to a tenth of a second at the gate of who
// writes to another database at the same time.
const briefly = 2600 * time.Millisecond

// TestWhatMembersDoWhileAShardHangs has a shard take calls and never answer. What has its truth elsewhere succeeds all the same: the
// member waits briefly, and the shard gets its copies when it is back.
func TestWhatMembersDoWhileAShardHangs(t *testing.T) {
	t.Parallel()
	a, ann, _, near := openHanging(t)
	judy := a.Admin("judy")
	members := map[string]*workertest.Browser{}
	for _, name := range []string{"ben", "carl", "dora", "eve", "finn", "gus", "hal", "ida", "jan", "kim", "lea", "max", "ned", "ola", "pia", "rob"} {
		members[name] = a.Member(name)
	}
	reported, queued := a.post(members["ben"], "gardens", "Reported"), a.post(members["ben"], "gardens", "Queued")
	edited, deleted := a.post(members["ben"], "gardens", "Edited"), a.post(members["ben"], "gardens", "Deleted")
	for _, id := range []data.ID{queued, reported} {
		members["carl"].MustPost("/report", "target", id.Text(), "reason", "Spam")
	}
	members["carl"].MustPost("/block", "user", "dora", "on", "1")
	members["dora"].MustPost("/follow", "user", "eve", "on", "1")
	judy.MustPost("/admin/users", "user", "rob", "decision", "suspend", "rule", "Spam")
	member := data.ID(a.One("SELECT id FROM users WHERE username = 'kim'").(int64))
	require.Zero(t, member.Slot(), "the number of the shard that fails, which means nothing in it")
	members["carl"].MustPost("/report", "user", "kim", "reason", "Impersonation")
	a.consume()
	token := func(n int) string { return fmt.Sprintf("token-of-a-form-%04d", n) }
	done := func(what, member, path string, fields ...string) deed {
		return deed{what, func() int { return members[member].Post(path, fields...).Code }, http.StatusSeeOther}
	}
	members["ann"], members["judy"], members["nobody"] = ann, judy, a.Visitor()
	deeds := []deed{
		done("block", "ben", "/block", "user", "dora", "on", "1"),
		done("unblock", "carl", "/block", "user", "dora", "on", "0"),
		done("follow", "ben", "/follow", "user", "eve", "on", "1"),
		done("unfollow", "dora", "/follow", "user", "eve", "on", "0"),
		done("follow a tag", "eve", "/tags/follow", "tag", "things", "on", "1"),
		done("join a community of the shard", "eve", "/subscribe", "community", "gophers", "on", "1"),
		done("take a new name", "finn", "/settings/account/name", "username", "finnegan"),
		done("choose an avatar", "gus", "/settings", "letter", "Q"),
		done("change a community of the shard", "ann", "/c/gophers/settings", "title", "The gophers", "colour", "#b3261e", "revision", "any"),
		done("invite a moderator of the shard", "ann", "/c/gophers/moderators", "user", "eve", "do", "invite", "role", "moderator"),
		done("found a community", "hal", "/communities", "name", "founded"),
		done("post to the own profile for the first time", "ida", "/post", "text", "Hello", "token", token(1)),
		done("post elsewhere", "jan", "/submit", "community", "gardens", "title", "Posted", "text", "x", "token", token(2)),
		done("post elsewhere again", "jan", "/submit", "community", "gardens", "title", "Shown again", "crosspost", near.Text(), "token", token(3)),
		done("comment elsewhere", "kim", "/comment", "post", near.Text(), "body", "Hello @ben", "token", token(4)),
		done("vote elsewhere", "kim", "/vote", "target", near.Text(), "value", "1"),
		done("report elsewhere", "kim", "/report", "target", near.Text(), "reason", "Spam"),
		done("change a post elsewhere", "ben", "/edit", "target", edited.Text(), "text", "Changed", "title", "Edited", "revision", "0"),
		done("delete a post elsewhere", "ben", "/delete", "target", deleted.Text()),
		done("decide about a case elsewhere", "ann", "/c/gardens/mod/queue", "one", "remove "+reported.Text()+" Spam"),
		done("decide in the queue of all", "ann", "/mod/queue", "one", "approve "+queued.Text()),
		done("decide about a reported member", "judy", "/mod/queue", "one", "ignore "+member.Text()),
		done("take a new password", "lea", "/settings/account/password", "password", "battery staple horse"),
		done("log out", "max", "/logout"),
		done("suspend", "judy", "/admin/users", "user", "ned", "decision", "suspend", "rule", "Spam"),
		done("restore", "judy", "/admin/users", "user", "rob", "decision", "restore"),
		done("change the site", "judy", "/admin/settings", "name", "Square", "revision", "0"),
		done("log in", "nobody", "/login", "login", "ola", "password", "correct horse"),
		{"sign up", func() int {
			return a.Visitor().Post("/signup", "username", "newcomer", "password", "correct horse battery", "token", token(5)).Code
		}, http.StatusSeeOther},
		{"read the administrators' page", func() int { return judy.Get("/admin").Code }, http.StatusOK},
		{"read how the databases are", func() int { return judy.Get("/admin/health").Code }, http.StatusOK},
		{"read the rules of the site", func() int { return judy.Get("/admin/rules").Code }, http.StatusOK},
	}
	a.bubble(t, func(t *testing.T) {
		for some := range slices.Chunk(deeds, 5) {
			a.instance()
			a.shard.failsAtCall(1, stalls)
			for i, took := range together(t, some) {
				assert.LessOrEqual(t, took, briefly, some[i].what)
			}
		}
	})
	require.Equal(t, "suspended", a.One("SELECT status FROM users WHERE username = 'ned'"))
	require.Equal(t, "active", a.One("SELECT status FROM users WHERE username = 'rob'"))
	require.Equal(t, "removed", a.One("SELECT status FROM posts WHERE id = ?1", int64(reported)))
	require.Equal(t, "decided", a.One("SELECT status FROM queue_items WHERE target_id = ?1", int64(member)))
	for _, name := range []string{"founded", data.ProfileOf(data.ID(a.One("SELECT id FROM users WHERE username = 'ida'").(int64)))} {
		id := data.ID(a.One("SELECT id FROM communities WHERE name = ?1", name).(int64))
		require.NotZero(t, a.Sql.Number(id), "%s can be used at once, because it is on a shard that answers", name)
	}
	require.Equal(t, http.StatusSeeOther, members["pia"].Post("/submit", "community", "founded", "title", "The first", "text", "x").Code)
	a.recoverShard()
	a.Verified()
}

// TestNobodyWaitsLonger has a database take calls and never answer. Nobody waits longer than a request may take, also not where many
// write at the same time.
func TestNobodyWaitsLonger(t *testing.T) {
	t.Parallel()
	a, ann, far, near := openHanging(t)
	var voters []*workertest.Browser
	for i := range 6 {
		voters = append(voters, a.Member(fmt.Sprint("voter", i)))
	}
	hang := func(t *testing.T, way *outage, deeds ...deed) {
		t.Helper()
		a.bubble(t, func(t *testing.T) {
			require.NoError(t, a.Config.DB.ReadSlots(t.Context())) // one that starts now could not write without the directory
			way.failsAtCall(1, stalls)
			defer way.returns()
			for i, took := range together(t, deeds) {
				assert.LessOrEqual(t, took, deadline.Request, deeds[i].what)
			}
		})
	}
	page := func(b *workertest.Browser, path string) deed {
		return deed{"page " + path, func() int { return b.Get(path).Code }, http.StatusServiceUnavailable}
	}
	refused := func(what string, b *workertest.Browser, path string, fields ...string) deed {
		return deed{what, func() int { return b.Post(path, fields...).Code }, http.StatusServiceUnavailable}
	}
	t.Run("the directory", func(t *testing.T) {
		hang(t, a.directory, page(ann, "/"), page(ann, "/c/gardens/p/near"), page(a.Visitor(), "/new"),
			refused("log in", a.Visitor(), "/login", "login", "ann", "password", "correct horse"),
			refused("follow", ann, "/follow", "user", "voter1", "on", "1"),
			deed{"vote, which needs the shard alone", func() int { return voters[0].Post("/vote", "target", near.Text(), "value", "1").Code },
				http.StatusSeeOther})
	})
	t.Run("a shard", func(t *testing.T) {
		deeds := []deed{page(ann, "/c/gophers"), page(a.Visitor(), "/c/gophers/p/far")}
		for _, b := range voters {
			deeds = append(deeds, refused("vote", b, "/vote", "target", far.Text(), "value", "1"),
				refused("comment", b, "/comment", "post", far.Text(), "body", "Hello"))
		}
		hang(t, a.shard, deeds...)
	})
	t.Run("a comment alone", func(t *testing.T) {
		hang(t, a.shard, refused("comment", ann, "/comment", "post", far.Text(), "body", "Hello"))
	})
}

// TestAShardLearnsWhatWasDecidedWhileItWasUnavailable suspends and blocks members while a shard hangs. The other databases refuse them at
// once. The shard can't be written to meanwhile, and refuses them after the first job of a minute that finds it back.
func TestAShardLearnsWhatWasDecidedWhileItWasUnavailable(t *testing.T) {
	t.Parallel()
	a, ann, far, near := openHanging(t)
	judy, ned, dora := a.Admin("judy"), a.Member("ned"), a.Member("dora")
	comment := func(b *workertest.Browser, post data.ID) int {
		return b.Post("/comment", "post", post.Text(), "body", "Hello").Code
	}
	a.bubble(t, func(t *testing.T) {
		a.shard.failsAtCall(1, stalls)
		require.Equal(t, http.StatusSeeOther, judy.Post("/admin/users", "user", "ned", "decision", "suspend", "rule", "Spam").Code)
		require.Equal(t, http.StatusSeeOther, ann.Post("/block", "user", "dora", "on", "1").Code)
		require.Equal(t, http.StatusUnauthorized, comment(ned, near))
		require.Equal(t, http.StatusForbidden, comment(dora, near))
		require.Equal(t, http.StatusServiceUnavailable, comment(ned, far), "nothing is written there")
	})

	a.shard.returns()
	a.instance()
	a.minute()
	require.Equal(t, http.StatusUnauthorized, comment(ned, far))
	require.Equal(t, http.StatusForbidden, comment(dora, far))
	a.Verified()
}

// TestWhatAShardMissedIsDoneWithinAMinute has a shard unavailable for seconds and for minutes, from different seconds of the job's minute
// on. What others did meanwhile is carried out within a minute after it is back, although the queues deliver each message once.
func TestWhatAShardMissedIsDoneWithinAMinute(t *testing.T) {
	t.Parallel()
	const delivery = 2 * time.Second // by a queue
	a, ann, _, _ := openHanging(t)
	judy := a.Admin("judy")
	remaining := func() [][]any {
		a.Helper()
		return a.Sql.RowsOfAll(fmt.Sprintf("SELECT job, attempts FROM outbox WHERE due_at < %d", a.Now.Add(24*time.Hour).UnixMilli()))
	}
	var back time.Time
	pass := func(d time.Duration) {
		until := a.Now.Add(d)
		if wait := back.Sub(a.Now); a.shard.isUnavailable() && wait <= d {
			time.Sleep(wait)
			d -= wait
			a.shard.returns()
		}
		time.Sleep(d)
		a.Now = until
	}
	a.Config.Sleep = func(_ context.Context, d time.Duration) error {
		pass(delivery)
		a.consume()
		pass(d - delivery)
		return nil
	}
	n := 0
	for _, how := range []loss{hangs, refused} {
		for i, lasts := range []time.Duration{40 * time.Second, 10 * time.Minute, 3 * time.Second} {
			for k, second := range []time.Duration{3 * time.Second, 35 * time.Second, 58 * time.Second} {
				if !stacktest.Night() && (how == refused || i+k != 1) { // by day each of two outages at another second
					continue
				}
				n++
				name := func(of string) string { return fmt.Sprint(of, n) }
				renamed := a.Member(name("renamed"))
				original := a.post(renamed, "gardens", name("Original"))
				renamed.MustPost("/submit", "community", "gophers", "title", name("Again"), "crosspost", original.Text())
				for _, of := range []string{"blocked", "suspended", "followed"} {
					a.post(a.Member(name(of)), "gophers", name(of))
				}
				a.Config.RetryAgain = 0
				a.recoverShard()
				a.Config.RetryAgain = 30 * time.Second
				a.run(t, fmt.Sprintf("%d: unavailable for %s from second %s on", how, lasts, second), func(t *testing.T) {
					pass(second)
					a.shard.failsAtCall(1, how)
					back = a.Now.Add(lasts)
					was := back
					ann.MustPost("/block", "user", name("blocked"), "on", "1")
					ann.MustPost("/follow", "user", name("followed"), "on", "1")
					ann.MustPost("/c/gophers/settings", "title", name("Gophers"), "colour", "#b3261e", "revision", "any")
					judy.MustPost("/admin/users", "user", name("suspended"), "decision", "suspend", "rule", "Spam")
					renamed.MustPost("/settings/account/name", "username", name("new_name"))
					renamed.MustPost("/delete", "target", original.Text())
					require.NotEmpty(t, remaining())
					job := a.Now.Add(time.Minute - second)
					for len(remaining()) > 0 {
						require.Less(t, a.Now, was.Add(20*time.Minute), "%v", remaining())
						pass(delivery)
						a.consume()
						pass(max(job.Sub(a.Now), 0))
						job = job.Add(time.Minute)
						_ = a.App.Scheduled(t.Context(), a.Now)
						pass(delivery)
						a.consume()
					}
					t.Log(a.Now.Sub(was))
					require.LessOrEqual(t, a.Now.Sub(was), time.Minute)
				})
			}
		}
	}
	a.Verified()
}

// TestTheHealthPageSaysWhichShardsFail has a shard refuse the statements of the page, and then no shard answer at all.
func TestTheHealthPageSaysWhichShardsFail(t *testing.T) {
	a := openOutage(t)
	judy := a.Admin("judy")
	_, err := a.Sql.Shards[0].Query(t.Context(), storetest.StmtOf("ALTER TABLE outbox RENAME TO outbox_of_before"))
	require.NoError(t, err)
	a.instance()
	page := judy.Page("/admin/health")
	require.Equal(t, 1, strings.Count(page, "no such table: outbox"), "a shard that has not taken the steps of the schema")
	require.NotContains(t, page, "does not answer")

	for n := range a.ways[1:] {
		unavailable := &outage{http: a.ways[1+n]}
		unavailable.failsAtCall(1, refused)
		a.ways[1+n] = unavailable
	}
	a.instance()
	require.Equal(t, 3, strings.Count(judy.Page("/admin/health"), "it does not answer"))
	_, err = a.Sql.Shards[0].Query(t.Context(), storetest.StmtOf("ALTER TABLE outbox_of_before RENAME TO outbox"))
	require.NoError(t, err)
}
