package publishing

import (
	"context"

	"plaza/data"
	"plaza/data/posts"
	"plaza/data/rules"
)

// judge asks the rules about a post that is to be published or scheduled. They look at what a crosspost shows, too.
func (s *Store) judge(ctx context.Context, a data.Actor, at rules.Place, c *posts.Create) (rules.Verdict, error) {
	t := thingOf(c.Title, c.Text, c.Link, c.Image)
	if c.CrosspostOf != 0 {
		r := s.DB.Read()
		shown := s.Posts.FindByID(r, c.CrosspostOf, a.UserID)
		if err := r.Run(ctx); err != nil {
			return rules.Verdict{}, err
		}
		if shown.Original != nil {
			t = t.Showing(shown.Original.Title, shown.Original.Link)
		} else {
			t = t.Showing(shown.Title, shown.Link, shown.Image)
		}
	}
	return s.Rules.Judge(ctx, a, at, t)
}

// thingOf is a post as rules see it.
func thingOf(title, text, link, image string) rules.Thing {
	t := rules.Thing{Kind: rules.Text, Title: title, Text: text, Addresses: []string{link, image}}
	switch {
	case link != "":
		t.Kind = rules.Link
	case image != "":
		t.Kind = rules.Image
	}
	return t
}
