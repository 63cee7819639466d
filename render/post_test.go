package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plaza/locale"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/test/fixture"
)

func TestLinkCard(t *testing.T) {
	tests := map[string]struct {
		link    string
		preview *ui.LinkPreview
		title   string
		foot    string
	}{
		"nothing is known yet": {"https://www.go.dev/blog/", nil, "go.dev/blog", "go.dev"},
		"the page says all": {"https://go.dev/blog", &ui.LinkPreview{Title: "The Go Blog", Site: "Go"},
			"The Go Blog", "go.dev\u00a0· Go"},
		"the page has the post's title": {"https://go.dev/blog", &ui.LinkPreview{Title: "a POST"}, "go.dev/blog", "go.dev"},
		"the site's name is its host":   {"https://go.dev/", &ui.LinkPreview{Site: "Go.dev"}, "go.dev", "go.dev"},
		"the address is long":           {"https://go.dev/" + strings.Repeat("x", 200), nil, "go.dev/" + strings.Repeat("x", 93) + "…", "go.dev"},
		"the page is hostile": {"https://go.dev/", &ui.LinkPreview{Title: "<script>x</script>"},
			"&lt;script&gt;x&lt;/script&gt;", "go.dev"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := fixture.LinkPage()
			p.Post.Title, p.Post.Link, p.Post.Domain, p.Post.Preview = "A post", test.link, "go.dev", test.preview
			page, err := ui.Bytes(locale.English, postpages.PostView(p))
			require.NoError(t, err)
			_, card, found := strings.Cut(string(page), `<a class="linkcard"`)
			require.True(t, found)
			card, _, _ = strings.Cut(card, "</a>")
			assert.Contains(t, card, "<strong>"+test.title+"</strong>")
			assert.Contains(t, card, `<span class="dom">`+test.foot+"</span>")
		})
	}
}
