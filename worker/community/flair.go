package community

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/content/flair"
	"plaza/data/content/posts"
	"plaza/locale"
	moderationpages "plaza/render/moderation"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

// emptyRows is how many empty rows the form of a community's flairs has after the others.
const emptyRows = 3

var flairParts = []string{"id", "text", "colour", "place", "only"}

// flairFields are the fields of the form of a community's flairs.
var flairFields = func() []string {
	names := []string{"revision", "required", "of", "choose"}
	for n := 1; n <= flair.Max; n++ {
		for _, part := range flairParts {
			names = append(names, flair.Field(n, part))
		}
	}
	return names
}()

// colourLabels name the colours of flairs.
var colourLabels = map[string]locale.Text{"plain": "Plain", "blue": "Blue", "violet": "Violet", "magenta": "Magenta", "crimson": "Crimson",
	"orange": "Orange", "slate": "Slate"}

// choiceLabels say which flairs members can choose.
var choiceLabels = map[flair.Choice]locale.Text{flair.ChooseListed: "Members choose from this list",
	flair.ChooseOwn: "Members choose from this list, or write words of their own", flair.ChooseNone: "Only moderators give flairs"}

// ofMembers reports whether the form is about flairs of members, not of posts.
func ofMembers(c *request.Call) bool {
	return c.R.URL.Query().Get("of") == "members" || c.Value("of") == "members"
}

// ShowFlairs is the form by which moderators define the flairs of a community.
func (h *Handlers) ShowFlairs(c *request.Call) error { return h.flairsPage(c, http.StatusOK, nil) }

// flairsPage shows the form with what is stored, or with what was typed if it was refused.
func (h *Handlers) flairsPage(c *request.Call, status int, refused error) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community := h.Communities.FindByName(r, name, c.ViewerID())
	members := ofMembers(c)
	find := h.Flairs.Find
	if members {
		find = h.Flairs.FindOfMembers
	}
	set := find(r, name)
	counts := h.FindModCounts(c, r, name)
	if err := c.Run(r); err != nil && refused == nil {
		return err
	}
	if (community.ID == 0 || data.IsProfile(name)) && refused == nil {
		return request.ErrNoCommunity
	}
	p := moderationpages.FlairsPage{Community: ui.Community{Name: name, Colour: community.Colour, Icon: community.Icon},
		Form: c.Typed(flairFields...)}
	p.Nav = view.ModNav(c, p.Community, counts, request.FlairsURL(name))
	p.OfMembers = members
	p.Kinds = []ui.Tab{{Label: "Posts", URL: request.FlairsURL(name), Active: !members},
		{Label: "Members", URL: request.MemberFlairsURL(name), Active: members}}
	for _, choice := range flair.Choices {
		p.Choices = append(p.Choices, ui.Option{Value: string(choice), Label: choiceLabels[choice]})
	}
	if refused != nil {
		p.Form = request.WithError(p.Form, refused)
	} else {
		p.Form.Values["revision"], p.Form.Values["required"] = strconv.FormatInt(set.Revision, 10), request.Checked(set.Required)
		p.Form.Values["choose"] = string(set.Choose)
		for i, f := range set.Flairs {
			for part, value := range map[string]string{"id": f.ID.Text(), "text": f.Text, "colour": f.Colour,
				"only": request.Checked(f.Restricted)} {
				p.Form.Values[flair.Field(i+1, part)] = value
			}
		}
	}
	for n := 1; n <= flair.Max; n++ {
		if p.Form.Values[flair.Field(n, "text")] != "" || p.Form.Errors[flair.Field(n, "text")] != "" {
			p.Rows = n
		}
	}
	p.Rows = min(p.Rows+emptyRows, flair.Max)
	for n := 1; n <= p.Rows; n++ {
		if place := flair.Field(n, "place"); p.Form.Values[place] == "" {
			p.Form.Values[place] = strconv.Itoa(n)
		}
	}
	p.Colours = flairColours()
	p.Frame = c.Frame(locale.With("Flair of c/{}", name))
	return request.Show(c, status, moderationpages.Flairs, p)
}

// UpdateFlairs replaces the flairs of a community by the form's.
func (h *Handlers) UpdateFlairs(c *request.Call) error {
	name := c.R.PathValue("community")
	revision, err := h.Flairs.Update(c.R.Context(), *c.Actor, name, h.flairsOfForm(c))
	c.Conflict(err, revision) // saving it once more replaces what is there
	if err != nil {
		return h.RefuseFlairs(c, err)
	}
	to := "/c/" + name
	if ofMembers(c) {
		to = request.MemberFlairsURL(name)
	}
	return c.Done(to, map[string]any{"permalink": "/c/" + name, "revision": revision})
}

// flairsOfForm reads the form. An invalid number or id becomes -1, which the store refuses.
func (h *Handlers) flairsOfForm(c *request.Call) (u flair.Update) {
	for n := 1; n <= flair.Max; n++ {
		value := func(part string) string { return strings.TrimSpace(c.Value(flair.Field(n, part))) }
		r := flair.Row{Place: n, Flair: flair.Flair{Label: flair.Label{Text: value("text"), Colour: cmp.Or(value("colour"), flair.Colours[0])},
			Restricted: c.Flag(flair.Field(n, "only"))}}
		var err error
		if text := value("place"); text != "" {
			if r.Place, err = strconv.Atoi(text); err != nil {
				r.Place = -1
			}
		}
		if r.ID, err = request.OptionalID(value("id")); err != nil {
			r.ID = -1
		} else if r.ID == 0 {
			r.ID = h.Source.NewID(0, data.KindOther)
		}
		u.Rows = append(u.Rows, r)
	}
	var err error
	if u.OfMembers = ofMembers(c); u.OfMembers {
		u.Choose = flair.Choice(cmp.Or(c.Value("choose"), string(flair.ChooseListed)))
	} else {
		u.Required = c.Flag("required")
	}
	if u.Revision, err = strconv.ParseInt(c.Value("revision"), 10, 64); err != nil {
		u.Force = true
	}
	return u
}

func (h *Handlers) RefuseFlairs(c *request.Call, err error) error {
	return request.Refuse(c, err, func(c *request.Call, status int, _ ui.Form) error {
		return h.flairsPage(c, status, err)
	}, nil, data.NotFound)
}

// ShowGiveFlair is the form by which a moderator gives a post a flair.
func (h *Handlers) ShowGiveFlair(c *request.Call) error {
	target, err := data.ParseID(c.R.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return h.giveFlairPage(c, target, nil)
}

// giveFlairPage shows the form. refused is why it is shown again, or nil.
func (h *Handlers) giveFlairPage(c *request.Call, target data.ID, refused error) error {
	name := c.R.PathValue("community")
	r := c.Read()
	community, set, post := h.Communities.FindByName(r, name, c.ViewerID()), h.Flairs.Find(r, name), &posts.Source{}
	if !target.IsComment() {
		post = h.Posts.FindSource(r, target)
	}
	if err := c.Run(r); err != nil {
		return err
	}
	if community.ID == 0 || post.Community != community.Name || post.Unpublished() || post.Status == "deleted" {
		return request.ErrNoPost
	}
	p := moderationpages.GiveFlairPage{Community: ui.Community{Name: community.Name, Colour: community.Colour, Icon: community.Icon},
		Title: post.Title,
		URL:   post.URL(), Target: target.Text(),
		Form: ui.Form{Errors: map[string]locale.Text{}, Values: map[string]string{"flair": view.FlairText(post.Flair)}}}
	for _, f := range set.Flairs {
		p.Flairs = append(p.Flairs, view.FlairView(community.Name, f.Label))
	}
	code := http.StatusOK
	if refused != nil {
		p.Form, code = request.WithError(c.Typed("flair"), refused), request.FormStatus(refused)
	}
	p.Frame = c.Frame("Flair")
	return request.Show(c, code, moderationpages.GiveFlair, p)
}

// GiveFlair gives a post a flair, or removes its flair.
func (h *Handlers) GiveFlair(c *request.Call) error {
	target, err := request.TargetOf(c)
	if err != nil {
		return err
	}
	id, mistake := request.OptionalID(strings.TrimSpace(c.Value("flair")))
	if mistake != nil {
		id = -1 // which no flair has; the store first checks whether the caller may do this
	}
	address, err := h.Flairs.Give(c.R.Context(), *c.Actor, c.R.PathValue("community"), target, id)
	if data.ErrorCode(err) == data.Invalid && !c.WantsJSON() {
		return h.giveFlairPage(c, target, err)
	}
	if err != nil {
		return err
	}
	return c.Done(address, map[string]any{"id": target, "permalink": address})
}
