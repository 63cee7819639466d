package worker_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// An instance remembers a member's front page for some seconds. A change that the member makes shows on their next view all the same,
// whichever instance serves it.
func TestHomeShowsOnesOwnChangesAtOnce(t *testing.T) {
	s := workertest.MustOpen(t)
	other := workertest.OpenSite(t, s.Sql, s.Redis, 100)
	ann := s.Member("ann")
	phone := &device{s.Member("ben"), map[string]string{}}
	phone.cookies["__Host-session"] = phone.Cookie
	for _, name := range []string{"gophers", "cooks"} {
		ann.MustPost("/communities", "name", name)
		for i := range 30 {
			ann.MustPost("/submit", "community", name, "title", fmt.Sprintf("%s %02d", name, i), "text", "x")
		}
	}
	tick := func() { s.Now = s.Now.Add(20 * time.Second); other.Now = s.Now }
	tick()
	phone.act(s, "/subscribe", "community=gophers&on=1")
	for _, do := range []struct{ path, form, shows, not string }{
		{"/submit", "community=gophers&title=My+own+post&text=x", "My own post", "cooks 29"},
		{"/subscribe", "community=cooks&on=1", "cooks 29", ""},
		{"/submit", "community=cooks&title=My+other+post&text=x", "My other post", ""},
	} {
		tick()
		for _, instance := range []*workertest.Site{s, other} {
			page, _ := phone.see(instance, "/")
			require.False(t, strings.Contains(page, do.shows), "%v", do)
		}
		phone.act(s, do.path, do.form)
		for _, instance := range []*workertest.Site{s, other} {
			page, requests := phone.see(instance, "/")
			require.True(t, strings.Contains(page, do.shows), "%s after %v", do.shows, do)
			require.False(t, do.not != "" && strings.Contains(page, do.not), "%s after %v", do.not, do)
			require.LessOrEqual(t, requests, s.MaxPageRequests())
		}
	}
}

func TestHomeOnThreeDatabases(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	var shards []*hrana.Client
	for range 3 {
		shards = append(shards, stacktest.OpenSchema(t))
	}
	s.Config.DB = data.NewDB(s.Sql.Directory, shards...)
	s.Restart(s.Config)
	ann, ben := s.Member("ann"), s.Member("ben")
	for i := range 6 {
		name := fmt.Sprintf("community%d", i)
		ann.MustPost("/communities", "name", name)
		for j := range 7 {
			ann.MustPost("/submit", "community", name, "title", fmt.Sprintf("%s post %d", name, j), "text", "x")
		}
		if i > 0 {
			ben.MustPost("/subscribe", "community", name, "on", "1")
		}
	}
	s.Deliver()
	for _, order := range []string{"hot", "new"} {
		seen := map[string]int{}
		path := "/yours/" + order
		for path != "" {
			page := ben.Page(path)
			for _, m := range regexp.MustCompile(`>community\d post \d<`).FindAllString(page, -1) {
				seen[strings.Trim(m, "<>")]++
			}
			path = ""
			if m := regexp.MustCompile(`href="(/yours/` + order + `\?after=[\w-]+)"`).FindStringSubmatch(page); m != nil {
				path = m[1]
			}
		}
		for i := range 6 {
			for j := range 7 {
				require.Equal(t, i > 0, seen[fmt.Sprintf("community%d post %d", i, j)] == 1, "community%d post %d: %v", i, j, seen)
			}
		}
	}
	require.True(t, strings.Contains(s.Member("cid").Page("/"), "community5 post 6"), "a member of nothing gets the site's listing")
}
