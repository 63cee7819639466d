package rules

import "plaza/data/moderation/reputation"

// Ready is a rule that many communities want. Moderators complete it in the form.
type Ready struct {
	Name string // in addresses
	Rule Rule
}

// ReadyRules returns the rules that are ready to be used.
func ReadyRules() []Ready {
	rule := func(name, title string, change func(*Rule)) Ready {
		r := New()
		r.Title, r.Active = title, true
		change(r)
		return Ready{name, *r}
	}
	return []Ready{
		rule("links", "Links and pictures of new members wait", func(r *Rule) {
			r.Standing, r.Links, r.Actions, r.Answer = []reputation.Level{reputation.New}, 1, []Action{Hold},
				"Links and pictures of new members wait for a moderator."
		}),
		rule("words", "Blocked words", func(r *Rule) { r.Actions = []Action{Hold} }),
		rule("domains", "Blocked domains", func(r *Rule) { r.Actions, r.Reason = []Action{Remove}, "Spam" }),
		rule("reports", "What is reported often is hidden", func(r *Rule) { r.Reports, r.Actions = 3, []Action{Hold} }),
	}
}
