package post

import (
	"net/url"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SubmitPage is /submit and /c/{name}/submit. Fields: community, title, text, link, image, nsfw, spoiler, flair, tags, crosspost, anyway,
// publish_at, token, and of a draft target and revision.
type SubmitPage struct {
	ui.Frame
	Community   *ui.Community // nil when the community is to be typed or chosen
	Suggestions []string      // names of the viewer's communities
	Kind        string        // tab shown first: text, link, image
	Flairs      ui.FlairChoice
	Original    *ui.Original     // the post that a crosspost shows again; nil for other posts
	Pictures    *ui.PictureField // nil if the form accepts none
	Before      []ui.PostItem    // posts of the same link that are there already
	Draft       string           // text id of the unpublished post that is changed; "" for a new one
	Banned      *ui.Banned       // what keeps the author of a draft from publishing it; nil for nothing
	Newer       string           // text that was saved since the form of a draft was created
	Autosave    string           // address to which the form is saved while it is written; "" for none
	Form        ui.Form
}

// Submit is the form for a new post.
func Submit(p SubmitPage) g.Node {
	f := p.Form
	address, heading := "/submit", locale.Text("New post")
	if p.Community != nil {
		address = ui.CommunityURL(p.Community.Name) + "/submit"
	}
	if p.Draft != "" {
		address, heading = "/publish", "Edit draft"
	}
	label, side := submitSide(p)
	return ui.Page(p.Frame, label, side,
		h.Form(h.Class("sheet submit"), ui.PostTo(address), ui.TakesPictures(p.Pictures),
			h.H1(ui.T(heading)),
			g.Iff(p.Banned != nil, func() g.Node {
				return p.Banned.Banner("You can save this draft, but not post it.")
			}),
			ui.FormError(f),
			g.If(p.Draft != "", g.Group{ui.Hidden("target", p.Draft), ui.Hidden("revision", f.Values["revision"])}),
			g.If(p.Draft == "", ui.FormToken(f)),
			newerText(p.Newer, p.Draft),
			postedBefore(p),
			submitCommunity(p),
			originalField(p),
			g.If(p.Original == nil, kinds(p.kind())),
			ui.FormField(f, ui.Input{Name: "title", Label: "Title", Kind: "text", Attrs: g.Group{h.Required(), h.MaxLength("300"),
				h.AutoComplete("off")}}),
			g.If(p.Original == nil, g.Group{linkField(p), ui.Pictures(f, p.Pictures, p.form()),
				ui.FormField(f, ui.Input{Name: "image", Label: "Address of a picture on another site", Kind: "url",
					Attrs: g.Group{h.AutoComplete("off"), h.Placeholder("https://")}})}),
			ui.FormField(f, ui.Input{Name: "text", Label: "Text", Hint: ui.MarkdownHint, Kind: "textarea", Attrs: g.Group{h.Rows("9")}}),
			ui.FlairField(f, p.Flairs),
			ui.TagsField(f),
			contentWarnings(f),
			ui.PreviewBox(f),
			submitButtons(p),
			lastSaved(p),
		),
	)
}

// submitChoices is how many of the member's communities stand beside the form. Its field suggests more.
const submitChoices = 20

// submitSide is what stands beside the form: the rules of the community, or where none is chosen yet, those that the member may choose.
// Their links keep what the form came with, such as a shared link; what is typed since, they do not. There are none where the form came
// with more than fits an address.
func submitSide(p SubmitPage) (label locale.Text, side g.Node) {
	if p.Community != nil {
		return "Rules", ui.CommunityRules(*p.Community)
	}
	query := url.Values{}
	for _, name := range []string{"crosspost", "title", "link", "image", "text", "tags", "nsfw", "spoiler", "publish_at"} {
		if value := p.Form.Values[name]; value != "" {
			query.Set(name, value)
		}
	}
	after := strings.TrimSuffix("/submit?"+query.Encode(), "?")
	if len(p.Suggestions) == 0 || p.Form.Values["picture-1"] != "" || len(p.Form.Errors) > 0 || len(after) > 1000 {
		return "", nil
	}
	return "Your communities", h.Nav(h.Class("card"), ui.Attr("aria-label", "Your communities"), h.H2(ui.T("Your communities")),
		h.Ul(h.Class("clist"), g.Map(p.Suggestions[:min(len(p.Suggestions), submitChoices)], func(name string) g.Node {
			return h.Li(h.A(h.Href(ui.CommunityURL(name)+after), ui.DisplayName(name)))
		})))
}

// linkField is the field of a link. The script shows a button in it that copies the title of its page. It is no submit button, because
// Enter in a field presses the first of those.
func linkField(p SubmitPage) g.Node {
	return ui.Control(p.Form, ui.Input{Name: "link", Label: "Link", Attrs: g.Group{h.AutoComplete("off"), h.Placeholder("https://")}},
		func(attrs g.Group) g.Node {
			return g.Group{h.Input(h.Type("url"), h.Value(p.Form.Values["link"]), attrs),
				h.Button(h.Type("button"), h.Class("plain"), ui.T("Use the page's title"))}
		})
}

// lastSaved is the line that says where the form was saved last. web/autosave.js fills it.
func lastSaved(p SubmitPage) g.Node {
	if p.Viewer == nil {
		return nil
	}
	return g.Group{h.P(h.Class("hint"), h.ID("kept"), h.Role("status"), h.Data("member", p.Viewer.Name), h.Data("save", p.Autosave)),
		h.Script(ui.Src(ui.AutosaveJS), h.Defer())}
}

// postedBefore asks whether a link that was posted recently is to be posted again, and shows where. It is no error: posting it again is
// allowed.
func postedBefore(p SubmitPage) g.Node {
	if len(p.Before) == 0 {
		return nil
	}
	return h.Div(h.Class("notice"), h.ID("before"), h.Role("status"), ui.Hidden("anyway", p.Form.Values["anyway"]),
		h.P(h.Strong(ui.T("This was posted here in the past 30 days. Post it anyway?"))),
		h.Ul(g.Map(p.Before, func(b ui.PostItem) g.Node {
			return h.Li(h.A(h.Href(b.URL), ui.DisplayName(b.Title)), g.Text(" "), h.Span(h.Class("muted"), ui.Author(b.Author), g.Text(" "),
				ui.Ago(b.CreatedAt, p.Now)))
		})))
}

// originalField shows the post that a crosspost is to show again, and keeps its id in the form.
func originalField(p SubmitPage) g.Node {
	if p.Original == nil {
		return nil
	}
	return g.Group{ui.Hidden("crosspost", p.Form.Values["crosspost"]), ui.OriginalCard(p.Original)}
}

func submitCommunity(p SubmitPage) g.Node {
	if p.Community != nil {
		return h.P(h.Class("crumb"), g.If(p.Draft == "", ui.Hidden("in", p.Community.Name)), h.Span(ui.T("in¦place")),
			ui.CommunityLink(*p.Community))
	}
	return g.Group{
		ui.FormField(p.Form, ui.Input{Name: "community", Label: "Community", Kind: "text",
			Attrs: g.Group{h.Required(), h.AutoComplete("off"), ui.Attr("placeholder", "history¦example"), g.Attr("autocapitalize", "none"),
				h.List("communities")}}),
		h.DataList(h.ID("communities"), g.Map(p.Suggestions, func(name string) g.Node { return h.Option(h.Value(name)) })),
	}
}

// form is the name of the form in worker/request/refuse.go.
func (p SubmitPage) form() string {
	if p.Draft != "" {
		return "draft"
	}
	return "post"
}

// kind is the tab that is shown first: the requested one, unless something was typed in another.
func (p SubmitPage) kind() string {
	if p.Form.Values["link"] == "" && (p.Form.Values["picture-1"] != "" || p.Form.Errors["pictures"] != "") {
		return "image"
	}
	for _, k := range []string{"link", "image"} {
		if p.Form.Values[k] != "" || p.Form.Errors[k] != "" {
			return k
		}
	}
	if p.Kind == "link" || p.Kind == "image" {
		return p.Kind
	}
	return "text"
}

// postKinds are what a post can have.
var postKinds = []ui.Option{{Value: "text", Label: "Text"}, {Value: "link", Label: "Link"}, {Value: "image", Label: "Image"}}

// kinds are the tabs of the form, made of radio buttons. The style sheet hides the fields of the other kinds while they are empty; where
// it can't, all fields show. A post may have a link, an image and a text at once.
func kinds(current string) g.Node {
	return h.FieldSet(h.Class("kinds"), h.Legend(h.Class("vh"), ui.T("Kind of post")),
		g.Map(postKinds, func(k ui.Option) g.Node {
			return h.Label(h.Input(h.Type("radio"), h.Name("kind"), h.ID("kind-"+k.Value), h.Value(k.Value), g.If(k.Value == current, h.Checked())),
				h.Span(ui.T(k.Label)))
		}),
	)
}
