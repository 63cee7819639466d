package ui

import (
	g "maragu.dev/gomponents"

	"plaza/locale"
)

// Watch is what the viewer wants to be notified of in a thread.
type Watch struct {
	Target string `json:"-"`     // text id of the thread's post
	State  string `json:"state"` // `follow`, `mute`, or empty: of answers and mentions.
}

// WatchFragment is the buttons that follow or mute a thread, the response to a click on one.
func WatchFragment(w Watch) g.Node { return Component(func(m *Markup) { m.Watch(&w) }) }

func (m *Markup) Watch(w *Watch) *Markup {
	m.Lit(`<div class="keep">`)
	switch w.State {
	case "follow":
		m.watchButton(w, "none", "Stop notifying me")
	case "mute":
		m.watchButton(w, "none", "Unmute")
	default:
		m.watchButton(w, "follow", "Notify me")
		m.watchButton(w, "mute", "Mute¦verb")
	}
	return m.Lit(`</div>`)
}

func (m *Markup) watchButton(w *Watch, state Literal, label locale.Text) {
	m.Lit(`<button`).submitTo("/watch?target=", w.Target).When(w.State == "mute", ` class="off"`).Lit(` name="watch" value="`).Lit(state).
		Lit(`">`).Say(label).Lit(`</button>`)
}
