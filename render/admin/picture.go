package admin

import (
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// PicturesPage lists all pictures that members have uploaded, or the pictures of one member. The form of each has the field picture.
type PicturesPage struct {
	ui.Frame
	Orders    []ui.Tab
	Member    string // who has uploaded them; "" for everybody
	Like      bool   // they look like one that is blocked
	Action    string // where the forms are sent
	Pictures  int64
	Megabytes int64 // that they use
	Room      int64 // MB that they may use
	Today     int64 // uploaded in the last day
	TodayMost bool  // Today is the limit of the count: there may be more
	List      []ListedPicture
	FirstURL  string // "" on page one
	NextURL   string
}

// ListedPicture is one picture of a PicturesPage.
type ListedPicture struct {
	Sum       string
	URL       string
	Light     bool // it has few bytes
	Colour    string
	Width     int
	Height    int
	Kilobytes int64
	Member    string // who has uploaded it first; "" for a deleted account
	MemberURL string // address of the list of all their pictures
	At        time.Time
	Blocked   bool // on the whole site
	Uses      []PictureUse
}

// PictureUse is something that uses a picture.
type PictureUse struct {
	Kind     string // post, comment, avatar, icon or banner
	URL      string // "" for what has no page of its own
	EraseURL string
}

// useLabels are the kinds of uses.
var useLabels = map[string]locale.Text{"post": "Post¦noun", "comment": "Comment¦noun", "avatar": "Picture of a member",
	"icon": "Icon of a community", "banner": "Banner of a community"}

// Pictures is the page of a PicturesPage.
func Pictures(p PicturesPage) g.Node {
	today := locale.With("{} uploaded in the last day|{} uploaded in the last day", p.Today)
	if p.TodayMost {
		today = "1,000 or more uploaded in the last day"
	}
	heading, next, address := locale.Text("Pictures"), locale.Text("All pictures"), "/admin/pictures"
	switch {
	case p.Like:
		heading = "Similar pictures"
	case p.Member != "":
		heading = locale.With("Pictures of {}", p.Member)
	default:
		next, address = "Site settings", "/admin/settings#uploads"
	}
	return ui.AdminPage(p.Frame, "/admin/pictures",
		h.Div(h.Class("modhead"), h.H1(ui.T(heading)), ui.ChoiceMenu("Order", p.Orders)),
		h.P(h.Class("lead"), ui.T("{} picture|{} pictures", p.Pictures), ui.Dot, h.A(h.Href("/admin/settings#site_room"), ui.T("{} of {} MB",
			p.Megabytes, p.Room)), ui.Dot,
			ui.T(today)),
		memberSearch("/admin/pictures", p.Member),
		g.If(len(p.List) == 0, ui.EmptyState(ui.Nothing("No pictures.", next, address))),
		g.If(len(p.List) > 0, h.Ul(h.Class("blocked"), g.Map(p.List, func(l ListedPicture) g.Node { return listedPicture(p, l) }))),
		ui.Pager(p.FirstURL, p.NextURL),
	)
}

func listedPicture(p PicturesPage, l ListedPicture) g.Node {
	title := "p-" + l.Sum
	return h.Li(
		ui.BlurredPictures([]ui.PostPicture{{URL: l.URL, SmallURL: l.URL, Small: l.Light, Colour: l.Colour, Width: l.Width, Height: l.Height}}),
		h.P(h.ID(title), g.If(l.MemberURL != "", g.Group{h.A(h.Href(l.MemberURL), g.Text("u/"+l.Member)), ui.Dot}), ui.Ago(l.At, p.Now),
			ui.Dot, g.Text(strconv.Itoa(l.Width)+" × "+strconv.Itoa(l.Height)), ui.Dot, ui.T("{} KB", l.Kilobytes),
			g.If(len(l.Uses) == 0, g.Group{ui.Dot, ui.T("not used, and deleted within a day")}),
			g.Map(l.Uses, func(u PictureUse) g.Node {
				label := ui.T(useLabels[u.Kind])
				if u.URL != "" {
					label = g.Group{h.A(h.Href(u.URL), label), g.Text(" ("), h.A(h.Href(u.EraseURL), ui.T("Erase…")), g.Text(")")}
				}
				return g.Group{ui.Dot, label}
			})),
		g.If(l.Blocked, h.P(h.Class("muted"), ui.T("blocked on the whole site"))),
		g.If(!l.Blocked, h.Form(ui.PostTo(p.Action), ui.Hidden("picture", l.Sum),
			h.Button(h.Class("button quiet"), h.Aria("describedby", title), ui.T("Block on the site")))))
}
