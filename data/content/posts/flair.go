package posts

import (
	"plaza/data"
	"plaza/data/content/flair"
)

// A chosen flair is what a form says about the flair of a post.
type chosen struct {
	flair   *data.ID // 0 is none; nil keeps the post's
	publish bool     // the post is not only a draft: it needs a flair where its community requires one
	ruled   string   // text of the flair that an automatic rule gives, which takes precedence over the choice; "" is none
}

// flairOfRule is the flair that a rule gives to a post p, or NULL. A flair that only moderators give stays.
var flairOfRule = flair.OfRuleWhere("p.community_id", `(f.id = p.flair_id OR NOT `+flair.Given+`)`)

// flairRefused is the condition that the author of a post p can't give it the flair :flair. NULL keeps the flair, so it is not refused,
// nor is a choice that changes nothing. :publish is as in chosen.
var flairRefused = `(` + flairOfRule + ` IS NULL AND iif(:flair IS NULL OR :flair = coalesce(p.flair_id, 0), :publish AND ` +
	flair.Missing +
	`,
  ` + flair.Given + ` OR (:publish OR :flair <> 0) AND ` + flair.Refused("p.community_id") + `))`

// newFlair is the column of the post :id when it is changed, and publishedFlair when it is published.
var (
	newFlair       = `coalesce(` + ruledOfPost + `, iif(:flair IS NULL, flair_id, ` + flair.Chosen("posts.community_id") + `))`
	publishedFlair = `coalesce(` + ruledOfPost + `, flair_id)`
	ruledOfPost    = `(SELECT ` + flairOfRule + ` FROM posts p WHERE p.id = :id)`
)

// args adds the arguments of flairRefused.
func (c chosen) args(args data.Args) data.Args {
	args["flair"], args["publish"], args["ruled"] = nil, c.publish, c.ruled
	if c.flair != nil {
		args["flair"] = *c.flair
	}
	return args
}

// id returns the chosen flair, 0 for none.
func (c chosen) id() data.ID {
	if c.flair == nil {
		return 0
	}
	return *c.flair
}

// refusal returns why a choice was refused, nil if it was not. given reports that only moderators may change the flair.
func (c chosen) refusal(refused, given bool) error {
	switch {
	case !refused:
		return nil
	case given:
		return flair.ErrGiven
	}
	return flair.Refusal(c.id())
}

// of reports whether a post has the flair that a rule gives, or else the chosen one.
func (c chosen) of(p *Source) bool {
	if p.ruled != 0 {
		return p.ruled == p.Flair
	}
	return c.flair == nil || *c.flair == p.Flair
}
