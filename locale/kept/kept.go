// Package kept has the texts of the interface that databases store, such as the rules that every site has. They are stored in English,
// because readers of all languages see the same row. Text converts such a string to a text, so that it is shown in the reader's language.
// Strings that users have written are not among them, and stay as they are. A rule that a community has named "Spam" is the one case
// where both are the same: it is shown as the site's own rule.
package kept

import "plaza/locale"

// texts are the rules that every site has (modlog.GeneralRules, and the reasons of package reports).
var texts = map[string]locale.Text{
	"Spam":                       "Spam",
	"Harassment or hate":         "Harassment or hate",
	"Threat or violence":         "Threat or violence",
	"Private information":        "Private information",
	"Sexual content with minors": "Sexual content with minors",
	"Suicide or self-harm":       "Suicide or self-harm",
	"Breaks the law":             "Breaks the law",
	"Impersonation":              "Impersonation",
	"Name or profile":            "Name or profile",
	"Something else":             "Something else",
	// Reasons of notices by people without an account (package legalnotices).
	"Notice: illegal content":  "Notice: illegal content",
	"Notice: rights of others": "Notice: rights of others",
	"Notice: personal data":    "Notice: personal data",
	// Why a post waits (package pictureblocks).
	"Blocked picture": "Blocked picture",
	// Why something was erased (package erase).
	"Illegal content":              "Illegal content",
	"Personal data":                "Personal data",
	"Rights of others":             "Rights of others",
	"At the request of its author": "At the request of its author",
	"Order of an authority":        "Order of an authority",
	// Messages that moderators choose, and those of verdicts without one (package modmail).
	"Thank you. We will look into it.":                              "Thank you. We will look into it.",
	"Thank you. We have taken care of it.":                          "Thank you. We have taken care of it.",
	"Please tell us more about it.":                                 "Please tell us more about it.",
	"Please read the rules of the community.":                       "Please read the rules of the community.",
	"We have looked at it again. The decision stands.":              "We have looked at it again. The decision stands.",
	"We have looked at it again, and have taken the decision back.": "We have looked at it again, and have taken the decision back.",
}

// Text returns a stored string as a text: strings of the interface are translated, and strings that users have written stay as they are.
func Text(s string) locale.Text {
	if t, ok := texts[s]; ok {
		return t
	}
	return locale.Verbatim(s)
}
