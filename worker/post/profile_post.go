package post

import (
	"cmp"
	"net/http"
	"strings"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/posts"
	"plaza/render/markdown"
	pages "plaza/render/post"
	"plaza/render/ui"
	"plaza/worker/request"
	"plaza/worker/view"
)

const (
	// shortMax is how long a short post may be, in characters.
	shortMax = 1000
	// headlineLen is how many characters of a short post are its title, if not all of it is.
	headlineLen = 100
)

// ShowProfilePost is the form of a short post on a page of its own.
func (h *Handlers) ShowProfilePost(c *request.Call) error {
	if err := c.Parse(); err != nil {
		return err
	}
	return h.profilePostPage(c, http.StatusOK, c.Typed("text"))
}

func (h *Handlers) profilePostPage(c *request.Call, status int, f ui.Form) error {
	if err := c.Run(c.Read()); err != nil && status == http.StatusOK {
		return err
	}
	p := pages.ProfilePostPage{Frame: c.Frame("Post to your profile"), Form: c.WithToken(f)}
	return request.Show(c, status, pages.ProfilePost, p)
}

// CreateProfilePost posts a short text to the member's own profile.
func (h *Handlers) CreateProfilePost(c *request.Call) error {
	cp, err := profilePostOfForm(c)
	if err == nil {
		cp.Token, err = c.Token()
	}
	if err != nil {
		return h.RefuseProfilePost(c, err)
	}
	post, err := h.Publishing.Post(c.R.Context(), *c.Actor, cp)
	if err != nil {
		return h.RefuseProfilePost(c, err)
	}
	return c.Done(post.URL(), map[string]any{"id": post.ID, "slug": post.Slug, "permalink": post.URL()})
}

// profilePostOfForm returns a post with the text that was typed. Invalid.
func profilePostOfForm(c *request.Call) (cp posts.Create, err error) {
	parts, err := partsOfProfilePost(c.Value("text"))
	return posts.Create{Community: data.ProfileOf(c.ViewerID()), Title: parts.Title, Text: parts.Text, TextHTML: parts.TextHTML,
		Excerpt: parts.Excerpt}, err
}

// partsOfProfilePost returns title and text of what was typed. One plain paragraph is only a title. Of other texts, the title is the
// beginning. Invalid.
func partsOfProfilePost(typed string) (p posts.Edit, err error) {
	p.Text = strings.TrimSpace(typed)
	switch {
	case data.Blank(p.Text):
		return p, data.Mistake("text", "Please write something first.")
	case utf8.RuneCountInString(p.Text) > shortMax:
		return p, data.Mistake("text", "A short post has at most 1,000 characters.")
	}
	p.Title = markdown.PlainExcerpt(p.Text, posts.TitleMax)
	if p.Title == p.Text && !strings.ContainsAny(p.Text, "@/") { // no link and no mention
		p.Text = ""
		return p, nil
	}
	p.Title = headline(p.Text)
	if p.TextHTML, err = view.Markdown("text", p.Text, data.PostHTMLMax); err != nil {
		return p, err
	}
	if all := markdown.PlainExcerpt(p.Text, posts.ExcerptLen); all != p.Title {
		p.Excerpt = all
	}
	return p, nil
}

// headline is the title of a short post that has a text.
func headline(text string) string {
	return cmp.Or(markdown.PlainExcerpt(text, headlineLen), "A post") // if the text is only markup, such as a line
}

// wholeProfilePost returns what was typed for a short post. ok is false for a post that was given a title of its own.
func wholeProfilePost(p *posts.Source) (typed string, ok bool) {
	switch {
	case !data.IsProfile(p.Community) || p.Kind != "text" || p.Original != nil:
		return "", false
	case p.Text == "":
		return p.Title, true
	}
	return p.Text, p.Title == headline(p.Text)
}

// RefuseProfilePost shows the form again, with what was typed and why it was refused.
func (h *Handlers) RefuseProfilePost(c *request.Call, err error) error {
	return request.RefuseOrSignIn(c, err, "short", h.profilePostPage, []string{"text"})
}
