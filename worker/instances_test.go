package worker_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/worker"
)

// TestRevocationsReachOtherInstances has instances on the same databases. Two know a member from a moment ago; a
// third ends what the member may do. They refuse writing at once, and show pages as before for data.OwnLife at most.
func TestRevocationsReachOtherInstances(t *testing.T) {
	s := mustOpen(t)
	ann, root := s.member("ann"), s.member("rita")
	s.exec("UPDATE users SET admin = 1 WHERE username = 'rita'")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	// at is a caller of an instance of its own.
	at := func(b *browser) *browser {
		c := s.config
		c.DB = s.sql.Open()
		app, err := worker.New(c)
		require.NoError(t, err)
		other := *s
		other.app = app
		return &browser{site: &other, cookie: b.cookie, header: b.header.Clone()}
	}
	itself := func(b *browser) *browser { return b }

	private := func(b *browser) bool { return b.get("/saved").Code == http.StatusOK }
	n := 0
	for name, test := range map[string]struct {
		as  func(member *browser) *browser // who calls them in the member's name
		end func(member *browser, name string)
		may func(*browser) bool // what is shown
	}{
		"a session that its member ends elsewhere": {itself, func(m *browser, name string) {
			again := &browser{site: s, header: http.Header{}}
			again.mustPost("/login", "login", name, "password", "correct horse")
			again.mustPost("/settings/sessions/end-others")
		}, private},
		"a member who is suspended": {itself, func(_ *browser, name string) {
			root.mustPost("/admin/users", "user", name, "decision", "suspend", "rule", "Spam")
		}, private},
		"a token that ends": {func(m *browser) *browser { return program(s, m.newToken("read", "write")) }, func(m *browser, _ string) {
			m.mustPost("/settings/tokens/end", "id", data.ID(s.one("SELECT max(id) FROM tokens").(int64)).Text())
		}, private},
		"a ban from a community": {itself, func(_ *browser, name string) {
			ann.mustPost("/c/gophers/mod/bans", "user", name, "decision", "ban", "rule", "Spam")
		}, func(b *browser) bool { return !strings.Contains(b.page(address), "You are banned") }},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			called := "member" + strconv.Itoa(n)
			member := s.member(called)
			caller := test.as(member)
			there, writer := at(caller), at(caller) // a write that is refused has an instance forget what it knows
			writes := func() bool {
				res := writer.post("/comment", "post", post, "body", "I say")
				return res.Code == http.StatusSeeOther || res.Code == http.StatusOK
			}
			require.True(t, writes())
			require.True(t, test.may(writer))
			require.True(t, test.may(there), "and it is remembered")
			began := s.now
			test.end(member, called)
			require.False(t, writes(), "at once")
			for test.may(there) {
				s.now = s.now.Add(100 * time.Millisecond)
				require.Less(t, s.now.Sub(began), data.OwnLife+time.Second)
			}
			require.Greater(t, s.now.Sub(began), data.OwnLife/2, "what is remembered was used")
			t.Logf("%s: shown for %v", name, s.now.Sub(began))
			require.LessOrEqual(t, s.now.Sub(began), data.OwnLife+time.Second/2)
			require.False(t, writes())
		})
	}
}
