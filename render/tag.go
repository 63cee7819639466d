package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// tags writes the tags of a post.
func (m *markup) tags(names []string) *markup {
	for _, name := range names {
		m.lit(`<span class="mark">#`).text(name).lit(`</span>`)
	}
	return m
}

// tagsField is the field of a post's tags.
func tagsField(f Form) g.Node {
	return field(f, input{name: "tags", label: "Tags", hint: "At most 5, with spaces between them: go web-design", kind: "text",
		attrs: g.Group{h.AutoComplete("off"), g.Attr("autocapitalize", "none"), h.MaxLength("200")}})
}
