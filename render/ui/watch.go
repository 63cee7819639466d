package ui

import g "maragu.dev/gomponents"

// Watch is what the viewer wants to be told of a thread.
type Watch struct {
	Target string `json:"-"`     // text id of the thread's post
	State  string `json:"state"` // `follow`, `mute`, or empty: of answers and mentions.
}

// WatchFragment is the buttons by which a member is notified of a thread or mutes it, in their state.
func WatchFragment(w Watch) g.Node { return Component(func(m *Markup) { m.Watch(&w) }) }

func (m *Markup) Watch(w *Watch) *Markup {
	m.Lit(`<form class="keep" method="post" action="/watch?target=`).Text(w.Target).Lit(`">`)
	switch w.State {
	case "follow":
		m.Lit(`<button name="watch" value="none">`).Say("Stop notifying me").Lit(`</button>`)
	case "mute":
		m.Lit(`<button class="off" name="watch" value="none">`).Say("Unmute").Lit(`</button>`)
	default:
		m.Lit(`<button name="watch" value="follow">`).Say("Notify me").Lit(`</button><button name="watch" value="mute">`).Say("Mute¦verb").
			Lit(`</button>`)
	}
	return m.Lit(`</form>`)
}
