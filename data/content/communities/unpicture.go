package communities

import (
	"context"
	"maps"
	"slices"

	"plaza/data"
)

// unpictureMax bounds how many icons and banners one call of Unpicture takes away.
const unpictureMax = 100

const (
	// Primary keys.
	picturedWith = `SELECT k.name_key FROM json_each(:sums) j CROSS JOIN picture_uses u ON u.sum = j.value AND u.kind IN ('icon', 'banner')
  CROSS JOIN communities k ON k.id = u.subject_id WHERE :community IN (0, k.id) LIMIT :limit`
	// Unique index on name_key, and the end of communities_revision. The trigger communities_repictured ends the uses.
	unpicture = `UPDATE communities SET icon = iif(` + iconIsOne + `, '', icon), banner = iif(` + bannerIsOne + `, '', banner),
  revision = coalesce((SELECT r.revision FROM communities r WHERE r.revision IS NOT NULL ORDER BY r.revision DESC LIMIT 1), 0) + 1
WHERE name_key = :community AND iif(` + iconIsOne + `, 1, ` + bannerIsOne + `)`
	iconIsOne   = `icon IN (SELECT value FROM json_each(:sums))`
	bannerIsOne = `banner IN (SELECT value FROM json_each(:sums))`
)

// Unpicture takes pictures away that a community has as its icon or banner, or that any community has if it is 0. It writes the copies of
// shards as Update does. One call takes away at most unpictureMax; the next takes away others. Unavailable.
func (s *Store) Unpicture(ctx context.Context, community data.ID, sums []string) error {
	var names []string
	r := s.DB.Read()
	r.Find(data.Directory, picturedWith, data.Args{"sums": sums, "community": community, "limit": unpictureMax}, func(row *data.Row) {
		if name := row.Text(); !slices.Contains(names, name) { // which may have both
			names = append(names, name)
		}
	})
	if err := r.Run(ctx); err != nil || len(names) == 0 {
		return err
	}
	defer s.warm.Clear()
	var begun []*copies
	w := s.DB.Write(data.Directory)
	for _, name := range names {
		w.Do(unpicture, data.Args{"community": name, "sums": sums})
		if c := s.leaveSettings(w, name); c != nil {
			begun = append(begun, c)
		}
	}
	if err := w.Run(ctx); err != nil {
		return err
	}
	if len(begun) > 0 {
		s.copyNow(ctx, together(begun))
	}
	return nil
}

// together is one copying in place of several of the same work.
func together(list []*copies) *copies {
	all := list[0]
	for _, c := range list[1:] {
		all.Add(c.Copies)
		maps.Copy(all.rows, c.rows)
	}
	return all
}
