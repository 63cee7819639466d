package worker_test

import (
	"context"
	"html"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data/hrana"
	"plaza/worker/request"
)

// formIn are the fields of the first form of a page that has a button of this label, and its address.
func formIn(t *testing.T, page, label string) (action string, fields []string) {
	t.Helper()
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
	s := mustOpen(t)
	ann, bob := s.member("ann"), s.member("bob")
	ann.mustPost("/communities", "name", "gophers")
	address := ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := targets(ann.page(address))[0]
	later := func() { s.now = s.now.Add(10 * time.Second) } // after which an instance remembers nothing of its members

	t.Run("an answer shows in the header of the next page, and in the inbox", func(t *testing.T) {
		require.Equal(t, "", unread(ann.page("/")))
		bob.mustPost("/comment", "post", post, "body", "Well *said*, @ann & all")
		s.deliver()
		later()
		require.Equal(t, "1", unread(ann.page("/")))
		page := ann.page("/inbox")
		require.Contains(t, page, `answered you`)
		require.Contains(t, page, `<p class="ex">Well said, @ann &amp; all</p>`)
		require.Equal(t, "", unread(bob.page("/")))
	})
	link := regexp.MustCompile(`href="(/c/gophers/p/a-post/[0-9a-z]{13})"`).FindStringSubmatch(ann.page("/inbox"))[1]
	t.Run("a page that the browser asks for in advance marks nothing", func(t *testing.T) {
		r := ann.request(link)
		r.Header.Set("Sec-Purpose", "prefetch;prerender")
		require.Equal(t, http.StatusOK, ann.send(r).Code)
		later()
		require.Equal(t, "1", unread(ann.page("/")))
	})
	t.Run("its page marks it as read, for all devices", func(t *testing.T) {
		other := &browser{site: s, cookie: ann.cookie, header: http.Header{}}
		require.Equal(t, "1", unread(other.page("/")))
		ctx, meter := hrana.WithMeter(context.Background())
		res := ann.send(ann.request(link).WithContext(ctx))
		require.Equal(t, "", unread(res.Body.String()), "the page itself counts it as read")
		require.LessOrEqual(t, meter.Requests(), s.oneEach()+1, "and one after the answer")
		require.NotEmpty(t, res.Header().Values("Set-Cookie"), "other instances are told")
		require.Equal(t, "", unread(ann.page("/")))
		later()
		require.Equal(t, "", unread(other.page("/")))
		require.Equal(t, int64(0), s.one("SELECT unread FROM inbox"))
	})
	t.Run("what is deleted is gone from the inbox", func(t *testing.T) {
		to := bob.mustPost("/comment", "post", post, "body", "Oops")
		s.deliver()
		require.Contains(t, ann.page("/inbox"), "Oops")
		bob.mustPost("/delete", "target", regexp.MustCompile(`[0-9a-z]{13}$`).FindString(to))
		s.deliver()
		require.NotContains(t, ann.page("/inbox"), "Oops")
		later()
		require.Equal(t, "", unread(ann.page("/")))
	})
	t.Run("one thing, a thread and everything are marked as read", func(t *testing.T) {
		second := ann.mustPost("/submit", "community", "gophers", "title", "Another", "text", "ask @bob")
		for _, of := range []string{post, post, targets(ann.page(second))[0], targets(ann.page(second))[0]} {
			bob.mustPost("/comment", "post", of, "body", "Hello")
		}
		s.deliver()
		for _, tt := range []struct{ label, left string }{{"Mark as read", "3"}, {"Mark thread as read", "1"}, {"Mark all as read", ""}} {
			action, fields := formIn(t, ann.page("/inbox/unread"), tt.label)
			ann.mustPost(action, fields...)
			require.Equal(t, tt.left, unread(ann.page("/")), tt.label)
		}
		require.Contains(t, ann.page("/inbox/unread"), "You have read everything.")
		require.Contains(t, ann.page("/inbox/answers"), "Hello")
		require.NotContains(t, ann.page("/inbox/mentions"), "Hello")
	})
	t.Run("a mention in a post is read with the post", func(t *testing.T) {
		require.Equal(t, "1", unread(bob.page("/")))
		require.Contains(t, bob.page("/inbox/mentions"), "mentioned you in a post")
		bob.page("/c/gophers/p/another")
		require.Equal(t, "", unread(bob.page("/")))
	})
	t.Run("threads are followed and muted on their page and in the inbox", func(t *testing.T) {
		cat := s.member("cat")
		action, fields := formIn(t, cat.page(address), "Follow thread")
		require.Equal(t, address, "/"+regexp.MustCompile(`https?://[^/]+/`).ReplaceAllString(cat.mustPost(action, fields...), "")[1:])
		require.Contains(t, cat.page(address), "Unfollow thread")
		bob.mustPost("/comment", "post", post, "body", "Followed")
		s.deliver()
		require.Contains(t, cat.page("/inbox"), "wrote in a thread you follow")
		action, fields = formIn(t, ann.page("/inbox"), "Mute thread")
		ann.mustPost(action, fields...)
		require.Contains(t, ann.page("/inbox"), "Unmute thread")
		b := cat.withHeader("HX-Request", "true").post(action, fields...)
		require.Equal(t, http.StatusOK, b.Code)
		require.Contains(t, b.Body.String(), "Unmute thread")
		require.NotContains(t, b.Body.String(), "<html")
	})
	t.Run("programs are told what is left", func(t *testing.T) {
		res := ann.withHeader("Accept", "application/json").post("/inbox/read", "newest", "zz")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		res = ann.post("/inbox/read", "newest", "1000000")
		require.JSONEq(t, `{"unread": 0}`, res.Body.String())
		ann.header.Del("Accept")
	})
	t.Run("a message that was lost is sent again", func(t *testing.T) {
		dan := s.member("dan")
		bob.mustPost("/comment", "post", targets(bob.page(dan.mustPost("/submit", "community", "gophers", "title", "Lost", "text", "x")))[0], "body", "Found")
		s.queue.take(request.QueueEvents)
		s.now = s.now.Add(2 * time.Minute)
		require.NoError(t, s.app.Scheduled(context.Background(), s.now))
		s.deliver()
		require.Equal(t, "1", unread(dan.page("/")))
	})
}

func TestInboxPages(t *testing.T) {
	s := mustOpen(t)
	ann, bob := s.member("ann"), s.member("bob")
	ann.mustPost("/communities", "name", "gophers")
	post := targets(ann.page(ann.mustPost("/submit", "community", "gophers", "title", "A post", "text", "text")))[0]
	for range 70 {
		bob.mustPost("/comment", "post", post, "body", "again")
	}
	s.deliver()
	seen, address := map[string]bool{}, "/inbox"
	for address != "" {
		page := ann.page(address)
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
	require.Equal(t, http.StatusBadRequest, ann.get("/inbox?after=nonsense").Code)
}
