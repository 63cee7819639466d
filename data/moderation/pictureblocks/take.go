package pictureblocks

import (
	"context"
	"slices"
	"time"

	"plaza/data"
	"plaza/data/content/communities"
	"plaza/data/content/pictures"
)

const (
	// takeMax bounds from how many members and communities a block takes its pictures. Blocking again takes them from more.
	takeMax = 300
	// takenFor is how long a picture that was taken away is kept at least, so that it can be given back.
	takenFor = 30 * 24 * time.Hour
)

const (
	// A block of a community is about its own icon and banner. Primary keys.
	shownBy = `SELECT b.sum, u.kind, u.subject_id, coalesce(k.name_key, '') FROM json_each(:blocks) j
CROSS JOIN picture_blocks b ON b.id = j.value
  CROSS JOIN json_each(iif(b.community_id = 0, '["avatar", "icon", "banner"]', '["icon", "banner"]')) o
  CROSS JOIN picture_uses u ON u.sum = b.sum AND u.kind = o.value
  LEFT JOIN communities k ON k.id = u.subject_id WHERE b.community_id IN (0, u.subject_id) LIMIT :limit`
	// The same for members and communities from which pictures were taken. Primary keys.
	takenFrom = `SELECT p.sum, t.value ->> 0, t.value ->> 1, coalesce(k.name_key, '') FROM json_each(:blocks) j
  CROSS JOIN picture_blocks b ON b.id = j.value CROSS JOIN pictures p ON p.sum = b.sum AND p.state = 'kept' CROSS JOIN json_each(p.taken) t
  LEFT JOIN communities k ON k.id = t.value ->> 1`
)

// portraits are the members and communities that are, or were, shown by some pictures.
type portraits struct {
	all     []pictures.Portrait
	members map[string][]data.ID // by the sum
	names   []string             // keys of the communities
}

// findPortraits reads what a statement such as shownBy selects.
func (s *Store) findPortraits(ctx context.Context, sql string, args data.Args) (*portraits, error) {
	p := &portraits{members: map[string][]data.ID{}}
	r := s.DB.Read()
	r.Find(sql, args, func(row *data.Row) {
		it, name := pictures.Portrait{Sum: row.Text(), Kind: row.Text(), ID: row.ID()}, row.Text()
		if it.Community = name; name == "" {
			p.members[it.Sum] = append(p.members[it.Sum], it.ID)
		} else if !slices.Contains(p.names, name) { // it may have an icon and a banner
			p.names = append(p.names, name)
		}
		p.all = append(p.all, it)
	})
	return p, r.Run(ctx)
}

// take takes blocked pictures away from members and communities that are shown by them, and notes from whom.
func (s *Store) take(ctx context.Context, blocks []data.ID) error {
	p, err := s.findPortraits(ctx, shownBy, data.Args{"blocks": blocks, "limit": takeMax})
	if err != nil || len(p.all) == 0 {
		return err
	}
	w := s.DB.Write()
	sums := pictures.NoteTaken(w, p.all, s.Source.Now().Add(takenFor))
	for sum, members := range p.members {
		s.Accounts.Unpicture(w, members, []string{sum})
	}
	shown := s.Communities.Unpicture(w, p.names, sums)
	err = w.Run(ctx)
	shown.Copy(ctx)
	return err
}

// giveBack adds statements to w, which ends blocks: they give back what was taken. Call Copy after the transaction.
func (s *Store) giveBack(w *data.Write, p *portraits) *communities.PictureChanges {
	for sum, members := range p.members {
		s.Accounts.Repicture(w, members, sum)
	}
	shown := s.Communities.Unpicture(w, nil, nil) // takes nothing: Repicture is a method of what it returns
	for _, it := range p.all {
		if it.Community != "" {
			shown.Repicture(w, it.Community, it.Kind, it.Sum)
		}
	}
	pictures.ForgetTaken(w, p.all, s.Source.Now())
	return shown
}
