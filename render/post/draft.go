package post

import (
	"cmp"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// Draft is what the page of an unpublished post tells its author.
type Draft struct {
	PublishAt time.Time `json:"publish_at"` // When it will be published; null for one that waits for its author.
}

// draftBanner says to the author of an unpublished post that no other reader sees it, with a button to publish it.
func draftBanner(p PostPage) g.Node {
	if p.Draft == nil {
		return nil
	}
	state := g.Node(ui.T("This is a draft. Only you can see it."))
	if !p.Draft.PublishAt.IsZero() {
		state = ui.T("This will be posted on {}. Until then only you can see it.",
			ui.Component(func(m *ui.Markup) { m.Moment(p.Draft.PublishAt, p.Now) }))
	}
	if p.Banned != nil {
		return h.Div(h.Class("notice row"), h.Span(state, g.Text(" "), ui.T("It can't be posted now."), g.Text(" "),
			ui.T(p.Banned.Says), g.Text(" "), h.A(h.Href(p.Banned.URL), ui.T("See the decision or appeal"))),
			h.A(h.Href("/draft?target="+p.Post.ID), ui.T("Edit")))
	}
	return h.Form(h.Class("notice row"), h.Method("post"), h.Action("/publish"), ui.Hidden("target", p.Post.ID),
		h.Span(state), ui.Submit("Post now"), h.A(h.Href("/draft?target="+p.Post.ID), ui.T("Edit")))
}

// publishButton publishes. asked means that the form asks whether to do so: then the button has the focus, and the question describes it.
func publishButton(label locale.Text, asked bool) g.Node {
	if !asked {
		return ui.Submit(label)
	}
	return h.Button(h.Class("button"), ui.AutoFocus(), h.Aria("describedby", "before"), ui.T(label))
}

// submitButtons are the ways to save a post: now, for later, or at a time.
func submitButtons(p SubmitPage) g.Node {
	label, form, saveAt := locale.Text("Post¦verb"), "post", ""
	if len(p.Before) > 0 {
		label = "Post anyway"
	}
	if p.Draft != "" {
		form, saveAt = "draft", "/draft"
	}
	open := p.Form.Values["publish_at"] != "" || p.Form.Errors["publish_at"] != "" || p.Form.Errors["zone"] != ""
	return g.Group{
		h.Div(h.Class("row"), g.If(p.Banned == nil, publishButton(label, len(p.Before) > 0)), ui.PreviewButton(form),
			h.Button(h.Class("button quiet"), h.Name("status"), h.Value("draft"), g.If(saveAt != "", h.FormAction(saveAt)), ui.T("Save draft"))),
		h.Details(h.Class("later"), g.If(open, g.Attr("open")), h.Summary(ui.T("Post later")),
			h.Div(h.Class("row"),
				ui.FormField(p.Form, ui.Input{Name: "publish_at", Label: locale.With("Day and time, in {}", cmp.Or(p.Form.Values["zone"], "UTC")),
					Kind: "datetime-local"}),
				zoneField(p.Form),
				h.Button(h.Class("button quiet"), h.Name("status"), h.Value("scheduled"), ui.T("Schedule")))),
	}
}

// zoneField names the time zone of the day and time. Only a refused name is visible and can be changed.
func zoneField(f ui.Form) g.Node {
	if f.Errors["zone"] != "" {
		return ui.FormField(f, ui.Input{Name: "zone", Label: "Time zone", Kind: "text"})
	}
	return g.If(f.Values["zone"] != "", ui.Hidden("zone", f.Values["zone"]))
}
