package render_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/locale"
	listingpages "plaza/render/listing"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/test/fixture"
	"plaza/test/rendertest"
)

var update = flag.Bool("update", false, "write the golden pages anew")

// Golden files have what a page has of its own: its main part, and what stands beside it if no page before has the same. TestTheShell has
// the rest.
func TestPagesAreAsInTheGoldenFiles(t *testing.T) {
	sides := map[string]string{"": ""}
	for _, page := range fixture.Pages() {
		for _, hostile := range []bool{false, true} {
			name, got := page.Name, draw(t, page, hostile)
			if hostile {
				name += "-hostile"
			}
			if !page.Fragment {
				_, main, side := cut(t, got)
				if _, ok := sides[side]; !ok {
					sides[side] = "The side of " + name
					got = main + side
				} else {
					got = main + sides[side]
				}
			}
			t.Run(name, func(t *testing.T) { golden(t, name, got) })
		}
	}
}

func draw(t *testing.T, page fixture.Page, hostile bool) string {
	t.Helper()
	b, err := ui.Bytes(locale.English, page.Node(hostile))
	require.NoError(t, err)
	return string(b)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".html")
	got = lines(got)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run go test ./render -update")
	require.Equal(t, string(want), got, "if the change is meant: go test ./render -update")
}

// lines puts every tag and text on a line of its own. Names of hashed assets become
// stable, so that a change of style changes no golden page.
func lines(page string) string {
	names := []string{ui.AppCSS, ui.HTMXJS}
	for _, script := range []ui.Script{ui.AppJS, ui.AutosaveJS, ui.OfflineJS, ui.PasskeyJS, ui.PicturesJS, ui.PushJS, ui.WrittenJS} {
		names = append(names, script[locale.English.Tag])
	}
	for _, name := range names {
		stem, rest, _ := strings.Cut(name, ".")
		page = strings.ReplaceAll(page, name, stem+".HASH"+rest[strings.IndexByte(rest, '.'):])
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		b.Write(z.Raw())
		b.WriteByte('\n')
	}
	return b.String()
}

func TestPagesHoldNothingThatRuns(t *testing.T) {
	for _, page := range fixture.Pages() {
		for _, hostile := range []bool{false, true} {
			rendertest.Inert(t, draw(t, page, hostile))
		}
	}
}

func TestEveryHostileStringIsHarmlessInEveryPlace(t *testing.T) {
	for range fixture.Strings {
		for _, page := range fixture.Pages() {
			rendertest.Inert(t, draw(t, page, true))
		}
		fixture.Strings = append(fixture.Strings[1:len(fixture.Strings):len(fixture.Strings)], fixture.Strings[0])
	}
}

func TestAPageGivesTheFocusOnce(t *testing.T) {
	for _, page := range fixture.Pages() {
		t.Run(page.Name, func(t *testing.T) {
			var focused []string
			for z := html.NewTokenizer(strings.NewReader(draw(t, page, false))); z.Next() != html.ErrorToken; {
				tag := string(z.Raw())
				if strings.HasPrefix(tag, "<") { // as it is written: of two equal attributes a token has one
					focused = append(focused, slices.Repeat([]string{tag}, strings.Count(tag, " autofocus"))...)
				}
			}
			assert.LessOrEqual(t, len(focused), 1, "%q", focused)
		})
	}
}

// An empty list says in one sentence that it is empty, and what to do next. In a thread the form above does that.
func TestEmptyListsHaveANextStep(t *testing.T) {
	n := 0
	for _, page := range fixture.Pages() {
		doc, err := html.Parse(strings.NewReader(draw(t, page, false)))
		require.NoError(t, err)
		for e := range doc.Descendants() {
			if !hasClass(e, "empty") || hasClass(e, "failed") || hasClass(e.Parent, "thread") {
				continue
			}
			n++
			sentences, steps := 0, 0
			for below := range e.Descendants() {
				switch {
				case below.Data == "a" || below.Data == "button":
					steps++
				case below.Data == "p" && below.FirstChild.Type == html.TextNode:
					sentences++
				}
			}
			assert.Equal(t, []int{1, 1}, []int{sentences, steps}, page.Name)
		}
	}
	assert.Greater(t, n, 20)
}

func hasClass(e *html.Node, class string) bool {
	for _, a := range e.Attr {
		if a.Key == "class" && slices.Contains(strings.Fields(a.Val), class) {
			return true
		}
	}
	return false
}

func TestPagesHaveOneOutline(t *testing.T) {
	for _, page := range fixture.Pages() {
		if page.Fragment {
			continue
		}
		t.Run(page.Name, func(t *testing.T) {
			doc, err := html.Parse(strings.NewReader(draw(t, page, false)))
			require.NoError(t, err)
			count := map[string]int{}
			ids := map[string]bool{}
			last := 0
			for n := range doc.Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				count[n.Data]++
				if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
					level := int(n.Data[1] - '0')
					assert.LessOrEqual(t, level, last+1, "a heading level is skipped")
					last = level
				}
				for _, a := range n.Attr {
					if a.Key == "id" {
						assert.False(t, ids[a.Val], "id %q twice", a.Val)
						ids[a.Val] = true
					}
				}
			}
			assert.Equal(t, 1, count["h1"])
			assert.Equal(t, 1, count["main"])
			assert.Equal(t, 1, count["title"])
		})
	}
}

func TestAListingStaysLean(t *testing.T) {
	p := fixture.Front(fixture.Viewer())
	p.Listing.Items = fixture.Page25()
	var b strings.Builder
	require.NoError(t, listingpages.Front(p).Render(&b))
	assert.Less(t, b.Len(), 40<<10, "bytes of a member's listing of 25 posts")
	p.Viewer = nil
	visitors, err := ui.Bytes(locale.English, listingpages.Front(p))
	require.NoError(t, err)
	assert.Less(t, len(visitors), 33<<10, "bytes of a visitor's listing of 25 posts")
	p.Viewer = fixture.Viewer()
	assert.Less(t, testing.AllocsPerRun(20, func() { _, _ = ui.Bytes(locale.English, listingpages.Front(p)) }), 400.0, "allocations of a listing of 25 posts")
}

func TestAThreadStaysLean(t *testing.T) {
	p := fixture.PostPage(fixture.Viewer())
	p.Comments = nil
	empty, err := ui.Bytes(locale.English, postpages.PostView(p))
	require.NoError(t, err)
	p.Comments = thread(500)
	full, err := ui.Bytes(locale.English, postpages.PostView(p))
	require.NoError(t, err)
	assert.Less(t, (len(full)-len(empty))/500-len(p.Comments[0].BodyHTML), 1000, "bytes of a comment around its text")
	assert.Less(t, testing.AllocsPerRun(20, func() { _, _ = ui.Bytes(locale.English, postpages.PostView(p)) }), 250.0,
		"allocations of a thread of 500 comments")
}
