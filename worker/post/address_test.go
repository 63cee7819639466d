package post_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/test/workertest"
)

// TestTheAddressOfWhatWasRemoved holds pages to the ids of posts whose titles they don't show: the address of a post is
// made of its title's words.
func TestTheAddressOfWhatWasRemoved(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, cid, dan := s.Member("ann"), s.Member("ben"), s.Member("cid"), s.Member("dan")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "gardens")
	dan.MustPost("/follow", "user", "ben", "on", "1")
	const link = "https://example.org/shared"
	removed := ben.MustPost("/submit", "community", "gophers", "title", "Tall slander", "link", link)
	deleted := ben.MustPost("/submit", "community", "gophers", "title", "Quick regret", "text", "@dan should see this")
	ids := map[string]string{"removed": workertest.Targets(ben.Page(removed))[0], "deleted": workertest.Targets(ben.Page(deleted))[0]}
	said := map[string]string{}
	for what, id := range ids {
		cid.MustPost("/comment", "post", id, "body", "Seen by @dan, who likes gophers")
		dan.MustPost("/save", "target", id, "on", "1")
		cid.MustPost("/submit", "community", "gardens", "title", "Again "+what, "crosspost", id, "anyway", "1")
		said[id] = data.ID(s.One("SELECT id FROM comments WHERE post_id = ?1", int64(workertest.MustID(t, id))).(int64)).Text()
		dan.MustPost("/save", "target", said[id], "on", "1")
	}
	s.Deliver()
	ann.MustPost("/c/gophers/mod/decide", "target", ids["deleted"], "decision", "lock")
	ann.MustPost("/c/gophers/mod/decide", "target", said[ids["removed"]], "decision", "remove", "rule", "Spam")
	ann.MustPost("/c/gophers/mod/decide", "target", said[ids["removed"]], "decision", "approve")
	ann.MustPost("/c/gophers/mod/decide", "target", ids["removed"], "decision", "remove", "rule", "Spam")
	ben.MustPost("/delete", "target", ids["deleted"])
	s.Deliver()
	s.Now = s.Now.Add(data.MemberCacheTTL)

	for _, path := range []string{
		"/c/gophers/log", "/discussions?post=" + ids["removed"], "/discussions?post=" + ids["deleted"], "/discussions?url=" + link, "/u/ben",
		"/u/cid", "/u/cid/comments", "/u/ben/comments",
		"/", "/new", "/hot", "/top?t=all", "/comments?t=all", "/c/gophers", "/c/gophers/new", "/c/gophers/comments?t=all", "/c/gardens",
		"/c/gardens/p/again-removed",
		"/c/gardens/p/again-deleted", "/search?q=gophers", "/search?q=gophers&type=comments", "/saved", "/saved/comments", "/home", "/yours/new",
		"/inbox", "/inbox/mentions",
	} {
		for name, b := range map[string]*workertest.Browser{"visitor": s.Visitor(), "dan": dan} {
			for _, form := range []string{"", ".json", ".atom"} {
				before, after, _ := strings.Cut(path, "?")
				res := b.Get(before + form + "?" + after)
				for _, words := range []string{"tall-slander", "Tall slander", "quick-regret", "Quick regret"} {
					assert.NotContains(t, res.Body.String(), words, "%s: %s%s for %s", words, path, form, name)
				}
			}
		}
	}
	log := s.Visitor().Page("/c/gophers/log")
	require.Contains(t, log, `href="/p/`+ids["removed"]+`"`)
	require.Contains(t, log, `href="/p/`+ids["removed"]+`/`+said[ids["removed"]]+`"`)
	require.Contains(t, log, `href="/p/`+ids["deleted"]+`"`)

	t.Run("by its id it is found by those who may know it", func(t *testing.T) {
		for name, test := range map[string]struct {
			who            *workertest.Browser
			path, location string // "": not found
		}{
			"a visitor, of what was removed": {s.Visitor(), "/p/" + ids["removed"], ""},
			"a visitor, of a comment on it":  {s.Visitor(), "/p/" + ids["removed"] + "/" + said[ids["removed"]], ""},
			"a visitor, of what was deleted": {s.Visitor(), "/p/" + ids["deleted"], ""},
			"a member":                       {dan, "/p/" + ids["removed"], ""},
			"a member, of a comment on it":   {dan, "/p/" + ids["removed"] + "/" + said[ids["removed"]], ""},
			"its author":                     {ben, "/p/" + ids["removed"], removed},
			"a moderator":                    {ann, "/p/" + ids["removed"], removed},
			"who wrote the comment": {cid, "/p/" + ids["removed"] + "/" + said[ids["removed"]],
				removed + "/" + said[ids["removed"]]},
			"who wrote a comment elsewhere":      {cid, "/p/" + ids["removed"] + "/" + said[ids["deleted"]], ""},
			"who wrote the comment, of the post": {cid, "/p/" + ids["removed"], ""},
			"nobody, of a comment's id":          {ann, "/p/" + said[ids["removed"]], ""},
			"nobody, of an id that there isn't":  {ann, "/p/00000000000zw", ""},
			"nobody, of no id":                   {ann, "/p/x", ""},
			"a visitor, of a post that all may read": {s.Visitor(), "/p/" + workertest.Targets(s.Visitor().Page("/c/gardens/p/again-removed"))[0],
				"/c/gardens/p/again-removed"},
		} {
			res := test.who.Get(test.path)
			if test.location == "" {
				assert.Equal(t, http.StatusNotFound, res.Code, name)
				assert.NotContains(t, res.Body.String(), "slander", name)
				continue
			}
			assert.Equal(t, http.StatusFound, res.Code, name)
			assert.Equal(t, test.location, res.Header().Get("Location"), name)
		}
	})
	t.Run("what was approved again has its own address in the log", func(t *testing.T) {
		ann.MustPost("/c/gophers/mod/decide", "target", ids["removed"], "decision", "approve")
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), `href="`+removed+`"`)
	})
}

// TestAddresses posts titles of which an address is hard to make, twice each: every
// post gets an address of its own, that can be read and that leads to it.
func TestAddresses(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers", "title", "Gophers")
	readable := regexp.MustCompile(`^/c/gophers/p/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for title, begins := range map[string]string{
		"😀🎉🚀":                       "post",
		"日本語の投稿":                    "ri-ben-yu",
		"Привет, мир":               "privet-mir",
		"مرحبا بالعالم":             "mrhb",
		"한국어 게시물":                   "hangugeo",
		strings.Repeat("long ", 60): "long-long-long",
		strings.Repeat("ü", 300):    "uuuuu",
		"submit":                    "submit",
		"new":                       "new",
		"mod":                       "mod",
		"settings":                  "settings",
		"other":                     "other",
		"..":                        "post",
		"../../admin":               "admin",
		"%2e%2e/%00":                "2e-2e-00",
	} {
		for range 2 {
			to := ann.MustPost("/c/gophers/submit", "title", title, "text", "text", "anyway", "1")
			require.Regexp(t, readable, to, title)
			require.False(t, seen[to], "%s leads to two posts", to)
			seen[to] = true
			slug := to[strings.LastIndexByte(to, '/')+1:]
			require.True(t, strings.HasPrefix(slug, begins), "%q became %s", title, slug)
			require.LessOrEqual(t, len(slug), 64+4)
			res := s.Visitor().Get(to)
			require.Equal(t, http.StatusOK, res.Code, to)
		}
	}
}
