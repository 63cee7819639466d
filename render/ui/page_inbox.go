package ui

import "strconv"

// inboxSVG is a bell; it has the colour of the text.
const inboxSVG = `<svg class="bell" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3a6 6 0 0 0-6 6c0 5-2 6.5-2 8h16c0-1.5-2-3-2-8a6 ` +
	`6 0 0 0-6-6zM10 20a2 2 0 0 0 4 0"></path></svg>`

// headerCount is a count of at most three characters, for the header.
func headerCount(n int) string {
	if n > 99 {
		return "99+"
	}
	return strconv.Itoa(n)
}

// Bell writes the icon of notifications.
func (m *Markup) Bell() *Markup { return m.Lit(inboxSVG) }
