package render

import g "maragu.dev/gomponents"

// Keep is the state of the buttons by which a member saves and hides something.
type Keep struct {
	Target  string // text id of the post or comment
	Comment bool   // which can't be hidden
	Saved   bool
	Hidden  bool
}

// KeepFragment is the buttons in their new state, for the script that has sent one.
func KeepFragment(k Keep) g.Node { return component(func(m *markup) { m.keep(&k) }) }

// keep writes a form of one or two buttons. It stands on a page many times, so it is as short as that of votes.
func (m *markup) keep(k *Keep) *markup {
	m.lit(`<form class="keep" method="post" action="/save?target=`).text(k.Target).lit(`">`)
	if k.Saved {
		m.lit(`<button name="on" value="0">Unsave</button>`)
	} else {
		m.lit(`<button name="on" value="1">Save</button>`)
	}
	switch {
	case k.Comment:
	case k.Hidden:
		m.lit(`<button formaction="/hide?target=`).text(k.Target).lit(`" name="on" value="0">Unhide</button>`)
	default:
		m.lit(`<button formaction="/hide?target=`).text(k.Target).lit(`" name="on" value="1">Hide</button>`)
	}
	return m.lit(`</form>`)
}

func (m *markup) keepComment(c *Comment) *markup {
	if !c.CanSave && !c.Saved {
		return m
	}
	return m.keep(&Keep{Target: c.ID, Comment: true, Saved: c.Saved})
}
