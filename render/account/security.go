package account

import (
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// SecurityPage is /settings/security: how a member logs in. Field of the form: name, of a new passkey.
type SecurityPage struct {
	ui.Frame
	Passkeys   []PasskeyItem
	Identities []IdentityItem
	Sessions   []SessionItem
	Providers  []ProviderLink
	SSOOnly    bool // providers are the only way to log in
	Factor     FactorItem
	Form       ui.Form
}

// PasskeyItem is one of a member's passkeys.
type PasskeyItem struct {
	ID, Name  string
	CreatedAt time.Time
	UsedAt    time.Time // zero for never
	Copied    bool      // its counter went back, so it is refused
}

// Security is the page of a SecurityPage.
func Security(p SecurityPage) g.Node {
	return ui.SettingsPage(p.Frame, "/settings/security",
		ui.FormError(p.Form),
		g.Iff(!p.SSOOnly, func() g.Node { return passkeySection(p) }),
		g.Iff(len(p.Providers)+len(p.Identities) > 0, func() g.Node { return identitySection(p) }),
		g.Iff(!p.SSOOnly, func() g.Node { return factorSection(p.Factor, p.Form) }),
		sessionList(p.Sessions, p.Now),
	)
}

func passkeySection(p SecurityPage) g.Node {
	return h.Section(h.Class("sheet"), h.Aria("labelledby", "passkeys"),
		h.H2(h.ID("passkeys"), ui.T("Passkeys")),
		h.P(h.Class("hint"), ui.T("Your device keeps a passkey and unlocks it with your fingerprint, your face or its PIN. You then log in "+
			"without typing a name or password.")),
		ui.Rows(p.Passkeys, func(k PasskeyItem) g.Node { return passkeyRow(k, p.Now) }),
		h.Form(h.Class("form-rows"), ui.PostTo("/settings/passkeys"),
			ui.FormField(p.Form, ui.Input{Name: "name", Label: "Name of a new passkey",
				Hint: "To tell your passkeys apart, for example the device that has it.", Kind: "text",
				Attrs: g.Group{h.AutoComplete("off"), h.MaxLength("50")}}),
			passkeyButton("add", "Add a passkey"),
			h.NoScript(h.P(h.Class("hint"), ui.T("This needs JavaScript: browsers make passkeys only with it."))),
		),
	)
}

func identitySection(p SecurityPage) g.Node {
	return h.Section(h.Class("sheet"), h.Aria("labelledby", "providers"),
		h.H2(h.ID("providers"), ui.T("Accounts at other sites")),
		h.P(h.Class("hint"), ui.T("You can log in here with an account that you have at another site.")),
		ui.Rows(p.Identities, func(i IdentityItem) g.Node { return identityRow(i, p.Now) }),
		providerLinks(p.Providers, nil),
	)
}

func passkeyRow(k PasskeyItem, now time.Time) g.Node {
	return ui.Row(g.Text(k.Name), g.Group{addedAndUsed(k.CreatedAt, k.UsedAt, now),
		g.If(k.Copied, h.P(h.Class("wrong"), ui.T("It seems to have been copied to another device, so it can't be used any more. Please "+
			"remove it.")))}, g.Group{
		h.Details(h.Class("pick"),
			h.Summary(h.Class("plain"), ui.T("Rename"), h.Span(h.Class("vh"), g.Text(" "+k.Name))),
			h.Div(h.Form(h.Class("row"), ui.PostTo("/settings/passkeys/name"),
				ui.Hidden("id", k.ID),
				h.Input(h.Type("text"), h.Name("name"), h.Value(k.Name), h.Required(), h.MaxLength("50"), h.AutoComplete("off"),
					ui.Attr("aria-label", "New name of {}", k.Name)),
				h.Button(h.Class("button quiet"), ui.T("Save"), h.Span(h.Class("vh"), g.Text(" "), ui.T("the name")))))),
		removal("/settings/passkeys/remove", k.ID, locale.Verbatim(k.Name))})
}

// addedAndUsed says when a way to log in was added, and when it was last used.
func addedAndUsed(added, used, now time.Time) g.Node {
	if used.IsZero() {
		return ui.T("Added {}\u00a0· not used yet", ui.Since(added, now))
	}
	return ui.T("Added {}\u00a0· last used {}", ui.Since(added, now), ui.Since(used, now))
}

// removal is the button that removes a way to log in.
func removal(address, id string, name locale.Text) g.Node {
	return h.Form(ui.PostTo(address), ui.Hidden("id", id), ui.RowButton("Remove", name))
}
