package pictures

import (
	"context"

	"plaza/data"
)

// claim uses the primary key.
const claim = `UPDATE pictures SET check_at = max(coalesce(check_at, 0), :until) WHERE sum IN (SELECT value FROM json_each(:sums))
  AND state = 'kept' AND EXISTS (SELECT 1 FROM ` + levelOf + ` x CROSS JOIN ` + set + ` y WHERE ` + trusts + `) AND ` + data.LiveSession + `
RETURNING sum, width, height, colour, small OR bytes <= :enough`

const claimFacts = `SELECT y.by, y.member_room, y.site_room, x.level, ` + data.LiveSession + ` FROM ` + levelOf + ` x CROSS JOIN ` + set +
	` y`

var errNoPicture = data.Mistake("pictures", "One of these pictures is not here any more. Please remove it or upload it again.")

// Claim returns the pictures that a form names as a post keeps them. They stay for a day at least, so that the post can be written. had are
// those that the post has already: they need no right. Invalid (there is no such picture), Forbidden (the member may not upload) and
// Unauthenticated.
func (s *Store) Claim(ctx context.Context, a data.Actor, chosen []Chosen, had []Picture) ([]Picture, error) {
	known := map[string]Picture{}
	for _, p := range had {
		known[p.Sum] = p
	}
	var sums []string
	for _, c := range chosen {
		if _, has := known[c.Sum]; !has {
			sums = append(sums, c.Sum)
		}
	}
	if err := s.claim(ctx, a, sums, known); err != nil {
		return nil, err
	}
	return choose(chosen, known)
}

// Keep is Claim for a post that gets no other pictures than it has. Invalid.
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

// claim adds pictures that the post does not have yet.
func (s *Store) claim(ctx context.Context, a data.Actor, sums []string, known map[string]Picture) error {
	if len(sums) == 0 {
		return nil
	}
	args := s.args(a)
	delete(args, "day")
	args["until"], args["sums"], args["enough"] = s.Source.Now().Add(UsedAfter), sums, smallEnough
	w := s.DB.Write(data.Directory)
	w.Find(claim, args, func(r *data.Row) {
		p := Picture{Sum: r.Text(), Width: int(r.Int()), Height: int(r.Int()), Colour: r.Text(), Small: r.Bool()}
		known[p.Sum] = p
	})
	f, live := standing{}, false
	asked := s.args(a)
	delete(asked, "day")
	w.Find(claimFacts, asked, func(r *data.Row) {
		f.scan(r)
		live = r.Bool()
	})
	if err := w.Run(ctx); err != nil {
		return err
	}
	if !live {
		return data.ErrSessionEnded
	}
	return f.refused()
}
