// Package kept knows the texts of the interface that databases keep. They keep them in English, because a moderator of one language and
// a reader of another see the same row. Text puts such a text into a form that each can read. What people have written stays as it is:
// it is looked up as a whole, so a rule that a community has named "Spam" reads as the site's own rule of that name does.
package kept

import "plaza/locale"

// texts are the reasons that every site has (communities.GeneralRules and what package reports adds).
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
}

// Text is what a database keeps, as a text: what the interface has put there is said in the reader's language, what people have written
// stays as it is.
func Text(s string) locale.Text {
	if t, ok := texts[s]; ok {
		return t
	}
	return locale.Verbatim(s)
}
