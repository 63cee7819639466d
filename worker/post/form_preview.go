package post

import (
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/posts"
	"plaza/render/markdown"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// Preview shows what a form will look like once it is sent, and saves nothing. The page's script gets a fragment;
// others get the page of the form, with everything that was typed. The field "preview" is the form's name (FormPage).
// A member who was logged out elsewhere gets the form back with that message.
func (h *Handlers) Preview(c *request.Call) error {
	var picturesErr error
	switch c.Value("preview") {
	case "post", "draft":
		_, picturesErr = h.PicturesOfForm(c)
	case "reply":
		_, picturesErr = h.PicturesOfComment(c)
	}
	if picturesErr != nil {
		return h.RefusePreview(c, picturesErr)
	}
	field, textMax, htmlMax := "text", posts.TextMax, data.PostHTMLMax
	if _, comment := c.Form["body"]; comment {
		field, textMax, htmlMax = "body", comments.CommentMax, data.CommentHTMLMax
	}
	text := c.Value(field)
	if utf8.RuneCountInString(text) > textMax {
		return h.RefusePreview(c, &data.Error{Code: data.Invalid, Field: field,
			Message: "That is too long: a post has at most 40,000 characters, a comment 10,000."})
	}
	if err := c.Run(c.Read()); errors.Is(err, request.ErrSessionOver) { // a database that is unavailable is no reason to refuse
		return h.RefusePreview(c, request.ErrSignIn)
	}
	rendered, err := view.Markdown(field, text, htmlMax)
	if err != nil {
		return h.RefusePreview(c, err)
	}
	html := markdown.HTML(rendered)
	if c.WantsJSON() {
		return c.JSON(http.StatusOK, map[string]any{"html": html})
	}
	p := ui.Preview{Text: html, Link: strings.TrimSpace(c.Value("link")), Image: strings.TrimSpace(c.Value("image"))}
	if c.Fragment() {
		return request.Show(c, http.StatusOK, ui.PreviewFragment, p)
	}
	if err := h.FormPage(c, c.Value("preview"), &p); err != nil {
		return h.RefusePreview(c, err)
	}
	return nil
}

// RefusePreview shows the form again, with what was typed and why there is no preview.
func (h *Handlers) RefusePreview(c *request.Call, err error) error {
	return h.RefuseForm(c, c.Value("preview"), err)
}
