package worker

import (
	"net/http"
	"net/url"

	"plaza/data"
	"plaza/data/listings"
	"plaza/data/saves"
	"plaza/render"
)

// save keeps a post or comment for the member, or no longer.
func (a *App) save(c *call) error {
	target, on, err := targetAndOn(c)
	if err != nil {
		return err
	}
	save := a.saves.SavePost
	if target.IsComment() {
		save = a.saves.SaveComment
	}
	kept, err := save(c.r.Context(), *c.actor, target, on)
	if err != nil {
		return err
	}
	return c.kept(target, kept, map[string]any{"id": target, "saved": kept.Saved})
}

// hide takes a post out of the member's listings, or puts it back.
func (a *App) hide(c *call) error {
	target, on, err := targetAndOn(c)
	if err != nil {
		return err
	}
	kept, err := a.saves.Hide(c.r.Context(), *c.actor, target, on)
	if err != nil {
		return err
	}
	return c.kept(target, kept, map[string]any{"id": target, "hidden": kept.Hidden})
}

// passHidden goes on to what follows where a member has hidden a whole page.
func (a *App) passHidden(c *call, l **listings.Page) error {
	q, more := (*l).Rest()
	if !more {
		return nil
	}
	r := a.DB.Read()
	rest, err := a.listings.Find(c.r.Context(), r, q)
	if err != nil {
		return err
	}
	rest.Stale = (*l).Stale
	*l = rest
	return r.Run(c.r.Context())
}

// targetAndOn reads the fields of an action that turns something on or off.
func targetAndOn(c *call) (data.ID, bool, error) {
	target, err := targetOf(c)
	if err != nil {
		return 0, false, err
	}
	switch c.value("on") {
	case "1", "true":
		return target, true, nil
	case "0", "false":
		return target, false, nil
	}
	return 0, false, &data.Error{Code: data.Invalid, Field: "on", Message: "on is 1 to begin and 0 to end it."}
}

// kept answers with the buttons in their new state, or leads back to where they were.
func (c *call) kept(target data.ID, kept saves.Kept, v any) error {
	if c.fragment() && !c.wantsJSON() {
		return show(c, http.StatusOK, render.KeepFragment, render.Keep{
			Target: target.Text(), Comment: target.IsComment(), Saved: kept.Saved, Hidden: kept.Hidden})
	}
	return c.done(c.cameFromPage(target, kept.URL), v)
}

// cameFromPage is the page of this site that a form was sent from, at the place of its
// target (0 for none); where the browser doesn't tell, it is the target's own page. So the forms
// that stand on a page many times need no field for it.
func (c *call) cameFromPage(target data.ID, otherwise string) string {
	if to := c.value("return"); to != "" {
		return back(to)
	}
	u, err := url.Parse(c.r.Header.Get("Referer"))
	if err != nil || u.Host == "" || u.Host != c.r.Host {
		return otherwise
	}
	to := back(u.RequestURI())
	switch {
	case to == "/" && u.Path != "/":
		return otherwise
	case target == 0:
		return to
	case target.IsComment():
		return to + "#c-" + target.Text()
	}
	return to + "#p-" + target.Text()
}
