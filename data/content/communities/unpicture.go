package communities

import (
	"context"
	"maps"

	"plaza/data"
)

const (
	// Unique index on name_key, and the end of communities_revision. The trigger communities_repictured updates the uses.
	unpicture = `UPDATE communities SET icon = iif(` + iconIsOne + `, '', icon), banner = iif(` + bannerIsOne + `, '', banner),
  revision = ` + nextRevision + `
WHERE name_key = :community AND iif(` + iconIsOne + `, 1, ` + bannerIsOne + `)`
	iconIsOne   = `icon IN (SELECT value FROM json_each(:sums))`
	bannerIsOne = `banner IN (SELECT value FROM json_each(:sums))`
	// The same, the primary key of pictures, and index picture_blocks_sum.
	repicture = `UPDATE communities SET icon = iif(:kind = 'icon', :sum, icon), banner = iif(:kind = 'banner', :sum, banner),
  revision = ` + nextRevision + `
WHERE name_key = :community AND iif(:kind = 'icon', icon, banner) = ''
  AND EXISTS (SELECT 1 FROM pictures p WHERE p.sum = :sum AND p.state = 'stored')
  AND NOT EXISTS (SELECT 1 FROM picture_blocks b WHERE b.sum = :sum AND b.community_id IN (0, communities.id))`
	nextRevision = `coalesce((SELECT r.revision FROM communities r WHERE r.revision IS NOT NULL ORDER BY r.revision DESC LIMIT 1), 0) + 1`
)

// PictureChanges are the changes of icons and banners in one transaction. Call Copy after the transaction, even if it failed.
type PictureChanges struct {
	store *Store
	begun []*copies
}

// RemovePictures adds statements to w that remove pictures as icons and banners of communities. names are the keys of the communities, and
// sums the sums of the pictures.
func (s *Store) RemovePictures(w *data.Write, names, sums []string) *PictureChanges {
	p := &PictureChanges{store: s}
	for _, name := range names {
		w.Do(unpicture, data.Args{"community": name, "sums": sums})
		p.enqueue(w, name)
	}
	return p
}

// RestorePicture adds a statement to w that restores a picture as a community's icon or banner (kind). Nothing changes if the community has
// chosen another one since, or if the picture is blocked there or being deleted.
func (p *PictureChanges) RestorePicture(w *data.Write, name, kind, sum string) {
	w.Do(repicture, data.Args{"community": name, "kind": kind, "sum": sum})
	p.enqueue(w, name)
}

func (p *PictureChanges) enqueue(w *data.Write, name string) {
	if c := p.store.enqueueSettings(w, name); c != nil {
		p.begun = append(p.begun, c)
	}
}

// Copy writes the copies on the shards at once, as Update does.
func (p *PictureChanges) Copy(ctx context.Context) {
	p.store.cache.Clear()
	if len(p.begun) == 0 {
		return
	}
	all := p.begun[0]
	for _, c := range p.begun[1:] {
		all.Add(c.Copies)
		maps.Copy(all.rows, c.rows)
	}
	p.store.copyNow(ctx, all)
}
