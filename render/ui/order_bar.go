package ui

import g "maragu.dev/gomponents"

// OrderBar is the line above a list: which list it is, of scopes; its order, and the time that an order has; and how lists look.
func OrderBar(f Frame, label Literal, scopes, orders, windows []Tab) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<div class="order">`)
		if len(scopes) > 0 {
			m.Lit(`<nav class="seg" aria-label="`).Lit(label).Lit(`">`).links(scopes).Lit(`</nav>`)
		}
		m.orderMenu(orders, windows)
		m.displayMenu(f.Display).Lit(`</div>`)
	})
}

// orderMenu writes a menu that shows the current order, and its time.
func (m *Markup) orderMenu(orders, windows []Tab) {
	if len(orders) == 0 {
		return
	}
	m.Lit(`<details class="menu sort"><summary><span><span class="vh">Order: </span>`)
	m.current(orders, "").current(windows, " · ").Lit(`</span></summary><div><nav aria-label="Order">`).links(orders).Lit(`</nav>`)
	if len(windows) > 0 {
		m.Lit(`<nav aria-label="Time">`).links(windows).Lit(`</nav>`)
	}
	m.Lit(`</div></details>`)
}

// current writes the label of the active one.
func (m *Markup) current(ts []Tab, before Literal) *Markup {
	for _, t := range ts {
		if t.Active {
			m.Lit(before).Text(t.Label)
		}
	}
	return m
}

// Links writes links to lists.
func (m *Markup) Links(ts []Tab) *Markup { return m.links(ts) }

// Choose writes a menu that shows which of some lists is shown; nothing for none.
func (m *Markup) Choose(label Literal, ts []Tab) *Markup {
	if len(ts) == 0 {
		return m
	}
	m.Lit(`<details class="menu sort"><summary><span><span class="vh">`).Lit(label).Lit(`: </span>`).current(ts, "")
	return m.Lit(`</span></summary><div><nav aria-label="`).Lit(label).Lit(`">`).links(ts).Lit(`</nav></div></details>`)
}

func (m *Markup) links(ts []Tab) *Markup {
	for _, t := range ts {
		m.Lit(`<a href="`).Text(t.URL).Lit(`"`).When(t.Active, ` aria-current="page"`).Lit(`>`).Text(t.Label).Lit(`</a>`)
	}
	return m
}
