package render

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Removal is why a post was removed.
type Removal struct {
	Waits  bool   // it is held until a moderator has decided
	Hidden bool   // a rule has hidden it after reports, until a moderator has decided
	Rule   string // "" where that isn't known
	Note   string // of the moderators, for its author and themselves
}

// Moderating is what the moderators of a community can do about a post.
type Moderating struct {
	URL      string // of the form that removes, to which the other decisions are sent as well
	BanURL   string // of the form that bans its author; "" where nobody can be
	FlairURL string // of the form that gives it a flair; "" on a profile
	CardURL  string // of what the community knows of its author; "" for nobody's
	CanPin   bool
	Answered bool // by an automatic rule
	Approver bool // who only removes and approves
}

// RemovePage is the form by which moderators remove a post or comment. Fields: rule, text.
type RemovePage struct {
	Frame
	Community Community // name and colour
	Title     string    // of the post, or of the post that was commented on
	URL       string    // of what is to be removed
	IsComment bool
	Target    string
	Said      string   // what a comment says, as typed
	Rules     []string // titles, of which one is chosen
	Form      Form
}

// removal says that a post was removed, and why.
func (m *markup) removal(p *PostItem) {
	if p.Removal == nil {
		return
	}
	if p.Removal.Waits {
		m.lit(`<div class="notice" id="removal"><p><strong>This waits for a moderator.</strong> Until then only its author and the moderators see it.</p>`).note(p.Removal.Note).lit(`</div>`)
		return
	}
	m.lit(`<div class="notice" id="removal"><p><strong>`).when(p.Removal.Hidden, `Hidden after reports, until a moderator has decided.`).when(!p.Removal.Hidden, `Removed by the moderators.`).lit(`</strong>`)
	if p.Removal.Rule != "" {
		m.lit(` Rule: `).text(p.Removal.Rule).lit(`.`)
	}
	m.when(!p.Removed, ` Only its author and the moderators still see it.`).lit(`</p>`).note(p.Removal.Note).lit(`</div>`)
}

// note writes what moderators say to an author.
func (m *markup) note(text string) *markup {
	if text == "" {
		return m
	}
	return m.lit(`<p class="note">The moderators to the author: `).text(text).lit(`</p>`)
}

// answer writes what an automatic rule answers below a post or comment.
func (m *markup) answer(text HTML) *markup {
	if text == "" {
		return m
	}
	return m.lit(`<div class="notice md"><p><strong>From the moderators</strong></p>`).made(text).lit(`</div>`)
}

// moderatePost writes the menu of a post's moderators.
func (m *markup) moderatePost(p *PostItem) {
	if p.Mod == nil {
		return
	}
	m.lit(`<details class="menu mod"><summary>Moderate</summary><div>`)
	if p.Removal == nil || p.Removal.Waits {
		m.lit(`<a href="`).text(p.Mod.URL).lit(`">Remove…</a>`)
	}
	if p.Mod.CardURL != "" {
		m.lit(`<a href="`).text(p.Mod.CardURL).lit(`">About its author</a>`)
	}
	if p.Mod.FlairURL != "" {
		m.lit(`<a href="`).text(p.Mod.FlairURL).lit(`">Flair…</a>`)
	}
	m.lit(`<form method="post" action="`).text(p.Mod.URL).lit(`">`)
	if p.Removal != nil {
		m.decides("approve", "Approve")
	}
	if p.Mod.Approver {
		m.lit(`</form></div></details>`)
		return
	}
	m.either(p.Locked, "unlock", "Unlock", "lock", "Lock")
	if p.Mod.CanPin {
		m.either(p.Pinned, "unpin", "Unpin", "pin", "Pin")
	}
	m.either(p.NSFW, "un-nsfw", "Not NSFW", "nsfw", "Mark NSFW")
	m.either(p.Spoiler, "un-spoiler", "No spoiler", "spoiler", "Mark spoiler")
	if p.Mod.Answered {
		m.decides("un-answer", "Take the note away")
	}
	m.lit(`</form>`)
	if p.Mod.BanURL != "" {
		m.lit(`<a href="`).text(p.Mod.BanURL).lit(`">Ban its author…</a>`)
	}
	m.lit(`</div></details>`)
}

func (m *markup) either(on bool, off, offLabel, set, setLabel literal) *markup {
	if on {
		return m.decides(off, offLabel)
	}
	return m.decides(set, setLabel)
}

func (m *markup) decides(decision, label literal) *markup {
	return m.lit(`<button name="decision" value="`).lit(decision).lit(`">`).lit(label).lit(`</button>`)
}

// moderateComment writes what a moderator can do about a comment.
func (m *markup) moderateComment(c *Comment) *markup {
	switch {
	case c.ModURL == "":
		return m
	case c.Waits:
		return m.lit(`<form class="mod" method="post" action="`).text(c.ModURL).lit(`">`).decides("approve", "Approve").lit(`</form><a class="opens" href="`).text(c.ModURL).lit(`">Remove</a>`)
	case c.Removed:
		m.lit(`<form class="mod" method="post" action="`).text(c.ModURL).lit(`">`).decides("approve", "Approve").lit(`</form>`)
	default:
		m.lit(`<a class="opens" href="`).text(c.ModURL).lit(`">Remove</a>`)
		if c.Answer != "" {
			m.lit(`<form class="mod" method="post" action="`).text(c.ModURL).lit(`">`).decides("un-answer", "Take the note away").lit(`</form>`)
		}
	}
	if c.BanURL != "" {
		m.lit(`<a href="`).text(c.BanURL).lit(`">Ban</a>`)
	}
	if c.CardURL != "" {
		m.lit(`<a href="`).text(c.CardURL).lit(`">About its author</a>`)
	}
	return m
}

// Remove is the page of a RemovePage.
func Remove(p RemovePage) g.Node {
	heading := "Remove this post?"
	if p.IsComment {
		heading = "Remove this comment?"
	}
	return page(p.Frame, "", nil, h.Div(h.Class("sheet"), h.H1(g.Text(heading)), placeOf(p.Community, p.URL, p.Title),
		g.If(p.Said != "", h.BlockQuote(h.Class("answered"), h.P(h.Class("quoted"), g.Text(p.Said)))),
		removeForm(p, nil)))
}

// RemoveFormFragment is the form below the comment, on the thread's page.
func RemoveFormFragment(p RemovePage) g.Node {
	address := removeURL(p)
	return removeForm(p, g.Group{g.Attr("hx-post", address), g.Attr("hx-target", "this"), g.Attr("hx-swap", "none")})
}

func removeURL(p RemovePage) string { return communityURL(p.Community.Name) + "/mod/decide" }

func removeForm(p RemovePage, inPlace g.Node) g.Node {
	id := "rule-" + p.Target
	problem := p.Form.Errors["rule"]
	return h.Form(h.Class("reply change remove"), sentTo(removeURL(p)), inPlace,
		formError(p.Form),
		hidden("target", p.Target), hidden("decision", "remove"),
		h.FieldSet(h.Class("marks"),
			h.Legend(g.Text("Which rule does it break?")),
			g.If(problem != "", h.P(h.Class("wrong"), h.ID(id+"-error"), g.Text(problem))),
			g.Map(p.Rules, func(rule string) g.Node {
				return h.Label(h.Input(h.Type("radio"), h.Name("rule"), h.Value(rule), h.Required(),
					g.If(p.Form.Values["rule"] == rule, h.Checked()), g.If(problem != "", h.Aria("describedby", id+"-error"))), g.Text(rule))
			}),
		),
		h.Label(h.For("note-"+p.Target), g.Text("Message to the author (may be empty; only they and the moderators see it)")),
		g.If(p.Form.Errors["text"] != "", h.P(h.Class("wrong"), g.Text(p.Form.Errors["text"]))),
		h.Textarea(h.ID("note-"+p.Target), h.Name("text"), h.Rows("3"), g.Text(newlineSafe(p.Form.Values["text"]))),
		h.Div(h.Class("row"), h.Button(h.Class("button danger"), g.Text("Remove")), cancel(p.URL)),
	)
}
