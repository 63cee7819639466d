package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/render/ui"
)

// ReauthPage asks a member to reauthenticate. Fields: password, next, token.
type ReauthPage struct {
	ui.Frame
	Password bool // the account has one
	Mail     bool // a link can be mailed
	Passkey  bool // the account has one
	// Providers are those with which the member can reauthenticate.
	Providers []ProviderLink
	Form      ui.Form
}

// Reauth is the page that asks a member to reauthenticate before something sensitive is changed.
func Reauth(p ReauthPage) g.Node {
	return ui.Page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), ui.PostTo("/prove"),
			h.H1(ui.T("Confirm that it is you")),
			h.P(ui.T("You are about to change something important. You won't be asked again for 15 minutes.")),
			ui.FormError(p.Form),
			g.Iff(p.Password, func() g.Node {
				return g.Group{
					ui.FormField(p.Form, ui.Input{Name: "password", Label: "Password", Kind: "password",
						Attrs: g.Group{h.Required(), h.AutoComplete("current-password")}}),
					ui.Submit("Confirm"),
				}
			}),
			g.If(p.Mail, h.Button(h.Class("button quiet"), h.FormAction("/prove/link"), h.FormNoValidate(), ui.T("Mail me a link"))),
			g.If(p.Passkey, passkeyButton("prove", "Use a passkey")),
			providerLinks(p.Providers, nil),
			g.If(!p.Password && !p.Mail && !p.Passkey && len(p.Providers) == 0,
				h.P(ui.T("Please log out, log in again, and come back within 15 minutes."))),
			ui.NextField(p.Form), ui.FormToken(p.Form),
		),
	)
}
