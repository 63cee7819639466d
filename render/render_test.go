package render_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/render"
	"plaza/render/fixture"
)

var update = flag.Bool("update", false, "write the golden pages anew")

func TestPagesAreAsInTheGoldenFiles(t *testing.T) {
	for _, page := range fixture.Pages() {
		t.Run(page.Name, func(t *testing.T) {
			golden(t, page.Name, draw(t, page, false))
		})
		t.Run(page.Name+" with hostile strings", func(t *testing.T) {
			golden(t, page.Name+"-hostile", draw(t, page, true))
		})
	}
}

func draw(t *testing.T, page fixture.Page, hostile bool) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, page.Node(hostile).Render(&b))
	return b.String()
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
	require.Equal(t, string(want), got)
}

// lines puts every tag and text on a line of its own. Names of hashed assets become
// stable, so that a change of style changes no golden page.
func lines(page string) string {
	for _, name := range []string{render.AppCSS, render.AppJS, render.HTMXJS, render.AutosaveJS, render.PasskeyJS, render.PushJS, render.WrittenJS} {
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

// ours are the scripts a page may load.
var ours = map[string]bool{render.AppJS: true, render.HTMXJS: true, render.AutosaveJS: true, render.PasskeyJS: true, render.PushJS: true, render.WrittenJS: true}

// inert asserts that nothing in the page can run or load anything but our own files.
func inert(t *testing.T, page string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("comment: %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
			assert.False(t, strings.HasPrefix(a.Key, "on"), "handler %s=%q", a.Key, a.Val)
			assert.NotEqual(t, "style", a.Key, "inline style")
			if strings.HasPrefix(a.Key, "hx-") {
				assert.Contains(t, []string{"hx-post", "hx-get", "hx-target", "hx-swap"}, a.Key)
			}
			switch a.Key {
			case "href", "src", "action", "formaction", "hx-get", "hx-post":
				safeAddress(t, a.Val)
			}
		}
		switch n.Data {
		case "script":
			if attributes["type"] == "application/ld+json" {
				assert.Len(t, n.Attr, 1)
				assert.True(t, json.Valid([]byte(n.FirstChild.Data)), n.FirstChild.Data)
				continue
			}
			assert.True(t, ours[attributes["src"]], "script %v", n.Attr)
			assert.Nil(t, n.FirstChild, "inline script")
		case "img":
			assert.Regexp(t, "^/img/(logo/[^/]+|[0-9A-Za-z]+)$", attributes["src"], "a picture from elsewhere")
			assert.Contains(t, attributes, "alt")
		case "iframe", "object", "embed", "style", "base", "video", "audio", "meta":
			assert.Equal(t, "meta", n.Data, "an element that pages do not have")
			assert.NotContains(t, attributes, "http-equiv")
		case "form":
			assert.True(t, strings.HasPrefix(attributes["action"], "/"))
		case "link":
			assert.Contains(t, []string{"icon", "stylesheet", "canonical", "alternate"}, attributes["rel"])
		}
	}
}

func safeAddress(t *testing.T, address string) {
	t.Helper()
	for _, start := range []string{"http://", "https://", "mailto:", "/", "#"} {
		if strings.HasPrefix(address, start) {
			assert.False(t, strings.HasPrefix(address, "//") || strings.HasPrefix(address, `/\`), "leaves the site: %q", address)
			return
		}
	}
	t.Errorf("unsafe address %q", address)
}

func TestPagesHoldNothingThatRuns(t *testing.T) {
	for _, page := range fixture.Pages() {
		for _, hostile := range []bool{false, true} {
			inert(t, draw(t, page, hostile))
		}
	}
}

func TestEveryHostileStringIsHarmlessInEveryPlace(t *testing.T) {
	for range fixture.Strings {
		for _, page := range fixture.Pages() {
			inert(t, draw(t, page, true))
		}
		fixture.Strings = append(fixture.Strings[1:len(fixture.Strings):len(fixture.Strings)], fixture.Strings[0])
	}
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
	require.NoError(t, render.Front(p).Render(&b))
	assert.Less(t, b.Len(), 37<<10, "bytes of a member's listing of 25 posts")
	p.Viewer = nil
	visitors, err := render.Bytes(render.Front(p))
	require.NoError(t, err)
	assert.Less(t, len(visitors), 33<<10, "bytes of a visitor's listing of 25 posts")
	p.Viewer = fixture.Viewer()
	assert.Less(t, testing.AllocsPerRun(20, func() { _, _ = render.Bytes(render.Front(p)) }), 400.0, "allocations of a listing of 25 posts")
}

func TestAThreadStaysLean(t *testing.T) {
	p := fixture.PostPage(fixture.Viewer())
	p.Comments = nil
	empty, err := render.Bytes(render.PostView(p))
	require.NoError(t, err)
	p.Comments = thread(500)
	full, err := render.Bytes(render.PostView(p))
	require.NoError(t, err)
	assert.Less(t, (len(full)-len(empty))/500-len(p.Comments[0].BodyHTML), 900, "bytes of a comment around its text")
	assert.Less(t, testing.AllocsPerRun(20, func() { _, _ = render.Bytes(render.PostView(p)) }), 230.0, "allocations of a thread of 500 comments")
}
