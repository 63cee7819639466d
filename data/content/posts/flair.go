package posts

import (
	"plaza/data"
	"plaza/data/content/flair"
)

// flairChoice is what a form and the automatic rules say about the flair of a post.
type flairChoice struct {
	flair   *data.ID // 0 is none; nil keeps the post's
	publish bool     // the post is not only a draft: it needs a flair where its community requires one
	ruled   string   // text of the flair that an automatic rule gives, which takes precedence over the choice; "" is none
}

// flairOfRule is the flair that a rule gives to a post p, or NULL. A flair that only moderators give stays.
var flairOfRule = flair.OfRuleWhere("p.community_id", `(f.id = p.flair_id OR NOT `+flair.Given+`)`)

// flairRefused is the condition that the author of a post p can't give it the flair :flair. NULL keeps the flair, so it is not refused,
// nor is a choice that changes nothing. :publish is as in flairChoice.
var flairRefused = `(` + flairOfRule + ` IS NULL AND iif(:flair IS NULL OR :flair = coalesce(p.flair_id, 0), :publish AND ` +
	flair.Missing +
	`,
  ` + flair.Given + ` OR (:publish OR :flair <> 0) AND ` + flair.Refused("p.community_id") + `))`

// newFlair is the new value of flair_id when the post :id is edited, and publishedFlair when it is published.
var (
	newFlair       = `coalesce(` + ruledOfPost + `, iif(:flair IS NULL, flair_id, ` + flair.Chosen("posts.community_id") + `))`
	publishedFlair = `coalesce(` + ruledOfPost + `, flair_id)`
	ruledOfPost    = `(SELECT ` + flairOfRule + ` FROM posts p WHERE p.id = :id)`
)

// args adds the arguments of flairRefused.
func (c flairChoice) args(args data.Args) data.Args {
	args["flair"], args["publish"], args["ruled"] = nil, c.publish, c.ruled
	if c.flair != nil {
		args["flair"] = *c.flair
	}
	return args
}

// id returns the chosen flair, 0 for none.
func (c flairChoice) id() data.ID {
	if c.flair == nil {
		return 0
	}
	return *c.flair
}

// refusal returns why a choice was refused, nil if it was not. given reports that only moderators may change the flair.
func (c flairChoice) refusal(refused, given bool) error {
	switch {
	case !refused:
		return nil
	case given:
		return flair.ErrGiven
	}
	return flair.Refusal(c.id())
}

// matches reports whether a post has the flair that a rule gives, or else the chosen one.
func (c flairChoice) matches(p *Source) bool {
	if p.ruled != 0 {
		return p.ruled == p.Flair
	}
	return c.flair == nil || *c.flair == p.Flair
}
