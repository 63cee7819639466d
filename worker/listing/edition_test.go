package listing_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

func TestEdition(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	visitor := s.Visitor()
	require.Equal(t, http.StatusNotFound, visitor.Get("/edition").Code, "none was made")
	ann.MustPost("/communities", "name", "gophers")
	var addresses []string
	for i := range 11 {
		addresses = append(addresses, ann.MustPost("/submit", "community", "gophers", "title", fmt.Sprintf("Story %d", i), "text", "text"))
	}
	post := workertest.Targets(ann.Page(addresses[4]))[0]
	to := ben.MustPost("/comment", "post", post, "body", strings.Repeat("Worth quoting. ", 4))
	ann.MustPost("/vote", "target", to[strings.LastIndex(to, "#c-")+3:], "value", "1")
	s.Deliver()
	s.Now = time.Date(s.Now.Year(), s.Now.Month(), s.Now.Day()+1, 6, 0, 0, 0, time.UTC)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	s.Now = s.Now.Add(10 * time.Second)

	page := visitor.Page("/edition")
	require.Contains(t, page, "Morning edition")
	require.Contains(t, page, "Worth quoting.")
	require.Equal(t, 11, strings.Count(page, `class="story`))
	require.NotContains(t, visitor.Page("/"), "Morning edition", "nobody chose it")

	ben.MustPost("/display", "density", "edition")
	front := ben.Page("/")
	require.Contains(t, front, "11 unread")
	first := strings.Split(strings.Split(front, `<div class="first">`)[1], `href="`)[1]
	first = first[:strings.Index(first, `"`)]
	ben.Page(first)
	s.Now = s.Now.Add(10 * time.Second)
	require.Contains(t, ben.Page("/"), "10 unread", "what was opened is not unread")
	require.NotContains(t, ben.Page("/yours/hot"), "Morning edition")
	ann.MustPost("/block", "user", "ben", "on", "1")
	require.NotContains(t, ann.Page("/edition"), "Worth quoting.", "of a member whom the viewer blocks")

	own := s.Now.Format("/edition/2006-01-02/") + "morning"
	require.Contains(t, visitor.Page(own), "Morning edition")
	require.Equal(t, http.StatusNotFound, visitor.Get(strings.Replace(own, "morning", "noon", 1)).Code)
	require.Equal(t, http.StatusNotFound, visitor.Get("/edition/2001-01-01/morning").Code)
	feed := visitor.Get("/edition.atom").Body.String()
	require.Equal(t, 1, strings.Count(feed, "<entry>"), "an edition is one entry")
	require.Contains(t, feed, own)

	s.Admin("odin").MustPost("/admin/settings", "front", "edition")
	s.Now = s.Now.Add(time.Minute)
	require.Contains(t, s.Visitor().Page("/"), "Morning edition")
	cold := &workertest.Browser{Site: workertest.OpenSite(t, s.Sql, s.Redis, 1), Header: http.Header{}}
	cold.Now = s.Now
	require.Contains(t, cold.Page("/"), "Morning edition", "also from an instance that has read no settings yet")
	require.NotContains(t, s.Visitor().Page("/hot"), "Morning edition")
}

// A member's own edition is made of their communities, is shown to nobody else, and is never in a shared cache.
func TestOwnEdition(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben, cid := s.Member("ann"), s.Member("ben"), s.Member("cid")
	for _, community := range []string{"gophers", "birds"} {
		ann.MustPost("/communities", "name", community)
		for i := range 6 {
			ann.MustPost("/submit", "community", community, "title", fmt.Sprintf("On %s %d", community, i), "text", "text")
		}
	}
	ben.MustPost("/subscribe", "community", "gophers", "on", "1")
	cid.MustPost("/subscribe", "community", "birds", "on", "1")
	dan := s.Member("dan")
	dan.MustPost("/subscribe", "community", "birds", "on", "1")
	ben.MustPost("/display", "density", "edition")
	s.Deliver()
	for _, b := range []*workertest.Browser{ben, cid, dan} {
		b.Page("/") // which notes that they were here
	}
	s.Exec("UPDATE users SET seen_at = 1 WHERE username = 'dan'")
	s.Now = time.Date(s.Now.Year(), s.Now.Month(), s.Now.Day()+1, 6, 0, 0, 0, time.UTC)
	require.NoError(t, s.App.Scheduled(context.Background(), s.Now))
	s.Now = s.Now.Add(10 * time.Second)

	own := s.Now.Format("/edition/yours/2006-01-02/") + "morning"
	for _, address := range []string{"/edition/yours", own, "/edition/yours.json", own + ".json"} {
		for who, reads := range map[*workertest.Browser]string{ben: "gophers", cid: "birds"} {
			res := who.Get(address)
			require.Equal(t, http.StatusOK, res.Code, address)
			require.Equal(t, "private, no-store", res.Header().Get("Cache-Control"), address)
			for _, community := range []string{"gophers", "birds"} {
				require.Equal(t, community == reads, strings.Contains(res.Body.String(), "On "+community), "%s of who reads %s", address, reads)
			}
		}
		require.NotEqual(t, http.StatusOK, s.Visitor().Get(address).Code, address)
	}
	require.Equal(t, http.StatusNotFound, dan.Get(own).Code, "nobody else's at that address")

	front := ben.Page("/")
	require.Contains(t, front, "Your morning edition")
	require.Contains(t, front, "6 unread")
	require.NotContains(t, front, "On birds")
	require.NotContains(t, front, `class="joined"`)

	page := dan.Page("/edition/yours")
	require.Contains(t, page, "There is no edition of your own this time.")
	require.Contains(t, page, "On gophers")
	page = ben.Page("/edition")
	require.NotContains(t, page, "Your morning edition")
	require.Contains(t, page, `class="joined"`, "what is theirs is marked")
	require.Contains(t, page, "On birds")
	require.Contains(t, page, `name="community" value="birds"`, "a button to join")
	require.NotContains(t, page, `name="community" value="gophers"`)
	require.NotContains(t, s.Visitor().Page("/edition"), `action="/subscribe"`)
}
