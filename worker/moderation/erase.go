package moderation

import (
	"context"
	"errors"
	"net/http"
	"time"

	"plaza/data"
	"plaza/data/content/wiki"
	"plaza/data/moderation/erase"
	pages "plaza/render/moderation"
	"plaza/worker/request"
)

// ShowErase asks an administrator to confirm that a post, a comment, a page of a community or a message to moderators is to be erased, and
// says what will happen.
func (h *Handlers) ShowErase(c *request.Call) error {
	if c.R.URL.Query().Has("message") {
		id, err := data.ParseID(c.R.URL.Query().Get("message"))
		if err != nil {
			return err
		}
		return h.eraseMessagePage(c, id, nil)
	}
	if c.R.URL.Query().Has("page") {
		id, err := data.ParseID(c.R.URL.Query().Get("page"))
		if err != nil {
			return err
		}
		number, err := revisionToErase(c.R.URL.Query().Get("revision"))
		if err != nil {
			return err
		}
		return h.eraseWikiPage(c, id, number, nil)
	}
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return h.erasePage(c, target, nil)
}

// erasePage shows the form. refused is why it is shown again, or nil.
func (h *Handlers) erasePage(c *request.Call, target data.ID, refused error) error {
	r := c.Read()
	h.Communities.FindColourChanges(r)
	t := h.Erasing.Find(r, target)
	if err := c.Run(r); err != nil {
		return err
	}
	if t.NothingToErase() {
		return &data.Error{Code: data.NotFound, Message: "There is no such post or comment here."}
	}
	p := pages.ErasePage{Target: target.Text(), IsComment: target.IsComment(), Title: t.Title, Said: t.Text, URL: t.URL(),
		Deleted: t.Status == "deleted", Grounds: erase.Grounds, Purges: h.Purge.Configured(), Form: c.Typed("rule"),
		Community: c.CommunityHeader(t.Community)}
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(p.Form, refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Erase")
	return request.Show(c, code, pages.Erase, p)
}

// Erase permanently erases a post, a comment, a page of a community or a message to moderators.
func (h *Handlers) Erase(c *request.Call) error {
	if c.Value("message") != "" {
		return h.eraseMessage(c)
	}
	if c.Value("page") != "" {
		return h.eraseWiki(c)
	}
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	sums, err := h.picturesOf(c, target)
	if err != nil {
		return err
	}
	t, err := h.Erasing.Erase(c.R.Context(), *c.Actor, target, c.Value("rule"))
	if data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
		return h.erasePage(c, target, err)
	}
	if err != nil {
		return err
	}
	var remaining error
	if h.Bucket.Bound() {
		remaining = h.Uploads.Erase(c.R.Context(), h.Bucket, t.Author, sums)
	}
	if err := errors.Join(remaining, h.purge(c)); err != nil {
		return &data.Error{Code: data.Unavailable, Err: err,
			Message: "It is erased, but its pictures or cached copies could not be deleted. Erase it once more to try again."}
	}
	log := "/c/" + t.Community + "/log"
	if data.IsProfile(t.Community) {
		log = "/p/" + t.PostID.Text()
	}
	return c.Done(log, map[string]any{"id": target, "decision": "erase"})
}

// revisionToErase parses the number of a revision; "" is the whole page. It refuses any other invalid text, so that this does not erase the
// whole page.
func revisionToErase(text string) (int64, error) {
	number := wiki.ParseNumber(text)
	if number == 0 && text != "" {
		return 0, erase.ErrNoWiki
	}
	return number, nil
}

// eraseWikiPage shows the form to erase a page of a community, or with a number one of its revisions. refused is why it is shown
// again, or nil.
func (h *Handlers) eraseWikiPage(c *request.Call, id data.ID, number int64, refused error) error {
	r := c.Read()
	h.Communities.FindColourChanges(r)
	t := h.Erasing.FindWiki(r, id, number)
	if err := c.Run(r); err != nil {
		return err
	}
	switch {
	case t.ID == 0:
		return erase.ErrNoWiki
	case t.Current:
		return erase.ErrCurrentRevision
	}
	p := pages.EraseWikiPage{Page: id.Text(), Revision: t.Revision, Title: t.Title, Said: t.Text, Grounds: erase.Grounds,
		Purges: h.Purge.Configured(), URL: request.WikiHistoryURL(t.Community, t.Slug), Form: c.Typed("rule"),
		Community: c.CommunityHeader(t.Community)}
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(p.Form, refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Erase")
	return request.Show(c, code, pages.EraseWiki, p)
}

// eraseWiki erases a page of a community with its history, or one of its revisions.
func (h *Handlers) eraseWiki(c *request.Call) error {
	id, err := data.ParseID(c.Value("page"))
	if err != nil {
		return err
	}
	number, err := revisionToErase(c.Value("revision"))
	if err != nil {
		return err
	}
	t, err := h.Erasing.EraseWiki(c.R.Context(), *c.Actor, id, number, c.Value("rule"))
	if data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
		return h.eraseWikiPage(c, id, number, err)
	}
	if err != nil {
		return err
	}
	if err := h.purge(c); err != nil {
		return &data.Error{Code: data.Unavailable, Err: err,
			Message: "It is erased, but its cached copies could not be deleted. They expire by themselves."}
	}
	return c.Done("/c/"+t.Community+"/log", map[string]any{"id": id, "decision": "erase"})
}

// eraseMessagePage shows the form to erase a message to or from moderators. refused is why it is shown again, or nil.
func (h *Handlers) eraseMessagePage(c *request.Call, id data.ID, refused error) error {
	r := c.Read()
	m := h.Erasing.FindMessage(r, c.ViewerID(), id)
	if err := c.Run(r); err != nil {
		return err
	}
	if m.ID == 0 {
		return erase.ErrNoMessage
	}
	p := pages.EraseMessagePage{Message: id.Text(), First: m.First, Subject: m.Subject, Said: m.Text, Grounds: erase.Grounds,
		URL: request.ConversationURL(m.Conversation), Form: c.Typed("rule")}
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(p.Form, refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Erase")
	return request.Show(c, code, pages.EraseMessage, p)
}

// eraseMessage erases a message to or from moderators.
func (h *Handlers) eraseMessage(c *request.Call) error {
	id, err := data.ParseID(c.Value("message"))
	if err != nil {
		return err
	}
	m, err := h.Erasing.EraseMessage(c.R.Context(), *c.Actor, id, c.Value("rule"))
	if data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
		return h.eraseMessagePage(c, id, err)
	}
	if err != nil {
		return err
	}
	return c.Done(request.ConversationURL(m.Conversation), map[string]any{"id": id, "decision": "erase"})
}

// picturesOf returns the sums of a post's or comment's pictures.
func (h *Handlers) picturesOf(c *request.Call, target data.ID) (sums []string, err error) {
	r := h.DB.Read()
	found := h.Uploads.FindSums(r, target)
	err = r.Run(c.R.Context())
	return *found, err
}

// ConsumeForget removes deleted or erased words from all rows that quote them.
func (h *Handlers) ConsumeForget(ctx context.Context, ids []data.ID) (missed []data.ID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return h.Erasing.Forget(ctx, ids)
}

// purge empties the edge cache. A page that is read from a replica that is behind may bring the erased words back into the cache, so purge
// empties it once more when no replica can be that far behind.
func (h *Handlers) purge(c *request.Call) error {
	if err := h.Purge.Everything(c.R.Context()); err != nil {
		return err
	}
	if sleep := h.DB.Sleep(); h.Purge.Configured() && h.DB.Replicated() && sleep != nil {
		id := c.ID
		h.Background(c.R.Context(), func(ctx context.Context) {
			err := sleep(ctx, data.ReplicaLag+time.Second)
			if err == nil {
				err = h.Purge.Everything(ctx)
			}
			if err != nil {
				h.Log.WarnContext(ctx, "edge cache not emptied again", "request", id, "error", err)
			}
		})
	}
	return nil
}
