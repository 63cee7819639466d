package worker

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"plaza/data"
	"plaza/data/flair"
	"plaza/data/posts"
	"plaza/render"
)

// spareFlairs is how many empty rows the form of a community's flairs has beyond the filled.
const spareFlairs = 3

var flairParts = []string{"id", "text", "colour", "place", "only"}

// flairFields are the fields of the form of a community's flairs.
var flairFields = func() []string {
	names := []string{"revision", "required"}
	for n := 1; n <= flair.Max; n++ {
		for _, part := range flairParts {
			names = append(names, flair.Field(n, part))
		}
	}
	return names
}()

// showFlairs is the form by which moderators define the flairs of a community.
func (a *App) showFlairs(c *call) error { return a.flairsPage(c, http.StatusOK, nil) }

// flairsPage shows the form: what is stored, or what was typed and why it was refused.
func (a *App) flairsPage(c *call, status int, refused error) error {
	name := c.r.PathValue("community")
	r := c.read()
	community, set := a.communities.FindByName(r, name, c.viewerID()), a.flairs.Find(r, name)
	if err := c.run(r); err != nil && refused == nil {
		return err
	}
	if (community.ID == 0 || data.IsProfile(name)) && refused == nil {
		return errNoCommunity
	}
	p := render.FlairsPage{Community: render.Community{Name: name, Colour: community.Colour}, Form: c.typed(flairFields...)}
	if refused != nil {
		p.Form = wrong(p.Form, refused)
	} else {
		p.Form.Values["revision"], p.Form.Values["required"] = strconv.FormatInt(set.Revision, 10), checked(set.Required)
		for i, f := range set.Flairs {
			for part, value := range map[string]string{"id": f.ID.Text(), "text": f.Text, "colour": f.Colour, "only": checked(f.Restricted)} {
				p.Form.Values[flair.Field(i+1, part)] = value
			}
		}
	}
	for n := 1; n <= flair.Max; n++ {
		if p.Form.Values[flair.Field(n, "text")] != "" || p.Form.Errors[flair.Field(n, "text")] != "" {
			p.Rows = n
		}
	}
	p.Rows = min(p.Rows+spareFlairs, flair.Max)
	for n := 1; n <= p.Rows; n++ {
		if place := flair.Field(n, "place"); p.Form.Values[place] == "" {
			p.Form.Values[place] = strconv.Itoa(n)
		}
	}
	for _, colour := range flair.Colours {
		p.Colours = append(p.Colours, render.Option{Value: colour, Label: strings.ToUpper(colour[:1]) + colour[1:]})
	}
	p.Frame = c.frame("Flair of c/"+name, "", "")
	p.NoIndex = true
	return show(c, status, render.Flairs, p)
}

// updateFlairs replaces the flairs of a community by those of the form.
func (a *App) updateFlairs(c *call) error {
	name := c.r.PathValue("community")
	revision, err := a.flairs.Update(c.r.Context(), *c.actor, name, a.flairsOfForm(c))
	if data.ErrorCode(err) == data.Conflict {
		c.form.Set("revision", strconv.FormatInt(revision, 10)) // saving it once more replaces theirs
	}
	if err != nil {
		return a.refuseFlairs(c, err)
	}
	return c.done("/c/"+name, map[string]any{"permalink": "/c/" + name, "revision": revision})
}

// flairsOfForm reads the form. What is no number or id becomes -1, which is refused.
func (a *App) flairsOfForm(c *call) (u flair.Update) {
	for n := 1; n <= flair.Max; n++ {
		value := func(part string) string { return strings.TrimSpace(c.value(flair.Field(n, part))) }
		r := flair.Row{Place: n, Flair: flair.Flair{Label: flair.Label{Text: value("text"), Colour: cmp.Or(value("colour"), flair.Colours[0])}, Restricted: c.flag(flair.Field(n, "only"))}}
		var err error
		if text := value("place"); text != "" {
			if r.Place, err = strconv.Atoi(text); err != nil {
				r.Place = -1
			}
		}
		if r.ID, err = optionalID(value("id")); err != nil {
			r.ID = -1
		} else if r.ID == 0 {
			r.ID = a.Source.NewID(0, data.KindOther)
		}
		u.Rows = append(u.Rows, r)
	}
	var err error
	u.Required = c.flag("required")
	if u.Revision, err = strconv.ParseInt(c.value("revision"), 10, 64); err != nil {
		u.Force = true
	}
	return u
}

func (a *App) refuseFlairs(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) || data.ErrorCode(err) == data.NotFound {
		return err
	}
	return a.flairsPage(c, formStatus(err), err)
}

// showGiveFlair is the form by which a moderator gives a post a flair.
func (a *App) showGiveFlair(c *call) error {
	target, err := data.ParseID(c.r.URL.Query().Get("target"))
	if err != nil {
		return err
	}
	return a.giveFlairPage(c, target, nil)
}

// giveFlairPage shows the form. refused is why it is shown again, if it is.
func (a *App) giveFlairPage(c *call, target data.ID, refused error) error {
	name := c.r.PathValue("community")
	r := c.read()
	community, set, post := a.communities.FindByName(r, name, c.viewerID()), a.flairs.Find(r, name), &posts.Source{}
	if !target.IsComment() {
		post = a.posts.FindSource(r, target)
	}
	if err := c.run(r); err != nil {
		return err
	}
	if community.ID == 0 || post.Community != community.Name || post.Unpublished() || post.Status == "deleted" {
		return errNoPost
	}
	p := render.GiveFlairPage{Community: render.Community{Name: community.Name, Colour: community.Colour}, Title: post.Title, URL: post.URL(), Target: target.Text(),
		Form: render.Form{Errors: map[string]string{}, Values: map[string]string{"flair": flairText(post.Flair)}}}
	for _, f := range set.Flairs {
		p.Flairs = append(p.Flairs, flairView(community.Name, f.Label))
	}
	code := http.StatusOK
	if refused != nil {
		p.Form, code = wrong(c.typed("flair"), refused), formStatus(refused)
	}
	p.Frame = c.frame("Flair", "", "")
	p.NoIndex = true
	return show(c, code, render.GiveFlair, p)
}

// giveFlair gives a post a flair, or takes it away.
func (a *App) giveFlair(c *call) error {
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	id, mistake := optionalID(strings.TrimSpace(c.value("flair")))
	if mistake != nil {
		id = -1 // which no flair has: who may do this is asked first
	}
	address, err := a.flairs.Give(c.r.Context(), *c.actor, c.r.PathValue("community"), target, id)
	if data.ErrorCode(err) == data.Invalid && !c.wantsJSON() {
		return a.giveFlairPage(c, target, err)
	}
	if err != nil {
		return err
	}
	return c.done(address, map[string]any{"id": target, "permalink": address})
}
