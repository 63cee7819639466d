package ui

import g "maragu.dev/gomponents"

// Watch is what the viewer wants to be told of a thread.
type Watch struct {
	Target string `json:"-"`     // text id of the thread's post
	State  string `json:"state"` // `follow`, `mute`, or empty: of answers and mentions.
}

// WatchFragment is the buttons by which a member follows or mutes a thread, in their state.
func WatchFragment(w Watch) g.Node { return Component(func(m *Markup) { m.Watch(&w) }) }

func (m *Markup) Watch(w *Watch) *Markup {
	m.Lit(`<form class="keep" method="post" action="/watch?target=`).Text(w.Target).Lit(`">`)
	switch w.State {
	case "follow":
		m.Lit(`<button name="watch" value="none">Unfollow thread</button>`)
	case "mute":
		m.Lit(`<button name="watch" value="none">Unmute thread</button>`)
	default:
		m.Lit(`<button name="watch" value="follow">Follow thread</button><button name="watch" value="mute">Mute thread</button>`)
	}
	return m.Lit(`</form>`)
}
