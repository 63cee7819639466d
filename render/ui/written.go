package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// WrittenScript stands on a page with forms in which people write (web/written.js).
func WrittenScript(v *Viewer) g.Node {
	member := ""
	if v != nil {
		member = v.Name
	}
	return h.Script(Src(WrittenJS), h.Defer(), h.Data("member", member))
}

// Again names a form, as worker/request/form_page.go knows it, for the script that takes it along to the login page.
func Again(form string) g.Node { return h.Data("again", form) }
