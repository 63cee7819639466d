package ui

import g "maragu.dev/gomponents"

// Keep is the state of the buttons that save and hide a post or comment.
type Keep struct {
	Target  string // text id of the post or comment
	Comment bool   // it can't be hidden
	Saved   bool
	Hidden  bool
}

// KeepFragment is the buttons in their new state, the response to a click on one.
func KeepFragment(k Keep) g.Node { return Component(func(m *Markup) { m.Keep(&k) }) }

// Keep writes one or two buttons. A page has many, so they are as short as vote buttons.
func (m *Markup) Keep(k *Keep) *Markup {
	m.Lit(`<div class="keep">`).saveButton(k.Target, k.Saved)
	switch {
	case k.Comment:
	case k.Hidden:
		m.Lit(`<button`).submitTo("/hide?target=", k.Target).Lit(` name="on" value="0">`).Say("Unhide¦verb").Lit(`</button>`)
	default:
		m.Lit(`<button`).submitTo("/hide?target=", k.Target).Lit(` name="on" value="1">`).Say("Hide¦verb").Lit(`</button>`)
	}
	return m.Lit(`</div>`)
}

func (m *Markup) saveButton(target string, saved bool) *Markup {
	m.Lit(`<button`).submitTo("/save?target=", target)
	if saved {
		return m.Lit(` name="on" value="0">`).Say("Unsave¦bookmark").Lit(`</button>`)
	}
	return m.Lit(` name="on" value="1">`).Say("Save¦bookmark").Lit(`</button>`)
}
