package ui

import g "maragu.dev/gomponents"

// SubscribeFragment is the button in its new state, the response to a click.
func SubscribeFragment(name string, on bool, ret string) g.Node { return Subscribe(name, on, ret) }

// ExcludeMenu is the menu of a community or tag with which a member leaves it out of their lists, or shows it again.
func ExcludeMenu(kind, value string, on bool, ret string) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<details class="menu dots"><summary aria-label="`).Say("More").Lit(`">⋯</summary><div>`).
			Node(ExcludeFragment(kind, value, on, ret)).Lit(`</div></details>`)
	})
}

// ExcludeFragment is the button of ExcludeMenu in its new state, the response to a click.
func ExcludeFragment(kind, value string, on bool, ret string) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<form class="toggle" method="post" action="/settings/filters" hx-post="/settings/filters" hx-target="this">`)
		m.Hidden("kind", kind).Hidden("value", value).Hidden("return", ret)
		if on {
			m.Hidden("on", "0").Lit(`<button class="button quiet">`).Say("Show in my lists again")
		} else {
			m.Hidden("on", "1").Lit(`<button class="button quiet">`).Say("Leave out of my lists")
		}
		m.Lit(`<span class="vh"> `).Say(FilterName(kind, value)).Lit(`</span></button></form>`)
	})
}

// LeftOutNote, on the page of a community or tag, says that the viewer's lists leave it out. Its button shows it in lists again.
func LeftOutNote(kind, value string, on bool, ret string) g.Node {
	if !on {
		return nil
	}
	return Component(func(m *Markup) {
		m.Lit(`<form class="notice row left-out" method="post" action="/settings/filters"><span>`).
			Say("Your lists leave out {}.", FilterName(kind, value)).Lit(`</span>`).
			Hidden("kind", kind).Hidden("value", value).Hidden("return", ret).Hidden("on", "0").
			Lit(`<button class="button quiet" data-undo="`).Say("Filter removed").Lit(`">`).Say("Show in my lists again").Lit(`</button></form>`)
	})
}

func Subscribe(name string, on bool, ret string) g.Node {
	return Toggle("/subscribe", "community", name, "c/"+name, on, "Join", "Joined", ret)
}

// FollowFragment is the button to follow or unfollow a member. The script gets it in its new state as the response.
func FollowFragment(name string, on bool, ret string) g.Node {
	return Toggle("/follow", "user", name, name, on, "Follow¦verb", "Following¦button", ret)
}
