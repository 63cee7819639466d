package view

import (
	"plaza/data"
	"plaza/render/markdown"
)

// Markdown renders a text of a form as HTML. It returns Invalid for that field if the HTML has more than maxBytes.
func Markdown(field, text string, maxBytes int) (string, error) {
	html, err := markdown.Render(text, maxBytes)
	if err != nil { // any error is caused by the text
		return "", &data.Error{Code: data.Invalid, Field: field, Err: err,
			Message: "With all its links and marks this text makes too large a page. Please shorten it, or use fewer of them."}
	}
	return string(html), nil
}

// MessageHTML renders a message, or an auto reply, as HTML. A text whose HTML is too long is shown as it was typed.
func MessageHTML(text string) string {
	html, err := markdown.Render(text, data.CommentHTMLMax)
	if err != nil {
		html = markdown.Plain(text)
	}
	return string(html)
}

// ShownText returns the HTML of a stored text. If that was too long, plain has the text as it was typed, which is shown
// instead.
func ShownText(html, plain string) markdown.HTML {
	if plain != "" {
		return markdown.Plain(plain)
	}
	return markdown.HTML(html)
}
