package worker

import (
	"errors"
	"slices"

	"plaza/data"
)

// keepAbsent has what a request doesn't say of a post stay as it is stored: programs may
// send only what changes, and the form of a crosspost has no field for a link. texts are
// the fields of its form besides the marks. A browser doesn't send a box that isn't ticked,
// so in a form with its first text and its text area an absent mark means no.
//
// It puts the stored values into the form of its author alone; whoever writes asks again
// who that is, and for the revision that the request names.
func (a *App) keepAbsent(c *call, target data.ID, texts ...string) error {
	whole := !c.object && c.names("text") && c.names(texts[0])
	absent := slices.DeleteFunc(slices.Clone(append(texts, "nsfw", "spoiler")), func(name string) bool {
		return c.names(name) || whole && (name == "nsfw" || name == "spoiler")
	})
	if len(absent) == 0 {
		return nil
	}
	r := c.read(a)
	post := a.posts.FindSource(r, target)
	if err := c.run(r); err != nil {
		if errors.Is(err, errSessionOver) {
			return errSignIn
		}
		return err
	}
	if c.isViewer(post.AuthorID) {
		stored := draftForm(post).Values
		for _, name := range absent {
			c.form.Set(name, stored[name])
		}
	}
	return nil
}
