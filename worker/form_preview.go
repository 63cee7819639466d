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

// preview shows what a form will look like once it is sent, and saves nothing. The page's script gets a fragment;
// others the page of the form, with everything that was typed. The field "preview" is the form's name (formPage). Who
// was logged out elsewhere gets the form back with that message.
func (a *App) preview(c *call) error {
	field, longest, most := "text", posts.TextMax, data.PostHTMLMax
	if _, comment := c.form["body"]; comment {
		field, longest, most = "body", threads.CommentMax, data.CommentHTMLMax
	}
	text := c.value(field)
	if utf8.RuneCountInString(text) > longest {
		return a.refusePreview(c, &data.Error{Code: data.Invalid, Field: field, Message: "That is too long: a post has at most 40,000 characters, a comment 10,000."})
	}
	if err := c.run(c.read()); errors.Is(err, errSessionOver) { // a database that is away is no reason to refuse
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

// refusePreview shows the form again, with what was typed and why there is no preview.
func (a *App) refusePreview(c *call, err error) error {
	return a.refuseForm(c, c.value("preview"), err)
}
