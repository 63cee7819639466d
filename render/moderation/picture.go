package moderation

import (
	"slices"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/ui"
)

// blockChoice has checkboxes to block the pictures of what is removed, if the viewer may do so.
func blockChoice(name, community string, ticked []string, here, onSite bool) g.Node {
	if !here && !onSite {
		return nil
	}
	box := func(value string, label locale.Text) g.Node {
		return h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Name(name), h.Value(value),
			g.If(slices.Contains(ticked, value), h.Checked())), ui.T(label))
	}
	return h.Div(h.Class("blocks"), h.Role("group"), ui.Attr("aria-label", "Pictures"),
		g.If(here, box("community", locale.With("Block its pictures in {}", ui.CommunityLabel(community)))),
		g.If(onSite, box("site", "Block its pictures on the whole site")))
}

// BlockedPicturesPage lists the pictures that are blocked in a community or on the whole site. The form of each has the field block.
type BlockedPicturesPage struct {
	ui.Frame
	Nav       ui.ModNav
	Community *ui.Community // nil for the site
	Pictures  []BlockedPicture
	Action    string // where the forms are sent
	FirstURL  string // "" on page one
	NextURL   string
}

// BlockedPicture is one picture of a BlockedPicturesPage.
type BlockedPicture struct {
	ID       string
	URL      string // "" if the site no longer has it
	Light    bool   // it has few bytes
	Colour   string
	Alike    bool   // similar ones are found as well
	AlikeURL string // where administrators see them
	Rule     string
	By       string // "" for a deleted account
	PostURL  string // of the post with which it was removed; "" for none
	At       time.Time
}

// BlockedPictures is the page of a BlockedPicturesPage.
func BlockedPictures(p BlockedPicturesPage) g.Node {
	reach := locale.Text("Nobody can upload these pictures or post them anywhere on the site. " +
		"Moderators block pictures for their own community.")
	none := ui.Nothing("No picture is blocked.", "Queue", "/mod/queue")
	if p.Community != nil {
		none.Next.URL = ui.CommunityURL(p.Community.Name) + "/mod/queue"
		reach = locale.With("Nobody can post these pictures in c/{}. Elsewhere they can be posted: only administrators block pictures on the "+
			"whole site.", p.Community.Name)
	}
	return ui.ModPage(p.Frame, p.Nav,
		h.H1(ui.T("Blocked pictures")),
		h.P(h.Class("lead"), ui.T(reach)),
		h.P(h.Class("hint"), ui.T("Pictures are blocked in the form that removes a post. Posts with similar pictures come into "+
			"the queue. They are found by a fingerprint that the uploader's browser makes. Without one, only the same file is found.")),
		g.If(len(p.Pictures) == 0, ui.EmptyState(none)),
		g.If(len(p.Pictures) > 0, h.Ul(h.Class("blocked"), g.Map(p.Pictures, func(b BlockedPicture) g.Node { return blockedPicture(p, b) }))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func blockedPicture(p BlockedPicturesPage, b BlockedPicture) g.Node {
	title := "b-" + b.ID
	return h.Li(h.ID(title),
		g.Iff(b.URL != "", func() g.Node {
			return ui.BlurredPictures([]ui.PostPicture{{URL: b.URL, SmallURL: b.URL, Small: b.Light, Colour: b.Colour}})
		}),
		h.P(ui.T("Blocked by {}", member(b.By)), ui.Dot, ui.Ago(b.At, p.Now),
			g.If(b.Rule != "", g.Group{ui.Dot, ui.T("Rule: {}", kept.Text(b.Rule))}),
			g.If(b.PostURL != "", g.Group{ui.Dot, h.A(h.Href(b.PostURL), ui.T("Post¦noun"))}),
			g.If(!b.Alike, g.Group{ui.Dot, ui.T("only the same file")}),
			g.If(b.AlikeURL != "", g.Group{ui.Dot, h.A(h.Href(b.AlikeURL), ui.T("Similar pictures"))}),
			g.If(b.URL == "", g.Group{ui.Dot, ui.T("no longer on this site")})),
		h.Form(ui.PostTo(p.Action), ui.Hidden("block", b.ID),
			h.Button(h.Class("button quiet"), ui.WithUndo("Unblocked"), h.Aria("describedby", title), ui.T("Unblock¦verb"))))
}
