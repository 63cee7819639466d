package admin

import (
	"net/http"
	"net/url"

	stored "plaza/data/content/pictures"
	"plaza/data/moderation/pictureblocks"
	"plaza/locale"
	pages "plaza/render/admin"
	"plaza/render/ui"
	"plaza/worker/pictures"
	"plaza/worker/request"
)

// listedPictures is how many pictures a page of the list shows.
const listedPictures = 25

// ShowPictures lists all pictures that members have uploaded, what uses them, and how much storage they need.
func (h *Handlers) ShowPictures(c *request.Call) error {
	q := c.R.URL.Query()
	order, member, like := stored.Newest, q.Get("user"), q.Get("like")
	if q.Get("sort") == stored.Largest && member == "" && like == "" {
		order = stored.Largest
	}
	after, err := stored.ParsePlace(q.Get("after"))
	if err != nil {
		return err
	}
	r := c.Read()
	found := h.Uploads.FindAll(r, order, member, like, after, listedPictures+1)
	n := h.Uploads.FindNumbers(r, member)
	if err := c.Run(r); err != nil {
		return err
	}
	list, more := *found, len(*found) > listedPictures
	list = list[:min(len(list), listedPictures)]
	if len(list) > 0 {
		r := h.DB.Read()
		h.Uploads.FindUses(r, list)
		if err := r.Run(c.R.Context()); err != nil {
			return err
		}
	}
	p := pages.PicturesPage{Frame: c.Frame("Pictures"), Member: member, Like: like != "",
		Action: picturesURL(order, member, like, ""), Pictures: n.Pictures,
		Megabytes: n.Bytes >> 20, Room: n.Room >> 20, Today: n.Today, TodayMost: n.Today >= stored.TodayMax}
	for _, o := range []struct {
		name  string
		label locale.Text
	}{{stored.Newest, "Newest"}, {stored.Largest, "Largest"}} {
		p.Orders = append(p.Orders, ui.Tab{Label: o.label, URL: picturesURL(o.name, "", "", ""),
			Active: member == "" && like == "" && order == o.name})
	}
	for _, l := range list {
		line := pages.ListedPicture{Sum: l.Sum, URL: pictures.URL(l.Sum), Light: l.Bytes <= stored.LightMax, Colour: l.Colour,
			Width: l.Width, Height: l.Height, Kilobytes: (l.Bytes + 1023) >> 10, Member: l.Member, At: l.At, Blocked: l.Blocked}
		if l.Member != "" {
			line.MemberURL = picturesURL(stored.Newest, l.Member, "", "")
		}
		for _, u := range l.Uses {
			use := pages.PictureUse{Kind: u.Kind}
			switch u.Kind {
			case "post":
				use.URL, use.EraseURL = "/p/"+u.ID.Text(), request.EraseURL(u.ID)
			case "comment":
				use.URL, use.EraseURL = "/p/"+u.Post.Text()+"/"+u.ID.Text(), request.EraseURL(u.ID)
			}
			line.Uses = append(line.Uses, use)
		}
		p.List = append(p.List, line)
	}
	if after.Sum != "" {
		p.FirstURL = picturesURL(order, member, like, "")
	}
	if more {
		p.NextURL = picturesURL(order, member, like, list[len(list)-1].Place(order).String())
	}
	return request.Show(c, http.StatusOK, pages.Pictures, p)
}

// picturesURL is the address of a page of the list.
func picturesURL(order, member, like, after string) string {
	q := url.Values{}
	if order != stored.Newest {
		q.Set("sort", order)
	}
	for name, value := range map[string]string{"user": member, "like": like, "after": after} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return request.PicturesURL
	}
	return request.PicturesURL + "?" + q.Encode()
}

// BlockPicture blocks a picture on the whole site. Posts and comments that show it are put into the moderators' queues.
func (h *Handlers) BlockPicture(c *request.Call) error {
	sum := c.Value("picture")
	done, err := h.Blocks.Block(c.R.Context(), *c.Actor, pictureblocks.Request{Sums: []string{sum}})
	if err != nil {
		return err
	}
	return c.Done(c.R.URL.RequestURI(), map[string]any{"picture": sum, "blocked": true, "queued": done.Queued})
}
