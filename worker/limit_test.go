package worker_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/data/wire/upstash"
	"plaza/test/workertest"
)

func bothWays(t *testing.T, test func(t *testing.T, s *workertest.Site)) {
	t.Run("with Redis", func(t *testing.T) {
		s := workertest.MustOpen(t)
		test(t, s.Strict(s.Redis))
	})
	t.Run("while Redis is unavailable", func(t *testing.T) {
		s := workertest.MustOpen(t)
		test(t, s.Strict(upstash.New(upstash.Options{URL: "http://127.0.0.1:1", Token: "x"})))
	})
	t.Run("on a site without Redis", func(t *testing.T) {
		s := workertest.MustOpen(t)
		test(t, s.Strict(nil))
	})
}

func TestSignUpLimit(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, s *workertest.Site) {
		n := 0
		signUp := func(b *workertest.Browser) int {
			n++
			return b.Post("/signup", "username", fmt.Sprint("user", n), "password", "correct horse").Code
		}
		from := func(remote, cookie string) *workertest.Browser {
			return &workertest.Browser{Site: s, Header: http.Header{}, Remote: remote, Cookie: cookie}
		}
		limited := "198.51.100.7:1"
		var cookies []string
		for range 10 {
			b := from(limited, "")
			require.Equal(t, http.StatusSeeOther, signUp(b))
			cookies = append(cookies, b.Cookie)
		}
		from(limited, cookies[9]).MustPost("/logout")
		accounts := s.One("SELECT count(*) FROM users")
		for i := range 10 {
			b := from(limited, cookies[i]) // one of them of a session that was ended
			require.Equal(t, http.StatusTooManyRequests, signUp(b))
		}
		require.Equal(t, accounts, s.One("SELECT count(*) FROM users"))
		require.Equal(t, http.StatusSeeOther, signUp(from("198.51.100.8:1", "")), "another address")

		for i := range 10 {
			require.Equal(t, http.StatusSeeOther, signUp(from(fmt.Sprintf("[2001:db8:1:1%02x::1]:1", i), "")))
		}
		require.Equal(t, http.StatusTooManyRequests, signUp(from("[2001:db8:1:1ff::1]:1", "")), "the same /56")
		require.Equal(t, http.StatusSeeOther, signUp(from("[2001:db8:1:200::1]:1", "")), "another /56")
		for i := range 29 { // with ten and one before, that is what a /48 has
			code := signUp(from(fmt.Sprintf("[2001:db8:1:%x00::1]:1", i+3), ""))
			require.Equal(t, http.StatusSeeOther, code, i)
		}
		require.Equal(t, http.StatusTooManyRequests, signUp(from("[2001:db8:1:ff00::1]:1", "")), "the same /48")
		require.Equal(t, http.StatusSeeOther, signUp(from("[2001:db8:2:1::1]:1", "")), "another /48")
	})
}

// Calls that a subscriber's own limit refuses use up nothing of their neighbours'.
func TestOneSubscriberKeepsNoNeighbourOut(t *testing.T) {
	bothWays(t, func(t *testing.T, s *workertest.Site) {
		try := func(remote string) int {
			b := &workertest.Browser{Site: s, Header: http.Header{}, Remote: remote}
			return b.Post("/signup", "username", "").Code
		}
		codes := map[int]int{}
		for range 60 {
			codes[try("[2001:db8:1:100::1]:1")]++
		}
		require.Equal(t, map[int]int{http.StatusUnprocessableEntity: 10, http.StatusTooManyRequests: 50}, codes)
		require.Equal(t, http.StatusUnprocessableEntity, try("[2001:db8:1:200::1]:1"), "another /56 of the same /48")
	})
}

func TestGuessing(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, s *workertest.Site) {
		home := &workertest.Browser{Site: s, Header: http.Header{}, Remote: "192.0.2.200:1"}
		home.MustPost("/signup", "username", "ann", "password", "correct horse")
		try := func(remote, login, password string) (int, string) {
			b := &workertest.Browser{Site: s, Header: http.Header{"Accept": {"application/json"}}, Remote: remote}
			res := b.Post("/login", "login", login, "password", password)
			return res.Code, res.Body.String()
		}
		says := map[string]string{}
		for _, name := range []string{"ann", "nobody", "nobody@example.org"} {
			codes := map[int]int{}
			for i := range 30 {
				code, body := try(fmt.Sprintf("198.51.100.%d:1", i), name, "wrong horse")
				codes[code]++
				says[name] = body
			}
			require.Equal(t, map[int]int{http.StatusUnauthorized: 10, http.StatusTooManyRequests: 20}, codes, name)
		}
		for _, body := range says {
			require.Contains(t, body, "Too many tries to log in under this name.")
			require.Equal(t, says["ann"], body, "the same whether or not there is such an account")
		}

		res := (&workertest.Browser{Site: s, Header: http.Header{}, Remote: "203.0.113.1:1"}).Post("/login", "login", "ann", "password",
			"correct horse")
		require.Equal(t, http.StatusTooManyRequests, res.Code, "a guess that would be right is not looked at")
		wait, err := strconv.Atoi(res.Header().Get("Retry-After"))
		require.NoError(t, err)
		code, _ := try("192.0.2.200:9", "Ann", "correct horse")
		require.Equal(t, http.StatusOK, code, "where ann logged in before nobody keeps her out")
		s.Now = s.Now.Add(time.Duration(wait) * time.Second)
		code, _ = try("203.0.113.1:1", "ann", "correct horse")
		require.Equal(t, http.StatusOK, code, "and elsewhere for no longer than it says")
		code, _ = try("203.0.113.1:1", "ann", "wrong horse")
		require.Equal(t, http.StatusUnauthorized, code)

		t.Run("one network alone keeps nobody out", func(t *testing.T) {
			s.T = t
			s.Now = s.Now.Add(time.Hour)
			codes := map[int]int{}
			for range 15 {
				code, _ := try("198.51.100.7:1", "ann", "wrong horse")
				codes[code]++
			}
			require.Equal(t, map[int]int{http.StatusUnauthorized: 5, http.StatusTooManyRequests: 10}, codes)
			code, _ := try("203.0.113.2:1", "ann", "correct horse")
			require.Equal(t, http.StatusOK, code)
		})
	})
}

func TestUnknownAddresses(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Strict(s.Redis)
	unknown := func() *workertest.Browser {
		return &workertest.Browser{Site: s, Header: http.Header{}, Remote: "unknown"}
	}
	for i := range 12 {
		unknown().MustPost("/signup", "username", fmt.Sprint("user", i), "password", "correct horse")
	}
	codes := map[int]int{}
	for range 25 {
		codes[unknown().Post("/login", "login", "user1", "password", "wrong horse").Code]++
	}
	require.Equal(t, map[int]int{http.StatusUnauthorized: 10, http.StatusTooManyRequests: 15}, codes, "names are counted")
	unknown().MustPost("/login", "login", "user2", "password", "correct horse")
}

func TestSignInTexts(t *testing.T) {
	s := workertest.MustOpen(t)
	c := s.Config
	c.Redis = upstash.New(upstash.Options{URL: "http://127.0.0.1:1", Token: "x"})
	c.DB = data.NewDB(hrana.New(hrana.Options{URL: "http://127.0.0.1:1", Attempts: 1}))
	s.Restart(c)
	for _, path := range []string{"/signup", "/login"} {
		res := s.Visitor().Post(path, "username", "typed", "login", "typed", "password", "correct horse")
		require.Equal(t, http.StatusServiceUnavailable, res.Code)
		require.Contains(t, res.Body.String(), "The database can&#39;t be reached right now. Please try again in a moment.")
		require.Contains(t, res.Body.String(), `value="typed"`)
	}
}

// TestYoungLimits: somebody who is new has tighter limits, until the account is a week old or the karma is enough.
func TestYoungLimits(t *testing.T) {
	s := workertest.MustOpen(t)
	s.Strict(s.Redis)
	ann, root := s.Member("ann"), s.Admin("rita")
	tries := func(b *workertest.Browser, n int) (codes map[int]int, said string) {
		codes = map[int]int{}
		for range n {
			res := b.Post("/report", "user", "rita", "reason", "")
			if codes[res.Code]++; res.Code == http.StatusTooManyRequests {
				require.NotEmpty(t, res.Header().Get("Retry-After"))
				said = res.Body.String()
			}
		}
		return codes, said
	}
	codes, said := tries(ann, 12)
	require.Equal(t, map[int]int{http.StatusUnprocessableEntity: 10, http.StatusTooManyRequests: 2}, codes)
	require.Contains(t, said, "New members may report 10 times an hour. Please wait 66 minutes and try again. You are new until 28 November "+
		"2026, or until you have 20 karma.")
	id := data.ID(s.One("SELECT id FROM users WHERE username = 'ann'").(int64))
	s.Sql.ExecAt(id, "INSERT INTO author_karma (author_id, name_key, posts, comments) VALUES (?1, 'ann', 12, 8)", int64(id))
	codes, _ = tries(ann, 1)
	require.Equal(t, map[int]int{http.StatusUnprocessableEntity: 1}, codes)
	s.Sql.ExecAt(id, "DELETE FROM author_karma")
	codes, _ = tries(ann, 1)
	require.Equal(t, map[int]int{http.StatusTooManyRequests: 1}, codes)
	codes, _ = tries(root, 12)
	require.Equal(t, map[int]int{http.StatusUnprocessableEntity: 12}, codes, "an administrator")
	s.Now = s.Now.Add(8 * 24 * time.Hour)
	codes, said = tries(ann, 31)
	require.Equal(t, map[int]int{http.StatusUnprocessableEntity: 30, http.StatusTooManyRequests: 1}, codes)
	require.Contains(t, said, "That was a lot in a short time.")
}
