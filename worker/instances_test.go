package worker_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
	"plaza/worker"
)

// TestRevocationsReachOtherInstances has instances on the same databases. Two know a member from a moment ago; a
// third ends what the member may do. They refuse writing at once, and show pages as before for data.MemberCacheTTL at most.
func TestRevocationsReachOtherInstances(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	ann, root := s.Member("ann"), s.Member("rita")
	s.Exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	// at is a caller of an instance of its own.
	at := func(b *workertest.Browser) *workertest.Browser {
		c := s.Config
		c.DB = s.Sql.Open()
		app, err := worker.New(c)
		require.NoError(t, err)
		other := *s
		other.App = app
		return &workertest.Browser{Site: &other, Cookie: b.Cookie, Header: b.Header.Clone()}
	}
	itself := func(b *workertest.Browser) *workertest.Browser { return b }

	private := func(b *workertest.Browser) bool { return b.Get("/saved").Code == http.StatusOK }
	n := 0
	for name, test := range map[string]struct {
		as  func(member *workertest.Browser) *workertest.Browser // who calls them in the member's name
		end func(member *workertest.Browser, name string)
		may func(*workertest.Browser) bool // what is shown
	}{
		"a session that its member ends elsewhere": {itself, func(m *workertest.Browser, name string) {
			again := &workertest.Browser{Site: s, Header: http.Header{}}
			again.MustPost("/login", "login", name, "password", "correct horse")
			again.MustPost("/settings/sessions/end-others")
		}, private},
		"a member who is suspended": {itself, func(_ *workertest.Browser, name string) {
			root.MustPost("/admin/users", "user", name, "decision", "suspend", "rule", "Spam")
		}, private},
		"a token that ends": {func(m *workertest.Browser) *workertest.Browser {
			return workertest.Program(s, m.NewToken("read", "write"))
		}, func(m *workertest.Browser, _ string) {
			m.MustPost("/settings/tokens/end", "id", data.ID(s.One("SELECT max(id) FROM tokens").(int64)).Text())
		}, private},
		"a ban from a community": {itself, func(_ *workertest.Browser, name string) {
			ann.MustPost("/c/gophers/mod/bans", "user", name, "decision", "ban", "rule", "Spam")
		}, func(b *workertest.Browser) bool { return !strings.Contains(b.Page(address), "You are banned") }},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			called := "member" + strconv.Itoa(n)
			member := s.Member(called)
			caller := test.as(member)
			there, writer := at(caller), at(caller) // a write that is refused has an instance forget what it knows
			writes := func() bool {
				res := writer.Post("/comment", "post", post, "body", "I say")
				return res.Code == http.StatusSeeOther || res.Code == http.StatusOK
			}
			require.True(t, writes())
			require.True(t, test.may(writer))
			require.True(t, test.may(there), "and it is remembered")
			began := s.Now
			test.end(member, called)
			require.False(t, writes(), "at once")
			for test.may(there) {
				s.Now = s.Now.Add(100 * time.Millisecond)
				require.Less(t, s.Now.Sub(began), data.MemberCacheTTL+time.Second)
			}
			require.Greater(t, s.Now.Sub(began), data.MemberCacheTTL/2, "what is remembered was used")
			t.Logf("%s: shown for %v", name, s.Now.Sub(began))
			require.LessOrEqual(t, s.Now.Sub(began), data.MemberCacheTTL+time.Second/2)
			require.False(t, writes())
		})
	}
}
