package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Views says how many people have looked at a post; nothing when none have.
func (m *Markup) Views(n int64) *Markup {
	if n == 0 {
		return m
	}
	if n >= 1000 {
		return m.Counted(n, "{} view|{} views")
	}
	return m.Lit(`<span>`).Count(n, "{} view|{} views").Lit(`</span>`)
}

// ViewMark is the attribute that tells the script which view to count; nil for none.
func ViewMark(mark string) g.Node {
	if mark == "" {
		return nil
	}
	return g.Attr("data-view", mark)
}

// SeenChoice is the button that hides or shows posts that the member has seen; nil for visitors, and where nothing can be hidden.
func SeenChoice(l Listing, f Frame) g.Node {
	if f.Viewer == nil || len(l.Items) == 0 && !l.HidesSeen {
		return nil
	}
	label, value := locale.Text("Hide what you have seen"), "1"
	if l.HidesSeen {
		label, value = "Show what you have seen", "0"
	}
	return h.Form(h.Class("acts"), PostTo("/seen"), Hidden("return", f.Path), h.Button(h.Class("button quiet"), h.Name("hide"), h.Value(value),
		T(label)))
}
