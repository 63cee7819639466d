package ui

import (
	"io"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
)

// Field is a field of a form with its value.
type Field struct{ Name, Value string }

// Form holds what was typed, and the errors.
type Form struct {
	Values  map[string]string      // by field name
	Errors  map[string]locale.Text // by field name; "" for the whole form
	Carried []Field                // fields of another form, which is shown again after the login
	Preview *Preview               // nil unless it was requested
	// CreatedURL is the address of what the form created when it was sent before; "" if it wasn't.
	CreatedURL string
	See        string // address of the decision because of which it was refused; "" for none
}

// Input describes one field of a form.
type Input struct {
	Name        string
	Label, Hint locale.Text
	Kind        string // type of the input element, or "textarea"
	Attrs       g.Group
}

// FormField is a label, a hint, the error and the control with what was typed.
func FormField(f Form, in Input) g.Node {
	return Control(f, in, func(attrs g.Group) g.Node {
		if in.Kind == "textarea" {
			return h.Textarea(attrs, g.Text(NewlineSafe(f.Values[in.Name])))
		}
		return h.Input(h.Type(in.Kind), g.If(in.Kind != "password", h.Value(f.Values[in.Name])), attrs)
	})
}

// Control is a field whose control draw makes from its attributes.
func Control(f Form, in Input, draw func(g.Group) g.Node) g.Node {
	problem := f.Errors[in.Name]
	var described []string
	if in.Hint != "" {
		described = append(described, in.Name+"-hint")
	}
	if problem != "" {
		described = append(described, in.Name+"-error")
	}
	attrs := g.Group{
		h.ID(in.Name), h.Name(in.Name),
		g.If(len(described) > 0, h.Aria("describedby", strings.Join(described, " "))),
		g.If(problem != "", h.Aria("invalid", "true")),
		g.If(problem != "", autoFocus{invalid: true}),
		in.Attrs,
	}
	return h.Div(h.Class("field f-"+in.Name),
		h.Label(h.For(in.Name), T(in.Label)),
		g.If(in.Hint != "", h.P(h.Class("hint"), h.ID(in.Name+"-hint"), T(in.Hint))),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(in.Name+"-error"), T(problem))),
		draw(attrs),
	)
}

// NewlineSafe keeps a leading line break, which HTML drops behind <textarea>.
func NewlineSafe(s string) string {
	if strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r") {
		return "\n" + s
	}
	return s
}

// AutoFocus requests the focus for a control. On a page with several requests the first counts, but an invalid control goes before all of
// them.
func AutoFocus() g.Node { return autoFocus{} }

// autoFocus is the attribute autofocus. A page has it once, because browsers differ where two controls have it.
type autoFocus struct{ invalid bool }

// autofocus is the attribute's HTML.
const autofocus = " autofocus"

// Type says that it is an attribute.
func (autoFocus) Type() g.NodeType { return g.AttributeType }

// Render writes the attribute. For an invalid control it first deletes the one of AutoFocus.
func (a autoFocus) Render(w io.Writer) error {
	m, ok := w.(*Markup)
	if !ok {
		_, err := io.WriteString(w, autofocus)
		return err
	}
	if m.focused || m.focusEnd > 0 && !a.invalid {
		return nil
	}
	if m.focusEnd > 0 {
		m.b = slices.Delete(m.b, m.focusEnd-len(autofocus), m.focusEnd)
		m.focusEnd = 0
	}
	m.add(autofocus)
	if m.focused = a.invalid; !a.invalid {
		m.focusEnd = len(m.b)
	}
	return nil
}

// FormError shows what is wrong with the form as a whole.
func FormError(f Form) g.Node {
	if f.Errors[""] == "" {
		return nil
	}
	return h.P(h.Class("wrong whole"), h.Role("alert"), T(f.Errors[""]),
		g.If(f.See != "", g.Group{g.Text(" "), h.A(h.Href(f.See), T(seeLabel(f.See)))}), g.Iff(f.CreatedURL != "", func() g.Node {
			label := locale.Text("See the result")
			if f.CreatedURL == "/login" {
				label = "Log in"
			}
			return g.Group{g.Text(" "), h.A(h.Href(f.CreatedURL), T(label))}
		}))
}

// FormToken is the hidden field with the idempotency key of a form. autocomplete="off" keeps browsers from filling in the key of an earlier
// form.
func FormToken(f Form) g.Node {
	if f.Values["token"] == "" {
		return nil
	}
	return h.Input(h.Type("hidden"), h.Name("token"), h.Value(f.Values["token"]), h.AutoComplete("off"))
}

// PostTo are the attributes of a form that is sent to an address.
func PostTo(address string) g.Node { return g.Group{h.Method("post"), h.Action(address)} }

func NextField(f Form) g.Node {
	if f.Values["next"] == "" {
		return nil
	}
	return Hidden("next", f.Values["next"])
}

func Submit(label locale.Text) g.Node { return h.Button(h.Class("button"), T(label)) }

// Toggle is a form of one button that turns something on or off, such as Join. what names its subject for screen readers. The script sends
// the form and replaces it by the response, the button in its new state.
func Toggle(address, key Literal, value, what string, on bool, offLabel, onLabel locale.Text, ret string) g.Node {
	label, class, set := offLabel, Literal("button"), Literal("1")
	if on {
		label, class, set = onLabel, "button quiet", "0"
	}
	return Component(func(m *Markup) {
		m.Lit(`<form class="toggle" method="post" action="`).Lit(address).Lit(`" hx-post="`).Lit(address).Lit(`" hx-target="this">`)
		m.Hidden(key, value).Lit(`<input type="hidden" name="on" value="`).Lit(set).Lit(`">`)
		if ret != "" {
			m.Hidden("return", ret)
		}
		m.Lit(`<button class="`).Lit(class).Lit(`">`).Say(label).Lit(`<span class="vh"> `).Text(what).Lit(`</span></button></form>`)
	})
}

func Hidden(name Literal, value string) g.Node {
	return Component(func(m *Markup) { m.Hidden(name, value) })
}

func (m *Markup) Hidden(name Literal, value string) *Markup {
	return m.Lit(`<input type="hidden" name="`).Lit(name).Lit(`" value="`).Text(value).Lit(`">`)
}

// Decision is one of several buttons of a form. about names its subject for screen readers.
func Decision(name, value, class string, label, about locale.Text, attrs ...g.Node) g.Node {
	return h.Button(h.Class(class), h.Name(name), h.Value(value), g.Group(attrs), T(label), h.Span(h.Class("vh"), g.Text(": "), T(about)))
}

// WithUndo is an attribute of a button whose action can't be undone, or notifies others. The script waits before it sends the action,
// shows done and offers Undo (web/app/deletion.js).
func WithUndo(done locale.Text) g.Node { return Attr("data-undo", done) }
