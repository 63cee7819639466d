package post

import (
	"net/http"

	"plaza/render/ui"
	"plaza/worker/request"
)

// Forms returns the forms of posts and comments, by name.
func (h *Handlers) Forms() map[string]request.Form {
	return map[string]request.Form{
		"post":  {Show: h.submitAgain, Refuse: h.RefusePost},
		"short": {Show: h.shortAgain, Refuse: h.RefuseProfilePost},
		"draft": {Show: h.draftAgain, Refuse: h.RefuseDraft},
		"reply": {Show: h.replyAgain, Refuse: h.RefuseComment},
		"edit":  {Show: h.editAgain, Refuse: h.RefuseEdit},
	}
}

func previewed(c *request.Call, p *ui.Preview, fields ...string) ui.Form {
	f := c.Typed(fields...)
	f.Preview = p
	return f
}

func (h *Handlers) submitAgain(c *request.Call, p *ui.Preview) error {
	return h.submitPage(c, http.StatusOK, previewed(c, p, submitFields...), c.Value("kind"))
}

func (h *Handlers) shortAgain(c *request.Call, p *ui.Preview) error {
	return h.profilePostPage(c, http.StatusOK, previewed(c, p, "text"))
}

func (h *Handlers) draftAgain(c *request.Call, p *ui.Preview) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if !hasDraftFields(c) { // the request was to publish the stored draft without changes
		return h.draftPage(c, http.StatusOK, target, nil, nil)
	}
	f := previewed(c, p, submitFields...)
	return h.draftPage(c, http.StatusOK, target, &f, nil)
}

func (h *Handlers) replyAgain(c *request.Call, p *ui.Preview) error {
	to, err := repliedTo(c)
	if err != nil {
		return err
	}
	return h.replyPage(c, http.StatusOK, to, previewed(c, p, editFields...))
}

func (h *Handlers) editAgain(c *request.Call, p *ui.Preview) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	f := previewed(c, p, editFields...)
	return h.editPage(c, http.StatusOK, target, &f, nil)
}
