package post_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
	require.Contains(t, shown, "First words &amp; more, which go…")
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

// gzipped is the size of a text after gzip.
func gzipped(t *testing.T, text string) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Len()
}

// wordsOfEnglish are as frequent in comments as anywhere.
var wordsOfEnglish = strings.Fields(`the of and to a in is it you that he was for on are with as I his they be at one have this from or had by
hot but some what there we can out other were all your when up use word how said an each she which do their time if will way about many then
them would write like so these her long make thing see him two has look more day could go come did my sound no most number who over know water
than call first people may down side been now find any new work part take get place made live where after back little only round man year came
show every good me give our under name very through just form much great think say help low line before turn cause same mean differ move right
boy old too does tell sentence set three want air well also play small end put home read hand port large spell add even land here must big high`)

// TestTheMapIsSmall weighs a page of a thread of 500 comments with its map and without. Half of the comments are new to the member.
func TestTheMapIsSmall(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	thread := s.ThreadSaying(500, 1, func(rng *rand.Rand, _ bool) (string, string) {
		var b strings.Builder
		for range 5 + rng.IntN(60) {
			b.WriteString(wordsOfEnglish[rng.IntN(len(wordsOfEnglish))] + " ")
		}
		return b.String(), "<p>" + b.String() + "</p>"
	})
	s.Exec("UPDATE comments SET author_name = printf('%08x', author_id * 2654435761 & 0xffffffff)")
	ben := s.Member("ben")
	ben.Page(thread.URL())
	s.Deliver()
	s.Exec("UPDATE visits SET seen_at = ?1", thread.Comments[250].Created.UnixMilli())
	for name, by := range map[string]*workertest.Browser{"visitor": s.Visitor(), "member": ben} {
		page := by.Page(thread.URL())
		shown := `<nav id="map"` + mapOf(page) + "</nav>"
		require.Equal(t, name == "member", strings.Contains(shown, `class="visit"`))
		size := gzipped(t, page) - gzipped(t, strings.Replace(page, shown, "", 1))
		t.Logf("%s: %d bytes of %d, %d in the page", name, size, gzipped(t, page), len(shown))
		assert.LessOrEqual(t, size, 3<<10, name)
	}
}

// TestTheMapHasAllComments compares the bars of a thread, of which the page shows a part, with when its comments were written.
func TestTheMapHasAllComments(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	thread := s.Thread(2000, 1)
	shown := mapOf(s.Visitor().Page(thread.URL()))
	require.Contains(t, shown, "2,000 comments")
	require.Regexp(t, `<p><a href="#c-\w{13}">Show [0-9,]+ more comments</a></p>`, shown)
	require.Equal(t, strings.Count(shown, "<svg"), strings.Count(shown, `aria-hidden="true"`), "drawings are hidden from screen readers")
	_, path, _ := strings.Cut(shown, `<path d="`)
	path, _, _ = strings.Cut(path, `"`)
	const bars = 40
	var drawn, written [bars]float64
	all := 0.0
	for _, bar := range regexp.MustCompile(`M(\d+) 32v-(\d+)`).FindAllStringSubmatch(path, -1) {
		at, _ := strconv.Atoi(bar[1])
		height, _ := strconv.ParseFloat(bar[2], 64)
		drawn[at/6], all = height, all+height
	}
	last := thread.Comments[len(thread.Comments)-1].Created.Sub(thread.Created)
	for _, c := range thread.Comments {
		written[min(int(bars*c.Created.Sub(thread.Created)/(last+time.Minute)), bars-1)] += 1 / float64(len(thread.Comments))
	}
	for i, before := 0, [2]float64{}; i < bars; i++ {
		before[0], before[1] = before[0]+drawn[i]/all, before[1]+written[i]
		require.InDelta(t, before[1], before[0], .03, "up to bar %d", i)
	}
}
