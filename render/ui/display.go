package ui

import (
	"slices"

	"plaza/locale"
)

// Display is how a reader wants pages to look. The html element of every page has it, for the style sheet.
type Display struct {
	EditionFirst bool   // the site's front page is the edition for who has chosen no density
	Density      string // one of Densities; "" is the first
	Theme        string // one of Themes; "" is the first
}

// Densities are how listings look; "edition" also makes the edition the front page. Themes are the colours. The first of each is the
// default, with an empty value.
var (
	Densities = []Option{{Label: "Standard"}, {Value: "compact", Label: "Compact"}, {Value: "cards", Label: "Cards"},
		{Value: "edition", Label: "Edition"}}
	Themes = []Option{{Label: "Auto"}, {Value: "light", Label: "Light"}, {Value: "dark", Label: "Dark"}}
)

// Languages are those that readers can choose; the first is the one that their browser prefers.
var Languages = append([]Option{{Label: "Auto"}}, languages()...)

func languages() (list []Option) {
	for _, l := range locale.Languages {
		list = append(list, Option{l.Tag, locale.Verbatim(l.Name)})
	}
	return list
}

// display writes the choices as attributes for the style sheet.
func (m *Markup) display(d Display) *Markup {
	if d.Theme != "" {
		m.Lit(` data-theme="`).Text(d.Theme).Lit(`"`)
	}
	if d.Density != "" {
		m.Lit(` data-density="`).Text(d.Density).Lit(`"`)
	}
	return m
}

var displayMenus memory[Display]

// displayMenu writes the menu of density, theme and language. The script applies a choice at once (web/app/display.js).
func displayMenu(m *Markup, d Display) {
	m.Lit(`<details class="menu look"><summary><span aria-hidden="true">Aa</span><span class="vh">`).
		Say("Display").Lit(`</span></summary><div><form class="display" method="post" action="/display">`)
	m.choices("density", "View", densities(d), d.Density).choices("theme", "Theme", Themes, d.Theme).
		choices("language", "Language", Languages[1:], m.language().Tag)
	m.Lit(`</form></div></details>`)
}

// densities returns the options for a page. Where the edition is the default, the list has a value of its own.
func densities(d Display) []Option {
	if !d.EditionFirst {
		return Densities
	}
	list := slices.Clone(Densities)
	list[0].Value, list[len(list)-1].Value = "list", ""
	return list
}

func (m *Markup) choices(name Literal, label locale.Text, options []Option, chosen string) *Markup {
	m.Lit(`<fieldset><legend>`).Say(label).Lit(`</legend>`)
	for _, o := range options {
		m.Lit(`<button name="`).Lit(name).Lit(`" value="`).Text(o.Value).Lit(`" aria-pressed="`).When(o.Value == chosen, `true`).
			When(o.Value != chosen, `false`).Lit(`">`).Say(o.Label).Lit(`</button>`)
	}
	return m.Lit(`</fieldset>`)
}
