package community

import (
	"cmp"
	"net/http"
	"strconv"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/wiki"
	"plaza/locale"
	pages "plaza/render/community"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

var wikiFields = []string{"revision", "title", "text"}

// ShowWiki lists the pages of a community. Its moderators also see those that were deleted.
func (h *Handlers) ShowWiki(c *request.Call) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	list, counts := h.Wiki.FindAll(r, name), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || data.IsProfile(name) {
		return request.ErrNoCommunity
	}
	address := request.WikiURL(community.Name)
	p := pages.WikiListPage{Frame: c.PublicFrame(locale.With("Pages of c/{}", community.Name),
		locale.With("What the moderators of c/{} have written for its readers.", community.Name), address),
		Community: view.CommunityView(community)}
	p.Nav = view.ModNav(c, p.Community, counts, address)
	writes := moderatesWiki(c, community)
	for _, page := range *list {
		item := pages.WikiItem{Title: page.Title, URL: request.WikiPageURL(community.Name, page.Slug), EditedAt: page.EditedAt,
			EditedBy: page.EditedBy}
		switch {
		case !page.Deleted:
			p.Items = append(p.Items, item)
		case writes:
			item.URL = request.WikiHistoryURL(community.Name, page.Slug)
			p.Deleted = append(p.Deleted, item)
		}
	}
	if writes && len(p.Items) < wiki.Max {
		p.WriteURL = request.EditWikiURL(community.Name, "")
	}
	return request.Show(c, http.StatusOK, pages.WikiList, p)
}

// moderatesWiki reports whether the viewer may write the pages of a community.
func moderatesWiki(c *request.Call, community *communities.Community) bool {
	return c.Viewer != nil && c.Viewer.Moderates(community.Name) && c.Actor.Roles.May(community.Name)
}

// ShowWikiPage is a page of a community.
func (h *Handlers) ShowWikiPage(c *request.Call) error {
	name, slug := c.R.PathValue("community"), c.R.PathValue("page")
	r := c.Read()
	community, page := h.Communities.FindByName(r, name, c.ViewerID()), h.Wiki.Find(r, name, slug)
	if err := c.Run(r); err != nil {
		return err
	}
	switch {
	case community.ID == 0:
		return request.ErrNoCommunity
	case page.ID == 0 || page.Deleted:
		return wiki.ErrNoPage
	}
	address := request.WikiPageURL(community.Name, page.Slug)
	p := pages.WikiPage{
		Frame:     c.PublicFrame(locale.Verbatim(page.Title), locale.With("{}: a page of c/{}.", page.Title, community.Name), address),
		Community: view.CommunityView(community), Slug: page.Slug, Heading: page.Title, Text: view.ShownText(page.HTML, page.Plain),
		Revision: page.Revision, EditedAt: page.EditedAt, EditedBy: page.EditedBy}
	if moderatesWiki(c, community) {
		p.EditURL = request.EditWikiURL(community.Name, page.Slug)
	}
	return request.Show(c, http.StatusOK, pages.WikiView, p)
}

// wikiReadable is the error if the viewer may not read the history of a page: it does not exist, or is deleted and they are no moderator.
func wikiReadable(c *request.Call, community *communities.Community, page *wiki.Source) error {
	switch {
	case community.ID == 0:
		return request.ErrNoCommunity
	case page.ID == 0 || page.Deleted && !moderatesWiki(c, community):
		return wiki.ErrNoPage
	}
	return nil
}

func wikiRevision(community string, page *wiki.Source, v *wiki.Revision) pages.WikiRevision {
	return pages.WikiRevision{Number: v.Number, URL: request.WikiRevisionURL(community, page.Slug, v.Number), At: v.At, By: v.Author,
		Restored: v.Restored, Present: v.Number == page.Revision && !page.Deleted}
}

// ShowWikiHistory lists the revisions of a community's page.
func (h *Handlers) ShowWikiHistory(c *request.Call) error {
	name, slug := c.R.PathValue("community"), c.R.PathValue("page")
	r := c.Read()
	community, page := h.Communities.FindByName(r, name, c.ViewerID()), h.Wiki.FindSource(r, name, slug)
	list := h.Wiki.FindRevisions(r, name, slug)
	if err := c.Run(r); err != nil {
		return err
	}
	if err := wikiReadable(c, community, page); err != nil {
		return err
	}
	p := pages.WikiHistoryPage{Frame: c.Frame(locale.With("History of “{}”", page.Title)), Community: view.CommunityView(community),
		Title: page.Title, ListURL: request.WikiURL(community.Name), Deleted: page.Deleted}
	if c.Viewer != nil && c.Viewer.Admin {
		p.EraseURL = request.EraseWikiURL(page.ID, 0)
	}
	if !page.Deleted {
		p.URL = request.WikiPageURL(community.Name, page.Slug)
	}
	for i, v := range *list {
		line := wikiRevision(community.Name, page, &v)
		if i == len(*list)-1 || (*list)[i+1].Title != v.Title {
			line.Title = v.Title
		}
		p.Revisions = append(p.Revisions, line)
	}
	return request.Show(c, http.StatusOK, pages.WikiHistory, p)
}

// ShowWikiRevision shows a revision of a community's page.
func (h *Handlers) ShowWikiRevision(c *request.Call) error {
	return h.wikiRevisionPage(c, http.StatusOK, c.R.PathValue("page"), wiki.ParseNumber(c.R.PathValue("revision")), nil)
}

// wikiRevisionPage shows a revision. refused is why it was not restored, or nil.
func (h *Handlers) wikiRevisionPage(c *request.Call, status int, slug string, number int64, refused error) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community, page := h.Communities.FindByName(r, name, c.ViewerID()), h.Wiki.FindSource(r, name, slug)
	v, before := h.Wiki.FindRevision(r, name, slug, number)
	if err := c.Run(r); err != nil {
		return err
	}
	if err := wikiReadable(c, community, page); err != nil {
		return cmp.Or(refused, err)
	}
	if v.Number == 0 {
		return cmp.Or(refused, error(errNoRevision))
	}
	p := pages.WikiRevisionPage{Frame: c.Frame(locale.With("Revision {} of “{}”", v.Number, v.Title)),
		Community: view.CommunityView(community), Title: v.Title, Slug: page.Slug, LogURL: request.WikiHistoryURL(community.Name, page.Slug),
		It: wikiRevision(community.Name, page, v), Text: v.Text, Present: page.Revision, Compared: before.Number}
	if !page.Deleted {
		p.PageURL = request.WikiPageURL(community.Name, page.Slug)
	}
	if before.Number != 0 {
		for _, l := range wiki.Difference(before.Text, v.Text) {
			p.Lines = append(p.Lines, pages.WikiLine(l))
		}
		if before.Title != v.Title {
			p.Before = before.Title
		}
	}
	p.Restores = moderatesWiki(c, community) && !p.It.Present
	if c.Viewer != nil && c.Viewer.Admin && number != page.Revision {
		p.EraseURL = request.EraseWikiURL(page.ID, number)
	}
	if refused != nil {
		p.Form = request.WithError(c.Typed(), refused)
	}
	return request.Show(c, status, pages.WikiRevisionView, p)
}

var errNoRevision = &data.Error{Code: data.NotFound, Message: "There is no such revision of this page. Only the last 100 are kept."}

// ShowEditWiki is the form of a new page, or of an existing one.
func (h *Handlers) ShowEditWiki(c *request.Call) error {
	return h.editWikiPage(c, http.StatusOK, c.R.URL.Query().Get("page"), nil)
}

// editWikiPage shows the form. refused is why it is shown again, or nil.
func (h *Handlers) editWikiPage(c *request.Call, status int, slug string, refused error) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community, page, counts := h.Communities.FindByName(r, name, c.ViewerID()), &wiki.Source{}, h.FindModCounts(c, r, name)
	if slug != "" {
		page = h.Wiki.FindSource(r, name, slug)
	}
	if err := c.Run(r); err != nil && refused == nil {
		return err
	}
	if refused == nil {
		switch {
		case community.ID == 0 || data.IsProfile(name):
			return request.ErrNoCommunity
		case slug != "" && (page.ID == 0 || page.Deleted):
			return wiki.ErrNoPage
		}
	}
	p := pages.EditWikiPage{Community: ui.Community{Name: name, Colour: community.Colour, Icon: community.Icon}, Slug: slug,
		BackURL: request.WikiURL(name), Form: c.Typed(wikiFields...)}
	title := locale.Text("New page")
	if page.ID != 0 { // it may have been deleted while the user wrote
		p.BackURL, title = request.WikiPageURL(name, slug), locale.With("Edit “{}”", page.Title)
	}
	p.Nav = view.ModNav(c, p.Community, counts, request.WikiURL(name))
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
		if data.ErrorCode(refused) == data.Conflict && page.ID != 0 && !page.Deleted {
			p.Now = &pages.WikiNow{Title: page.Title, Text: page.Text}
		}
	} else if page.ID != 0 {
		p.Form.Values["revision"], p.Form.Values["title"], p.Form.Values["text"] = strconv.FormatInt(page.Revision, 10), page.Title, page.Text
	}
	p.Frame = c.Frame(title)
	return request.Show(c, status, pages.EditWiki, p)
}

// SaveWiki stores a new page of a community, or a new revision of one.
func (h *Handlers) SaveWiki(c *request.Call) error {
	name, slug := c.R.PathValue("community"), c.Value("page")
	title, text := c.Value("title"), c.Value("text")
	var html string
	var unreadable error
	if len(text) <= 4*wiki.TextMax { // longer ones are refused
		html, unreadable = view.Markdown("text", text, data.PostHTMLMax)
	}
	revision := int64(1)
	var err error
	if slug == "" {
		slug, err = h.Wiki.Create(c.R.Context(), *c.Actor, name, wiki.NewPage{Title: title, Text: text, HTML: html, Err: unreadable})
	} else {
		revision, err = h.Wiki.Save(c.R.Context(), *c.Actor, name, wiki.Edit{Slug: slug, Title: title, Text: text, HTML: html,
			Revision: request.RevisionOf(c), Err: unreadable})
		c.Conflict(err, revision)
	}
	if err != nil {
		return h.RefuseWiki(c, err)
	}
	to := request.WikiPageURL(name, slug)
	return c.Done(to, map[string]any{"page": slug, "revision": revision, "permalink": to})
}

// RefuseWiki shows the form of a page again, with what was typed. If another moderator has changed the page, it also shows the current
// text.
func (h *Handlers) RefuseWiki(c *request.Call, err error) error {
	if data.ErrorCode(err) == data.NotFound && c.Value("page") == "" { // there is no such community
		return err
	}
	return request.Refuse(c, err, func(c *request.Call, status int, _ ui.Form) error {
		return h.editWikiPage(c, status, c.Value("page"), err)
	}, nil, data.Forbidden)
}

// DeleteWiki deletes a page of a community.
func (h *Handlers) DeleteWiki(c *request.Call) error {
	name, slug := c.R.PathValue("community"), c.Value("page")
	if err := h.Wiki.Delete(c.R.Context(), *c.Actor, name, slug); err != nil {
		return err
	}
	return c.Done(request.WikiURL(name), map[string]any{"page": slug})
}

// RestoreWiki restores a revision of a page of a community, and the page if it is deleted.
func (h *Handlers) RestoreWiki(c *request.Call) error {
	name, slug, number := c.R.PathValue("community"), c.Value("page"), wiki.ParseNumber(c.Value("number"))
	r := h.DB.Read()
	v, _ := h.Wiki.FindRevision(r, name, slug, number)
	if err := r.Run(c.R.Context()); err != nil {
		return err
	}
	html, err := view.Markdown("text", v.Text, data.PostHTMLMax)
	if v.Number == 0 {
		err = errNoRevision
	}
	revision, err := h.Wiki.Save(c.R.Context(), *c.Actor, name, wiki.Edit{Slug: slug, Title: v.Title, Text: v.Text, HTML: html,
		Revision: request.RevisionOf(c), Restored: number, Err: err})
	if err != nil {
		return request.Refuse(c, err, func(c *request.Call, status int, _ ui.Form) error {
			return h.wikiRevisionPage(c, status, slug, number, err)
		}, nil, data.NotFound, data.Forbidden)
	}
	to := request.WikiPageURL(name, slug)
	return c.Done(to, map[string]any{"page": slug, "revision": revision, "permalink": to})
}
