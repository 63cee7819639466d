package render

import (
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Profile is a person's page with their posts or comments.
func Profile(p ProfilePage) g.Node {
	return page(p.Frame, "About "+p.Name, profileSide(p),
		h.Div(h.Class("head"),
			icon(p.Name, ""),
			h.Div(
				h.H1(g.Text(p.Name)),
				h.P(h.Class("muted"), h.Span(g.Text("u/"+p.Name)), g.Text(" · "+exact(p.PostKarma+p.CommentKarma)+" karma")),
			),
			g.If(!p.IsSelf, h.Div(h.Class("do"), FollowFragment(p.Name, p.IsFollowed, p.Path))),
		),
		tabs("What to show", p.Tabs),
		profileBody(p),
		g.If(p.NextURL != "", h.Nav(h.Class("pager"), h.Aria("label", "Pages"), next(p.NextURL))),
	)
}

// FollowFragment is the button to follow somebody, or to stop.
func FollowFragment(name string, on bool, ret string) g.Node {
	return toggle("/follow", "user", name, name, on, "Follow", "Following", ret)
}

func profileBody(p ProfilePage) g.Node {
	if len(p.Comments) == 0 {
		return posts(p.Posts, p.Frame, true, p.Name+" has nothing to show here yet.")
	}
	return said(p.Comments, p.Frame)
}

// said are comments away from their threads.
func said(list []ProfileComment, f Frame) g.Node {
	return h.Div(h.Class("said"), g.Map(list, func(c ProfileComment) g.Node {
		return h.Section(
			h.H2(h.A(h.Href(c.PostURL), g.Text(named(c.PostTitle))), g.Text(" "), h.Span(h.Class("dom"), g.Text("c/"+c.Community))),
			comment(&c.Comment, thread{now: f.Now, flat: true}),
		)
	}))
}

func profileSide(p ProfilePage) g.Node {
	return h.Section(h.Class("card"),
		h.H2(g.Text("About "+p.Name)),
		formatted(p.BioHTML),
		h.Dl(h.Class("facts"),
			fact("Post karma", g.Text(exact(p.PostKarma))),
			fact("Comment karma", g.Text(exact(p.CommentKarma))),
			fact("Followers", g.Text(exact(p.Followers))),
			fact("Following", g.Text(exact(p.Following))),
			g.If(!p.JoinedAt.IsZero(), fact("Joined", component(func(m *markup) { m.date(p.JoinedAt) }))),
		),
	)
}

func fact(label string, value g.Node) g.Node {
	return h.Div(h.Dt(g.Text(label)), h.Dd(value))
}

// SignUp is the form for a new account.
func SignUp(p SignUpPage) g.Node {
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), sentTo("/signup"),
			h.H1(g.Text("Join "+p.SiteName)),
			formError(p.Form),
			field(p.Form, input{name: "username", label: "Username", hint: "How others see you. Letters, digits, _ and -.", kind: "text",
				attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			field(p.Form, input{name: "email", label: "Email (optional)", hint: "Only to get back in when the password is lost. Never shown.", kind: "email",
				attrs: g.Group{h.AutoComplete("email")}}),
			field(p.Form, input{name: "password", label: "Password", hint: "At least 10 characters. Several words make a good password.", kind: "password",
				attrs: g.Group{h.Required(), h.AutoComplete("new-password")}}),
			keepNext(p.Form), formToken(p.Form),
			carried(p.Form.Carried),
			submit("Sign up"),
			h.P(h.Class("muted"), g.Text("Already here? "), otherSignIn(p.Form, "/login", "Log in")),
		),
	)
}

// LogIn is the form that opens a session.
func LogIn(p LogInPage) g.Node {
	return page(p.Frame, "", nil,
		h.Form(h.Class("sheet"), sentTo("/login"),
			h.H1(g.Text("Log in")),
			formError(p.Form),
			field(p.Form, input{name: "login", label: "Username or email", kind: "text",
				attrs: g.Group{h.Required(), h.AutoComplete("username"), g.Attr("autocapitalize", "none"), g.Attr("spellcheck", "false")}}),
			field(p.Form, input{name: "password", label: "Password", kind: "password",
				attrs: g.Group{h.Required(), h.AutoComplete("current-password")}}),
			keepNext(p.Form),
			carried(p.Form.Carried),
			submit("Log in"),
			h.P(h.Class("muted"), g.Text("New here? "), otherSignIn(p.Form, "/signup", "Sign up")),
		),
	)
}

// CompareFields orders fields by name.
func CompareFields(a, b Field) int { return strings.Compare(a.Name, b.Name) }

// carried are the fields of a form that is there again after signing in. Texts are shown,
// so that nobody fears for them.
func carried(fields []Field) g.Node {
	if len(fields) == 0 {
		return nil
	}
	return h.Div(h.Class("field"),
		h.P(h.Class("hint"), g.Text("What you have written is kept. It is here again once you are signed in.")),
		g.Map(fields, func(f Field) g.Node {
			if label := carriedTexts[f.Name]; label != "" && f.Value != "" {
				return g.Group{h.Label(h.For("carried-"+f.Name), g.Text(label)),
					h.Textarea(h.ID("carried-"+f.Name), h.Name(f.Name), h.Rows("4"), h.ReadOnly(), g.Text(newlineSafe(f.Value)))}
			}
			return h.Input(h.Type("hidden"), h.Name(f.Name), h.Value(f.Value))
		}))
}

var carriedTexts = map[string]string{"body": "Your comment", "text": "Your text"}

// otherSignIn leads from one of the sign-in pages to the other, with everything that the
// first one carries.
func otherSignIn(f Form, address, label string) g.Node {
	if len(f.Carried) == 0 {
		return h.A(h.Href(withReturn(address, f.Values["next"])), g.Text(label))
	}
	return h.Button(h.Class("plain"), h.Name("show"), h.Value("1"), h.FormAction(address), h.FormNoValidate(), g.Text(label))
}
