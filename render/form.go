package render

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Field is a field of a form with its value.
type Field struct{ Name, Value string }

// Form holds what was typed and what is wrong with it.
type Form struct {
	Values  map[string]string // by field name
	Errors  map[string]string // by field name; "" is the whole form's
	Carried []Field           // of another form, which is there again after logging in
	Preview *Preview          // nil where it was not asked for
	// Made is the address of what the form made when it was sent before; "" if it wasn't.
	Made string
}

// input describes one field of a form.
type input struct {
	name, label, hint string
	kind              string // of the input element; "textarea" for one
	attrs             g.Group
}

// field is a label, a hint, what is wrong and the control with what was typed.
func field(f Form, in input) g.Node {
	return control(f, in, func(attrs g.Group) g.Node {
		if in.kind == "textarea" {
			return h.Textarea(attrs, g.Text(newlineSafe(f.Values[in.name])))
		}
		return h.Input(h.Type(in.kind), g.If(in.kind != "password", h.Value(f.Values[in.name])), attrs)
	})
}

// control is a field whose control is drawn by a function, which is given its attributes.
func control(f Form, in input, draw func(g.Group) g.Node) g.Node {
	problem := f.Errors[in.name]
	var described []string
	if in.hint != "" {
		described = append(described, in.name+"-hint")
	}
	if problem != "" {
		described = append(described, in.name+"-error")
	}
	attrs := g.Group{
		h.ID(in.name), h.Name(in.name),
		g.If(len(described) > 0, h.Aria("describedby", strings.Join(described, " "))),
		g.If(problem != "", h.Aria("invalid", "true")),
		g.If(problem != "" && f.firstError() == in.name, h.AutoFocus()),
		in.attrs,
	}
	return h.Div(h.Class("field f-"+in.name),
		h.Label(h.For(in.name), g.Text(in.label)),
		g.If(in.hint != "", h.P(h.Class("hint"), h.ID(in.name+"-hint"), g.Text(in.hint))),
		g.If(problem != "", h.P(h.Class("wrong"), h.ID(in.name+"-error"), g.Text(problem))),
		draw(attrs),
	)
}

// newlineSafe keeps a leading line break, which HTML drops behind <textarea>.
func newlineSafe(s string) string {
	if strings.HasPrefix(s, "\n") || strings.HasPrefix(s, "\r") {
		return "\n" + s
	}
	return s
}

// fieldOrder is the order in which the fields of any form stand on the page.
var fieldOrder = append([]string{"user", "rule", "reason", "community", "username", "name", "title", "link", "image", "text", "flair", "tags", "publish_at", "login", "email", "password", "code",
	"description", "body", "sidebar", "colour", "letter", "bio"}, append(append(ruleFields(), linkFields()...), "theme", "posts", "comments", "zone", "nsfw")...)

func (f Form) firstError() string {
	for _, name := range fieldOrder {
		if f.Errors[name] != "" {
			return name
		}
	}
	return ""
}

// formError shows what is wrong with the form as a whole.
func formError(f Form) g.Node {
	if f.Errors[""] == "" {
		return nil
	}
	return h.P(h.Class("wrong whole"), h.Role("alert"), g.Text(f.Errors[""]), g.Iff(f.Made != "", func() g.Node {
		label := "See what it made"
		if f.Made == "/login" {
			label = "Log in"
		}
		return g.Group{g.Text(" "), h.A(h.Href(f.Made), g.Text(label))}
	}))
}

// formToken is the hidden field by which a form that is sent twice is recognised. autocomplete="off" keeps browsers from filling in the
// token of an earlier form.
func formToken(f Form) g.Node {
	if f.Values["token"] == "" {
		return nil
	}
	return h.Input(h.Type("hidden"), h.Name("token"), h.Value(f.Values["token"]), h.AutoComplete("off"))
}

// sentTo are the attributes of a form that is sent to an address.
func sentTo(address string) g.Node { return g.Group{h.Method("post"), h.Action(address)} }

func keepNext(f Form) g.Node {
	if f.Values["next"] == "" {
		return nil
	}
	return hidden("next", f.Values["next"])
}

func submit(label string) g.Node { return h.Button(h.Class("button"), g.Text(label)) }

// toggle is a form of one button that turns something on or off, such as a subscription. what says to screen readers what it is about.
// The script sends it, and puts the answer, which is the button in its new state, in its place.
func toggle(address, key literal, value, what string, on bool, offLabel, onLabel literal, ret string) g.Node {
	label, class, set := offLabel, literal("button"), literal("1")
	if on {
		label, class, set = onLabel, "button quiet", "0"
	}
	return component(func(m *markup) {
		m.lit(`<form class="toggle" method="post" action="`).lit(address).lit(`" hx-post="`).lit(address).lit(`" hx-target="this">`)
		m.hidden(key, value).lit(`<input type="hidden" name="on" value="`).lit(set).lit(`">`)
		if ret != "" {
			m.hidden("return", ret)
		}
		m.lit(`<button class="`).lit(class).lit(`">`).lit(label).lit(`<span class="vh"> `).text(what).lit(`</span></button></form>`)
	})
}

func hidden(name literal, value string) g.Node {
	return component(func(m *markup) { m.hidden(name, value) })
}

func (m *markup) hidden(name literal, value string) *markup {
	return m.lit(`<input type="hidden" name="`).lit(name).lit(`" value="`).text(value).lit(`">`)
}

// decision is a button of a form with several. about says to screen readers what it is about.
func decision(name, value, class, label, about string) g.Node {
	return h.Button(h.Class(class), h.Name(name), h.Value(value), g.Text(label), h.Span(h.Class("vh"), g.Text(": "+about)))
}
