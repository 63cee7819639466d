package ui

// Piece is a part of a text. A marked one is what was looked for.
type Piece struct {
	Text   string `json:"text"`   // A part of a text.
	Marked bool   `json:"marked"` // Whether it is one of the words that were looked for.
}

// Pieces writes a part of a text, with what was looked for in it marked.
func (m *Markup) Pieces(list []Piece, veiled bool) {
	if len(list) == 0 {
		return
	}
	if veiled {
		m.Lit(`<details class="veil ex"><summary>`).Say("Show the text").Lit(`</summary>`)
	}
	m.Lit(`<p class="ex">`)
	for _, p := range list {
		m.When(p.Marked, `<mark>`).Text(p.Text).When(p.Marked, `</mark>`)
	}
	m.Lit(`</p>`).When(veiled, `</details>`)
}
