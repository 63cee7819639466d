package posts

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/tags"
)

// Limits of a post's fields, in characters.
const (
	TitleMax   = 300
	TextMax    = 40000
	ExcerptLen = 280
)

// Validate normalizes and checks the fields. On a profile, a title alone is a post. Its error joins the mistakes of all fields, in the
// order of the form.
func (c *Create) Validate() error {
	c.Community, c.Title = strings.TrimSpace(c.Community), data.Line(c.Title)
	c.Link, c.Image = strings.TrimSpace(c.Link), strings.TrimSpace(c.Image)
	if data.Blank(c.Text) {
		c.Text = ""
	}
	kept, tagsErr := tags.Parse(c.Tags)
	if tagsErr == nil {
		c.Tags = kept
	}
	list, picturesErr := pictures.Check(c.Chosen)
	if picturesErr == nil {
		c.Chosen = list
	}
	return data.AllMistakes(
		data.MistakeIf(c.Community == "", "community", "Please choose a community."),
		CheckTitle(c.Title),
		data.CheckAddress("link", "link", c.Link),
		data.CheckAddress("image", "image's address", c.Image),
		data.MistakeIf(c.Text == "" && c.Link == "" && c.Image == "" && len(c.Chosen) == 0 && c.CrosspostOf == 0 &&
			c.Status != Draft && !data.IsProfile(c.Community),
			"text", "A post needs a text, a link or an image."),
		data.MistakeIf(utf8.RuneCountInString(c.Text) > TextMax, "text", "A text has at most 40,000 characters."),
		tagsErr, picturesErr,
	)
}

// CheckTitle returns the mistake in a title; nil for none.
func CheckTitle(title string) error {
	return data.AllMistakes(data.MistakeIf(title == "", "title", "A post needs a title."),
		data.MistakeIf(utf8.RuneCountInString(title) > TitleMax, "title", "A title has at most 300 characters."))
}

// Check is Validate and, for a scheduled post, the check of its time.
func (c *Create) Check() error {
	return data.AllMistakes(c.Validate(), data.MistakeIf(c.Status == Scheduled && c.PublishAt.IsZero(), "publish_at",
		"Please choose a day and a time."))
}

// kind is what listings show first: the link, else the image, else the text. The other parts are stored and shown too.
func (c *Create) kind() string {
	switch {
	case c.Link != "":
		return "link"
	case c.Image != "", len(c.Chosen) > 0:
		return "image"
	}
	return "text"
}

// address returns the target of a post; "" for a text.
func (c *Create) address() string { return cmp.Or(c.Link, c.Image) }

// publishAt returns the value of the column of the same name: the zero time, which is stored as NULL, for a post that is not scheduled.
func (c *Create) publishAt() time.Time {
	if c.Status != Scheduled {
		return time.Time{}
	}
	return c.PublishAt
}
