package account

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/render/ui"
)

// passkeyButton asks the browser for a passkey and submits its response with the surrounding form. It is hidden until the script finds that
// the browser supports passkeys. purpose is what the passkey is for: login, sign-up, add or prove.
func passkeyButton(purpose string, label locale.Text, attrs ...g.Node) g.Node {
	return h.Div(h.Class("passkey"), h.Data("passkey", purpose), g.Group(attrs), h.Hidden(""),
		h.Button(h.Type("button"), h.Class("button quiet"), ui.T(label)),
		h.P(h.Class("wrong"), h.Role("alert")),
		h.Script(ui.Src(ui.PasskeyJS), h.Defer()),
	)
}
