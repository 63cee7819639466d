package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// OrderBar is the line above a list: its scope, its order, the order's window, and the display of lists.
func OrderBar(f Frame, label locale.Text, scopes, orders, windows []Tab) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<div class="order">`)
		if len(scopes) > 0 {
			m.Lit(`<nav class="seg" aria-label="`).Say(label).Lit(`">`).links(scopes).Lit(`</nav>`)
		}
		m.orderMenu(orders, windows)
		remember(m, &displayMenus, f.Display, displayMenu).Lit(`</div>`)
	})
}

// orderMenu writes a menu that shows the current order and its window.
func (m *Markup) orderMenu(orders, windows []Tab) {
	if len(orders) == 0 {
		return
	}
	m.Lit(`<details class="menu sort"><summary><span><span class="vh">`).Say("Order:").Lit(` </span>`)
	m.current(orders, "").current(windows, " · ").Lit(`</span></summary><div><nav aria-label="`).Say("Order").Lit(`">`).
		links(orders).Lit(`</nav>`)
	if len(windows) > 0 {
		m.Lit(`<nav aria-label="`).Say("Time").Lit(`">`).links(windows).Lit(`</nav>`)
	}
	m.Lit(`</div></details>`)
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

// Links writes links to lists.
func (m *Markup) Links(ts []Tab) *Markup { return m.links(ts) }

// Choose writes a menu of lists that shows the current one; nothing for no lists.
func (m *Markup) Choose(label locale.Text, ts []Tab) *Markup {
	if len(ts) == 0 {
		return m
	}
	m.Lit(`<details class="menu sort"><summary><span><span class="vh">`).Say(label).Lit(`: </span>`).current(ts, "")
	return m.Lit(`</span></summary><div><nav aria-label="`).Say(label).Lit(`">`).links(ts).Lit(`</nav></div></details>`)
}

func (m *Markup) links(ts []Tab) *Markup {
	for _, t := range ts {
		m.Lit(`<a href="`).Text(t.URL).Lit(`"`).When(t.Active, ` aria-current="page"`).Lit(`>`).Say(t.Label).Lit(`</a>`)
	}
	return m
}
