package worker

import (
	"cmp"
	"net/http"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/posts"
	"plaza/render"
)

const (
	// shortMax is how long a short post may be, in characters.
	shortMax = 1000
	// headlineLen is how many characters of a short post are its title, if not all of it is.
	headlineLen = 100
)

// showShort is the form of a short post on a page of its own.
func (a *App) showShort(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	return a.shortPage(c, http.StatusOK, c.typed("text"))
}

func (a *App) shortPage(c *call, status int, f render.Form) error {
	if err := c.run(c.read()); err != nil && status == http.StatusOK {
		return err
	}
	p := render.ShortPage{Frame: c.frame("Post to your profile", "", ""), Form: c.withToken(f)}
	p.NoIndex = true
	return show(c, status, render.Short, p)
}

// createShort posts a short text to the member's own profile.
func (a *App) createShort(c *call) error {
	cp, err := shortOfForm(c)
	if err == nil {
		cp.Token, err = c.token()
	}
	if err != nil {
		return a.refuseShort(c, err)
	}
	post, err := a.publishing.Post(c.r.Context(), *c.actor, cp)
	if err != nil {
		return a.refuseShort(c, err)
	}
	return c.done(post.URL(), map[string]any{"id": post.ID, "slug": post.Slug, "permalink": post.URL()})
}

// shortOfForm makes a post of the text that was typed. Invalid.
func shortOfForm(c *call) (cp posts.Create, err error) {
	parts, err := partsOfShort(c.value("text"))
	return posts.Create{Community: data.ProfileOf(c.viewerID()), Title: parts.Title, Text: parts.Text, TextHTML: parts.TextHTML, Excerpt: parts.Excerpt}, err
}

// partsOfShort makes title and text of what was typed. A text of one plain paragraph is all title. Of others, the title is how they
// begin. Invalid.
func partsOfShort(typed string) (p posts.Edit, err error) {
	p.Text = strings.TrimSpace(typed)
	switch {
	case data.Blank(p.Text):
		return p, data.Mistake("text", "Please write something first.")
	case utf8.RuneCountInString(p.Text) > shortMax:
		return p, data.Mistake("text", "A short post has at most 1,000 characters.")
	}
	p.Title = render.PlainExcerpt(p.Text, posts.TitleMax)
	if p.Title == p.Text && !strings.ContainsAny(p.Text, "@/") { // no link, and nobody is mentioned
		p.Text = ""
		return p, nil
	}
	p.Title = headline(p.Text)
	if p.TextHTML, err = markdown("text", p.Text, data.PostHTMLMax); err != nil {
		return p, err
	}
	if all := render.PlainExcerpt(p.Text, posts.ExcerptLen); all != p.Title {
		p.Excerpt = all
	}
	return p, nil
}

// headline is the title of a short post that has a text.
func headline(text string) string {
	return cmp.Or(render.PlainExcerpt(text, headlineLen), "A post") // of markup alone, such as a line
}

// wholeShort returns what was typed for a short post. ok is false for a post that was given a title of its own.
func wholeShort(p *posts.Source) (typed string, ok bool) {
	switch {
	case !data.IsProfile(p.Community) || p.Kind != "text" || p.Original != nil:
		return "", false
	case p.Text == "":
		return p.Title, true
	}
	return p.Text, p.Title == headline(p.Text)
}

// refuseShort shows the form again, with what was typed and why it was refused.
func (a *App) refuseShort(c *call, err error) error {
	if c.wantsJSON() || !formCanSay(err) {
		return err
	}
	if data.ErrorCode(err) == data.Unauthenticated {
		return a.signInAgain(c, "short", err)
	}
	return a.shortPage(c, formStatus(err), wrong(c.typed("text"), err))
}
