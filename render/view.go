package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// views says how many people have looked at a post; nothing when none have.
func (m *markup) views(n int64) *markup {
	if n == 0 {
		return m
	}
	if n >= 1000 {
		return m.counted(n, "view", "views")
	}
	return m.lit(`<span>`).plural(n, "view", "views").lit(`</span>`)
}

// viewMark is the attribute by which the script knows what to count; nil for none.
func viewMark(mark string) g.Node {
	if mark == "" {
		return nil
	}
	return g.Attr("data-view", mark)
}

// seenChoice is how a member has lists leave out what they have seen, or show it again; nil for visitors, and where nothing is to be left out.
func seenChoice(l Listing, f Frame) g.Node {
	if f.Viewer == nil || len(l.Items) == 0 && !l.HidesSeen {
		return nil
	}
	label, value := "Hide what you have seen", "1"
	if l.HidesSeen {
		label, value = "Show what you have seen", "0"
	}
	return h.Form(h.Class("acts"), sentTo("/seen"), hidden("return", f.Path), h.Button(h.Class("button quiet"), h.Name("hide"), h.Value(value), g.Text(label)))
}
