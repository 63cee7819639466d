package moderation

import (
	"net/http"

	"plaza/data"
	"plaza/data/moderation"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
)

// ShowTitle is the form by which a moderator gives a post another title.
func (h *Handlers) ShowTitle(c *request.Call) error {
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return h.titlePage(c, target, nil)
}

// titlePage shows the form. refused is why it is shown again, or nil.
func (h *Handlers) titlePage(c *request.Call, target data.ID, refused error) error {
	r := c.Read()
	community, post := h.Communities.FindByName(r, c.R.PathValue("community"), c.ViewerID()), h.Posts.FindSource(r, target)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || post.Community != community.Name || post.Status != "published" && post.Status != "archived" {
		return request.ErrNoPost
	}
	p := pages.TitlePage{Community: ui.Community{Name: community.Name, Colour: community.Colour, Icon: community.Icon},
		Title: post.Title, URL: post.URL(),
		Target: target.Text(), Form: ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{"title": post.Title}}}
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(c.Typed("title", "text"), refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Title")
	return request.Show(c, code, pages.Title, p)
}

// ChangeTitle gives a post another title.
func (h *Handlers) ChangeTitle(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	address, err := h.Moderation.Retitle(c.R.Context(), *c.Actor, moderation.Retitle{Community: c.R.PathValue("community"), Target: target,
		Title: c.Value("title"), Note: c.Value("text")})
	if data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
		return h.titlePage(c, target, err)
	}
	if err != nil {
		return err
	}
	return c.Done(address, map[string]any{"id": target, "permalink": address})
}
