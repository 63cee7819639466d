// Package rendertest has helpers for tests of pages. Inert checks that a page can run and load only the site's own files. Only tests import
// it.
package rendertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/render/ui"
)

// ours are the scripts a page may load.
var ours = ourScripts()

func ourScripts() map[string]bool {
	all := map[string]bool{ui.HTMXJS: true}
	for _, script := range []ui.Script{ui.AppJS, ui.AutosaveJS, ui.GalleryJS, ui.OfflineJS, ui.PasskeyJS,
		ui.PicturesJS, ui.PortraitJS, ui.PushJS, ui.QueueJS, ui.WrittenJS} {
		for _, address := range script {
			all[address] = true
		}
	}
	return all
}

// Inert asserts that nothing in the page can run or load anything but our own files.
func Inert(t testing.TB, page string) {
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
			assert.Regexp(t, "^(/img/(logo/[^/]+|mosaic/[0-9]+/[0-9a-f]{6}/[^/?]+|(small/)?[0-9A-Za-z]+)|/picture/[^/?]+(/small)?)$",
				attributes["src"], "a picture from elsewhere")
			assert.Contains(t, attributes, "alt")
		case "iframe", "object", "embed", "style", "base", "video", "audio", "meta":
			assert.Equal(t, "meta", n.Data, "an element that pages do not have")
			assert.NotContains(t, attributes, "http-equiv")
		case "form":
			assert.True(t, strings.HasPrefix(attributes["action"], "/"))
		case "link":
			assert.Contains(t, []string{"icon", "stylesheet", "canonical", "alternate", "preload", "manifest",
				"apple-touch-icon"}, attributes["rel"])
		}
	}
}

func safeAddress(t testing.TB, address string) {
	t.Helper()
	for _, start := range []string{"http://", "https://", "mailto:", "/", "#"} {
		if strings.HasPrefix(address, start) {
			assert.False(t, strings.HasPrefix(address, "//") || strings.HasPrefix(address, `/\`), "leaves the site: %q", address)
			return
		}
	}
	t.Errorf("unsafe address %q", address)
}
