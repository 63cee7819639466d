package view

import (
	"plaza/data"
	"plaza/render/markdown"
)

// Markdown makes the HTML of a text of a form. It is Invalid in that field when the HTML has more than longest bytes.
func Markdown(field, text string, longest int) (string, error) {
	html, err := markdown.Render(text, longest)
	if err != nil { // whatever it is, the text is the reason
		return "", &data.Error{Code: data.Invalid, Field: field, Err: err,
			Message: "With all its links and marks this text makes too large a page. Please shorten it, or use fewer of them."}
	}
	return string(html), nil
}

// MessageHTML makes the HTML of a message, or of what an automatic rule answers. A text that makes too large a page is shown as it was
// typed.
func MessageHTML(text string) string {
	html, err := markdown.Render(text, data.CommentHTMLMax)
	if err != nil {
		html = markdown.Plain(text)
	}
	return string(html)
}

// ShownText is what a page shows of a stored text: its HTML; or the text as it was typed, which is stored in plain
// where the HTML is too long.
func ShownText(html, plain string) markdown.HTML {
	if plain != "" {
		return markdown.Plain(plain)
	}
	return markdown.HTML(html)
}
