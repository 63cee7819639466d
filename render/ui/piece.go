package ui

// Piece is a part of a text. A marked piece is a word of the search.
type Piece struct {
	Text   string `json:"text"`   // A part of a text.
	Marked bool   `json:"marked"` // Whether it is one of the words that were looked for.
}

// Pieces writes a part of a text with the words of the search marked.
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
