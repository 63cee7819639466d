package inbox_test

import (
	"context"
	"html"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/hrana"
	"plaza/test/workertest"
)

// formIn are the fields of the first form of a page that has a button of this label, and its address. A button may name its own.
func formIn(t *testing.T, page, label string) (action string, fields []string) {
	t.Helper()
	own := regexp.MustCompile(`<button form="do" formaction="([^"]*)"[^>]* name="([^"]*)" value="([^"]*)">` + label).FindStringSubmatch(page)
	if own != nil {
		return html.UnescapeString(own[1]), own[2:]
	}
	for _, form := range regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>`).FindAllStringSubmatch(page, -1) {
		button := regexp.MustCompile(`<button(?: name="([^"]*)" value="([^"]*)")?[^>]*>` + label).FindStringSubmatch(form[2])
		if button == nil {
			continue
		}
		for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(form[2], -1) {
			fields = append(fields, m[1], html.UnescapeString(m[2]))
		}
		if button[1] != "" {
			fields = append(fields, button[1], button[2])
		}
		return html.UnescapeString(form[1]), fields
	}
	t.Fatalf("no form with a button %q", label)
	return "", nil
}

func TestInbox(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, bob := s.Member("ann"), s.Member("bob")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	later := func() { s.Now = s.Now.Add(10 * time.Second) } // after which an instance remembers nothing of its members

	t.Run("an answer shows in the header of the next page, and in the inbox", func(t *testing.T) {
		require.Equal(t, "", workertest.Unread(ann.Page("/")))
		bob.MustPost("/comment", "post", post, "body", "Well *said*, @ann & all")
		s.Deliver()
		later()
		require.Equal(t, "1", workertest.Unread(ann.Page("/")))
		page := ann.Page("/inbox")
		require.Contains(t, page, `<strong>bob</strong> replied in A post</a>`)
		require.Contains(t, page, `<p class="ex">Well said, @ann &amp; all</p>`)
		require.Equal(t, "", workertest.Unread(bob.Page("/")))
	})
	link := regexp.MustCompile(`href="(/c/gophers/p/a-post/[0-9a-z]{13})"`).FindStringSubmatch(ann.Page("/inbox"))[1]
	t.Run("a page that the browser asks for in advance marks nothing", func(t *testing.T) {
		r := ann.Request(link)
		r.Header.Set("Sec-Purpose", "prefetch;prerender")
		require.Equal(t, http.StatusOK, ann.Send(r).Code)
		later()
		require.Equal(t, "1", workertest.Unread(ann.Page("/")))
	})
	t.Run("its page marks it as read, for all devices", func(t *testing.T) {
		other := &workertest.Browser{Site: s, Cookie: ann.Cookie, Header: http.Header{}}
		require.Equal(t, "1", workertest.Unread(other.Page("/")))
		ctx, meter := hrana.WithMeter(context.Background())
		res := ann.Send(ann.Request(link).WithContext(ctx))
		require.Equal(t, "", workertest.Unread(res.Body.String()), "the page itself counts it as read")
		require.LessOrEqual(t, meter.Requests(), s.MaxPageRequests()+1, "and one after the answer")
		require.NotEmpty(t, res.Header().Values("Set-Cookie"), "other instances are told")
		require.Equal(t, "", workertest.Unread(ann.Page("/")))
		later()
		require.Equal(t, "", workertest.Unread(other.Page("/")))
		require.Equal(t, int64(0), s.One("SELECT unread FROM inbox"))
	})
	t.Run("what is deleted is gone from the inbox", func(t *testing.T) {
		to := bob.MustPost("/comment", "post", post, "body", "Oops")
		s.Deliver()
		require.Contains(t, ann.Page("/inbox"), "Oops")
		bob.MustPost("/delete", "target", regexp.MustCompile(`[0-9a-z]{13}$`).FindString(to))
		s.Deliver()
		require.NotContains(t, ann.Page("/inbox"), "Oops")
		later()
		require.Equal(t, "", workertest.Unread(ann.Page("/")))
	})
	t.Run("one thing, a thread and everything are marked as read", func(t *testing.T) {
		second := ann.MustPost("/submit", "community", "gophers", "title", "Another", "text", "ask @bob")
		for _, of := range []string{post, post, workertest.Targets(ann.Page(second))[0], workertest.Targets(ann.Page(second))[0]} {
			bob.MustPost("/comment", "post", of, "body", "Hello")
		}
		s.Deliver()
		for _, tt := range []struct{ label, remaining string }{{"Mark as read", "3"}, {"Mark thread as read", "1"}, {"Mark all read", ""}} {
			action, fields := formIn(t, ann.Page("/inbox/unread"), tt.label)
			ann.MustPost(action, fields...)
			require.Equal(t, tt.remaining, workertest.Unread(ann.Page("/")), tt.label)
		}
		require.Contains(t, ann.Page("/inbox/unread"), "No unread messages.")
		require.Contains(t, ann.Page("/inbox/replies"), "Hello")
		require.NotContains(t, ann.Page("/inbox/mentions"), "Hello")
	})
	t.Run("everything that was marked as read at once is made unread again", func(t *testing.T) {
		for range 2 {
			bob.MustPost("/comment", "post", post, "body", "Once more")
		}
		s.Deliver()
		action, fields := formIn(t, ann.Page("/inbox"), "Mark as read")
		ann.MustPost(action, fields...)
		action, fields = formIn(t, ann.Page("/inbox"), "Mark all read")
		page := ann.Page(ann.MustPost(action, fields...))
		require.Equal(t, "", workertest.Unread(page))
		require.Contains(t, page, "All read.")
		action, fields = formIn(t, page, "Undo")
		page = ann.Page(ann.MustPost(action, fields...))
		require.Equal(t, "1", workertest.Unread(page), "what was read before stays read")
		require.NotContains(t, page, "All read.")
		require.Equal(t, http.StatusUnprocessableEntity, ann.Post("/inbox/unread", "newest", "?").Code)
	})
	t.Run("what is answered in the inbox is read", func(t *testing.T) {
		to := regexp.MustCompile(`(?s)<li class="unread">.*?href="(/reply\?to=[0-9a-z]{13})"`).FindStringSubmatch(ann.Page("/inbox"))[1]
		require.Contains(t, ann.WithHeader("HX-Request", "true").Page(to), "<textarea")
		ann.Header.Del("HX-Request")
		require.Equal(t, "", workertest.Unread(ann.Page("/")))
		require.NotContains(t, ann.Page("/inbox"), "All read.")
	})
	t.Run("a mention in a post is read with the post", func(t *testing.T) {
		require.Equal(t, "1", workertest.Unread(bob.Page("/")))
		require.Contains(t, bob.Page("/inbox/mentions"), "mentioned you in Another")
		bob.Page("/c/gophers/p/another")
		require.Equal(t, "", workertest.Unread(bob.Page("/")))
	})
	t.Run("what a member is notified of right after a page is read when they open it", func(t *testing.T) {
		s := workertest.MustOpen(t)
		ann, bob, cat := s.Member("ann"), s.Member("bob"), s.Member("cat")
		ann.MustPost("/communities", "name", "gophers")
		ann.MustPost("/submit", "community", "gophers", "title", "First", "text", "Hello @bob")
		spam := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "Spam", "text", "buy")))[0]
		cat.MustPost("/report", "target", spam, "reason", "Spam")
		s.Deliver()
		unread := func(b *workertest.Browser) string { return workertest.Unread(b.Page("/")) }
		later := func() { s.Now = s.Now.Add(10 * time.Second) }
		later()
		require.Equal(t, "1", unread(bob))
		require.Equal(t, "", unread(cat))
		ann.MustPost("/submit", "community", "gophers", "title", "Second", "text", "Hello again, @BOB and u/cat")
		s.Deliver()
		bob.Page("/c/gophers/p/second")
		cat.Page("/c/gophers/p/second")
		later()
		require.Equal(t, "1", unread(bob), "the first one")
		require.Equal(t, "", unread(cat))
		ann.MustPost("/c/gophers/mod/queue", "target", spam, "decision", "remove", "rule", "Spam")
		s.Deliver()
		cat.Page("/report?target=" + spam)
		later()
		require.Equal(t, "", unread(cat))
	})
	t.Run("a thread is not asked about after the answer where the member's state says that nothing about its post is unread", func(t *testing.T) {
		s := workertest.MustOpen(t)
		ann, bob := s.Member("ann"), s.Member("bob")
		ann.MustPost("/communities", "name", "gophers")
		ann.MustPost("/submit", "community", "gophers", "title", "About bob", "text", "Hello @bob")
		ann.MustPost("/submit", "community", "gophers", "title", "Another", "text", "x")
		s.Deliver()
		var after []func(context.Context)
		s.Config.Background = func(_ context.Context, task func(context.Context)) { after = append(after, task) }
		s.Restart(s.Config)
		asked := func(path string) int64 {
			s.Now = s.Now.Add(10 * time.Second)
			bob.Page(path)
			ctx, meter := hrana.WithMeter(context.Background())
			for _, task := range after {
				task(ctx)
			}
			after = nil
			return meter.Requests()
		}
		asked("/c/gophers/p/another") // notes that they were here, and the visit
		require.Equal(t, "1", workertest.Unread(bob.Page("/")))
		require.Zero(t, asked("/c/gophers/p/another"))
		// All others are about newer things, so that the member's state has no room for this one.
		id := s.One("SELECT id FROM users WHERE username = 'bob'")
		s.Exec(`INSERT INTO inbox (user_id, kind, subject_id, post_id, community_name, slug, title, excerpt, created_at)
  SELECT ?1, 'mention', (SELECT max(subject_id) FROM inbox) + 2 * j.value, 2, 'gophers', 'x', 'X', '', 1
  FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]') j`, id)
		require.NotZero(t, asked("/c/gophers/p/about-bob"))
		require.Equal(t, int64(20), s.One("SELECT unread FROM users WHERE id = ?1", id))
		require.Zero(t, s.One("SELECT count(*) FROM inbox WHERE user_id = ?1 AND unread = 1 AND slug = 'about-bob'", id))
	})
	t.Run("threads are followed and muted on their page and in the inbox", func(t *testing.T) {
		cat := s.Member("cat")
		action, fields := formIn(t, cat.Page(address), "Notify me")
		require.Equal(t, address, "/"+regexp.MustCompile(`https?://[^/]+/`).ReplaceAllString(cat.MustPost(action, fields...), "")[1:])
		require.Contains(t, cat.Page(address), "Stop notifying me")
		bob.MustPost("/comment", "post", post, "body", "Followed")
		s.Deliver()
		require.Contains(t, cat.Page("/inbox"), "commented in A post")
		action, fields = formIn(t, ann.Page("/inbox"), "Mute")
		ann.MustPost(action, fields...)
		require.Contains(t, ann.Page("/inbox"), "Unmute")
		b := cat.WithHeader("HX-Request", "true").Post(action, fields...)
		require.Equal(t, http.StatusOK, b.Code)
		require.Contains(t, b.Body.String(), "Unmute")
		require.NotContains(t, b.Body.String(), "<html")
	})
	t.Run("programs are told what is left", func(t *testing.T) {
		res := ann.WithHeader("Accept", "application/json").Post("/inbox/read", "newest", "zz")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		res = ann.Post("/inbox/read", "newest", "1000000")
		require.JSONEq(t, `{"unread": 0}`, res.Body.String())
		ann.Header.Del("Accept")
	})
	t.Run("a message that was lost is sent again", func(t *testing.T) {
		dan := s.Member("dan")
		bob.MustPost("/comment", "post", workertest.Targets(bob.Page(dan.MustPost("/submit", "community", "gophers", "title", "Lost", "text",
			"x")))[0], "body", "Found")
		s.Queue.Take(data.QueueEvents)
		s.Now = s.Now.Add(2 * time.Minute)
		require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
		s.Deliver()
		require.Equal(t, "1", workertest.Unread(dan.Page("/")))
	})
}

func TestInboxPages(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, bob := s.Member("ann"), s.Member("bob")
	ann.MustPost("/communities", "name", "gophers")
	post := workertest.Targets(ann.Page(ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	for range 70 {
		bob.MustPost("/comment", "post", post, "body", "again")
	}
	s.Deliver()
	seen, address := map[string]bool{}, "/inbox"
	for address != "" {
		page := ann.Page(address)
		for _, m := range regexp.MustCompile(`href="(/c/gophers/p/a-post/[0-9a-z]{13})"`).FindAllStringSubmatch(page, -1) {
			require.False(t, seen[m[1]])
			seen[m[1]] = true
		}
		address = ""
		if m := regexp.MustCompile(`rel="next" href="([^"]*)"`).FindStringSubmatch(page); m != nil {
			address = html.UnescapeString(m[1])
		}
	}
	require.Len(t, seen, 70)
	require.Equal(t, http.StatusBadRequest, ann.Get("/inbox?after=nonsense").Code)
}
