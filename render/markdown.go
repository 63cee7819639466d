package render

import (
	"html"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// RenderMarkdown turns what people wrote into safe HTML.
func RenderMarkdown(src string) (HTML, error) {
	return HTML("<p>" + html.EscapeString(src) + "</p>"), nil
}

// PlainExcerpt gives the first n characters of the text without its markup.
func PlainExcerpt(src string, n int) string {
	r := []rune(src)
	if len(r) > n {
		r = r[:n]
	}
	return string(r)
}

func markup(m HTML) g.Node {
	if m == "" {
		return nil
	}
	return h.Div(h.Class("md"), g.Raw(string(m)))
}
