package account

import (
	"slices"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// TokensPage is /settings/tokens. Fields: name, read, write, moderate, feed, days.
type TokensPage struct {
	ui.Frame
	Tokens []TokenItem
	Form   ui.Form // the error "scopes" is about read, write, moderate and feed together
}

// TokenItem is one of a member's API tokens.
type TokenItem struct {
	ID, Name  string
	Scopes    []string // read, write, moderate, feed
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // some time on the last day of use; zero for never
}

// Tokens is the page of a TokensPage.
func Tokens(p TokensPage) g.Node {
	f := p.Form
	return ui.SettingsPage(p.Frame, "/settings/tokens",
		h.Section(h.Class("sheet"), h.Aria("labelledby", "tokens"),
			h.H2(h.ID("tokens"), ui.T("API tokens")),
			h.P(h.Class("hint"), ui.T("With a token, a program acts in your name without your password. No token can change how you log in. All "+
				"tokens end when you change your password or log out everywhere else."), g.Text(" "),
				h.A(h.Href("/api"), ui.T("API documentation"))),
			ui.Rows(p.Tokens, func(t TokenItem) g.Node { return tokenRow(t, p.Now) }),
		),
		h.Form(h.Class("sheet form-rows"), ui.PostTo("/settings/tokens"),
			ui.FormToken(f),
			h.H2(ui.T("A new token")),
			ui.FormError(f),
			ui.FormField(f, ui.Input{Name: "name", Label: "Name", Hint: "To tell your tokens apart, for example the program that uses it.",
				Kind:  "text",
				Attrs: g.Group{h.Required(), h.AutoComplete("off"), h.MaxLength("50")}}),
			h.FieldSet(h.Class("field marks"),
				h.Legend(ui.T("Permissions")),
				ui.Checkbox(f, "read", "Read", "everything you can read, including your inbox and drafts"),
				ui.Checkbox(f, "write", "Write", "post, comment, vote, save, follow, and change your profile"),
				ui.Checkbox(f, "moderate", "Moderate", "the communities that you moderate"),
				ui.Checkbox(f, "feed", "Feed", "gives a secret address where a feed reader finds what is new in your communities"),
				g.If(f.Errors["scopes"] != "", h.P(h.Class("wrong"), ui.T(f.Errors["scopes"]))),
			),
			ui.Choice(f, "days", "Expires in", "", []ui.Option{{Value: "7", Label: "7 days"}, {Value: "30", Label: "30 days"},
				{Value: "90", Label: "90 days"}, {Value: "365", Label: "A year"}}),
			ui.Submit("Create token"),
		),
	)
}

func tokenRow(t TokenItem, now time.Time) g.Node {
	return ui.Row(g.Text(t.Name), g.Group{
		ui.T("May {}", scopesOf(t)), ui.Dot, ui.T("made {}", ui.Since(t.CreatedAt, now)), ui.Dot,
		g.If(t.UsedAt.IsZero(), ui.T("not used yet")),
		g.If(!t.UsedAt.IsZero(), ui.T("last used {}", dayAgo(t.UsedAt, now))),
		ui.Dot, ui.T("expires on {}", date(t.ExpiresAt)),
	}, g.Group{
		g.If(slices.Equal(t.Scopes, []string{"feed"}), h.Form(ui.PostTo("/settings/tokens/renew"), ui.Hidden("id", t.ID),
			ui.RowButton("New address", locale.With("of {}", t.Name)))),
		h.Form(ui.PostTo("/settings/tokens/end"), ui.Hidden("id", t.ID), ui.RowButton("End¦verb", locale.Verbatim(t.Name))),
	})
}

// scopeWords are the names of scopes.
var scopeWords = map[string]locale.Text{"read": "read¦verb", "write": "write¦verb", "moderate": "moderate¦verb",
	"feed": "feed¦scope"}

// scopesOf lists the scopes of a token.
func scopesOf(t TokenItem) g.Node {
	return ui.Component(func(m *ui.Markup) {
		for i, scope := range t.Scopes {
			m.When(i > 0, ", ").Say(scopeWords[scope])
		}
	})
}

// NewTokenPage shows a token, once.
type NewTokenPage struct {
	ui.Frame
	Token     string
	Address   string // of the feed that the token opens; "" for none
	ExpiresAt time.Time
}

// NewToken is the page of a NewTokenPage.
func NewToken(p NewTokenPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/tokens",
		h.Div(h.Class("sheet"),
			h.H2(ui.T("Your new token")),
			h.P(ui.T("Copy it now: it is shown only this once. It expires on {}.", date(p.ExpiresAt))),
			h.P(h.Class("token"), h.Code(g.Text(p.Token))),
			g.Iff(p.Address != "", func() g.Node {
				return g.Group{
					h.P(ui.T("With this address, a feed reader shows what is new in your communities. Anybody who knows the address can read the " +
						"same, until you end the token. It may be in logs on the way, also in those of this site’s host. " +
						"“New address” replaces it.")),
					h.P(h.Class("token"), h.Code(g.Text(p.Address))),
				}
			}),
			h.P(h.A(h.Class("button"), h.Href("/settings/tokens"), ui.T("I have kept it"))),
		))
}
