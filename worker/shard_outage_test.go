package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// TestAShardUnavailableAtEveryStep makes one of three shards fail at each of its calls during actions that concern several databases. What
// the site confirmed is done in the directory or on the post's shard. When the shard is back and the retry job has run, everything agrees:
// `verify` finds nothing.
func TestAShardUnavailableAtEveryStep(t *testing.T) {
	t.Parallel()
	a := openOutage(t)
	admin, ann := a.Member("judy"), a.Member("ann")
	a.Exec("UPDATE users SET admin = 1 WHERE username = 'judy'")
	a.chosen = 0
	ann.MustPost("/communities", "name", "gophers") // on the shard that fails
	a.chosen = 1
	ann.MustPost("/communities", "name", "gardens")
	members := map[string]*workertest.Browser{}
	someone := func(what string, n int) (*workertest.Browser, string) { // who has written on two shards
		name := fmt.Sprintf("%s%d", what, n)
		if members[name] == nil {
			b := a.Member(name)
			for _, community := range []string{"gophers", "gardens"} {
				b.MustPost("/submit", "community", community, "title", "Of "+name, "text", "x")
			}
			members[name] = b
		}
		return members[name], name
	}
	status := func(name string) any { return a.One("SELECT status FROM users WHERE username = ?1", name) }
	judge := func(name, decision string) int {
		return admin.Post("/admin/users", "user", name, "decision", decision, "rule", "Spam").Code
	}
	post := func(b *workertest.Browser, community, title string) data.ID {
		b.MustPost("/submit", "community", community, "title", title, "text", "x")
		return data.ID(a.One("SELECT id FROM posts WHERE title = ?1", title).(int64))
	}
	crossposted := map[string]data.ID{}
	for _, of := range []struct {
		what    string
		prepare func(what string, n int)
		do      func(what string, n int) int
		is      func(what string, n int) bool // done, by what the directory says
	}{
		{"block", nil,
			func(what string, n int) int {
				_, name := someone(what, n)
				return ann.Post("/block", "user", name, "on", "1").Code
			},
			func(what string, n int) bool {
				_, name := someone(what, n)
				return strings.Contains(ann.Page("/settings/blocked"), `href="/u/`+name+`"`)
			}},
		{"unblock", func(what string, n int) {
			_, name := someone(what, n)
			ann.MustPost("/block", "user", name, "on", "1")
		},
			func(what string, n int) int {
				_, name := someone(what, n)
				return ann.Post("/block", "user", name, "on", "0").Code
			},
			func(what string, n int) bool {
				_, name := someone(what, n)
				return !strings.Contains(ann.Page("/settings/blocked"), `href="/u/`+name+`"`)
			}},
		{"rename", nil,
			func(what string, n int) int {
				b, name := someone(what, n)
				return b.Post("/settings/account/name", "username", "new_"+name).Code
			},
			func(what string, n int) bool { return status(fmt.Sprintf("new_%s%d", what, n)) == "active" }},
		{"avatar", nil,
			func(what string, n int) int {
				b, _ := someone(what, n)
				return b.Post("/settings", "letter", "Q").Code
			}, nil},
		{"follow", nil,
			func(what string, n int) int {
				_, name := someone(what, n)
				return ann.Post("/follow", "user", name, "on", "1").Code
			},
			func(what string, n int) bool {
				_, name := someone(what, n)
				return a.One("SELECT followers FROM users WHERE username = ?1", name) == int64(1)
			}},
		{"suspend", nil,
			func(what string, n int) int {
				_, name := someone(what, n)
				return judge(name, "suspend")
			},
			func(what string, n int) bool {
				b, name := someone(what, n)
				return status(name) == "suspended" && b.Post("/subscribe", "community", "gardens", "on", "1").Code == http.StatusUnauthorized
			}},
		{"restore", func(what string, n int) {
			_, name := someone(what, n)
			require.Equal(t, http.StatusSeeOther, judge(name, "suspend"))
		},
			func(what string, n int) int {
				_, name := someone(what, n)
				return judge(name, "restore")
			},
			func(what string, n int) bool {
				b, name := someone(what, n)
				b.MustPost("/login", "login", name, "password", "correct horse")
				return status(name) == "active"
			}},
		{"found", func(string, int) { a.chosen = 0 },
			func(what string, n int) int {
				return ann.Post("/communities", "name", fmt.Sprintf("%s%d", what, n)).Code
			},
			func(what string, n int) bool {
				return len(a.Sql.Rows("SELECT 1 FROM communities WHERE name = ?1", fmt.Sprintf("%s%d", what, n))) > 0
			}},
		{"change", nil,
			func(what string, n int) int {
				return ann.Post("/c/gophers/settings", "title", fmt.Sprint(what, n), "colour", "#b3261e", "revision", "any").Code
			},
			func(what string, n int) bool {
				return a.One("SELECT title FROM communities WHERE name = 'gophers' ORDER BY revision DESC LIMIT 1") != nil
			}},
		{"log out", nil,
			func(what string, n int) int {
				b, _ := someone(what, n)
				was := *b // whose cookie somebody has copied
				members["copy of "+fmt.Sprint(what, n)] = &was
				return b.Post("/logout").Code
			},
			func(what string, n int) bool {
				return members["copy of "+fmt.Sprint(what, n)].Post("/subscribe", "community", "gardens", "on", "1").Code == http.StatusUnauthorized
			}},
		{"password", func(what string, n int) {
			b, _ := someone(what, n)
			b.MustPost("/login", "login", fmt.Sprint(what, n), "password", "correct horse")
			was := *b
			members["copy of "+fmt.Sprint(what, n)] = &was
		},
			func(what string, n int) int {
				b, _ := someone(what, n)
				return b.Post("/settings/account/password", "password", "battery staple horse").Code
			},
			func(what string, n int) bool {
				return members["copy of "+fmt.Sprint(what, n)].Post("/subscribe", "community", "gardens", "on", "1").Code == http.StatusUnauthorized
			}},
		{"delete", func(what string, n int) { // what is shown again on the shard that fails
			b, name := someone(what, n)
			id := post(b, "gardens", "Original "+name)
			b.MustPost("/submit", "community", "gophers", "title", "Again "+name, "crosspost", id.Text())
			crossposted[name] = id
		},
			func(what string, n int) int {
				b, name := someone(what, n)
				return b.Post("/delete", "target", crossposted[name].Text()).Code
			},
			func(what string, n int) bool {
				_, name := someone(what, n)
				return a.One("SELECT status FROM posts WHERE id = ?1", int64(crossposted[name])) == "deleted"
			}},
		{"retitle", func(what string, n int) {
			b, name := someone(what, n)
			a.chosen = 1
			b.MustPost("/post", "text", "Original "+name)
			crossposted[name] = data.ID(a.One("SELECT id FROM posts WHERE title = ?1", "Original "+name).(int64))
			b.MustPost("/submit", "community", "gophers", "title", "Again "+name, "crosspost", crossposted[name].Text())
		},
			func(what string, n int) int {
				b, name := someone(what, n)
				return b.Post("/edit", "target", crossposted[name].Text(), "text", "Changed "+name, "short", "1", "revision", "0").Code
			},
			func(what string, n int) bool {
				_, name := someone(what, n)
				return a.One("SELECT title FROM posts WHERE id = ?1", int64(crossposted[name])) == "Changed "+name
			}},
	} {
		t.Run(of.what, func(t *testing.T) {
			steps := 0
			what := strings.ReplaceAll(of.what, " ", "_")
			// step has the shard fail at a call, and tells whether there was that call.
			step := func(at int, how loss) bool {
				steps++
				someone(what, steps)
				if of.prepare != nil {
					of.prepare(what, steps)
				}
				a.recoverShard()
				a.shard.failsAtCall(at, how)
				require.Equal(t, http.StatusSeeOther, of.do(what, steps), "step %d, %d", at, how)
				a.consume()
				wasUnavailable := a.shard.unavailable
				if of.is != nil {
					require.True(t, of.is(what, steps), "while the shard is unavailable, step %d, %d", at, how)
				}
				if wasUnavailable {
					a.minute()
				}
				a.recoverShard()
				return wasUnavailable
			}
			for at := 1; step(at, lost); at++ {
				if stacktest.Night() || at%3 == 1 {
					require.True(t, step(at, hangs), "the calls before are the same")
				}
				if stacktest.Night() { // what never arrives is the simplest to lose
					require.True(t, step(at, refused), "the calls before are the same")
				}
			}
			// Each step has members or titles of its own, and no step leaves work to a later one. So what was wrong still is.
			a.Verified()
			t.Log(steps, "steps")
			require.Greater(t, steps, 2, "the shard has a part in it")
		})
	}
}

// TestCopiesInterruptedAtEveryStep ends instances at each of their calls during actions that concern several databases. When the retry job
// has run, each action is done everywhere or nowhere.
func TestCopiesInterruptedAtEveryStep(t *testing.T) {
	t.Parallel()
	m := openMortalOn(t, 3)
	m.instance(&fate{})
	judy, ann := m.Member("judy"), m.Member("ann")
	m.Exec("UPDATE users SET admin = 1 WHERE username = 'judy'")
	ann.MustPost("/communities", "name", "gophers")
	members := map[string]*workertest.Browser{}
	someone := func(what string, n int) string {
		name := fmt.Sprintf("%s%d", what, n)
		if members[name] == nil {
			members[name] = m.Member(name)
		}
		return name
	}
	judge := func(name, decision string) {
		judy.Post("/admin/users", "user", name, "decision", decision, "rule", "Spam")
	}
	for what, of := range map[string]struct{ prepare, do func(name string, n int) }{
		"block": {nil, func(name string, _ int) { ann.Post("/block", "user", name, "on", "1") }},
		"unblock": {func(name string, _ int) { ann.MustPost("/block", "user", name, "on", "1") },
			func(name string, _ int) { ann.Post("/block", "user", name, "on", "0") }},
		"suspend": {nil, func(name string, _ int) { judge(name, "suspend") }},
		"restore": {func(name string, _ int) { judge(name, "suspend") }, func(name string, _ int) { judge(name, "restore") }},
		"found":   {nil, func(_ string, n int) { ann.Post("/communities", "name", fmt.Sprint("founded", n)) }},
		"change": {nil, func(_ string, n int) {
			ann.Post("/c/gophers/settings", "title", fmt.Sprint("Gophers ", n), "colour", "#b3261e", "revision", "any")
		}},
		"profile": {nil, func(name string, _ int) { members[name].Post("/post", "text", "Hello") }},
		"log out": {nil, func(name string, _ int) { members[name].Post("/logout") }},
		"password": {nil, func(name string, _ int) {
			members[name].Post("/settings/account/password", "password", "battery staple horse")
		}},
	} {
		t.Run(what, func(t *testing.T) {
			word := strings.ReplaceAll(what, " ", "_")
			steps := m.crashes(crashing{lose: true,
				prepare: func(n int) {
					if name := someone(word, n); of.prepare != nil {
						of.prepare(name, n)
					}
				},
				do: func(n int) { of.do(someone(word, n), n) }})
			m.recover()
			m.Verified()
			require.Greater(t, steps, 3)
		})
	}
}
