package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// OrderBar is the line above a list: its scope, its order, the order's window, and the display of lists.
func OrderBar(f Frame, label locale.Text, scopes, orders, windows []Tab) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<div class="order">`).Tabs(label, scopes).choose("Order", orders, windows)
		remember(m, &displayMenus, f.Display, displayMenu).Lit(`</div>`)
	})
}

// Tabs is a strip of links to lists, or to pages that stand beside each other; nothing for none.
func Tabs(label locale.Text, ts []Tab) g.Node {
	return Component(func(m *Markup) { m.Tabs(label, ts) })
}

func (m *Markup) Tabs(label locale.Text, ts []Tab) *Markup {
	if len(ts) == 0 {
		return m
	}
	return m.Lit(`<nav class="tabs" aria-label="`).Say(label).Lit(`">`).Links(ts).Lit(`</nav>`)
}

// current writes the label of the active tab.
func (m *Markup) current(ts []Tab, before Literal) *Markup {
	for _, t := range ts {
		if t.Active {
			m.Lit(before).Say(t.Label)
		}
	}
	return m
}

// Choose writes a menu of lists that shows the current one; nothing for no lists.
func (m *Markup) Choose(label locale.Text, ts []Tab) *Markup { return m.choose(label, ts, nil) }

// choose writes the menu. Windows are the times of a list's order, in a second group.
func (m *Markup) choose(label locale.Text, ts, windows []Tab) *Markup {
	if len(ts) == 0 {
		return m
	}
	m.Lit(`<details class="menu sort"><summary><span><span class="vh">`).Say(label).Lit(`: </span>`).current(ts, "").current(windows, " · ")
	m.Lit(`</span></summary><div><nav aria-label="`).Say(label).Lit(`">`).Links(ts).Lit(`</nav>`)
	if len(windows) > 0 {
		m.Lit(`<nav aria-label="`).Say("Time").Lit(`">`).Links(windows).Lit(`</nav>`)
	}
	return m.Lit(`</div></details>`)
}

// Links writes links to lists.
func (m *Markup) Links(ts []Tab) *Markup {
	for _, t := range ts {
		m.Lit(`<a href="`).Text(t.URL).Lit(`"`).When(t.Active, ` aria-current="page"`).Lit(`>`).Say(t.Label).Lit(`</a>`)
	}
	return m
}
