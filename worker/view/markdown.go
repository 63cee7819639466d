package view

import (
	"plaza/data"
	"plaza/render"
)

// Markdown makes the HTML of a text of a form. It is Invalid in that field when the HTML has more than longest bytes.
func Markdown(field, text string, longest int) (string, error) {
	html, err := render.RenderMarkdown(text, longest)
	if err != nil { // whatever it is, the text is the reason
		return "", &data.Error{Code: data.Invalid, Field: field, Err: err,
			Message: "With all its links and marks this text makes too large a page. Please shorten it, or use fewer of them."}
	}
	return string(html), nil
}

// AnswerHTML makes the HTML of what an automatic rule answers. A text that makes too large a page is shown as it was typed.
func AnswerHTML(text string) string {
	html, err := render.RenderMarkdown(text, data.CommentHTMLMax)
	if err != nil {
		html = render.RenderPlain(text)
	}
	return string(html)
}

// ShownText is what a page shows of a stored text: its HTML; or the text as it was typed, which is stored in plain
// where the HTML is too long.
func ShownText(html, plain string) render.HTML {
	if plain != "" {
		return render.RenderPlain(plain)
	}
	return render.HTML(html)
}
