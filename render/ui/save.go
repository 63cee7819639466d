package ui

import g "maragu.dev/gomponents"

// Keep is the state of the buttons by which a member saves and hides something.
type Keep struct {
	Target  string // text id of the post or comment
	Comment bool   // which can't be hidden
	Saved   bool
	Hidden  bool
}

// KeepFragment is the buttons in their new state, for the script that has sent one.
func KeepFragment(k Keep) g.Node { return Component(func(m *Markup) { m.Keep(&k) }) }

// Keep writes a form of one or two buttons. It stands on a page many times, so it is as short as that of votes.
func (m *Markup) Keep(k *Keep) *Markup {
	m.Lit(`<form class="keep" method="post" action="/save?target=`).Text(k.Target).Lit(`">`)
	if k.Saved {
		m.Lit(`<button name="on" value="0">`).Say("Unsave¦bookmark").Lit(`</button>`)
	} else {
		m.Lit(`<button name="on" value="1">`).Say("Save¦bookmark").Lit(`</button>`)
	}
	switch {
	case k.Comment:
	case k.Hidden:
		m.Lit(`<button formaction="/hide?target=`).Text(k.Target).Lit(`" name="on" value="0">`).Say("Unhide¦verb").Lit(`</button>`)
	default:
		m.Lit(`<button formaction="/hide?target=`).Text(k.Target).Lit(`" name="on" value="1">`).Say("Hide¦verb").Lit(`</button>`)
	}
	return m.Lit(`</form>`)
}
