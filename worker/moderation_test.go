package worker_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/upstash"
)

const removedHere = "[removed by a moderator"

// TestRemoval removes a post and a comment, and looks for them wherever they were shown.
func TestRemoval(t *testing.T) {
	s := mustOpen(t)
	box := s.mailbox()
	ann, ben, cid := s.member("ann"), s.member("ben"), s.member("cid")
	ann.mustPost("/communities", "name", "gophers")
	ann.mustPost("/communities", "name", "gardens")
	cid.mustPost("/follow", "user", "ben", "on", "1")
	cid.mustPost("/subscribe", "community", "gophers", "on", "1")
	address := ben.mustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty, @cid", "link", "https://example.org/heavy", "anyway", "1")
	post := targets(ben.page(address))[0]
	ben.mustPost("/comment", "post", post, "body", "Harsh remark, @cid")
	comment := data.ID(s.one("SELECT id FROM comments").(int64)).Text()
	again := cid.mustPost("/submit", "community", "gardens", "title", "Again", "crosspost", post, "anyway", "1")
	ann.mustPost("/vote", "target", post, "value", "-1") // some like it and some don't, so that it is controversial
	cid.mustPost("/save", "target", post, "on", "1")
	cid.mustPost("/save", "target", comment, "on", "1")
	s.deliver()
	for _, path := range []string{"/hot", "/c/gophers", "/c/gardens"} { // whose sets are made whole
		ann.page(path)
	}
	s.deliver()
	const decide = "/c/gophers/mod/decide"
	seen := func(b *browser, path, says string) bool {
		return strings.Contains(b.page(path), says)
	}
	places := func(says string, shown bool) {
		t.Helper()
		s.now = s.now.Add(data.OwnLife + time.Second)
		var of map[string][]*browser
		all := []*browser{s.visitor(), cid}
		if says == "Heavy words" {
			of = map[string][]*browser{"/": {cid}, "/home": {cid}, "/yours/hot": {cid}, "/yours/new": {cid}, "/u/ben": {s.visitor(), cid, ben}, "/u/ben?sort=top": all, "/u/ben/comments": all,
				"/saved": {cid}, again: all, address: all, "/discussions?post=" + post: all, "/discussions?url=https%3A%2F%2Fexample.org%2Fheavy": all,
				"/inbox": {cid}, "/inbox/mentions": {cid}}
			for _, order := range []string{"/hot", "/new", "/top?t=all", "/rising", "/controversial?t=all", "/comments?t=all"} {
				of[order], of["/c/gophers"+order] = all, all
			}
			for _, set := range []string{"hot:site", "hot:c:gophers"} {
				score, err := s.redis.Do(context.Background(), upstash.Cmd{"ZSCORE", set, post})
				require.NoError(t, err)
				require.Equal(t, shown, !score.Nil(), set)
			}
		} else {
			of = map[string][]*browser{address: all, address + "/" + comment: all, "/u/ben/comments": {s.visitor(), cid, ben}, "/u/ben/comments?sort=top": all, "/saved/comments": {cid},
				"/inbox": {cid}, "/inbox/mentions": {cid}}
		}
		for path, readers := range of {
			for _, b := range readers {
				require.Equal(t, shown, seen(b, path, says), "%s: %s", path, says)
			}
		}
	}
	places("Heavy words", true)
	places("Harsh remark", true)

	t.Run("of a comment", func(t *testing.T) {
		require.Contains(t, ann.page(address), `href="/c/gophers/mod/decide?target=`+comment+`">Remove</a>`)
		require.NotContains(t, ben.page(address), "/mod/decide")
		form := ann.page(decide + "?target=" + comment)
		require.Contains(t, form, "Remove this comment?")
		require.Contains(t, form, `value="Spam"`)
		res := ann.post(decide, "target", comment, "decision", "remove", "text", "Typed <b>")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Typed &lt;b&gt;")
		require.Contains(t, res.Body.String(), "Please choose the rule")
		require.Equal(t, address+"/"+comment, ann.mustPost(decide, "target", comment, "decision", "remove", "rule", "Spam", "text", "Kindly <i>stop</i>"))
		s.deliver()
		places("Harsh remark", false)
		for _, b := range []*browser{s.visitor(), cid} {
			require.Contains(t, b.page(address), removedHere+": Spam]")
			require.NotContains(t, b.page(address), "Kindly")
		}
		for _, b := range []*browser{ann, ben} {
			page := b.page(address)
			require.Contains(t, page, removedHere+": Spam]")
			require.Contains(t, page, "Kindly &lt;i&gt;stop&lt;/i&gt;")
			require.Contains(t, page, "Harsh remark")
		}
		require.Equal(t, http.StatusForbidden, ben.post("/edit", "target", comment, "body", "x", "revision", "0").Code)
		ann.mustPost(decide, "target", comment, "decision", "approve")
		s.deliver()
		places("Harsh remark", true)
	})
	t.Run("of a comment, in place", func(t *testing.T) {
		ann.header.Set("HX-Request", "true")
		defer ann.header.Del("HX-Request")
		form := ann.page(decide + "?target=" + comment)
		require.True(t, strings.HasPrefix(form, "<form"), form)
		res := ann.post(decide, "target", comment, "decision", "remove", "rule", "Spam")
		require.Equal(t, http.StatusOK, res.Code)
		require.True(t, strings.HasPrefix(res.Body.String(), "<article"))
		require.Contains(t, res.Body.String(), removedHere)
		require.Contains(t, res.Body.String(), "Approve")
		res = ann.post(decide, "target", comment, "decision", "approve")
		require.Contains(t, res.Body.String(), "Harsh remark")
		s.deliver()
	})
	t.Run("of a post", func(t *testing.T) {
		ann.mustPost(decide, "target", post, "decision", "pin")
		require.Contains(t, s.visitor().page("/c/gophers"), `">pinned</span>`)
		posts := s.one("SELECT sum(posts) FROM community_stats")
		require.Equal(t, address, ann.mustPost(decide, "target", post, "decision", "remove", "rule", "Harassment or hate", "text", "Kindly stop"))
		s.deliver()
		places("Heavy words", false)
		require.Equal(t, posts.(int64)-1, s.one("SELECT sum(posts) FROM community_stats"))
		for _, b := range []*browser{s.visitor(), cid} {
			page := b.page(address)
			for _, says := range []string{removedHere, "Rule: Harassment or hate.", "Harsh remark"} {
				require.Contains(t, page, says)
			}
			for _, hidden := range []string{"Weighty", "Kindly", "example.org/heavy"} {
				require.NotContains(t, page, hidden)
			}
			require.NotContains(t, b.page(again), "example.org/heavy")
		}
		for _, b := range []*browser{ann, ben} {
			page := b.page(address)
			for _, says := range []string{"Heavy words", "Weighty", "Kindly stop", "Rule: Harassment or hate.", `">removed</span>`} {
				require.Contains(t, page, says)
			}
		}
		require.Equal(t, http.StatusForbidden, cid.post("/comment", "post", post, "body", "x").Code)
		require.Equal(t, http.StatusForbidden, cid.post("/vote", "target", post, "value", "1").Code)
	})
	t.Run("stands in the log, and so does its end", func(t *testing.T) {
		ann.mustPost(decide, "target", post, "decision", "approve")
		s.deliver()
		places("Heavy words", true)
		require.Contains(t, s.visitor().page("/c/gophers"), `">pinned</span>`)
		ann.mustPost(decide, "target", post, "decision", "unpin")
		s.now = s.now.Add(data.ListingLife + time.Second)
		for _, b := range []*browser{s.visitor(), cid, ann} {
			page := b.page("/c/gophers/log")
			for _, says := range []string{">ann</a>", "approved", "removed", "Rule: Harassment or hate", "undone", `href="` + address + `"`} {
				require.Contains(t, page, says)
			}
			for _, hidden := range []string{"Kindly", "Heavy words", "Harsh", "Weighty"} {
				require.NotContains(t, page, hidden)
			}
		}
		require.Contains(t, s.visitor().page("/c/gophers"), `href="/c/gophers/log"`)
		require.Contains(t, s.visitor().page("/c/gophers/log"), `href="/c/gophers/log/numbers"`)
		require.Regexp(t, `>ann</a> · \d+ in all, \d undone`, s.visitor().page("/c/gophers/log/numbers"))
		require.Contains(t, s.visitor().page("/c/gophers/log/numbers?month=2025-01"), "Nothing was decided in this month.")
		require.Equal(t, http.StatusNotFound, s.visitor().get("/c/nowhere/log/numbers").Code)
		require.Equal(t, http.StatusBadRequest, s.visitor().get("/log/numbers?month=x").Code)
		require.Contains(t, s.visitor().page("/log"), "Nothing was decided yet.")
		require.Equal(t, http.StatusNotFound, s.visitor().get("/c/nowhere/log").Code)
	})
	t.Run("the menu of a post pins, locks and marks it", func(t *testing.T) {
		page := ann.page(address)
		for _, decision := range []string{"lock", "pin", "nsfw", "spoiler"} {
			require.Contains(t, page, `name="decision" value="`+decision+`"`)
			ann.mustPost(decide, "target", post, "decision", decision)
		}
		page = ann.page(address)
		for _, decision := range []string{"unlock", "unpin", "un-nsfw", "un-spoiler"} {
			require.Contains(t, page, `name="decision" value="`+decision+`"`)
		}
		require.NotContains(t, ben.page(address), `name="decision"`)
		ben.mustPost("/submit", "community", "gophers", "title", "Newer", "text", "x")
		s.deliver()
		first := func(path string) string { return targets(s.visitor().page(path))[0] }
		require.Equal(t, post, first("/c/gophers"))
		require.NotEqual(t, post, first("/c/gophers/new"))
		require.Contains(t, s.visitor().page("/c/gophers"), `">pinned</span>`)
		require.Equal(t, http.StatusForbidden, cid.post("/comment", "post", post, "body", "x").Code, "it is locked")
		for _, decision := range []string{"unlock", "unpin"} {
			ann.mustPost(decide, "target", post, "decision", decision)
		}
		require.Equal(t, http.StatusUnprocessableEntity, s.admin("rita").post(decide, "target", post, "decision", "unpin").Code, "ann was faster")
	})
	t.Run("before anybody was told of it, so that it is mailed to nobody until it is taken back", func(t *testing.T) {
		s.T = t
		at := s.confirmed("cid")
		ben.mustPost("/comment", "post", post, "body", "Rude words, @cid")
		rude := data.ID(s.one("SELECT id FROM comments WHERE body LIKE 'Rude%'").(int64)).Text()
		ann.mustPost(decide, "target", rude, "decision", "remove", "rule", "Spam")
		s.pass(time.Hour)
		require.Empty(t, box.Mails(at))
		require.NotContains(t, cid.page("/inbox"), "Rude words")
		ann.mustPost(decide, "target", rude, "decision", "approve")
		s.pass(time.Minute)
		require.Contains(t, cid.page("/inbox"), "Rude words")
		require.Len(t, box.Mails(at), 1)
		require.Contains(t, box.Mails(at)[0].Text, "Rude words")
	})
}
