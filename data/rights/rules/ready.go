package rules

import (
	"plaza/data/rights/reputation"
	"plaza/locale"
)

// Template is a rule that many communities use. Moderators complete it in the form.
type Template struct {
	Name string // the condition that it begins with, as in addresses
	Says locale.Text
	Rule Rule
}

// ReadyRules returns the ready-made rules.
func ReadyRules() []Template {
	rule := func(name, title string, says locale.Text, change func(*Rule)) Template {
		r := New()
		r.Title, r.Active = title, true
		change(r)
		return Template{name, says, *r}
	}
	return []Template{
		rule("links", "Links and pictures of new members wait",
			"What has a link, or a picture from another site, is shown after you have approved it, as long as its author is new here.",
			func(r *Rule) {
				r.Levels, r.Links, r.Actions, r.Message = []reputation.Level{reputation.New}, 1, []Action{Hold},
					"Links and pictures of new members wait for a moderator."
			}),
		rule("pictures", "First pictures wait", "Posts with pictures wait for you, as long as their author has fewer than 5 accepted posts and "+
			"comments here.", func(r *Rule) {
			r.Pictures, r.Accepted, r.Actions, r.Message = 1, 5, []Action{Hold}, "The first pictures of a member wait for a moderator."
		}),
		rule("words", "Blocked words", "What has one of your words is shown after you have approved it.",
			func(r *Rule) { r.Actions = []Action{Hold} }),
		rule("domains", "Blocked domains", "What links to one of your domains is removed at once, and its author reads why.",
			func(r *Rule) { r.Actions, r.Reason = []Action{Remove}, "Spam" }),
		rule("reports", "What is reported often is hidden", "After 3 reports it is hidden until you have decided.",
			func(r *Rule) { r.Reports, r.Actions = 3, []Action{Hold} }),
	}
}
