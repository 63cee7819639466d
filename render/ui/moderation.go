package ui

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"plaza/locale"
	"plaza/locale/kept"
	"plaza/render/markdown"
)

// Removal is why a post was removed.
type Removal struct {
	Rule             string `json:"rule"`   // The rule that was cited; empty where that isn't known.
	Note             string `json:"note"`   // Words of the moderators, for its author and themselves.
	Held             bool   `json:"waits"`  // Whether it is held until a moderator has decided.
	HeldAfterReports bool   `json:"hidden"` // Whether a rule has held it after reports, until a moderator has decided.
	// Where its author can object: address of the decision, or while it is held of a message to the moderators; "" for others.
	DecisionURL string `json:"-"`
}

// Statement gives the member concerned the reasons for a decision: what it is about, how that was found, on which ground, for how long, and
// who else can review it. Article 17 of the Digital Services Act requires these.
type Statement struct {
	Said      string      // the first words of the text; "" for a member, and for a text that is gone
	Found     locale.Text // by whom it was found, and after what
	Ground    locale.Text // a rule or the law; "" where none is cited
	Lasts     locale.Text // for how long
	Elsewhere bool        // whether it names who can review it outside the site
}

// Node writes the statement. The rule itself is shown above it.
func (s Statement) Node() g.Node {
	if s.Found == "" {
		return nil
	}
	return h.Div(h.Class("md"),
		g.If(s.Said != "", h.BlockQuote(h.Class("quote-box"), h.P(h.Class("quoted"), g.Text(s.Said)))),
		h.Ul(h.Li(T(s.Found)), g.If(s.Ground != "", h.Li(T(s.Ground))), g.If(s.Lasts != "", h.Li(T(s.Lasts))),
			g.If(s.Elsewhere, h.Li(T("If you don't agree, you can appeal here. You can also go to court or, in the European Union, to a "+
				"certified out-of-court dispute settlement body (Article 21 of the Digital Services Act).")))))
}

// Moderating is what the moderators of a community can do about a post.
type Moderating struct {
	URL          string // of the form that removes, to which the other decisions are sent as well
	BanURL       string // of the form that bans its author; "" if they can't be banned
	FlairURL     string // of the form that gives it a flair; "" on a profile
	TitleURL     string // of the form that changes its title; "" on a profile
	CardURL      string // of the card of its author; "" without an author
	EraseURL     string // of the form that erases it for good, for administrators; "" for others
	CanPin       bool
	HasAutoReply bool // by an automatic rule
	Approver     bool // the viewer only removes and approves
}

// Removal says that a post was removed, and why.
func (m *Markup) Removal(p *PostItem) {
	if p.Removal == nil {
		return
	}
	if p.Removal.Held {
		m.Lit(`<div class="notice" id="removal"><p><strong>`).Say("This waits for a moderator.").Lit(`</strong> `).
			Say("Until then only its author and the moderators see it.").Lit(`</p>`).
			held(p.Removal.Rule, p.Removal.DecisionURL).note(p.Removal.Note).Lit(`</div>`)
		return
	}
	m.Lit(`<div class="notice" id="removal"><p><strong>`).
		SayWhen(p.Removal.HeldAfterReports, "Hidden after reports, until a moderator has decided.").
		SayWhen(!p.Removal.HeldAfterReports, "Removed by the moderators.").Lit(`</strong>`)
	if p.Removal.Rule != "" {
		m.Lit(` `).Say("Rule: {}.", kept.Text(p.Removal.Rule))
	}
	m.When(!p.Removed, ` `).SayWhen(!p.Removed, "Only its author and the moderators still see it.").Lit(`</p>`).note(p.Removal.Note).
		appeal(p.Removal.DecisionURL).Lit(`</div>`)
}

// held names the automatic rule that holds a post or comment, and tells its author what happens next.
func (m *Markup) held(rule, write string) *Markup {
	if rule != "" {
		m.Lit(`<p>`).Say("An automatic rule held it before anybody had seen it: {}.", kept.Text(rule)).Lit(`</p>`)
	}
	if write == "" {
		return m
	}
	return m.Lit(`<p>`).Say("A moderator looks at it next, and shows or removes it. If it is removed, you are told why and can appeal.").
		Lit(` <a href="`).Text(write).Lit(`">`).Say("Write to the moderators").Lit(`</a></p>`)
}

// appeal links to the decision, for the author of what was removed.
func (m *Markup) appeal(decision string) *Markup {
	if decision == "" {
		return m
	}
	return m.Lit(`<p><a href="`).Text(decision).Lit(`">`).Say("See the decision or appeal").Lit(`</a></p>`)
}

// note writes the message of moderators to an author.
func (m *Markup) note(text string) *Markup {
	if text == "" {
		return m
	}
	return m.Lit(`<p class="note">`).Say("The moderators to the author: {}", text).Lit(`</p>`)
}

// AutoReply writes the auto reply below a post or comment.
func (m *Markup) AutoReply(text markdown.HTML) *Markup {
	if text == "" {
		return m
	}
	from := len(m.b)
	return m.Lit(`<div class="notice md whole"><p><strong>`).Say("From the moderators").Lit(`</strong></p>`).
		rendered(text).raise(from).Lit(`</div>`)
}

// ModeratePost writes the menu of a post's moderators.
func (m *Markup) ModeratePost(p *PostItem) {
	if p.Mod == nil {
		return
	}
	m.Lit(`<details class="menu mod"><summary>`).Say("Moderate").Lit(`</summary><div>`)
	if p.Removal == nil || p.Removal.Held {
		m.Lit(`<a href="`).Text(p.Mod.URL).Lit(`">`).Say("Remove…").Lit(`</a>`)
	}
	if p.Mod.CardURL != "" {
		m.Lit(`<a href="`).Text(p.Mod.CardURL).Lit(`">`).Say("About its author").Lit(`</a>`)
	}
	if p.Mod.FlairURL != "" {
		m.Lit(`<a href="`).Text(p.Mod.FlairURL).Lit(`">`).Say("Flair…").Lit(`</a>`)
	}
	m.Lit(`<form method="post" action="`).Text(p.Mod.URL).Lit(`">`)
	if p.Removal != nil {
		m.decisionButton("approve", "Approve")
	}
	if p.Mod.Approver {
		m.Lit(`</form></div></details>`)
		return
	}
	m.toggleButton(p.Locked, "unlock", "Unlock", "lock", "Lock¦verb")
	if p.Mod.CanPin {
		m.toggleButton(p.Pinned, "unpin", "Unpin", "pin", "Pin¦verb")
	}
	m.toggleButton(p.NSFW, "un-nsfw", "Not NSFW", "nsfw", "Mark NSFW")
	m.toggleButton(p.Spoiler, "un-spoiler", "No spoiler", "spoiler", "Mark spoiler")
	if p.Mod.HasAutoReply {
		m.decisionButton("un-answer", "Remove note")
	}
	m.Lit(`</form>`)
	if p.Mod.TitleURL != "" {
		m.Lit(`<a href="`).Text(p.Mod.TitleURL).Lit(`">`).Say("Title…").Lit(`</a>`)
	}
	if p.Mod.BanURL != "" {
		m.Lit(`<a href="`).Text(p.Mod.BanURL).Lit(`">`).Say("Ban its author…").Lit(`</a>`)
	}
	if p.Mod.EraseURL != "" {
		m.Lit(`<a href="`).Text(p.Mod.EraseURL).Lit(`">`).Say("Erase…").Lit(`</a>`)
	}
	m.Lit(`</div></details>`)
}

func (m *Markup) toggleButton(on bool, off Literal, offLabel locale.Text, set Literal, setLabel locale.Text) *Markup {
	if on {
		return m.decisionButton(off, offLabel)
	}
	return m.decisionButton(set, setLabel)
}

func (m *Markup) decisionButton(decision Literal, label locale.Text) *Markup {
	return m.Lit(`<button name="decision" value="`).Lit(decision).Lit(`">`).Say(label).Lit(`</button>`)
}

// moderateComment writes what a moderator can do about a comment, as a part of its menu.
func (m *Markup) moderateComment(c *Comment) *Markup {
	if c.ModURL == "" {
		return m
	}
	switch {
	case c.Removed:
		m.decisionButtonAt(c.ModURL, "approve", "Approve")
	case c.AutoReply != "":
		m.decisionButtonAt(c.ModURL, "un-answer", "Remove note")
	}
	if c.CardURL != "" && !c.Held {
		m.Lit(`<a href="`).Text(c.CardURL).Lit(`">`).Say("About its author").Lit(`</a>`)
	}
	if !c.Removed || c.Held {
		m.Lit(`<a class="opens" href="`).Text(c.ModURL).Lit(`">`).Say("Remove").Lit(`</a>`)
	}
	if c.BanURL != "" && !c.Held {
		m.Lit(`<a href="`).Text(c.BanURL).Lit(`">`).Say("Ban¦verb").Lit(`</a>`)
	}
	if c.EraseURL != "" {
		m.Lit(`<a href="`).Text(c.EraseURL).Lit(`">`).Say("Erase…").Lit(`</a>`)
	}
	return m
}

// decisionButtonAt writes the button of a decision that has no form of its own (buttonForm).
func (m *Markup) decisionButtonAt(address string, decision Literal, label locale.Text) *Markup {
	return m.Lit(`<button`).submitTo("", address).Lit(` name="decision" value="`).Lit(decision).Lit(`">`).Say(label).
		Lit(`</button>`)
}
