package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Flair is a flair of a community. The zero value is none.
type Flair struct {
	ID   string `json:"id" as:"id"` // Id of the flair; null for none.
	Text string `json:"text"`       // What it says.
	// Name of its colour.
	//
	// It is the name of a rule in the style sheet; "plain" has none.
	Colour string `json:"colour"`
	URL    string `json:"posts" as:"address"` // Address of the community's posts with it; null for none.
}

// FlairChoice has the flairs that an author can choose for a post. Without any, the form has no field.
type FlairChoice struct {
	Flairs   []Flair
	Required bool
}

// flair writes the label of a flair, which links to the posts that have it.
func (m *Markup) flair(f *Flair) *Markup {
	if f.URL == "" {
		return m
	}
	return m.Lit(`<a class="mark" href="`).Text(f.URL).Lit(`"`).flairColour(f.Colour).Lit(`>`).Text(f.Text).Lit(`</a>`)
}

// flairColour writes the colour of a flair, for the style sheet.
func (m *Markup) flairColour(colour string) *Markup {
	if colour == "plain" {
		return m
	}
	return m.Lit(` data-accent="`).Text(colour).Lit(`"`)
}

// MemberFlair is the flair of a member in a community. The zero value is none.
type MemberFlair struct {
	Text   string `json:"text"`   // What it says; empty for none.
	Colour string `json:"colour"` // Name of its colour, as of the flair of a post.
}

// MemberFlair writes the label of an author's flair behind the name. It is no link, and looks different from the site's own marks.
func (m *Markup) MemberFlair(f *MemberFlair) *Markup {
	if f.Text == "" {
		return m
	}
	return m.Lit(`<span class="mark fl"`).flairColour(f.Colour).Lit(`>`).Text(f.Text).Lit(`</span>`)
}

// OwnFlair is the viewer's flair in a community, as its sidebar shows it.
type OwnFlair struct {
	MemberFlair
	URL string // where the member changes it; "" if the member can't choose one
}

// FlairLabel is the label of a flair, without a link.
func FlairLabel(f Flair) g.Node {
	return Component(func(m *Markup) {
		m.Lit(`<span class="mark"`).flairColour(f.Colour).Lit(`>`).Text(f.Text).Lit(`</span>`)
	})
}

// FlairField is the field of a post's flair.
func FlairField(f Form, c FlairChoice) g.Node {
	if len(c.Flairs) == 0 {
		return nil
	}
	options, hint := []Option{{Label: "None¦flair"}}, locale.Text("")
	if c.Required {
		options[0].Label, hint = "Please choose", "Posts in this community need one."
	}
	for _, flair := range c.Flairs {
		options = append(options, Option{flair.ID, locale.Verbatim(flair.Text)})
	}
	return Choice(f, "flair", "Flair", hint, options)
}

// FlairFilter says that a listing has only posts with one flair. all is the address without this filter.
func FlairFilter(f Flair, all string) g.Node {
	if f.URL == "" {
		return nil
	}
	return h.P(h.Class("notice"), T("Posts with the flair {}", FlairLabel(f)), Dot, h.A(h.Href(all), T("All posts")))
}
