package markdown_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	g "maragu.dev/gomponents"

	"plaza/locale"
	communitypages "plaza/render/community"
	listingpages "plaza/render/listing"
	"plaza/render/markdown"
	postpages "plaza/render/post"
	"plaza/render/ui"
	"plaza/test/fixture"
)

// payloads are all in render/testdata/xss and those of the fixtures.
func payloads(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/xss/*.json")
	require.NoError(t, err)
	require.Len(t, files, 3)
	all := append(slices.Clone(fixture.Strings), fixture.Links...)
	for _, name := range files {
		var some []string
		file, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(file, &some), name)
		all = append(all, some...)
	}
	require.Greater(t, len(all), 1000)
	return all
}

// places are where in a text a payload may stand.
var places = []string{
	"%s", "a %s b", "[link](%s)", "[link](<%s>)", "[link](https://a.b \"%s\")", "[link](https://a.b '%s')", "[link](https://a.b/%s)",
	"[%s](https://a.b)", "![%s](https://a.b)", "![image](%s)",
	"<%s>", "<https://a.b/%s>", "https://a.b/%s", "www.a.b/%s", "[r]\n\n[r]: %s\n", "[r]\n\n[r]: <%s> (%[1]s)\n", "[%s]\n\n[%[1]s]: /x\n",
	"~~%s~~", ">!%s!<", "a >!b %s", "| %s |\n|---|\n| %[1]s |", "%s|b\n-|:-:\nc|`%[1]s`", "a[^1]\n\n[^1]: %s", "a[^%s]\n\n[^%[1]s]: b",
	"`%s`", "```%s\nx\n```", "```\n%s\n```", "    %s",
	"# %s", "> - %s", "**%s**", "*[%s](%[1]s)*", "[![%s](%[1]s)](%[1]s)", "@kim%s", "u/%s", "/c/golang%s", "me@a.b%s", "&%s;", "\\%s",
	"“https://a.b/%s”", "看https://%s。", "[a](www.%s)", "[a](me@a.b?%s)", "mailto:me@%s", "![^1]\n\n[^1]:\n%s", ">!a>%s>!<",
}

// written are the elements that Markdown makes, with the attributes they may have.
var written = map[string][]string{
	"p": nil, "br": nil, "hr": nil, "em": nil, "strong": nil, "code": nil, "blockquote": {"dir"}, "ul": {"dir"}, "h3": nil, "h4": nil,
	"h5": nil, "h6": nil,
	"ol": {"start", "class", "dir"}, "pre": {"tabindex", "dir"}, "a": {"href", "title", "rel", "id"}, "li": {"id"},
	"del": nil, "details": {"class"}, "summary": nil, "sup": nil, "div": {"class", "tabindex", "dir"},
	"table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"class"}, "td": {"class"},
}

func TestNoPayloadLeavesATextAlive(t *testing.T) {
	all := payloads(t)
	texts := 0
	for _, payload := range all {
		for _, place := range places {
			source := fmt.Sprintf(place, payload)
			got, err := markdown.Render(source, endless)
			require.NoError(t, err)
			for _, n := range elements(parseFragment(t, string(got))) {
				attributes, ok := written[n.Data]
				require.True(t, ok, "<%s> from %q", n.Data, source)
				for _, a := range n.Attr {
					require.Contains(t, attributes, a.Key, "from %q", source)
				}
				if n.Data == "a" {
					harmlessLink(t, n, source)
				}
			}
			texts++
		}
	}
	t.Logf("%d payloads in %d places: %d texts", len(all), len(places), texts)
}

// harmlessLink judges a link in what people wrote as a browser understands it.
func harmlessLink(t *testing.T, n *html.Node, source string) {
	t.Helper()
	href := attribute(n, "href")
	switch scheme, rest := browserScheme(href); scheme {
	case "http", "https", "mailto":
		require.Subset(t, strings.Fields(attribute(n, "rel")), []string{"nofollow", "ugc"}, "from %q", source)
		if scheme != "mailto" {
			require.True(t, strings.HasPrefix(rest, "//") && len(rest) > 2 && !strings.ContainsRune(`/\?#`, rune(rest[2])), "%q from %q has no host",
				href, source)
		}
	case "":
		require.True(t, rest != "" && (rest[0] == '#' || rest[0] == '/'), "%q from %q is relative to the page", href, source)
		require.False(t, len(rest) > 1 && strings.ContainsRune(`/\`, rune(rest[1])), "%q from %q leaves the site", href, source)
	default:
		require.Failf(t, "scheme", "%q from %q", href, source)
	}
}

// browserScheme takes an address apart as browsers do (the URL standard, "basic URL
// parser"): without control characters and spaces around it, without tabs and line
// ends anywhere, the scheme in any case.
func browserScheme(href string) (scheme, rest string) {
	href = strings.TrimFunc(href, func(r rune) bool { return r <= ' ' })
	href = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(href)
	for i, r := range href {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		case i > 0 && (r >= '0' && r <= '9' || strings.ContainsRune("+-.", r)):
		case i > 0 && r == ':':
			return strings.ToLower(href[:i]), href[i+1:]
		default:
			return "", href
		}
	}
	return "", href
}

func TestBrowserSchemesAreSeenThroughDisguise(t *testing.T) {
	for _, href := range []string{"javascript:x", " JAVAscript:x", "java\tscript:x", "\x01java\nscr\ript:x", "\x00 javascript:x "} {
		scheme, _ := browserScheme(href)
		require.Equal(t, "javascript", scheme, "%q", href)
	}
	for _, href := range []string{"/x:y", "#a:b", ":x", "1a:b", "java script:x", "\u00a0javascript:x"} {
		scheme, _ := browserScheme(href)
		require.Empty(t, scheme, "%q", href)
	}
}

// Where pages show a string, a payload is that string and changes no element or
// attribute around it.
func TestNoPayloadChangesAPage(t *testing.T) {
	plain := map[string][]string{}
	for name, page := range showing("plain") {
		plain[name] = outline(t, page)
		require.Contains(t, drawn(t, page), "plain")
	}
	for _, payload := range payloads(t) {
		if strings.TrimSpace(payload) == "" {
			continue // pages have words of their own where there is nothing to show
		}
		for name, page := range showing(payload) {
			require.Equal(t, plain[name], outline(t, page), "%q in %s", payload, name)
		}
	}
}

// showing gives pages with a string wherever one of people's is shown.
func showing(s string) map[string]g.Node {
	frame := fixture.Frame(locale.Verbatim(s), "/", fixture.Viewer())
	frame.Flash = locale.Verbatim(s)
	post := fixture.Posts()[1]
	post.Title, post.Author, post.Excerpt, post.Domain, post.Community = s, s, s, s, s
	post.Preview = &ui.LinkPreview{Title: s, Description: s, Site: s}
	link := post
	link.Kind, link.Link = "link", "https://a.b"
	community := ui.Community{Name: s, Title: s, Description: s, Rules: []ui.Rule{{Title: s, Text: s}}, Moderators: []string{s}}
	form := ui.Form{Values: map[string]string{"title": s, "text": s, "link": s, "image": s, "body": s, "username": s, "email": s},
		Errors: map[string]locale.Text{"": locale.Verbatim(s), "title": locale.Verbatim(s), "body": locale.Verbatim(s)}}
	comment := &ui.Comment{ID: "1", PostURL: "/x", Author: s, CanReply: true}
	return map[string]g.Node{
		"the page of a link": postpages.PostView(postpages.PostPage{Frame: frame, Community: community, Post: link, CanReply: true, Reply: form,
			Comments: []*ui.Comment{comment}}),
		"a community": communitypages.CommunityView(communitypages.CommunityPage{Frame: frame, Community: community,
			Listing: ui.Listing{Items: []ui.PostItem{post, link}, ShowCommunity: true}}),
		"a profile": listingpages.Profile(listingpages.ProfilePage{Frame: frame, Name: s,
			Comments: []listingpages.ProfileComment{{Comment: *comment, PostTitle: s, PostURL: "/x", Community: s}}}),
		"a form": postpages.Submit(postpages.SubmitPage{Frame: frame, Community: &community, Suggestions: []string{s}, Kind: "text",
			Form: form}),
		"an answer": ui.Reply(ui.ReplyPage{Frame: frame, Post: post, Parent: comment, Form: form}),
		"an error":  ui.Error(ui.ErrorPage{Frame: frame, Status: 404, Heading: locale.Verbatim(s), Message: locale.Verbatim(s), RequestID: s}),
	}
}

func drawn(t *testing.T, page g.Node) string {
	t.Helper()
	b, err := ui.Bytes(locale.English, page)
	require.NoError(t, err)
	return string(b)
}

// outline is the elements of a page with the names of their attributes, in order.
func outline(t *testing.T, page g.Node) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(drawn(t, page)))
	require.NoError(t, err)
	var all []string
	for _, n := range elements(doc) {
		tag := n.Data
		for _, a := range n.Attr {
			tag += " " + a.Key
		}
		all = append(all, tag)
	}
	return all
}

func TestNoPayloadIsALinkTarget(t *testing.T) {
	for _, payload := range payloads(t) {
		post := fixture.Posts()[0]
		post.Link, post.Kind = payload, "link"
		page := ui.Listing{Items: []ui.PostItem{post}}
		for _, node := range []g.Node{
			postpages.PostView(postpages.PostPage{Frame: fixture.Frame("x", "/", nil), Post: post}),
			communitypages.CommunityView(communitypages.CommunityPage{Frame: fixture.Frame("x", "/", nil), Listing: page}),
		} {
			doc, err := html.Parse(strings.NewReader(drawn(t, node)))
			require.NoError(t, err)
			for _, n := range elements(doc, "a") {
				if attribute(n, "rel") != "" {
					harmlessLink(t, n, payload)
					continue
				}
				scheme, rest := browserScheme(attribute(n, "href"))
				require.Empty(t, scheme, "%q", payload)
				require.Regexp(t, `^(/([^/\\]|$)|#)`, rest, "%q", payload)
			}
		}
	}
}
