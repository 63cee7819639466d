package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// DraftScript keeps drafts of text forms, and a visitor's text while they log in (web/written.js).
func DraftScript(v *Viewer) g.Node {
	member := ""
	if v != nil {
		member = v.Name
	}
	return h.Script(Src(WrittenJS), h.Defer(), h.Data("member", member))
}

// Again is a form's name (worker/request/refuse.go), with which written.js takes the text along to the login page.
func Again(form string) g.Node { return h.Data("again", form) }
