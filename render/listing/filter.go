package listing

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// FiltersPage is /settings/filters. Fields: kind, value, days; on, which is 0 to remove.
type FiltersPage struct {
	ui.Frame
	Filters []Filter
	Form    ui.Form
}

// Filter is what a member's lists leave out.
type Filter struct {
	Kind, Value string
	Until       time.Time // zero for never
}

// Filters is the page of a FiltersPage.
func Filters(p FiltersPage) g.Node {
	f := p.Form
	return ui.SettingsPage(p.Frame, "/settings/filters",
		h.P(h.Class("muted"), ui.T("Lists leave out posts that match one of these filters. Each list says how many, and shows them after "+
			"a click. Nobody else sees your filters.")),
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/filters"), ui.FormError(f),
			ui.Choice(f, "kind", "Leave out", "", []ui.Option{{Value: "words", Label: "Words"}, {Value: "community", Label: "A community"},
				{Value: "tag", Label: "A tag"}, {Value: "domain", Label: "A website"}}),
			ui.FormField(f, ui.Input{Name: "value", Label: "Words or name", Hint: "Whole words in the title or the beginning of the text, or " +
				"the name of a community, tag or website.",
				Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("100"), h.AutoComplete("off")}}),
			ui.Choice(f, "days", "For how long", "", []ui.Option{{Value: "", Label: "Until I remove it"}, {Value: "1", Label: "A day"},
				{Value: "7", Label: "A week"}, {Value: "30", Label: "30 days"}}),
			h.Div(h.Class("row"), ui.Submit("Add filter")),
		),
		g.If(len(p.Filters) == 0, h.P(h.Class("muted"), ui.T("You have no filters."))),
		h.Div(h.Class("sheet"), ui.Rows(p.Filters, func(one Filter) g.Node { return filterRow(one, p.Now) })),
	)
}

func filterRow(f Filter, now time.Time) g.Node {
	name := ui.FilterName(f.Kind, f.Value)
	return ui.Row(ui.T(name), g.If(!f.Until.IsZero(), ui.T("until {}", f.Until.In(now.Location()).Format("2006-01-02"))),
		h.Form(ui.PostTo("/settings/filters"), ui.Hidden("kind", f.Kind), ui.Hidden("value", f.Value), ui.Hidden("on", "0"),
			ui.RowButton("Remove", name, ui.WithUndo("Filter removed"))))
}
