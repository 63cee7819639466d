package worker_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/pace/deadline"
	"plaza/test/workertest"
	"plaza/worker/request"
)

var nextPage = regexp.MustCompile(`rel="next" href="([^"]*)"`)

// merged is a page that merges what all shards have.
type merged struct {
	address string
	b       *workertest.Browser
	words   string // of what it lists, as a pattern that begins with its community
	gaps    bool   // it knows the places of posts without their shards, and leaves those of missing posts empty
}

// page returns what the page lists, in its order, and the address of the following one; "" on the last.
func (m *merged) page(t *testing.T, address string) (list []string, next string, html string) {
	t.Helper()
	res := m.b.Get(address)
	require.Equal(t, http.StatusOK, res.Code, "%s\n%s", address, res.Body)
	html = res.Body.String()
	list, next = m.listOf(html)
	return list, next, html
}

// listOf returns what a page lists, in its order, and the address of the following one; "" on the last.
func (m *merged) listOf(html string) (list []string, next string) {
	for _, words := range regexp.MustCompile(m.words).FindAllString(html, -1) {
		if !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	if found := nextPage.FindStringSubmatch(html); found != nil {
		next = strings.ReplaceAll(found[1], "&amp;", "&")
	}
	return list, next
}

// rest returns all that the page and those that follow list.
func (m *merged) rest(t *testing.T, address string) (all []string) {
	t.Helper()
	for address != "" {
		list, next, html := m.page(t, address)
		require.NotContains(t, html, lacks)
		all, address = append(all, list...), next
	}
	return all
}

const lacks = "What was posted there is missing."

// openMerged is a site with posts and comments on three shards: in the community gophers, whose shard fails, and in two others.
func openMerged(t *testing.T) (a *outageSite, pages []merged, member *workertest.Browser) {
	a = openOutage(t)
	ann, ben, judy := a.Member("ann"), a.Member("ben"), a.Member("judy")
	a.Exec("UPDATE users SET admin = 1 WHERE username = 'judy'")
	communities := []string{"gophers", "gardens", "birds"}
	for i, name := range communities {
		a.chosen = uint32(i)
		ann.MustPost("/communities", "name", name)
		ben.MustPost("/subscribe", "community", name, "on", "1")
	}
	ben.Page("/") // who is seen has a timeline
	ben.MustPost("/follow", "user", "ann", "on", "1")
	a.consume()
	for i := range 20 {
		for _, name := range communities {
			ann.MustPost("/submit", "community", name, "title", fmt.Sprintf("%s-%02d", name, i), "text", "words", "tags", "things")
			id := data.ID(a.One("SELECT id FROM posts WHERE title = ?1", fmt.Sprintf("%s-%02d", name, i)).(int64)).Text()
			said := ann.MustPost("/comment", "post", id, "body", fmt.Sprintf("%s-says-%02d", name, i))
			comment := said[strings.LastIndexAny(said, "/#")+1:]
			ben.MustPost("/save", "target", id, "on", "1")
			ben.MustPost("/save", "target", strings.TrimPrefix(comment, "c-"), "on", "1")
			ben.MustPost("/report", "target", id, "reason", "Spam")
			ann.MustPost("/c/"+name+"/submit", "title", fmt.Sprintf("%s-draft-%02d", name, i), "text", "x", "status", "draft")
		}
	}
	for range 8 { // timelines are filled in steps
		a.minute()
	}
	a.Visitor().Page("/hot") // which has the set made anew
	a.consume()
	const posts, comments, drafts = `(gophers|gardens|birds)-\d\d`, `(gophers|gardens|birds)-says-\d\d`, `(gophers|gardens|birds)-draft-\d\d`
	for _, address := range []string{"/new", "/top?t=all", "/active", "/comments?t=all", "/tag/things", "/tag/things/new", "/u/ann?sort=new", "/search?q=words&sort=new",
		"/search?q=words"} {
		pages = append(pages, merged{address: address, b: a.Visitor(), words: posts}, merged{address: address, b: ben, words: posts})
	}
	for _, address := range []string{"/", "/yours/hot", "/yours/new", "/yours/active", "/saved"} {
		pages = append(pages, merged{address: address, b: ben, words: posts})
	}
	return a, append(pages, merged{address: "/hot", b: a.Visitor(), words: posts}, merged{address: "/hot", b: ben, words: posts},
		merged{address: "/home", b: ben, words: posts, gaps: true}, merged{address: "/u/ann/comments", b: ben, words: comments},
		merged{address: "/saved/comments", b: ben, words: comments}, merged{address: "/drafts", b: ann, words: drafts},
		merged{address: request.AllQueuesURL, b: ann, words: posts}, merged{address: request.AllQueuesURL, b: judy, words: posts}), ben
}

// TestMergedPagesWithoutAShard has one of three shards not answer. Pages that merge several shards are made of the others and say so. When
// the shard is back, the next page begins exactly behind the last one, and no instance remembers a page that lacks posts.
func TestMergedPagesWithoutAShard(t *testing.T) {
	t.Parallel()
	a, pages, member := openMerged(t)
	whole := map[int][]string{}
	a.bubble(t, func(t *testing.T) {
		for i := range pages {
			whole[i] = pages[i].rest(t, pages[i].address)
			require.Len(t, whole[i], 60, pages[i].address)
		}
	})
	ofGophers := func(words string) bool { return strings.HasPrefix(words, "gophers") }
	for how, name := range map[loss]string{refused: "refused", hangs: "hangs"} {
		for i, m := range pages {
			a.run(t, fmt.Sprint(name, m.address, i), func(t *testing.T) {
				a.instance()
				a.shard.failsAtCall(1, how)
				shown, next, html := m.page(t, m.address)
				require.Contains(t, html, lacks)
				others := slices.DeleteFunc(slices.Clone(whole[i]), ofGophers)
				if m.gaps {
					others = slices.DeleteFunc(slices.Clone(whole[i][:25]), ofGophers)
				}
				require.Equal(t, others[:min(len(others), 25)], shown)
				require.NotEmpty(t, next)

				a.shard.returns()
				if how == hangs { // what hung is refused for a while
					a.instance()
				}
				place := slices.Index(whole[i], shown[len(shown)-1]) + 1
				if m.gaps {
					place = 25
				}
				require.Equal(t, whole[i][place:], m.rest(t, next))
				require.Equal(t, whole[i], m.rest(t, m.address))
			})
		}
	}
	a.run(t, "the last page without the shard is followed by what the shard has", func(t *testing.T) {
		for i, m := range pages {
			a.instance()
			a.shard.failsAtCall(1, refused)
			_, next, _ := m.page(t, m.address)
			shown, next, _ := m.page(t, next)
			require.NotEmpty(t, next, m.address)
			a.shard.returns()
			if !m.gaps {
				place := slices.Index(whole[i], shown[len(shown)-1]) + 1
				require.Equal(t, whole[i][place:], append([]string{}, m.rest(t, next)...), m.address)
			}
		}
	})
	a.run(t, "visitors' pages are kept for a moment only, and JSON says that something is missing", func(t *testing.T) {
		a.instance()
		a.shard.failsAtCall(1, refused)
		require.Equal(t, "public, max-age=0, s-maxage=2, stale-if-error=0", a.Visitor().Get("/new").Header().Get("Cache-Control"))
		require.Contains(t, a.Visitor().Page("/new.json"), `"partial":true`)
		require.Contains(t, a.Visitor().Page("/tags"), lacks)
		require.Contains(t, a.Visitor().Page("/discussions?url=https://example.com/"), lacks)
		a.shard.returns()
		require.Contains(t, a.Visitor().Get("/new").Header().Get("Cache-Control"), "s-maxage=10")
		require.Contains(t, a.Visitor().Page("/new.json"), `"partial":false`)
		require.NotContains(t, a.Visitor().Page("/tags"), lacks)
	})
	a.run(t, "what one instance remembers is not shown without what its member has done with it", func(t *testing.T) {
		other := a.Member("other")
		a.Now = a.Now.Add(time.Minute) // after which what others have read serves them too
		a.instance()
		require.NotContains(t, member.Page("/new"), lacks)
		a.shard.failsAtCall(1, refused)
		page := other.Page("/new")
		require.Contains(t, page, lacks)
		require.NotContains(t, page, "gophers-19")
		require.Contains(t, page, "gardens-19")
		require.NotContains(t, page, "gardens-10", "it is the page that the instance remembers")
		a.shard.returns()
	})
	a.run(t, "pages of a community of the shard fail, and so do sitemaps, which search engines would take for whole", func(t *testing.T) {
		a.instance()
		a.shard.failsAtCall(1, refused)
		for _, address := range []string{"/c/gophers", "/c/gophers/new", "/search?q=words&community=gophers", "/sitemap.xml"} {
			res := a.Visitor().Get(address)
			require.Equal(t, http.StatusServiceUnavailable, res.Code, address)
			require.NotEmpty(t, res.Header().Get("Retry-After"))
		}
		require.NotContains(t, a.Visitor().Page("/c/gardens"), lacks)
		a.shard.returns()
	})
	a.run(t, "what is missing is named, the largest community first", func(t *testing.T) {
		a.Exec("UPDATE communities SET members = 90 WHERE name = 'gophers'")
		a.chosen = 0
		member.MustPost("/communities", "name", "small_gophers")
		a.chosen = 3
		note := func() string {
			a.instance()
			a.shard.failsAtCall(1, refused)
			defer a.shard.returns()
			return html.UnescapeString(regexp.MustCompile(`[^>]*` + lacks).FindString(a.Visitor().Page("/new")))
		}
		require.Equal(t, "c/gophers, c/small_gophers can't be reached right now. "+lacks, note())
		a.chosen = 0
		for i := range 4 {
			member.MustPost("/communities", "name", fmt.Sprint("others", i))
		}
		a.chosen = 3
		require.Regexp(t, "^c/gophers, (c/[a-z_0-9]+, ){3}c/[a-z_0-9]+ and others can't be reached right now. "+lacks, note())
	})
	a.run(t, "a member of no other communities is not shown those of the site", func(t *testing.T) {
		zoe := a.Member("zoe")
		zoe.MustPost("/subscribe", "community", "gophers", "on", "1")
		a.instance()
		a.shard.failsAtCall(1, refused)
		page := zoe.Page("/")
		require.Contains(t, page, "The other communities have nothing here.")
		require.NotContains(t, page, "gardens-19")
		a.shard.returns()
	})
	a.run(t, "a shard that takes calls and never answers is waited for briefly, by three pages, and not by those after them", func(t *testing.T) {
		a.shard.failsAtCall(1, stalls)
		defer a.shard.returns()
		for _, address := range []string{"/", "/new", "/u/ann", "/search?q=words", "/saved", "/top", "/tags"} {
			before, began := a.shard.calls(), time.Now()
			require.Contains(t, member.Page(address), lacks, address)
			took := time.Since(began)
			t.Log(address, took, a.shard.calls()-before, "calls")
			require.LessOrEqual(t, took, deadline.Optional, address)
		}
		require.LessOrEqual(t, a.shard.calls(), 5, "once it has let three wait, it is asked every two seconds")
	})
}
