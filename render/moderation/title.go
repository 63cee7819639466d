package moderation

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// TitlePage is the form with which moderators change the title of a post. Fields: target, title, text.
type TitlePage struct {
	ui.Frame
	Community ui.Community // name and colour
	Title     string       // the current title
	URL       string
	Target    string
	Form      ui.Form
}

// Title is the page of a TitlePage.
func Title(p TitlePage) g.Node {
	return ui.Page(p.Frame, "", nil, h.Form(h.Class("sheet"), ui.PostTo(ui.CommunityURL(p.Community.Name)+"/mod/title"),
		h.H1(ui.T("Title of this post")), ui.TargetLink(p.Community, p.URL, p.Title),
		h.P(h.Class("lead"), ui.T("The post keeps its address. The author is notified, and the log says that the title was changed.")),
		ui.FormError(p.Form), ui.Hidden("target", p.Target),
		ui.FormField(p.Form, ui.Input{Name: "title", Label: "Title", Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("300"),
			h.AutoComplete("off")}}),
		ui.FormField(p.Form, ui.Input{Name: "text", Label: "Message to the author (optional; only they and the moderators see it)",
			Kind: "textarea", Attrs: g.Group{h.Rows("3")}}),
		h.Div(h.Class("row"), ui.Submit("Save title"), ui.Cancel(p.URL)),
	))
}
