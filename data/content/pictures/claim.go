package pictures

import (
	"context"
	"slices"
	"strings"

	"plaza/data"
	"plaza/locale"
)

var (
	claimBegin = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), :until) WHERE sum IN (SELECT value FROM json_each(:sums))
  AND state = 'stored' AND EXISTS (SELECT 1 FROM ` + levelOf + ` x CROSS JOIN `
	claimEnd = ` y WHERE ` + trusts + `) AND ` + data.LiveSession + `
  AND NOT ` + blocked("pictures.sum") + `
RETURNING sum, width, height, iif(user_id = :actor, colour, ''), coalesce(user_id = :actor AND small, 0), bytes <= :light`
	// Primary key, and the indexes of blocked.
	claim           = claimBegin + set + claimEnd
	claimForComment = claimBegin + setOfComment + claimEnd
	// The positions, from 0, of the pictures in :all that are blocked.
	blockedOf = `SELECT j.key FROM json_each(:all) j WHERE ` + blocked("j.value")
	// Primary keys, and the indexes of SimilarRows.
	similarOf = `SELECT a.id, a.community_id = 0 FROM ` + SimilarRows("x.id, x.community_id", "picture_blocks",
		`(SELECT p.hash FROM json_each(:all) j CROSS JOIN pictures p ON p.sum = j.value WHERE p.hash IS NOT NULL)`) + ` a
WHERE a.` + blocksHere + ` LIMIT 100`
)

const (
	factsBegin        = `SELECT y.by, y.member_room, y.site_room, x.level, ` + data.LiveSession + ` FROM ` + levelOf + ` x CROSS JOIN `
	claimFacts        = factsBegin + set + ` y`
	claimCommentFacts = factsBegin + setOfComment + ` y`
)

var errNoPicture = data.Mistake("pictures", "One of these pictures is not here any more. Please remove it or upload it again.")

// Claimed is the result of Claim: the pictures that a form names, as a post stores them, and the blocks of similar pictures.
type Claimed struct {
	Pictures []Picture
	Similar  []SimilarBlock
}

// Claim returns the pictures that a form names. They are kept for at least a day, so that the post can be written. had are pictures
// that the post has already: these need no right to upload. Only posts of the picture's first uploader use its small version: the
// uploader's browser made it, so it may show something else. No picture may be blocked on the site or in the community; community is "" if
// it is not known. Invalid (there is no such picture, or it is blocked), Forbidden (the member may not upload) and Unauthenticated.
func (s *Store) Claim(ctx context.Context, a data.Actor, community string, chosen []Chosen, had []Picture) (Claimed, error) {
	return s.claimAll(ctx, a, community, chosen, had, false)
}

// ClaimForComment is Claim for a new comment. Forbidden also if the member may not add pictures to comments.
func (s *Store) ClaimForComment(ctx context.Context, a data.Actor, community string, chosen []Chosen) (Claimed, error) {
	return s.claimAll(ctx, a, community, chosen, nil, true)
}

func (s *Store) claimAll(ctx context.Context, a data.Actor, community string, chosen []Chosen, had []Picture,
	comment bool) (c Claimed, err error) {
	known := map[string]Picture{}
	for _, p := range had {
		known[p.Sum] = p
	}
	var sums, all []string
	for _, it := range chosen {
		all = append(all, it.Sum)
		if _, has := known[it.Sum]; !has {
			sums = append(sums, it.Sum)
		}
	}
	if c.Similar, err = s.claim(ctx, a, community, sums, all, known, comment); err != nil {
		return Claimed{}, err
	}
	c.Pictures, err = choose(chosen, known)
	return c, err
}

// Keep is Claim for a post whose form adds no pictures. Invalid.
func Keep(chosen []Chosen, had []Picture) ([]Picture, error) {
	known := map[string]Picture{}
	for _, p := range had {
		known[p.Sum] = p
	}
	return choose(chosen, known)
}

// choose returns pictures in the order and with the descriptions of a form.
func choose(chosen []Chosen, known map[string]Picture) ([]Picture, error) {
	list := make([]Picture, 0, len(chosen))
	for _, c := range chosen {
		p, has := known[c.Sum]
		if !has {
			return nil, errNoPicture
		}
		p.Alt = c.Alt
		list = append(list, p)
	}
	return list, nil
}

// claim adds the pictures of sums to known; the post or comment does not have them yet. It returns the blocks of
// pictures that are similar to one of all.
func (s *Store) claim(ctx context.Context, a data.Actor, community string, sums, all []string, known map[string]Picture,
	comment bool) (similar []SimilarBlock, err error) {
	if len(all) == 0 {
		return nil, nil
	}
	args := s.args(a)
	delete(args, "day")
	args["until"], args["sums"], args["light"] = s.Source.Now().Add(UsedAfter), sums, LightMax
	args["community"] = strings.ToLower(community)
	sql, facts := claim, claimFacts
	if comment {
		sql, facts = claimForComment, claimCommentFacts
	}
	w := s.DB.Write()
	if len(sums) > 0 {
		w.Find(sql, args, func(r *data.Row) {
			p := Picture{Sum: r.Text(), Width: int(r.Int()), Height: int(r.Int()), Colour: r.Text(), Small: r.Bool(), Light: r.Bool()}
			known[p.Sum] = p
		})
	}
	f, live, firstBlocked := quota{comment: comment}, false, -1
	factArgs := s.args(a)
	delete(factArgs, "day")
	if comment {
		factArgs["community"] = args["community"]
	}
	w.Find(facts, factArgs, func(r *data.Row) {
		f.scan(r)
		live = r.Bool()
	})
	w.Find(blockedOf, data.Args{"all": all, "community": args["community"]}, func(r *data.Row) {
		if n := int(r.Int()); firstBlocked < 0 || n < firstBlocked {
			firstBlocked = n
		}
	})
	w.Find(similarOf, data.Args{"all": all, "community": args["community"]}, func(r *data.Row) {
		b := SimilarBlock{r.ID(), r.Bool()}
		if !slices.Contains(similar, b) && len(similar) < MaxOfPost { // several quarters of a hash may find the same block
			similar = append(similar, b)
		}
	})
	if err := w.Run(ctx); err != nil {
		return nil, err
	}
	switch {
	case !live:
		return nil, data.ErrSessionEnded
	case len(sums) > 0 && f.refusal() != nil:
		return nil, f.refusal()
	case firstBlocked >= 0:
		return nil, data.Mistake("pictures", locale.With("Picture {} was removed here. It must not be posted again.", firstBlocked+1))
	}
	return similar, nil
}
