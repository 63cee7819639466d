package worker

import (
	"net/http"

	"plaza/data"
	"plaza/render"
)

// formPage shows a form again, with everything that was typed, and with a preview if there is one. form is its name:
// post, short, draft, reply, edit, contact or community.
func (a *App) formPage(c *call, form string, p *render.Preview) error {
	fields := submitFields
	if form != "post" && form != "draft" {
		fields = editFields
	}
	f := c.typed(fields...)
	f.Preview = p
	switch form {
	case "draft":
		target, err := targetOf(c)
		if err != nil {
			return err
		}
		if !c.namesDraft() { // it was to be published as it is
			return a.draftPage(c, http.StatusOK, target, nil, nil)
		}
		return a.draftPage(c, http.StatusOK, target, &f, nil)
	case "post":
		return a.submitPage(c, http.StatusOK, f, c.value("kind"))
	case "short":
		f := c.typed("text")
		f.Preview = p
		return a.shortPage(c, http.StatusOK, f)
	case "reply":
		to, err := answered(c)
		if err != nil {
			return err
		}
		return a.replyPage(c, http.StatusOK, to, f)
	case "edit":
		target, err := targetOf(c)
		if err != nil {
			return err
		}
		return a.editPage(c, http.StatusOK, target, &f, nil)
	case "contact":
		return a.contactPage(c, http.StatusOK, c.typed("name", "email", "body"))
	case "community":
		return a.newCommunityPage(c, http.StatusOK, c.typed("name", "title", "description"))
	}
	return &data.Error{Code: data.NotFound, Field: "preview", Message: "There is no such form."}
}

// refuseForm shows a form of formPage again, with what was typed and why it was refused. Where it can't, it returns
// the error.
func (a *App) refuseForm(c *call, form string, err error) error {
	switch form {
	case "post":
		return a.refusePost(c, err)
	case "short":
		return a.refuseShort(c, err)
	case "draft":
		return a.refuseDraft(c, err)
	case "reply":
		return a.refuseComment(c, err)
	case "edit":
		return a.refuseEdit(c, err)
	case "contact":
		return a.refuseContact(c, err)
	case "community":
		return a.refuseCommunity(c, err)
	}
	return err
}
