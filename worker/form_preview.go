package worker

import (
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/posts"
	"plaza/data/threads"
	"plaza/render"
)

// preview shows what a form's text will look like, and saves nothing: in place as a
// fragment, else as the page of the form with everything that was typed. Its button
// says which form it is. A session that was ended gets its form back instead.
func (a *App) preview(c *call) error {
	field, longest, most := "text", posts.TextMax, data.PostHTMLMax
	if _, comment := c.form["body"]; comment {
		field, longest, most = "body", threads.CommentMax, data.CommentHTMLMax
	}
	text := c.value(field)
	if utf8.RuneCountInString(text) > longest {
		return a.refusePreview(c, &data.Error{Code: data.Invalid, Field: field, Message: "That is too long: a post has at most 40,000 characters, a comment 10,000."})
	}
	if err := c.run(c.read(a)); errors.Is(err, errSessionOver) { // what can't be asked keeps nobody from looking
		return a.refusePreview(c, errSignIn)
	}
	made, err := markdown(field, text, most)
	if err != nil {
		return a.refusePreview(c, err)
	}
	html := render.HTML(made)
	if c.wantsJSON() {
		return c.json(http.StatusOK, map[string]any{"html": html})
	}
	p := render.Preview{Text: html, Link: strings.TrimSpace(c.value("link")), Image: strings.TrimSpace(c.value("image"))}
	if c.fragment() {
		return show(c, http.StatusOK, render.PreviewFragment, p)
	}
	if err := a.formPage(c, c.value("preview"), &p); err != nil {
		return a.refusePreview(c, err)
	}
	return nil
}

// refusePreview shows the form again, with what was typed.
func (a *App) refusePreview(c *call, err error) error {
	return a.refuseForm(c, c.value("preview"), err)
}
