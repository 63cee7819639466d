package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// passkeyButton asks the browser for a passkey, and sends its answer with the form in which the button stands. Passkeys need a script,
// which shows the button where the browser knows them. purpose is what the passkey is for: login, sign-up, add or prove.
func passkeyButton(purpose string, label locale.Text) g.Node {
	return passkeyPlace(purpose, label, nil)
}

// passkeyOffer is the button to log in. With offers, the browser also offers its passkeys in the field for the name, unasked.
func passkeyOffer(label locale.Text, offers bool) g.Node {
	return passkeyPlace("login", label, g.If(offers, h.Data("offer", "")))
}

func passkeyPlace(purpose string, label locale.Text, offer g.Node) g.Node {
	return h.Div(h.Class("passkey"), h.Data("passkey", purpose), offer, h.Hidden(""),
		h.Button(h.Type("button"), h.Class("button quiet"), ui.T(label)),
		h.P(h.Class("wrong"), h.Role("alert")),
		h.Script(ui.Src(ui.PasskeyJS), h.Defer()),
	)
}
