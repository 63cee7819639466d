// Package publishing publishes new posts and comments, drafts, scheduled posts, and edits of all these. It checks the automatic rules
// first, so that no caller can forget them. The transactions are in packages posts and comments. TestOnlyWayToPublish checks that no other
// package calls the methods that publish.
package publishing

import (
	"cmp"
	"context"

	"plaza/data"
	"plaza/data/content/comments"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
	"plaza/data/content/posts"
	"plaza/data/rights/rules"
)

// Store checks the automatic rules, and then publishes.
type Store struct {
	DB          *data.DB
	Posts       *posts.Store
	Comments    *comments.Store
	Communities *communities.Store
	Rules       *rules.Store
	Pictures    *pictures.Store
}

// Post creates a post, a scheduled post or a draft. The first post to a profile creates the profile's row in communities. Errors are as in
// posts.Store.Create.
func (s *Store) Post(ctx context.Context, a data.Actor, c posts.Create) (*posts.Post, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.Status != posts.Draft { // it is judged when it is published
		var err error
		if c.Judged, err = s.judgeNew(ctx, a, &c); err != nil {
			return nil, err
		}
	}
	var err error
	if c.Pictures, err = s.claim(ctx, a, c.Community, c.Chosen, nil, &c.Judged); err != nil {
		return nil, err
	}
	post, err := s.Posts.Create(ctx, a, c)
	if data.ErrorCode(err) == data.NotFound && c.Community == data.ProfileOf(a.UserID) {
		if err := s.Communities.CreateProfile(ctx, a); err != nil {
			return nil, err
		}
		return s.Posts.Create(ctx, a, c)
	}
	return post, err
}

// EditDraft saves a draft, and publishes or schedules it if its status says so. It returns the post and errors of posts.Store.EditDraft.
func (s *Store) EditDraft(ctx context.Context, a data.Actor, d posts.EditDraft) (*posts.Source, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	stored := &posts.Source{}
	var err error
	if d.Status != posts.Draft || len(d.Chosen) > 0 {
		if stored, err = s.stored(ctx, d.ID); err != nil {
			return nil, err
		}
	}
	if d.Status != posts.Draft { // it is judged when it is published
		t := thingOf(d.Title, d.TextHTML, d.Link, d.Image, d.Chosen)
		if d.Judged, err = s.Rules.Judge(ctx, a, rules.Place{Target: d.ID}, showing(t, stored)); err != nil {
			return nil, err
		}
	}
	if d.Pictures, err = s.claim(ctx, a, stored.Community, d.Chosen, picturesOf(a, stored), &d.Judged); err != nil {
		return nil, err
	}
	return s.Posts.EditDraft(ctx, a, d)
}

// PublishDraft publishes a draft as it is stored; with anyway, even if its link was posted to the community recently. It returns the post
// and errors of posts.Store.PublishDraft.
func (s *Store) PublishDraft(ctx context.Context, a data.Actor, id data.ID, anyway bool) (*posts.Source, error) {
	p, err := s.stored(ctx, id)
	if err != nil {
		return nil, err
	}
	verdict, err := s.Rules.Judge(ctx, a, rules.Place{Target: id}, showing(thingOf(p.Title, s.Rules.HTML(p.Text), p.Link, p.Image,
		pictures.ChosenOf(p.Pictures)), p))
	if err != nil {
		return nil, err
	}
	if had := picturesOf(a, p); len(had) > 0 { // a picture of the draft may have been blocked since
		if _, err := s.claim(ctx, a, p.Community, pictures.ChosenOf(had), had, &verdict); err != nil {
			return nil, err
		}
	}
	return s.Posts.PublishDraft(ctx, a, id, p.Revision, anyway, verdict) // unless it was changed since
}

// PublishDue publishes the scheduled posts that are due. The rules were checked when they were scheduled. Errors are as in
// posts.Store.PublishDue.
func (s *Store) PublishDue(ctx context.Context) error {
	_, err := s.Posts.PublishDue(ctx)
	return err
}

// EditPost changes a published post. A change that rules would hold or remove is Invalid. It returns the post and errors of
// posts.Store.Edit.
func (s *Store) EditPost(ctx context.Context, a data.Actor, e posts.Edit) (*posts.Source, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	t := rules.Thing{Title: e.Title, HTML: e.TextHTML}
	if e.Chosen != nil {
		t.Descriptions = described(*e.Chosen)
	}
	verdict, err := s.Rules.Judge(ctx, a, rules.Place{Target: e.ID}, t)
	if err := cmp.Or(err, verdict.Err("text")); err != nil {
		return nil, err
	}
	if e.Chosen != nil {
		stored, err := s.stored(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		list, err := pictures.Keep(*e.Chosen, picturesOf(a, stored))
		if err != nil {
			return nil, err
		}
		e.Pictures = &list
	}
	e.NSFW, e.Spoiler, e.Judged = e.NSFW || verdict.NSFW, e.Spoiler || verdict.Spoiler, verdict
	return s.Posts.Edit(ctx, a, e)
}

// Comment replies to a post or comment. It returns the comment, its post and errors of comments.Store.Create.
func (s *Store) Comment(ctx context.Context, a data.Actor, c comments.Create) (*comments.Comment, *posts.Post, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	var err error
	if c.Judged, err = s.Rules.Judge(ctx, a, rules.Place{Target: cmp.Or(c.Parent, c.Post)},
		rules.Thing{Kind: rules.Comment, HTML: c.BodyHTML, Pictures: len(c.Chosen), Descriptions: described(c.Chosen)}); err != nil {
		return nil, nil, err
	}
	if len(c.Chosen) > 0 {
		var name string
		r := s.DB.Read()
		s.Comments.FindCommunity(r, cmp.Or(c.Parent, c.Post), &name)
		if err := r.Run(ctx); err != nil {
			return nil, nil, err
		}
		claimed, err := s.Pictures.ClaimForComment(ctx, a, name, c.Chosen)
		if err != nil {
			return nil, nil, err
		}
		c.Pictures = claimed.Pictures
		queueSimilar(&c.Judged, claimed.Similar)
	}
	return s.Comments.Create(ctx, a, c)
}

// EditComment changes a comment. A change that rules would hold or remove is Invalid. It returns the comment and errors of
// comments.Store.Edit.
func (s *Store) EditComment(ctx context.Context, a data.Actor, e comments.Edit) (*comments.Source, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	t := rules.Thing{Kind: rules.Comment, HTML: e.BodyHTML}
	if e.Chosen != nil {
		t.Descriptions = described(*e.Chosen)
	}
	verdict, err := s.Rules.Judge(ctx, a, rules.Place{Target: e.ID}, t)
	if err := cmp.Or(err, verdict.Err("body")); err != nil {
		return nil, err
	}
	if e.Chosen != nil && len(*e.Chosen) > 0 {
		r := s.DB.Read()
		stored := s.Comments.FindSource(r, e.ID)
		if err := r.Run(ctx); err != nil {
			return nil, err
		}
		var had []pictures.Picture
		if stored.AuthorID == a.UserID {
			had = stored.Pictures
		}
		if e.Pictures, err = pictures.Keep(*e.Chosen, had); err != nil {
			return nil, err
		}
	}
	e.Judged = verdict
	return s.Comments.Edit(ctx, a, e)
}

// claim returns the pictures that a form names. had are the pictures of the post. It adds blocks of similar pictures to the verdict.
func (s *Store) claim(ctx context.Context, a data.Actor, community string, chosen []pictures.Chosen, had []pictures.Picture,
	verdict *rules.Verdict) ([]pictures.Picture, error) {
	if len(chosen) == 0 {
		return nil, nil
	}
	claimed, err := s.Pictures.Claim(ctx, a, community, chosen, had)
	queueSimilar(verdict, claimed.Similar)
	return claimed.Pictures, err
}

// picturesOf returns the pictures of a post of the actor's; none for another member's post.
func picturesOf(a data.Actor, p *posts.Source) []pictures.Picture {
	if p.AuthorID != a.UserID {
		return nil
	}
	return p.Pictures
}
