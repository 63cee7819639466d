package post_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/test/workertest"
)

// mapOf returns the map of a page; "" for none.
func mapOf(page string) string {
	_, rest, _ := strings.Cut(page, `<nav id="map"`)
	whole, _, _ := strings.Cut(rest, "</nav>")
	return whole
}

func TestThreadMap(t *testing.T) {
	s := workertest.MustOpen(t)
	ann, ben := s.Member("ann"), s.Member("ben")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "text")
	post := workertest.Targets(ann.Page(address))[0]
	write := func(by *workertest.Browser, parent, body string) string {
		fields := []string{"post", post, "body", body}
		if parent != "" {
			fields = append(fields, "parent", parent)
		}
		to := by.MustPost("/comment", fields...)
		found := regexp.MustCompile(`(?:#c-|/)(\w+)$`).FindStringSubmatch(to)
		require.NotNil(t, found, to)
		return found[1]
	}
	first := write(ann, "", "**First** words & more, which go on for longer than the map has room")
	s.Now = s.Now.Add(time.Hour)
	for range 6 {
		write(ben, first, "A reply")
	}
	require.Empty(t, mapOf(ann.Page(address)), "a short thread has none")
	second := write(ben, "", ">!The butler!< did it")
	gone := write(ben, "", "Nothing good")
	ann.MustPost("/c/gophers/mod/decide", "target", gone, "decision", "remove", "rule", "Spam")
	s.Deliver()
	s.Now = s.Now.Add(time.Minute)

	page := s.Visitor().Page(address)
	shown := mapOf(page)
	require.Equal(t, 3, strings.Count(shown, "<li>"), "a line for each comment on the post")
	require.Contains(t, shown, "First words &amp; more, which go on for long…")
	require.Contains(t, shown, "[spoiler] did it")
	require.NotContains(t, shown, "butler", "a spoiler stays hidden")
	require.NotContains(t, shown, "Nothing good")
	require.Contains(t, shown, "[removed by a moderator]")
	for _, target := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(shown, -1) {
		require.Contains(t, page, fmt.Sprintf(`id="%s"`, target[1]), "each line leads to its comment")
	}
	require.NotContains(t, shown, `class="new"`)
	require.Empty(t, mapOf(s.Visitor().Page(address+"/"+second)), "a part of a thread has none")

	ben.Page(address)
	s.Now = s.Now.Add(time.Hour)
	write(ann, second, "News")
	s.Deliver()
	s.Now = s.Now.Add(time.Minute)
	shown = mapOf(ben.Page(address))
	require.Contains(t, shown, `class="new"`, "what is new is marked")
	require.Contains(t, shown, `class="visit"`, "and where the last visit was")
	require.Contains(t, shown, "1 new")
	bars := regexp.MustCompile(`(?s)<svg class="bars".*?</svg>`)
	earlier := bars.FindString(mapOf(s.Visitor().Page(address)))
	s.Now = s.Now.Add(time.Hour)
	require.Equal(t, earlier, bars.FindString(mapOf(s.Visitor().Page(address))), "the drawing is about the comments, not about now")
	ben.MustPost("/block", "user", "ann", "on", "1")
	require.NotContains(t, mapOf(ben.Page(address)), "First words", "of a member whom the viewer blocks")
}
