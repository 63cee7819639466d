package moderation_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/wire/upstash"
	"plaza/test/workertest"
)

const removedHere = "[removed by a moderator"

// TestRemoval removes a post and a comment, and looks for them wherever they were shown.
func TestRemoval(t *testing.T) {
	s := workertest.MustOpen(t)
	box := s.Mailbox()
	ann, ben, cid := s.Member("ann"), s.Member("ben"), s.Member("cid")
	ann.MustPost("/communities", "name", "gophers")
	ann.MustPost("/communities", "name", "gardens")
	cid.MustPost("/follow", "user", "ben", "on", "1")
	cid.MustPost("/subscribe", "community", "gophers", "on", "1")
	address := ben.MustPost("/submit", "community", "gophers", "title", "Heavy words", "text", "Weighty, @cid", "link",
		"https://example.org/heavy", "anyway", "1")
	post := workertest.Targets(ben.Page(address))[0]
	ben.MustPost("/comment", "post", post, "body", "Harsh remark, @cid")
	comment := data.ID(s.One("SELECT id FROM comments").(int64)).Text()
	again := cid.MustPost("/submit", "community", "gardens", "title", "Again", "crosspost", post, "anyway", "1")
	ann.MustPost("/vote", "target", post, "value", "-1") // some like it and some don't, so that it is controversial
	cid.MustPost("/save", "target", post, "on", "1")
	cid.MustPost("/save", "target", comment, "on", "1")
	s.Deliver()
	for _, path := range []string{"/hot", "/c/gophers", "/c/gardens"} { // whose sets are made whole
		ann.Page(path)
	}
	s.Deliver()
	const decide = "/c/gophers/mod/decide"
	seen := func(b *workertest.Browser, path, says string) bool {
		return strings.Contains(b.Page(path), says)
	}
	places := func(says string, shown bool) {
		t.Helper()
		s.Now = s.Now.Add(data.MemberCacheTTL + time.Second)
		var of map[string][]*workertest.Browser
		all := []*workertest.Browser{s.Visitor(), cid}
		if says == "Heavy words" {
			of = map[string][]*workertest.Browser{"/": {cid}, "/home": {cid}, "/yours/hot": {cid}, "/yours/new": {cid},
				"/u/ben": {s.Visitor(), cid, ben}, "/u/ben?sort=top": all, "/u/ben/comments": all,
				"/saved": {cid}, again: all, address: all, "/discussions?post=" + post: all, "/discussions?url=https%3A%2F%2Fexample.org%2Fheavy": all,
				"/inbox": {cid}, "/inbox/mentions": {cid}}
			for _, order := range []string{"/hot", "/new", "/top?t=all", "/rising", "/controversial?t=all", "/comments?t=all"} {
				of[order], of["/c/gophers"+order] = all, all
			}
			for _, set := range []string{"hot:site", "hot:c:gophers"} {
				if s.Redis == nil {
					break
				}
				score, err := s.Redis.Do(context.Background(), upstash.Cmd{"ZSCORE", set, post})
				require.NoError(t, err)
				require.Equal(t, shown, !score.Nil(), set)
			}
		} else {
			of = map[string][]*workertest.Browser{address: all, address + "/" + comment: all, "/u/ben/comments": {s.Visitor(), cid, ben},
				"/u/ben/comments?sort=top": all, "/saved/comments": {cid},
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
		require.Contains(t, ann.Page(address), `href="/c/gophers/mod/decide?target=`+comment+`">Remove</a>`)
		require.NotContains(t, ben.Page(address), "/mod/decide")
		form := ann.Page(decide + "?target=" + comment)
		require.Contains(t, form, "Remove this comment?")
		require.Contains(t, form, `value="Spam"`)
		res := ann.Post(decide, "target", comment, "decision", "remove", "text", "Typed <b>")
		require.Equal(t, http.StatusUnprocessableEntity, res.Code)
		require.Contains(t, res.Body.String(), "Typed &lt;b&gt;")
		require.Contains(t, res.Body.String(), "Please choose the rule")
		require.Equal(t, address+"/"+comment, ann.MustPost(decide, "target", comment, "decision", "remove", "rule", "Spam", "text",
			"Kindly <i>stop</i>"))
		s.Deliver()
		places("Harsh remark", false)
		for _, b := range []*workertest.Browser{s.Visitor(), cid} {
			require.Contains(t, b.Page(address), removedHere+": Spam]")
			require.NotContains(t, b.Page(address), "Kindly")
		}
		for _, b := range []*workertest.Browser{ann, ben} {
			page := b.Page(address)
			require.Contains(t, page, removedHere+": Spam]")
			require.Contains(t, page, "Kindly &lt;i&gt;stop&lt;/i&gt;")
			require.Contains(t, page, "Harsh remark")
			require.Equal(t, b == ben, strings.Contains(page, "See the decision or appeal"), "its author can appeal")
		}
		require.Equal(t, http.StatusForbidden, ben.Post("/edit", "target", comment, "body", "x", "revision", "0").Code)
		ann.MustPost(decide, "target", comment, "decision", "approve")
		s.Deliver()
		places("Harsh remark", true)
	})
	t.Run("of a comment, in place", func(t *testing.T) {
		ann.Header.Set("HX-Request", "true")
		defer ann.Header.Del("HX-Request")
		form := ann.Page(decide + "?target=" + comment)
		require.True(t, strings.HasPrefix(form, "<form"), form)
		res := ann.Post(decide, "target", comment, "decision", "remove", "rule", "Spam")
		require.Equal(t, http.StatusOK, res.Code)
		require.True(t, strings.HasPrefix(res.Body.String(), "<article"))
		require.Contains(t, res.Body.String(), removedHere)
		require.Contains(t, res.Body.String(), "Approve")
		res = ann.Post(decide, "target", comment, "decision", "approve")
		require.Contains(t, res.Body.String(), "Harsh remark")
		s.Deliver()
	})
	t.Run("of a post", func(t *testing.T) {
		ann.MustPost(decide, "target", post, "decision", "pin")
		require.Contains(t, s.Visitor().Page("/c/gophers"), `">pinned</span>`)
		posts := s.One("SELECT sum(posts) FROM community_stats")
		require.Equal(t, address, ann.MustPost(decide, "target", post, "decision", "remove", "rule", "Harassment or hate", "text", "Kindly stop"))
		s.Deliver()
		places("Heavy words", false)
		require.Equal(t, posts.(int64)-1, s.One("SELECT sum(posts) FROM community_stats"))
		for _, b := range []*workertest.Browser{s.Visitor(), cid} {
			page := b.Page(address)
			for _, says := range []string{removedHere, "Rule: Harassment or hate.", "Harsh remark"} {
				require.Contains(t, page, says)
			}
			for _, hidden := range []string{"Weighty", "Kindly", "example.org/heavy"} {
				require.NotContains(t, page, hidden)
			}
			require.NotContains(t, b.Page(again), "example.org/heavy")
		}
		for _, b := range []*workertest.Browser{ann, ben} {
			page := b.Page(address)
			for _, says := range []string{"Heavy words", "Weighty", "Kindly stop", "Rule: Harassment or hate.", `">removed</span>`} {
				require.Contains(t, page, says)
			}
		}
		require.Equal(t, http.StatusForbidden, cid.Post("/comment", "post", post, "body", "x").Code)
		require.Equal(t, http.StatusForbidden, cid.Post("/vote", "target", post, "value", "1").Code)
	})
	t.Run("stands in the log, and so does its end", func(t *testing.T) {
		ann.MustPost(decide, "target", post, "decision", "approve")
		s.Deliver()
		places("Heavy words", true)
		require.Contains(t, s.Visitor().Page("/c/gophers"), `">pinned</span>`)
		ann.MustPost(decide, "target", post, "decision", "unpin")
		s.Now = s.Now.Add(data.ListingLife + time.Second)
		for _, b := range []*workertest.Browser{s.Visitor(), cid, ann} {
			page := b.Page("/c/gophers/log")
			for _, says := range []string{">ann</a>", "approved", "removed", "Rule: Harassment or hate", "undone", `href="` + address + `"`} {
				require.Contains(t, page, says)
			}
			for _, hidden := range []string{"Kindly", "Heavy words", "Harsh", "Weighty"} {
				require.NotContains(t, page, hidden)
			}
		}
		require.Contains(t, s.Visitor().Page("/c/gophers"), `href="/c/gophers/log"`)
		require.Contains(t, s.Visitor().Page("/c/gophers/log"), `href="/c/gophers/log/numbers"`)
		require.Regexp(t, `>ann</a>\x{a0}· \d+ in all, \d undone`, s.Visitor().Page("/c/gophers/log/numbers"))
		require.Contains(t, s.Visitor().Page("/c/gophers/log/numbers?month=2025-01"), "No decisions in this month.")
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/nowhere/log/numbers").Code)
		require.Equal(t, http.StatusBadRequest, s.Visitor().Get("/log/numbers?month=x").Code)
		require.Contains(t, s.Visitor().Page("/log"), "No decisions yet.")
		require.Equal(t, http.StatusNotFound, s.Visitor().Get("/c/nowhere/log").Code)
	})
	t.Run("the menu of a post pins, locks and marks it", func(t *testing.T) {
		page := ann.Page(address)
		for _, decision := range []string{"lock", "pin", "nsfw", "spoiler"} {
			require.Contains(t, page, `name="decision" value="`+decision+`"`)
			ann.MustPost(decide, "target", post, "decision", decision)
		}
		page = ann.Page(address)
		for _, decision := range []string{"unlock", "unpin", "un-nsfw", "un-spoiler"} {
			require.Contains(t, page, `name="decision" value="`+decision+`"`)
		}
		require.NotContains(t, ben.Page(address), `name="decision"`)
		ben.MustPost("/submit", "community", "gophers", "title", "Newer", "text", "x")
		s.Deliver()
		first := func(path string) string { return workertest.Targets(s.Visitor().Page(path))[0] }
		require.Equal(t, post, first("/c/gophers"))
		require.NotEqual(t, post, first("/c/gophers/new"))
		require.Contains(t, s.Visitor().Page("/c/gophers"), `">pinned</span>`)
		require.Equal(t, http.StatusForbidden, cid.Post("/comment", "post", post, "body", "x").Code, "it is locked")
		for _, decision := range []string{"unlock", "unpin"} {
			ann.MustPost(decide, "target", post, "decision", decision)
		}
		require.Equal(t, http.StatusUnprocessableEntity, s.Admin("rita").Post(decide, "target", post, "decision", "unpin").Code, "ann was faster")
	})
	t.Run("before anybody was told of it, so that it is mailed to nobody until it is taken back", func(t *testing.T) {
		s.T = t
		at := s.Confirmed("cid")
		ben.MustPost("/comment", "post", post, "body", "Rude words, @cid")
		rude := data.ID(s.One("SELECT id FROM comments WHERE body LIKE 'Rude%'").(int64)).Text()
		ann.MustPost(decide, "target", rude, "decision", "remove", "rule", "Spam")
		s.Pass(time.Hour)
		require.Empty(t, box.Mails(at))
		require.NotContains(t, cid.Page("/inbox"), "Rude words")
		ann.MustPost(decide, "target", rude, "decision", "approve")
		s.Pass(time.Minute)
		require.Contains(t, cid.Page("/inbox"), "Rude words")
		require.Len(t, box.Mails(at), 1)
		require.Contains(t, box.Mails(at)[0].Text, "Rude words")
	})
}
