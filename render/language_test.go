package render

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plaza/locale"
	"plaza/render/ui"
	"plaza/test/fixture"
)

// shownAttributes are those whose values people see or hear.
var shownAttributes = map[string]bool{"aria-label": true, "aria-description": true, "title": true, "placeholder": true, "alt": true}

// words calls f with every text and every attribute that people see or hear, outside what nobody reads.
func words(t *testing.T, page string, f func(text, at string)) {
	doc, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "style", "time", "code", "pre", "svg", "kbd":
				return
			}
			for _, a := range n.Attr {
				if shownAttributes[a.Key] {
					f(a.Val, n.Data+" "+a.Key)
				}
			}
		}
		if n.Type == html.TextNode {
			f(n.Data, n.Parent.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
}

func inLanguage(t *testing.T, l *locale.Language, page fixture.Page) string {
	b, err := ui.Bytes(l, page.Node(false))
	require.NoError(t, err)
	return string(b)
}

// TestPseudo: whatever a page says in plain letters in English says nothing in plain letters in the language of tests, but for what people
// have written.
func TestPseudo(t *testing.T) {
	for _, page := range fixture.Pages() {
		t.Run(page.Name, func(t *testing.T) {
			typed := typedIn(page.Model())
			words(t, inLanguage(t, locale.Pseudo, page), func(text, at string) {
				if strings.ContainsAny(text, "⟦⟧áéíóúýçñšž") {
					return
				}
				for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '·' || r == ',' || r == '#' }) {
					if part = strings.Trim(part, " \u00a0:,–“”"); hasWord(part) {
						assert.True(t, typed(part), "%q in <%s> is in English in every language", text, at)
					}
				}
			})
		})
	}
}

// typedIn tells which texts of a page are what the strings of its view model say, as people and programs have typed them.
func typedIn(model any) func(text string) bool {
	var all strings.Builder
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key))
			}
		case reflect.String:
			texts := []string{v.String()}
			if v.Type() == reflect.TypeFor[locale.Text]() {
				texts = locale.Text(v.String()).Typed()
			}
			for _, text := range texts {
				all.WriteString(text + "\n" + html.UnescapeString(tags.ReplaceAllString(text, " ")) + "\n")
			}
		}
	}
	walk(reflect.ValueOf(model))
	for _, l := range locale.Languages { // their names are in themselves
		all.WriteString(l.Name + "\n")
	}
	typed := all.String()
	return func(text string) bool {
		for _, sign := range []string{"c/", "u/", "#", "@"} {
			text = strings.TrimPrefix(text, sign)
		}
		return strings.Contains(typed, text)
	}
}

var tags = regexp.MustCompile(`<[^>]*>`)

func hasWord(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			letters++
		}
	}
	return letters > 1
}
