package request_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/stack"
	"plaza/test/stacktest"
	"plaza/test/workertest"
	"plaza/worker"
)

// replicatedSite is a site on a real primary with a real replica.
type replicatedSite struct {
	*workertest.Site
	servers *stacktest.Replicated
}

func openReplicated(t *testing.T) *replicatedSite {
	servers := stacktest.OpenReplicated(t)
	sql := servers.Client()
	stacktest.ApplySchema(t, sql)
	s := &replicatedSite{Site: workertest.OpenOn(t, sql, stacktest.OpenRedisIfAny(t), 100), servers: servers}
	s.Site = s.instance()
	return s
}

// instance is another one, which has not heard from the primary yet.
func (s *replicatedSite) instance() *workertest.Site {
	c := s.Config
	c.DB = data.NewDB(s.servers.Client())
	app, err := worker.New(c)
	require.NoError(s, err)
	other := *s.Site
	other.App = app
	return &other
}

// at is the same browser, with a request that reaches another instance.
func at(b *workertest.Browser, s *workertest.Site) *workertest.Browser {
	moved := *b
	moved.Site = s
	return &moved
}

// asked checks how many requests to the primary and the replica a call takes.
func (s *replicatedSite) asked(primary, replica int, call func()) {
	s.Helper()
	s.servers.Asked(s)
	call()
	gotPrimary, gotReplica := s.servers.Asked(s)
	assert.Equal(s, [2]int{primary, replica}, [2]int{gotPrimary, gotReplica}, "requests to the primary and the replica")
}

// TestReplicas has two instances, here and there, on a primary and a replica. Members write here, while replication is paused.
func TestReplicas(t *testing.T) {
	s := openReplicated(t)
	here, there := s.Site, s.instance()
	ann := here.Member("ann")
	ann.Jar = map[string]string{}
	visitor := here.Visitor()
	ann.MustPost("/communities", "name", "gophers")
	thread := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(thread))[0]
	ann.Jar = map[string]string{} // ten seconds later
	has := func(b *workertest.Browser, site *workertest.Site, text string) bool {
		t.Helper()
		return strings.Contains(at(b, site).Page(thread), text)
	}
	// hearPrimary has an instance hear from the primary. Its first pages may also note something there.
	hearPrimary := func() {
		at(visitor, there).Page(thread)
		at(ann, there).Page(thread)
		s.servers.CatchUp(t)
	}
	hearPrimary()

	t.Run("a page is one request to the replica", func(t *testing.T) {
		s.asked(0, 1, func() { at(visitor, there).Page(thread) })
		s.asked(0, 1, func() { at(ann, there).Page("/c/gophers") })
		s.asked(1, 0, func() { at(ann, there).Page("/c/gophers/mod/queue") })
	})
	t.Run("a program with a token reads the primary", func(t *testing.T) {
		program := workertest.Program(s.Site, ann.NewToken("read", "write"))
		program.Page(thread + ".json") // notes that the token is used
		s.asked(1, 0, func() { program.Page(thread + ".json") })
		s.servers.CatchUp(t)
		ann.Jar = map[string]string{}
	})
	t.Run("a member's change is there, even if the browser has no number of it", func(t *testing.T) {
		third := s.instance()
		at(visitor, third).Page(thread)
		s.servers.CatchUp(t)
		s.servers.Link.Pause()
		defer s.servers.Link.Resume()
		ann.MustPost("/comment", "post", post, "body", "my first words")
		ann.Jar = map[string]string{"__Host-changed": strconv.FormatInt(time.Now().UnixMilli(), 36)}
		s.asked(1, 0, func() { assert.True(t, has(ann, third, "my first words")) })
		ann.Jar = map[string]string{}
	})
	t.Run("while replication is paused, a member finds what they wrote, and visitors the page from before", func(t *testing.T) {
		hearPrimary()
		s.servers.Link.Pause()
		ann.MustPost("/comment", "post", post, "body", "my comment")
		require.NotEmpty(t, ann.Jar["__Host-wrote"])
		s.asked(0, 1, func() { assert.False(t, has(visitor, there, "my comment")) })
		s.asked(1, 1, func() { assert.True(t, has(ann, there, "my comment")) })
		s.asked(1, 1, func() { assert.True(t, has(ann, here, "my comment")) })
		// That instance has heard of the comment now, but for visitors the replica is not too far behind yet.
		s.asked(0, 1, func() { assert.False(t, has(visitor, there, "my comment")) })
	})
	t.Run("afterwards both are read from the replica", func(t *testing.T) {
		s.servers.Link.Resume()
		hearPrimary()
		for _, b := range []*workertest.Browser{ann, visitor} {
			s.asked(0, 1, func() { assert.True(t, has(b, there, "my comment")) })
		}
	})
	t.Run("who logs in here is logged in there", func(t *testing.T) {
		at(visitor, there).Page(thread)
		s.servers.Link.Pause()
		defer s.servers.Link.Resume()
		again := here.Visitor()
		again.Jar = map[string]string{}
		again.MustPost("/login", "login", "ann", "password", "correct horse")
		assert.Equal(t, http.StatusOK, at(again, there).Get("/saved").Code)
		// So is one whose browser lost the cookie.
		again.Jar = map[string]string{}
		at(visitor, there).Page(thread)
		assert.Equal(t, http.StatusOK, at(again, there).Get("/saved").Code)
	})
	t.Run("what a replica does not have yet is there nevertheless", func(t *testing.T) {
		hearPrimary()
		s.servers.Link.Pause()
		defer s.servers.Link.Resume()
		latest := ann.MustPost("/submit", "community", "gophers", "title", "The latest", "text", "text")
		s.asked(1, 1, func() { assert.Contains(t, at(visitor, there).Page(latest), "The latest") })
		assert.Equal(t, http.StatusNotFound, at(visitor, there).Get(latest+"x").Code)
	})
	t.Run("an ended session reads nothing that is longer ago than what an instance remembers", func(t *testing.T) {
		s.servers.CatchUp(t)
		again := here.Visitor()
		again.MustPost("/login", "login", "ann", "password", "correct horse")
		s.servers.CatchUp(t)
		third := s.instance()
		at(visitor, third).Page(thread)
		s.servers.Link.Pause()
		defer s.servers.Link.Resume()
		ann.MustPost("/settings/sessions/end-others")
		assert.Equal(t, http.StatusOK, at(again, third).Get("/saved").Code, "the replica has not heard of it")
		res := at(again, third).Post("/comment", "post", post, "body", "I say")
		assert.NotEqual(t, "/", res.Header().Get("Location"))
		assert.NotContains(t, ann.Page(thread), "I say")
		fourth := s.instance()
		at(visitor, fourth).Page(thread)
		assert.NotEqual(t, http.StatusOK, at(again, fourth).Get("/saved").Code, "this instance has heard from the primary only since")
	})
	t.Run("administrators see what became of answers of replicas", func(t *testing.T) {
		s.Exec("UPDATE users SET admin = 1 WHERE username = 'ann'")
		assert.Contains(t, at(ann, there).Page("/admin/health"), "Answers of replicas")
	})
	t.Run("without the replica pages go on", func(t *testing.T) {
		hearPrimary()
		require.NoError(t, s.servers.Replica.Set(stack.Fault{Kind: "hole"}))
		s.asked(1, 1, func() { at(visitor, there).Page(thread) })
		s.asked(1, 0, func() { at(visitor, there).Page(thread) })
		s.servers.Server.Kill()
		require.NoError(t, s.servers.Replica.Set(stack.Fault{}))
		third := s.instance()
		at(visitor, third).Page(thread)
		s.asked(1, 1, func() { at(visitor, third).Page(thread) })
		ann.MustPost("/comment", "post", post, "body", "my second comment")
		s.asked(1, 1, func() { assert.True(t, has(ann, third, "my second comment")) })
	})
}

// TestWroteCookie has visitors, whose pages come from the edge cache as long as they have no cookie of ours.
func TestWroteCookie(t *testing.T) {
	s := openReplicated(t)
	visitor := s.Visitor()
	for _, path := range []string{"/", "/new", "/communities", "/healthz", "/login"} {
		for _, c := range visitor.Get(path).Result().Cookies() {
			assert.NotEqual(t, "__Host-wrote", c.Name, path)
		}
	}
}

// TestEdgeIsEmptiedAgain has something erased, of which a replica that is behind could have a new copy made.
func TestEdgeIsEmptiedAgain(t *testing.T) {
	s := openReplicated(t)
	var happened []string
	s.Config.DB = data.NewDB(hrana.New(hrana.Options{URL: s.servers.Primary.URL, Replica: s.servers.Replica.URL, Token: s.servers.Token,
		Sleep: func(_ context.Context, d time.Duration) error {
			happened = append(happened, "after "+d.String())
			return nil
		}}))
	s.Config.PurgeZone, s.Config.PurgeToken = "zone", "token"
	s.Web.On("api.cloudflare.com", func(http.ResponseWriter, *http.Request) { happened = append(happened, "emptied") })
	s.Restart(s.Config)
	root := s.Member("root1")
	s.Exec("UPDATE users SET admin = 1")
	root.MustPost("/communities", "name", "gophers")
	address := root.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	root.MustPost("/admin/erase", "target", workertest.Targets(root.Page(address))[0], "rule", "Personal data")
	assert.Equal(t, []string{"emptied", "after 6s", "emptied"}, happened)
}

// TestReplicaWaits measures how long members and visitors wait with 30 ms to the primary and 2 ms to the replica, with
// PLAZA_REPLICA_WAITS=1. docs/performance.md has the figures.
func TestReplicaWaits(t *testing.T) {
	if os.Getenv("PLAZA_REPLICA_WAITS") == "" {
		t.Skip("PLAZA_REPLICA_WAITS is not set")
	}
	s := openReplicated(t)
	near := s.instance()
	c := s.Config
	c.DB = data.NewDB(hrana.New(hrana.Options{URL: s.servers.Primary.URL, Token: s.servers.Token}))
	app, err := worker.New(c)
	require.NoError(t, err)
	alone := *s.Site
	alone.App = app
	ann := s.Member("ann")
	ann.Jar = map[string]string{}
	ann.MustPost("/communities", "name", "gophers")
	thread := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(thread))[0]
	s.servers.CatchUp(t)
	require.NoError(t, s.servers.Primary.Set(stack.Fault{Kind: "delay", Millis: 30}))
	require.NoError(t, s.servers.Replica.Set(stack.Fault{Kind: "delay", Millis: 2}))
	for _, site := range []struct {
		name string
		*workertest.Site
	}{{"without a replica", &alone}, {"with a replica", near}} {
		measure := func(what string, n int, before func(), page func()) {
			var took []time.Duration
			var primary, replica int
			for range n {
				before()
				s.servers.Asked(t)
				began := time.Now()
				page()
				took = append(took, time.Since(began))
				p, r := s.servers.Asked(t)
				primary, replica = primary+p, replica+r
				s.Now = s.Now.Add(10 * time.Second) // nothing is remembered
			}
			slices.Sort(took)
			t.Logf("%s, %s: median %v, nine of ten %v, requests to the primary %d, to the replica %d, of %d", site.name, what,
				took[n/2].Round(time.Millisecond/10), took[n*9/10].Round(time.Millisecond/10), primary, replica, n)
		}
		const n = 200
		visitor, member := at(s.Visitor(), site.Site), at(ann, site.Site)
		member.Jar = map[string]string{}
		show := func() { member.Page(thread) }
		comment := func() {
			member.MustPost("/comment", "post", post, "body", "my comment "+strconv.Itoa(int(s.Now.UnixMilli())))
		}
		measure("a visitor's thread", n, func() {}, func() { visitor.Page(thread) })
		measure("a member's thread", n, func() {}, show)
		measure("the page at once after a comment", n/10, comment, show)
		measure("the page half a second after a comment", n/10, func() { comment(); time.Sleep(500 * time.Millisecond) }, show)
	}
}
