package view

import (
	"slices"

	"plaza/data/content/communities"
	"plaza/data/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
)

// RulesOf returns the reasons for which a post or comment can be removed: the rules of its community, nil for none, the site's rules, and
// the general ones.
func RulesOf(c *request.Call, community *communities.Community) (rules []string) {
	if community != nil {
		for _, r := range community.Rules {
			rules = append(rules, r.Title)
		}
	}
	for _, title := range slices.Concat(SiteRules(c), moderation.General) {
		if !slices.Contains(rules, title) {
			rules = append(rules, title)
		}
	}
	return rules
}

// SiteRules returns the titles of the rules of the site.
func SiteRules(c *request.Call) (titles []string) {
	for _, rule := range c.Site().Rules {
		titles = append(titles, rule.Title)
	}
	return titles
}

// emptyRules is how many empty rows for rules the settings' form has after the filled ones.
const emptyRules = 3

// RuleRows returns how many rows for rules a form shows.
func RuleRows(f ui.Form) (rows int) {
	for n := 1; n <= communities.RulesMax; n++ {
		title, text := communities.RuleField(n, "title"), communities.RuleField(n, "text")
		if f.Values[title] != "" || f.Values[text] != "" || f.Errors[title] != "" || f.Errors[text] != "" {
			rows = n
		}
	}
	return min(rows+emptyRules, communities.RulesMax)
}
