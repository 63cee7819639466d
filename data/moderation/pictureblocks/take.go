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
	// takeMax limits how many members and communities a block removes its pictures from. A repetition of the block removes more.
	takeMax = 300
	// takenFor is the minimum time for which a removed picture is kept, so that it can be restored.
	takenFor = 30 * 24 * time.Hour
)

const (
	// A block of a community affects its own icon and banner. Primary keys.
	shownBy = `SELECT b.sum, u.kind, u.subject_id, coalesce(k.name_key, '') FROM json_each(:blocks) j
CROSS JOIN picture_blocks b ON b.id = j.value
  CROSS JOIN json_each(iif(b.community_id = 0, '["avatar", "icon", "banner"]', '["icon", "banner"]')) o
  CROSS JOIN picture_uses u ON u.sum = b.sum AND u.kind = o.value
  LEFT JOIN communities k ON k.id = u.subject_id WHERE b.community_id IN (0, u.subject_id) LIMIT :limit`
	// The same for members and communities whose pictures were removed. Primary keys.
	takenFrom = `SELECT p.sum, t.value ->> 0, t.value ->> 1, coalesce(k.name_key, '') FROM json_each(:blocks) j
  CROSS JOIN picture_blocks b ON b.id = j.value CROSS JOIN pictures p ON p.sum = b.sum
  AND p.state = 'stored' CROSS JOIN json_each(p.taken) t
  LEFT JOIN communities k ON k.id = t.value ->> 1`
)

// portraits are the members and communities that have, or had, some pictures as avatar, icon or banner.
type portraits struct {
	all     []pictures.ProfilePicture
	members map[string][]data.ID // by the sum
	names   []string             // keys of the communities
}

// findPortraits reads the rows of a statement such as shownBy.
func (s *Store) findPortraits(ctx context.Context, sql string, args data.Args) (*portraits, error) {
	p := &portraits{members: map[string][]data.ID{}}
	r := s.DB.Read()
	r.Find(sql, args, func(row *data.Row) {
		portrait, name := pictures.ProfilePicture{Sum: row.Text(), Kind: row.Text(), ID: row.ID()}, row.Text()
		if portrait.Community = name; name == "" {
			p.members[portrait.Sum] = append(p.members[portrait.Sum], portrait.ID)
		} else if !slices.Contains(p.names, name) { // a community may have an icon and a banner
			p.names = append(p.names, name)
		}
		p.all = append(p.all, portrait)
	})
	return p, r.Run(ctx)
}

// removeFromProfiles removes blocked pictures from avatars, icons and banners, and records from which.
func (s *Store) removeFromProfiles(ctx context.Context, blocks []data.ID) error {
	p, err := s.findPortraits(ctx, shownBy, data.Args{"blocks": blocks, "limit": takeMax})
	if err != nil || len(p.all) == 0 {
		return err
	}
	w := s.DB.Write()
	sums := pictures.RecordRemovedUses(w, p.all, s.Source.Now().Add(takenFor))
	for sum, members := range p.members {
		s.Accounts.RemovePictures(w, members, []string{sum})
	}
	shown := s.Communities.RemovePictures(w, p.names, sums)
	err = w.Run(ctx)
	shown.Copy(ctx)
	return err
}

// giveBack adds statements to w, which removes blocks: they restore what the blocks removed. Call Copy after the transaction.
func (s *Store) giveBack(w *data.Write, p *portraits) *communities.PictureChanges {
	for sum, members := range p.members {
		s.Accounts.RestorePicture(w, members, sum)
	}
	shown := s.Communities.RemovePictures(w, nil, nil) // removes nothing: Repicture is a method of its result
	for _, portrait := range p.all {
		if portrait.Community != "" {
			shown.RestorePicture(w, portrait.Community, portrait.Kind, portrait.Sum)
		}
	}
	pictures.ForgetRemovedUses(w, p.all, s.Source.Now())
	return shown
}
