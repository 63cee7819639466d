package post_test

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/test/workertest"
)

// pageMax is what a thread's page may have: the long comments' megabyte, the short ones
// and what surrounds them.
const pageMax = 1_200_000

// Texts that make much more HTML than they are long, or are many bytes to begin with.
var multiplied = map[string]string{
	"a title used again and again": "[a]: /u '" + strings.Repeat("t", 4000) + "'\n\n" + strings.Repeat("[a]\n\n", 1190),
	"addresses":                    strings.Repeat("a@b.c ", 1666),
	"quotes in quotes":             strings.Repeat(strings.Repeat("> ", 24)+"a\n\n", 190),
}

// TestAMultiplyingTextIsRefused sends texts that make much more HTML than they are long
// wherever texts are taken: each answer names the field and holds what was typed.
func TestAMultiplyingTextIsRefused(t *testing.T) {
	s := workertest.MustOpen(t)
	ann := s.Member("ann")
	ann.MustPost("/communities", "name", "gophers")
	address := ann.MustPost("/submit", "community", "gophers", "title", "A post", "text", "words")
	post := workertest.Targets(ann.Page(address))[0]
	place := ann.MustPost("/comment", "post", post, "body", "Words")
	comment := place[strings.LastIndex(place, "#c-")+3:]
	for name, text := range multiplied {
		long := strings.Repeat(text, 40_000/len(text))
		for _, form := range [][]string{
			{"/comment", "body", text, "post", post},
			{"/edit", "body", text, "target", comment},
			{"/preview", "body", text, "preview", "reply", "post", post},
			{"/preview", "text", long, "preview", "post", "community", "gophers"},
			{"/submit", "text", long, "community", "gophers", "title", "Another"},
			{"/edit", "text", long, "target", post},
			{"/c/gophers/settings", "sidebar", text, "title", "Gophers", "colour", data.Palette[0].Hex, "revision", "0"},
		} {
			t.Run(name+" to "+form[0]+" as "+form[1], func(t *testing.T) {
				res := ann.Post(form[0], form[1:]...)
				require.Less(t, res.Body.Len(), 3*len(form[2])+300_000)
				if name == "a title used again and again" {
					require.Less(t, res.Code, 500)
					return // what is used too often is text
				}
				require.Equal(t, http.StatusUnprocessableEntity, res.Code)
				require.Contains(t, res.Body.String(), "With all its links and marks")
			})
		}
	}
}

// TestAPageIsBoundedInBytes shows the texts of multiplied from rows as an earlier build stored them, and comments as long as they may be.
func TestAPageIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	emoji := strings.Repeat("😀", 9990)
	many := s.Thread(300, 1).URL()
	ann := s.LogIn("ann", "")
	write := func(title string, n int, body string) (address string) {
		address = ann.MustPost("/submit", "community", "gophers", "title", title, "text", "words")
		post := workertest.Targets(ann.Page(address))[0]
		for i := range n {
			if i%50 == 49 {
				s.Now = s.Now.Add(10 * time.Minute) // a member's limit
			}
			ann.MustPost("/comment", "post", post, "body", body)
		}
		s.Deliver()
		return address
	}
	stored := func(address, html string, times int) {
		s.Exec("UPDATE comments SET body = ?2, body_html = replace(hex(zeroblob(?3)), '00', ?4) WHERE post_id = (SELECT id FROM posts "+
			"WHERE slug = ?1)",
			address[strings.LastIndex(address, "/")+1:], strings.Repeat("[a]<b> ", 1400), int64(times), html)
	}
	five, eightyFive, one := write("Five", 5, "x"), write("Eighty-five", 85, "x"), write("One", 1, emoji)
	require.Contains(t, ann.Page(one), "<p>"+emoji+"</p>")
	stored(many, "<p>"+emoji+"</p>", 1)
	stored(five, `<a href="/u" title="`+strings.Repeat("t", 4000)+`">a</a>`, 800)
	stored(eightyFive, `<a href="mailto:a@b.c" rel="nofollow ugc noopener">a@b.c</a> `, 1666)
	for name, address := range map[string]string{"five huge comments": five, "85 of addresses": eightyFive, "300 of emoji": many} {
		for _, sort := range []string{"best", "top", "new", "old", "controversial", "qa"} {
			page := ann.Page(address + "?sort=" + sort)
			require.Less(t, len(page), pageMax, "%s by %s", name, sort)
			require.Positive(t, strings.Count(page, `<article class="comment`))
		}
		t.Logf("%s: a page of %d bytes", name, len(ann.Page(address)))
	}
	require.Contains(t, ann.Page(five), "[a]&lt;b&gt; [a]&lt;b&gt;", "the text itself")
	for _, path := range []string{"/u/ann/comments"} {
		require.Less(t, len(ann.Page(path)), 2_000_000)
	}

	s.Exec("UPDATE communities SET sidebar = 'the *sidebar*', sidebar_html = replace(hex(zeroblob(30000)), '00', ?1)", strings.Repeat("y", 60))
	s.Exec("UPDATE post_texts SET text = 'the *text*', html = replace(hex(zeroblob(30000)), '00', ?1)", strings.Repeat("y", 60))
	s.Now = s.Now.Add(time.Minute)
	page := s.Visitor().Page("/c/gophers")
	require.Less(t, len(page), 300_000)
	require.Contains(t, page, "the *sidebar*")
	page = s.Visitor().Page(many)
	require.Less(t, len(page), pageMax)
	require.Contains(t, page, "the *text*")
}

// tags finds the elements of a page.
var tags = regexp.MustCompile(`<[a-z]`)

// TestPicturesCountForAPage shows comments that have all as many pictures as they may, with descriptions as long as they may be.
func TestPicturesCountForAPage(t *testing.T) {
	t.Parallel()
	s := workertest.MustOpen(t)
	bea := s.Member("bea")
	thread := s.ThreadSaying(600, 3, func(*rand.Rand, bool) (string, string) { return "x", "<p>" + strings.Repeat("x", 480) + "</p>" })
	for name, description := range map[string]string{"": "", "100 letters": strings.Repeat("x", 100), "500 letters": strings.Repeat("x", 500),
		"emoji": strings.Repeat("😀", 500), "apostrophes": strings.Repeat("'", 500), "quotation marks": strings.Repeat(`"`, 500),
		"backslashes": strings.Repeat(`\"`, 250)} {
		var list []pictures.Picture
		for i := range pictures.MaxOfComment {
			list = append(list, pictures.Picture{Sum: strings.Repeat(fmt.Sprint(i), 64), Width: 16_000, Height: 16_000, Alt: description,
				Colour: "#00695c", Small: true})
		}
		s.Exec("UPDATE comments SET pictures = ?1", pictures.Encode(list))
		s.Now = s.Now.Add(time.Minute)
		page := bea.Page(thread.URL())
		require.Less(t, len(page), pageMax, name)
		require.Greater(t, strings.Count(page, `loading="lazy"`), 100, name)
		require.Less(t, len(tags.FindAllString(page, -1)), 5600, name)
		require.Contains(t, html.UnescapeString(page), description)
		t.Logf("%s: %d comments, %d elements, %d bytes", name, strings.Count(page, `<article class="comment`),
			len(tags.FindAllString(page, -1)), len(page))
	}
	s.Exec("UPDATE comments SET pictures = ''")
	s.Now = s.Now.Add(time.Minute)
	page := bea.Page(thread.URL())
	require.Less(t, len(tags.FindAllString(page, -1)), 4200)
	t.Logf("without pictures: %d comments, %d elements, %d bytes", strings.Count(page, `<article class="comment`),
		len(tags.FindAllString(page, -1)), len(page))
}

// TestThreadWalkOfLongComments is TestThreadWalk where comments have up to 10,000
// characters: pages end by their bytes, and every comment is there once all the same.
func TestThreadWalkOfLongComments(t *testing.T) {
	t.Parallel()
	const n = 500
	s := workertest.MustOpen(t)
	thread := s.ThreadSaying(n, 3, func(rng *rand.Rand, _ bool) (string, string) {
		length := []int{20, 200, 600, 1500, 9000}[rng.IntN(5)]
		if rng.IntN(100) == 0 {
			length = 70_000
		}
		return "the text", "<p>" + strings.Repeat("x", length) + "</p>"
	})
	for _, sort := range []string{"best", "top", "new", "old", "controversial", "qa"} {
		for _, script := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, script %v", sort, script), func(t *testing.T) {
				s.T = t
				w := walk{Site: s, seen: map[string]int{}, script: script}
				address := thread.URL()
				if sort != "best" {
					address += "?sort=" + sort
				}
				w.follow(address, n)
				for _, c := range thread.Comments {
					require.Equal(t, 1, w.seen[c.ID.Text()], "comment %s at depth %d", c.ID.Text(), c.Depth)
				}
				require.Less(t, w.bytes, pageMax)
				t.Logf("%d pages; at most %d bytes, %d comments and %d rows read for one", w.pages, w.bytes, w.most, w.rows)
			})
		}
	}
}
