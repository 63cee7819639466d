package publishing

import (
	"context"

	"plaza/data"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/rights/rules"
)

// judgeNew applies the rules to a new post that is published or scheduled, and to the original of a crosspost.
func (s *Store) judgeNew(ctx context.Context, a data.Actor, c *posts.Create) (rules.Verdict, error) {
	t := thingOf(c.Title, c.TextHTML, c.Link, c.Image, c.Chosen)
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
	return s.Rules.Judge(ctx, a, rules.Place{Community: c.Community}, t)
}

// queueSimilar makes the verdict add a post or comment to the queue if its pictures look like blocked ones. It does nothing else, because
// hashes may be false.
func queueSimilar(v *rules.Verdict, similar []pictures.SimilarBlock) {
	for _, b := range similar {
		v.Hits = append(v.Hits, rules.Hit{Rule: b.Block, Site: b.Site, Title: pictures.BlockTitle, Queued: v.Held != data.Rejected})
	}
}

// stored reads a stored draft. Its ID is 0 if it does not exist.
func (s *Store) stored(ctx context.Context, id data.ID) (*posts.Source, error) {
	r := s.DB.Read()
	p := s.Posts.FindSource(r, id)
	return p, r.Run(ctx)
}

// showing adds the original of a crosspost to what rules check of a draft. A change of the draft does not change the original.
func showing(t rules.Thing, draft *posts.Source) rules.Thing {
	if draft.Original == nil {
		return t
	}
	return t.Showing(draft.Original.Title, draft.Original.Link)
}

// thingOf returns what rules check of a post.
func thingOf(title, html, link, image string, chosen []pictures.Chosen) rules.Thing {
	t := rules.Thing{Kind: rules.Text, Title: title, HTML: html, Addresses: []string{link, image}, Pictures: len(chosen),
		Descriptions: described(chosen)}
	if image != "" {
		t.Pictures++
	}
	switch {
	case link != "":
		t.Kind = rules.Link
	case image != "", len(chosen) > 0:
		t.Kind = rules.Image
	}
	return t
}

func described(chosen []pictures.Chosen) (list []string) {
	for _, c := range chosen {
		list = append(list, c.Alt)
	}
	return list
}
