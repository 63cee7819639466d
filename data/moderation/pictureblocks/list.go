package pictureblocks

import (
	"strings"
	"time"

	"plaza/data"
	"plaza/data/content/pictures"
)

// Block is a block of a picture.
type Block struct {
	ID      data.ID
	Sum     string
	Stored  bool // the site still has the picture
	Light   bool // lists can show it (pictures.Picture)
	Colour  string
	HasHash bool    // similar pictures are found as well, because its hash is known
	Target  data.ID // the post whose removal blocked it; 0 none
	Rule    string
	By      string // "" for a deleted account
}

// At returns when it was blocked.
func (b *Block) At() time.Time { return b.ID.Time() }

const (
	// Index picture_blocks_new, in its order, then primary keys.
	listed = `SELECT b.id, b.sum, p.state = 'stored', p.bytes <= :light, p.colour, b.hash IS NOT NULL, b.target_id, b.rule,
  u.username
FROM picture_blocks b LEFT JOIN pictures p ON p.sum = b.sum LEFT JOIN users u ON u.id = b.actor_id
WHERE b.community_id = `
	listedThere = listed + `(SELECT k.id FROM communities k WHERE k.name_key = :community)` + listedEnd
	listedSite  = listed + `0` + listedEnd
	listedEnd   = ` AND b.id < :before ORDER BY b.id DESC LIMIT :limit`
)

// Find reads a page of the blocks of a community along with a page of the site, the newest first; the community "" is the whole site. All
// ids are lower than before; 0 begins with the newest.
func Find(r *data.Read, community string, before data.ID, limit int) *data.Page[*Block] {
	p := data.NewPage[*Block](0, limit)
	scan := func(row *data.Row) (*Block, float64, data.ID) {
		b := &Block{ID: row.ID(), Sum: row.Text(), Stored: row.Bool(), Light: row.Bool(), Colour: row.Text(), HasHash: row.Bool(),
			Target: row.ID(),
			Rule:   row.Text(), By: row.Text()}
		return b, 0, b.ID
	}
	args := data.Args{"before": data.Below(before), "light": pictures.LightMax}
	if community == "" {
		return p.Find(r, listedSite, args, scan)
	}
	args["community"] = strings.ToLower(community)
	return p.Find(r, listedThere, args, scan)
}
