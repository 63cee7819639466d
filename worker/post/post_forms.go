package post

import (
	"net/http"

	"plaza/render"
	"plaza/worker/request"
)

// Forms are the forms of posts and comments.
func (a *Handlers) Forms() map[string]request.Form {
	return map[string]request.Form{
		"post":  {Show: a.submitAgain, Refuse: a.RefusePost},
		"short": {Show: a.shortAgain, Refuse: a.RefuseShort},
		"draft": {Show: a.draftAgain, Refuse: a.RefuseDraft},
		"reply": {Show: a.replyAgain, Refuse: a.RefuseComment},
		"edit":  {Show: a.editAgain, Refuse: a.RefuseEdit},
	}
}

func previewed(c *request.Call, p *render.Preview, fields ...string) render.Form {
	f := c.Typed(fields...)
	f.Preview = p
	return f
}

func (a *Handlers) submitAgain(c *request.Call, p *render.Preview) error {
	return a.submitPage(c, http.StatusOK, previewed(c, p, submitFields...), c.Value("kind"))
}

func (a *Handlers) shortAgain(c *request.Call, p *render.Preview) error {
	return a.shortPage(c, http.StatusOK, previewed(c, p, "text"))
}

func (a *Handlers) draftAgain(c *request.Call, p *render.Preview) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	if !namesDraft(c) { // it was to be published as it is
		return a.draftPage(c, http.StatusOK, target, nil, nil)
	}
	f := previewed(c, p, submitFields...)
	return a.draftPage(c, http.StatusOK, target, &f, nil)
}

func (a *Handlers) replyAgain(c *request.Call, p *render.Preview) error {
	to, err := answered(c)
	if err != nil {
		return err
	}
	return a.replyPage(c, http.StatusOK, to, previewed(c, p, editFields...))
}

func (a *Handlers) editAgain(c *request.Call, p *render.Preview) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	f := previewed(c, p, editFields...)
	return a.editPage(c, http.StatusOK, target, &f, nil)
}
