package worker_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/stack"
	"plaza/test/stacktest"
	"plaza/test/workertest"
)

// TestBursts has many people write in the same moment, against a sqld of its own. Each write must be carried out: by day one small burst, by
// night many. By hand, in bursts and sizes of your choice:
//
//	PLAZA_BURSTS=300x32,100x160 go test ./worker -run TestBursts -v -timeout 60m
func TestBursts(t *testing.T) {
	t.Parallel()
	sizes := os.Getenv("PLAZA_BURSTS")
	kinds := []string{"comments", "saves", "mixed"}
	if sizes == "" {
		sizes = "3x32"
		if !stacktest.Night() { // one small burst of everything
			sizes, kinds = "1x8", kinds[2:]
		}
	}
	if kind := os.Getenv("PLAZA_BURSTS_OF"); kind != "" {
		kinds = []string{kind}
	}
	s, on := openBurstSite(t)
	for _, size := range strings.Split(sizes, ",") {
		var bursts, writes int
		_, err := fmt.Sscanf(size, "%dx%d", &bursts, &writes)
		require.NoError(t, err)
		for _, kind := range kinds {
			t.Run(fmt.Sprintf("%d bursts of %d %s are carried out", bursts, writes, kind), func(t *testing.T) {
				var slowest []time.Duration
				began := time.Now()
				for range bursts {
					slowest = append(slowest, on.burst(t, kind, writes))
				}
				slices.Sort(slowest)
				t.Logf("the slowest write of a burst took %v in the middle, %v at most; %.0f writes/s",
					slowest[len(slowest)/2], slowest[len(slowest)-1], float64(bursts*writes)/time.Since(began).Seconds())
			})
		}
	}
	assert.EqualValues(t, on.comments, s.One("SELECT count(*) FROM comments"))
}

// burstSite is a site to which members write in bursts.
type burstSite struct {
	*workertest.Site
	members  []*workertest.Browser
	posts    []string
	bursts   int
	comments int
}

func openBurstSite(t *testing.T) (*workertest.Site, *burstSite) {
	sqld, err := stack.StartSQLD(t.Context(), stack.SQLDOptions{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, sqld.Close()) })
	pool := http.DefaultTransport.(*http.Transport).Clone()
	pool.MaxIdleConnsPerHost = 256
	sql := hrana.New(hrana.Options{URL: sqld.URL, Token: sqld.Token, HTTP: &http.Client{Transport: pool}})
	stacktest.ApplySchema(t, sql)
	s := workertest.OpenOn(t, sql, stacktest.OpenRedis(t), 1_000_000)
	s.Config.Source = data.SystemSource()
	s.Restart(s.Config)
	on := &burstSite{Site: s}
	for i := range 8 {
		on.members = append(on.members, s.Member(fmt.Sprintf("member%d", i)))
	}
	s.Member("reader")
	on.members[0].MustPost("/communities", "name", "bursts", "title", "Bursts")
	for i := range 12 {
		on.members[0].MustPost("/c/bursts/submit", "title", fmt.Sprintf("Post %d", i), "text", "To be answered.")
	}
	on.posts = workertest.Targets(on.members[0].Page("/c/bursts/new"))
	return s, on
}

// write is the nth write of a burst: where it goes and what it says.
func (on *burstSite) write(kind string, n int) (path string, fields url.Values) {
	post := on.posts[n%len(on.posts)]
	flip := fmt.Sprint(on.bursts % 2)
	switch kind {
	case "comments":
		return "/comment", url.Values{"post": {post}, "body": {fmt.Sprintf("Comment %d of burst %d.", n, on.bursts)}}
	case "saves":
		return "/save", url.Values{"target": {post}, "on": {flip}}
	}
	switch n % 8 {
	case 0, 1:
		return on.write("comments", n)
	case 2:
		return on.write("saves", n)
	case 3:
		return "/hide", url.Values{"target": {post}, "on": {flip}}
	case 4:
		return "/subscribe", url.Values{"community": {"bursts"}, "on": {flip}}
	case 5:
		return "/follow", url.Values{"user": {"reader"}, "on": {flip}}
	case 6:
		return "/c/bursts/submit", url.Values{"title": {fmt.Sprintf("Post %d of burst %d", n, on.bursts)}, "text": {"Made in a crowd."}}
	}
	return "/vote", url.Values{"target": {post}, "value": {flip}}
}

// burst has that many writes come at once, and returns how long the slowest took.
func (on *burstSite) burst(t *testing.T, kind string, writes int) time.Duration {
	on.bursts++
	var all sync.WaitGroup
	var mu sync.Mutex
	slowest := time.Duration(0)
	for n := range writes {
		path, fields := on.write(kind, n)
		if path == "/comment" {
			on.comments++
		}
		r := httptest.NewRequest(http.MethodPost, "https://plaza.example"+path, strings.NewReader(fields.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Cookie", "__Host-session="+on.members[(n/len(on.posts))%len(on.members)].Cookie)
		all.Go(func() {
			began := time.Now()
			w := httptest.NewRecorder()
			on.App.ServeHTTP(w, r)
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			slowest = max(slowest, took)
			assert.Equal(t, http.StatusOK, w.Code, "%s after %v: %s", path, took, w.Body)
		})
	}
	all.Wait()
	return slowest
}
