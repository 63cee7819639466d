package worker

import (
	"net/http"

	"plaza/render"
)

// postForms are the forms of posts and comments.
func (a *App) postForms() map[string]form {
	return map[string]form{
		"post":  {a.submitAgain, a.refusePost},
		"short": {a.shortAgain, a.refuseShort},
		"draft": {a.draftAgain, a.refuseDraft},
		"reply": {a.replyAgain, a.refuseComment},
		"edit":  {a.editAgain, a.refuseEdit},
	}
}

func previewed(c *call, p *render.Preview, fields ...string) render.Form {
	f := c.typed(fields...)
	f.Preview = p
	return f
}

func (a *App) submitAgain(c *call, p *render.Preview) error {
	return a.submitPage(c, http.StatusOK, previewed(c, p, submitFields...), c.value("kind"))
}

func (a *App) shortAgain(c *call, p *render.Preview) error {
	return a.shortPage(c, http.StatusOK, previewed(c, p, "text"))
}

func (a *App) draftAgain(c *call, p *render.Preview) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	if !c.namesDraft() { // it was to be published as it is
		return a.draftPage(c, http.StatusOK, target, nil, nil)
	}
	f := previewed(c, p, submitFields...)
	return a.draftPage(c, http.StatusOK, target, &f, nil)
}

func (a *App) replyAgain(c *call, p *render.Preview) error {
	to, err := answered(c)
	if err != nil {
		return err
	}
	return a.replyPage(c, http.StatusOK, to, previewed(c, p, editFields...))
}

func (a *App) editAgain(c *call, p *render.Preview) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	f := previewed(c, p, editFields...)
	return a.editPage(c, http.StatusOK, target, &f, nil)
}
