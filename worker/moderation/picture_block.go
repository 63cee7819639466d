package moderation

import (
	"net/http"

	"plaza/data"
	"plaza/data/moderation/pictureblocks"
	"plaza/locale"
	pages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/pictures"
	"plaza/worker/request"
	"plaza/worker/view"
)

// The reach of a block, as values of the form's field. In the queue, the field is called block- and the id of the case.
const (
	blockHere   = "community"
	blockOnSite = "site"
)

func blockField(target string) string { return "block-" + target }

// blockRequest returns which pictures to block, from the form that removes their post; nil for none. It returns the errors of
// pictureblocks.Store.RequestFor, and Invalid.
func (h *Handlers) blockRequest(c *request.Call, field string, target data.ID, rule string) (*pictureblocks.Request, error) {
	reach := ""
	for _, value := range c.Form[field] {
		switch value {
		case blockOnSite:
			reach = value
		case blockHere:
			if reach == "" {
				reach = value
			}
		case "":
		default:
			return nil, data.Mistake("block", "Pictures are blocked in the community or on the site.")
		}
	}
	if reach == "" {
		return nil, nil
	}
	n, err := h.Blocks.RequestFor(c.R.Context(), *c.Actor, target, reach == blockOnSite)
	if err != nil {
		return nil, err
	}
	n.Rule = rule
	return n, nil
}

// block blocks pictures, after the post was removed.
func (h *Handlers) block(c *request.Call, n *pictureblocks.Request) (*pictureblocks.Result, error) {
	if n == nil {
		return nil, nil
	}
	done, err := h.Blocks.Block(c.R.Context(), *c.Actor, *n)
	if err != nil {
		return nil, &data.Error{Code: data.ErrorCode(err), Err: err,
			Message: "It is removed, but its pictures may not be blocked everywhere. Please try again."}
	}
	if done.Queued > 0 {
		h.copyCounts(c)
	}
	return done, nil
}

// blockedPage is how many blocks a page of the list shows.
const blockedPage = 50

// ShowBlockedPictures lists the pictures that are blocked in a community, or on the whole site.
func (h *Handlers) ShowBlockedPictures(c *request.Call) error {
	name := c.R.PathValue("community")
	var before data.ID
	if text := c.R.URL.Query().Get("before"); text != "" {
		id, err := data.ParseID(text)
		if err != nil {
			return data.ErrBadCursor
		}
		before = id
	}
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	list, counts := pictureblocks.Find(r, name, before, blockedPage), h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil {
		return err
	}
	if name != "" && community.ID == 0 {
		return request.ErrNoCommunity
	}
	p := pages.BlockedPicturesPage{Action: request.BlockedPicturesURL(name)}
	if name != "" {
		view := view.CommunityView(community)
		p.Community = &view
	}
	p.Frame = c.Frame("Blocked pictures")
	if name == "" {
		p.Nav = view.SiteModNav(c, p.Action)
	} else {
		p.Nav = view.ModNav(c, ui.Community{Name: community.Name, Colour: community.Colour, Icon: community.Icon}, counts,
			request.BlockedPicturesURL(community.Name))
	}
	for _, b := range list.Items() {
		line := pages.BlockedPicture{ID: b.ID.Text(), Alike: b.HasHash, Rule: b.Rule, By: b.By, At: b.At()}
		if b.Stored {
			line.URL, line.Light, line.Colour = pictures.URL(b.Sum), b.Light, b.Colour
		}
		if b.HasHash && name == "" {
			line.AlikeURL = request.PicturesURL + "?like=" + b.Sum
		}
		if b.Target != 0 && !b.Target.IsComment() { // the address of a comment needs the id of its post
			line.PostURL = "/p/" + b.Target.Text()
		}
		p.Pictures = append(p.Pictures, line)
	}
	if before != 0 {
		p.FirstURL = p.Action
	}
	if next := list.Next(); !next.IsZero() {
		p.NextURL = p.Action + "?before=" + next.ID.Text()
	}
	return request.Show(c, http.StatusOK, pages.BlockedPictures, p)
}

// UnblockPicture removes a block.
func (h *Handlers) UnblockPicture(c *request.Call) error {
	id, wrong := data.ParseID(c.Value("block")) // 0 is no block: the store first checks who may do this
	name := c.R.PathValue("community")
	if err := h.Blocks.Unblock(c.R.Context(), *c.Actor, name, id); err != nil {
		return err
	}
	if wrong != nil {
		return data.Mistake("block", "This picture is not blocked.")
	}
	return c.Done(request.BlockedPicturesURL(name), map[string]any{"block": id, "blocked": false})
}

// blockedWords adds to the text of a decision which pictures were blocked with it.
func blockedWords(says locale.Text, done *pictureblocks.Result) locale.Text {
	switch {
	case done == nil:
		return says
	case done.Queued > 0:
		return locale.With("{}. Its pictures are blocked, and {} other post with them waits in the queue.|"+
			"{}. Its pictures are blocked, and {} other posts with them wait in the queue.", says, done.Queued)
	}
	return locale.With("{}. Its pictures are blocked.", says)
}
