package render_test

import (
	"cmp"
	"html"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	g "maragu.dev/gomponents"

	"plaza/locale"
	"plaza/render/ui"
	"plaza/test/fixture"
	"plaza/test/rendertest"
)

// shell is what a page is drawn into. Together the shells have every kind of reader, of site and of page.
type shell struct {
	frame    ui.Frame
	carrying bool
	alone    bool        // without anything beside the main part
	beside   locale.Text // what stands beside
}

func (s shell) draw(t *testing.T) string {
	t.Helper()
	var side g.Node
	if !s.alone {
		side = g.Raw("<p>What stands beside.</p>")
	}
	b, err := ui.Bytes(locale.English, ui.Shell(s.frame, s.carrying, cmp.Or(s.beside, "What stands beside"), side, g.Raw("<h1>A page</h1>")))
	require.NoError(t, err)
	return string(b)
}

func shells() map[string]shell {
	frame := func(viewer *ui.Viewer, change func(*ui.Frame)) ui.Frame {
		f := fixture.Frame("A page", "/c/golang?after=abc", viewer)
		change(&f)
		return f
	}
	member := func(change func(*ui.Viewer)) *ui.Viewer {
		v := fixture.Viewer()
		change(v)
		return v
	}
	return map[string]shell{
		"visitor": {frame: frame(nil, func(*ui.Frame) {})},
		"visitor-post": {frame: frame(nil, func(f *ui.Frame) {
			f.Posting = &ui.Posting{At: fixture.Now, EmbedURL: "https://plaza.example/oembed?url=x"}
			f.Picture.Width, f.Picture.Height = 0, 0
		})},
		"visitor-carrying": {carrying: true, alone: true, frame: frame(nil, func(f *ui.Frame) {
			f.Title, f.Description, f.Canonical, f.FeedURL, f.Picture.URL, f.NoIndex = "", "", "", "", "", true
		})},
		"member": {frame: frame(fixture.Viewer(), func(f *ui.Frame) { f.Flash = "It was saved." })},
		"member-unread": {alone: true, frame: frame(member(func(v *ui.Viewer) { v.Unread = 120 }), func(f *ui.Frame) {
			f.Display = ui.Display{Density: "compact", Theme: "light"}
			f.SiteName, f.Letter, f.Accent = "Town Square", "T", "blue"
		})},
		"moderator": {frame: frame(member(func(v *ui.Viewer) { v.Moderates, v.Waiting = true, 41 }), func(f *ui.Frame) {
			f.SiteName, f.Logo, f.Display.Theme = "Town Square", "0123456789abcdef", "dark"
		})},
		"administrator": {frame: frame(member(func(v *ui.Viewer) { v.Moderates, v.Admin = true, true }), func(*ui.Frame) {})},
	}
}

func TestTheShell(t *testing.T) {
	for name, s := range shells() {
		t.Run(name, func(t *testing.T) {
			golden(t, "shell-"+name, s.draw(t))
			s.frame = fixture.Hostile(s.frame)
			golden(t, "shell-"+name+"-hostile", s.draw(t))
			rendertest.Inert(t, s.draw(t))
		})
	}
}

// Around what is its own, each page has what the shell makes of its frame, and nothing else.
func TestEveryPageStandsInTheShell(t *testing.T) {
	for _, page := range fixture.Pages() {
		if page.Fragment {
			continue
		}
		t.Run(page.Name, func(t *testing.T) {
			got, main, side := cut(t, draw(t, page, false))
			frame := reflect.ValueOf(page.Model()).FieldByName("Frame").Interface().(ui.Frame)
			s := shell{frame: frame, carrying: strings.Contains(main, "What you wrote is kept."), alone: side == ""}
			if label := regexp.MustCompile(`^<aside [^>]*aria-label="([^"]*)"`).FindStringSubmatch(side); label != nil {
				s.beside = locale.Verbatim(html.UnescapeString(label[1]))
			}
			want, _, _ := cut(t, s.draw(t))
			require.Equal(t, want, got)
		})
	}
}

// cut takes out of a page what it has of its own: the main part, and what stands beside it.
func cut(t *testing.T, page string) (rest, main, side string) {
	t.Helper()
	begin, end := strings.Index(page, `<main id="main"`), strings.Index(page, `</main>`)+len(`</main>`)
	require.Positive(t, begin)
	require.Greater(t, end, begin)
	main, rest = page[begin:end], page[end:]
	if strings.HasPrefix(rest, `<aside id="about"`) {
		end := strings.Index(rest, `</aside>`) + len(`</aside>`)
		side, rest = rest[:end], rest[end:]
	}
	return page[:begin] + rest, main, side
}
